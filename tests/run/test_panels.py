"""Panels: several judges give one verdict, and all votes are stored."""

import math
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.core.types import Spent, Unjudged, Value, Verdict, Vote
from karat.judges.panel import Combine, combine
from karat.stats import Estimate, Undefined, effective_judges, pairwise_agreement
from oracle import PERFECT, Opinion
from provider import Provider, scripted


def say(value: Value | None, cost: float = 0.0) -> Verdict | Unjudged:
    spent = Spent(1, 10, 0, 1, cost)
    if value is None:
        return Unjudged("refused", "no", spent)
    return Verdict(value, float(value) if isinstance(value, bool) else value / 5, "llm:m", spent=spent)


def combined(how: Combine, protocol: karat.ProtocolName, *values: Value | None) -> Value | str:
    outcome = combine([f"j{n}" for n in range(len(values))], [say(value) for value in values], how, protocol)
    return outcome.value if isinstance(outcome, Verdict) else outcome.cause


@pytest.mark.parametrize(
    ("how", "values", "expected"),
    [
        ("majority", (True, True, False), True),
        ("majority", (False, True, False), False),
        ("majority", (True, False), "tie"),
        ("majority", (True, False, None), "tie"),
        ("majority", (True, True, None), True),
        ("majority", (True, None, None), "refused"),
        ("unanimous", (True, True, True), True),
        ("unanimous", (True, True, False), "tie"),
        ("unanimous", (True, True, None), "tie"),
        ("mean", (True, True, False), True),
        ("mean", (True, False), "tie"),
    ],
)
def test_yes_and_no(how: Combine, values: tuple[Value | None, ...], expected: Value | str) -> None:
    assert combined(how, "match", *values) == expected


@pytest.mark.parametrize(
    ("how", "values", "expected"),
    [
        ("majority", (4, 4, 1), 4),
        ("majority", (4, 3, 1), "tie"),
        ("unanimous", (2, 2), 2),
        ("mean", (5, 4, 4), 4),
        ("mean", (5, 4), "tie"),
        ("mean", (0, 5, 5), 3),
    ],
)
def test_levels(how: Combine, values: tuple[Value | None, ...], expected: Value | str) -> None:
    assert combined(how, "keypoints", *values) == expected


@given(st.lists(st.sampled_from([True, False, None]), min_size=2, max_size=7), st.randoms())
def test_the_order_of_the_members_does_not_matter(values: list[bool | None], dice: Any) -> None:
    shuffled = values[:]
    dice.shuffle(shuffled)
    for how in ("majority", "unanimous", "mean"):
        assert combined(how, "match", *values) == combined(how, "match", *shuffled)


def test_votes_and_costs_are_kept() -> None:
    outcome = combine(["a", "b"], [say(True, 0.25), say(False, 0.5)], "majority", "match")
    assert isinstance(outcome, Unjudged)
    assert outcome.votes == (Vote("a", True), Vote("b", False))
    assert outcome.spent == Spent(2, 20, 0, 2, 0.75)
    assert outcome.reason == "the panel members do not agree: a Yes, b No"


def ends_with(digits: str) -> Opinion:
    return lambda text: text[-1] in digits


def test_panel_judges_a_file_and_reports_its_agreement(tmp_path: Path) -> None:
    items = [(f"q{n}?", f"thing {n}", f"stuff {n}") for n in range(20)]
    with ExitStack() as stack:
        opinions = (ends_with("01234"), ends_with("0123456"), ends_with("0123789"))
        members = [stack.enter_context(Provider(PERFECT["match"](opinion))) for opinion in opinions]
        judges = [f"{member.base_url}#m{n}" for n, member in enumerate(members)]
        grades = karat.grade(items, panel=judges, store=tmp_path / "k.db", price="1/1", items_per_prompt=4)
        assert [len(member.calls) for member in members] == [5, 5, 5]
        again = karat.grade(items, panel=",".join(judges), store=tmp_path / "k.db", price="1/1")
        assert [len(member.calls) for member in members] == [5, 5, 5]
    expected = [text[-1] in "01234" for _, _, text in items]
    assert [getattr(outcome, "value", None) for outcome in grades] == expected
    assert again.outcomes == grades.outcomes
    assert {record["decided_by"] for record in grades.records} == {"panel"}
    panel = grades.summary.panel
    assert panel is not None
    assert [share.value for share in panel.agreement.values() if isinstance(share, Estimate)] == [
        0.8,
        0.6,
        0.4,
    ]
    assert grades.summary.spent.calls == 15
    assert math.isclose(sum(r["cost_usd"] for r in grades.records), grades.summary.spent.cost_usd or 0)


def test_members_without_a_verdict_are_ignored() -> None:
    with Provider(scripted(["???"])) as lost, Provider(PERFECT["match"](lambda _: True)) as good:
        judges = ["rules", f"{lost.base_url}#l", f"{good.base_url}#g"]
        (outcome,) = karat.grade([("q?", "five", "5")], panel=judges, attempts=1)
    assert isinstance(outcome, Verdict)
    assert outcome.value is True
    assert outcome.confidence == 1.0
    assert outcome.votes is not None
    assert [vote.value for vote in outcome.votes] == [True, None, True]


@pytest.mark.parametrize("panel", [["rules"], ["rules", "rules"]])
def test_a_panel_has_two_or_more_different_judges(panel: list[str]) -> None:
    with pytest.raises(karat.UsageError, match="two or more different judges"):
        karat.grade([("q?", "five", "5")], panel=panel)


def test_effective_judges_is_one_for_identical_and_n_for_independent_judges() -> None:
    same = [((1.0, 1.0, 1.0), 5), ((0.0, 0.0, 0.0), 5)]
    assert effective_judges(same) == 1.0
    independent = [((1.0, 1.0), 5), ((1.0, 0.0), 5), ((0.0, 1.0), 5), ((0.0, 0.0), 5)]
    assert effective_judges(independent) == 2.0
    constant = [((1.0, 1.0), 5), ((1.0, 0.0), 5)]
    assert effective_judges(constant) == Undefined("a member gives every row the same verdict")
    assert isinstance(effective_judges([]), Undefined)
    share = pairwise_agreement(independent)[0, 1]
    assert isinstance(share, Estimate)
    assert share.value == 0.5
    assert pairwise_agreement([((None, 1.0), 3)]) == {(0, 1): Undefined("there are no rows")}
