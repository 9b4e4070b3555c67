"""Agreement with humans against statsmodels and scikit-learn, and by hand where no oracle has it."""

import math
import warnings
from typing import Any

import numpy as np
import pytest
from closeness import answers, close, estimated, levels, not_defined, pairs_of, stats
from hypothesis import assume, given
from sklearn.metrics import cohen_kappa_score, f1_score, matthews_corrcoef
from statsmodels.stats.inter_rater import cohens_kappa

from karat.stats import Undefined, wilson
from karat.stats.agreement import (
    LEVELS,
    YES_NO,
    _ac1,
    _exact,
    _kappa,
    _macro_f1,
    _mcc,
    _quadratic,
    accuracy,
    agree,
    cohen_kappa,
    gwet_ac1,
    macro_f1,
    mcc,
    sensitivity,
    specificity,
    table,
    weighted_kappa,
)

Pairs = list[tuple[int, int]]
ZERO: Any = 0.0


def columns(pairs: Pairs) -> tuple[list[int], list[int]]:
    return [human for human, _ in pairs], [judge for _, judge in pairs]


def both_vary(pairs: Pairs) -> bool:
    return all(len(set(column)) > 1 for column in columns(pairs))


def half_width(oracle_error: float, rows: int) -> float:
    """The reach of an interval whose standard error is the oracle's, corrected for the mean that was found from the rows."""
    return float(stats.t.ppf(0.975, rows - 1)) * oracle_error * math.sqrt(rows / (rows - 1))


def ask_oracle(human: list[int], judge: list[int], **options: Any) -> Any:
    """Kappa of statsmodels, which divides by nothing on small tables before it says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return cohens_kappa(np.array(table(human, judge, LEVELS)), **options)


@given(pairs_of(levels))
def test_kappa_and_its_standard_error_are_the_oracles(pairs: Pairs) -> None:
    assume(both_vary(pairs))
    human, judge = columns(pairs)
    found = estimated(cohen_kappa(human, judge, LEVELS))
    oracle = ask_oracle(human, judge)
    assert close(found.value, oracle.kappa)
    assert close(found.value, cohen_kappa_score(human, judge))
    if found.method == "delta, t":
        half = half_width(float(np.sqrt(oracle.var_kappa)), len(pairs))
        assert close(found.high, min(1.0, found.value + half), 1e-7)
        assert close(found.low, max(-1.0, found.value - half), 1e-7)


@given(pairs_of(levels))
def test_weighted_kappa_and_its_standard_error_are_the_oracles(pairs: Pairs) -> None:
    assume(both_vary(pairs))
    human, judge = columns(pairs)
    found = estimated(weighted_kappa(human, judge, LEVELS))
    oracle = ask_oracle(human, judge, wt="fc")
    assert close(found.value, oracle.kappa)
    assert close(found.value, cohen_kappa_score(human, judge, weights="quadratic", labels=list(LEVELS)))
    if found.method == "delta, t":
        half = half_width(float(np.sqrt(oracle.var_kappa)), len(pairs))
        assert close(found.high, min(1.0, found.value + half), 1e-7)


@given(pairs_of(answers))
def test_mcc_and_macro_f1_of_yes_and_no_are_the_oracles(pairs: Pairs) -> None:
    human, judge = columns(pairs)
    assert close(
        estimated(macro_f1(human, judge)).value, f1_score(human, judge, average="macro", zero_division=ZERO)
    )
    if both_vary(pairs):
        assert close(estimated(mcc(human, judge)).value, matthews_corrcoef(human, judge))


@given(pairs_of(levels))
def test_mcc_and_macro_f1_of_scores_are_the_oracles(pairs: Pairs) -> None:
    human, judge = columns(pairs)
    assert close(
        estimated(macro_f1(human, judge, LEVELS)).value,
        f1_score(human, judge, average="macro", zero_division=ZERO),
    )
    if both_vary(pairs):
        assert close(estimated(mcc(human, judge, LEVELS)).value, matthews_corrcoef(human, judge))


@given(pairs_of(answers, least=1))
def test_shares_of_the_table_are_wilsons(pairs: Pairs) -> None:
    human, judge = columns(pairs)
    (true_no, false_yes), (false_no, true_yes) = table(human, judge)
    assert accuracy(human, judge) == wilson(true_no + true_yes, len(pairs))
    if true_yes + false_no:
        assert sensitivity(human, judge) == wilson(true_yes, true_yes + false_no)
    else:
        assert "correct" in not_defined(sensitivity(human, judge))
    if true_no + false_yes:
        assert specificity(human, judge) == wilson(true_no, true_no + false_yes)
    else:
        assert "wrong" in not_defined(specificity(human, judge))


def test_ac1_by_hand() -> None:
    """118 yes-yes, 5 yes-no, 2 no-yes, 0 no-no: agreement .944, chance 2 x .972 x .028, so AC1 is .941 though kappa is below 0."""
    pairs = [(1, 1)] * 118 + [(1, 0)] * 5 + [(0, 1)] * 2
    human, judge = columns(pairs)
    yes = (123 + 120) / 250
    chance = 2 * yes * (1 - yes)
    expected = (118 / 125 - chance) / (1 - chance)
    assert close(estimated(gwet_ac1(human, judge)).value, expected)
    assert round(expected, 3) == 0.941
    assert estimated(cohen_kappa(human, judge)).value < 0


def test_ac1_of_three_values_by_hand() -> None:
    """Ten rows, seven agreed; habits .45, .35, .2; chance (.45 x .55 + .35 x .65 + .2 x .8) / 2."""
    pairs = [(0, 0)] * 3 + [(1, 1)] * 3 + [(2, 2)] + [(0, 1), (2, 0), (2, 0)]
    human, judge = columns(pairs)
    chance = (0.45 * 0.55 + 0.35 * 0.65 + 0.2 * 0.8) / 2
    assert close(estimated(gwet_ac1(human, judge, (0, 1, 2))).value, (0.7 - chance) / (1 - chance))


@pytest.mark.parametrize(
    ("statistic", "kinds"),
    [
        (lambda shares: _kappa(shares, _exact(YES_NO)), 2),
        (lambda shares: _kappa(shares, _quadratic(LEVELS)), 6),
        (_ac1, 6),
        (_mcc, 2),
        (_mcc, 6),
        (_macro_f1, 6),
    ],
)
def test_slopes_match_numeric_derivatives(statistic: Any, kinds: int) -> None:
    """A table whose cells do not sum to one is a table too, up to the change's first order."""
    shares = np.random.default_rng(kinds).dirichlet(np.ones(kinds * kinds)).reshape(kinds, kinds)
    _, slope = statistic(shares)
    for cell in np.ndindex(kinds, kinds):
        step = np.zeros_like(shares)
        step[cell] = 1e-6
        up, down = (statistic(_whole(shares + sign * step))[0] for sign in (1, -1))
        moved = slope - (slope * shares).sum()
        assert math.isclose((up - down) / 2e-6, moved[cell], abs_tol=1e-6)


def _whole(shares: np.ndarray) -> np.ndarray:
    return shares / shares.sum()


def test_repeated_rows_do_not_narrow_the_interval() -> None:
    random = np.random.default_rng(5)
    human = random.integers(0, 2, 80)
    judge = np.where(random.random(80) < 0.85, human, 1 - human)
    keys = list(range(80))
    for statistic in (cohen_kappa, gwet_ac1, mcc, macro_f1):
        once = estimated(statistic(human, judge))
        thrice = estimated(statistic(np.tile(human, 3), np.tile(judge, 3), YES_NO, keys * 3))
        assert close(once.value, thrice.value)
        assert close(once.low, thrice.low)
        assert thrice.clusters == 80


@pytest.mark.parametrize("statistic", [cohen_kappa, gwet_ac1, mcc, macro_f1])
def test_intervals_cover(statistic: Any) -> None:
    """Of 600 samples of 100 rows, about 95 % of the intervals hold the value that the whole population has."""
    cells = np.array([0.24, 0.06, 0.05, 0.65])
    truth = estimated(statistic(*columns([(0, 0)] * 24 + [(0, 1)] * 6 + [(1, 0)] * 5 + [(1, 1)] * 65))).value
    random = np.random.default_rng(11)
    hits = 0
    for _ in range(600):
        drawn = random.choice(4, 100, p=cells)
        found = estimated(statistic(drawn // 2, drawn % 2))
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 600 <= 0.98


def test_perfect_agreement_has_an_interval_for_unseen_rows() -> None:
    """Of 50 agreed rows (half yes) a disagreement may be up to 7.1 % of all: kappa may be 1 - 2 x .071 or so."""
    human = [0, 1] * 25
    found = estimated(cohen_kappa(human, human))
    assert found.value == found.high == 1
    assert 0.84 < found.low < 0.87


def test_constant_rater_leaves_kappa_undefined() -> None:
    assert not_defined(cohen_kappa([0, 1, 1], [1, 1, 1])) == "the judge gives every row the same verdict"
    assert not_defined(mcc([1, 1, 1], [0, 1, 1])) == "the human gives every row the same verdict"
    assert estimated(gwet_ac1([1, 1, 1], [1, 1, 1])).value == 1


def test_too_few_rows_give_a_reason() -> None:
    found = agree([], [])
    assert found.rows == 0
    assert found.table == ((0, 0), (0, 0))
    assert all(
        isinstance(each, Undefined) for each in (found.kappa, found.ac1, found.accuracy, found.sensitivity)
    )
    assert "one row" in not_defined(gwet_ac1([1], [1]))
    assert "one cluster" in not_defined(gwet_ac1([1, 0], [1, 1], YES_NO, ["q", "q"]))


def test_agree_returns_each_statistic() -> None:
    human, judge = [0, 1, 1, 0, 1, 1], [0, 1, 0, 1, 1, 1]
    found = agree(human, judge)
    assert found.kappa == cohen_kappa(human, judge)
    assert found.sensitivity == sensitivity(human, judge)
    assert found.weighted_kappa is None
    graded = agree(human, judge, LEVELS)
    assert graded.weighted_kappa == weighted_kappa(human, judge)
    assert graded.sensitivity is None
    assert len(graded.table) == 6


def test_a_verdict_outside_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="must be one of 0, 1"):
        cohen_kappa([0, 1], [0, 2])
