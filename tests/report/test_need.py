"""The number of labels needed for a width."""

import numpy as np
import pytest
from marking import mark, say

from karat.core.errors import UsageError
from karat.core.scored_row import ScoredRow
from karat.report.figures.correction import correct_share, need_labels
from karat.stats import Estimate, Undefined


def rows(labelled: int, count: int = 20_000) -> list[ScoredRow]:
    """A judge that is right nine times in ten, about answers of which half are right."""
    random = np.random.default_rng(11)
    right = random.random(count) < 0.5
    said = np.where(random.random(count) < 0.9, right, ~right)
    return [mark(at, int(said[at]), say(int(right[at])) if at < labelled else ()) for at in range(count)]


def test_with_so_many_labels_the_interval_is_about_as_wide_as_asked() -> None:
    need = need_labels(rows(400), "match", 4, 0.06)
    assert need.known
    assert isinstance(need.labels, int)
    found = correct_share(rows(need.labels), "match", 4)
    assert found is not None
    assert isinstance(found.share.corrected, Estimate)
    assert found.share.corrected.high - found.share.corrected.low == pytest.approx(0.06, rel=0.1)


def test_a_good_judge_saves_labels() -> None:
    """At nine right in ten the judge explains 64 % of the spread of a label."""
    need = need_labels(rows(400), "match", 4, 0.06)
    assert isinstance(need.labels, int)
    assert isinstance(need.alone, int)
    assert need.labels < 0.5 * need.alone


def test_without_labels_any_judge_suffices_for_the_number() -> None:
    """A share of one half, 4 points wide: z^2 x .25 / .02^2 = 2,401."""
    need = need_labels(rows(0), "match", 4, 0.04)
    assert not need.known
    assert (need.labelled, need.now) == (0, None)
    assert need.labels == need.alone
    assert need.labels == pytest.approx(2401, rel=0.01)


def test_labels_that_no_plan_drew_come_with_their_assumption() -> None:
    assert need_labels(rows(0), "match", 4, 0.06).assumption is None
    need = need_labels(rows(400), "match", 4, 0.06)
    assert "assume that the labelled rows are like the others" in (need.assumption or "")
    assert need.warning is None


def test_labels_that_are_all_alike_do_not_show_that_few_suffice() -> None:
    """All of 40 are right: up to one in twelve others may be wrong, so that two labels cannot tell it to 10 points."""
    alike = [mark(at, 1, say(1) if at < 40 else ()) for at in range(400)]
    need = need_labels(alike, "match", 4, 0.1)
    assert not need.known
    assert isinstance(need.labels, int)
    assert need.labels >= 40


def test_unrepresentative_labels_do_not_reduce_the_needed_number() -> None:
    easy = [mark(at, int(at < 40 or at % 2), say(1) if at < 40 else ()) for at in range(20_000)]
    need = need_labels(easy, "match", 4, 0.04)
    assert need.warning is not None
    assert not need.known
    assert need.labels == pytest.approx(2401, rel=0.02)


def test_unreachable_width_is_reported() -> None:
    need = need_labels(rows(40, count=60), "match", 4, 0.01)
    assert isinstance(need.labels, Undefined)
    assert "more rows are needed" in need.labels.why


@pytest.mark.parametrize("width", [0, -0.1, 1, 4])
def test_invalid_width_is_refused(width: float) -> None:
    with pytest.raises(UsageError, match="--width must be between 0 and 1"):
        need_labels(rows(0, count=10), "match", 4, width)
