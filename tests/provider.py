"""A scripted model provider on the loopback: it speaks both wire formats and counts what it is asked.

In a thread: `with Provider(answer) as provider: ... provider.base_url ... provider.calls`.
In a process of its own, which outlives a killed client: `with apart("echo-yes") as provider: ... provider.count()`,
or from a shell `python tests/provider.py --port 0 --behaviour echo-yes --delay 0.05`.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

from aiohttp import web

from batch_provider import Batches, Fate, prompt_fate

HEADING = re.compile(r"^### Item (\d+)(?: \([a-z]{6}\))?$\n?(.*)", re.MULTILINE)
ANTHROPIC_STOP = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


@dataclass(frozen=True)
class Call:
    """One POST as it came in; header names are in lower case."""

    index: int
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    prompt: str


@dataclass(frozen=True)
class Reply:
    """What to answer: a completion, an error status, a raw body, or no answer at all."""

    text: str = ""
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    delay: float = 0
    until: threading.Event | None = None
    drop: bool = False
    hang: bool = False
    logprobs: list[dict[str, Any]] | None = None
    error: dict[str, Any] | None = None
    cached: int = 0
    counted: bool = True


Answer: TypeAlias = Callable[[Call], Reply | str]


def count_quarters(text: str) -> int:
    """Four characters to a token."""
    return len(text) // 4


class Provider:
    """Serves from a thread; what the script raises is raised again when the block ends."""

    def __init__(
        self,
        answer: Answer,
        *,
        port: int = 0,
        owned_by: str = "karat-tests",
        model: str = "test-model",
        fate: Callable[[int], Fate] = prompt_fate,
        count: Callable[[str], int] = count_quarters,
    ) -> None:
        self.batches = Batches(self.answer_one, fate)
        self.owned_by = owned_by
        self._answer = answer
        self._count_tokens = count
        self._model = model
        self._port = port
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self._failures: list[BaseException] = []
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._started: Future[tuple[int, asyncio.AbstractEventLoop]] = Future()

    def __enter__(self) -> Self:
        self._thread.start()
        self._port, self._loop = self._started.result(timeout=120)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if kind is None and self._failures:
            raise self._failures[0]

    @property
    def url(self) -> str:
        """Where `/calls` and `/log` are."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def base_url(self) -> str:
        """What a client of the API is given."""
        return f"{self.url}/v1"

    @property
    def port(self) -> int:
        """The port that is bound."""
        return self._port

    @property
    def calls(self) -> list[Call]:
        """A copy of what came in so far, in order of arrival."""
        with self._lock:
            return list(self._calls)

    async def _serve(self) -> None:
        runner = web.AppRunner(self._app(), access_log=None, handler_cancellation=True, shutdown_timeout=0)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", self._port).start()
            self._started.set_result((runner.addresses[0][1], asyncio.get_running_loop()))
            await self._stop.wait()
        except OSError as error:
            self._started.set_exception(error)
        finally:
            await runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", self._post)
        app.router.add_post("/openai/v1/chat/completions", self._post)
        app.router.add_post("/v1/messages", self._post)
        app.router.add_get("/v1/models", self._models)
        self.batches.add_to(app)
        app.router.add_get("/calls", self._count)
        app.router.add_get("/log", self._log)
        app.router.add_get("/release", self._release)
        return app

    def answer_one(
        self, path: str, body: dict[str, Any], headers: Mapping[str, str]
    ) -> tuple[int, dict[str, Any]]:
        """Answer one request of a batch as if it had come alone: its status and its body."""
        with self._lock:
            call = Call(len(self._calls), path, body, dict(headers), "\n\n".join(_texts(body)))
            self._calls.append(call)
        response = _respond(call, self._decide(call), self._count_tokens)
        return response.status, json.loads(response.text or "{}")

    async def _post(self, request: web.Request) -> web.StreamResponse:
        call = self._record(request, await request.read())
        reply = self._decide(call)
        await asyncio.sleep(reply.delay)
        while reply.until is not None and not reply.until.is_set():  # noqa: ASYNC110 - set by another thread
            await asyncio.sleep(0.01)
        if reply.hang:
            await self._stop.wait()
        if (reply.drop or reply.hang) and request.transport is not None:
            request.transport.abort()
        return _respond(call, reply, self._count_tokens)

    def _record(self, request: web.Request, raw: bytes) -> Call:
        body = _read_body(raw)
        headers = {name.lower(): value for name, value in request.headers.items()}
        with self._lock:
            call = Call(len(self._calls), request.path, body, headers, "\n\n".join(_texts(body)))
            self._calls.append(call)
        return call

    def _decide(self, call: Call) -> Reply:
        if not call.body:
            return Reply(
                status=400, error={"type": "invalid_request_error", "message": "the body is no JSON object"}
            )
        try:
            reply = self._answer(call)
        except Exception as failure:  # noqa: BLE001 - kept for the test that wrote the script
            self._failures.append(failure)
            return Reply(status=500, error={"type": "script", "message": repr(failure)})
        return Reply(text=reply) if isinstance(reply, str) else reply

    async def _models(self, _: web.Request) -> web.Response:
        entry = {"id": self._model, "object": "model", "created": 0, "owned_by": self.owned_by}
        return web.json_response({"object": "list", "data": [entry]})

    async def _count(self, _: web.Request) -> web.Response:
        return web.json_response(len(self.calls))

    async def _release(self, _: web.Request) -> web.Response:
        self.batches.release()
        return web.json_response(None)

    async def _log(self, _: web.Request) -> web.Response:
        return web.json_response([call.body for call in self.calls])


def _read_body(raw: bytes) -> dict[str, Any]:
    """Return the JSON object of a body, or an empty one where it holds something else."""
    try:
        body = json.loads(raw)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _texts(body: dict[str, Any]) -> list[str]:
    """Return the text of each message, the system text of the Anthropic format first."""
    messages = [{"content": body["system"]}] if "system" in body else []
    return [_text(message) for message in [*messages, *body.get("messages", [])]]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _respond(call: Call, reply: Reply, count: Callable[[str], int]) -> web.Response:
    """Put a reply into the wire format of the path that was called."""
    if reply.raw is not None:
        headers = {"content-type": "text/html", **reply.headers}
        return web.Response(status=reply.status, body=reply.raw, headers=headers)
    anthropic = call.path.endswith("/messages")
    if reply.error is not None or reply.status >= 400:
        error = reply.error or {"type": "error", "message": reply.text or f"status {reply.status}"}
        body = {"type": "error", "error": error} if anthropic else {"error": error}
    else:
        body = (_anthropic_body if anthropic else _openai_body)(call, reply, count)
        if not reply.counted:
            del body["usage"]
    return web.json_response(body, status=reply.status, headers=reply.headers)


def _openai_body(call: Call, reply: Reply, count: Callable[[str], int]) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    if reply.refusal is not None:
        message["content"] = reply.text or None
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}
    if call.body.get("logprobs") and reply.logprobs is not None:
        choice["logprobs"] = {"content": reply.logprobs, "refusal": None}
    asked, said = max(1, count(call.prompt)), max(1, count(reply.text)) if reply.text else 0
    return {
        "id": f"chatcmpl-{call.index}",
        "object": "chat.completion",
        "created": 0,
        "model": call.body.get("model"),
        "choices": [choice],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": said,
            "total_tokens": asked + said,
            "prompt_tokens_details": {"cached_tokens": reply.cached},
        },
    }


def _anthropic_body(call: Call, reply: Reply, count: Callable[[str], int]) -> dict[str, Any]:
    text = reply.text or reply.refusal or ""
    finish = "content_filter" if reply.refusal is not None else reply.finish
    return {
        "id": f"msg_{call.index}",
        "type": "message",
        "role": "assistant",
        "model": call.body.get("model"),
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": ANTHROPIC_STOP.get(finish, finish),
        "stop_sequence": None,
        "usage": {
            # Anthropic counts what was read from the cache apart; OpenAI counts it among the prompt tokens.
            "input_tokens": max(1, count(call.prompt)) - reply.cached,
            "output_tokens": max(1, count(text)) if text else 0,
            "cache_read_input_tokens": reply.cached,
            "cache_creation_input_tokens": 0,
        },
    }


def scripted(replies: Sequence[Reply | str]) -> Answer:
    """Answer the k-th call by the k-th reply, and every later one by the last."""
    return lambda call: replies[min(call.index, len(replies) - 1)]


def read_items(body: dict[str, Any]) -> list[str]:
    """Return the line under each item heading of the last user message.

    Where worked examples use the same headings, the items start at the last heading that is numbered 1.
    """
    users = [_text(message) for message in body.get("messages", []) if message.get("role") == "user"]
    found = [(int(number), line) for number, line in HEADING.findall(users[-1] if users else "")]
    first = max((at for at, (number, _) in enumerate(found) if number == 1), default=0)
    return [line for _, line in found[first:]]


def answer_object(verdicts: Sequence[bool]) -> str:
    """Write verdicts the way the `match` protocol wants them."""
    return json.dumps({f"Answer {k}": "Yes" if yes else "No" for k, yes in enumerate(verdicts, start=1)})


def echo_yes(call: Call) -> Reply:
    """Say Yes to every item."""
    return Reply(answer_object([True for _ in read_items(call.body)]))


def length(call: Call) -> Reply:
    """Say Yes to an item whose line has an even sum of bytes: arbitrary, but the same in every batch."""
    return Reply(answer_object([sum(line.encode()) % 2 == 0 for line in read_items(call.body)]))


BEHAVIOURS: dict[str, Callable[[Call], Reply]] = {"echo-yes": echo_yes, "length": length}


@dataclass(frozen=True)
class Apart:
    """A provider in a process of its own."""

    url: str
    process: "subprocess.Popen[str]"

    @property
    def base_url(self) -> str:
        """What a client of the API is given."""
        return f"{self.url}/v1"

    def count(self) -> int:
        """Return how many POSTs came in so far."""
        return self._get("/calls")

    def log(self) -> list[dict[str, Any]]:
        """Return the bodies that came in so far."""
        return self._get("/log")

    def release(self) -> None:
        """End all batches."""
        self._get("/release")

    def _get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=10) as response:  # noqa: S310 - a loopback URL of ours
            return json.load(response)


@contextmanager
def apart(behaviour: str, *, delay: float = 0, batch_looks: float = 0) -> Generator[Apart]:
    """Serve a built-in behaviour from another process, so that it counts on when the client is killed."""
    command = [sys.executable, __file__, "--port", "0", "--behaviour", behaviour, "--delay", str(delay)]
    command += ["--batch-looks", str(batch_looks)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = json.loads(process.stdout.readline())["port"]
            yield Apart(f"http://127.0.0.1:{port}", process)
        finally:
            process.kill()


def main() -> None:
    """Serve a built-in behaviour until killed, and print the port first."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--behaviour", choices=BEHAVIOURS, default="echo-yes")
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--batch-looks", type=float, default=0)
    args = parser.parse_args()
    answer = BEHAVIOURS[args.behaviour]
    with Provider(
        lambda call: replace(answer(call), delay=args.delay),
        port=args.port,
        fate=lambda _: Fate(looks=args.batch_looks),
    ) as provider:
        print(json.dumps({"port": provider.port}), flush=True)  # noqa: T201 - the port is the output
        threading.Event().wait()


if __name__ == "__main__":
    main()
