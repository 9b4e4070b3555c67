"""One HTTP/1.1 connection, which carries one request at a time."""

import asyncio
import zlib
from typing import TYPE_CHECKING, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from karat.models.address import Route
from karat.models.response import Response

if TYPE_CHECKING:
    import ssl

_OK = 200
_FINE = range(200, 300)
_EYEBALLS_SECONDS = 0.25
_PACKED = ("gzip", "x-gzip", "deflate")
_EITHER_FORM = 47  # gzip or deflate, as the data say


class BrokenError(Exception):
    """The connection ended, or what came over it is no HTTP."""


class Connection(asyncio.Protocol):
    """Sends a request and reads its response as the bytes come in, by llhttp."""

    def __init__(self) -> None:
        self.free_since = 0.0
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parser = HttpResponseParser(self)
        self._answer: asyncio.Future[Response] | None = None
        self._headers = dict[str, str]()
        self._body = list[bytes]()
        self._read = self._lasting = self._tunnelling = False

    @property
    def usable(self) -> bool:
        """Whether another request can be sent."""
        return self._lasting and self._transport is not None and not self._transport.is_closing()

    async def carry(self, request: bytes, deadline: float) -> Response:
        """Send a request and wait for the whole response; what ends otherwise ends the connection."""
        if self._transport is None:
            raise BrokenError("the connection was closed")
        self._answer = self._loop.create_future()
        self._forget()
        self._lasting = False
        alarm = self._loop.call_at(deadline, self._expire)
        try:
            self._transport.write(request)
            response = await self._answer
        except BaseException:
            self._lasting = False
            raise
        finally:
            alarm.cancel()
            self._answer = None
            if not self._lasting:
                self.close()
        return response

    async def tunnel(self, route: Route, context: "ssl.SSLContext", deadline: float) -> "Connection":
        """Ask a proxy for a way to the server, and begin to speak with that in secret."""
        shown = route.proxy.credentials if route.proxy else None
        more = f"proxy-authorization: {shown}\r\n" if shown else ""
        self._tunnelling = True
        answer = await self.carry(
            f"CONNECT {route.name} HTTP/1.1\r\nhost: {route.name}\r\n{more}\r\n".encode("latin-1"), deadline
        )
        if answer.status not in _FINE or self._transport is None:
            raise BrokenError(f"the proxy answers {answer.status}")
        inner = Connection()
        secured = await self._loop.start_tls(self._transport, inner, context, server_hostname=route.host)
        if secured is None or secured.is_closing():
            raise BrokenError("the server closed the connection")
        inner.connection_made(secured)
        return inner

    def close(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the loop; a response that has no length ends here."""
        self._transport = None
        if self._waits and self._read and not exc and not self._has_length():
            self._finish()
        self._fail(BrokenError(str(exc) if exc else "the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        """Called by the loop."""
        if not self._waits:
            self.close()  # nobody asked for this
            return
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade) as error:
            self._lasting = False
            self._fail(BrokenError(f"what came is no HTTP that was asked for ({error})"))

    def on_message_begin(self) -> None:
        """Called by the parser; what begins behind the response was not asked for, and nothing can follow it."""
        if not self._waits:
            self._lasting = False

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser."""
        if self._waits:
            self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """Called by the parser; a tunnel has no body."""
        self._read = self._waits
        if self._tunnelling and self._waits:
            self._lasting = True
            self._finish()

    def on_body(self, body: bytes) -> None:
        """Called by the parser."""
        if self._waits:
            self._body.append(body)

    def on_message_complete(self) -> None:
        """Called by the parser; what only announces a response is not one."""
        if not self._waits:
            return
        if self._parser.get_status_code() < _OK:
            self._forget()
            return
        self._lasting = self._parser.should_keep_alive()
        self._finish()

    @property
    def _waits(self) -> bool:
        return self._answer is not None and not self._answer.done()

    def _finish(self) -> None:
        status, headers, body = self._parser.get_status_code(), self._headers, b"".join(self._body)
        self._forget()
        try:
            body = _unpack(body, headers.get("content-encoding", ""))
        except zlib.error as error:
            if status == _OK:
                self._fail(BrokenError(f"the body cannot be unpacked ({error})"))
                return
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(Response(status, headers, body))

    def _has_length(self) -> bool:
        coding = self._headers.get("transfer-encoding", "").lower()
        return "content-length" in self._headers or "chunked" in coding

    def _forget(self) -> None:
        self._headers, self._body, self._read = {}, [], False

    def _expire(self) -> None:
        self._lasting = False
        self._fail(TimeoutError())

    def _fail(self, error: Exception) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)


def _unpack(body: bytes, coding: str) -> bytes:
    return zlib.decompress(body, _EITHER_FORM) if body and coding.lower() in _PACKED else body


async def connect(route: Route, context: "ssl.SSLContext | None", deadline: float) -> Connection:
    """Open a connection, through the proxy where there is one."""
    loop = asyncio.get_running_loop()
    server, tunnelled = route.proxy or route, route.proxy is not None and context is not None
    named = any(map(str.isalpha, server.host)) and ":" not in server.host
    _, connection = await loop.create_connection(
        Connection, server.host, server.port,
        ssl=None if tunnelled else context, happy_eyeballs_delay=_EYEBALLS_SECONDS if named else None,
    )  # fmt: skip
    if not tunnelled or context is None:
        return connection
    try:
        return await connection.tunnel(route, context, deadline)
    except BaseException:
        connection.close()
        raise
