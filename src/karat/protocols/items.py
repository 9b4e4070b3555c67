"""How an item's text is put into a prompt: as data that cannot pass for anything else."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from karat.core.keys import hash_bytes, item_key
from karat.core.types import Item, Value
from karat.protocols.protocol import Aligned, Misaligned, Reading
from karat.text import strip_invisible

_encoder = msgspec.json.Encoder()


def quote(text: str) -> str:
    """Write text as a JSON string on one line: no heading, brace or tag in it can stand by itself."""
    return _encoder.encode(strip_invisible(text)).decode()


def quote_references(references: tuple[str, ...]) -> str:
    """Write one reference as a string, several as a list."""
    if len(references) == 1:
        return quote(references[0])
    return "[" + ", ".join(quote(reference) for reference in references) + "]"


def plain_reference(references: tuple[str, ...]) -> str:
    """Write several references into one field, marked as alternatives."""
    if len(references) == 1:
        return strip_invisible(references[0])
    listed = "\n".join(f"({number}) {strip_invisible(text)}" for number, text in enumerate(references, 1))
    return f"Any one of these alternatives is a full answer:\n{listed}"


def defuse(text: str, tags: frozenset[str]) -> str:
    """Take the meaning from look-alikes of the tags that fence a field."""
    if not tags or "<" not in text:
        return text
    pattern = r"<(?=\s*/?\s*(?:" + "|".join(map(re.escape, sorted(tags))) + r")\b)"
    return re.sub(pattern, "‹", text, flags=re.IGNORECASE)


class PlainFields(NamedTuple):
    """An item as plain text for wordings that fence its fields with tags."""

    question: str
    reference: str
    answer: str
    references: list[str]


def plain_fields(item: Item, tags: frozenset[str]) -> PlainFields:
    """Clean every field and take the meaning from tags in it."""
    return PlainFields(
        defuse(strip_invisible(item.question or ""), tags),
        defuse(plain_reference(item.references), tags),
        defuse(strip_invisible(item.answer), tags),
        [defuse(strip_invisible(reference), tags) for reference in item.references],
    )


_LETTERS = "bcdfghjklmnpqrstvwxz"
_LENGTH = 6
_KEY = re.compile(rf"answer[\s_]*([0-9]{{1,4}})(?:\s+([{_LETTERS}]{{{_LENGTH}}}))?:?", re.IGNORECASE)


def draw_ids(items: Sequence[Item]) -> tuple[str, ...]:
    """An id for each item, drawn from the contents of the whole batch: whoever wrote one item cannot tell the ids of the others."""
    whole = b"".join(item_key(item) for item in items)
    return tuple(_spell(hash_bytes(whole, str(place).encode())) for place in range(len(items)))


def _spell(digest: bytes) -> str:
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_LENGTH])


def name_keys(count: int, ids: Sequence[str] = ()) -> list[str]:
    """The keys of a reply object."""
    plain = [f"Answer {number}" for number in range(1, count + 1)]
    return [f"{key} {one}" for key, one in zip(plain, ids, strict=True)] if ids else plain


def align(pairs: Sequence[tuple[str, Value | None]], count: int, ids: Sequence[str] = ()) -> Reading:
    """Lay the pairs of a reply object against the items; one key that fits no item makes all of it worthless.

    An endpoint that cannot be held to a schema answers without ids: either all keys have theirs, or none.
    """
    values: dict[int, Value | None] = {}
    named = 0
    for key, value in pairs:
        found = _KEY.fullmatch(key.strip())
        number = int(found[1]) if found else 0
        if found is None or not 1 <= number <= count or (found[2] and not _fits(found[2], number, ids)):
            return Misaligned(f"unknown key {key[:40]!r}")
        if number in values:
            return Misaligned(f'"Answer {number}" stands there twice')
        named += found[2] is not None
        values[number] = value
    if 0 < named < len(values):
        return Misaligned("some keys have an id and some have none")
    return Aligned(tuple(values.get(number) for number in range(1, count + 1)))


def _fits(given: str, number: int, ids: Sequence[str]) -> bool:
    return number <= len(ids) and given.lower() == ids[number - 1]


def locate_value(body: str, number: int) -> int | None:
    """Find the first letter or digit of the value of an item, where its key stands once."""
    pattern = rf"[\"']answer[\s_]*{number}(?:\s+[a-z]+)?[\"']\s*:\s*[\"']?(?=[A-Za-z0-9])"
    found = list(re.finditer(pattern, body, re.IGNORECASE))
    return found[0].end() if len(found) == 1 else None
