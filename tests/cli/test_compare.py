"""`karat compare` and `karat report` of two runs: systems, judges, and runs that cannot be compared."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command import Command

import karat as library
from karat.core.types import Unjudged
from karat.report.figures.comparison import Comparison
from karat.report.figures.judge_comparison import Judges
from karat.store import Store
from provider import Call, Provider, answer_object, read_items

ROWS = 200


def write_rows(folder: Path, name: str, right: int, *, labels: bool = False) -> str:
    """Answers to sums, of which exactly `right` are right, spread by a seed of the file's name; the rules know which."""
    chosen = set(Random(name).sample(range(ROWS), right))
    rows = [
        {
            "id": f"r{n}",
            "question": f"What is 7 + {n}?",
            "reference": str(7 + n),
            "answer": str(7 + n) if n in chosen else str(1000 + n),
            "topic": f"t{n % 2}",
        }
        | ({"label": n in chosen} if labels else {})
        for n in range(ROWS)
    ]
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


def guess(call: Call) -> str:
    """Say Yes or No by chance, of one item always the same."""
    return answer_object([Random(line).random() < 0.7 for line in read_items(call.body)])


@pytest.fixture
def random_judge() -> Iterator[str]:
    with Provider(guess) as provider:
        yield f"{provider.base_url}#random"


def follow(karat: Command, complaint: str) -> None:
    """Run every command that a complaint names, one after the other."""
    commands = complaint.split("`")[1::2]
    assert commands
    for command in commands:
        ended = karat(*shlex.split(command)[1:])
        assert ended.code == 0, (command, ended.err)


def test_a_random_judge_is_not_better_than_another(karat: Command, folder: Path, random_judge: str) -> None:
    """A random judge with 70 % Yes on answers of which 50 % are right is not better."""
    answers = write_rows(folder, "a.jsonl", 100, labels=True)
    karat("grade", answers, "--judge", "rules")
    karat("grade", answers, "--judge", random_judge)
    ended = karat("compare", "1", "2")
    assert ended.code == 0, ended.err
    facts = json.loads(karat("compare", "1", "2", "--json").out)
    karat("report", "1", "2")
    page = (folder / "karat-report.html").read_text(encoding="utf-8").partition("<script")[0]
    markdown = karat("report", "1", "2", "--markdown").out
    assert facts["kind"] == "judges"
    overall = facts["overall"]
    assert overall["kappa"]["low"] <= 0 <= overall["kappa"]["high"]
    assert overall["difference"]["value"] == pytest.approx(0.2, abs=0.1)
    assert [one["accuracy"]["value"] for one in facts["judges"]] == pytest.approx([1.0, 0.5], abs=0.1)
    assert [one["name"] for one in facts["judges"]] == ["rules", random_judge]
    assert len(facts["examples"]) == 5
    for shown in (" ".join(ended.out.split()), markdown, page.replace("&#x27;", "'")):
        assert "better" not in shown
        assert "they agree on" in shown
        assert "Cohen's kappa" in shown
        assert "agreement beyond chance is not shown" in shown
        assert f"{random_judge} says Yes more often by" in shown
        assert "on 200 labelled rows, rules agrees more with people by" in shown
        for one in facts["examples"]:
            assert one["question"] in shown.replace("&lt;", "<")


def test_examples_have_what_both_judges_say(karat: Command, folder: Path, random_judge: str) -> None:
    answers = write_rows(folder, "a.jsonl", 100)
    karat("grade", answers, "--judge", "rules", "-o", "rules.jsonl")
    karat("grade", answers, "--judge", random_judge, "-o", "random.jsonl")
    given = [
        {row["id"]: row for row in map(json.loads, (folder / name).read_text().splitlines())}
        for name in ("rules.jsonl", "random.jsonl")
    ]
    for one in json.loads(karat("compare", "1", "2", "--json").out)["examples"]:
        assert one["values"] == [verdicts[one["id"]]["value"] for verdicts in given]
        assert one["values"][0] != one["values"][1]
        assert one["reasons"] == [verdicts[one["id"]]["reason"] for verdicts in given]
        assert (one["question"], one["references"], one["answer"]) == (
            given[0][one["id"]]["question"],
            [given[0][one["id"]]["reference"]],
            given[0][one["id"]]["answer"],
        )


def test_judges_are_compared_within_each_value_of_a_column(
    karat: Command, folder: Path, random_judge: str
) -> None:
    answers = write_rows(folder, "a.jsonl", 100)
    karat("grade", answers, "--judge", "rules")
    karat("grade", answers, "--judge", random_judge)
    facts = json.loads(karat("compare", "1", "2", "--by", "topic", "--json").out)
    assert [(one["group"], one["rows"]) for one in facts["groups"]] == [("t0", 100), ("t1", 100)]
    assert "within" in karat("compare", "1", "2", "--by", "topic").out


def test_reordered_copy_has_the_same_answers(karat: Command, folder: Path) -> None:
    lines = (folder / write_rows(folder, "a.jsonl", 100)).read_text().splitlines()
    (folder / "b.jsonl").write_text("\n".join(reversed(lines)) + "\n")
    karat("grade", "a.jsonl", "--judge", "rules")
    karat("grade", "b.jsonl")
    facts = json.loads(karat("compare", "1", "2", "--json").out)
    assert facts["kind"] == "judges"
    assert facts["overall"]["table"] == [[100, 0], [0, 100]]


def test_a_copy_by_the_same_judge_is_refused_with_a_command_that_helps(karat: Command, folder: Path) -> None:
    """Only the labels differ: nobody is better, and a report of both says why they are not compared."""
    write_rows(folder, "a.jsonl", 100)
    karat("grade", "a.jsonl", "--judge", "rules")
    (folder / "b.jsonl").write_text((folder / write_rows(folder, "a.jsonl", 100, labels=True)).read_text())
    karat("grade", "b.jsonl", "--judge", "rules")
    line = karat.refused(2, "compare", "1", "2")
    assert "a.jsonl and b.jsonl have the same answers, judged by the same judge (rules)" in line
    follow(karat, line.replace("COLUMN", "topic"))
    assert karat("report", "1", "2").code == 0
    page = (folder / "karat-report.html").read_text(encoding="utf-8").partition("<script")[0]
    text = karat("report", "1", "2", "--markdown").out
    facts = json.loads(karat("report", "1", "2", "--json").out)
    assert facts["comparison"] is None
    for shown in (page, text, *facts["incomparable"]):
        assert "run 1 and run 2 have the same answers, judged by the same judge (rules)" in shown
        assert "better" not in shown


@pytest.mark.parametrize("kind", ["runs", "files"])
def test_labels_of_either_run_are_used_to_compare_judges(
    karat: Command, folder: Path, random_judge: str, kind: str
) -> None:
    """The same answers in two files, of which one has labels on its first 90 rows: all outputs say what that rests on."""
    plain = (folder / write_rows(folder, "a.jsonl", 100)).read_text().splitlines()
    full = (folder / write_rows(folder, "a.jsonl", 100, labels=True)).read_text().splitlines()
    (folder / "a.jsonl").write_text("\n".join(plain))
    (folder / "b.jsonl").write_text("\n".join([*full[:90], *plain[90:]]))
    karat("grade", "a.jsonl", "--judge", random_judge, "-o", "a.csv")
    karat("grade", "b.jsonl", "--judge", "rules", "-o", "b.csv")
    one, two = ("1", "2") if kind == "runs" else ("a.csv", "b.csv")
    for given in ((one, two), (two, one)):
        people = json.loads(karat("compare", *given, "--json").out)["overall"]["people"]
        assert (people["rows"], people["known"]) == (90, 0)
        assert people["verdict"].startswith("rules agrees more with people by")
        assert people["assumption"].startswith("the figures against labels hold for all rows if")
        karat("report", *given)
        page = (folder / "karat-report.html").read_text(encoding="utf-8").partition("<script")[0]
        for shown in (karat("compare", *given).out, karat("report", *given, "--markdown").out, page):
            told = " ".join(shown.split())
            assert "on 90 labelled rows, rules agrees more with people by" in told
            assert "the figures against labels hold for all rows if the labelled rows are like" in told


def test_labels_of_other_files_are_named_where_judges_are_compared(
    karat: Command, folder: Path, random_judge: str
) -> None:
    karat("grade", write_rows(folder, "a.jsonl", 100, labels=True), "--judge", "rules")
    rows = (folder / "a.jsonl").read_text().replace(', "label": true', "").replace(', "label": false', "")
    (folder / "b.jsonl").write_text(rows)
    karat("grade", "b.jsonl", "--judge", "rules", "--known-labels")
    karat("grade", "b.jsonl", "--judge", random_judge, "--known-labels")
    people = json.loads(karat("compare", "2", "3", "--json").out)["overall"]["people"]
    assert (people["rows"], people["known"], people["known_from"]) == (200, 200, ["a.jsonl"])
    told = "200 of 200 labelled rows have labels from other files: 'a.jsonl'"
    karat("report", "2", "3")
    page = (folder / "karat-report.html").read_text(encoding="utf-8").partition("<script")[0]
    _, _, card = page.partition("Two judges of the same answers")
    _, _, listed = karat("report", "2", "3", "--markdown").out.partition("Two judges of the same answers")
    for shown in (karat("compare", "2", "3").out, listed.partition("####")[0], card.replace("&#x27;", "'")):
        assert told in " ".join(shown.split())


def test_two_files_and_two_judges_are_refused_with_commands_that_help(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, "a.jsonl", 100))
    karat("grade", write_rows(folder, "b file.jsonl", 150), "--judge", "rules")
    line = karat.refused(2, "compare", "1", "2")
    assert "a.jsonl is judged by embedded and b file.jsonl by rules" in line
    assert "`karat grade 'b file.jsonl' --judge embedded`, then `karat compare 1 3`" in line
    assert "--different-judges" in line
    follow(karat, line)
    assert "b file.jsonl better by 25.0 points [" in karat("compare", "1", "3").out
    again = karat.refused(2, "compare", "1", "2")
    assert "both are judged by embedded in `karat compare 1 3`" in again


def test_a_report_of_such_runs_explains_instead_of_comparing(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, "a.jsonl", 100))
    karat("grade", write_rows(folder, "b.jsonl", 150), "--judge", "rules")
    assert karat("report", "1", "2").code == 0
    page = (folder / "karat-report.html").read_text(encoding="utf-8")
    text = karat("report", "1", "2", "--markdown").out
    facts = json.loads(karat("report", "1", "2", "--json").out)
    assert facts["comparison"] is None
    (why,) = facts["incomparable"]
    assert why.startswith("run 1 is judged by embedded and run 2 by rules")
    command = "karat grade b.jsonl --judge embedded"
    assert f"`{command}`" in why
    assert f"<code>{command}</code>" in page
    assert f"`` {command} ``" in text
    for shown in (page.partition("<script")[0], text):
        assert "better" not in shown
        assert "Not compared" in shown


def test_different_judges_option_prints_a_warning_first(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, "a.jsonl", 100))
    karat("grade", write_rows(folder, "b.jsonl", 150), "--judge", "rules")
    warning = "a.jsonl is judged by embedded and b.jsonl by rules: a difference may come from the judges and not from the answers"
    ended = karat("compare", "1", "2", "--different-judges")
    assert ended.code == 0, ended.err
    assert ended.out.startswith(f"warning: {warning}\n")
    assert "better" not in ended.out
    facts = json.loads(karat("compare", "1", "2", "--different-judges", "--json").out)
    assert (facts["kind"], facts["warning"]) == ("comparison", warning)
    warning = warning.replace("a.jsonl", "run 1").replace("b.jsonl", "run 2")
    text = karat("report", "1", "2", "--different-judges", "--markdown").out
    assert text.startswith(f"### karat\n\n**Warning: {warning}.**\n")
    karat("report", "1", "2", "--different-judges")
    page = (folder / "karat-report.html").read_text(encoding="utf-8")
    assert page.index(warning) < page.index("Share correct")
    assert json.loads(karat("report", "1", "2", "--different-judges", "--json").out)["warning"] == warning


def test_judges_with_the_same_name_get_different_names(karat: Command, folder: Path) -> None:
    """Another setting is another judge."""
    karat("grade", write_rows(folder, "a.jsonl", 100))
    karat("grade", "a.jsonl", "--abstain", "0.9")
    facts = json.loads(karat("compare", "1", "2", "--json").out)
    assert [one["name"] for one in facts["judges"]] == ["embedded (run 1)", "embedded (run 2)"]
    karat("grade", write_rows(folder, "b.jsonl", 150), "--abstain", "0.9")
    line = karat.refused(2, "compare", "1", "3")
    assert "are both judged by embedded, but with different settings (abstain none and 0.9)" in line
    assert "both are judged by embedded in `karat compare 2 3`" in line
    follow(karat, line)


def test_another_version_of_a_judge_is_another_judge(karat: Command, folder: Path) -> None:
    """Only the run of the older version has to be graded again, whichever that is."""
    karat("grade", write_rows(folder, "a.jsonl", 100))
    karat("grade", write_rows(folder, "b.jsonl", 150))
    assert "better by 25.0 points" in karat("compare", "1", "2").out
    make_older(folder, run=1)
    line = karat.refused(2, "compare", "1", "2")
    assert (
        "a.jsonl and b.jsonl are both judged by embedded, but by different versions of it (rules 1 and "
        in line
    )
    assert "`karat grade a.jsonl --judge embedded`, then `karat compare 3 2`" in line
    follow(karat, line)
    assert "better by 25.0 points" in karat("compare", "3", "2").out


def make_older(folder: Path, run: int) -> None:
    """Change the judge of a run to one with an old rules version."""
    with Store(str(folder / ".karat" / "karat.db")) as store:
        found = store.find_run(run)
        old = store.open_run(found.dataset, "old", found.judge, {**found.identity, "rules": 1})
        verdicts = [
            (piece[0], graded.outcome)
            for graded in store.graded(found)
            if (piece := store.item_at(found, graded.position)) and graded.outcome is not None
        ]
        store.keep_outcomes(old, verdicts).result()
        database = store._database  # pyright: ignore[reportPrivateUsage] - no command makes an old run
        with database.transaction() as connection:
            connection.execute("DELETE FROM runs WHERE id = ?", (run,))
            connection.execute("UPDATE runs SET id = ?, finished = 1 WHERE id = ?", (run, old.id))


def test_the_options_of_a_model_judge_are_in_the_command(
    karat: Command, folder: Path, random_judge: str
) -> None:
    """Both judges are models that want options; the first is kept and what makes it is repeated."""
    write_rows(folder, "a.jsonl", 100)
    (folder / "b.jsonl").write_text(
        (folder / write_rows(folder, "b.jsonl", 150)).read_text().replace('"answer"', '"reply"')
        + "nonsense\n"
    )
    other = random_judge.replace("#random", "#other")
    options = ("--temperature", "0.5", "--seed", "3", "--max-tokens", "64", "--rules-first")
    assert karat("grade", "a.jsonl", "--judge", random_judge, *options).code == 0
    assert (
        karat("grade", "b.jsonl", "--judge", other, "--columns", "answer=reply", "--on-bad-row", "skip").code
        == 0
    )
    line = karat.refused(2, "compare", "1", "2")
    assert "--temperature 0.5 --seed 3 --max-tokens 64 --rules-first" in line
    assert "answer=reply" in line
    assert "--on-bad-row skip" in line
    follow(karat, line)
    assert json.loads(karat("compare", "1", "3", "--json").out)["kind"] == "comparison"


def test_the_store_is_in_the_command(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder, "a.jsonl", 100), "--store", "s.db")
    karat("grade", write_rows(folder, "b.jsonl", 150), "--judge", "rules", "--store", "s.db")
    line = karat.refused(2, "compare", "1", "2", "--store", "s.db")
    follow(karat, line)


@pytest.mark.parametrize("judge", ["embedded", "rules", "model"])
def test_the_same_command_on_two_files_is_the_same_judge(
    karat: Command, folder: Path, random_judge: str, judge: str
) -> None:
    """Two files of which 100 and 150 answers are right: the difference is that of the files."""
    name = random_judge if judge == "model" else judge
    for file, right in (("a.jsonl", 100), ("b.jsonl", 150)):
        karat("grade", write_rows(folder, file, right), "--judge", name)
    with Store(str(folder / ".karat" / "karat.db")) as store:
        first, second = store.runs()
    assert first.fingerprint == second.fingerprint
    ended = karat("compare", "1", "2")
    assert ended.code == 0, ended.err
    if judge != "model":
        assert "b.jsonl better by 25.0 points [" in ended.out
        assert "warning" not in ended.out


def grade_files(karat: Command, folder: Path, *judges: tuple[str, int, str]) -> None:
    for name, right, judge in judges:
        write_rows(folder, f"{name}-answers.jsonl", right)
        ended = karat("grade", f"{name}-answers.jsonl", "--judge", judge, "-o", f"{name}.csv")
        assert ended.code == 0, ended.err


def test_verdict_files_of_different_judges_are_refused_by_name(karat: Command, folder: Path) -> None:
    grade_files(karat, folder, ("a", 100, "embedded"), ("b", 150, "rules"))
    line = karat.refused(2, "compare", "a.csv", "b.csv")
    assert "a.csv is judged by embedded and b.csv by rules" in line
    assert (
        "`karat grade b.csv --judge embedded -o b-embedded.csv`, then `karat compare a.csv b-embedded.csv`"
        in line
    )
    follow(karat, line)
    said = karat("compare", "a.csv", "b-embedded.csv").out
    assert "b-embedded.csv better by 25.0 points [" in said
    assert "a verdict file does not record its version" in said


def test_verdict_files_of_one_judge_and_the_same_answers_are_compared_as_judges(
    karat: Command, folder: Path
) -> None:
    """Two versions of a judge have one name: nobody is called better, and the files are told apart."""
    grade_files(karat, folder, ("a", 100, "embedded"))
    text = (folder / "a.csv").read_text()
    (folder / "b.csv").write_text(text.replace("true,1.0", "false,0.0", 30))
    facts = json.loads(karat("compare", "a.csv", "b.csv", "--json").out)
    assert facts["kind"] == "judges"
    assert [one["name"] for one in facts["judges"]] == ["embedded (a.csv)", "embedded (b.csv)"]
    assert facts["overall"]["table"] == [[100, 0], [30, 70]]
    assert "both sides name the judge embedded" in facts["notes"][0]
    assert "cannot be compared with itself" in karat.refused(2, "compare", "a.csv", "a.csv")


def test_verdicts_of_two_judges_in_one_file_are_not_those_of_the_first(karat: Command, folder: Path) -> None:
    grade_files(karat, folder, ("a", 100, "rules"), ("b", 150, "rules"))
    text = (folder / "b.csv").read_text()
    (folder / "b.csv").write_text(text.replace(",rules,", ",embedded,", 20))
    line = karat.refused(2, "compare", "a.csv", "b.csv")
    assert "a.csv is judged by rules and b.csv by embedded and rules" in line
    follow(karat, line)


def test_judge_with_unknown_prompt_file_is_not_suggested_for_regrading(
    karat: Command, folder: Path, random_judge: str
) -> None:
    """Which file the prompt of a run came from is not stored; the judge of the other run needs none."""
    (folder / "p.txt").write_text(karat("prompt", "show", "match").out + "\nBe strict.\n")
    ended = karat("grade", write_rows(folder, "a.jsonl", 100), "--judge", random_judge, "--prompt", "p.txt")
    assert ended.code == 0, ended.err
    karat("grade", write_rows(folder, "b.jsonl", 150), "--judge", random_judge)
    line = karat.refused(2, "compare", "1", "2")
    assert "but with different settings (different prompts)" in line
    assert "--prompt" not in line
    assert "`karat grade a.jsonl --judge" in line
    follow(karat, line)


def test_verdict_files_that_share_answers_keep_their_own_verdicts(karat: Command, folder: Path) -> None:
    """Both systems give the same wrong and right answers to some questions."""
    grade_files(karat, folder, ("a", 100, "rules"), ("b", 150, "rules"))
    sides = json.loads(karat("compare", "a.csv", "b.csv", "--json").out)["sides"]
    assert [side["share"]["value"] for side in sides] == [0.5, 0.75]


def items(right: int, *, labels: bool = False) -> list[dict[str, Any]]:
    rows = [
        {"question": f"7 + {n}?", "reference": str(7 + n), "answer": str(7 + n + 1000 * (n >= right))}
        for n in range(60)
    ]
    return [{**row, "label": n < right} for n, row in enumerate(rows)] if labels else rows


def test_grades_of_two_judges_over_the_same_items(random_judge: str) -> None:
    first = library.grade(items(30, labels=True), judge="rules")
    second = library.grade(items(30, labels=True), judge=random_judge)
    found = library.compare(first, second)
    assert isinstance(found, Judges)
    assert [one.name for one in found.judges] == ["rules", random_judge]
    assert found.overall.people is not None
    assert found.overall.people.verdict.startswith("rules agrees more with people by")
    split = found.examples[0]
    place = int(split.id) - 1
    assert split.answer == items(30)[place]["answer"]
    outcomes = first[place], second[place]
    assert split.values == tuple(None if isinstance(one, Unjudged) else one.value for one in outcomes)


def test_grades_of_two_judges_use_the_labels_of_either(random_judge: str) -> None:
    first = library.grade(items(30), judge=random_judge)
    second = library.grade(items(30, labels=True), judge="rules")
    for given in ((first, second), (second, first)):
        found = library.compare(*given)
        assert isinstance(found, Judges)
        assert found.overall.people is not None
        assert found.overall.people.rows == 60
        assert found.overall.people.verdict.startswith("rules agrees more with people by")


def test_grades_of_the_same_items_by_the_same_judge_are_refused() -> None:
    first, second = (library.grade(items(30, labels=labels), judge="rules") for labels in (False, True))
    with pytest.raises(library.UsageError, match="first and second have the same answers") as told:
        library.compare(first, second)
    assert "karat.compare(grades, by=COLUMN)" in str(told.value)
    assert "--" not in str(told.value)


def test_grades_of_two_judges_over_different_items(folder: Path) -> None:
    first, second = library.grade(items(30), judge="rules"), library.grade(items(45))
    with pytest.raises(library.UsageError, match="first is judged by rules and second by embedded") as told:
        library.compare(first, second)
    assert "karat.grade(items, judge='rules')" in str(told.value)
    assert "--" not in str(told.value)
    found = library.compare(first, second, different_judges=True)
    assert isinstance(found, Comparison)
    assert found.warning is not None
    again = library.compare(first, library.grade(items(45), judge="rules"))
    assert isinstance(again, Comparison)
    assert again.warning is None
    assert again.pairs[0].verdict.startswith("second better by 25.0 points")


def test_library_runs_are_refused_with_library_names(tmp_path: Path) -> None:
    store = tmp_path / "k.db"
    library.grade(items(30), judge="rules", store=store)
    library.grade(items(45), store=store)
    with pytest.raises(library.UsageError, match="run 1 is judged by rules and run 2 by embedded") as told:
        library.compare(1, 2, store=store)
    assert "karat.grade(items, judge='rules')" in str(told.value)
    found = library.compare(1, 2, store=store, different_judges=True)
    assert isinstance(found, Comparison)
    assert library.write_report(1, 2, store=store).incomparable
    assert library.write_report(1, 2, store=store, different_judges=True).warning == found.warning
