"""`karat grade` as a gate: exit codes and messages on answers of known truth."""

import json
import shlex
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command import Command, Ended

from karat.cli import main
from oracle import PERFECT, answer_match
from provider import Provider

MISSED = "--baseline missed: "
PASSED = "--baseline passed: "


def write_answers(folder: Path, name: str, right: Sequence[bool | None], *, each: int = 1) -> str:
    """Answers that the rules accept or reject for sure, or leave open (None), `each` of a question."""
    texts = {True: "{n}", False: "", None: "rather a lot, they say"}
    rows = [
        {"question": f"How many are {at // each}?", "reference": f"{1000 + at // each}", "answer": texts[one].format(n=1000 + at // each), "name": f"n{at}"}
        for at, one in enumerate(right)
    ]  # fmt: skip
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


def grade(karat: Command, *arguments: str) -> Ended:
    return karat("grade", *arguments, "--judge", "rules")


def lines(ended: Ended) -> list[str]:
    """The lines of the gates."""
    return [line for line in ended.err.splitlines() if line.startswith("karat: --")]


def gates_of(ended: Ended) -> list[dict[str, Any]]:
    return json.loads(ended.out)["gates"]


def test_a_share_below_its_limit_is_one_line_and_exit_code_1(karat: Command, folder: Path) -> None:
    answers = write_answers(folder, "a.jsonl", [True] * 15 + [False] * 5)
    assert grade(karat, answers, "--fail-under", "0.75").code == 0
    ended = grade(karat, answers, "--fail-under", "0.8")
    assert ended.code == 1
    assert lines(ended) == [
        "karat: --fail-under 0.8 missed by 5.0 points: 75.0 % correct (15 of all 20 rows)"
    ]
    assert "correct 75.0 %" in ended.out


def test_an_unjudged_row_counts_as_wrong(karat: Command, folder: Path) -> None:
    """15 of 15 judged rows are right, and 15 of all 20."""
    answers = write_answers(folder, "a.jsonl", [True] * 15 + [None] * 5)
    assert grade(karat, answers, "--fail-under", "0.75").code == 0
    ended = grade(karat, answers, "--fail-under", "0.8", "--json")
    assert ended.code == 1
    (gate,) = gates_of(ended)
    assert {**gate, "line": ""} == {
        "name": "--fail-under",
        "limit": 0.8,
        "value": 0.75,
        "passed": False,
        "line": "",
    }
    assert lines(ended) == [f"karat: {gate['line']}"]
    assert "5 unjudged count as wrong" in gate["line"]


def test_lower_end_is_clustered_by_question(karat: Command, folder: Path) -> None:
    """80 of 100 rows are right, all or none of the five of a question: the interval is that of 20 questions."""
    answers = write_answers(folder, "a.jsonl", ([True] * 20 + [False] * 5) * 4, each=5)
    by_question = grade(karat, answers, "--fail-under-lower", "0.7", "--json")
    by_row = grade(karat, answers, "--fail-under-lower", "0.7", "--cluster", "name", "--json")
    assert (by_question.code, by_row.code) == (1, 0)
    assert gates_of(by_question)[0]["value"] == pytest.approx(0.5617517)
    assert gates_of(by_row)[0]["value"] == pytest.approx(0.7111708)
    assert gates_of(by_row)[0]["passed"] is True


def test_unjudged_rows_count_in_the_lower_end(karat: Command, folder: Path) -> None:
    answers = write_answers(folder, "a.jsonl", [True] * 80 + [None] * 20)
    (gate,) = gates_of(grade(karat, answers, "--fail-under-lower", "0.9", "--json"))
    assert gate["value"] == pytest.approx(0.7111708)


def test_every_missed_limit_has_its_line(karat: Command, folder: Path) -> None:
    answers = write_answers(folder, "a.jsonl", [True] * 15 + [False] * 5)
    ended = grade(karat, answers, "--fail-under", "0.8", "--fail-under-lower", "0.7", "--json")
    assert [gate["name"] for gate in gates_of(ended)] == ["--fail-under", "--fail-under-lower"]
    assert len(lines(ended)) == 2
    assert gates_of(grade(karat, answers, "--json")) == []


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--fail-under", "80"), "--fail-under must be a share between 0 and 1, such as 0.8, not 80"),
        (("--fail-under", "nan"), "--fail-under must be a share between 0 and 1"),
        (("--fail-under-lower", "-0.1"), "--fail-under-lower must be a share between 0 and 1"),
        (("--baseline-level", "0.01"), "--baseline-level needs --baseline"),
        (("--baseline", "1", "--baseline-level", "5"), "--baseline-level must be above 0 and below 0.5"),
        (("--baseline", "1", "--baseline-level", "0"), "--baseline-level must be above 0"),
        (("--fail-under", "0.5", "--dry-run"), "--fail-under needs verdicts, and --dry-run makes none"),
        (("--baseline", "1", "--dry-run"), "--baseline needs verdicts, and --dry-run makes none"),
        (("--baseline", "9"), "no run 9 in"),
        (("--baseline", "nowhere.jsonl"), "nowhere.jsonl: no such verdict file or folder"),
        (("--baseline", ""), "--baseline is empty; give a value, or leave it out"),
        (("--baseline", " "), "--baseline is empty"),
        (("--baseline", "1", "--on", "ray", "-o", "out"), "--baseline is not supported with --on ray"),
        (
            ("--fail-under-lower", "0.5", "--on", "ray", "-o", "out"),
            "--fail-under-lower is not supported with --on ray",
        ),
    ],
)
def test_a_mistake_is_one_line(
    karat: Command, folder: Path, options: tuple[str, ...], complaint: str
) -> None:
    answers = write_answers(folder, "a.jsonl", [True] * 4)
    grade(karat, answers)
    assert complaint in karat.refused(2, "grade", answers, "--judge", "rules", *options)


def test_large_loss_against_the_baseline_fails(karat: Command, folder: Path) -> None:
    grade(karat, write_answers(folder, "old.jsonl", [True] * 40))
    ended = grade(karat, write_answers(folder, "new.jsonl", [True] * 32 + [False] * 8), "--baseline", "1")
    assert ended.code == 1
    (line,) = lines(ended)
    assert f"{MISSED}20.0 points below run 1 (old.jsonl) [90 % interval " in line
    assert line.endswith("on 40 common questions, p = 0.00391, below 0.05")


def test_small_loss_passes_and_reports_the_detectable_loss(karat: Command, folder: Path) -> None:
    """Four of four discordant questions lost: p is 1/16."""
    grade(karat, write_answers(folder, "old.jsonl", [True] * 40))
    command = (write_answers(folder, "new.jsonl", [True] * 36 + [False] * 4), "--baseline", "1")
    ended = grade(karat, *command, "--json")
    assert ended.code == 0
    (line,) = lines(ended)
    assert f"{PASSED}10.0 points below run 1" in line
    assert "p = 0.0625; the test detects a loss of about" in line
    (gate,) = gates_of(ended)
    assert (gate["limit"], gate["value"], gate["passed"]) == (0.05, pytest.approx(1 / 16), True)
    assert gate["difference"]["value"] == pytest.approx(-0.1)
    assert grade(karat, *command, "--baseline-level", "0.1").code == 1


def test_questions_are_paired_whatever_their_order_and_number_of_answers(
    karat: Command, folder: Path
) -> None:
    grade(karat, write_answers(folder, "old.jsonl", [True, True, False] * 40, each=3))
    rows = (folder / write_answers(folder, "new.jsonl", [False] * 30 + [True] * 10)).read_text().splitlines()
    (folder / "new.jsonl").write_text("\n".join(reversed(rows)) + "\n")
    ended = grade(karat, "new.jsonl", "--baseline", "1")
    assert ended.code == 1
    assert "41.7 points below run 1" in lines(ended)[0]


def test_a_better_run_passes(karat: Command, folder: Path) -> None:
    grade(karat, write_answers(folder, "old.jsonl", [False] * 20 + [True] * 20))
    ended = grade(karat, write_answers(folder, "new.jsonl", [True] * 40), "--baseline", "1")
    assert ended.code == 0
    assert f"{PASSED}50.0 points above run 1" in lines(ended)[0]


def test_rows_without_a_verdict_cannot_pass(karat: Command, folder: Path) -> None:
    grade(karat, write_answers(folder, "old.jsonl", [True] * 40))
    ended = grade(karat, write_answers(folder, "new.jsonl", [True] * 20 + [None] * 20), "--baseline", "1")
    assert ended.code == 1
    assert "unjudged rows count as wrong: 20 here, 0 in the baseline" in lines(ended)[0]


def test_a_provider_that_fails_cannot_pass(karat: Command, folder: Path) -> None:
    """The first answers are judged; then the provider only says what cannot be read."""
    old = write_answers(folder, "old.jsonl", [None] * 30)
    rows = [json.loads(line) for line in (folder / old).read_text().splitlines()]
    (folder / "new.jsonl").write_text("".join(json.dumps(row | {"answer": "many"}) + "\n" for row in rows))
    with Provider(lambda call: '{"Answer 1": "Yes"}' if "rather" in call.prompt else "hm") as provider:
        judge = ("--judge", f"{provider.base_url}#m", "--items-per-prompt", "1", "--attempts", "1")
        assert karat("grade", old, *judge).code == 0
        ended = karat("grade", "new.jsonl", *judge, "--baseline", "1", "--fail-under", "0.1")
    assert ended.code == 1
    assert [line.split()[1] for line in lines(ended)][:2] == ["--fail-under", "--baseline"]
    assert "100.0 points below run 1" in ended.err


def age_judge(folder: Path) -> None:
    """Change the judge of run 1 to an older version that rejected everything."""
    with sqlite3.connect(folder / ".karat" / "karat.db") as database:
        database.execute("UPDATE judges SET fingerprint = 'of an older version' WHERE id = 1")
        database.execute("UPDATE outcomes SET value = 0, score = 0.0")
    database.close()


def test_another_version_of_a_free_judge_grades_the_baseline_again(karat: Command, folder: Path) -> None:
    """By the old verdicts the baseline is all wrong and nothing could be worse; by the present ones it is all right."""
    karat("grade", write_answers(folder, "old.jsonl", [True] * 30))
    age_judge(folder)
    ended = karat("grade", write_answers(folder, "new.jsonl", [False] * 30), "--baseline", "1")
    assert ended.code == 1
    again, gate = lines(ended)
    assert again == (
        "karat: --baseline 1: it was judged by another version of embedded;"
        " its answers are graded again with embedded, kept as run 2"
    )
    assert "100.0 points below run 2, which has the answers of run 1 (old.jsonl)" in gate
    known = karat("grade", "new.jsonl", "--baseline", "1")
    assert "embedded has already judged its answers, kept as run 2" in known.err
    shown = [json.loads(line) for line in karat("runs", "--json").out.splitlines()]
    assert [(run["run"], run["answers"], run["share"]["correct"]) for run in shown] == [
        (1, "old.jsonl", 0),
        (2, "old.jsonl", 30),
        (3, "new.jsonl", 0),
    ]


def test_the_latest_run_is_the_graded_one_and_not_its_baseline(karat: Command, folder: Path) -> None:
    karat("grade", write_answers(folder, "old.jsonl", [True] * 30))
    age_judge(folder)
    karat("grade", write_answers(folder, "new.jsonl", [False] * 30), "--baseline", "1")
    assert "of run 3 written" in karat("export", "-o", "out.jsonl").err


def test_another_free_judge_grades_the_baseline_again(karat: Command, folder: Path) -> None:
    karat("grade", write_answers(folder, "old.jsonl", [True] * 30))
    ended = grade(karat, write_answers(folder, "new.jsonl", [True] * 30), "--baseline", "1")
    assert ended.code == 0
    assert "--baseline 1: it was judged by embedded; its answers are graded again with rules" in ended.err


def test_a_verdict_file_is_a_baseline(karat: Command, folder: Path) -> None:
    grade(
        karat, write_answers(folder, "old.jsonl", [True] * 40), "-o", "baseline.jsonl", "--store", "other.db"
    )
    ended = grade(
        karat, write_answers(folder, "new.jsonl", [True] * 30 + [False] * 10), "--baseline", "baseline.jsonl"
    )
    assert ended.code == 1
    assert f"{MISSED}25.0 points below baseline.jsonl" in ended.err


SAME = f"{PASSED}no difference, because the answers are the same as those of "


def test_the_same_answers_pass_however_the_baseline_is_named(karat: Command, folder: Path) -> None:
    """By run number, also of another judge, in another file, as a verdict file and with a part of the rows."""
    answers = write_answers(folder, "a.jsonl", [True] * 30 + [False] * 10)
    copy = write_answers(folder, "b.jsonl", [True] * 30 + [False] * 10)
    assert karat("grade", answers).code == 0
    grade(karat, answers, "-o", "baseline.jsonl")
    for arguments, name in (
        ((answers, "--baseline", "2"), "run 2 (a.jsonl) on 40"),
        ((answers, "--baseline", "1"), "run 1 (a.jsonl) on 40"),
        ((copy, "--baseline", "2"), "run 2 (a.jsonl) on 40"),
        ((answers, "--baseline", "2", "--limit", "20"), "run 2 (a.jsonl) on 20"),
        ((answers, "--baseline", "baseline.jsonl"), "baseline.jsonl on 40"),
        ((answers, "--baseline", "baseline.jsonl", "--limit", "20"), "baseline.jsonl on 20"),
    ):
        ended = grade(karat, *arguments)
        assert ended.code == 0, arguments
        assert f"{SAME}{name} common questions" in ended.err, arguments


def test_the_same_answers_of_a_model_pass_without_another_call(karat: Command, folder: Path) -> None:
    answers = write_answers(folder, "a.jsonl", [None] * 6)
    with Provider(answer_match(lambda _: True)) as provider:
        command = ("grade", answers, "--judge", f"{provider.base_url}#m", "--items-per-prompt", "1")
        karat(*command, "-o", "verdicts.jsonl")
        for baseline in ("1", "verdicts.jsonl"):
            ended = karat(*command, "--baseline", baseline)
            assert (ended.code, len(provider.calls)) == (0, 6)
            assert SAME in ended.err
        other = ("--judge", f"{provider.base_url}#n", "--items-per-prompt", "1", "--baseline", "1")
        assert SAME in karat("grade", answers, *other).err
        assert len(provider.calls) == 12


def test_equally_good_other_answers_are_not_reported_as_the_same(karat: Command, folder: Path) -> None:
    grade(karat, write_answers(folder, "a.jsonl", [True] * 30 + [False] * 10))
    ended = grade(karat, write_answers(folder, "b.jsonl", [True] * 30 + [None] * 10), "--baseline", "1")
    assert f"{PASSED}equal to run 1" in ended.err
    assert "the same" not in ended.err


def test_the_line_names_the_column_that_rows_are_paired_by(karat: Command, folder: Path) -> None:
    grade(karat, write_answers(folder, "a.jsonl", [True] * 12, each=3))
    other = write_answers(folder, "b.jsonl", [True] * 11 + [False], each=3)
    (line,) = lines(grade(karat, other, "--baseline", "1", "--cluster", "name"))
    assert "on 12 common values of 'name', p = 0.5; the test detects a loss of about" in line


@pytest.fixture
def asked(karat: Command, folder: Path) -> Command:
    """Run 1 by a model that says Yes to everything."""
    write_answers(folder, "old.jsonl", [None] * 12)
    rows = [json.loads(line) for line in (folder / "old.jsonl").read_text().splitlines()]
    (folder / "new.jsonl").write_text("".join(json.dumps(row | {"answer": "many"}) + "\n" for row in rows))
    with Provider(answer_match(lambda _: True)) as provider:
        judge = f"{provider.base_url}#old"
        assert karat("grade", "old.jsonl", "--judge", judge, "-o", "old-verdicts.csv").code == 0
    return karat


def test_baseline_of_another_model_is_refused_with_the_commands_to_run(asked: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        command = (
            "grade", "new.jsonl", "--judge", f"{provider.base_url}#new", "--temperature", "0.5", "--items-per-prompt", "1",
            "--fail-under", "0.5", "--baseline", "1",
        )  # fmt: skip
        line = asked.refused(2, *command)
        assert provider.calls == []
        assert "--baseline 1 was judged by http" in line
        assert (
            "would make calls; run `karat export 1 -o baseline-1.jsonl && karat grade baseline-1.jsonl"
            in line
        )
        assert len(asked("runs", "--json").out.splitlines()) == 1
        for step in line.split("`")[1].split(" && "):
            with pytest.raises(SystemExit) as left:
                main(shlex.split(step)[1:])
            assert left.value.code == 0, step
        assert len(provider.calls) == 12
        ended = asked(*command)
        assert len(provider.calls) == 24
    assert ended.code == 0
    assert "has already judged its answers" in ended.err
    assert PASSED in ended.err


def test_the_printed_command_names_columns_and_store(asked: Command, folder: Path) -> None:
    (folder / "odd.jsonl").write_text(
        "".join(json.dumps({"q": f"Which {n}?", "value": f"r {n}", "out": f"a {n}"}) + "\n" for n in range(3))
    )
    write = ("--columns", "question=q,reference=value,answer=out", "--store", "a store.db")
    with Provider(answer_match(lambda _: True)) as provider:
        asked("grade", "odd.jsonl", *write, "--judge", f"{provider.base_url}#old")
        (folder / "odd2.jsonl").write_text((folder / "odd.jsonl").read_text().replace('"a ', '"b '))
        command = ("grade", "odd2.jsonl", *write, "--judge", f"{provider.base_url}#new", "--baseline", "1")
        for step in asked.refused(2, *command).split("`")[1].split(" && "):
            assert asked(*shlex.split(step)[1:]).code == 0, step
        assert asked(*command).code == 0


def test_verdict_file_of_the_same_model_is_accepted_by_name(asked: Command, folder: Path) -> None:
    """A file says which model judged, and not how it was asked; that is told."""
    facts = json.loads(asked("runs", "--json").out)
    with Provider(answer_match(lambda _: False)) as provider:
        text = (folder / "old-verdicts.csv").read_text().replace(facts["judge"], f"{provider.base_url}#m")
        (folder / "old-verdicts.csv").write_text(text)
        command = ("grade", "new.jsonl", "--baseline", "old-verdicts.csv", "--judge")
        ended = asked(*command, f"{provider.base_url}#m")
        assert len(provider.calls) == 12
        assert "cannot be checked" in ended.err
        assert ended.code == 1
        line = asked.refused(2, *command, f"{provider.base_url}#other")
        assert len(provider.calls) == 12
    assert "karat export old-verdicts.csv -o baseline-answers.jsonl && karat grade" in line


def test_baseline_of_another_protocol_is_refused_before_any_call(asked: Command) -> None:
    with Provider(PERFECT["keypoints"](lambda _: 4)) as provider:
        line = asked.refused(
            2, "grade", "new.jsonl", "--judge", f"{provider.base_url}#m", "--protocol", "keypoints", "--baseline", "1"
        )  # fmt: skip
        assert provider.calls == []
    assert "--baseline 1 uses the protocol match, and this run uses keypoints" in line


def test_baseline_without_common_questions_is_refused_before_any_call(asked: Command, folder: Path) -> None:
    rows = [{"question": f"Other {n}?", "reference": "r", "answer": f"a {n}", "tag": n} for n in range(3)]
    (folder / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with Provider(answer_match(lambda _: True)) as provider:
        judge = ("--judge", f"{provider.base_url}#m")
        line = asked.refused(2, "grade", "b.jsonl", *judge, "--baseline", "1")
        assert "--baseline 1 has no question in common with b.jsonl" in line
        assert "--cluster COLUMN" in line
        assert provider.calls == []
    assert "no column 'tag' in old.jsonl" in asked.refused(
        2, "grade", "b.jsonl", "--judge", "rules", "--baseline", "1", "--cluster", "tag"
    )


def test_a_baseline_that_is_not_finished_is_refused(karat: Command, folder: Path) -> None:
    nobody = ("--judge", "http://127.0.0.1:9/v1#m", "--timeout", "0.5")
    karat("grade", write_answers(folder, "old.jsonl", [None] * 6), *nobody)
    line = karat.refused(
        2, "grade", write_answers(folder, "new.jsonl", [False] * 6), *nobody, "--baseline", "1"
    )
    assert "--baseline 1 is not finished: 6 of 6 rows have no verdict yet" in line


def test_used_up_budget_takes_precedence_over_gates(karat: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        ended = karat(
            "grade", write_answers(folder, "a.jsonl", [None] * 4), "--judge", f"{provider.base_url}#m",
            "--price", "1/1", "--budget", "0", "--fail-under", "0.9", "--json",
        )  # fmt: skip
    assert ended.code == 4
    (gate,) = gates_of(ended)
    assert (gate["value"], gate["passed"]) == (0, False)


def test_errors_fail_even_if_the_gates_pass(karat: Command, folder: Path) -> None:
    with Provider(lambda _: "hm") as provider:
        ended = karat(
            "grade", write_answers(folder, "a.jsonl", [False, None]), "--judge", f"{provider.base_url}#m",
            "--attempts", "1", "--fail-under", "0",
        )  # fmt: skip
    assert ended.code == 1
    assert "missed" not in ended.err


def test_gates_on_a_scale_use_the_passing_level(karat: Command, folder: Path) -> None:
    with Provider(PERFECT["equivalence"](lambda _: 3)) as provider:
        command = (
            "grade", write_answers(folder, "a.jsonl", [None] * 5), "--judge", f"{provider.base_url}#m",
            "--protocol", "equivalence", "--fail-under", "0.9",
        )  # fmt: skip
        assert karat(*command).code == 1
        assert karat(*command, "--pass", "3").code == 0
