"""The fit of confidences, on rows whose truth is known."""

import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from karat.embedded import Evidence, Reading
from karat.embedded.features import FEATURE_NAMES

sys.path.append(str(Path(__file__).parents[2]))

from training import confidence
from training.confidence import Rated, Row


def make_rows(group: str, count: int, seed: int, *, honest: bool = True) -> list[Row]:
    """Verdicts that are right as often as the network is sure; or, of a group that is not honest, half the time."""
    chance = np.random.default_rng(seed)
    rows = list[Row]()
    for at in range(count):
        sure = 0.5 + 0.49 * chance.random()
        accepts, rule = bool(at % 2), "contained" if at % 3 == 0 else None
        reading = Reading(sure if accepts else 1 - sure, [0.0] * len(FEATURE_NAMES), read=True)
        right = chance.random() < ((0.95 if rule else sure) if honest else 0.5)
        rows.append(
            Row(
                group,
                "human",
                Evidence(accepts, rule, 1, 0.4, 0.4, foreign=False, reading=reading),
                bool(right),
            )
        )
    return rows


def rate(rows: list[Row], group: str) -> Rated:
    sure, right = confidence.rate_left_out(rows), np.array([row.right for row in rows])
    return Rated(sure, right).cut(np.array([row.group == group for row in rows]))


def test_a_left_out_group_like_the_others_is_rated_as_often_right_as_it_is() -> None:
    rows = [row for seed, group in enumerate("abcd") for row in make_rows(group, 600, seed)]
    found = rate(rows, "a")
    assert confidence.calibration_error(found) < 2 * confidence.error_by_chance(found.sure)
    assert abs(found.sure.mean() - found.right.mean()) < 0.05


def test_a_left_out_group_that_is_unlike_the_others_is_seen_to_be_off() -> None:
    rows = [row for seed, group in enumerate("abcd") for row in make_rows(group, 600, seed)]
    rows += make_rows("off", 600, 9, honest=False)
    found = rate(rows, "off")
    assert confidence.calibration_error(found) > 2 * confidence.error_by_chance(found.sure)
    assert found.sure.mean() > found.right.mean() + 0.1


def test_the_calibration_error_is_the_usual_one() -> None:
    chance = np.random.default_rng(3)
    sure = chance.random(500)
    right = chance.random(500) < sure**2
    shares, means = calibration_curve(right, sure, n_bins=10)
    counts = np.histogram(sure, np.linspace(0, 1, 11))[0]
    usual = float((np.abs(shares - means) * counts).sum() / 500)
    assert confidence.calibration_error(Rated(sure, right)) == pytest.approx(usual)


def test_a_perfect_judge_is_outside_in_about_one_of_twenty() -> None:
    chance = np.random.default_rng(4)
    sure = 0.5 + 0.5 * chance.random(200)
    bound = confidence.error_by_chance(sure)
    errors = [confidence.calibration_error(Rated(sure, chance.random(200) < sure)) for _ in range(400)]
    assert 0.02 <= np.mean([error > bound for error in errors]) <= 0.09
