"""Rates, limits and examples, worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.audit.probe import EFFECTS, Probe
from karat.audit.probes.order import Check, Place
from karat.audit.rates import (
    LIMITS,
    Base,
    Judged,
    Limits,
    count_bases,
    count_unjudged,
    find_examples,
    measure,
    parse_limits,
)
from karat.core.errors import UsageError
from karat.core.types import Outcome, Unjudged, Verdict
from karat.stats import Estimate, Undefined


def probe(name: str, kind: str = "or", family: str = "hedge") -> Probe:
    return Probe(
        id=name,
        family=family,
        kind=kind,
        question="q",
        references=("r",),
        answer=f"answer {name}",
        row=name[0],
    )


def yes(value: bool = True, score: float | None = None) -> Verdict:  # noqa: FBT002 - a value
    return Verdict(value, float(value) if score is None else score, "llm:m")


def check(name: str, kind: str = "or") -> Check:
    return Check("hedge", kind, "must_fall", name[0], Place("o", name), Place("o", f"{name[0]}base"))


def judge(outcomes: dict[str, Outcome | None]) -> Judged:
    probes = {name: probe(name) for name in outcomes}
    return Judged(probes, {Place("o", name): outcome for name, outcome in outcomes.items()})


CHECKS = [check("a1"), check("a2", "possibly"), check("b1"), check("c1"), check("d1"), check("e1")]
JUDGED = judge(
    {
        "abase": yes(), "bbase": yes(), "cbase": yes(False), "dbase": yes(), "ebase": yes(),
        "a1": yes(), "a2": yes(False), "b1": Unjudged("undecided"), "c1": yes(), "d1": Unjudged("over_budget"), "e1": None,
    }
)  # fmt: skip


def test_the_rate_is_of_all_probes_whose_base_was_as_needed_and_that_were_tried() -> None:
    (family,), kinds = measure(CHECKS, JUDGED, Limits({"hedge": 0.5, "hedge/or": 0.1}))
    assert (family.probes, family.tried, family.succeeded) == (6, 3, 1)
    assert (family.resisted, family.no_verdict, family.no_base, family.not_tried) == (1, 1, 1, 2)
    assert isinstance(family.rate, Estimate)
    assert family.rate.value == pytest.approx(1 / 3)
    assert family.rate.clusters == 2
    assert family.passed is True
    by_name = {kind.name: kind for kind in kinds}
    assert (by_name["hedge/or"].tried, by_name["hedge/or"].succeeded, by_name["hedge/or"].passed) == (
        2,
        1,
        False,
    )
    assert (by_name["hedge/possibly"].tried, by_name["hedge/possibly"].passed) == (1, None)


def test_a_rate_at_its_limit_keeps_it() -> None:
    outcomes: dict[str, Outcome | None] = {f"{letter}base": yes() for letter in "abcd"}
    outcomes |= {"a1": yes(), "b1": yes(False), "c1": yes(False), "d1": yes(False)}
    checks = [check(f"{letter}1") for letter in "abcd"]
    assert measure(checks, judge(outcomes), Limits({"hedge": 0.25}))[0][0].passed is True
    assert measure(checks, judge(outcomes), Limits({"hedge": 0.2499}))[0][0].passed is False


def test_without_anything_to_compare_no_limit_is_missed() -> None:
    (family,), _ = measure([check("c1")], JUDGED, Limits({"hedge": 0.0}))
    assert family.passed is None
    assert isinstance(family.rate, Undefined)


def test_a_limit_on_no_verdict_is_kept_or_missed_beside_that_on_successes() -> None:
    for limit, kept in ((1 / 3, True), (0.33, False)):
        (family,), _ = measure(CHECKS, JUDGED, Limits({"hedge": 0.5}, {"hedge": limit}))
        assert isinstance(family.no_verdict_rate, Estimate)
        assert family.no_verdict_rate.value == pytest.approx(1 / 3)
        assert (family.passed, family.no_verdict_passed, family.missed) == (True, kept, not kept)


def test_no_verdicts_give_no_success_rate() -> None:
    outcomes: dict[str, Outcome | None] = {
        "abase": yes(),
        "a1": Unjudged("undecided"),
        "a2": Unjudged("unparseable"),
    }
    (family,), _ = measure(
        [check("a1"), check("a2")], judge(outcomes), Limits({"hedge": 0.5}, {"hedge": 0.9})
    )
    assert (family.tried, family.succeeded, family.resisted, family.no_verdict) == (2, 0, 0, 2)
    assert family.rate == Undefined("no probe got a verdict")
    assert (family.passed, family.no_verdict_passed) == (None, False)


results = st.sampled_from([yes(), yes(False), Unjudged("undecided"), Unjudged("over_budget"), None])


@given(st.lists(st.tuples(results, results), min_size=1, max_size=30))
def test_counts_add_up(found: list[tuple[Outcome | None, Outcome | None]]) -> None:
    """Every probe is tried, lacks a base or was not tried; what was tried succeeded, was resisted, or got no verdict."""
    probes = {name: probe(name) for number in range(len(found)) for name in (f"{number}base", f"{number}1")}
    outcomes = {
        Place("o", f"{number}{which}"): outcome
        for number, pair in enumerate(found)
        for which, outcome in zip(("base", "1"), pair, strict=True)
    }
    for effect in EFFECTS:
        checks = [
            Check("hedge", "or", effect, str(number), Place("o", f"{number}1"), Place("o", f"{number}base"))
            for number in range(len(found))
        ]
        (rate,), _ = measure(checks, Judged(probes, outcomes), Limits({}))
        assert rate.tried == rate.succeeded + rate.resisted + rate.no_verdict
        assert rate.probes == len(found) == rate.tried + rate.no_base + rate.not_tried


def test_examples_alternate_kinds_with_the_largest_change_first() -> None:
    outcomes: dict[str, Outcome | None] = {f"{letter}base": yes() for letter in "abcd"}
    outcomes |= {"a1": yes(score=0.6), "b1": yes(score=0.9), "c1": yes(), "d1": yes(score=0.7)}
    checks = [check("a1"), check("b1"), check("c1", "possibly"), check("d1")]
    found = find_examples(checks, judge(outcomes), count=3)
    assert [example.probe for example in found] == ["b1", "c1", "d1"]
    assert found[0].base_answer == "answer bbase"
    assert found[0].base_value is True


def test_bases_are_counted_by_kind() -> None:
    probes = [probe("a1", "right", "base"), probe("b1", "right", "base"), probe("c1", "wrong", "base")]
    judged = judge({"a1": yes(), "b1": Unjudged("undecided"), "c1": yes(False)})
    assert count_bases(probes, judged, "o", 4) == {"right": Base(2, 1, 0, 1), "wrong": Base(1, 0, 1, 0)}
    scaled = judge(
        {"a1": Verdict(4, 0.8, "llm:m"), "b1": Verdict(3, 0.6, "llm:m"), "c1": Verdict(0, 0.0, "llm:m")}
    )
    assert count_bases(probes, scaled, "o", 4)["right"] == Base(2, 1, 1, 0)


def test_causes_and_untried_probes_are_counted() -> None:
    assert count_unjudged(JUDGED) == {"not tried yet": 1, "over_budget": 1, "undecided": 1}


def test_limits_of_the_user_go_over_the_defaults() -> None:
    limits = parse_limits(["hedge=0.03", "meaning/entity=2%", "junk="])
    kept = {name: limit for name, limit in LIMITS.items() if name not in ("junk", "hedge")}
    assert limits == Limits({**kept, "hedge": 0.03, "meaning/entity": 0.02})
    assert parse_limits([], ["hedge=0.3", "junk=5%"]) == Limits(LIMITS, {"hedge": 0.3, "junk": 0.05})


@pytest.mark.parametrize(
    ("pair", "told"),
    [("hedge", "FAMILY=RATE"), ("=0.1", "FAMILY=RATE"), ("hedge=lots", "a number"), ("hedge=1.5", "between 0 and 1"), ("hedge=-1", "between 0 and 1")],
)  # fmt: skip
def test_invalid_limit_is_refused(pair: str, told: str) -> None:
    with pytest.raises(UsageError, match=f"--max-rate.*{told}"):
        parse_limits([pair])
    with pytest.raises(UsageError, match=f"--max-no-verdict.*{told}"):
        parse_limits([], [pair])


def test_a_limit_on_something_unknown_is_refused_with_the_names() -> None:
    with pytest.raises(UsageError, match=r"hedgehog.*hedge/or"):
        Limits({"hedgehog": 0.1}).check(["hedge", "hedge/or"])
    with pytest.raises(UsageError, match=r"--max-no-verdict hedgehog.*hedge/or"):
        Limits({}, {"hedgehog": 0.1}).check(["hedge", "hedge/or"])
    Limits({"junk": 0.0}).check(["hedge"])
