"""HTTP connections by aiohttp, which is imported with the first request."""

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from karat.core.errors import KaratError, Part, UsageError, option

if TYPE_CHECKING:
    import ssl

    import aiohttp
    from yarl import URL

MOST_BYTES = 16_000_000
_CONNECT_SECONDS = 10.0
_IDLE_SECONDS = 15.0  # servers may close a connection that is idle for longer
_OK = 200
_COMPLAINT_BYTES = 65_536  # of an error response, which is read only for its message
_CODINGS = ("gzip", "x-gzip", "deflate")
_GZIP_OR_DEFLATE = 47  # zlib detects which of the two
_HEADERS = {"User-Agent": "karat", "Accept-Encoding": "gzip"}


class Response(Struct, frozen=True):
    """A status, the headers in lower case, and the unpacked body; the body of an error may be cut short."""

    status: int
    headers: dict[str, str]
    body: bytes


class TransportError(KaratError):
    """No complete response was received.

    `unreachable` if there was no connection, `timed_out` if it took too long, `too_large` if the body exceeded the limit,
    otherwise the connection broke; `status` is given if it came.
    """

    def __init__(
        self,
        *parts: Part,
        unreachable: bool = False,
        timed_out: bool = False,
        too_large: bool = False,
        status: int | None = None,
    ) -> None:
        super().__init__(*parts)
        self.unreachable = unreachable
        self.timed_out = timed_out
        self.too_large = too_large
        self.status = status


class Transport(Protocol):
    """Sends one request; tests have a scripted one."""

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        """Send a request and return the response, or raise `TransportError`."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class _Route(NamedTuple):
    """A URL with the proxy and certificates to use for it."""

    url: "URL"
    options: dict[str, Any]
    headers: dict[str, str]


class _UnusableBody(Exception):  # noqa: N818 - becomes a `TransportError` when the URL is known
    """A body that was received and cannot be used."""

    def __init__(self, reason: str, *, too_large: bool = False) -> None:
        super().__init__(reason)
        self.too_large = too_large


class _Body:
    """A body while it is received; compressed and decompressed size are limited to `most` bytes."""

    def __init__(self, coding: str, most: int) -> None:
        self._coding = coding.strip().lower()
        self._most = most
        self._parts = list[bytes]()
        self._size = self._packed = 0
        self._unpack = zlib.decompressobj(_GZIP_OR_DEFLATE) if self._coding in _CODINGS else None

    @property
    def content(self) -> bytes:
        """The decompressed bytes so far."""
        return b"".join(self._parts)[: self._most]

    def add(self, part: bytes) -> None:
        """Add the next part."""
        self._packed += len(part)
        if self._unpack is not None:
            try:
                part = self._unpack.decompress(part, self._most - self._size + 1)
            except zlib.error as error:
                raise _UnusableBody(f"the body cannot be decompressed ({error})") from None
        elif self._coding not in ("", "identity"):
            raise _UnusableBody(
                f"the body has the content encoding {self._coding[:40]}, which was not requested"
            )
        self._size += len(part)
        self._parts.append(part)
        if max(self._size, self._packed) > self._most:
            raise _UnusableBody(f"the body is larger than {self._most / 1e6:g} MB", too_large=True)

    def finish(self) -> None:
        """Check that a compressed body is complete."""
        if self._unpack is not None and self._packed and not self._unpack.eof:
            raise _UnusableBody("the compressed body is incomplete")


class HttpTransport:
    """Sends requests, each with a deadline; a body may have `max_body` bytes, compressed and decompressed.

    `ca_file` is trusted in addition to the authorities of the system and SSL_CERT_FILE. Redirects are not followed; cookies and
    ~/.netrc are not used.
    """

    def __init__(self, *, timeout: float, max_body: int = MOST_BYTES, ca_file: str | None = None) -> None:
        self._timeout = timeout
        self._max_body = max_body
        self._ca_file = ca_file
        self._session: aiohttp.ClientSession | None = None
        self._context: ssl.SSLContext | None = None
        self._routes = dict[str, _Route]()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        """Send a request within the deadline."""
        import aiohttp

        status = None
        try:
            route = self._routes.get(url) or self._find_route(url)
            request = self._open().request(
                method,
                route.url,
                headers=headers | route.headers if route.headers else headers,
                data=body,
                allow_redirects=False,
                **route.options,
            )
            async with request as reply:
                status = reply.status
                try:
                    content = await self._read(reply)
                except BaseException:
                    reply.close()  # the rest of the body must not be read into the next response
                    raise
                received = {name.lower(): value for name, value in reply.headers.items()}
                return Response(status, received, content)
        except TimeoutError as error:
            connecting = isinstance(error, aiohttp.ConnectionTimeoutError)
            seconds = self._connect_seconds if connecting else self._timeout
            failure = _describe_timeout(url, seconds, status, unreachable=connecting)
        except (aiohttp.ClientError, OSError, ValueError, _UnusableBody) as error:
            failure = _describe_failure(url, error, status)
        raise failure  # outside the handlers, so that no traceback keeps a body in memory

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    @property
    def _connect_seconds(self) -> float:
        return min(
            _CONNECT_SECONDS, 0.9 * self._timeout
        )  # shorter than the deadline, so that the two can be distinguished

    def _open(self) -> "aiohttp.ClientSession":
        if self._session is None:
            import aiohttp

            connector = aiohttp.TCPConnector(
                limit=0,  # the throttle limits the number of calls
                keepalive_timeout=_IDLE_SECONDS,
                resolver=aiohttp.ThreadedResolver(),
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                headers=_HEADERS,
                skip_auto_headers=("Accept", "Content-Type"),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,  # not size-limited in all versions
                timeout=aiohttp.ClientTimeout(
                    total=self._timeout, connect=self._connect_seconds, ceil_threshold=2 * self._timeout
                ),
            )
        return self._session

    async def _read(self, reply: "aiohttp.ClientResponse") -> bytes:
        """Return the decompressed body; of an error response, only as much as its message needs."""
        good, coding = reply.status == _OK, reply.headers.get("Content-Encoding", "")
        body = _Body(coding, self._max_body if good else _COMPLAINT_BYTES)
        try:
            while part := await reply.content.readany():
                body.add(part)
            body.finish()
        except _UnusableBody:
            if good:
                raise
            reply.close()
        return body.content

    def _find_route(self, url: str) -> _Route:
        """Return the route of a URL; the environment is read once for each."""
        from yarl import URL

        parsed = URL(url)
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise ValueError("the address must begin with http:// or https:// and name a host")
        secure = parsed.scheme == "https"
        options: dict[str, Any] = {"ssl": self._ssl_context()} if secure else {}
        headers = dict[str, str]()
        proxy, shown = _find_proxy(parsed)
        if proxy is not None:
            options["proxy"] = proxy
            if shown and secure:
                options["proxy_headers"] = shown
            elif shown:
                headers = shown
        found = self._routes[url] = _Route(parsed, options, headers)
        return found

    def _ssl_context(self) -> "ssl.SSLContext":
        if self._context is None:
            self._context = _make_context(self._ca_file)
        return self._context


def check_ca_file(path: str) -> None:
    """Raise if a file contains no certificates."""
    _make_context(path)


def _make_context(ca_file: str | None) -> "ssl.SSLContext":
    import ssl

    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file)
        except ssl.SSLError as error:
            raise UsageError(
                option("ca_file"), f" {ca_file} contains no certificates in PEM format"
            ) from error
        except OSError as error:
            raise UsageError(option("ca_file"), f" {ca_file} cannot be read: {error.strerror}") from error
    return context


def _find_proxy(url: "URL") -> tuple["URL | None", dict[str, str]]:
    """Return the environment's proxy for a URL, and the authorization header for it."""
    from urllib.request import (
        getproxies,
        proxy_bypass,
    )  # slow to import, so only when needed

    from yarl import URL

    host = url.host or ""
    proxies = getproxies()
    found = proxies.get(url.scheme) or proxies.get("all")
    if not found or proxy_bypass(host if ":" in host else f"{host}:{url.port}"):
        return None, {}
    given = urlsplit(found if "://" in found else f"http://{found}")
    if given.scheme not in ("http", "https") or not given.hostname:
        raise ValueError(
            f"the proxy {given.scheme}://{given.hostname} is not an HTTP proxy; set one as http://HOST:PORT"
        )
    proxy = URL.build(scheme=given.scheme, host=given.hostname, port=given.port)
    if given.username is None:
        return proxy, {}
    from base64 import b64encode

    pair = f"{unquote(given.username)}:{unquote(given.password or '')}"
    return proxy, {"Proxy-Authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def _describe_timeout(url: str, seconds: float, status: int | None, *, unreachable: bool) -> TransportError:
    reason = f"no {'connection to' if unreachable else 'reply from'} {url} within {seconds:g} s"
    if status is not None:
        reason = f"{url} returned status {status}, but the body did not end within {seconds:g} s"
    return TransportError(reason, unreachable=unreachable, timed_out=True, status=status)


def _describe_failure(url: str, error: Exception, status: int | None) -> TransportError:
    import aiohttp

    reason = " ".join(str(error).split()) or type(error).__name__
    if status is not None:
        too_large = isinstance(error, _UnusableBody) and error.too_large
        return TransportError(
            f"{url} returned status {status}, but {reason}", too_large=too_large, status=status
        )
    unreachable = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientHttpProxyError | ValueError)
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        why = getattr(error.certificate_error, "verify_message", None) or "not valid"
        reason = f"no reply from {url}: its certificate is not trusted ({why}); name the file of a private certificate authority with "
        return TransportError(reason, option("ca_file"), unreachable=unreachable)
    if isinstance(error, aiohttp.ClientHttpProxyError):
        reason = (
            f"the proxy returned status {error.status}; check the proxy and its password in the environment"
        )
    elif isinstance(error, aiohttp.ClientProxyConnectionError):
        reason = f"cannot connect to the proxy {error.host}:{error.port}: {error.os_error.strerror}"
    elif isinstance(error, aiohttp.ClientConnectorError):
        reason = f"cannot connect to {error.host}:{error.port}: {error.os_error.strerror}; is the endpoint running?"
    elif isinstance(error, aiohttp.ClientResponseError):
        reason = f"the response is not HTTP ({' '.join(error.message.split())[:100]})"
    return TransportError(f"no reply from {url}: {reason}", unreachable=unreachable)
