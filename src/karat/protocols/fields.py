"""How an item's text is put into a prompt: as data that cannot pass for anything else."""

import re
from typing import NamedTuple

import msgspec

from karat.core.types import Item
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
