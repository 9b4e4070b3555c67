"""Several labels of one item: majority, ties and mean levels."""

import pytest

from karat.core.scored_row import Label, level, truth


def votes(*values: int) -> tuple[Label, ...]:
    return tuple(Label(f"p{at}", float(value)) for at, value in enumerate(values))


def levels(*values: float) -> tuple[Label, ...]:
    return tuple(Label(f"p{at}", value / 5, "0-5") for at, value in enumerate(values))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((), None),
        (votes(1), 1.0),
        (votes(0), 0.0),
        (votes(1, 1, 0), 1.0),
        (votes(1, 0, 0), 0.0),
        (votes(1, 0), 0.5),
        (votes(1, 1, 0, 0), 0.5),
    ],
)
def test_the_majority_decides_and_a_tie_is_half(labels: tuple[Label, ...], expected: float | None) -> None:
    assert truth(labels, 4) == expected
    assert level(labels) is None


@pytest.mark.parametrize(
    ("labels", "mean", "expected"),
    [
        (levels(4), 4.0, 1.0),
        (levels(3), 3.0, 0.0),
        (levels(5, 3), 4.0, 1.0),
        (levels(5, 2), 3.5, 0.0),
        (levels(5, 5, 1), 11 / 3, 0.0),
        (levels(4, 4, 4), 4.0, 1.0),
    ],
)
def test_levels_are_averaged_and_right_from_the_limit_on(
    labels: tuple[Label, ...], mean: float, expected: float
) -> None:
    assert level(labels) == pytest.approx(mean)
    assert truth(labels, 4) == expected


def test_the_limit_moves() -> None:
    assert truth(levels(3), 3) == 1.0


def test_a_level_among_yes_and_no_is_one_vote() -> None:
    """Two say yes, one gave 3 of 5, which is below the limit: two to one."""
    mixed = (*votes(1, 1), Label("c", 0.6, "0-5"))
    assert truth(mixed, 4) == 1.0
    assert truth((Label("a", 1.0), Label("c", 0.6, "0-5")), 4) == 0.5
    assert level(mixed) is None
