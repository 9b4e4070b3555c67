"""Parts shared by the two formats: the encoded call, tolerant reading of bodies, token counts, error messages."""

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
    """The format of one provider, implemented by a module."""

    def make_headers(self, key: str | None) -> dict[str, str]:
        """Return the headers for all requests."""
        ...

    def encode(self, ask: Ask, endpoint: Endpoint, parameters: Parameters, quirks: Quirks) -> Call:
        """Encode a request; parameters that the endpoint is known to refuse are left out."""
        ...

    def decode(self, body: bytes) -> Completion:
        """Read a response; anything else is `Unreadable`."""
        ...


class Unreadable(Exception):  # noqa: N818 - caught inside karat.models, never shown to the user
    """The endpoint replied, but not in its format."""


def read_body(decoder: msgspec.json.Decoder[Format], body: bytes) -> Format:
    """Decode a body; one that is not in the format is `Unreadable`.

    Half surrogate pairs and invalid UTF-8 are replaced, so that the rest can be read.
    """
    try:
        return decoder.decode(body)
    except _FAULTS:
        mended = _ESCAPE.sub(_replace_half, body.decode(errors="replace").encode())
    try:
        return decoder.decode(mended)
    except _FAULTS as error:
        reason = f"the body cannot be read: {error}"
    raise Unreadable(reason)  # outside the handler: the error's traceback would keep the body in memory


def _replace_half(escape: re.Match[bytes]) -> bytes:
    return _REPLACEMENT if escape["half"] else escape[0]


def count(stated: int | None) -> int:
    """Return a count from a response; a missing or negative one is 0."""
    return min(max(stated or 0, 0), _MOST)


def read_usage(decoder: msgspec.json.Decoder[Format], usage: msgspec.Raw) -> Format | None:
    """Return the token usage in a response; None if it is missing or in another format."""
    try:
        return decoder.decode(usage)
    except _FAULTS:
        return None


def meter(given: float | None, made: float | None, text: str, cached: float | None = None) -> Spent:
    """Return the usage of a call by the endpoint's count; 0 tokens for a prompt or text means not counted."""
    if not _is_count(given) or not _is_count(made) or not given or (text and not made):
        return UNCOUNTED
    return Spent(1, int(given), int(min(given, cached)) if _is_count(cached) else 0, int(made))


def _is_count(stated: float | None) -> TypeGuard[float]:
    return stated is not None and 0 <= stated <= _MOST and stated == int(stated)


def fold_opened(prompt: Prompt) -> tuple[Message, ...]:
    """Append the prefilled assistant turn to the last message, for endpoints that do not support prefilling."""
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
