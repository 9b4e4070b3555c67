"""Differences against scipy and statsmodels, and by hand."""

import math
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from closeness import answers, close, estimated, not_defined, stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as oracle_mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep

from karat.stats import Undefined
from karat.stats.paired import (
    detectable,
    difference,
    find_loss,
    mcnemar,
    paired_difference,
    rows_needed,
    split_p,
)

scores = st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=2, max_size=40)


@given(scores)
def test_paired_scores_have_the_paired_t_interval(rows: list[tuple[float, float]]) -> None:
    a, b = np.array(rows).T
    if np.ptp(b - a) < 1e-6 or np.isin([a, b], (0, 1)).all():
        return
    found = paired_difference(a, b)
    oracle = stats.ttest_rel(b, a)
    low, high = oracle.confidence_interval(0.95)
    assert close(estimated(found.estimate).low, low, 1e-7)
    assert close(estimated(found.estimate).high, high, 1e-7)
    assert found.p is not None
    assert close(found.p, float(oracle.pvalue), 1e-6)
    assert found.spread is not None
    assert close(found.spread, float(np.std(b - a, ddof=1)), 1e-7)


@given(scores, scores)
def test_unpaired_scores_have_welchs_interval(
    one: list[tuple[float, float]], other: list[tuple[float, float]]
) -> None:
    a, b = np.array(one).ravel(), np.array(other).ravel()
    if min(np.ptp(a), np.ptp(b)) < 1e-3 or np.isin([*a, *b], (0, 1)).all():
        return
    found = difference(a, b)
    oracle = stats.ttest_ind(b, a, equal_var=False)
    low, high = oracle.confidence_interval(0.95)
    assert close(estimated(found.estimate).low, low, 1e-7)
    assert close(estimated(found.estimate).high, high, 1e-7)


@given(scores)
def test_rows_that_share_all_their_clusters_are_paired(rows: list[tuple[float, float]]) -> None:
    a, b = np.array(rows).T
    if np.ptp(b - a) < 1e-6 or np.isin([a, b], (0, 1)).all() or max(np.ptp(a), np.ptp(b)) < 1e-3:
        return
    keys = list(range(len(a)))
    together, paired = difference(a, b, keys, keys), paired_difference(a, b)
    assert close(estimated(together.estimate).low, estimated(paired.estimate).low, 1e-6)
    assert close(estimated(together.estimate).high, estimated(paired.estimate).high, 1e-6)


@given(st.lists(answers, min_size=2, max_size=30), st.lists(answers, min_size=2, max_size=30))
def test_unpaired_shares_have_newcombes_interval(a: list[int], b: list[int]) -> None:
    found = estimated(difference(a, b).estimate)
    low, high = confint_proportions_2indep(sum(b), len(b), sum(a), len(a), method="newcomb", compare="diff")
    assert close(found.low, low)
    assert close(found.high, high)


def test_shared_clusters_narrow_the_difference() -> None:
    """Shares of the same questions, which differ much from each other and little between the groups."""
    random = np.random.default_rng(8)
    hard = random.random(100)
    a, b = (random.random((2, 100)) < 0.15 + 0.7 * (hard > 0.5)).astype(int)
    keys = list(range(100))
    together, apart = estimated(difference(a, b, keys, keys).estimate), estimated(difference(a, b).estimate)
    paired = estimated(paired_difference(a, b).estimate)
    assert together.high - together.low < 0.85 * (apart.high - apart.low)
    assert close(together.high - together.low, paired.high - paired.low, 0.06)


def test_group_of_one_question_has_no_interval() -> None:
    found = difference([1, 0] * 10, [0, 0], list(range(20)), ["q", "q"])
    assert "one cluster" in not_defined(found.estimate)


def test_bonett_and_price_by_hand() -> None:
    """Of 100 pairs 12 are right only with B and 5 only with A: (13 - 6) / 102 and the root of (19 / 102 - square) / 102."""
    a = [0] * 12 + [1] * 5 + [1] * 83
    b = [1] * 12 + [0] * 5 + [1] * 83
    found = estimated(paired_difference(a, b).estimate)
    middle = 7 / 102
    half = 1.959963984540054 * math.sqrt((19 / 102 - middle**2) / 102)
    assert close(found.value, 0.07)
    assert close(found.low, middle - half)
    assert close(found.high, middle + half)


def test_the_interval_of_paired_shares_covers_on_average() -> None:
    """Coverage by enumeration of all outcomes of 30 pairs, for rates of only-B and only-A."""
    pairs = 30
    for better, worse in product((0.02, 0.1, 0.3), (0.02, 0.1)):
        covered = 0.0
        for up, down in product(range(pairs + 1), range(pairs + 1)):
            if up + down > pairs:
                continue
            rows = [1] * up + [-1] * down + [0] * (pairs - up - down)
            a, b = [int(row < 0) for row in rows], [int(row > 0) for row in rows]
            found = estimated(paired_difference(a, b).estimate)
            if found.low <= better - worse <= found.high:
                covered += float(
                    stats.multinomial.pmf(
                        [up, down, pairs - up - down], pairs, [better, worse, 1 - better - worse]
                    )
                )
        assert 0.93 <= covered <= 1.0, (better, worse, covered)


@given(st.lists(st.tuples(answers, answers), max_size=60))
def test_mcnemar_is_the_exact_test_of_the_oracle(rows: list[tuple[int, int]]) -> None:
    found = mcnemar([a for a, _ in rows], [b for _, b in rows])
    table = [[sum(row == (x, y) for row in rows) for y in (0, 1)] for x in (0, 1)]
    assert (found.only_b, found.only_a) == (table[0][1], table[1][0])
    oracle: Any = oracle_mcnemar(table, exact=True)
    assert close(found.p, oracle.pvalue)


def test_the_interval_excludes_nothing_just_where_p_is_small() -> None:
    random = np.random.default_rng(3)
    for _ in range(300):
        a, b = (random.random((2, 40)) < [[0.5], [0.7]]).astype(int)
        keys = random.integers(0, 20, 40).tolist() if random.random() < 0.5 else None
        some = None if keys is None else keys[:25]
        for found in (paired_difference(a, b, keys), difference(a[:25], b, some, keys)):
            assert found.p is not None
            estimate = estimated(found.estimate)
            assert (found.p < 0.05) == (estimate.low > 0 or estimate.high < 0)


def test_equal_systems_have_an_interval_for_unseen_rows() -> None:
    found = estimated(paired_difference([1, 0, 1, 1], [1, 0, 1, 1]).estimate)
    assert found.value == 0
    assert found.low < -0.3
    assert found.high > 0.3
    scored = estimated(paired_difference([0.2, 0.4], [0.2, 0.4]).estimate)
    assert scored.low < 0 < scored.high


def test_undefined_interval_has_a_reason() -> None:
    assert "no rows" in not_defined(paired_difference([], []).estimate)
    assert "one row" in not_defined(paired_difference([0.2], [0.3]).estimate)
    assert "one cluster" in not_defined(paired_difference([0, 1], [1, 1], ["q", "q"]).estimate)
    assert "no rows" in not_defined(difference([], [1, 0]).estimate)
    assert "one row" in not_defined(difference([1], [1, 0]).estimate)
    assert "any number of rows" in not_defined(rows_needed(0, 0.5))


def test_rows_needed_by_the_worked_example_of_miller() -> None:
    """A variance of 1/9 for one pair and 3 points to be seen at 80 % take 969 rows (arXiv 2411.00640)."""
    assert rows_needed(0.03, 1 / 3) == 969
    smallest = detectable(969, 1 / 3)
    assert isinstance(smallest, float)
    assert close(smallest, 0.03, 1e-3)


@given(st.floats(0.01, 0.3), st.floats(0.05, 1))
def test_rows_needed_are_just_enough(seen: float, spread: float) -> None:
    rows = rows_needed(seen, spread)
    assert isinstance(rows, int)
    smallest = detectable(rows, spread)
    assert isinstance(smallest, float)
    assert smallest <= seen * (1 + 1e-9)
    if rows > 2:
        larger = detectable(rows - 1, spread)
        assert isinstance(larger, float)
        assert larger > seen * (1 - 1e-9)


@pytest.mark.parametrize("shift", [0.0, 0.05, 0.1])
def test_a_random_split_is_as_probable_as_permutations_say(shift: float) -> None:
    random = np.random.default_rng(8)
    a, b = random.random(40) + shift, random.random(160)
    found = stats.permutation_test(
        (a, b), lambda x, y, axis: x.mean(axis) - y.mean(axis), n_resamples=9_999, vectorized=True, rng=1
    )
    assert split_p(a.tolist(), b.tolist()) == pytest.approx(found.pvalue, abs=0.02)


def test_few_equal_rows_are_not_significant() -> None:
    """Nine of ten samples of twelve rows would look like this, although Welch's test finds it very unlikely."""
    others = [0.6] * 10 + [0.99] * 990
    assert (difference([0.99] * 12, others).p or 0) < 0.01
    assert (split_p([0.99] * 12, others) or 0) > 0.5


def test_undefined_split_p_is_none() -> None:
    assert split_p([1.0, 1.0], [1.0, 1.0]) is None
    assert split_p([1.0], [0.0, 1.0]) is None
    assert split_p([1.0, 0.0], [0.0, 1.0], [1, 1], [2, 3]) is None
    assert (split_p([1.0] * 20, [0.5] * 20) or 1) < 0.001


@given(st.lists(st.tuples(answers, answers), min_size=1, max_size=60))
def test_a_loss_on_single_rows_is_tested_by_the_one_sided_binomial_test(rows: list[tuple[int, int]]) -> None:
    """However the rows of the second side are ordered."""
    keys = list(range(len(rows)))
    found = find_loss([a for a, _ in rows], [b for _, b in reversed(rows)], keys, keys[::-1])
    lost, won = sum(a > b for a, b in rows), sum(a < b for a, b in rows)
    oracle = float(stats.binomtest(won, won + lost, 0.5, alternative="less").pvalue) if won + lost else 1.0
    assert found.exact
    assert found.p is not None
    assert close(found.p, oracle)
    assert close(estimated(found.difference).value, (won - lost) / len(rows))


def test_a_loss_on_several_rows_is_half_of_the_two_sided_probability() -> None:
    """And a gain has the other tail."""
    keys = [n for n in range(20) for _ in range(3)]
    a, b = [1] * 45 + [0] * 15, [1] * 30 + [0] * 30
    both = difference(a, b, keys, keys)
    assert both.p is not None
    worse, better = find_loss(a, b, keys, keys), find_loss(b, a, keys, keys)
    assert not worse.exact
    assert worse.p is not None
    assert better.p is not None
    assert close(worse.p, both.p / 2)
    assert close(better.p, 1 - both.p / 2)


def test_the_interval_of_a_loss_lies_below_zero_just_where_the_clustered_test_shows_one() -> None:
    random = np.random.default_rng(17)
    for _ in range(200):
        keys = random.integers(0, 25, 60).tolist()
        a, b = (random.random((2, 60)) < [[0.7], [0.55]]).astype(int)
        found = find_loss(a, b, keys, keys, level=0.05)
        assert found.p is not None
        estimate = estimated(found.difference)
        assert estimate.level == 0.9
        assert (found.p < 0.05) == (estimate.high < 0)


def _share_that_fails(questions: int, each: tuple[int, int], lost: float, runs: int, seed: int) -> float:
    """How often a loss is shown at level .05; questions differ in difficulty, and their rows share it."""
    random = np.random.default_rng(seed)
    failed = 0
    for _ in range(runs):
        right = 1 / (1 + np.exp(-random.normal(0.9, 1.2, questions)))
        sides = [
            (random.random((rows, questions)) < np.clip(right - drop, 0, 1)).astype(int).ravel()
            for rows, drop in zip(each, (0.0, lost), strict=True)
        ]
        keys = [np.tile(np.arange(questions), rows).tolist() for rows in each]
        p = find_loss(sides[0], sides[1], keys[0], keys[1]).p
        failed += p is not None and p < 0.05
    return failed / runs


def test_without_a_difference_a_loss_is_shown_in_about_one_of_twenty() -> None:
    """The exact test stays below its level; the clustered one is near it."""
    for questions, each, bounds in (
        (100, (1, 1), (0.01, 0.06)),
        (400, (1, 1), (0.02, 0.06)),
        (100, (3, 3), (0.03, 0.075)),
        (100, (1, 3), (0.03, 0.075)),
    ):
        shown = _share_that_fails(questions, each, 0.0, 1000, 5)
        assert bounds[0] <= shown <= bounds[1], (questions, each, shown)


def test_a_large_loss_is_shown_nearly_always() -> None:
    for each in ((1, 1), (3, 3), (1, 3)):
        assert _share_that_fails(100, each, 0.3, 200, 6) >= 0.98, each


def test_detectable_loss_has_80_percent_power() -> None:
    """A loss of the size that a run without one says could have been seen."""
    random = np.random.default_rng(9)
    keys = list(range(400))
    a, b = (random.random((2, 400)) < 0.7).astype(int)
    size = find_loss(a, b, keys, keys).detectable
    assert size is not None
    shown = 0
    for _ in range(400):
        a, b = (random.random((2, 400)) < [[0.7], [0.7 - size]]).astype(int)
        p = find_loss(a, b, keys, keys).p
        shown += p is not None and p < 0.05
    assert 0.7 <= shown / 400 <= 0.9


def _pair(gains: int, losses: int, pairs: int) -> tuple[list[int], list[int]]:
    """0/1 rows of two systems with so many gains and losses."""
    same = [1] * (pairs - gains - losses)
    return [0] * gains + [1] * losses + same, [1] * gains + [0] * losses + same


@pytest.mark.parametrize("pairs", [20, 50, 100, 400])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.05])
def test_stated_loss_is_detected_with_80_percent_power(pairs: int, share: float) -> None:
    """Where a question is gained as often as observed, and lost more often by the stated loss."""
    gains, keys = round(share * pairs), list(range(pairs))
    loss = find_loss(*_pair(gains, gains, pairs), keys, keys).detectable
    assert loss is not None
    gain = gains / pairs
    random = np.random.default_rng(pairs)
    drawn = random.multinomial(pairs, [gain, gain + loss, 1 - 2 * gain - loss], 1000)
    failed = int((stats.binom.cdf(drawn[:, 0], drawn[:, 0] + drawn[:, 1], 0.5) < 0.05).sum())
    assert 0.75 <= failed / 1000 <= 0.85, (pairs, share, loss, failed)


def test_the_stated_loss_where_nothing_differs_by_hand() -> None:
    """Five losses without a gain have p = 1/32, so at least five of the questions must be lost."""
    for pairs in (5, 20, 100, 400):
        loss = find_loss([1] * pairs, [1] * pairs, list(range(pairs)), list(range(pairs))).detectable
        assert loss is not None
        assert float(stats.binom.sf(4, pairs, loss)) == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize(("level", "fewest"), [(0.05, 5), (0.01, 7), (0.001, 10)])
def test_fewer_questions_than_the_test_needs_show_no_loss(level: float, fewest: int) -> None:
    """The smallest p of n questions is 1 / 2**n."""
    for pairs in (1, fewest - 1, fewest):
        keys = list(range(pairs))
        loss = find_loss([1] * pairs, [1] * pairs, keys, keys, level=level).detectable
        assert loss is not None
        assert math.isinf(loss) == (pairs < fewest)


@pytest.mark.parametrize("pairs", [1_000, 10_000, 50_000])
def test_the_stated_loss_does_not_jump_where_the_approximation_begins(pairs: int) -> None:
    keys, found = list(range(pairs)), list[float]()
    for gains in (199, 200, 201, 202):
        loss = find_loss(*_pair(gains, gains, pairs), keys, keys).detectable
        assert loss is not None
        found.append(loss)
    for before, after in pairwise(found):
        assert after == pytest.approx(before, rel=0.01)
    assert found[0] < found[3]


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_a_stated_loss_is_possible_and_enough(counts: tuple[int, int]) -> None:
    """Also where more than half of the questions are gained."""
    pairs, gains = counts
    keys = list(range(pairs))
    loss = find_loss(*_pair(gains, 0, pairs), keys, keys).detectable
    assert loss is not None
    assert 0 < loss <= 1 or (math.isinf(loss) and pairs < 5)


@pytest.mark.parametrize("questions", [20, 100])
@pytest.mark.parametrize("swapped", [0.0, 0.05])
def test_the_stated_loss_of_whole_questions_fails_about_four_times_in_five(
    questions: int, swapped: float
) -> None:
    """Each question has three rows, all right or all wrong; some are gained and as many lost in any case."""
    keys = [n for n in range(questions) for _ in range(3)]
    random = np.random.default_rng(questions)
    right = np.arange(questions) < 0.7 * questions
    gains = round(swapped * questions)

    def compare(gained: Any, lost: Any) -> Any:
        return find_loss(np.repeat(right, 3), np.repeat((right | gained) & ~lost, 3), keys, keys)

    order = np.arange(questions)
    loss = compare(order >= questions - gains, order < gains).detectable
    assert loss is not None
    failed = 0
    for _ in range(400):
        gained = ~right & (random.random(questions) < swapped / 0.3)
        failed += compare(gained, right & (random.random(questions) < (swapped + loss) / 0.7)).p < 0.05
    assert failed / 400 >= 0.7, (loss, failed)


def test_of_a_few_questions_with_several_rows_no_loss_is_stated() -> None:
    keys = [n for n in range(9) for _ in range(3)]
    assert find_loss([1, 0, 1] * 9, [1, 0, 1] * 9, keys, keys).detectable is None


def test_one_question_with_several_rows_shows_no_loss() -> None:
    found = find_loss([1, 1], [0, 0], ["q", "q"], ["q", "q"])
    assert found.p is None
    assert isinstance(found.difference, Undefined)
