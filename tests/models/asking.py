"""Make a client and send asks over HTTP."""

import asyncio
from collections.abc import Sequence
from typing import Any

from karat.core.flow import Ask, Completion, Message, Prompt, Reply
from karat.models import CallSettings, Client, Endpoint, HttpTransport, Parameters, Patience, Transport
from provider import Provider

QUICK = Patience(attempts=3, seconds=60, wait=0.001, longest_wait=0.002)
KEY = "sk-very-secret/0123456789"


class Kept:
    """Completions in a dict."""

    def __init__(self) -> None:
        self.known: dict[bytes, Completion] = {}

    def find_completion(self, key: bytes) -> Completion | None:
        return self.known.get(key)

    def keep_completion(self, key: bytes, completion: Completion) -> None:
        self.known[key] = completion

    def keep_loss(self, most: float, *, answered: bool = False) -> None: ...


def ask(text: str = "Same?", *, opened: str | None = None, attempt: int = 1) -> Ask:
    return Ask(Prompt((Message("user", text),), opened=opened), attempt=attempt)


def make_client(endpoint: Endpoint, parameters: Parameters, transport: Transport, **options: Any) -> Client:
    """A client; the options are its own and those of `CallSettings`."""
    own = {name: options.pop(name) for name in ("cache", "notice") if name in options}
    return Client(endpoint, parameters, transport, CallSettings(**options), **own)


def answer(
    provider: Provider | str,
    *rounds: Sequence[Ask],
    kind: Any = "compatible",
    timeout: float = 5.0,
    **options: Any,
) -> list[Reply]:
    """Answer rounds of asks one after the other with one client, and give all replies."""
    base_url = provider if isinstance(provider, str) else provider.base_url
    options.setdefault("patience", QUICK)
    parameters = options.pop("parameters", Parameters())

    async def work() -> list[Reply]:
        async with HttpTransport(timeout=timeout) as transport:
            client = make_client(Endpoint(kind, base_url, "m"), parameters, transport, **options)
            return [reply for asks in rounds for reply in await client.answer(tuple(asks))]

    return asyncio.run(work())


def texts(replies: Sequence[Reply]) -> list[str]:
    assert all(isinstance(reply, Completion) for reply in replies), replies
    return [reply.text for reply in replies if isinstance(reply, Completion)]
