"""How a reply to `match` is read: one JSON object, every item exactly once, never a guess."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_texts import LONG_TEXTS, assert_read_fast, counts, read_values, replies

from example_lines import Line, check_lines
from karat.protocols import PROTOCOLS

EXAMPLES = Path(__file__).with_name("match_replies.jsonl")


def values(line: Line) -> object:
    return read_values("match", line["text"], line["count"])


def values_if_cut(line: Line) -> object:
    """Read a reply that was cut, whether or not the server says so."""
    found, unsaid = (read_values("match", line["text"], line["count"], cut=cut) for cut in (True, False))
    assert found == unsaid
    return found


def test_a_value_is_read_where_exactly_one_reading_fits_and_from_closed_pairs_of_a_cut_reply() -> None:
    check_lines(EXAMPLES, values=values, values_if_cut=values_if_cut)


@given(replies, counts, st.booleans())
def test_any_text_is_read_without_an_error_and_on_the_scale(text: str, count: int, cut: bool) -> None:
    """Whatever a model says, the reader gives True, False or nothing for each item."""
    values = read_values("match", text, count, cut=cut)
    assert values is None or all(value is None or isinstance(value, bool) for value in values)
    places = PROTOCOLS["match"].locate(text, count)
    assert len(places) == count
    assert all(place is None or 0 <= place < len(text) for place in places)


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.data())
def test_prefix_of_a_good_reply_never_gives_another_value(values: list[bool], data: st.DataObject) -> None:
    """Wherever a good reply is cut, each item has its own value or none."""
    pairs = [f'"Answer {number}": "{"Yes" if value else "No"}"' for number, value in enumerate(values, 1)]
    text = "{" + ", ".join(data.draw(st.permutations(pairs))) + "}"
    cut = text[: data.draw(st.integers(0, len(text)))]
    read = read_values("match", cut, len(values), cut=True)
    assert read is not None
    assert all(got in (None, true) for got, true in zip(read, values, strict=True))
    assert sum(got is not None for got in read) == cut.count(",") + cut.count("}")


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.text(alphabet="{}[]:,\"'abc 1\n", max_size=20))
def test_noise_around_a_good_reply_never_changes_a_value(values: list[bool], noise: str) -> None:
    """Noise before or after the object may cost the reading, but not turn a value."""
    object_ = (
        "{" + ", ".join(f'"Answer {n}": "{"Yes" if v else "No"}"' for n, v in enumerate(values, 1)) + "}"
    )
    for text in (noise + object_, object_ + noise, noise + object_ + noise):
        read = read_values("match", text, len(values)) or ()
        assert all(got in (None, true) for got, true in zip(read, values, strict=False))


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS.keys())
def test_long_replies_are_read_fast(text: str) -> None:
    """A hundred kilobytes of anything take no more than a moment."""
    assert_read_fast("match", text)


@pytest.mark.parametrize("count", [1, 2, 8])
def test_schema_asks_for_exactly_the_keys_that_the_reader_takes(count: int) -> None:
    schema = PROTOCOLS["match"].schema(count)
    keys = [f"Answer {number}" for number in range(1, count + 1)]
    assert schema["required"] == list(schema["properties"]) == keys
    assert schema["additionalProperties"] is False
    assert all(field["enum"] == ["Yes", "No"] for field in schema["properties"].values())
