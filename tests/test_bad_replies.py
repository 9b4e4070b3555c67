"""No reply of a provider leads to a wrong stored value: each reply has its specified outcome."""

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import karat
from oracle import PERFECT, keypoints_answers, match_answers
from provider import Call, Provider, Reply

YES = {"alpha": True, "beta": False, "gamma": True}
LEVEL = {"alpha": 4, "beta": 0, "gamma": 5}
HTML = b"<!doctype html><title>502</title><h1>Bad gateway 3</h1>"


@dataclass(frozen=True)
class Case:
    """A first reply, how many of its items it settles, in which groups the rest is asked again, and the final cause."""

    name: str
    protocol: karat.ProtocolName
    reply: str | Reply
    settled: int
    again: tuple[int, ...] = ()
    cause: str | None = None
    items: tuple[str, ...] = field(default=("alpha", "beta", "gamma"))


def match(
    name: str, reply: str | Reply, settled: int, again: tuple[int, ...] = (), cause: str | None = None
) -> Case:
    return Case(name, "match", reply, settled, again, cause)


def keypoints(
    name: str, reply: str | Reply, settled: int, again: tuple[int, ...] = (), cause: str | None = None
) -> Case:
    return Case(name, "keypoints", reply, settled, again, cause)


def equivalence(name: str, reply: str | Reply, settled: int, cause: str | None = None) -> Case:
    return Case(name, "equivalence", reply, settled, () if settled else (1,), cause, items=("alpha",))


CLEAN = '{"Answer 1": "Yes", "Answer 2": "No", "Answer 3": "Yes"}'
OTHER = '{"Answer 1": "No", "Answer 2": "Yes", "Answer 3": "No"}'
ALONE = (1, 1, 1)
HALVES = (2, 1)

CASES = [
    match("clean", CLEAN, 3),
    match("code-fenced", f"```json\n{CLEAN}\n```", 3),
    match("prose around one valid object", f"Here are my verdicts:\n{CLEAN}\nI hope this helps!", 3),
    match("thinking block with a different object", f"<think>First idea: {OTHER}</think>\n{CLEAN}", 3),
    match("thinking whose opening tag is gone", f"First idea: {OTHER}</think>{CLEAN}", 3),
    match("Yes. / no / TRUE", '{"Answer 1": "Yes.", "Answer 2": "no", "Answer 3": TRUE}', 3),
    match("true / false", '{"Answer 1": true, "Answer 2": false, "Answer 3": true}', 3),
    match("Maybe", '{"Answer 1": "Yes", "Answer 2": "Maybe", "Answer 3": "Yes"}', 2, (1,), "unparseable"),
    match(
        "a number for a word", '{"Answer 1": "Yes", "Answer 2": 0, "Answer 3": "Yes"}', 2, (1,), "unparseable"
    ),
    match("one answer too few", '{"Answer 1": "Yes", "Answer 3": "Yes"}', 2, (1,), "unparseable"),
    match("one answer too many", CLEAN.replace("}", ', "Answer 4": "Yes"}'), 0, HALVES, "unparseable"),
    match("keys out of order", '{"Answer 3": "Yes", "Answer 1": "Yes", "Answer 2": "No"}', 3),
    match("duplicate keys", CLEAN.replace("}", ', "Answer 1": "No"}'), 0, HALVES, "unparseable"),
    match("two different objects", f"{OTHER}\nNo wait:\n{CLEAN}", 0, HALVES, "unparseable"),
    match(
        "truncated",
        Reply('{"Answer 1": "Yes", "Answer 2": "No", "Answer 3": "Y', finish="length"),
        2,
        (1,),
        "truncated",
    ),
    match(
        "cut before the value is closed",
        Reply('{"Answer 1": "Yes", "Answer 2": "No"', finish="length"),
        1,
        (2,),
        "truncated",
    ),
    match("refused by field", Reply(refusal="I cannot judge people."), 0, ALONE, "refused"),
    match("refused by filter", Reply(finish="content_filter"), 0, ALONE, "refused"),
    match("refused in words", "I'm sorry, but I can't help with that.", 0, ALONE, "refused"),
    match("empty", "", 0, HALVES, "unparseable"),
    match("JSON cut mid-string", '{"Answer 1": "Yes", "Answer 2": "N', 1, (2,), "unparseable"),
    match("HTML in the text", HTML.decode(), 0, HALVES, "unparseable"),
    keypoints("clean", "4, 0, 5", 3),
    keypoints("code-fenced", "```\n4, 0, 5\n```", 3),
    keypoints("words around", "The values are 4, 0, 5.", 3),
    keypoints("thinking with other values", "<think>1, 1, 1?</think>4, 0, 5", 3),
    keypoints("newlines after commas", "4,\n0,\n5", 3),
    keypoints("newlines instead of commas", "4\n0\n5", 3),
    keypoints("too short", "4, 0", 0, HALVES, "unparseable"),
    keypoints("too long", "4, 0, 5, 5", 0, HALVES, "unparseable"),
    keypoints("words in the list", "4, zero, 5", 0, HALVES, "unparseable"),
    keypoints("one off the scale", "4, 9, 5", 2, (1,), "unparseable"),
    keypoints("one negative", "4, -1, 5", 2, (1,), "unparseable"),
    keypoints("one fraction", "4, 4.5, 5", 2, (1,), "unparseable"),
    keypoints("truncated", Reply("4, 0, 5", finish="length"), 0, (3,), "truncated"),
    keypoints("refused", "I cannot assist with grading this.", 0, ALONE, "refused"),
    keypoints("empty", "", 0, HALVES, "unparseable"),
    equivalence("clean", "4", 1),
    equivalence("code-fenced", "```\n4\n```", 1),
    equivalence("words around", "Score: 4", 1),
    equivalence("out of five", "4/5", 1),
    equivalence("thinking with another value", "<think>maybe 2</think>\n4", 1),
    *(
        equivalence(f"off the scale: {text}", text, 0, "unparseable")
        for text in ("9", "15", "-1", "4.5", "five")
    ),
    equivalence("two values", "3 or 4", 0, "unparseable"),
    equivalence("truncated", Reply("4", finish="length"), 0, "truncated"),
    equivalence("refused", Reply(refusal="No."), 0, "refused"),
    equivalence("empty", "", 0, "unparseable"),
]


def truth(case: Case) -> list[bool | int]:
    values: dict[str, bool] | dict[str, int] = YES if case.protocol == "match" else LEVEL
    return [values[name] for name in case.items]


def perfect(case: Case, call: Call) -> str:
    return PERFECT[case.protocol](
        lambda text: (YES if case.protocol == "match" else LEVEL)[text.split()[-1]]
    )(call)


def sizes(case: Case, calls: list[Call]) -> tuple[int, ...]:
    count = {"match": match_answers, "keypoints": keypoints_answers, "equivalence": lambda _: [None]}[
        case.protocol
    ]
    return tuple(sorted((len(count(call)) for call in calls), reverse=True))


def grade(case: Case, provider: Provider, store: Path | None = None) -> karat.Grades:
    items = [(f"Which letter is {name}?", f"the {name} one", f"surely {name}") for name in case.items]
    judge = f"{provider.base_url}#m"
    return karat.grade(items, judge=judge, protocol=case.protocol, items_per_prompt=len(items), store=store)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.protocol}: {case.name}")
def test_a_bad_first_reply_changes_no_value_and_only_the_rest_is_asked_again(case: Case) -> None:
    def answer(call: Call) -> str | Reply:
        return case.reply if call.index == 0 else perfect(case, call)

    with Provider(answer) as provider:
        graded = grade(case, provider)
        assert [getattr(outcome, "value", outcome) for outcome in graded] == truth(case)
        assert sizes(case, provider.calls[1:]) == case.again


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.cause], ids=lambda case: f"{case.protocol}: {case.name}"
)
def test_persistently_bad_reply_leaves_items_unjudged_with_the_cause(case: Case, tmp_path: Path) -> None:
    settled = case.reply if isinstance(case.reply, str) else case.reply.text

    def answer(call: Call) -> str | Reply:
        return case.reply if call.index == 0 else Reply("???") if case.cause == "unparseable" else bad_again()

    def bad_again() -> Reply:
        if case.cause == "truncated":
            return Reply("<think>and then I", finish="length")
        return Reply(refusal="No.")

    with Provider(answer) as provider:
        graded = grade(case, provider, tmp_path / "karat.db")
    judged = [outcome.value for outcome in graded if isinstance(outcome, karat.Verdict)]
    causes = {outcome.cause for outcome in graded if isinstance(outcome, karat.Unjudged)}
    assert len(judged) == case.settled, settled
    assert causes == {case.cause}
    for outcome, value in zip(graded, truth(case), strict=True):
        assert isinstance(outcome, karat.Unjudged) or outcome.value == value
    with sqlite3.connect(tmp_path / "karat.db") as database:
        stored = database.execute(
            "SELECT COUNT(*) FROM outcomes WHERE cause IS NOT NULL AND value IS NOT NULL"
        ).fetchone()
    database.close()
    assert stored == (0,)


def test_an_html_page_with_status_200_is_a_passing_fault() -> None:
    case = CASES[0]
    with Provider(lambda call: Reply(raw=HTML) if call.index == 0 else perfect(case, call)) as provider:
        graded = grade(case, provider)
        assert len(provider.calls) == 2
    assert [getattr(outcome, "value", outcome) for outcome in graded] == truth(case)
