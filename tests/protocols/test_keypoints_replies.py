"""How a reply to `keypoints` is read: a list of as many integers as there are items."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_texts import LONG_TEXTS, assert_read_fast, counts, read_values, replies

from karat.protocols import PROTOCOLS, Aligned

MISALIGNED = None

LISTS = [
    ("4", 1, (4,)),
    ("4, 0, 5", 3, (4, 0, 5)),
    ("4,0,5", 3, (4, 0, 5)),
    ("4, 0, 5.", 3, (4, 0, 5)),
    ("4 , 0 , 5\n", 3, (4, 0, 5)),
    ("4, \n0, \n5", 3, (4, 0, 5)),
    ("4\n0\n5", 3, (4, 0, 5)),
    ("4\r\n0\r\n5\r\n", 3, (4, 0, 5)),
    ("[4, 0, 5]", 3, (4, 0, 5)),
    ("(4, 0, 5)", 3, (4, 0, 5)),
    ("```\n4, 0, 5\n```", 3, (4, 0, 5)),
    ("**4, 0, 5**", 3, (4, 0, 5)),
    ('{"values": [4, 0, 5]}', 3, (4, 0, 5)),
    ("Values: 4, 0, 5", 3, (4, 0, 5)),
    ("Here are the values:\n\n4, 0, 5\n\nLet me know!", 3, (4, 0, 5)),
    ("4, 0, 5,", 3, (4, 0, 5)),
    ("<think>3, 3, 3</think>4, 0, 5", 3, (4, 0, 5)),
    ("3, 3, 3? no</think>4, 0, 5", 3, (4, 0, 5)),
    ("<think>4, 0, 5", 3, MISALIGNED),
]
LABELLED = [
    ("Question 1: 4\nQuestion 2: 0\nQuestion 3: 5", 3, (4, 0, 5)),
    ("Question 1: 4, Question 2: 0, Question 3: 5.", 3, (4, 0, 5)),
    ("1: 4\n2: 0", 2, (4, 0)),
    ("1) 4\n2) 0", 2, (4, 0)),
    ("Q1 -> 4; Q2 -> 0", 2, (4, 0)),
    ("```\nQuestion 1: 4\n```", 1, (4,)),
    ("Question 1: 4\nQuestion 2: 9", 2, (4, None)),
    ("Question 1: 4.5\nQuestion 2: .5", 2, (None, None)),
    ("Question 1: 4\nQuestion 3: 5", 2, MISALIGNED),
    ("Question 2: 4\nQuestion 1: 5", 2, MISALIGNED),
    ("Question 1: 4\nQuestion 1: 5", 2, MISALIGNED),
    ("Question 1: 4", 2, MISALIGNED),
    ("Question 1: 4\nQuestion 2: 0", 1, MISALIGNED),
    ("Question 1: 4\nQuestion 2: none", 2, MISALIGNED),
]
OFF_THE_SCALE = [
    ("9, 15, -1", 3, (None, None, None)),
    ("4, 4.5, 3", 3, (4, None, 3)),
    ("4, 5%, 3", 3, (4, None, 3)),
    ("4, .5, 3", 3, (4, None, 3)),
    ("4, ٤, 3", 3, (4, None, 3)),
    ("4, 4½, 3", 3, (4, None, 3)),
    ("4, GPT-4, 3", 3, (4, None, 3)),
    ("4.5", 1, (None,)),
    ("15", 1, (None,)),
]
WRONG_LENGTH = [
    ("4, 0", 3),
    ("4, 0, 5, 3", 3),
    ("4,5", 1),
    ("4", 2),
    ("", 1),
    ("", 3),
    ("4, good, 5", 2),
    ("4, good, 5", 3),
    ("4, 0, good", 2),
    ("4, 0, N/A", 2),
    ("N/A, 4, 0", 2),
    ("four, 0", 1),
    ("4, , 5", 2),
    ("4, -, 5", 2),
    ("4 0 5", 3),
    ("4, 0\n5, 3", 4),
    ("4, 0\n\n4, 0", 2),
    ("3 values: 4, 0, 5", 3),
    ("3 values: 4, 0, 5", 4),
    ("4 (two missing), 5 (none missing)", 2),
    ("Points: 4 of 5", 1),
    ("Points: 4 of 5", 2),
    ("I'm sorry, but I can't grade these 3", 1),
    ("<html><h1>502 Bad Gateway</h1></html>", 2),
    ("yes", 1),
]


@pytest.mark.parametrize(("text", "count", "expected"), [*LISTS, *LABELLED, *OFF_THE_SCALE])
def test_reply_is_read_as_the_protocol_demands(
    text: str, count: int, expected: tuple[int | None, ...] | None
) -> None:
    """One list of the right length is read, values off the scale are none."""
    assert read_values("keypoints", text, count) == expected


@pytest.mark.parametrize(("text", "count"), WRONG_LENGTH)
def test_list_of_the_wrong_length_aligns_nothing(text: str, count: int) -> None:
    """Where it is unclear which number belongs to which item, none of them counts."""
    assert read_values("keypoints", text, count) is None


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
