"""Control sequences in names, answers and errors are shown and never sent to the terminal."""

import json
import re
from pathlib import Path

import pytest
from command import Command, Ended

import karat
from provider import Provider, Reply

HOSTILE = "x\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\r\b\u202eesrever\u2066\u200f\U000e0041"
COMMANDING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0041]")
COLOUR = re.compile("\x1b\\[[0-9;]*m")
FILE = "a\x1b[2J\u202e.jsonl"
CLI = Path(karat.__file__).parent / "cli"


def refuse_commands(ended: Ended) -> Ended:
    assert COMMANDING.findall(COLOUR.sub("", ended.out)) == []
    assert COMMANDING.findall(ended.err) == []
    return ended


@pytest.fixture
def hostile(karat: Command, folder: Path) -> Path:
    """Rows with terminal commands in every part, graded and labelled by two systems."""
    rows = [
        {
            "id": f"{HOSTILE}{number}",
            "question": f"{HOSTILE} {number // 2}?",
            "reference": f"thing {number} {HOSTILE}",
            "answer": f"thing {number} {HOSTILE}" if number % 3 else f"stuff {HOSTILE}",
            "system": f"{HOSTILE}{number % 2}",
            HOSTILE: HOSTILE,
            "label": number % 2,
        }
        for number in range(12)
    ]
    (folder / FILE).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    refuse_commands(karat("grade", FILE))
    labels = [{"id": row["id"], "label": row["label"], "author": HOSTILE} for row in rows]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels), encoding="utf-8")
    assert refuse_commands(karat("labels", "add", "1", "labels.jsonl")).code == 0
    return folder


@pytest.mark.parametrize("colour", [False, True])
def test_tables_show_control_characters_by_name(
    karat: Command, hostile: Path, monkeypatch: pytest.MonkeyPatch, colour: bool
) -> None:
    if colour:
        monkeypatch.setenv("FORCE_COLOR", "1")
    refuse_commands(karat("grade", FILE, "--judge", "rules"))
    for arguments in (
        ("grade", FILE),
        ("runs",),
        ("report", "--markdown"),
        ("agree",),
        ("compare", "--by", "system"),
        ("compare", "--by", HOSTILE),
        ("compare", "1", "2"),
        ("labels", "list"),
        ("export", "-o", f"out{HOSTILE}.csv"),
        ("labels", "plan", "--n", "3", "-o", f"plan{HOSTILE}.csv"),
    ):
        ended = refuse_commands(karat(*arguments))
        assert "Traceback" not in ended.err
    printed = karat("compare", "--by", "system").out
    assert "⟨U+001B⟩" in printed
    assert "⟨U+202E⟩" in printed


def test_json_says_the_same_in_escapes(karat: Command, hostile: Path) -> None:
    for arguments in (("report", "--json"), ("compare", "--by", "system", "--json")):
        json.loads(refuse_commands(karat(*arguments)).out)
    systems = json.loads(refuse_commands(karat("grade", FILE, "--json")).out)["systems"]
    assert set(systems) == {f"{HOSTILE}0", f"{HOSTILE}1"}


@pytest.mark.parametrize(
    "arguments",
    [
        (f"grade{HOSTILE}",),
        ("grade", f"{HOSTILE}.jsonl"),
        ("grade", FILE, "--judge", HOSTILE),
        ("grade", FILE, "--columns", f"question={HOSTILE}2"),
        ("grade", FILE, "--cluster", HOSTILE + "2"),
        ("grade", FILE, "--prompt", HOSTILE),
        ("export", HOSTILE, "-o", "x.csv"),
        ("runs", "--store", HOSTILE),
        ("audit", "--families", HOSTILE),
        ("prompt", "show", HOSTILE),
        ("prompt", "check", HOSTILE),
    ],
)
def test_error_messages_show_control_characters_by_name(
    karat: Command, hostile: Path, arguments: tuple[str, ...]
) -> None:
    ended = refuse_commands(karat(*arguments))
    assert ended.code == 2
    assert "owned" in ended.err


def test_provider_errors_are_printed_with_control_characters_escaped(karat: Command, hostile: Path) -> None:
    with Provider(lambda _: Reply(status=400, error={"message": HOSTILE})) as provider:
        ended = refuse_commands(karat("grade", FILE, "--judge", f"{provider.base_url}#m"))
    assert "owned" in ended.err
    with Provider(lambda _: HOSTILE) as provider:
        ended = refuse_commands(karat("grade", FILE, "--judge", f"{provider.base_url}#m", "--attempts", "1"))
    assert "owned" in ended.out


def test_a_prompt_file_is_shown(karat: Command, folder: Path) -> None:
    (folder / "p.txt").write_text(f"Judge it. {HOSTILE}", encoding="utf-8")
    assert "owned" in refuse_commands(karat("prompt", "check", "p.txt", "--protocol", "match")).out


def test_all_commands_print_by_the_functions_that_show() -> None:
    """Direct writes would bypass the escaping functions."""
    direct = re.compile(r"sys\.std(out|err)\.write|\bprint\(|Console\(")
    own = {"output.py", "console.py", "progress.py"}
    found = [file.name for file in CLI.rglob("*.py") if direct.search(file.read_text(encoding="utf-8"))]
    assert set(found) <= own
