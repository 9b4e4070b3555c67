"""The one place that opens connections."""

import asyncio
from typing import TYPE_CHECKING, Protocol, Self

from karat.core.errors import KaratError
from karat.models.address import Address, Route, find_address
from karat.models.connection import BrokenError, Connection, connect
from karat.models.response import Response

if TYPE_CHECKING:
    import ssl

_CONNECT_SECONDS = 10.0
_IDLE_SECONDS = 15.0  # servers close what is idle for longer, perhaps just as the next request goes out


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
    """Requests over HTTP/1.1, with a deadline for each; connections are kept for the next one."""

    def __init__(self, *, timeout: float) -> None:
        self._timeout = timeout
        self._addresses = dict[str, Address]()
        self._free = dict[Route, list[Connection]]()
        self._busy = set[Connection]()
        self._context: ssl.SSLContext | None = None
        self._keeps = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        """Carry a request within the deadline."""
        deadline = asyncio.get_running_loop().time() + self._timeout
        try:
            address = self._find_address(url)
            request = address.write(method, headers, body)
            connection = self._take(address.route) or await self._connect(address.route, deadline)
        except TimeoutError as error:
            raise _late(url, min(self._timeout, _CONNECT_SECONDS), nobody_there=True) from error
        except (BrokenError, OSError, ValueError) as error:
            raise _dropped(url, error, nobody_there=True) from error
        self._busy.add(connection)
        try:
            response = await connection.carry(request, deadline)
        except TimeoutError as error:
            raise _late(url, self._timeout) from error
        except (BrokenError, OSError) as error:
            raise _dropped(url, error) from error
        finally:
            self._busy.discard(connection)
        self._give_back(address.route, connection)
        return response

    async def close(self) -> None:
        """Close all connections; those that come later are closed once they are used."""
        self._keeps = False
        left = [*self._busy, *(connection for free in self._free.values() for connection in free)]
        self._free.clear()
        for connection in left:
            connection.close()
        await asyncio.sleep(0)  # the loop lets go of them in its next round

    def _find_address(self, url: str) -> Address:
        """A URL is taken apart once: to look for a proxy reads the environment."""
        found = self._addresses.get(url)
        if found is None:
            found = self._addresses[url] = find_address(url)
        return found

    def _take(self, route: Route) -> Connection | None:
        free, now = self._free.get(route, []), asyncio.get_running_loop().time()
        while free:
            connection = free.pop()
            if connection.usable and now - connection.free_since < _IDLE_SECONDS:
                return connection
            connection.close()
        return None

    def _give_back(self, route: Route, connection: Connection) -> None:
        if not self._keeps:
            connection.close()
        elif connection.usable:
            connection.free_since = asyncio.get_running_loop().time()
            self._free.setdefault(route, []).append(connection)

    async def _connect(self, route: Route, deadline: float) -> Connection:
        soonest = min(deadline, asyncio.get_running_loop().time() + _CONNECT_SECONDS)
        async with asyncio.timeout_at(soonest):
            return await connect(route, self._secure() if route.secure else None, soonest)

    def _secure(self) -> "ssl.SSLContext":
        import ssl

        if self._context is None:
            self._context = ssl.create_default_context()
            self._context.set_alpn_protocols(["http/1.1"])
        return self._context


def _late(url: str, seconds: float, *, nobody_there: bool = False) -> TransportError:
    return TransportError(f"no answer from {url} within {seconds:g} s", nobody_there=nobody_there, late=True)


def _dropped(url: str, error: Exception, *, nobody_there: bool = False) -> TransportError:
    told = " ".join(str(error).split()) or type(error).__name__
    return TransportError(f"no answer from {url}: {told}", nobody_there=nobody_there)
