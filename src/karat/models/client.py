"""Answer asks with one model at one endpoint, by single calls."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import msgspec
from msgspec import Struct, structs

from karat.core.errors import SetupError
from karat.core.flow import Ask, Completion, Failed, Reply
from karat.core.keys import hash_bytes
from karat.models.costs import Budget
from karat.models.endpoint import Endpoint, Parameters, Quirks, learn
from karat.models.rate_limit.throttle import Throttle
from karat.models.sender import CallSettings, Fault, Sender
from karat.models.transport import Transport, TransportError
from karat.models.wire import anthropic, openai
from karat.models.wire.common import Call, Unreadable, read_body

_CONTINUING = ("vllm", "llamacpp", "sglang")
_WARM_UP_SECONDS = 10.0
_TOO_LONG = re.compile(r"context|too (?:long|large|many tokens)|exceed|maximum", re.IGNORECASE)
_encoder = msgspec.json.Encoder(order="sorted")


class Limits(Protocol):
    """Limits that several processes share, such as the workers of a cluster."""

    def budget(self) -> Budget:
        """Return the budget that counts what all processes spend."""
        ...

    def throttle(self, endpoint: str, concurrency: int) -> Throttle:
        """Return the throttle of one endpoint, shared by the calls of all processes."""
        ...


class Cache(Protocol):
    """Storage of completions, such as the store."""

    def find_completion(self, key: bytes) -> Completion | None:
        """Return the completion stored under this key."""
        ...

    def keep_completion(self, key: bytes, completion: Completion) -> None:
        """Store a completion; it is on disk before any outcome that is read from it."""
        ...

    def keep_loss(self, most: float, *, answered: bool = False) -> None:
        """Record the maximum cost of a call without a reply, or with a reply without a token count."""
        ...


class Prepared(Struct, frozen=True):
    """An ask encoded as it would be sent now, and the key of its completion."""

    key: bytes
    call: Call
    body: bytes
    quirks: Quirks


class _Model(Struct):
    owned_by: str | None = None


class _Models(Struct):
    data: list[_Model]


_models = msgspec.json.Decoder(_Models)


class Client:
    """Answers asks with one model at one endpoint, and records which parameters the endpoint refuses."""

    def __init__(
        self,
        endpoint: Endpoint,
        parameters: Parameters,
        transport: Transport,
        settings: CallSettings | None = None,
        *,
        cache: Cache | None = None,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.endpoint = endpoint
        self.parameters = parameters
        self._cache = cache
        self._notice = notice
        self._codec = anthropic if endpoint.kind == "anthropic" else openai
        self._sender = Sender(
            endpoint, self._codec, transport, settings or CallSettings(), losses=cache, notice=notice
        )
        self._prefill_lock = asyncio.Lock()
        self._prefill_known = parameters.prefill != "auto" or endpoint.kind != "compatible"
        self._warming: asyncio.Event | None = None
        self._answered = self._split = self._reported_logprobs = False
        self.quirks = Quirks(
            limit_name="max_completion_tokens" if endpoint.kind == "openai" else "max_tokens",
            continues=parameters.prefill == "on"
            or (parameters.prefill == "auto" and endpoint.kind == "anthropic"),
        )

    @property
    def stalled(self) -> str | None:
        """Why no more calls are sent, after the endpoint stopped answering; None while it answers."""
        return self._sender.stalled

    async def answer(self, asks: tuple[Ask, ...]) -> tuple[Reply, ...]:
        """Answer asks at the same time; replies come back in the order of the asks."""
        return self._check_logprobs(await self._answer_all(asks))

    def _check_logprobs(self, replies: tuple[Reply, ...]) -> tuple[Reply, ...]:
        """Report once that requested token probabilities are missing."""
        if self.parameters.logprobs and "logprobs" not in self.quirks.refused and not self._reported_logprobs:
            self._reported_logprobs = any(
                isinstance(reply, Completion) and reply.text and not reply.tokens for reply in replies
            )
            if self._reported_logprobs:
                self._notice(
                    f"{self.endpoint.model}: the endpoint returns no token probabilities, which --logprobs needs; scores are computed from the values alone, without confidences"
                )
        return replies

    async def _answer_all(self, asks: tuple[Ask, ...]) -> tuple[Reply, ...]:
        if len(asks) == 1:
            return (await self._answer(asks[0]),)
        tasks = [asyncio.create_task(self._answer(ask)) for ask in asks]
        try:
            return tuple(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()

    async def _answer(self, ask: Ask) -> Reply:
        """Answer one ask; the first is sent alone, so that the others can use its prefix in the provider's cache."""
        if self._warming is None:
            self._warming = asyncio.Event()
            reply = await self._find_reply(ask)
            self._warming.set()  # not after an error: the waiting tasks will be cancelled
            return reply
        if not self._warming.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_WARM_UP_SECONDS):
                    await self._warming.wait()
        return await self._find_reply(ask)

    async def _find_reply(self, ask: Ask) -> Reply:
        """Return a stored reply, or send the ask; it is sent again without parameters that the endpoint refuses."""
        while True:
            ready = await self._prepare(ask)
            kept = self._cache.find_completion(ready.key) if self._cache else None
            if kept is not None:
                return kept
            try:
                answer = await self._sender.send(ready.call.path, ready.body, self._output_limit(ask))
            except Fault as fault:
                return self._give_up(fault)
            if answer is None:
                return self._over_budget()
            if isinstance(answer, Completion):
                self._answered = True
                if self._cache:
                    self._cache.keep_completion(ready.key, answer)
                return structs.replace(answer, key=ready.key.hex())
            if not self._negotiate(ready.quirks, ready.call, answer):
                return self._reject(ask, answer)

    async def _prepare(self, ask: Ask) -> Prepared:
        """Encode an ask without parameters that the endpoint is known to refuse."""
        if ask.prompt.opened is not None and not self._prefill_known:
            await self._detect_prefill()
        return self._encode(ask, self.quirks)

    def _encode(self, ask: Ask, quirks: Quirks) -> Prepared:
        call = self._codec.encode(ask, self.endpoint, self.parameters, quirks)
        body = _encoder.encode(call.body)
        key = hash_bytes(self.endpoint.base_url.encode(), call.path.encode(), body, str(ask.attempt).encode())
        return Prepared(key, call, body, quirks)

    def _output_limit(self, ask: Ask) -> int:
        return self.parameters.max_tokens * ask.room

    def _over_budget(self) -> Failed:
        return Failed("over_budget", f"the budget of ${self._sender.budget.ceiling:g} is used up")

    def _reject(self, ask: Ask, complaint: str) -> Failed:
        """Return the refusal of one ask; if the endpoint never answered, stop, because every request would be refused."""
        self._split = self._split or ask.items > 1
        if not self._answered and not self._split and not _TOO_LONG.search(complaint):
            raise SetupError(f"{self.endpoint.model} refuses every request: {complaint}")
        return Failed("rejected", complaint)

    def _negotiate(self, quirks: Quirks, call: Call, complaint: str) -> bool:
        """Learn from a refusal; return True if the call should be sent again with other parameters."""
        learnt = learn(quirks, call.sent, complaint)
        if learnt is None:
            return False
        if self.quirks == quirks:  # otherwise another call has changed them meanwhile
            self.quirks = learnt[0]
            self._notice(f"{self.endpoint.model}: {learnt[1]}")
        return True

    def _give_up(self, fault: Fault) -> Failed:
        if fault.cause == "unavailable" and not self._sender.reached:
            problem = "returned no completion" if fault.answered else "cannot be reached"
            raise SetupError(f"{self.endpoint.model} {problem}: {fault}") from fault
        return Failed(fault.cause, str(fault))

    async def _detect_prefill(self) -> None:
        """Find out once whether the server continues a prefilled assistant turn."""
        async with self._prefill_lock:
            if self._prefill_known:
                return
            if await self._list_owners() & set(_CONTINUING):
                self.quirks = structs.replace(self.quirks, continues=True)
            self._prefill_known = True

    async def _list_owners(self) -> set[str]:
        url = self.endpoint.base_url + "/models"
        try:
            response = await self._sender.transport.send("GET", url, self._sender.headers, None)
            return {(model.owned_by or "").lower() for model in read_body(_models, response.body).data}
        except (TransportError, Unreadable):
            return set()
