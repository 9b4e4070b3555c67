"""A loopback endpoint that answers the prompts of every tool in the harness, from a process of its own.

`with endpoint(delay=0.02) as served: ... served.base_url ... served.take()`; `take` returns how many calls and
characters of message contents came in since it was asked last.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

ITEM = re.compile(r"^### Item \d+$", re.MULTILINE)


class Traffic(NamedTuple):
    calls: int
    characters: int


class Served(NamedTuple):
    """An endpoint that is up."""

    url: str

    @property
    def base_url(self) -> str:
        """What a client of the API is given."""
        return f"{self.url}/v1"

    def take(self) -> Traffic:
        """Return what came in since the last time."""
        with urllib.request.urlopen(f"{self.url}/take", timeout=10) as response:  # noqa: S310 - a loopback URL
            return Traffic(**json.load(response))


@contextmanager
def endpoint(*, delay: float) -> Generator[Served]:
    """Serve from another process until the block ends."""
    command = [sys.executable, __file__, "--delay", str(delay)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - for the reader and the type checker
            yield Served(f"http://127.0.0.1:{int(process.stdout.readline())}")
        finally:
            process.kill()


def write_message(body: dict[str, Any], prompt: str) -> dict[str, Any]:
    """Answer in the form that the tool which wrote this body accepts."""
    if body.get("tools"):
        called = body["tools"][0]["function"]
        return {"content": None, "tool_calls": [_call(called["name"], _fill(called["parameters"]))]}
    wanted = body.get("response_format") or {}
    if wanted.get("type") == "json_schema":
        return {"content": json.dumps(_fill(wanted["json_schema"]["schema"]))}
    return {"content": _write_text(prompt)}


def _write_text(prompt: str) -> str:
    batch = prompt.rpartition("# Your batch")[2]
    count = len(ITEM.findall(batch))
    if count:
        return json.dumps({f"Answer {number}": "Yes" for number in range(1, count + 1)})
    if "GRADE:" in prompt:
        return "The submission agrees with the expert answer.\n\nGRADE: C"
    return json.dumps(
        {"score": 8, "reason": "It agrees with the expected output.", "steps": ["Compare them."]}
    )


def _call(name: str, arguments: object) -> dict[str, Any]:
    return {
        "id": "call_1",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }


def _fill(schema: dict[str, Any]) -> object:
    """Make a small value that a JSON schema allows."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: _fill(part) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [_fill(schema.get("items", {}))]
        case "boolean":
            return True
        case "number" | "integer":
            return 1
        case _:
            return "It agrees with the reference."


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _completion(body: dict[str, Any], prompt: str) -> dict[str, Any]:
    message = {"role": "assistant", **write_message(body, prompt)}
    finish = "tool_calls" if "tool_calls" in message else "stop"
    asked = len(prompt) // 4
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": asked, "completion_tokens": 20, "total_tokens": asked + 20},
    }


async def serve(delay: float) -> None:
    """Answer until killed; the port is printed first."""
    from aiohttp import web

    seen = {"calls": 0, "characters": 0}

    async def post(request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        prompt = "\n\n".join(_text(message) for message in body["messages"])
        seen["calls"] += 1
        seen["characters"] += sum(len(_text(message)) for message in body["messages"])
        if delay:
            await asyncio.sleep(delay)
        return web.json_response(_completion(body, prompt))

    async def take(_: web.Request) -> web.Response:
        counted = dict(seen)
        seen.update(calls=0, characters=0)
        return web.json_response(counted)

    async def models(_: web.Request) -> web.Response:
        return web.json_response(
            {"object": "list", "data": [{"id": "m", "object": "model", "owned_by": "loopback"}]}
        )

    app = web.Application(client_max_size=2**26)
    app.add_routes(
        [web.post("/v1/chat/completions", post), web.get("/take", take), web.get("/v1/models", models)]
    )
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before an answer")
    asyncio.run(serve(parser.parse_args().delay))


if __name__ == "__main__":
    main()
