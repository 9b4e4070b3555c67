"""Keeping the key out of everything that a provider says, before it is shown or stored."""

import re
from typing import Generic, TypeVar

from karat.models.transport import Response, Transport, TransportError

Text = TypeVar("Text", str, bytes)

_SHORTEST = 8  # characters; shorter ones are stand-ins such as "none", for endpoints that want no key
_LONG = 16  # a shorter one without a digit is a stand-in too, such as "anything", and a word that replies may hold
_MASK = "***"


class Mask:
    """Puts `***` in the place of a key, however its characters are escaped: for JSON, for HTML or for URLs."""

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
        """The text without the key."""
        return self._texts.replace(text) if self._texts else text

    def body(self, body: bytes) -> bytes:
        """The body without the key; what was JSON still is."""
        return self._bodies.replace(body) if self._bodies else body


class _Finder(Generic[Text]):
    """A pattern that is only looked for where the key or a sign of an escape is."""

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
    """A transport over which the key is never heard, whatever the other side says."""

    def __init__(self, transport: Transport, mask: Mask) -> None:
        self._transport = transport
        self._mask = mask

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        """Carry a request; body, place of a redirect and error come back without the key."""
        try:
            response = await self._transport.send(method, url, headers, body)
        except TransportError as error:
            error.args = tuple(
                self._mask.text(part) if isinstance(part, str) else part for part in error.args
            )
            raise
        told, content = response.headers, self._mask.body(response.body)
        if "location" in told:
            told = told | {"location": self._mask.text(told["location"])}
        elif content is response.body:
            return response
        return Response(response.status, told, content)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._transport.close()


def _is_secret(key: str) -> bool:
    return len(key) >= _LONG or (len(key) >= _SHORTEST and any(map(str.isdigit, key)))


def _match_escaped(character: str) -> str:
    """A pattern for a character of ASCII in all its forms; each begins with a fixed one, which is quick to look for."""
    code = ord(character)
    plain = re.escape(character)
    slashed = "|/" if character == "/" else ""
    return rf"(?:{plain}|\\\\*(?:(?i:u00{code:02x}){slashed})|%(?i:{code:02x})|&#0*{code};|&#[xX]0*(?i:{code:x});)"
