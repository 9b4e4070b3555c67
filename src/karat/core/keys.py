"""Content hashes: the same content always has the same key, on every machine."""

from hashlib import blake2b
from typing import Any

import msgspec

from karat.core.types import Item

_encoder = msgspec.json.Encoder(order="deterministic")


def hash_bytes(*parts: bytes) -> bytes:
    """Return a hash of 16 bytes over the parts and their boundaries."""
    framed = [piece for part in parts for piece in (len(part).to_bytes(8, "big"), part)]
    return blake2b(b"".join(framed), digest_size=16).digest()


def hash_content(content: Any) -> str:  # noqa: ANN401 - anything that JSON can hold
    """Return a hash of 32 hexadecimal digits of a JSON-compatible value; the order of keys does not matter."""
    return hash_bytes(_encoder.encode(content)).hex()


def hash_number(text: str) -> int:
    """Return a hash of a text as a number of 63 bits."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def item_key(item: Item) -> bytes:
    """Return the key of an item: a hash of its question, references and answer."""
    return hash_bytes(_encoder.encode((item.question, item.references, item.answer)))
