"""How a reply to `equivalence` is read: one integer on the scale, never clamped, never rounded."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_texts import LONG_TEXTS, assert_read_fast, counts, read_values, replies

from example_lines import Line, check_lines
from karat.protocols import PROTOCOLS, Aligned

EXAMPLES = Path(__file__).with_name("equivalence_replies.jsonl")


def value(line: Line) -> object:
    read = read_values("equivalence", line["text"], 1)
    assert read is not None
    return read[0]


def test_the_one_integer_on_the_scale_is_read_and_nothing_is_clamped_or_rounded() -> None:
    check_lines(EXAMPLES, value=value)


@pytest.mark.parametrize("text", ["4", "Score: 4", "4 because the ans", "The 4"])
def test_cut_reply_has_no_value(text: str) -> None:
    """What the model would have gone on to write could change the number."""
    assert read_values("equivalence", text, 1, cut=True) == (None,)


@pytest.mark.parametrize(("text", "value"), [("1", 1), ("3", 3), ("0", None), ("4", None), ("5", None)])
def test_only_the_levels_of_the_wording_are_on_the_scale(text: str, value: int | None) -> None:
    assert PROTOCOLS["equivalence"].read(text, 1, levels=(1, 2, 3)) == Aligned((value,))


def test_one_integer_never_answers_several_items() -> None:
    """An integer is about one item; it is not handed to others."""
    assert read_values("equivalence", "4", 2) is None


@given(replies, counts, st.booleans())
def test_any_text_is_read_without_an_error_and_on_the_scale(text: str, count: int, cut: bool) -> None:
    """Whatever a model says, the reader gives an integer from 0 to 5 or nothing."""
    values = read_values("equivalence", text, count, cut=cut)
    assert values is None or all(value is None or value in range(6) for value in values)
    assert not any(isinstance(value, bool) for value in values or ())


@given(st.integers() | st.floats(allow_nan=False).map(str) | st.decimals(allow_nan=False))
def test_number_off_the_scale_is_never_a_value(number: object) -> None:
    """A number is read as itself or not at all."""
    text = str(number)
    expected = int(text) if text in {"0", "1", "2", "3", "4", "5"} else None
    assert read_values("equivalence", text, 1) == (expected,)


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS.keys())
def test_long_replies_are_read_fast(text: str) -> None:
    """A hundred kilobytes of anything take no more than a moment."""
    assert_read_fast("equivalence", text)


def test_schema_holds_the_reply_to_the_levels() -> None:
    schema = PROTOCOLS["equivalence"].schema(1, (1, 2, 3))
    assert schema["properties"]["score"]["enum"] == [1, 2, 3]
    assert schema["required"] == ["score"]
