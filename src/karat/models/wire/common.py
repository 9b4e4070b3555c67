"""What the two formats share: the encoded call, tolerant reading of bodies, token counts, complaints."""

import re
from typing import Any, Protocol, TypeGuard, TypeVar, cast

import msgspec
from msgspec import Struct

from karat.core.flow import Ask, Completion, Message, Prompt
from karat.core.types import UNCOUNTED, Spent
from karat.models.endpoint import Endpoint, Parameters, Quirks

Format = TypeVar("Format")
BASE_HEADERS = {"content-type": "application/json", "accept": "application/json"}
_MOST = 2**53
_FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_REPLACEMENT = rb"\ufffd"
_anything = msgspec.json.Decoder[Any]()


class Call(Struct, frozen=True):
    """A request body, and the names of the optional parameters that are in it."""

    path: str
    body: dict[str, Any]
    sent: frozenset[str]


class Codec(Protocol):
    """The format of one provider, as a module has it."""

    def make_headers(self, key: str | None) -> dict[str, str]:
        """Return the headers of every request."""
        ...

    def encode(self, ask: Ask, endpoint: Endpoint, parameters: Parameters, quirks: Quirks) -> Call:
        """Write a request; parameters that the endpoint is known to refuse are left out."""
        ...

    def decode(self, body: bytes) -> Completion:
        """Read a response; anything else is `Unreadable`."""
        ...


class Unreadable(Exception):  # noqa: N818 - not the user's error, and never leaves this room
    """The endpoint answered, but not in its own format."""


def read_body(decoder: msgspec.json.Decoder[Format], body: bytes) -> Format:
    """Decode a body; one that is not in the format is `Unreadable`.

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


def count(stated: int | None) -> int:
    """Return a count as an endpoint states it; a missing or negative one is 0."""
    return min(max(stated or 0, 0), _MOST)


def read_usage(decoder: msgspec.json.Decoder[Format], usage: msgspec.Raw) -> Format | None:
    """Return the token usage that an endpoint states; None if there is none in its own format."""
    try:
        return decoder.decode(usage)
    except _FAULTS:
        return None


def meter(given: float | None, made: float | None, text: str, cached: float | None = None) -> Spent:
    """Return what a call used by the endpoint's count; a prompt or a text of 0 tokens means not counted."""
    if not _is_count(given) or not _is_count(made) or not given or (text and not made):
        return UNCOUNTED
    return Spent(1, int(given), int(min(given, cached)) if _is_count(cached) else 0, int(made))


def _is_count(stated: float | None) -> TypeGuard[float]:
    return stated is not None and 0 <= stated <= _MOST and stated == int(stated)


def fold_opened(prompt: Prompt) -> tuple[Message, ...]:
    """Return the messages with the opened assistant turn appended to the last one, for endpoints that do not continue it."""
    if prompt.opened is None:
        return prompt.messages
    *before, last = prompt.messages
    return (*before, Message(last.role, f"{last.text}\n\n{prompt.opened}", last.stable))


def find_complaint(body: bytes) -> str:
    """Return the endpoint's error message on one line."""
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
