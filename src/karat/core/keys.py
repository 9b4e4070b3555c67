"""Content hashes: the same content has the same key on every machine and every day."""

from hashlib import blake2b
from typing import Any

import msgspec

from karat.core.types import Item

_encoder = msgspec.json.Encoder(order="deterministic")


def hash_bytes(*parts: bytes) -> bytes:
    """Sixteen bytes that depend on every part and on where one part ends and the next begins."""
    framed = [piece for part in parts for piece in (len(part).to_bytes(8, "big"), part)]
    return blake2b(b"".join(framed), digest_size=16).digest()


def hash_content(content: Any) -> str:  # noqa: ANN401 - anything that JSON can hold
    """Thirty-two hexadecimal digits of a JSON-compatible value, whatever the order of its keys."""
    return hash_bytes(_encoder.encode(content)).hex()


def hash_number(text: str) -> int:
    """A number that stands for a text, the same on every machine and every day, within 63 bits."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def item_key(item: Item) -> bytes:
    """The identity of an item: its question, references and answer, and nothing else."""
    return hash_bytes(_encoder.encode((item.question, item.references, item.answer)))
