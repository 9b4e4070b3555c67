"""Mask the API key in everything that a provider returns."""

import re
from typing import Generic, TypeVar

from karat.models.transport import Response, Transport, TransportError

Text = TypeVar("Text", str, bytes)

_SHORTEST = 8  # characters; shorter keys are placeholders such as "none"
_LONG = 16  # a shorter key without a digit is a placeholder too, such as "anything"
_MASK = "***"


class Mask:
    """Replaces a key by `***`, also where its characters are escaped for JSON, HTML or URLs."""

    def __init__(self, key: str | None) -> None:
        self._texts: _Finder[str] | None = None
        self._bodies: _Finder[bytes] | None = None
        if key and _is_secret(key):
            pattern = "".join(map(_match_escaped, key))
            signs = ("\\u", "\\/", "%", "&#")
            self._texts = _Finder(re.compile(pattern), (key, *signs), _MASK)
            self._bodies = _Finder(
                re.compile(pattern.encode()),
                (key.encode(), *(sign.encode() for sign in signs)),
                _MASK.encode(),
            )

    def text(self, text: str) -> str:
        """Return the text without the key."""
        return self._texts.replace(text) if self._texts else text

    def body(self, body: bytes) -> bytes:
        """Return the body without the key; JSON stays JSON."""
        return self._bodies.replace(body) if self._bodies else body


class _Finder(Generic[Text]):
    """Searches for a pattern only in texts that contain the key or an escape character, for speed."""

    def __init__(self, pattern: re.Pattern[Text], signs: tuple[Text, ...], mask: Text) -> None:
        self._pattern = pattern
        self._signs = signs
        self._mask = mask

    def replace(self, text: Text) -> Text:
        for sign in self._signs:
            if sign in text:
                return self._pattern.sub(self._mask, text)
        return text


class MaskedTransport:
    """A transport whose responses and errors never contain the key."""

    def __init__(self, transport: Transport, mask: Mask) -> None:
        self._transport = transport
        self._mask = mask

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        """Send a request; mask the key in body, redirect location and error."""
        try:
            response = await self._transport.send(method, url, headers, body)
        except TransportError as error:
            error.args = tuple(
                self._mask.text(part) if isinstance(part, str) else part for part in error.args
            )
            raise
        received, content = response.headers, self._mask.body(response.body)
        if "location" in received:
            received = received | {"location": self._mask.text(received["location"])}
        elif content is response.body:
            return response
        return Response(response.status, received, content)

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()


def _is_secret(key: str) -> bool:
    return len(key) >= _LONG or (len(key) >= _SHORTEST and any(map(str.isdigit, key)))


def _match_escaped(character: str) -> str:
    """Return a pattern for an ASCII character in all its escaped forms."""
    code = ord(character)
    plain = re.escape(character)
    slashed = "|/" if character == "/" else ""
    return rf"(?:{plain}|\\\\*(?:(?i:u00{code:02x}){slashed})|%(?i:{code:02x})|&#0*{code};|&#[xX]0*(?i:{code:x});)"
