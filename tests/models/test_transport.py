"""The transport against servers that say every byte themselves."""

import asyncio
import gzip
import ssl
import subprocess
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from shutil import which

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raw_server import RawServer, Reader, Writer, listening, read_request, saying, serving

from absence import absent
from karat.models import HttpTransport
from karat.models.address import Proxy, find_address
from karat.models.connection import Connection
from karat.models.response import Response
from karat.models.transport import TransportError

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Kind: plain\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\ntrailer: 1\r\n\r\n"
Script = Callable[[bytes, Writer], Awaitable[None]]


def packed(form: str, body: bytes) -> bytes:
    """A response whose body is packed."""
    return b"HTTP/1.1 200 OK\r\ncontent-encoding: %s\r\ncontent-length: %d\r\n\r\n%s" % (
        form.encode(),
        len(body),
        body,
    )


def send(script: Script, *, calls: int = 1, pause: float = 0.0) -> tuple[list[Response], RawServer]:
    """Send calls one after the other over one transport."""

    async def work() -> tuple[list[Response], RawServer]:
        async with serving(script) as server, HttpTransport(timeout=10) as transport:
            found = list[Response]()
            for _ in range(calls):
                found.append(await transport.send("POST", f"{server.url}/v1/x", {"a": "b"}, b"{}"))
                await asyncio.sleep(pause)
            return found, server

    return asyncio.run(work())


def fail(script: Script, **options: float) -> TransportError:
    """Send a call that is to fail."""

    async def work() -> TransportError:
        async with serving(script) as server, HttpTransport(timeout=options.get("timeout", 10)) as transport:
            with pytest.raises(TransportError) as caught:
                await transport.send("POST", server.url, {}, b"{}")
            return caught.value

    return asyncio.run(work())


def test_a_request_says_what_http_wants_it_to_say() -> None:
    _, server = send(saying(OK))
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    lines = head.decode().lower().split("\r\n")
    assert lines[0] == "post /v1/x http/1.1"
    assert {f"host: 127.0.0.1:{server.port}", "content-length: 2", "a: b"} < set(lines)
    assert body == b"{}"


@pytest.mark.parametrize(
    ("said", "body"),
    [
        pytest.param(OK, b"ok", id="length"),
        pytest.param(CHUNKED, b"abcdefgh", id="chunks"),
        pytest.param(b"HTTP/1.1 100 Continue\r\n\r\n" + OK, b"ok", id="continue"),
        pytest.param(b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + OK, b"ok", id="hints"),
        pytest.param(b"HTTP/1.1 204 No Content\r\n\r\n", b"", id="nothing"),
        pytest.param(packed("gzip", gzip.compress(b"hi")), b"hi", id="gzip"),
        pytest.param(packed("deflate", zlib.compress(b"hi")), b"hi", id="deflate"),
        pytest.param(packed("Identity", b"hi"), b"hi", id="identity"),
        pytest.param(packed("gzip", b""), b"", id="gzip of nothing"),
    ],
)
def test_bodies_come_whole_in_every_form(said: bytes, body: bytes) -> None:
    found, _ = send(saying(said), calls=2)
    assert [response.body for response in found] == [body, body]


def test_headers_are_in_lower_case() -> None:
    found, _ = send(saying(OK))
    assert found[0].headers == {"content-length": "2", "x-kind": "plain"}


def test_a_body_without_a_length_ends_with_the_connection() -> None:
    async def say(_: bytes, writer: Writer) -> None:
        writer.write(b"HTTP/1.0 200 OK\r\n\r\nto the end")
        writer.close()

    found, server = send(say, calls=2)
    assert [response.body for response in found] == [b"to the end"] * 2
    assert server.connections == 2


def test_calls_one_after_the_other_share_a_connection() -> None:
    _, server = send(saying(OK), calls=5)
    assert server.connections == 1


def test_a_server_that_says_goodbye_is_connected_to_anew() -> None:
    _, server = send(saying(OK.replace(b"X-Kind: plain", b"Connection: close")), calls=3)
    assert server.connections == 3


def test_a_connection_that_the_server_closed_meanwhile_is_not_used() -> None:
    async def say(_: bytes, writer: Writer) -> None:
        writer.write(OK)
        await writer.drain()
        writer.close()

    found, server = send(say, calls=3, pause=0.05)
    assert [response.status for response in found] == [200] * 3
    assert server.connections == 3


def test_what_nobody_asked_for_answers_nobody() -> None:
    """A second response behind the first is not taken for the answer to the next call."""
    more = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwrong"
    found, server = send(saying(OK + more, OK), calls=2, pause=0.05)
    assert [response.body for response in found] == [b"ok", b"ok"]
    assert server.connections == 2


@pytest.mark.parametrize("cut", [5, 17, 30, 47, 52])
def test_part_of_what_nobody_asked_for_answers_nobody(cut: int) -> None:
    """The rest of it comes when the next call is already waiting."""
    more = b"HTTP/1.1 200 OK\r\nx-bad: 1\r\ncontent-length: 5\r\n\r\nwrong"
    met = list[Writer]()

    async def say(_: bytes, writer: Writer) -> None:
        writer.write(more[cut:] + OK if writer in met else OK if met else OK + more[:cut])
        met.append(writer)

    found, server = send(say, calls=2)
    assert [(response.body, "x-bad" in response.headers) for response in found] == [(b"ok", False)] * 2
    assert server.connections == 2


def test_a_fault_keeps_its_status_whatever_its_body_is() -> None:
    fault = packed("gzip", b"nope").replace(b"200 OK", b"429 Slow down\r\nRetry-After: 3")
    found, _ = send(saying(fault))
    assert (found[0].status, found[0].headers["retry-after"]) == (429, "3")


def test_a_call_that_fails_leaves_no_connection_behind() -> None:
    """Also one that is cancelled just as its answer comes."""
    left = set[Writer]()
    over = asyncio.Event()

    async def serve(reader: Reader, writer: Writer) -> None:
        left.add(writer)
        with suppress(ConnectionError):
            while request := await read_request(reader):
                writer.write(packed("gzip", b"nope") if request.endswith(b"bad") else OK)
                await writer.drain()
        left.discard(writer)
        if not left:
            over.set()

    async def work() -> None:
        async with listening(serve) as port, HttpTransport(timeout=10) as transport:
            url = f"http://127.0.0.1:{port}/"
            with pytest.raises(TransportError, match="unpacked"):
                await transport.send("POST", url, {}, b"bad")
            for _ in range(20):
                task = asyncio.create_task(transport.send("POST", url, {}, b"good"))
                await asyncio.sleep(0.002)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            await transport.close()
            over.clear()
            if left:
                await asyncio.wait_for(over.wait(), 20)

    asyncio.run(work())


def test_a_call_that_was_given_up_leaves_no_answer_behind() -> None:
    async def say(request: bytes, writer: Writer) -> None:
        if request.endswith(b"slow"):
            await asyncio.sleep(0.2)
        said = request.rpartition(b"\r\n\r\n")[2]
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(said), said))

    async def work() -> bytes:
        async with serving(say) as server, HttpTransport(timeout=10) as transport:
            slow = asyncio.create_task(transport.send("POST", server.url, {}, b"slow"))
            await asyncio.sleep(0.05)
            slow.cancel()
            found = await transport.send("POST", server.url, {}, b"fast")
            await asyncio.sleep(0.3)
            return found.body

    assert asyncio.run(work()) == b"fast"


@pytest.mark.parametrize(
    "said",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope",
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ],
)
def test_what_is_no_http_is_a_dropped_answer(said: bytes) -> None:
    error = fail(saying(said))
    assert not error.nobody_there
    assert not error.late
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"HTTP/1.1 200 OK\r\ncontent-le",
        OK[:-1],
        CHUNKED[:-20],
        CHUNKED[:-20].replace(b"chunked", b"Chunked"),
    ],
)
def test_an_answer_that_breaks_off_is_dropped(said: bytes) -> None:
    async def say(_: bytes, writer: Writer) -> None:
        writer.write(said)
        writer.close()

    error = fail(say)
    assert (error.nobody_there, error.late) == (False, False)
    assert "closed" in str(error)


def test_an_answer_that_does_not_come_is_late() -> None:
    async def say(_: bytes, writer: Writer) -> None:
        del writer
        await asyncio.sleep(30)

    error = fail(say, timeout=0.2)
    assert error.late
    assert not error.nobody_there


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://[::1]:1/", "ftp://host/", "http:///x", "http://a..b/", "https://"]
)
def test_where_nobody_can_be_reached_it_is_said(url: str) -> None:
    async def work() -> TransportError:
        async with HttpTransport(timeout=5) as transport:
            with pytest.raises(TransportError) as caught:
                await transport.send("GET", url, {}, None)
            return caught.value

    assert asyncio.run(work()).nobody_there


def test_a_header_cannot_smuggle_another_line() -> None:
    async def work() -> list[bytes]:
        async with serving(saying(OK)) as server, HttpTransport(timeout=5) as transport:
            for key in ("x\r\nhost: y", "x\ny", "x\r"):
                with pytest.raises(TransportError, match="line break"):
                    await transport.send("GET", server.url, {"authorization": key}, None)
            return server.requests

    assert asyncio.run(work()) == []


def test_paths_are_written_in_ascii() -> None:
    async def work() -> bytes:
        async with serving(saying(OK)) as server, HttpTransport(timeout=5) as transport:
            await transport.send("GET", f"{server.url}/für alle/%20?q=ä&b=c", {}, None)
            return server.requests[0].split(b"\r\n")[0]

    assert asyncio.run(work()) == b"GET /f%C3%BCr%20alle/%20?q=%C3%A4&b=c HTTP/1.1"


class _Wire(asyncio.Transport):
    """The other end of a connection that exists in memory only."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        del data

    def abort(self) -> None:
        pass

    def is_closing(self) -> bool:
        return False


@given(
    said=st.sampled_from([OK, CHUNKED, b"HTTP/1.1 100 Continue\r\n\r\n" + CHUNKED]),
    cuts=st.lists(st.integers(1, 150), max_size=12),
)
def test_how_the_bytes_are_cut_does_not_matter(said: bytes, cuts: list[int]) -> None:
    async def work(pieces: list[bytes]) -> Response:
        connection = Connection()
        connection.connection_made(_Wire())
        carried = asyncio.create_task(connection.carry(b"", asyncio.get_running_loop().time() + 10))
        await asyncio.sleep(0)
        for piece in pieces:
            connection.data_received(piece)
        return await carried

    places = [0, *sorted({cut for cut in cuts if cut < len(said)}), len(said)]
    pieces = [said[start:end] for start, end in pairwise(places)]
    assert asyncio.run(work(pieces)) == asyncio.run(work([said]))


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


def test_https_is_spoken_with_those_whom_the_system_trusts(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> list[int]:
        async with (
            serving(saying(OK), _secure(certificate)) as server,
            HttpTransport(timeout=10) as transport,
        ):
            url = f"https://localhost:{server.port}/v1"
            found = [(await transport.send("POST", url, {}, b"{}")).status for _ in range(3)]
            assert server.connections == 1
            return found

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert asyncio.run(work()) == [200] * 3
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(TransportError, match="certificate") as caught:
        asyncio.run(work())
    assert caught.value.nobody_there


async def _join(reader: Reader, writer: Writer) -> None:
    while data := await reader.read(4096):
        writer.write(data)
    writer.close()


class _TunnelProxy:
    """A proxy that opens tunnels for whoever shows the password."""

    def __init__(self, password: bytes, yes: bytes) -> None:
        self._password = password
        self.yes = yes
        self.asked = list[bytes]()

    async def serve(self, reader: Reader, writer: Writer) -> None:
        request = await read_request(reader)
        self.asked.append(request.split(b"\r\n")[0])
        if self._password not in request:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
            writer.close()
            return
        host, port = self.asked[-1].split(b" ")[1].decode().rsplit(":", 1)
        inner, outer = await asyncio.open_connection("127.0.0.1" if host == "localhost" else host, int(port))
        writer.write(self.yes)
        await asyncio.gather(_join(reader, outer), _join(inner, writer), return_exceptions=True)


@pytest.mark.parametrize(
    "yes", ["200 Connection established\r\n", "200 OK\r\ncontent-length: 0\r\n", "201 Well\r\n"]
)
def test_https_goes_through_a_proxy_in_a_tunnel(
    certificate: Path, monkeypatch: pytest.MonkeyPatch, yes: str
) -> None:
    async def work(credentials: str) -> tuple[list[int], list[bytes], int]:
        proxy = _TunnelProxy(b"proxy-authorization: Basic bWU6c2VjcmV0", f"HTTP/1.1 {yes}\r\n".encode())
        async with listening(proxy.serve) as port, serving(saying(OK), _secure(certificate)) as server:
            monkeypatch.setenv("https_proxy", f"http://{credentials}@127.0.0.1:{port}")
            async with HttpTransport(timeout=10) as transport:
                url = f"https://localhost:{server.port}/v1"
                found = [(await transport.send("POST", url, {}, b"{}")).status for _ in range(2)]
                return found, proxy.asked, server.port

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setenv("no_proxy", "")
    found, asked, port = asyncio.run(work("me:secret"))
    assert found == [200, 200]
    assert asked == [b"CONNECT localhost:%d HTTP/1.1" % port]
    with pytest.raises(TransportError, match="the proxy answers 407") as caught:
        asyncio.run(work("me:wrong"))
    assert caught.value.nobody_there


@pytest.mark.parametrize(
    ("variable", "spared", "used"),
    [
        ("http_proxy", "", True),
        ("all_proxy", "", True),
        ("http_proxy", "model.test", False),
        ("http_proxy", "model.test:8000", False),
        ("http_proxy", "model.test:1", True),
    ],
)
def test_whom_the_environment_spares_is_asked_directly(
    monkeypatch: pytest.MonkeyPatch, variable: str, spared: str, *, used: bool
) -> None:
    for name in ("http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "http://proxy.test:3128")
    monkeypatch.setenv("no_proxy", spared)
    found = find_address("http://model.test:8000/v1").route.proxy
    assert found == (Proxy("proxy.test", 3128) if used else None)


def test_a_proxy_of_another_kind_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with HttpTransport(timeout=5) as transport:
            await transport.send("GET", "http://model.invalid/", {}, None)

    monkeypatch.setenv("http_proxy", "socks5://me:secret@127.0.0.1:1080")
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(TransportError, match=r"socks5://127\.0\.0\.1 is no HTTP proxy") as caught:
        asyncio.run(work())
    assert "secret" not in str(caught.value)
