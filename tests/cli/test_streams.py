"""Streams that cannot take everything, or nothing at all, cost no verdict and show no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = [
    {"id": "a", "question": "Où ?", "reference": "Évian", "answer": "Évian", "system": "Ω"},
    {"id": "b", "question": "Qui ?", "reference": "Zoë", "answer": "", "system": "é"},
]


@pytest.fixture
def place(folder: Path) -> Path:
    (folder / "à.jsonl").write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), encoding="utf-8"
    )
    return folder


def karat(
    *arguments: str, encoding: str | None = None, closing: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own, with a stream closed as the shell does it."""
    command = [sys.executable, "-c", "from karat.cli import main; main()", *arguments]
    shell = ["sh", "-c", f'exec "$@" {closing}', "sh", *command]
    environment = os.environ | ({} if encoding is None else {"PYTHONIOENCODING": encoding})
    return subprocess.run(shell, capture_output=True, env=environment, check=False)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_a_stream_cannot_write_is_replaced(place: Path, encoding: str) -> None:
    for arguments in (
        ("grade", "à.jsonl", "--judge", "rules"),
        ("runs",),
        ("report", "--markdown"),
        ("prompt", "show", "match"),
    ):
        ended = karat(*arguments, encoding=encoding)
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout
        assert b"Traceback" not in ended.stderr


def test_json_is_escaped_and_loses_nothing(place: Path) -> None:
    ended = karat("grade", "à.jsonl", "--judge", "rules", "--json", encoding="ascii")
    assert set(json.loads(ended.stdout)["systems"]) == {"Ω", "é"}
    assert json.loads(karat("runs", "--json", encoding="ascii").stdout)["answers"] == "à.jsonl"


def test_a_closed_output_loses_no_verdict(place: Path) -> None:
    ended = karat("grade", "à.jsonl", "--judge", "rules", "-o", "out.jsonl", closing=">&-")
    assert ended.returncode == 0, ended.stderr
    assert b"Traceback" not in ended.stderr
    assert len((place / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    assert b"2 of 2" in karat("runs").stdout
    assert karat("runs", closing=">&- 2>&-").returncode == 0


def test_a_closed_input_is_told_in_one_line(place: Path) -> None:
    ended = karat("grade", "-", closing="<&-")
    assert ended.returncode == 2
    assert ended.stderr.decode().strip() == (
        "karat: standard input is closed; pipe JSON lines into karat, or name a file"
    )
