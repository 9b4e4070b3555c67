"""What the two wire formats have in common: the encoded call and the faults of a reply."""

from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from karat.core.exchange import Message, Prompt

Format = TypeVar("Format")
_MOST = 2**53


class Call(Struct, frozen=True):
    """A request body with the names of the optional things that are in it."""

    path: str
    body: dict[str, Any]
    sent: frozenset[str]


class Unreadable(Exception):  # noqa: N818 - not the user's error, and never leaves this room
    """The endpoint answered, but not in its own format."""


def read_body(decoder: msgspec.json.Decoder[Format], body: bytes) -> Format:
    """Decode a body; whatever it holds instead of the format is `Unreadable`."""
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"the body cannot be read: {error}") from error


def count(tokens: int | None) -> int:
    """A number of tokens as an endpoint tells it: one that is missing or negative counts nothing."""
    return min(max(tokens or 0, 0), _MOST)


def fold_opened(prompt: Prompt) -> tuple[Message, ...]:
    """Put an opened assistant turn at the end of the last turn, for endpoints that do not continue it."""
    if prompt.opened is None:
        return prompt.messages
    *before, last = prompt.messages
    return (*before, Message(last.role, f"{last.text}\n\n{prompt.opened}", last.stable))


def find_complaint(body: bytes) -> str:
    """The endpoint's own words about what went wrong, on one line."""
    try:
        content = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        content = body[:300].decode(errors="replace")
    if isinstance(content, dict):
        content = cast("dict[str, Any]", content)
        content = content.get("error") or content
    if isinstance(content, dict):
        parts = (cast("dict[str, Any]", content).get(key) for key in ("message", "detail", "param", "code"))
        content = " ".join(str(part) for part in parts if part)
    return " ".join(str(content).split())[:500]
