"""Rows on their way into a page: blocks of columns, compressed, as text that an HTML file can hold."""

import base64
import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

LONGEST = 20_000
Text: TypeAlias = str | tuple[str, int]
_encode = msgspec.json.Encoder().encode


def shorten(text: str, most: int = LONGEST) -> Text:
    """A text of at most so many bytes; a longer one is its beginning with the number of its characters."""
    if len(text) * 4 <= most or len(raw := text.encode()) <= most:
        return text
    return raw[:most].decode(errors="ignore"), len(text)


def pack(content: Any) -> str:  # noqa: ANN401 - anything that JSON can hold
    """JSON, compressed, in letters that no HTML parser takes for its own."""
    return base64.b64encode(gzip.compress(_encode(content), mtime=0)).decode()


def columns_of(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Records of the same fields as one list per field: what is alike stands together and packs well."""
    return {name: [record[name] for record in records] for name in records[0]} if records else {}


def in_blocks(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """The rows in lists of one size, and the rest."""
    block = list[Any]()
    for row in rows:
        block.append(row)
        if len(block) == size:
            yield block
            block = []
    if block:
        yield block
