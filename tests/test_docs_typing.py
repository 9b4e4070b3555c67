"""The Python blocks of README and docs pass the type checkers that users run."""

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from absence import absent
from docs import FENCE, PAGES, ROOT

SOURCE = ROOT / "src"
NEEDS_RAY = re.compile(r"^(?:import ray|from ray|import karat\.ray|from karat\.ray)", re.MULTILINE)


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every Python block as a file of its own; Ray has no complete types, so its blocks are left out."""
    folder = tmp_path_factory.mktemp("blocks")
    for page in PAGES:
        for number, (language, text) in enumerate(FENCE.findall(page.read_text(encoding="utf-8"))):
            if language == "python" and not NEEDS_RAY.search(text):
                name = f"{page.stem.replace('-', '_').lower()}_{number}.py"
                folder.joinpath(name).write_text(text, encoding="utf-8")
    assert len(list(folder.iterdir())) > 3
    return folder


def test_the_blocks_pass_basedpyright_strict(blocks: Path) -> None:
    settings = {
        "include": ["."],
        "extraPaths": [str(SOURCE)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
        "reportMissingTypeStubs": False,
        "reportUnknownMemberType": False,  # pandas describes some functions only in part
    }
    blocks.joinpath("pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    told = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--project", str(blocks)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout


def test_the_blocks_pass_mypy_strict(blocks: Path) -> None:
    if find_spec("mypy") is None:
        absent("mypy", "mypy", "it is not installed")
    told = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--no-incremental",
            "--python-version",
            "3.11",
            "--follow-imports=silent",
            "--disable-error-code=import-untyped",  # pandas has no types of its own
        ]
        + [str(path) for path in sorted(blocks.glob("*.py"))],
        capture_output=True,
        text=True,
        check=False,
        env={"MYPYPATH": str(SOURCE), "PATH": ""},
    )
    assert told.returncode == 0, told.stdout + told.stderr
