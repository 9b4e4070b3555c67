"""Rows of a page: shortened, compressed, and unchanged after decompression."""

import base64
import gzip
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from making import keep_run, row, yes

from karat.report.page.browser import LONGEST, arrange, columns_of, in_blocks, pack, pack_items, shorten
from karat.store import Store


def unpack(packed: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@given(st.text(max_size=200), st.integers(1, 120))
def test_a_text_is_kept_or_is_a_beginning_with_its_length(text: str, most: int) -> None:
    short = shorten(text, most)
    if len(text.encode()) <= most:
        assert short == text
    else:
        beginning, length = short
        assert text.startswith(beginning)
        assert length == len(text)
        assert most - 3 <= len(beginning.encode()) <= most


def test_twenty_kilobytes_are_the_limit() -> None:
    assert shorten("x" * LONGEST) == "x" * 20_000
    assert shorten("x" * 20_001) == ("x" * 20_000, 20_001)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(), st.lists, max_leaves=20
    )
)
def test_packed_content_is_safe_in_html_and_survives_a_round_trip(content: Any) -> None:
    packed = pack(content)
    assert not set(packed) & set("<>&\"'")
    assert unpack(packed) == content


@given(st.lists(st.integers()), st.integers(1, 7))
def test_blocks_hold_everything_in_order(rows: list[int], size: int) -> None:
    blocks = list(in_blocks(rows, size))
    assert [one for block in blocks for one in block] == rows
    assert all(len(block) == size for block in blocks[:-1])
    assert all(blocks)


def test_records_become_columns() -> None:
    assert columns_of([{"a": 1, "b": 2}, {"a": 3, "b": 4}]) == {"a": [1, 3], "b": [2, 4]}
    assert columns_of([]) == {}


@given(st.integers(1, 60), st.integers(1, 60))
def test_a_page_holds_as_many_rows_as_it_says(rows: int, most: int) -> None:
    with Store(None) as store:
        run = keep_run(store, [row(number, f"a{number}") for number in range(rows)], [yes()] * rows)
        (shelf,) = arrange([run], most)
        blocks = [unpack(block.rows) for block in pack_items(store, [shelf], (), (), 4)]
        held = [one for block in blocks for one in block["id"]]
    assert len(held) == shelf.kept == min(rows, most)
    assert held == sorted(held, key=lambda name: int(name.removeprefix("row-")))
    assert len(set(held)) == len(held)
