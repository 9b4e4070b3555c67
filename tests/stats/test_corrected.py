"""Corrected estimates against ppi-python, by enumeration of all draws, and by how often they cover."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from closeness import close, estimated, not_defined, stats
from hypothesis import given
from hypothesis import strategies as st
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

from karat.stats.clustered import mean, share
from karat.stats.corrected import Rows, corrected_difference, corrected_mean

score = st.floats(0.001, 0.999)
labelled_rows = st.lists(st.tuples(score, score), min_size=3, max_size=25)
other_rows = st.lists(score, min_size=2, max_size=60)


def student(half: float, labels: int) -> float:
    """The oracle's normal interval as the t interval of few labels."""
    return half / stats.norm.ppf(0.975) * stats.t.ppf(0.975, labels - 1) * math.sqrt(labels / (labels - 1))


@given(labelled_rows, other_rows)
def test_a_corrected_mean_is_the_oracles(labelled: list[tuple[float, float]], others: list[float]) -> None:
    truths, verdicts = (np.array(column) for column in zip(*labelled, strict=True))
    if np.ptp(truths) < 1e-3 or np.ptp([*verdicts, *others]) < 1e-3:
        return
    found = corrected_mean([*verdicts, *others], [*truths, *[None] * len(others)])
    oracle = float(np.squeeze(ppi_mean_pointestimate(truths, verdicts, np.array(others))))
    low, high = (
        float(np.squeeze(end)) for end in ppi_mean_ci(truths, verdicts, np.array(others), alpha=0.05)
    )
    corrected = estimated(found.corrected)
    assert close(corrected.value, min(1.0, max(0.0, oracle)))
    half = student((high - low) / 2, len(truths))
    assert close(corrected.low, max(0.0, corrected.value - half), 1e-7)
    assert close(corrected.high, min(1.0, corrected.value + half), 1e-7)


@given(labelled_rows, other_rows, st.floats(0, 1))
def test_a_corrected_difference_of_paired_rows_is_the_oracles_mean_of_differences(
    labelled: list[tuple[float, float]], others: list[float], weight: float
) -> None:
    """Both systems answer all questions; the oracle gets the differences. Its tuning counts all rows, not the others."""
    random = np.random.default_rng(len(labelled))
    truths_a, verdicts_a = (np.array(column) for column in zip(*labelled, strict=True))
    truths_b, verdicts_b, others_b = (random.random(len(each)) for each in (truths_a, truths_a, others))
    questions = list(range(len(labelled) + len(others)))
    none = [None] * len(others)
    found = corrected_difference(
        Rows([*verdicts_a, *others], [*truths_a, *none], questions),
        Rows([*verdicts_b, *others_b], [*truths_b, *none], questions),
        tuning=weight * len(questions) / len(others),
    )
    low, high = (
        float(np.squeeze(end))
        for end in ppi_mean_ci(
            truths_b - truths_a, verdicts_b - verdicts_a, others_b - np.array(others), alpha=0.05, lam=weight
        )
    )
    corrected = estimated(found.corrected.estimate)
    half = student((high - low) / 2, len(labelled))
    middle = min(1.0, max(-1.0, (low + high) / 2))
    assert close(corrected.value, middle, 1e-8)
    assert close(corrected.high, min(1.0, middle + half), 1e-7)


def draw_strata(population: list[tuple[float, float]], sizes: dict[float, int]) -> list[tuple[int, ...]]:
    """All ways to draw so many rows of each verdict."""
    places = {verdict: [at for at, row in enumerate(population) if row[1] == verdict] for verdict in sizes}
    ways = product(*(combinations(places[verdict], size) for verdict, size in sizes.items()))
    return [tuple(at for part in way for at in part) for way in ways]


@pytest.mark.parametrize("tuning", [0.0, 0.4, 1.0])
def test_unequal_probabilities_give_an_unbiased_estimate(tuning: float) -> None:
    """The mean over all draws of two of five accepted and two of three rejected rows is the truth, at any tuning."""
    population = [
        (1.0, 1.0),
        (1.0, 1.0),
        (0.0, 1.0),
        (1.0, 1.0),
        (0.0, 1.0),
        (0.0, 0.0),
        (1.0, 0.0),
        (0.0, 0.0),
    ]
    chances = [2 / 5 if verdict else 2 / 3 for _, verdict in population]
    estimates = list[float]()
    for drawn in draw_strata(population, {1.0: 2, 0.0: 2}):
        labels = [truth if at in drawn else None for at, (truth, _) in enumerate(population)]
        verdicts = [verdict for _, verdict in population]
        found = corrected_mean(verdicts, labels, probabilities=chances, tuning=tuning)
        estimates.append(estimated(found.corrected).value)
    assert close(float(np.mean(estimates)), 0.5)


def test_labels_drawn_more_often_where_the_judge_says_no_still_cover() -> None:
    random = np.random.default_rng(5)
    hits = naive = 0
    for _ in range(400):
        truths = random.random(1000) < 0.8
        verdicts = np.where(truths, random.random(1000) < 0.95, random.random(1000) < 0.35)
        chances = np.where(verdicts, 0.06, 0.4)
        chosen = random.random(1000) < chances
        labels = [float(truth) if use else None for truth, use in zip(truths, chosen, strict=True)]
        found = estimated(corrected_mean(verdicts.tolist(), labels, probabilities=chances.tolist()).corrected)
        plain = estimated(corrected_mean(verdicts.tolist(), labels).labels_only)
        hits += found.low <= 0.8 <= found.high
        naive += plain.low <= 0.8 <= plain.high
    assert 0.92 <= hits / 400 <= 0.985
    assert naive / 400 < 0.3


def test_equal_chances_are_the_plain_estimate() -> None:
    random = np.random.default_rng(1)
    verdicts = random.integers(0, 2, 300).astype(float).tolist()
    labels = [float(random.random() < 0.7) if at < 60 else None for at in range(300)]
    plain, weighed = (corrected_mean(verdicts, labels, probabilities=each) for each in (None, [0.2] * 300))
    assert close(plain.tuning, weighed.tuning)
    assert close(estimated(plain.corrected).value, estimated(weighed.corrected).value)
    assert close(estimated(plain.corrected).high, estimated(weighed.corrected).high, 0.01)


def test_uninformative_judge_does_not_widen_the_interval() -> None:
    labels = [float(at % 3 > 0) if at < 90 else None for at in range(400)]
    found = corrected_mean([1.0] * 400, labels)
    assert found.tuning == 0
    assert close(estimated(found.corrected).value, 2 / 3)
    opposite = corrected_mean([0.0 if label is None else 1 - label for label in labels], labels)
    assert opposite.tuning == 0


def test_good_judge_narrows_the_interval() -> None:
    random = np.random.default_rng(2)
    truths = random.random(2000) < 0.6
    verdicts = np.where(random.random(2000) < 0.97, truths, ~truths)
    found = corrected_mean(verdicts.tolist(), [*truths[:200].astype(float), *[None] * 1800])
    corrected, alone = estimated(found.corrected), estimated(found.labels_only)
    assert (alone.high - alone.low) / (corrected.high - corrected.low) > 1.6


def test_with_labels_on_all_rows_the_labels_count() -> None:
    labels = [1.0, 0.0, 1.0, 1.0, 0.5]
    found = corrected_mean([1.0, 1.0, None, 0.0, 1.0], labels)
    assert close(estimated(found.corrected).value, 0.7)
    assert found.tuning == 0


def test_repeated_rows_do_not_narrow_the_interval() -> None:
    random = np.random.default_rng(3)
    verdicts = random.integers(0, 2, 200).astype(float).tolist()
    labels = [float(random.random() < 0.7) if at < 80 else None for at in range(200)]
    once = corrected_mean(verdicts, labels)
    thrice = corrected_mean(verdicts * 3, labels * 3, clusters=list(range(200)) * 3)
    naive = corrected_mean(verdicts * 3, labels * 3)
    width = [estimated(each.corrected).high - estimated(each.corrected).low for each in (once, thrice, naive)]
    assert close(width[0], width[1], 0.01)
    assert width[2] < 0.7 * width[0]
    assert estimated(thrice.corrected).clusters == 200


def test_full_agreement_of_labels_has_an_interval_for_unseen_rows() -> None:
    """Thirty labels without an error allow for an error rate of several percent, so the interval is no narrower."""
    verdicts = [float(at % 2) for at in range(1000)]
    found = estimated(corrected_mean(verdicts, [*verdicts[:30], *[None] * 970]).corrected)
    assert close(found.value, 0.5, 1e-3)
    assert found.high - found.low > 0.15
    alike = estimated(corrected_mean([1.0] * 50, [1.0] * 20 + [None] * 30).corrected)
    assert alike.value == alike.high == 1
    assert alike.low < 0.92


def test_corrected_difference_covers_with_a_biased_judge() -> None:
    """The judge passes twice as many wrong answers of B; the two are equally good, on the same 400 questions, 60 of them labelled."""
    random = np.random.default_rng(6)
    hits = fooled = 0
    questions = list(range(400))
    for _ in range(300):
        hard = random.random(400) * 0.6
        truths = random.random((2, 400)) > hard
        passed = random.random((2, 400)) < np.array([[0.15], [0.45]])
        verdicts = (truths | passed).astype(float)
        drawn = set(random.choice(400, 60, replace=False).tolist())
        sides = [
            Rows(row.tolist(), [float(t) if at in drawn else None for at, t in enumerate(truth)], questions)
            for row, truth in zip(verdicts, truths, strict=True)
        ]
        found = corrected_difference(*sides)
        estimate, raw = estimated(found.corrected.estimate), estimated(found.raw.estimate)
        hits += estimate.low <= 0 <= estimate.high
        fooled += raw.low > 0
    assert 0.92 <= hits / 300 <= 0.99
    assert fooled / 300 > 0.5


def test_raw_and_labels_alone_are_the_plain_numbers() -> None:
    verdicts, labels = [1.0, 0.0, None, 1.0, 1.0, 0.0], [1.0, None, 0.0, None, 0.0, 1.0]
    found = corrected_mean(verdicts, labels)
    assert found.raw == share([1, 0, 1, 1, 0])
    assert found.labels_only == share([1, 0, 0, 1])
    scored = corrected_mean([0.2, 0.4, 0.9], [0.1, 0.3, None])
    assert scored.raw == mean([0.2, 0.4, 0.9], bounds=(0, 1))


def test_undefined_corrected_estimate_has_a_reason() -> None:
    assert "no labels" in not_defined(corrected_mean([1.0, 0.0], [None, None]).corrected)
    assert "one label" in not_defined(corrected_mean([1.0, 0.0], [1.0, None]).corrected)
    assert "one cluster" in not_defined(
        corrected_mean([1.0, 0.0, 1.0], [1.0, 0.0, None], clusters=["q", "q", "r"]).corrected
    )
    assert "no labels" in not_defined(corrected_mean([], []).corrected)
    nothing = corrected_difference(Rows([1.0, 0.0], [None, 1.0]), Rows([1.0, 1.0], [None, None]))
    assert "no labels" in not_defined(nothing.corrected.estimate)


def test_label_without_a_probability_is_refused() -> None:
    with pytest.raises(ValueError, match="probability"):
        corrected_mean([1.0, 0.0, 1.0], [1.0, 0.0, None], probabilities=[0.5, None, None])


def test_nearly_equal_verdicts_do_not_divide_by_zero() -> None:
    found = corrected_mean([4.7e-191, 0.0, 0.0], [0.0, 0.0, None])
    assert found.tuning == 0.0
