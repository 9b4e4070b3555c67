"""The transport against servers that control every byte."""

import asyncio
import gzip
import ssl
import subprocess
import tracemalloc
import zlib
from base64 import b64encode
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest
from raw_server import RawServer, Reader, Writer, listening, read_request, saying, serving

from absence import absent
from karat.core.errors import UsageError
from karat.models import HttpTransport
from karat.models.transport import Response, TransportError, check_ca_file

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Kind: plain\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\n\r\n"
MB = 1_000_000
Script = Callable[[bytes, Writer], Awaitable[None]]


def packed(form: str, body: bytes) -> bytes:
    """A response whose body is packed."""
    return b"HTTP/1.1 200 OK\r\ncontent-encoding: %s\r\ncontent-length: %d\r\n\r\n%s" % (
        form.encode(),
        len(body),
        body,
    )


def bomb(megabytes: int) -> bytes:
    """The beginning of a small gzip body that becomes many megabytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = packer.compress(bytes(MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + again * (megabytes - 1)


@contextmanager
def memory(most: int) -> Generator[None]:
    """Fail where Python's memory grows by more than this many bytes at any moment of the block."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        yield
        assert tracemalloc.get_traced_memory()[1] - before < most
    finally:
        tracemalloc.stop()


def send(script: Script, *, calls: int = 1) -> tuple[list[Response], RawServer]:
    """Send calls one after the other over one transport."""

    async def work() -> tuple[list[Response], RawServer]:
        async with serving(script) as server, HttpTransport(timeout=30) as transport:
            url = f"{server.url}/v1/x"
            return [await transport.send("POST", url, {"a": "b"}, b"{}") for _ in range(calls)], server

    return asyncio.run(work())


def fail(script: Script, *, timeout: float = 30, max_body: int = MB, endless: bool = False) -> TransportError:
    """Send a call that is to fail; a script that is endless ends when the transport closes the connection."""

    async def work() -> TransportError:
        async with (
            serving(script) as server,
            HttpTransport(timeout=timeout, max_body=max_body) as transport,
        ):
            with pytest.raises(TransportError) as caught:
                await transport.send("POST", server.url, {}, b"{}")
            if endless:
                await server.gone.wait()
            return caught.value

    return asyncio.run(work())


def test_a_request_carries_its_headers_and_body_and_little_more() -> None:
    _, server = send(saying(OK))
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    first, *lines = head.decode().lower().split("\r\n")
    assert first == "post /v1/x http/1.1"
    assert set(lines) == {
        f"host: 127.0.0.1:{server.port}", "content-length: 2", "a: b", "user-agent: karat", "accept-encoding: gzip",
    }  # fmt: skip
    assert body == b"{}"


@pytest.mark.parametrize(
    ("said", "body"),
    [
        pytest.param(OK, b"ok", id="length"),
        pytest.param(CHUNKED, b"abcdefgh", id="chunks"),
        pytest.param(packed("gzip", gzip.compress(b"hi")), b"hi", id="gzip"),
        pytest.param(packed("deflate", zlib.compress(b"hi")), b"hi", id="deflate"),
        pytest.param(packed("Identity", b"hi"), b"hi", id="identity"),
        pytest.param(packed("gzip", b""), b"", id="gzip of nothing"),
    ],
)
def test_bodies_come_whole_over_one_connection(said: bytes, body: bytes) -> None:
    found, server = send(saying(said), calls=2)
    assert [response.body for response in found] == [body, body]
    assert server.connections == 1


def test_headers_are_in_lower_case() -> None:
    found, _ = send(saying(OK))
    assert found[0].headers == {"content-length": "2", "x-kind": "plain"}


def test_cookies_are_not_kept() -> None:
    _, server = send(saying(OK.replace(b"X-Kind: plain", b"Set-Cookie: a=b")), calls=2)
    assert b"cookie" not in server.requests[1].lower()


def test_a_connection_that_the_server_closed_is_not_used_again() -> None:
    async def work() -> int:
        async with serving(say) as server, HttpTransport(timeout=30) as transport:
            for _ in range(3):
                assert (await transport.send("POST", server.url, {}, b"{}")).status == 200
                await server.gone.wait()
                server.gone.clear()
                await asyncio.sleep(0)
            return server.connections

    async def say(_: bytes, writer: Writer) -> None:
        writer.write(OK.replace(b"X-Kind: plain", b"Connection: close"))
        await writer.drain()
        writer.close()

    assert asyncio.run(work()) == 3


def test_a_fault_keeps_its_status_whatever_its_body_is() -> None:
    fault = packed("gzip", b"nope").replace(b"200 OK", b"429 Slow down\r\nRetry-After: 3")
    found, _ = send(saying(fault))
    assert (found[0].status, found[0].headers["retry-after"]) == (429, "3")


def test_a_redirect_is_given_back_and_not_followed() -> None:
    moved = b"HTTP/1.1 307 Moved\r\nlocation: http://model.invalid/v1\r\ncontent-length: 0\r\n\r\n"
    found, server = send(saying(moved))
    assert (found[0].status, found[0].headers["location"]) == (307, "http://model.invalid/v1")
    assert len(server.requests) == 1


def test_abandoned_call_does_not_affect_later_replies() -> None:
    """Its connection ends with it, so that the answer to it is not taken for that to the next call."""
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def say(request: bytes, writer: Writer) -> None:
        if request.endswith(b"slow"):
            asked.set()
            await go_on.wait()
        said = request.rpartition(b"\r\n\r\n")[2]
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(said), said))

    async def work() -> tuple[bytes, int]:
        async with serving(say) as server, HttpTransport(timeout=30) as transport:
            slow = asyncio.create_task(transport.send("POST", server.url, {}, b"slow"))
            await asked.wait()
            slow.cancel()
            await asyncio.wait([slow])
            go_on.set()
            found = await transport.send("POST", server.url, {}, b"fast")
            return found.body, server.connections

    assert asyncio.run(work()) == (b"fast", 2)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "not HTTP"),
        (packed("gzip", b"nope"), "returned status 200, but the body cannot be decompressed"),
        (
            packed("gzip", gzip.compress(b"hi")[:-4]),
            "returned status 200, but the compressed body is incomplete",
        ),
        (packed("br", b"hi"), "content encoding br, which was not requested"),
    ],
)
def test_unreadable_response_is_a_dropped_reply(said: bytes, why: str) -> None:
    error = fail(saying(said))
    assert (error.unreachable, error.timed_out, error.too_large) == (False, False, False)
    assert why in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\ncontent-le", OK[:-1], CHUNKED[:-20]])
def test_incomplete_response_is_a_dropped_reply(said: bytes) -> None:
    async def say(_: bytes, writer: Writer) -> None:
        writer.write(said)
        writer.close()

    error = fail(say)
    assert (error.unreachable, error.timed_out) == (False, False)


def test_missing_response_times_out() -> None:
    async def say(_: bytes, writer: Writer) -> None:
        del writer
        await asyncio.Event().wait()

    error = fail(say, timeout=0.1)
    assert (error.timed_out, error.unreachable, error.status) == (True, False, None)


def test_slow_body_ends_at_the_deadline() -> None:
    async def say(_: bytes, writer: Writer) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.01)

    error = fail(say, timeout=0.2, endless=True)
    assert (error.timed_out, error.status) == (True, 200)
    assert "returned status 200, but the body did not end within 0.2 s" in str(error)


def test_an_endless_body_ends_at_the_limit() -> None:
    async def say(_: bytes, writer: Writer) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        part = b"10000\r\n%s\r\n" % bytes(0x10000)
        while True:
            writer.write(part)
            await writer.drain()

    with memory(8 * MB):
        error = fail(say, max_body=2 * MB, endless=True)
    assert (error.too_large, error.status) == (True, 200)
    assert "returned status 200, but the body is larger than 2 MB" in str(error)


def test_a_gzip_bomb_ends_at_the_limit() -> None:
    said = packed("gzip", bomb(200))
    assert len(said) < MB
    with memory(8 * MB):
        error = fail(saying(said), max_body=2 * MB)
    assert error.too_large
    assert "the body is larger than 2 MB" in str(error)


def test_of_a_faults_body_only_the_beginning_is_read() -> None:
    said = packed("gzip", bomb(200)).replace(b"200 OK", b"500 Oh")
    with memory(2 * MB):
        found, _ = send(saying(said), calls=2)
    assert [response.status for response in found] == [500, 500]


def test_a_body_within_the_limit_is_read_and_one_byte_more_is_too_large() -> None:
    for body in (bytes(1000), gzip.compress(bytes(1000))):
        said = packed("gzip" if len(body) < 1000 else "identity", body)

        async def work(most: int, said: bytes = said) -> int:
            async with (
                serving(saying(said)) as server,
                HttpTransport(timeout=30, max_body=most) as transport,
            ):
                return len((await transport.send("GET", server.url, {}, None)).body)

        assert asyncio.run(work(1000)) == 1000
        with pytest.raises(TransportError, match="larger"):
            asyncio.run(work(999))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://[::1]:1/", "ftp://host/", "http:///x", "http://a..b/", "https://"]
)
def test_unreachable_host_is_reported(url: str) -> None:
    async def work() -> TransportError:
        async with HttpTransport(timeout=30) as transport:
            with pytest.raises(TransportError) as caught:
                await transport.send("GET", url, {}, None)
            return caught.value

    assert asyncio.run(work()).unreachable


def test_a_header_cannot_smuggle_another_line() -> None:
    async def work() -> list[bytes]:
        async with serving(saying(OK)) as server, HttpTransport(timeout=30) as transport:
            for key in ("x\r\nhost: y", "x\ny", "x\r"):
                with pytest.raises(TransportError):
                    await transport.send("GET", server.url, {"authorization": key}, None)
            return server.requests

    assert asyncio.run(work()) == []


def test_a_netrc_adds_no_key_and_replaces_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))

    async def work() -> list[bytes]:
        async with serving(saying(OK)) as server, HttpTransport(timeout=30) as transport:
            await transport.send("GET", server.url, {}, None)
            await transport.send("GET", server.url, {"authorization": "Bearer own"}, None)
            return server.requests

    without, own = asyncio.run(work())
    assert b"authorization" not in without.lower()
    assert own.lower().count(b"authorization") == 1
    assert b"Bearer own" in own


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost that was made a moment ago, with its key in the same file."""
    if which("openssl") is None:
        absent("TLS", "openssl", "there is no openssl")
    place = tmp_path_factory.mktemp("tls") / "localhost.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
               "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(place), "-out", f"{place}.crt"]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    place.write_text(place.read_text() + Path(f"{place}.crt").read_text())
    return place


def _secure(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@pytest.mark.parametrize("how", ["variable", "option", "neither"])
def test_https_needs_a_trusted_certificate(
    certificate: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """By the environment, or by a private authority that the user names; with nobody else."""
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    if how == "variable":
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    ca_file = str(certificate) if how == "option" else None

    async def work() -> list[int]:
        async with (
            serving(saying(OK), _secure(certificate)) as server,
            HttpTransport(timeout=30, ca_file=ca_file) as transport,
        ):
            url = f"https://localhost:{server.port}/v1"
            found = [(await transport.send("POST", url, {}, b"{}")).status for _ in range(3)]
            assert server.connections == 1
            return found

    if how != "neither":
        assert asyncio.run(work()) == [200] * 3
        return
    with pytest.raises(TransportError, match=r"certificate is not trusted .*--ca-file") as caught:
        asyncio.run(work())
    assert caught.value.unreachable


@pytest.mark.parametrize(
    ("content", "why"), [(None, "cannot be read: No such file"), ("hello", "contains no certificates")]
)
def test_a_file_without_certificates_is_refused_in_one_line(
    tmp_path: Path, content: str | None, why: str
) -> None:
    place = tmp_path / "ca.pem"
    if content is not None:
        place.write_text(content)
    with pytest.raises(UsageError, match=why) as caught:
        check_ca_file(str(place))
    assert str(place) in str(caught.value)
    assert "\n" not in str(caught.value)


async def _join(reader: Reader, writer: Writer) -> None:
    while data := await reader.read(4096):
        writer.write(data)
    writer.close()


SHOWN = b"Proxy-Authorization: Basic " + b64encode(b"me:s cret")


class _TunnelProxy:
    """A proxy that opens tunnels for whoever shows the password."""

    def __init__(self) -> None:
        self.asked = list[bytes]()

    async def serve(self, reader: Reader, writer: Writer) -> None:
        request = await read_request(reader)
        self.asked.append(request)
        if SHOWN not in request:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
            writer.close()
            return
        host, port = request.split(b" ")[1].decode().rsplit(":", 1)
        inner, outer = await asyncio.open_connection("127.0.0.1" if host == "localhost" else host, int(port))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(_join(reader, outer), _join(inner, writer), return_exceptions=True)


@pytest.mark.parametrize("variable", ["https_proxy", "HTTPS_PROXY"])
def test_https_goes_through_a_proxy_in_a_tunnel(
    certificate: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """The proxy gets its password and never the key; the server gets the key and never the password."""

    async def work(credentials: str) -> tuple[list[bytes], list[bytes], int]:
        proxy = _TunnelProxy()
        async with listening(proxy.serve) as port, serving(saying(OK), _secure(certificate)) as server:
            monkeypatch.setenv(variable, f"http://{credentials}@127.0.0.1:{port}")
            async with HttpTransport(timeout=30, ca_file=str(certificate)) as transport:
                url = f"https://localhost:{server.port}/v1"
                for _ in range(2):
                    assert (await transport.send("POST", url, {"x-api-key": "k"}, b"{}")).status == 200
                return proxy.asked, server.requests, server.port

    forget_proxies(monkeypatch)
    asked, requests, port = asyncio.run(work("me:s%20cret"))
    assert [request.split(b"\r\n")[0] for request in asked] == [b"CONNECT localhost:%d HTTP/1.1" % port]
    assert b"x-api-key" not in asked[0]
    assert [b"x-api-key: k" in request for request in requests] == [True, True]
    assert not any(b"proxy-authorization" in request.lower() for request in requests)
    with pytest.raises(TransportError, match="the proxy returned status 407") as caught:
        asyncio.run(work("me:wrong"))
    assert caught.value.unreachable
    assert "wrong" not in str(caught.value)


def test_http_goes_to_a_proxy_with_the_whole_address_and_the_password_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work() -> list[bytes]:
        async with serving(saying(OK)) as proxy, HttpTransport(timeout=30) as transport:
            monkeypatch.setenv("http_proxy", f"http://me:s%20cret@127.0.0.1:{proxy.port}")
            for _ in range(2):
                await transport.send("GET", "http://model.invalid:8000/v1", {}, None)
            return proxy.requests

    forget_proxies(monkeypatch)
    for request in asyncio.run(work()):
        assert request.startswith(b"GET http://model.invalid:8000/v1 HTTP/1.1\r\n")
        assert SHOWN in request


def forget_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with an environment that names no proxy."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("variable", "spared", "used"),
    [
        ("http_proxy", "", True),
        ("HTTP_PROXY", "", True),
        ("all_proxy", "", True),
        ("http_proxy", "127.0.0.1", False),
        ("http_proxy", "127.0.0.1:{port}", False),
        ("http_proxy", "127.0.0.1:1", True),
    ],
)
def test_no_proxy_hosts_are_called_directly(
    monkeypatch: pytest.MonkeyPatch, variable: str, spared: str, *, used: bool
) -> None:
    async def work() -> tuple[int, int]:
        async with (
            serving(saying(OK)) as proxy,
            serving(saying(OK)) as server,
            HttpTransport(timeout=30) as transport,
        ):
            monkeypatch.setenv(variable, f"127.0.0.1:{proxy.port}")
            monkeypatch.setenv("NO_PROXY", spared.format(port=server.port))
            await transport.send("GET", server.url, {}, None)
            return proxy.connections, server.connections

    forget_proxies(monkeypatch)
    assert asyncio.run(work()) == ((1, 0) if used else (0, 1))


def test_a_proxy_of_another_kind_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with HttpTransport(timeout=30) as transport:
            await transport.send("GET", "http://model.invalid/", {}, None)

    forget_proxies(monkeypatch)
    monkeypatch.setenv("http_proxy", "socks5://me:secret@127.0.0.1:1080")
    with pytest.raises(TransportError, match=r"socks5://127\.0\.0\.1 is not an HTTP proxy") as caught:
        asyncio.run(work())
    assert "secret" not in str(caught.value)
