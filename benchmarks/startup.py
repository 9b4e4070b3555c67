"""Number of distributions and size of the base install, and CPU seconds of `import karat` and `karat --help`.

make bench, or python benchmarks/startup.py

It installs karat into a fresh environment. The figures of other tools are constants, measured the same way (two cores, Python 3.11).
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 7
PEERS = (
    ("autoevals 0.4.1", 10, 0.21),
    ("openevals 0.2.2", 49, 0.88),
    ("azure-ai-evaluation 1.18.10", 57, 2.15),
    ("deepeval 4.3.1", 64, 1.82),
    ("inspect-ai 0.3.285", 80, 1.82),
    ("ragas 0.4.3", 90, None),
)


def measure_cpu(*command: str) -> float:
    """The median of user and system seconds of a command."""
    seconds = list[float]()
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds[1:])


def install(folder: Path) -> Path:
    """Install karat without extras into an empty environment."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", ROOT], check=True)
    return python


def count_distributions(python: Path) -> int:
    """How many distributions there are besides pip and setuptools, karat included."""
    listed = subprocess.run(
        [python, "-m", "pip", "--disable-pip-version-check", "list", "--format", "json"],
        check=True,
        capture_output=True,
        text=True,
    )
    return sum(entry["name"] not in ("pip", "setuptools") for entry in json.loads(listed.stdout))


def measure_disk(folder: Path) -> float:
    """The megabytes that an environment takes on disk, pip and setuptools included."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*")) / 2**20


def main() -> None:
    """Measure and print a table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = install(Path(folder))
        count, disk = count_distributions(python), measure_disk(Path(folder))
        imported = measure_cpu(str(python), "-c", "import karat")
        helped = measure_cpu(str(python.parent / "karat"), "--help")
    print("| package | distributions | import, CPU s |\n|---|---|---|")
    print(f"| **karat** | **{count}** | **{imported:.2f}** |")
    for name, packages, seconds in PEERS:
        print(f"| {name} | {packages} | {'fails' if seconds is None else f'{seconds:.2f}'} |")
    print(f"\n`karat --help`: {helped:.2f} CPU s; the environment takes {disk:.0f} MB")
    limits = (
        ("distributions", count, 35),
        ("megabytes", disk, 350),
        ("import", imported, 0.25),
        ("--help", helped, 0.4),
    )
    missed = [f"{name} is {value:g}, above {most:g}" for name, value, most in limits if value > most]
    if missed:
        sys.exit("; ".join(missed))


if __name__ == "__main__":
    main()
