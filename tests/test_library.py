"""`karat.judge` and `karat.grade`: typed, without files, also inside a running event loop."""

import ast
import asyncio
import json
import re
from pathlib import Path
from typing import Any, assert_type

import pytest

import karat
from karat.core.errors import Phrase, UsageError, option
from karat.report.figures.comparison import Comparison, Slices
from oracle import answer_match
from provider import Provider


def test_one_answer_is_judged_by_rules_without_any_set_up() -> None:
    outcome = karat.judge("Who wrote Hamlet?", "William Shakespeare", "It was William Shakespeare.")
    assert_type(outcome, karat.Verdict | karat.Unjudged)
    assert isinstance(outcome, karat.Verdict)
    assert outcome.value is True
    assert outcome.matched_reference == 0
    assert outcome.decided_by.startswith("rule:")
    assert outcome.reason


def test_answers_that_no_rule_decides_are_undecided() -> None:
    outcome = karat.judge("Who wrote Hamlet?", "William Shakespeare", "The Bard", judge="rules")
    assert outcome == karat.Unjudged("undecided", "no rule is sure about this answer")


def test_any_one_of_several_references_suffices_and_is_named() -> None:
    outcome = karat.judge("Largest city?", ["NYC", "New York City"], "New York City")
    assert isinstance(outcome, karat.Verdict)
    assert outcome.matched_reference == 1


def test_items_come_as_tuples_mappings_or_items() -> None:
    items: list[Any] = [
        ("q", "five", "5"),
        {"question": "q", "reference": "five", "answer": "5", "system": "s", "tag": 1},
        karat.Item("q", ("five",), "5"),
        {"references": ["five", "six"], "answer": "6", "id": "mine"},
    ]
    grades = karat.grade(items)
    assert_type(grades, karat.Grades)
    assert [outcome.value for outcome in grades if isinstance(outcome, karat.Verdict)] == [True] * 4
    assert [record["id"] for record in grades.records] == ["1", "2", "3", "mine"]
    assert grades.records[1]["tag"] == 1
    assert list(grades.summary.systems) == ["s"]
    assert grades.summary.share.correct == 4
    assert repr(grades) == "<Grades: 4 correct of 4 judged, 4 in all>"


def test_mappings_are_read_by_the_names_that_files_use() -> None:
    rows = [
        {"input": "How many?", "ideal": ["five", "six"], "output": 6},
        {"item": {"input": "How many?", "ideal": 5}, "sample": {"output_text": "5"}},
    ]
    for row in rows:
        (outcome,) = karat.grade([row])
        assert isinstance(outcome, karat.Verdict)
        assert outcome.value is True


def test_numbers_are_taken_as_text() -> None:
    outcome = karat.judge("How many?", [4, 5], 5)  # pyright: ignore[reportArgumentType]
    assert isinstance(outcome, karat.Verdict)
    assert outcome.matched_reference == 1


def test_no_file_is_made_unless_a_store_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    karat.grade([("q", "five", "5")])
    assert list(tmp_path.iterdir()) == []
    karat.grade([("q", "five", "5")], store=tmp_path / "karat.db")
    assert (tmp_path / "karat.db").exists()


def test_the_synchronous_call_works_inside_a_running_event_loop() -> None:
    async def notebook_cell() -> karat.Grades:
        return karat.grade([("q", "five", "5")])

    assert len(asyncio.run(notebook_cell())) == 1


def test_the_asynchronous_call_gives_the_same() -> None:
    items = [("q", "five", "5"), ("q", "five", "seven or so")]
    assert asyncio.run(karat.agrade(items)).outcomes == karat.grade(items).outcomes


def test_an_error_inside_a_running_loop_reaches_the_caller() -> None:
    async def notebook_cell() -> karat.Grades:
        return karat.grade([("q", "five", "5")], judge="nobody")

    with pytest.raises(karat.UsageError, match="unknown judge 'nobody'"):
        asyncio.run(notebook_cell())


def test_store_reuses_paid_verdicts(tmp_path: Path) -> None:
    with Provider(answer_match(lambda text: text == "stuff")) as provider:
        judge, store = f"{provider.base_url}#m", tmp_path / "karat.db"
        items = [("q", "a thing", "stuff"), ("q", "a thing", "nonsense")]
        first = karat.grade(items, judge=judge, store=store, items_per_prompt=2)
        again = karat.grade(items, judge=judge, store=store)
        assert len(provider.calls) == 1
        more = karat.grade([*items, ("q", "a thing", "others")], judge=judge, store=store)
        assert len(provider.calls) == 2
    assert [outcome.value for outcome in first if isinstance(outcome, karat.Verdict)] == [True, False]
    assert again.outcomes == first.outcomes
    assert [record["cached"] for record in more.records] == [True, True, False]


def test_a_prompt_file_replaces_the_wording(tmp_path: Path) -> None:
    prompt = tmp_path / "p.txt"
    prompt.write_text('Human: Say {"Answer 1": "Yes"} or No.\n{examples}\n\nAssistant:', encoding="utf-8")
    with Provider(lambda _: json.dumps({"Answer 1": "No"})) as provider:
        outcome = karat.judge("q?", "a thing", "stuff", judge=f"{provider.base_url}#m", prompt=prompt)
        text = provider.calls[0].body["messages"][-1]["content"]
    assert isinstance(outcome, karat.Verdict)
    assert outcome.value is False
    assert text.startswith('Say {"Answer 1": "Yes"} or No.\n### Item 1\n{"question": "q?"')


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([], "no items"),
        ([("q", "", "a")], "item 1: references"),
        ([("q", "r", "a"), ("q", [], "a")], "item 2: references"),
        ([("q", "r", None)], "item 1: the answer must be text, not NoneType"),
        ([("q", "r")], "item 1 must be a tuple"),
        (["file.jsonl"], "item 1 must be a tuple"),
        ("file.jsonl", "items must be a list of rows"),
        ([{"question": "q", "answer": "a"}], "reference"),
        ([{"reference": "r", "answer": None}], "item 1: no answer"),
        (
            [{"id": "x", "reference": "r", "answer": "a"}, {"id": "x", "reference": "r", "answer": "b"}],
            "id 'x'",
        ),
        ([(7, "r", "a")], "item 1: the question"),
        ([("q", "r", "\ud800")], "item 1: the text contains half a surrogate pair"),
    ],
)
def test_wrong_item_is_named_by_its_number(items: Any, words: str) -> None:
    with pytest.raises(karat.UsageError, match=words):
        karat.grade(items)


def test_unknown_option_is_refused_with_the_known_ones() -> None:
    options: dict[str, Any] = {"temprature": 0.5}
    with pytest.raises(karat.UsageError, match=r"unknown option 'temprature'; choose from .*temperature"):
        karat.grade([("q", "r", "a")], **options)


def labelled(system: str, right: int, people: int) -> list[dict[str, Any]]:
    """Twenty answers, the first `right` of which the rules accept and the first `people` of which people do."""
    return [
        {
            "question": f"What is {n}?",
            "reference": f"thing {n}",
            "answer": f"thing {n}" if n < right else "",
            "label": n < people,
            "system": system,
            "topic": f"t{n % 2}",
        }
        for n in range(20)
    ]


def test_labels_among_the_items_correct_the_summary() -> None:
    grades = karat.grade(labelled("atlas", 15, 10), judge="rules")
    correction = grades.summary.correction
    assert correction is not None
    assert correction.labelled == 20
    agreement = karat.agree(grades)
    assert agreement.table == ((5, 5), (0, 10))
    assert [grades[at] for at in agreement.cells["judge Yes, people No"]] == list(grades[10:15])


def test_grades_are_compared_with_grades_and_by_their_parts() -> None:
    first, second = (karat.grade(labelled("x", right, 10), judge="rules") for right in (5, 15))
    found = karat.compare(first, second)
    assert isinstance(found, Comparison)
    assert found.pairs[0].verdict.startswith("second better by 50.0 points")
    both = karat.grade([*labelled("atlas", 5, 5), *labelled("birch", 15, 15)], judge="rules")
    systems, topics = karat.compare(both, by="system"), karat.compare(both, by="topic")
    assert isinstance(systems, Comparison)
    assert isinstance(topics, Slices)
    assert (systems.pairs[0].b, len(topics.slices)) == ("birch", 2)
    with pytest.raises(karat.UsageError, match="two runs, or one run and by="):
        karat.compare(first)
    with pytest.raises(karat.UsageError, match="grades can be compared only with grades"):
        karat.compare(first, 1)


def test_labels_in_a_store_are_added_planned_and_estimated(tmp_path: Path) -> None:
    store = tmp_path / "k.db"
    items = [{key: value for key, value in item.items() if key != "label"} for item in labelled("x", 15, 10)]
    karat.grade(items, judge="rules", store=store)
    with pytest.raises(karat.UsageError, match="has no labels"):
        karat.agree(store=store)
    planning = karat.plan_labels(n=8, output=tmp_path / "p.csv", store=store)
    assert len(planning.positions) == 8
    assert (tmp_path / "p.csv").exists()
    labels = [{"id": str(at + 1), "label": at < 10, "author": "anna"} for at in planning.positions]
    assert karat.add_labels(1, labels, store=store).new == 8
    assert karat.agree(store=store).rows == 8
    assert karat.need_labels(width=0.3, store=store).labelled == 8
    again = karat.grade(items, judge="rules", store=store)
    assert again.summary.correction is not None
    assert again.summary.correction.selection == "planned"


def test_known_labels_of_a_store_are_used_on_request(tmp_path: Path) -> None:
    """Labels of the same items that were given with another list of items."""
    store, items = tmp_path / "k.db", labelled("x", 15, 10)
    karat.grade(items, judge="rules", store=store)
    unlabelled = [{key: value for key, value in item.items() if key != "label"} for item in items]
    assert karat.grade(unlabelled, judge="rules", store=store).summary.correction is None
    grades = karat.grade(unlabelled, judge="rules", store=store, known_labels=True)
    assert grades.summary.correction is not None
    assert (grades.summary.correction.labelled, grades.summary.correction.known) == (20, 20)
    assert karat.agree(store=store).known == 20
    assert karat.grade(unlabelled, judge="rules", store=store).summary.correction == grades.summary.correction
    assert karat.grade(unlabelled, judge="rules", store=store, known_labels=False).summary.correction is None
    assert karat.grade(unlabelled, judge="rules", store=store).summary.correction is None
    with pytest.raises(
        karat.UsageError, match="known_labels=True needs a store to read labels from: give store=PATH"
    ):
        karat.grade(items, judge="rules", known_labels=True)


def test_runs_need_an_existing_store(tmp_path: Path) -> None:
    with pytest.raises(karat.UsageError, match="give store=PATH"):
        karat.agree()
    with pytest.raises(karat.UsageError, match="no store exists at"):
        karat.compare(1, 2, store=tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_report_is_written_about_runs_in_a_store(tmp_path: Path) -> None:
    store, page = tmp_path / "k.db", tmp_path / "page.html"
    karat.grade([("q?", "42", "42"), ("r?", "42", "41")], store=store)
    report = karat.write_report(store=store, output=page)
    assert report.runs[0].summary.rows == 2
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    with pytest.raises(karat.UsageError, match="no store exists at"):
        karat.write_report(store=tmp_path / "none.db")


def test_judge_and_panel_cannot_be_combined() -> None:
    assert len(karat.grade([("q", "a", "a")], panel="rules,embedded")) == 1
    with pytest.raises(karat.UsageError, match="add it to the panel"):
        karat.grade([("q", "a", "a")], judge="rules", panel="rules,embedded")


def test_call_options_are_refused_with_rules() -> None:
    with pytest.raises(
        karat.UsageError, match="logprobs applies only to LLM judges, and rules is not an LLM judge"
    ):
        karat.judge("q", "a", "a", judge="rules", logprobs=True)
    assert isinstance(karat.judge("q", "a", "a", judge="rules", temperature=None, seed=None), karat.Verdict)


def test_errors_of_the_library_name_parameters(tmp_path: Path) -> None:
    """A parameter is called as it is here, and what is no parameter is not spoken of."""
    said = list[str]()
    for wrong in (
        lambda: karat.grade([{"q": "x", "a": "y"}]),
        lambda: karat.grade([("q", "a", "a")], judge="openai:m", items_per_prompt=99, temperature=-1),
        lambda: karat.grade([("q", "a", "a")], judge="rules", rules_first=True),
        lambda: karat.grade([{"id": "x", "reference": "a", "answer": "b"}] * 2),
        lambda: karat.grade([("q", "a", "a")], store=tmp_path),
        lambda: karat.compare(karat.grade([("q", "a", "a")]), by="system"),
    ):
        with pytest.raises(karat.KaratError) as told:
            wrong()
        said.append(str(told.value))
    assert not [one for one in said if "--" in one]
    assert not [one for one in said if "columns " in one and "the columns are" not in one]


def test_an_error_names_options_and_for_the_library_parameters() -> None:
    """Commands and what a user gave stay as they are; an error inside another one keeps its options."""
    inner = UsageError(option("by"), " x: see `karat compare 1 --by x` or ", option("passing"), " 3")
    error = UsageError("a --file: ", inner, "; leave it out", Phrase(" with --columns id=", ""))
    assert str(error) == (
        "a --file: --by x: see `karat compare 1 --by x` or --pass 3; leave it out with --columns id="
    )
    error.use_library_words()
    assert str(error) == "a --file: by x: see `karat compare 1 --by x` or passing 3; leave it out"


def test_no_error_message_hard_codes_an_option() -> None:
    """`option("limit")` stands for `--limit`, so that the library can say `limit`; commands stay commands."""
    package = Path(karat.__file__).parent
    files = [path for path in package.rglob("*.py") if "cli" not in path.relative_to(package).parts]
    found = [
        f"{path.name}:{call.lineno}"
        for path in files
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("Error")
        for text in map(ast.unparse, call.args)
        if not text.startswith("Phrase(")
        and re.search(r"(?<![\w-])--[a-z]", re.sub(r"`[^`]*`|karat \w+ --\w+", "", text))
    ]
    assert len(files) > 100
    assert found == []
