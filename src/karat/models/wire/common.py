"""What the two wire formats have in common: the encoded call and the faults of a reply."""

import re
from typing import Any, TypeGuard, TypeVar, cast

import msgspec
from msgspec import Struct

from karat.core.exchange import Message, Prompt
from karat.core.types import UNCOUNTED, Spent

Format = TypeVar("Format")
_MOST = 2**53
_FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_REPLACEMENT = rb"\ufffd"
_anything = msgspec.json.Decoder[Any]()


class Call(Struct, frozen=True):
    """A request body with the names of the optional things that are in it."""

    path: str
    body: dict[str, Any]
    sent: frozenset[str]


class Unreadable(Exception):  # noqa: N818 - not the user's error, and never leaves this room
    """The endpoint answered, but not in its own format."""


def read_body(decoder: msgspec.json.Decoder[Format], body: bytes) -> Format:
    """Decode a body; whatever it holds instead of the format is `Unreadable`.

    Halves of surrogate pairs and bytes that are not UTF-8 are replaced, so that the rest is read.
    """
    try:
        return decoder.decode(body)
    except _FAULTS:
        mended = _ESCAPE.sub(_replace_half, body.decode(errors="replace").encode())
    try:
        return decoder.decode(mended)
    except _FAULTS as error:
        reason = f"the body cannot be read: {error}"
    raise Unreadable(reason)  # outside of the handler: the error's traceback holds on to the body


def _replace_half(escape: re.Match[bytes]) -> bytes:
    return _REPLACEMENT if escape["half"] else escape[0]


def count(things: int | None) -> int:
    """A number of things as an endpoint tells it: one that is missing or negative counts nothing."""
    return min(max(things or 0, 0), _MOST)


def read_usage(decoder: msgspec.json.Decoder[Format], usage: msgspec.Raw) -> Format | None:
    """What an endpoint tells of tokens; None where it tells nothing, or not in its own format."""
    try:
        return decoder.decode(usage)
    except _FAULTS:
        return None


def meter(given: float | None, made: float | None, text: str, cached: float | None = None) -> Spent:
    """What a call took by the endpoint's count; a prompt or a text of no tokens is no count at all."""
    if not _is_count(given) or not _is_count(made) or not given or (text and not made):
        return UNCOUNTED
    return Spent(1, int(given), int(min(given, cached)) if _is_count(cached) else 0, int(made))


def _is_count(told: float | None) -> TypeGuard[float]:
    return told is not None and 0 <= told <= _MOST and told == int(told)


def fold_opened(prompt: Prompt) -> tuple[Message, ...]:
    """Put an opened assistant turn at the end of the last turn, for endpoints that do not continue it."""
    if prompt.opened is None:
        return prompt.messages
    *before, last = prompt.messages
    return (*before, Message(last.role, f"{last.text}\n\n{prompt.opened}", last.stable))


def find_complaint(body: bytes) -> str:
    """The endpoint's own words about what went wrong, on one line."""
    try:
        content = read_body(_anything, body)
    except Unreadable:
        content = body[:300].decode(errors="replace")
    if isinstance(content, dict):
        content = cast("dict[str, Any]", content)
        content = content.get("error") or content
    if isinstance(content, dict):
        parts = (cast("dict[str, Any]", content).get(key) for key in ("message", "detail", "param", "code"))
        content = " ".join(str(part) for part in parts if part)
    return " ".join(str(content).split())[:500]
