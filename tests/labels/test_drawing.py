"""Which items are drawn for labelling, and with which probability."""

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.scored_row import Label, ScoredRow
from karat.labels.plan import allocate, choose_detail, draw, merge_chances, name_stratum
from karat.report.figures.correction import correct_share
from karat.stats import Estimate
from karat.store.label_plans import Candidate

strata = st.lists(st.tuples(st.integers(1, 400), st.floats(0.1, 0.5)), min_size=1, max_size=12)


def candidate(
    item: int, value: int | None = 1, confidence: float | None = None, by: str = "llm:m"
) -> Candidate:
    return Candidate(
        item, item, value, confidence, None if value is None else by, labelled=False, planned=False
    )


@given(strata, st.integers(1, 800))
def test_allocation_uses_all_labels_within_stratum_sizes(found: list[tuple[int, float]], count: int) -> None:
    sizes, spreads = [size for size, _ in found], [spread for _, spread in found]
    given_out = allocate(sizes, spreads, count)
    assert sum(given_out) == min(count, sum(sizes))
    assert all(0 <= got <= size for got, size in zip(given_out, sizes, strict=True))
    if 2 * len(sizes) <= count:
        assert all(got >= min(2, size) for got, size in zip(given_out, sizes, strict=True))


def test_the_allocation_is_the_best_of_all() -> None:
    """Every other way to divide nine labels among three strata leaves a larger variance of the estimated total."""
    sizes, spreads = [40, 25, 10], [0.15, 0.4, 0.5]

    def variance(shares: tuple[int, ...]) -> float:
        return sum(
            (size * spread) ** 2 / got for size, spread, got in zip(sizes, spreads, shares, strict=True)
        )

    ways = [(a, b, 9 - a - b) for a in range(2, 6) for b in range(2, 6) if 9 - a - b >= 2]
    assert variance(tuple(allocate(sizes, spreads, 9))) == pytest.approx(min(map(variance, ways)))


def test_strata_are_verdict_origin_and_confidence() -> None:
    names = {
        name_stratum(candidate(1, 1, 0.97, "embedded"), "match", 3): "Yes · embedded · confidence 0.95 to 1",
        name_stratum(candidate(1, 0, None, "rule:date"), "match", 3): "No · rule",
        name_stratum(candidate(1, None), "match", 3): "unjudged",
        name_stratum(candidate(1, 3, 0.2), "keypoints", 3): "3 · llm · confidence 0 to 0.6",
        name_stratum(candidate(1, 3, 0.2), "keypoints", 1): "3",
        name_stratum(candidate(1, 3, 0.2), "keypoints", 0): "all",
    }
    assert list(names) == list(names.values())


def test_few_labels_make_coarser_strata() -> None:
    """There is room for two labels in each."""
    pool = [candidate(n, n % 2, (n % 4) / 4 + 0.1, "llm:m" if n % 3 else "embedded") for n in range(100)]
    kinds = {detail: len({name_stratum(one, "match", detail) for one in pool}) for detail in (3, 2, 1)}
    assert kinds[3] > kinds[2] > kinds[1] == 2
    assert choose_detail(pool, "match", 2 * kinds[3]) == 3
    assert choose_detail(pool, "match", 2 * kinds[3] - 1) == 2
    assert choose_detail(pool, "match", 4) == 1
    assert choose_detail(pool, "match", 3) == 0


def test_the_same_seed_draws_the_same_rows_and_another_one_others() -> None:
    pool = [candidate(n, n % 2) for n in range(200)]
    one, same, other = (draw(pool, "match", 3, 30, Random(seed)) for seed in (1, 1, 2))
    assert one == same
    assert {drawn.candidate.item for drawn in one.chosen} != {drawn.candidate.item for drawn in other.chosen}


def test_nothing_is_drawn_twice_and_all_if_that_many_are_wanted() -> None:
    pool = [candidate(n, n % 2) for n in range(30)]
    drawn = draw(pool, "match", 3, 100, Random(0))
    assert sorted(one.candidate.item for one in drawn.chosen) == list(range(30))
    assert drawn.strata == {"No · llm": (15, 15), "Yes · llm": (15, 15)}


def test_unsure_verdicts_are_drawn_more_often() -> None:
    pool = [candidate(n, 1, 0.99 if n % 2 else 0.55) for n in range(400)]
    strata_found = draw(pool, "match", 3, 60, Random(0)).strata
    sure, unsure = (strata_found[f"Yes · llm · confidence {band}"] for band in ("0.95 to 1", "0 to 0.6"))
    assert unsure[1] > 2 * sure[1] > 0


def test_every_item_of_a_stratum_is_drawn_equally_often() -> None:
    """Over 4,000 draws of 3 of 12 a count lies within five standard deviations of 1,000."""
    pool = [candidate(n) for n in range(12)]
    counts = Counter(
        drawn.candidate.item
        for seed in range(4000)
        for drawn in draw(pool, "match", 3, 3, Random(seed)).chosen
    )
    assert len(counts) == 12
    assert all(abs(count - 1000) < 5 * (4000 * 0.25 * 0.75) ** 0.5 for count in counts.values())


def test_any_prefix_of_the_draw_is_a_random_sample() -> None:
    """Whoever stops labelling half way has labelled each stratum in proportion, on average."""
    pool = [candidate(n, n % 2, None if n % 2 else 0.5) for n in range(100)]
    halves = Counter(
        drawn.stratum for seed in range(600) for drawn in draw(pool, "match", 3, 20, Random(seed)).chosen[:10]
    )
    whole = draw(pool, "match", 3, 20, Random(0)).strata
    for name, (_, share) in whole.items():
        assert halves[name] / 6000 == pytest.approx(share / 20, abs=0.03)


def test_combined_probabilities_of_two_draws_match_enumeration() -> None:
    """Two of five are drawn, then one of the remaining three: each item is in with the chance that enumeration finds."""
    ways = [{*first, second} for first in combinations(range(5), 2) for second in set(range(5)) - set(first)]
    expected = sum(0 in way for way in ways) / len(ways)
    assert merge_chances({"s": 2 / 5}, {"s": (3, 1)}) == pytest.approx({"s": expected})


def test_a_stratum_that_a_later_draw_leaves_out_keeps_its_chance() -> None:
    assert merge_chances({"s": 0.4}, {"s": (10, 0), "t": (4, 4)}) == pytest.approx({"s": 0.4, "t": 1.0})


@pytest.mark.parametrize(("answered", "limit"), [(1.0, 800), (0.6, 800), (1.0, 300)])
def test_the_corrected_share_of_planned_labels_is_right_on_average_and_its_interval_covers(
    answered: float, limit: int
) -> None:
    """A lenient judge that is unsure where it errs; 200 plans of 100 of 800 rows, also when only a part is filled in.

    The labels that fall among the first 300 rows are right for these, although they are another kind of rows.
    """
    random = np.random.default_rng(7)
    right = random.random(800) < np.where(np.arange(800) < 300, 0.4, 0.7)
    said = np.where(right, random.random(800) < 0.97, random.random(800) < 0.35)
    sure = np.clip(np.where(said == right, 0.75, 0.5) + 0.25 * random.random(800), 0, 1)
    pool = [candidate(n, int(said[n]), float(sure[n])) for n in range(800)]
    found = [estimate(pool, right, seed, answered, limit) for seed in range(200)]
    values, truth = np.array([one.value for one in found]), right[:limit].mean()
    assert abs(values.mean() - truth) < 4 * values.std() / len(values) ** 0.5
    assert abs(said[:limit].mean() - truth) > 0.1
    assert np.mean([one.low <= truth <= one.high for one in found]) > 0.9


def estimate(pool: list[Candidate], right: Any, seed: int, answered: float, limit: int) -> Estimate:
    """Label what a plan draws, up to a part of it, and correct the share of the first rows by that."""
    drawn = draw(pool, "match", 3, 100, Random(seed))
    chances = merge_chances({}, drawn.strata)
    chosen = {one.candidate.item: one.stratum for one in drawn.chosen}
    labelled = {one.candidate.item for one in drawn.chosen[: round(answered * 100)]}
    marks = [
        ScoredRow(
            n, n, None, one.value, float(one.value or 0), one.confidence, one.decided_by,
            (Label("p", float(right[n])),) if n in labelled else (),
            chances[chosen[n]] if n in chosen else None,
            chosen.get(n),
            plan=1,
        )
        for n, one in enumerate(pool[:limit])
    ]  # fmt: skip
    found = correct_share(marks, "match", 4)
    assert found is not None
    assert found.selection == "planned"
    assert isinstance(found.share.corrected, Estimate)
    return found.share.corrected
