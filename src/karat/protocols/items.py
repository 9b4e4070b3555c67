"""Write items into a prompt, quoted so that their text cannot act as instructions, and match the keys of a reply with them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from karat.core.keys import hash_bytes, item_key
from karat.core.types import Item, Value
from karat.protocols.protocol import Aligned, Misaligned, Reading
from karat.text import strip_invisible

_encoder = msgspec.json.Encoder()
_LETTERS = "bcdfghjklmnpqrstvwxz"
_LENGTH = 6
_KEY = re.compile(rf"answer[\s_]*([0-9]{{1,4}})(?:\s+([{_LETTERS}]{{{_LENGTH}}}))?:?", re.IGNORECASE)


def quote(text: str) -> str:
    """Write text as a JSON string on one line, so that no heading, brace or tag in it has an effect."""
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
    """Replace the opening bracket of tags that could close a field."""
    if not tags or "<" not in text:
        return text
    pattern = r"<(?=\s*/?\s*(?:" + "|".join(map(re.escape, sorted(tags))) + r")\b)"
    return re.sub(pattern, "‹", text, flags=re.IGNORECASE)


class PlainFields(NamedTuple):
    """An item as plain text, for wordings that enclose its fields in tags."""

    question: str
    reference: str
    answer: str
    references: list[str]


def plain_fields(item: Item, tags: frozenset[str]) -> PlainFields:
    """Return every field cleaned, with such tags replaced."""
    return PlainFields(
        defuse(strip_invisible(item.question or ""), tags),
        defuse(plain_reference(item.references), tags),
        defuse(strip_invisible(item.answer), tags),
        [defuse(strip_invisible(reference), tags) for reference in item.references],
    )


def draw_ids(items: Sequence[Item]) -> tuple[str, ...]:
    """Return an id for each item, by a hash of the whole batch, so that no item can predict the ids of the others."""
    whole = b"".join(item_key(item) for item in items)
    return tuple(_spell(hash_bytes(whole, str(place).encode())) for place in range(len(items)))


def _spell(digest: bytes) -> str:
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_LENGTH])


def name_keys(count: int, ids: Sequence[str] = ()) -> list[str]:
    """Return the keys of a reply object."""
    plain = [f"Answer {number}" for number in range(1, count + 1)]
    return [f"{key} {one}" for key, one in zip(plain, ids, strict=True)] if ids else plain


def align(pairs: Sequence[tuple[str, Value | None]], count: int, ids: Sequence[str] = ()) -> Reading:
    """Match the pairs of a reply object with the items; if one key matches no item, none of the values counts.

    An endpoint without structured output replies without ids: either all keys have one, or none.
    """
    values: dict[int, Value | None] = {}
    named = 0
    for key, value in pairs:
        found = _KEY.fullmatch(key.strip())
        number = int(found[1]) if found else 0
        if found is None or not 1 <= number <= count or (found[2] and not _fits(found[2], number, ids)):
            return Misaligned(f"unknown key {key[:40]!r}")
        if number in values:
            return Misaligned(f'"Answer {number}" occurs twice')
        named += found[2] is not None
        values[number] = value
    if 0 < named < len(values):
        return Misaligned("some keys have an id and some have none")
    return Aligned(tuple(values.get(number) for number in range(1, count + 1)))


def _fits(given: str, number: int, ids: Sequence[str]) -> bool:
    return number <= len(ids) and given.lower() == ids[number - 1]


def locate_value(body: str, number: int) -> int | None:
    """Return where the value of an item begins, if its key occurs once."""
    pattern = rf"[\"']answer[\s_]*{number}(?:\s+[a-z]+)?[\"']\s*:\s*[\"']?(?=[A-Za-z0-9])"
    found = list(re.finditer(pattern, body, re.IGNORECASE))
    return found[0].end() if len(found) == 1 else None
