"""Reading labels on all scales."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.errors import UsageError
from karat.labels.scale import BINARY, LEVELS, NotALabelError, guess_scale, parse_scale, read_label

NO_LABELS = ["perhaps", "2-3", "1/2", "nan", [1], {"a": 1}, "one"]


@pytest.mark.parametrize("value", [True, "true", "TRUE", " Yes ", 1, 1.0, "1", "1.0", "1,0"])
def test_values_that_mean_right(value: object) -> None:
    assert read_label(value, BINARY) == (1.0, "yes/no")


@pytest.mark.parametrize("value", [False, "false", "No", 0, "0", "0.0"])
def test_values_that_mean_wrong(value: object) -> None:
    assert read_label(value, BINARY) == (0.0, "yes/no")


@pytest.mark.parametrize("value", [None, "", "   "])
@pytest.mark.parametrize("scale", [BINARY, LEVELS])
def test_nothing_is_no_label(value: object, scale: object) -> None:
    assert read_label(value, BINARY) is None


@pytest.mark.parametrize(("value", "share"), [(0, 0.0), ("4", 0.8), (2.5, 0.5), ("2,5", 0.5), (5, 1.0)])
def test_levels_are_shares_of_five(value: object, share: float) -> None:
    assert read_label(value, LEVELS) == (share, "0-5")


def test_words_say_yes_or_no_on_every_scale() -> None:
    assert read_label("yes", LEVELS) == (1.0, "yes/no")


@pytest.mark.parametrize("value", [*NO_LABELS, 2, "3", -1])
def test_value_that_is_not_yes_or_no_is_named(value: object) -> None:
    with pytest.raises(NotALabelError, match="is not true/false, yes/no, correct/incorrect, 0/1 or 0 to 5"):
        read_label(value, BINARY)


@pytest.mark.parametrize("value", [*NO_LABELS, 6, -1, "5.1"])
def test_value_outside_the_levels_is_named(value: object) -> None:
    with pytest.raises(NotALabelError):
        read_label(value, LEVELS)


def test_custom_scale_maps_to_0_to_1() -> None:
    scale = parse_scale("0-2")
    assert [read_label(value, scale) for value in (0, 1, "2")] == [(0.0, "0-2"), (0.5, "0-2"), (1.0, "0-2")]
    with pytest.raises(NotALabelError, match="label 3 is not a number from 0 to 2"):
        read_label(3, scale)


@given(st.integers(-20, 20), st.integers(1, 50), st.floats(0, 1))
def test_every_scale_is_linear_from_wrong_to_right(low: int, span: int, at: float) -> None:
    scale = parse_scale(f"{low}..{low + span}")
    found = read_label(low + at * span, scale)
    assert found is not None
    assert found[0] == pytest.approx(at, abs=1e-9)
    assert 0 <= found[0] <= 1


@pytest.mark.parametrize("text", ["2", "5-0", "0-0", "a-b", "", "0 to 5"])
def test_invalid_scale_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="LOW-HIGH such as 0-2"):
        parse_scale(text)


@pytest.mark.parametrize("text", ["yes/no", "Yes-No"])
def test_yes_no_scale_refuses_other_numbers(text: str) -> None:
    assert parse_scale(text) == BINARY


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([0, 1, "yes", None], BINARY),
        (["true", "no"], BINARY),
        ([], BINARY),
        (["what", 1], BINARY),
        ([0, 1, 5], LEVELS),
        (["3", "0.5"], LEVELS),
        ([9], LEVELS),
    ],
)
def test_the_scale_follows_from_all_numbers_of_a_source(values: list[object], scale: object) -> None:
    """A number that no scale holds does not change the guess: reported later, when it is read."""
    assert guess_scale(values) == scale


def test_fractions_need_an_explicit_scale() -> None:
    with pytest.raises(UsageError, match="give --label-scale 0-1 or --label-scale 0-5"):
        guess_scale([0, 0.5, 1])
