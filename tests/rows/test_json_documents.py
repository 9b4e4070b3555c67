"""JSON arrays and documents are read in pieces."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.errors import UsageError
from karat.rows import BadRow
from karat.rows.containers.json_documents import find_records, number_elements, read_document
from karat.rows.containers.json_values import Cursor, end, read_elements

TEXTS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(['"', "\\", '\\"', "},{", '"},{"id":"', "[[{", "]", "\u2028", "{" * 40, "é🎡", "\n"]),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["id", "a", "},{", 'q"']) | TEXTS, inner, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip
ELEMENTS = st.lists(st.one_of(st.fixed_dictionaries({"id": VALUES, "b": VALUES}), VALUES), max_size=8)
SHAPES = st.sampled_from(
    [{}, {"indent": 1}, {"indent": "\t"}, {"separators": (",", ":")}, {"separators": (" ,\r\n", " : ")}]
)
SPACE = st.text(alphabet=" \t\r\n", max_size=3)
PIECES = st.sampled_from([1, 2, 3, 7, 50, 10_000])


def read_array(text: bytes, piece: int) -> list[Any]:
    cursor = Cursor(io.BytesIO(text), "in.json", piece=piece)
    found = list(read_elements(cursor))
    end(cursor)
    return found


def write(value: object, shape: dict[str, Any], *, ascii_only: bool) -> bytes:
    return json.dumps(value, ensure_ascii=ascii_only, **shape).encode()


@given(ELEMENTS, SHAPES, st.booleans(), SPACE, SPACE, PIECES)
def test_an_array_is_the_same_in_pieces_of_any_size(
    elements: list[Any], shape: dict[str, Any], ascii_only: bool, before: str, after: str, piece: int
) -> None:
    text = before.encode() + write(elements, shape, ascii_only=ascii_only) + after.encode()
    assert read_array(text, piece) == json.loads(text)


@given(ELEMENTS, SHAPES, PIECES, st.data())
def test_a_truncated_array_is_an_error_of_one_line_with_the_place(
    elements: list[Any], shape: dict[str, Any], piece: int, data: st.DataObject
) -> None:
    text = write(elements, shape, ascii_only=False)
    cut = data.draw(st.integers(1, len(text) - 1))
    with pytest.raises(UsageError, match=r"^in\.json:\d+: broken JSON: .* \(byte [\d,]+\)$"):
        read_array(text[:cut], piece)


@given(ELEMENTS, PIECES, st.sampled_from([b"]", b"{}", b",", b"[1]", b"x", b'"']))
def test_anything_after_the_array_is_an_error(elements: list[Any], piece: int, rest: bytes) -> None:
    with pytest.raises(UsageError, match=r"after the end \(byte"):
        read_array(write(elements, {}, ascii_only=False) + b"\n" + rest, piece)


@given(st.lists(VALUES, min_size=1, max_size=4), st.lists(VALUES, max_size=4), PIECES)
def test_one_broken_element_spoils_no_other(before: list[Any], after: list[Any], piece: int) -> None:
    parts = [*(json.dumps(one) for one in before), '{"a": "\\ud800"}', *(json.dumps(one) for one in after)]
    found = list(number_elements(iter(read_array(f"[{','.join(parts)}]".encode(), piece))))
    assert len(found) == len(parts)
    assert found[len(before)] == BadRow(len(before) + 1, "half a surrogate pair is no text")


@given(
    ELEMENTS, SHAPES, st.dictionaries(TEXTS, VALUES, max_size=3), st.dictionaries(TEXTS, VALUES, max_size=3)
)
def test_a_list_in_a_document_is_the_same_as_alone(
    elements: list[Any], shape: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> None:
    rows = [{"id": 0}, *elements]
    table = {**before, "rows_of_this": rows, **{key: one for key, one in after.items() if key not in before}}
    text = write(table, shape, ascii_only=False)
    place = ("rows_of_this",)
    head = find_records(io.BytesIO(text), "in.json", {place})
    assert head.place == place
    found = list(read_document(io.BytesIO(text), "in.json", place, {}))
    assert found == list(number_elements(iter(rows)))


def test_the_only_list_of_objects_is_found() -> None:
    text = json.dumps({"name": "x", "made": {"tags": ["a"]}, "rows": [{"a": 1}], "total": 1}).encode()
    assert find_records(io.BytesIO(text), "in.json", ()).place == ("rows",)


def test_of_two_lists_none_is_chosen() -> None:
    text = json.dumps({"left": [{"a": 1}], "right": [{"a": 1}]}).encode()
    with pytest.raises(UsageError, match=r"several lists of objects \('left', 'right'\)"):
        find_records(io.BytesIO(text), "in.json", ())


def test_an_element_with_a_text_beyond_the_limit_is_passed_over() -> None:
    text = b'[{"a": "' + b"\\\\x" * (6 * 2**20) + b'"}, {"a": 1}]'
    unread, element = read_array(text, 2**18)
    assert "the limit is 16 MB" in unread.problem
    assert element == {"a": 1}
