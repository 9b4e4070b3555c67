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
        """Return the throttle of one endpoint, in which the calls of all processes queue."""
        ...


class Cache(Protocol):
    """Where completions are kept, such as a store of runs."""

    def find_completion(self, key: bytes) -> Completion | None:
        """Return the completion that was kept under this key."""
        ...

    def keep_completion(self, key: bytes, completion: Completion) -> None:
        """Keep a completion; it is on disk before any outcome that follows from it."""
        ...

    def keep_loss(self, most: float, *, answered: bool = False) -> None:
        """Record the most that a call may have cost that was not answered, or answered without a token count."""
        ...


class Prepared(Struct, frozen=True):
    """An ask in the form in which it would be sent now, and the key under which its completion is kept."""

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
    """Answers asks with one model at one endpoint, and remembers which parameters the endpoint refuses."""

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
        """Why nothing is sent any more, once the endpoint has not answered for long; None while it answers."""
        return self._sender.stalled

    async def answer(self, asks: tuple[Ask, ...]) -> tuple[Reply, ...]:
        """Answer asks at the same time; replies come back in the order of the asks."""
        return self._check_logprobs(await self._answer_all(asks))

    def _check_logprobs(self, replies: tuple[Reply, ...]) -> tuple[Reply, ...]:
        """Report once that token probabilities were asked for and did not come."""
        if self.parameters.logprobs and "logprobs" not in self.quirks.refused and not self._reported_logprobs:
            self._reported_logprobs = any(
                isinstance(reply, Completion) and reply.text and not reply.tokens for reply in replies
            )
            if self._reported_logprobs:
                self._notice(
                    f"{self.endpoint.model}: gives no token probabilities, which --logprobs asks for; scores come from the values alone, without a confidence"
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
        """Answer one ask; the first goes alone, so that the others find its prefix in the provider's cache."""
        if self._warming is None:
            self._warming = asyncio.Event()
            reply = await self._find_reply(ask)
            self._warming.set()  # not after an error: the tasks that wait are about to be cancelled
            return reply
        if not self._warming.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_WARM_UP_SECONDS):
                    await self._warming.wait()
        return await self._find_reply(ask)

    async def _find_reply(self, ask: Ask) -> Reply:
        """Return a kept reply, or send the ask, in another form where the endpoint refuses a parameter."""
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
        """Encode an ask in the form that the endpoint is known to accept."""
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
        """Return the refusal of one ask; where nothing was ever answered, stop: every request would be refused."""
        self._split = self._split or ask.items > 1
        if not self._answered and not self._split and not _TOO_LONG.search(complaint):
            raise SetupError(f"{self.endpoint.model} refuses every request: {complaint}")
        return Failed("rejected", complaint)

    def _negotiate(self, quirks: Quirks, call: Call, complaint: str) -> bool:
        """Learn from a refusal; True if the call should be sent again in another form."""
        learnt = learn(quirks, call.sent, complaint)
        if learnt is None:
            return False
        if self.quirks == quirks:  # else another call has learnt something meanwhile
            self.quirks = learnt[0]
            self._notice(f"{self.endpoint.model}: {learnt[1]}")
        return True

    def _give_up(self, fault: Fault) -> Failed:
        if fault.cause == "unavailable" and not self._sender.reached:
            problem = "gave no completion" if fault.answered else "cannot be reached"
            raise SetupError(f"{self.endpoint.model} {problem}: {fault}") from fault
        return Failed(fault.cause, str(fault))

    async def _detect_prefill(self) -> None:
        """Ask the server once what it is: some continue an assistant turn that the prompt has opened."""
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
