"""A transport that answers by a script in simulated time, and a client of it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, TypeAlias

from asking import make_client

from karat.core.flow import Ask, Message, Prompt, Reply
from karat.models import Client, Endpoint, Parameters, Patience, Transport
from karat.models.transport import Response
from simulated import now

OUTPUT = 16
Script: TypeAlias = Callable[[int], Awaitable[int]]


class Timed:
    """Gives the status that a script says for the number of the call; `charged` is what it costs in tokens.

    An answer costs what its usage says; a call that is dropped or cancelled costs all that it could have used.
    """

    def __init__(self, script: Script, headers: dict[str, str] | None = None) -> None:
        self.started = list[float]()
        self.cancelled = list[int]()
        self.under_way = self.most = 0
        self.charged = 0
        self._script = script
        self._headers = headers or {}

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        number, size = len(self.started), len(body or b"")
        self.started.append(now())
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            status = await self._script(number)
        except asyncio.CancelledError:
            self.cancelled.append(number)
            self.charged += size + OUTPUT
            raise
        except Exception:
            self.charged += size + OUTPUT
            raise
        finally:
            self.under_way -= 1
        usage = {"prompt_tokens": size // 4, "completion_tokens": 4}
        self.charged += sum(usage.values()) if status == 200 else 0
        reply: dict[str, Any] = {"choices": [{"message": {"content": f"call {number}"}}], "usage": usage}
        return Response(status, self._headers, json.dumps(reply).encode())

    async def close(self) -> None: ...


def connect(transport: Transport, **options: Any) -> Client:
    """A client that sends each call once, unless it is told otherwise."""
    endpoint = Endpoint("compatible", "http://simulated/v1", "m")
    options.setdefault("patience", Patience(attempts=1))
    return make_client(endpoint, Parameters(max_tokens=OUTPUT), transport, **options)


_numbers = count()


async def ask(client: Client) -> Reply:
    """Ask what was never asked before."""
    prompt = Prompt((Message("user", "Same?"),))
    return (await client.answer((Ask(prompt, attempt=next(_numbers)),)))[0]


async def take(seconds: float, status: int = 200) -> int:
    """Answer after a while."""
    await asyncio.sleep(seconds)
    return status
