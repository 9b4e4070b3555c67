"""The alternative-annotator test against scipy's t test, row by row as its authors describe it."""

import numpy as np
from closeness import close, estimated, not_defined, stats

from karat.stats.alternative_annotators import AlternativeAnnotators, alternative_annotators
from karat.stats.differences import benjamini_yekutieli

Ratings = list[list[float | None]]


def passed(found: object) -> AlternativeAnnotators:
    assert isinstance(found, AlternativeAnnotators)
    return found


def draw(rows: int, judge_right: float, human_right: float, members: int = 3) -> tuple[list[float], Ratings]:
    random = np.random.default_rng(rows)
    truth = random.integers(0, 2, rows)
    judge = np.where(random.random(rows) < judge_right, truth, 1 - truth)
    humans = np.where(random.random((members, rows)) < human_right, truth, 1 - truth)
    return judge.astype(float).tolist(), humans.T.astype(float).tolist()


def test_p_values_and_winning_rate_are_those_of_the_description() -> None:
    judge, humans = draw(80, 0.9, 0.85)
    humans[3][1] = humans[7][0] = humans[7][2] = None
    found = passed(alternative_annotators(judge, humans, epsilon=0.1))
    expected, advantages = list[float](), list[float]()
    for left_out in range(3):
        lost, won = list[float](), list[float]()
        for verdict, given in zip(judge, humans, strict=True):
            others = [value for at, value in enumerate(given) if at != left_out and value is not None]
            if given[left_out] is None or not others:
                continue
            by_judge = np.mean([verdict == other for other in others])
            by_human = np.mean([given[left_out] == other for other in others])
            won.append(float(by_judge >= by_human))
            lost.append(float(by_human >= by_judge) - won[-1])
        expected.append(float(stats.ttest_1samp(lost, 0.1, alternative="less").pvalue))
        advantages.append(float(np.mean(won)))
    assert np.allclose([each.p for each in found.annotators], expected, atol=1e-9)
    assert np.allclose([each.adjusted for each in found.annotators], benjamini_yekutieli(expected))
    assert close(estimated(found.advantage).value, float(np.mean(advantages)))
    assert close(found.winning_rate, sum(p <= 0.05 for p in benjamini_yekutieli(expected)) / 3)


def test_a_judge_as_good_as_the_humans_passes_and_a_coin_does_not() -> None:
    good = passed(alternative_annotators(*draw(100, 0.95, 0.9)))
    assert good.passed
    assert good.winning_rate == 1
    coin = passed(alternative_annotators(*draw(100, 0.5, 0.9)))
    assert not coin.passed
    assert coin.winning_rate == 0


def test_scores_are_compared_by_distance() -> None:
    """The judge is one off where the one left out is three off, and the other way round."""
    apart: list[float | None] = [5.0, 2.0, 2.0]
    alike: list[float | None] = [2.0, 2.0, 2.0]
    humans = [apart] * 40 + [alike] * 20
    judge = [3.0] * 60
    found = passed(alternative_annotators(judge, humans, scale="interval"))
    assert close(estimated(found.annotators[0].advantage).value, 40 / 60)


def test_rows_without_variance_use_a_bound_on_unseen_rows() -> None:
    """All agree on 50 rows: were the judge worse on 20 % of rows, seeing none of them would have probability .8 ** 50."""
    found = passed(alternative_annotators([1.0] * 50, [[1.0, 1.0, 1.0]] * 50))
    assert all(close(each.p, 0.8**50) for each in found.annotators)
    assert found.passed
    assert estimated(found.advantage).value == 1


def test_impossible_test_has_a_reason() -> None:
    assert "3 annotators are needed, and there are 2" in not_defined(
        alternative_annotators([1.0] * 40, [[1.0, 0.0]] * 40)
    )
    few = alternative_annotators([1.0] * 10, [[1.0, 0.0, 1.0]] * 10)
    assert "30 rows" in not_defined(few)
    assert "0" in not_defined(alternative_annotators([], []))
    one = alternative_annotators([1.0] * 40, [[1.0, 0.0, 1.0]] * 40, clusters=["q"] * 40)
    assert "one cluster" in not_defined(one)
