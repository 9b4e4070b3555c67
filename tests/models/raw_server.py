"""A server that sends exactly the bytes that a test specifies."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

Reader: TypeAlias = asyncio.StreamReader
Writer: TypeAlias = asyncio.StreamWriter


class RawServer:
    """Reads requests and answers each by the script; counts connections and keeps what it was asked."""

    def __init__(self, script: Callable[[bytes, Writer], Awaitable[None]]) -> None:
        self._script = script
        self.connections = 0
        self.requests = list[bytes]()
        self.port = 0
        self.gone = asyncio.Event()  # set whenever a connection has ended

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: Reader, writer: Writer) -> None:
        """Answer the requests of one connection until either side ends it."""
        self.connections += 1
        try:
            while request := await read_request(reader):
                self.requests.append(request)
                await self._script(request, writer)
                await writer.drain()
                if writer.is_closing():
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            self.gone.set()


async def read_request(reader: Reader) -> bytes:
    """One request with its body, or nothing once the connection has ended."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return head + await reader.readexactly(int(line.split(b":")[1]))
    return head


@asynccontextmanager
async def listening(
    serve: Callable[[Reader, Writer], Awaitable[None]], context: ssl.SSLContext | None = None
) -> AsyncGenerator[int]:
    """Listen on a port of the loopback; at the end every connection is over."""
    tasks, writers = set[asyncio.Task[None]](), set[Writer]()

    async def begin(reader: Reader, writer: Writer) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        writers.add(writer)
        await serve(reader, writer)

    door = await asyncio.start_server(begin, "127.0.0.1", 0, ssl=context)
    try:
        yield door.sockets[0].getsockname()[1]
    finally:
        door.close()
        for task in tasks:
            task.cancel()
        for writer in writers:
            writer.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(
    script: Callable[[bytes, Writer], Awaitable[None]], context: ssl.SSLContext | None = None
) -> AsyncGenerator[RawServer]:
    """A raw server on the loopback."""
    server = RawServer(script)
    async with listening(server.serve, context) as server.port:
        yield server


def saying(*answers: bytes) -> Callable[[bytes, Writer], Awaitable[None]]:
    """A script that gives these answers in turn, and the last one for ever."""
    left = list(answers)

    async def say(_: bytes, writer: Writer) -> None:
        writer.write(left.pop(0) if len(left) > 1 else left[0])

    return say
