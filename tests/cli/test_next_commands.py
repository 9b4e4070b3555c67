"""The commands that `karat grade` suggests next: they apply, and run as printed."""

import json
import shlex
from pathlib import Path

import pytest
from command import Command, Ended

from oracle import PERFECT
from provider import Provider, scripted

OPEN = "rather a lot, they say"  # no rule is sure about it


def write_rows(folder: Path, name: str, answers: list[str], **more: object) -> str:
    rows = [
        {"question": f"How many are {n}?", "reference": str(1000 + n), "answer": answer, **more}
        for n, answer in enumerate(answers)
    ]
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


def list_commands(ended: Ended) -> list[list[str]]:
    """The commands as a shell would split them, without the words behind them."""
    _, _, below = ended.out.partition("\nnext:\n")
    return [shlex.split(line, comments=True) for line in below.splitlines()]


def run_all(karat: Command, ended: Ended) -> list[str]:
    """Run every command; give their verbs."""
    commands = list_commands(ended)
    assert 1 <= len(commands) <= 4
    for command in commands:
        assert command[0] == "karat"
        again = karat(*command[1:])
        assert again.code == 0, (command, again.err)
    return [command[1] for command in commands]


def test_without_labels(karat: Command, folder: Path) -> None:
    ended = karat("grade", write_rows(folder, "a.jsonl", ["1000", ""]), "--judge", "rules")
    assert run_all(karat, ended) == ["report", "labels", "export"]
    assert (folder / "verdicts-1.csv").exists()
    drawn = karat("grade", "a.jsonl", "--judge", "rules")
    assert run_all(karat, drawn) == ["report", "export"]


def test_with_labels_and_an_output_file(karat: Command, folder: Path) -> None:
    answers = write_rows(folder, "a.jsonl", ["1000", "", "1002"], label=True)
    ended = karat("grade", answers, "--judge", "rules", "-o", "out.csv")
    assert run_all(karat, ended) == ["report", "agree"]


def test_an_earlier_run_of_the_judge_or_on_the_file_is_compared(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, "a.jsonl", ["1000", "", "7"]), "--judge", "rules")
    other_answers = karat("grade", write_rows(folder, "b.jsonl", ["", "1001", "7"]), "--judge", "rules")
    assert run_all(karat, other_answers) == ["report", "labels", "compare", "export"]
    assert ["karat", "compare", "1", "2"] in list_commands(other_answers)
    other_judge = karat("grade", "a.jsonl", "--judge", "embedded")
    assert ["karat", "compare", "1", "3"] in list_commands(other_judge)
    (folder / "copy.jsonl").write_text((folder / "b.jsonl").read_text() + "\n")
    copied = karat("grade", "copy.jsonl", "--judge", "rules")
    assert ["karat", "compare", "1", "4"] in list_commands(copied)  # run 2 has the same answers
    run_all(karat, copied)
    (folder / "c.jsonl").write_text('{"question": "Another?", "reference": "x", "answer": "y"}\n')
    assert "compare" not in run_all(karat, karat("grade", "c.jsonl", "--judge", "rules"))


def test_rows_that_stayed_unjudged_are_asked_again_by_the_whole_command(karat: Command, folder: Path) -> None:
    answers = write_rows(folder, "two words.jsonl", [OPEN])
    with Provider(scripted(["hm", '{"Answer 1": "Yes"}'])) as provider:
        ended = karat(
            "grade", answers, "--judge", f"{provider.base_url}#m", "--attempts", "1", "--seed", "3",
            "--items-per-prompt", "1", "--columns", "question=question", "--store", "my.db", "--fail-on-unjudged",
        )  # fmt: skip
        assert ended.code == 1
        first = list_commands(ended)[0]
        assert first[1:3] == ["grade", "two words.jsonl"]
        assert "--retry-unjudged" in first
        assert run_all(karat, ended) == ["grade", "report", "labels", "export"]
        assert provider.calls[-1].body["seed"] == 3
        assert len(provider.calls) == 2
    for command in list_commands(ended):
        assert command[command.index("--store") + 1] == "my.db"


@pytest.mark.parametrize("option", ["--known-labels", "--no-known-labels"])
def test_switches_are_written_as_they_were_given(karat: Command, folder: Path, option: str) -> None:
    answers = write_rows(folder, "a.jsonl", [OPEN])
    with Provider(lambda _: "hm") as provider:
        judge = ("--judge", f"{provider.base_url}#m", "--attempts", "1")
        given, alone = (list_commands(karat("grade", answers, *judge, *more))[0] for more in ([option], []))
        assert option in given
        assert "False" not in given
        assert karat(*given[1:]).code == 1  # understood, and judged as before
    assert not [word for word in alone if "known-labels" in word]


def test_commands_that_cannot_be_repeated_are_not_printed(
    karat: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers from a pipe cannot be read again."""
    import io
    import sys

    row = json.dumps({"question": "q?", "reference": "r", "answer": OPEN}) + "\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(row.encode())))
    with Provider(lambda _: "hm") as provider:
        ended = karat("grade", "-", "--judge", f"{provider.base_url}#m", "--attempts", "1")
    assert ended.code == 1
    assert run_all(karat, ended) == ["report", "labels", "export"]


def test_pass_and_cluster_options_are_kept_in_next_commands(karat: Command, folder: Path) -> None:

    answers = write_rows(folder, "a.jsonl", ["one", "two"], label=3, topic="t")
    with Provider(PERFECT["equivalence"](lambda _: 3)) as provider:
        command = ("--protocol", "equivalence", "--pass", "3", "--cluster", "topic", "--label-scale", "0-5")
        ended = karat("grade", answers, "--judge", f"{provider.base_url}#m", *command)
        assert run_all(karat, ended) == ["report", "agree", "export"]
    for verb, rest in ((one[1], one[3:]) for one in list_commands(ended)):
        assert rest == (
            ["-o", "verdicts-1.csv"] if verb == "export" else ["--pass", "3", "--cluster", "topic"]
        )


def test_json_has_examples_and_no_commands(karat: Command, folder: Path) -> None:
    answers = write_rows(folder, "a.jsonl", ["1000", *[""] * 9])
    ended = karat("grade", answers, "--judge", "rules", "--json")
    assert len(ended.out.splitlines()) == 1
    facts = json.loads(ended.out)
    assert "next" not in facts
    assert len(facts["examples"]) == 5
    confidence = facts["examples"][0].pop("confidence")
    assert 0.5 < confidence < 1
    assert facts["examples"][0] == {
        "id": "2", "question": "How many are 1?", "references": ["1001"], "answer": "", "value": False,
        "decided_by": "rule:empty", "reason": "The answer is empty.", "label": None,
    }  # fmt: skip
    assert facts["accuracy"] is None


def test_accuracy_stands_in_the_json_of_a_labelled_run(karat: Command, folder: Path) -> None:
    """Nine of ten verdicts are what the label says."""
    answers = write_rows(folder, "a.jsonl", [*[""] * 9, "1009"], label=False)
    facts = json.loads(karat("grade", answers, "--judge", "rules", "--json").out)
    assert facts["accuracy"]["rows"] == 10
    assert facts["accuracy"]["accuracy"]["value"] == 0.9
    (example,) = facts["examples"]
    assert (example["id"], example["value"], example["label"]) == ("10", True, False)


def test_a_long_path_of_the_store_is_written_out(karat: Command, folder: Path) -> None:
    (folder / ("deep" * 20)).mkdir()
    place = f"{'deep' * 20}/karat.db"
    ended = karat("grade", write_rows(folder, "a.jsonl", ["1000"]), "--judge", "rules", "--store", place)
    assert run_all(karat, ended) == ["report", "labels", "export"]
