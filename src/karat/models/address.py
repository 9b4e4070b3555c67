"""What a URL means for whoever connects to it: where to, through which proxy, and how the request begins."""

from base64 import b64encode
from typing import NamedTuple
from urllib.parse import SplitResult, quote, unquote, urlsplit

_PORTS = {"http": 80, "https": 443}
_SAFE = "/%:@!$&'()*+,;=~?[]"


class Proxy(NamedTuple):
    """A proxy that speaks HTTP, with what it wants to be shown."""

    host: str
    port: int
    credentials: str | None = None


class Route(NamedTuple):
    """A way to a server; requests that go the same way can share a connection."""

    host: str
    port: int
    secure: bool
    proxy: Proxy | None

    @property
    def name(self) -> str:
        """The server as a proxy is asked for it."""
        return f"{_bracket(self.host)}:{self.port}"


class Address(NamedTuple):
    """A URL taken apart."""

    route: Route
    head: str
    """What follows the method: the target, the version and the headers that the URL decides."""

    def write(self, method: str, headers: dict[str, str], body: bytes | None) -> bytes:
        """Write a request as it is sent."""
        fields = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        if fields.count("\n") != len(headers) or fields.count("\r") != len(headers):
            raise ValueError("a header holds a line break")
        length = "" if body is None else f"content-length: {len(body)}\r\n"
        return f"{method} {self.head}{fields}{length}\r\n".encode("latin-1") + (body or b"")


def find_address(url: str) -> Address:
    """Take a URL apart, and look up the environment's proxy for it."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("the address must begin with http:// or https:// and name a host")
    secure, port = parts.scheme == "https", parts.port or _PORTS[parts.scheme]
    proxy = _find_proxy(parts)
    route = Route(_spell(parts.hostname), port, secure, proxy)
    name = _bracket(route.host) + (f":{parts.port}" if parts.port else "")
    target = quote(parts.path or "/", _SAFE) + (f"?{quote(parts.query, _SAFE)}" if parts.query else "")
    if proxy and not secure:
        target = f"http://{name}{target}"
    shown = proxy.credentials if proxy and not secure else None
    more = f"proxy-authorization: {shown}\r\n" if shown else ""
    return Address(
        route,
        f"{target} HTTP/1.1\r\nhost: {name}\r\nuser-agent: karat\r\naccept-encoding: identity\r\n{more}",
    )


def _find_proxy(parts: SplitResult) -> Proxy | None:
    from urllib.request import getproxies, proxy_bypass  # brings half of the library's mail package along

    host = parts.hostname or ""
    place = host if ":" in host else f"{host}:{parts.port or _PORTS[parts.scheme]}"
    proxies = getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found or proxy_bypass(place):
        return None
    given = urlsplit(found if "://" in found else f"http://{found}")
    if given.scheme != "http" or not given.hostname:
        raise ValueError(
            f"the proxy {given.scheme}://{given.hostname} is no HTTP proxy; give one as http://HOST:PORT"
        )
    return Proxy(given.hostname, given.port or _PORTS["http"], _write_credentials(given))


def _write_credentials(given: SplitResult) -> str | None:
    if given.username is None:
        return None
    pair = f"{unquote(given.username)}:{unquote(given.password or '')}"
    return f"Basic {b64encode(pair.encode()).decode()}"


def _spell(host: str) -> str:
    return host if host.isascii() else host.encode("idna").decode()


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host
