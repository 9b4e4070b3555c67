"""The one place that opens connections."""

from typing import Any, Protocol, Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from msgspec import Struct

from karat.core.errors import KaratError


class Response(Struct, frozen=True):
    """A status, the headers in lower case, and the body as it came."""

    status: int
    headers: dict[str, str]
    body: bytes


class TransportError(KaratError):
    """No response came: `nobody_there` if there was no connection, `late` if not in time, else it was dropped."""

    def __init__(self, message: str, *, nobody_there: bool = False, late: bool = False) -> None:
        super().__init__(message)
        self.nobody_there = nobody_there
        self.late = late


class Transport(Protocol):
    """Whatever can carry one request; a test's scripted one is a peer of the real one."""

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        """Carry a request and give the response, or raise `TransportError`."""
        ...

    async def close(self) -> None:
        """Let go of the connections."""
        ...


class HttpTransport:
    """Requests over aiohttp, with a deadline for each."""

    def __init__(self, *, timeout: float, connections: int) -> None:
        self._timeout = timeout
        self._connections = connections
        self._session: Any = None
        self._proxies: dict[tuple[str, str], str | None] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        """Carry a request within the deadline."""
        import aiohttp

        session = self._open()
        try:
            async with session.request(
                method, url, headers=headers, data=body, proxy=self._find_proxy(url), allow_redirects=False
            ) as reply:
                content = await reply.read()
                return Response(
                    reply.status, {key.lower(): value for key, value in reply.headers.items()}, content
                )
        except TimeoutError as error:
            nobody = isinstance(error, aiohttp.ConnectionTimeoutError)
            raise TransportError(
                f"no answer from {url} within {self._timeout:g} s", nobody_there=nobody, late=True
            ) from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            told = " ".join(str(error).split()) or type(error).__name__
            nobody = isinstance(error, aiohttp.ClientConnectorError | ValueError)
            raise TransportError(f"no answer from {url}: {told}", nobody_there=nobody) from error

    async def close(self) -> None:
        """Close the session, if one was opened."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self) -> Any:  # noqa: ANN401 - aiohttp is imported on first use
        import aiohttp

        if self._session is None:
            self._session = aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=min(10.0, self._timeout)),
                connector=aiohttp.TCPConnector(limit=self._connections),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    def _find_proxy(self, url: str) -> str | None:
        """The proxy of the environment, looked up once per host: aiohttp would do it for every call, in a thread."""
        parts = urlsplit(url)
        place = (parts.scheme, parts.netloc)
        if place not in self._proxies:
            proxy = None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
            self._proxies[place] = proxy
        return self._proxies[place]
