"""Limited or closed standard streams lose no verdict and cause no traceback."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import Command

from karat.cli import main
from karat.cli.app import app

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


def run(stream: str, file: io.TextIOWrapper, *arguments: str) -> int:
    """Run the command in this process with one of its streams written to a file; its exit code."""
    with pytest.MonkeyPatch.context() as patch, file:
        patch.setattr(sys, stream, file)
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
    return int(left.value.code or 0)


def run_apart(
    redirect: str, *arguments: str, into: io.TextIOWrapper | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own, with streams redirected as a shell does it, or both into a file."""
    command = [sys.executable, "-c", "from karat.cli import main; main()", *arguments]
    shell = ["sh", "-c", f'exec "$@" {redirect}', "sh", *command]
    streams = subprocess.PIPE if into is None else into
    return subprocess.run(shell, stdout=streams, stderr=streams, check=False)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_unencodable_characters_are_replaced(place: Path, encoding: str) -> None:
    for arguments in (
        ("grade", "à.jsonl", "--judge", "rules"),
        ("runs",),
        ("report", "--markdown"),
        ("prompt", "show", "match"),
    ):
        assert run("stdout", (place / "printed.txt").open("w", encoding=encoding), *arguments) == 0
        assert (place / "printed.txt").read_text(encoding=encoding)


def test_json_is_escaped_and_loses_nothing(place: Path) -> None:
    def printed(*arguments: str) -> dict[str, Any]:
        assert run("stdout", (place / "printed.json").open("w", encoding="ascii"), *arguments) == 0
        return json.loads((place / "printed.json").read_text(encoding="ascii"))

    assert set(printed("grade", "à.jsonl", "--judge", "rules", "--json")["systems"]) == {"Ω", "é"}
    assert printed("runs", "--json")["answers"] == "à.jsonl"


def test_closed_standard_input_is_reported_in_one_line(place: Path) -> None:
    ended = run_apart("<&-", "grade", "-")
    assert ended.returncode == 2
    assert ended.stderr.decode().strip() == (
        "karat: standard input is closed; pipe JSON lines into karat, or name a file"
    )


WRITING = {  # a command of every verb, and the file it writes
    "grade": (("à.jsonl", "--judge", "rules", "-o", "out.jsonl"), "out.jsonl"),
    "audit": (("--judge", "rules", "--families", "hedge", "--limit", "1", "-o", "audit.html"), "audit.html"),
    "runs": ((), None),
    "export": (("-o", "out.csv"), "out.csv"),
    "report": (("-o", "page.html"), "page.html"),
    "agree": ((), None),
    "compare": (("--by", "system"), None),
    "labels": (("list", "-o", "labels.csv"), "labels.csv"),
    "prompt": (("show", "match"), None),
    "formats": ((), None),
    "prices": ((), None),
    "examples": (("ex",), "ex/labels.csv"),
}


def without_reader() -> io.TextIOWrapper:
    """A pipe whose reader went away."""
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w", encoding="utf-8")


def full_disk() -> io.TextIOWrapper:
    """A stream that fails like a full disk."""
    return Path("/dev/full").open("w", encoding="utf-8")


@pytest.fixture
def labelled(karat: Command, folder: Path) -> Path:
    """A labelled run in the store."""
    rows = [row | {"label": row["answer"] != ""} for row in ROWS]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "à.jsonl").write_text(text, encoding="utf-8")
    assert karat("grade", "à.jsonl", "--judge", "rules").code == 0
    return folder


def test_every_command_is_tested_with_a_closed_stream() -> None:
    assert {name for name in app if not name.startswith("-")} == set(WRITING)


@pytest.mark.parametrize("verb", WRITING)
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_closed_pipe_does_not_stop_the_run(labelled: Path, karat: Command, verb: str, stream: str) -> None:
    arguments, file = WRITING[verb]
    expected = karat(verb, *arguments).code
    before = b""
    if file is not None:
        before = (labelled / file).read_bytes()
        (labelled / file).unlink()
    assert run(stream, without_reader(), verb, *arguments) == expected
    if file is not None and file.endswith(".html"):
        assert (labelled / file).exists()
    elif file is not None:
        assert (labelled / file).read_bytes() == before


@pytest.mark.parametrize("verb", [verb for verb in WRITING if verb not in ("export", "labels")])
def test_an_output_that_cannot_be_written_is_a_failure(labelled: Path, karat: Command, verb: str) -> None:
    """Output files are still written, and the exit code of another error is kept."""
    arguments, file = WRITING[verb]
    expected = karat(verb, *arguments).code or 3
    assert run("stdout", full_disk(), verb, *arguments) == expected
    assert file is None or (labelled / file).exists()


def test_full_disk_for_errors_does_not_stop_the_run(labelled: Path) -> None:
    assert run("stderr", full_disk(), "export", "-o", "out.jsonl") == 0
    assert (labelled / "out.jsonl").exists()


@pytest.mark.parametrize(("redirect", "code"), [(">/dev/full", 3), (">&- 2>&- <&-", 0)])
def test_exit_code_does_not_depend_on_closed_streams(place: Path, redirect: str, code: int) -> None:
    """Python flushes once more at exit, which must not fail either."""
    ended = run_apart(redirect, "grade", "à.jsonl", "--judge", "rules", "-o", "out.jsonl")
    assert ended.returncode == code, ended.stderr
    assert b"Traceback" not in ended.stderr
    assert b"Exception ignored" not in ended.stderr
    assert len((place / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_run_finishes_without_readers(place: Path) -> None:
    with without_reader() as lost:
        ended = run_apart("", "grade", "à.jsonl", "--judge", "rules", "-o", "out.jsonl", into=lost)
    assert ended.returncode == 0
    assert len((place / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 2
