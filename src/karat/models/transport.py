"""The one place that opens connections: HTTP by aiohttp, which is imported with the first request."""

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
_IDLE_SECONDS = 15.0  # servers close what is idle for longer, perhaps just as the next request goes out
_OK = 200
_COMPLAINT_BYTES = 65_536  # of a response other than 200, which is only read for its complaint
_CODINGS = ("gzip", "x-gzip", "deflate")
_EITHER_FORM = 47  # zlib's name for gzip or deflate, as the data say
_HEADERS = {"User-Agent": "karat", "Accept-Encoding": "gzip"}


class Response(Struct, frozen=True):
    """A status, the headers in lower case, and the unpacked body; that of a fault may be cut short."""

    status: int
    headers: dict[str, str]
    body: bytes


class TransportError(KaratError):
    """No whole response came.

    `nobody_there` if there was no connection, `late` if it was not in time, `too_large` if it went beyond the limit,
    else it was dropped; `status` where at least that came.
    """

    def __init__(
        self,
        *parts: Part,
        nobody_there: bool = False,
        late: bool = False,
        too_large: bool = False,
        status: int | None = None,
    ) -> None:
        super().__init__(*parts)
        self.nobody_there = nobody_there
        self.late = late
        self.too_large = too_large
        self.status = status


class Transport(Protocol):
    """Whatever can carry one request; a test's scripted one is a peer of the real one."""

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        """Carry a request and give the response, or raise `TransportError`."""
        ...

    async def close(self) -> None:
        """Let go of the connections."""
        ...


class _Route(NamedTuple):
    """A URL with all that the environment says about the way to it."""

    url: "URL"
    options: dict[str, Any]
    headers: dict[str, str]


class _Unusable(Exception):  # noqa: N818 - becomes a `TransportError` where the URL is known
    """A body that came and cannot be used."""

    def __init__(self, reason: str, *, too_large: bool = False) -> None:
        super().__init__(reason)
        self.too_large = too_large


class _Body:
    """A body as it comes in; neither what comes nor what that unpacks to may be larger than `most` bytes."""

    def __init__(self, coding: str, most: int) -> None:
        self._coding = coding.strip().lower()
        self._most = most
        self._parts = list[bytes]()
        self._size = self._packed = 0
        self._unpack = zlib.decompressobj(_EITHER_FORM) if self._coding in _CODINGS else None

    @property
    def content(self) -> bytes:
        """What came so far."""
        return b"".join(self._parts)[: self._most]

    def add(self, part: bytes) -> None:
        """One more part of it."""
        self._packed += len(part)
        if self._unpack is not None:
            try:
                part = self._unpack.decompress(part, self._most - self._size + 1)
            except zlib.error as error:
                raise _Unusable(f"the body cannot be unpacked ({error})") from None
        elif self._coding not in ("", "identity"):
            raise _Unusable(f"the body is packed as {self._coding[:40]}, which was not asked for")
        self._size += len(part)
        self._parts.append(part)
        if max(self._size, self._packed) > self._most:
            raise _Unusable(f"the reply is larger than {self._most / 1e6:g} MB", too_large=True)

    def finish(self) -> None:
        """Nothing more comes."""
        if self._unpack is not None and self._packed and not self._unpack.eof:
            raise _Unusable("the packed body breaks off")


class HttpTransport:
    """Requests with a deadline for each; a body may hold `max_body` bytes, packed and unpacked.

    `ca_file` is trusted beside the authorities that the system and SSL_CERT_FILE name. Redirects are not followed,
    cookies and ~/.netrc are not used.
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
        """Carry a request within the deadline."""
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
                    reply.close()  # what is left of the body must not be read into the next response
                    raise
                told = {name.lower(): value for name, value in reply.headers.items()}
                return Response(status, told, content)
        except TimeoutError as error:
            gone = isinstance(error, aiohttp.ConnectionTimeoutError)
            failure = _late(url, self._connect_seconds if gone else self._timeout, status, nobody_there=gone)
        except (aiohttp.ClientError, OSError, ValueError, _Unusable) as error:
            failure = _dropped(url, error, status)
        raise failure  # outside of the handlers, so that no traceback holds on to a body

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    @property
    def _connect_seconds(self) -> float:
        return min(_CONNECT_SECONDS, 0.9 * self._timeout)  # sooner than the deadline, to tell the two apart

    def _open(self) -> "aiohttp.ClientSession":
        if self._session is None:
            import aiohttp

            connector = aiohttp.TCPConnector(
                limit=0,  # the throttle decides how many calls are under way
                keepalive_timeout=_IDLE_SECONDS,
                resolver=aiohttp.ThreadedResolver(),
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                headers=_HEADERS,
                skip_auto_headers=("Accept", "Content-Type"),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,  # not bounded in all versions
                timeout=aiohttp.ClientTimeout(
                    total=self._timeout, connect=self._connect_seconds, ceil_threshold=2 * self._timeout
                ),
            )
        return self._session

    async def _read(self, reply: "aiohttp.ClientResponse") -> bytes:
        """The unpacked body; of a fault's body as much as a complaint needs."""
        good, coding = reply.status == _OK, reply.headers.get("Content-Encoding", "")
        body = _Body(coding, self._max_body if good else _COMPLAINT_BYTES)
        try:
            while part := await reply.content.readany():
                body.add(part)
            body.finish()
        except _Unusable:
            if good:
                raise
            reply.close()
        return body.content

    def _find_route(self, url: str) -> _Route:
        """Look the environment up once for each URL."""
        from yarl import URL

        parsed = URL(url)
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise ValueError("the address must begin with http:// or https:// and name a host")
        secure = parsed.scheme == "https"
        options: dict[str, Any] = {"ssl": self._trust()} if secure else {}
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

    def _trust(self) -> "ssl.SSLContext":
        if self._context is None:
            self._context = _make_context(self._ca_file)
        return self._context


def check_ca_file(path: str) -> None:
    """Refuse a file that holds no certificates."""
    _make_context(path)


def _make_context(ca_file: str | None) -> "ssl.SSLContext":
    import ssl

    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file)
        except ssl.SSLError as error:
            raise UsageError(option("ca_file"), f" {ca_file} holds no certificates in PEM form") from error
        except OSError as error:
            raise UsageError(option("ca_file"), f" {ca_file} cannot be read: {error.strerror}") from error
    return context


def _find_proxy(url: "URL") -> tuple["URL | None", dict[str, str]]:
    """The environment's proxy for a URL, and the header that it wants to be shown."""
    from urllib.request import getproxies, proxy_bypass  # brings half of the library's mail package along

    from yarl import URL

    host = url.host or ""
    proxies = getproxies()
    found = proxies.get(url.scheme) or proxies.get("all")
    if not found or proxy_bypass(host if ":" in host else f"{host}:{url.port}"):
        return None, {}
    given = urlsplit(found if "://" in found else f"http://{found}")
    if given.scheme not in ("http", "https") or not given.hostname:
        raise ValueError(
            f"the proxy {given.scheme}://{given.hostname} is no HTTP proxy; give one as http://HOST:PORT"
        )
    proxy = URL.build(scheme=given.scheme, host=given.hostname, port=given.port)
    if given.username is None:
        return proxy, {}
    from base64 import b64encode

    pair = f"{unquote(given.username)}:{unquote(given.password or '')}"
    return proxy, {"Proxy-Authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def _late(url: str, seconds: float, status: int | None, *, nobody_there: bool) -> TransportError:
    told = f"no {'connection to' if nobody_there else 'answer from'} {url} within {seconds:g} s"
    if status is not None:
        told = f"{url} answered {status}, but the body did not end within {seconds:g} s"
    return TransportError(told, nobody_there=nobody_there, late=True, status=status)


def _dropped(url: str, error: Exception, status: int | None) -> TransportError:
    import aiohttp

    told = " ".join(str(error).split()) or type(error).__name__
    if status is not None:
        too_large = isinstance(error, _Unusable) and error.too_large
        return TransportError(f"{url} answered {status}, but {told}", too_large=too_large, status=status)
    gone = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientHttpProxyError | ValueError)
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        why = getattr(error.certificate_error, "verify_message", None) or "not valid"
        told = f"no answer from {url}: its certificate is not trusted ({why}); name a private authority with "
        return TransportError(told, option("ca_file"), nobody_there=gone)
    if isinstance(error, aiohttp.ClientHttpProxyError):
        told = f"the proxy answers {error.status}; check the proxy and its password in the environment"
    elif isinstance(error, aiohttp.ClientProxyConnectionError):
        told = f"cannot connect to the proxy {error.host}:{error.port}: {error.os_error.strerror}"
    elif isinstance(error, aiohttp.ClientConnectorError):
        told = f"cannot connect to {error.host}:{error.port}: {error.os_error.strerror}; is the endpoint running?"
    elif isinstance(error, aiohttp.ClientResponseError):
        told = f"what came is no HTTP ({' '.join(error.message.split())[:100]})"
    return TransportError(f"no answer from {url}: {told}", nobody_there=gone)
