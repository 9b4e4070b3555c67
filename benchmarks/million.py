"""Time per row and peak memory from 10,000 to 1,000,000 rows, by the rules and by an endpoint that answers at once.

Rows are made in a temporary folder, every tenth a repeat of an earlier one. Run it with `make bench-scale`, or
`python benchmarks/million.py`; `--rows` and `--llm-rows` are the largest sizes of the two paths. Each size that was
measured is kept in .cache/scale as long as the source stays the same: stopped, the same command goes on with the next.
"""

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import plot
from child import Cost, describe_machine, measure
from endpoint import Served, endpoint
from page import MEASUREMENTS, PICTURES, write_part

ROOT = Path(__file__).resolve().parent.parent
SIZES = (10_000, 100_000, 300_000, 1_000_000)
PER_PROMPT = 8
MOST_MB = 300
CACHE = ROOT / ".cache" / "scale"
START = "from karat.cli import main; main()"
RULES, LLM = "rules", f"endpoint, {PER_PROMPT} per prompt"
FIGURES = (
    "Ada Lovelace", "Marie Curie", "Alan Turing", "Grace Hopper", "Emmy Noether", "Niels Bohr", "Rosalind Franklin",
)  # fmt: skip


class Measured(NamedTuple):
    path: str
    rows: int
    cost: Cost
    calls: int
    machine: str

    @property
    def cpu(self) -> float:
        """CPU microseconds per row, start-up included."""
        return self.cost.cpu / self.rows * 1e6

    @property
    def wall(self) -> float:
        """Wall microseconds per row, start-up included."""
        return self.cost.wall / self.rows * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="largest size for the rules judge")
    parser.add_argument("--llm-rows", type=int, help="largest size for the endpoint; as --rows if left out")
    parser.add_argument("--fresh", action="store_true", help="measure again what was measured before")
    args = parser.parse_args()
    if args.fresh:
        shutil.rmtree(CACHE, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder, endpoint(delay=0) as served:
        found = list(measure_all(Path(folder), served, args.rows, args.llm_rows or args.rows))
    table = draw_table(found)
    print(table)
    if len({each.rows for each in found}) > 1:
        write_page(found, table)
        print("the plot is in docs/pictures/scale.svg")
    missed = [each for each in found if each.cost.peak_mb > MOST_MB]
    sys.exit(
        "\n".join(f"{each.path}, {each.rows:,} rows: {each.cost.peak_mb:.0f} MB" for each in missed) or 0
    )


def measure_all(folder: Path, served: Served, rules_most: int, llm_most: int) -> Iterator[Measured]:
    """Take each size through both paths, as far as each is wanted."""
    for size in SIZES:
        rows = folder / f"{size}.jsonl"
        for path, judge, most in ((RULES, "rules", rules_most), (LLM, f"{served.base_url}#m", llm_most)):
            if size <= most:
                yield recall(path, size) or keep(grade(path, rows, size, judge, served))
        rows.unlink(missing_ok=True)


def place(path: str, size: int) -> Path:
    """Name the file that keeps a measurement; another source of karat has other files."""
    source = hashlib.blake2b(digest_size=8)
    for file in sorted((ROOT / "src").rglob("*.py")):
        source.update(file.read_bytes())
    return CACHE / source.hexdigest() / f"{path.partition(',')[0]}-{size}.json"


def recall(path: str, size: int) -> Measured | None:
    """Find what was measured before."""
    kept = place(path, size)
    if not kept.exists():
        return None
    found = json.loads(kept.read_text(encoding="utf-8"))
    print(f"{path}, {size:,} rows: measured before", file=sys.stderr, flush=True)
    return Measured(**{**found, "cost": Cost(**found["cost"])})


def keep(measured: Measured) -> Measured:
    """Keep a measurement, so that it need not be made again."""
    kept = place(measured.path, measured.rows)
    kept.parent.mkdir(parents=True, exist_ok=True)
    fields = {**measured._asdict(), "cost": measured.cost._asdict()}
    kept.write_text(json.dumps(fields), encoding="utf-8")
    return measured


def grade(path: str, rows: Path, size: int, judge: str, served: Served) -> Measured:
    """Grade a file from an empty folder by the command line, its store on, verdicts written."""
    if not rows.exists():
        write_rows(rows, size)
    machine = describe_machine()
    served.take()
    command: list[str | Path] = [sys.executable, "-c", START, "grade", rows, "--judge", judge, "--json"]
    command += ["--store", "karat.db", "-o", "verdicts.jsonl"]
    if judge != "rules":
        command += ["--items-per-prompt", str(PER_PROMPT), "--concurrency", "32"]
    with tempfile.TemporaryDirectory(dir=rows.parent) as folder:
        cost = measure(command, folder=Path(folder), env=dict(os.environ))
    counted = json.loads(cost.said)["rows"]
    if counted != size:
        raise RuntimeError(f"{counted} of {size} rows came out")
    print(f"{path}, {size:,} rows: {cost.wall:.1f} s, {cost.peak_mb:.0f} MB", file=sys.stderr, flush=True)
    machine = f"{machine} before and {os.getloadavg()[0]:.1f} after"
    return Measured(path, size, cost._replace(said=""), served.take().calls, machine)


def write_rows(path: Path, size: int) -> None:
    """Write rows one by one; a third of the answers is right in other words, a third wrong, a third the same."""
    with path.open("w", encoding="utf-8") as file:
        for at in range(size):
            file.write(json.dumps(make_row(at - at % 10 // 9)) + "\n")


def make_row(number: int) -> dict[str, object]:
    """Make a row; the same number gives the same row."""
    figure, other = FIGURES[number % 7], FIGURES[number * 3 % 7]
    answer = (
        f"{figure}, {number}",
        f"I believe that it was {other}, the one numbered {number}.",
        f"It was {figure}, {number}",
    )
    return {
        "question": f"Who is entry {number} of the register, and what is the number beside the name?",
        "references": [f"{figure}, {number}", f"{figure} ({number})"],
        "answer": answer[number % 3],
    }


def draw_table(found: list[Measured]) -> str:
    head = (
        "| path | rows | wall, s | wall µs per row | CPU µs per row | peak RSS, MB | calls | load before and after |\n"
        "|---|---|---|---|---|---|---|---|"
    )
    ordered = sorted(found, key=lambda each: (each.path != RULES, each.rows))
    lines = [
        f"| {each.path} | {each.rows:,} | {each.cost.wall:.1f} | {each.wall:.0f} | {each.cpu:.0f} "
        f"| {each.cost.peak_mb:.0f} | {each.calls:,} | {load(each)} |"
        for each in ordered
    ]
    return "\n".join([head, *lines])


def load(measured: Measured) -> str:
    """Say how busy the machine was."""
    return measured.machine.partition(", load ")[2].replace(" before and ", ", ").removesuffix(" after")


def write_page(found: list[Measured], table: str) -> None:
    """Write the part of docs/measurements/speed.md about sizes, and its plot."""
    python = ".".join(map(str, sys.version_info[:3]))
    command = "python benchmarks/million.py " + " ".join(sys.argv[1:])
    machine = found[-1].machine.partition(", load ")[0]
    part = PART.format(
        command=command.strip(), date=time.strftime("%Y-%m-%d"), machine=machine, python=python, table=table
    )
    write_part(MEASUREMENTS / "speed.md", "sizes", part)
    (PICTURES / "scale.svg").write_text(draw_plot(found), encoding="utf-8")


def draw_plot(found: list[Measured]) -> str:
    """Draw CPU per row and peak memory side by side."""
    parts = list[str]()
    panels = (
        ("CPU µs per row", lambda each: each.cpu, None),
        ("Peak RSS, MB", lambda each: each.cost.peak_mb, MOST_MB),
    )
    for at, (title, value, limit) in enumerate(panels):
        drawn = [
            plot.Line(path, [(each.rows, value(each)) for each in found if each.path == path])
            for path in (RULES, LLM)
        ]
        parts += plot.lines(20 + 480 * at, 460, 320, plot.Panel(title, drawn, limit))
    return plot.document(980, 330, "CPU per row and peak memory by number of rows", parts)


PART = """\
Printed by `{command}` on {date}; {machine}; Python {python}.

![CPU per row and peak memory](../pictures/scale.svg)

{table}

- Rows: generated JSONL rows, one in ten a repeat of an earlier one, through `karat grade … -o verdicts.jsonl` from an empty folder. Time and memory are those of the
  whole process: start-up, storing rows, judging, syncing each verdict to disk, writing the output.
- Endpoint: a loopback server in its own process that replies at once; {per_prompt} items per prompt, 32 concurrent calls. It shares the cores with karat, so part of the
  wall time is its own.
- Target: at most {most} MB, and a constant CPU time per row. The wall time also depends on the load of the machine, given in the last column.
""".replace("{per_prompt}", str(PER_PROMPT)).replace("{most}", str(MOST_MB))


if __name__ == "__main__":
    main()
