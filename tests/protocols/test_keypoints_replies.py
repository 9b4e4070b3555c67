"""How a reply to `keypoints` is read: a list of as many integers as there are items."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_texts import LONG_TEXTS, assert_read_fast, counts, read_values, replies

from example_lines import Line, check_lines
from karat.protocols import PROTOCOLS, Aligned

EXAMPLES = Path(__file__).with_name("keypoints_replies.jsonl")


def values(line: Line) -> object:
    return read_values("keypoints", line["text"], line["count"])


def test_a_list_of_the_right_length_is_read_and_values_off_the_scale_are_none() -> None:
    check_lines(EXAMPLES, values=values)


@pytest.mark.parametrize("text", ["4, 0, 5", "4, 0", "4, 0, ", "Question 1: 4\nQuestion 2: 0"])
def test_cut_list_counts_for_nothing(text: str) -> None:
    """A list that was cut could have gone on."""
    assert all(read_values("keypoints", text, count, cut=True) is None for count in (1, 2, 3))


def test_only_the_levels_of_the_wording_are_on_the_scale() -> None:
    assert PROTOCOLS["keypoints"].read("1, 3, 4", 3, levels=(1, 2, 3)) == Aligned((1, 3, None))


@given(replies, counts, st.booleans())
def test_any_text_is_read_without_an_error_and_on_the_scale(text: str, count: int, cut: bool) -> None:
    """Whatever a model says, the reader gives an integer from 0 to 5 or nothing for each item."""
    values = read_values("keypoints", text, count, cut=cut)
    assert values is None or all(value is None or value in range(6) for value in values)
    assert not any(isinstance(value, bool) for value in values or ())
    assert len(PROTOCOLS["keypoints"].locate(text, count)) == count


@given(
    st.lists(st.integers(-1, 12), min_size=1, max_size=8), counts, st.sampled_from([",", ", ", " ,\n", "\n"])
)
def test_list_is_read_value_by_value_or_not_at_all(numbers: list[int], count: int, separator: str) -> None:
    """Each number goes to the item in its place; a list of another length goes to nobody."""
    expected = tuple(number if number in range(6) else None for number in numbers)
    read = read_values("keypoints", separator.join(map(str, numbers)), count)
    assert read == (expected if len(numbers) == count else None)


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS.keys())
def test_long_replies_are_read_fast(text: str) -> None:
    """A hundred kilobytes of anything take no more than a moment."""
    assert_read_fast("keypoints", text)


@pytest.mark.parametrize("count", [1, 4])
def test_schema_holds_the_reply_to_the_count_and_the_levels(count: int) -> None:
    values = PROTOCOLS["keypoints"].schema(count, (0, 1))["properties"]["values"]
    assert values["minItems"] == values["maxItems"] == count
    assert values["items"]["enum"] == [0, 1]
