"""The linter, the formatter and the type checker find nothing; the same as `make check`."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("command", ["ruff check .", "ruff format --check .", "basedpyright"])
def test_nothing_is_found(command: str) -> None:
    program, *arguments = command.split()
    path = Path(sys.executable).parent / program
    done = subprocess.run([path, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
