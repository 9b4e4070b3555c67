"""No command overwrites a file that it reads, however its path is written."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from command import Command
from cyclopts import App

from karat.cli.app import app
from karat.cli.paths import find_mark, list_parameters
from karat.core.options import Options

ROWS = [{"id": f"r{n}", "question": f"q{n}?", "reference": "x", "answer": "x"} for n in range(6)]
NO_PATHS = {  # text that names no file
    "judge", "panel", "protocol", "columns", "reasoning_effort", "price", "cluster", "label_scale", "address", "on", "format",
    "families", "max_rate", "max_no_verdict", "by", "author",
}  # fmt: skip


@pytest.fixture
def inputs(karat: Command, folder: Path) -> Path:
    """A graded file, and files of every kind that commands read; run 1 is the latest."""
    text = "".join(json.dumps(row) + "\n" for row in ROWS)
    (folder / "answers.jsonl").write_text(text, encoding="utf-8")
    (folder / "labels.csv").write_text("id,label\nr1,1\n", encoding="utf-8")
    (folder / "prompt.csv").write_text("Judge it.", encoding="utf-8")
    assert karat("grade", "answers.jsonl", "--judge", "rules", "-o", "verdicts.csv").code == 0
    assert karat("audit", "--export", "probes.jsonl", "--limit", "1").code == 0
    (folder / "verdicts").mkdir()
    (folder / "verdicts" / "part.csv").write_bytes((folder / "verdicts.csv").read_bytes())
    return folder


def read_all(folder: Path) -> dict[Path, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file() and ".karat" not in path.parts]
    return {path: path.read_bytes() for path in files}


OVERWRITING = [
    ("answers.jsonl", "grade answers.jsonl -o {}"),
    ("labels.csv", "grade answers.jsonl --judge rules --labels labels.csv -o {}"),
    ("prompt.csv", "grade answers.jsonl --judge http://127.0.0.1:9/v1#m --prompt prompt.csv -o {}"),
    ("verdicts.csv", "grade answers.jsonl --judge rules --baseline verdicts.csv -o {}"),
    ("answers.jsonl", "grade verdicts.csv --judge rules --baseline 1 -o {}"),
    ("k.csv", "grade answers.jsonl --judge rules --store k.csv -o {}"),
    (".karat/karat.db", "grade answers.jsonl --judge rules --store k.csv -o {}"),
    ("answers.jsonl", "audit --items answers.jsonl --export {}"),
    ("probes.jsonl", "audit --probes probes.jsonl --export {}"),
    (".karat/karat.db", "audit --export {}"),
    (".karat/karat.db-wal", "audit --export {}"),
    ("answers.jsonl", "export -o {}"),
    ("answers.jsonl", "export 1 -o {}"),
    ("verdicts.csv", "export verdicts.csv -o {}"),
    ("verdicts/part.csv", "export verdicts -o {}"),
    ("answers.jsonl", "report -o {}"),
    ("answers.jsonl", "labels list -o {}"),
    ("answers.jsonl", "labels plan -o {}"),
]


@pytest.mark.parametrize(("file", "command"), OVERWRITING)
def test_a_command_never_overwrites_what_it_reads(
    karat: Command, inputs: Path, file: str, command: str
) -> None:
    (inputs / file).touch()
    before = read_all(inputs)
    line = karat.refused(2, *command.format(file).split())
    assert f"would overwrite {file}" in line
    assert read_all(inputs) == before


@pytest.mark.parametrize(
    "way", ["./answers.jsonl", "sub/../answers.jsonl", "whole", "linked.jsonl", "hard.jsonl"]
)
def test_input_is_recognised_by_any_path_or_link(karat: Command, inputs: Path, way: str) -> None:
    (inputs / "sub").mkdir()
    (inputs / "linked.jsonl").symlink_to("answers.jsonl")
    os.link(inputs / "answers.jsonl", inputs / "hard.jsonl")
    path = str(inputs / "answers.jsonl") if way == "whole" else way
    before = read_all(inputs)
    for command in (("grade", "answers.jsonl"), ("export",), ("labels", "list")):
        assert "would overwrite" in karat.refused(2, *command, "-o", path)
    assert read_all(inputs) == before


def test_the_answers_of_a_run_are_known_from_another_folder(
    karat: Command, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (inputs / "sub").mkdir()
    monkeypatch.chdir(inputs / "sub")
    store = "../.karat/karat.db"
    assert "would overwrite" in karat.refused(2, "export", "--store", store, "-o", "../answers.jsonl")


def test_file_on_standard_input_is_not_overwritten(
    karat: Command, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = os.dup(0)
    with (inputs / "answers.jsonl").open(encoding="utf-8") as piped:
        os.dup2(piped.fileno(), 0)
        monkeypatch.setattr("sys.stdin", piped)
        try:
            assert "would overwrite" in karat.refused(2, "grade", "-", "-o", "answers.jsonl")
            assert "-o - (standard output) is not supported" in karat.refused(2, "grade", "-", "-o", "-")
        finally:
            os.dup2(saved, 0)
            os.close(saved)


def test_the_certificates_of_the_environment_are_not_overwritten(
    karat: Command, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "prompt.csv")
    assert "SSL_CERT_FILE" in karat.refused(2, "export", "-o", "prompt.csv")


@pytest.mark.parametrize(
    "command",
    [
        *("export -o", "labels plan -o", "labels list -o", "report -o", "audit --export", "runs --store"),
        *("report", "examples", "grade", "audit --probes"),
    ],
)
def test_an_empty_path_is_refused(karat: Command, inputs: Path, command: str) -> None:
    before = read_all(inputs)
    refusal = karat.refused(2, *command.split(), "")
    assert "is empty; give a value" in refusal
    assert ("--" in refusal or "-o" in refusal) == ("-" in command)
    assert read_all(inputs) == before


def test_too_long_file_name_is_reported_by_name(karat: Command, inputs: Path) -> None:
    name = f"{'a' * 300}.csv"
    assert karat.refused(2, "export", "-o", name).startswith(f"karat: {name}: cannot be written")


def test_a_new_or_earlier_output_is_written(karat: Command, inputs: Path) -> None:
    for _ in range(2):
        assert karat("grade", "answers.jsonl", "--judge", "rules", "-o", "out.csv").code == 0
        assert karat("export", "-o", "out.jsonl").code == 0
        assert karat("export", "verdicts", "-o", "verdicts/again.parquet").code == 0
        assert karat("report", "-o", "page.html").code == 0
        assert karat("audit", "--export", "bank.jsonl", "--limit", "1").code == 0
        (inputs / "verdicts" / "again.parquet").unlink()


def list_commands(root: App) -> Iterator[Callable[..., Any]]:
    for found in (root[name] for name in root if not name.startswith("-")):
        if found.default_command is None:
            yield from list_commands(found)
        else:
            yield found.default_command


def test_every_text_parameter_is_marked_as_a_path_or_known_not_to_be_one() -> None:
    commands = list(list_commands(app))
    assert len(commands) > 12
    for command in commands:
        for name, annotation in list_parameters(command).items():
            if "str" in str(get_args(annotation)[0]):
                assert (find_mark(annotation) is None) == (name in NO_PATHS), f"{command.__name__}: {name}"


def test_grade_takes_every_option_of_the_library() -> None:
    """What the library calls `items_per_prompt` is an option of `karat grade`, and so for all of them."""
    (grade,) = (command for command in list_commands(app) if command.__name__ == "grade")
    assert set(Options.__annotations__) <= set(list_parameters(grade))
