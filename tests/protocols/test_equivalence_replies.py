"""How a reply to `equivalence` is read: one integer on the scale, never clamped, never rounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_texts import LONG_TEXTS, assert_read_fast, counts, read_values, replies

from karat.protocols import PROTOCOLS, Aligned

ON_THE_SCALE = [
    *((str(level), level) for level in range(6)),
    ("4\n", 4), ("4.", 4), ("**4**", 4), ("`4`", 4), ('"4"', 4), ("```\n4\n```", 4), ("(4)", 4), ("_4_", 4),
    ("Score: 4", 4), ("score:4", 4), ("The score is 4.", 4), ("4 - mostly similar", 4), ("4: mostly similar", 4),
    ("<score>4</score>", 4), ("\\boxed{4}", 4), ('{"score": 4}', 4), ('{"score": "0"}', 0),
    ("4/5", 4), ("4 / 5", 4), ("4 out of 5", 4), ("5/5", 5), ("4\n\n4", 4),
    ("<think>3 or 2?</think>4", 4), ("3? no, 2.</think>\n4", 4), ("<reasoning>9</reasoning>0", 0),
]  # fmt: skip
NO_VALUE = [
    "9", "15", "-1", "−1", "–1", "+4", "4.5", "4,5", ".5", "5%", "5 %", "5 percent", "٤", "४", "GPT-4", "4½", "4 ½", "½",
    "4²", "4.0", "04", "4e0", "1e5", "x4", "4x", "4th", "4-5", "4–5", "4 to 5", "between 3 and 4", "4 5", "4, 5", "0-5",
    "4/10", "4 out of 10", "8/5", "4/5/2", "-4/5", "3.4/5", "GPT-4/5", "4/5.5", "6 out of 5", "2024", "5:30", "4+",
    "Score (0-5): 4", "3 of 4 points, so 4", '{"score": 4, "points": 3}', '{"score": 4.5}', "five", "V",
    "", " \n", "Yes", "N/A", "<html><head><title>502</title></head></html>", "HTTP/1.1 500 Internal Server Error",
    "I'm sorry, but I can't rate this a 5.", "I cannot give a score from 0 to 5.", "As an AI, I would say 3.",
    "<think>surely 4", "4</think>", '{"score": ',
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), ON_THE_SCALE)
def test_the_one_integer_is_read(text: str, value: int) -> None:
    """Prose, fences, labels and thinking around the one integer do no harm."""
    assert read_values("equivalence", text, 1) == (value,)


@pytest.mark.parametrize("text", NO_VALUE)
def test_what_is_no_integer_on_the_scale_has_no_value(text: str) -> None:
    """Off the scale, a fraction, a range, several numbers or none: no value, nothing clamped or rounded."""
    assert read_values("equivalence", text, 1) == (None,)


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
