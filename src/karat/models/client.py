"""Getting an ask answered: from the cache if it was answered before, else sent, and sent again after faults."""

import asyncio
import random
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import msgspec
from msgspec import Struct, structs

from karat.core.errors import SetupError
from karat.core.exchange import Ask, Completion, Failed, Reply
from karat.core.keys import hash_bytes
from karat.core.types import Spent
from karat.models import anthropic, openai
from karat.models.budget import Budget
from karat.models.endpoint import Endpoint
from karat.models.parameters import Parameters, Quirks, learn
from karat.models.prices import Price
from karat.models.throttle import Throttle, Turn
from karat.models.transport import Response, Transport, TransportError
from karat.models.wire import Call, Unreadable, find_complaint, read_body

_CONTINUING = ("vllm", "llamacpp", "sglang")
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_FORBIDDEN = frozenset({301, 302, 303, 307, 308, 401, 402, 403, 404, 405})
_OK = 200
_WARM_UP_SECONDS = 10.0
_TOO_LONG = re.compile(r"context|too (?:long|large|many tokens)|exceed|maximum", re.IGNORECASE)
_BYTES_PER_TOKEN = 4
_SHARE_OF_OUTPUT = 0.25  # verdicts are short; what was really used is counted once it is known
_KEY_LENGTH = 8  # shorter ones are stand-ins such as "none", for endpoints that want no key
_encoder = msgspec.json.Encoder(order="sorted")


class Cache(Protocol):
    """Where completions are kept; a store of runs is one, nothing at all is another."""

    def find_completion(self, key: bytes) -> Completion | None:
        """The completion that was kept under this key."""
        ...

    def keep_completion(self, key: bytes, completion: Completion) -> None:
        """Keep a completion; it is on disk before any outcome that follows from it."""
        ...


class Patience(Struct, frozen=True):
    """How often and how long a call that failed on its way is sent again."""

    attempts: int = 8
    seconds: float = 180.0
    wait: float = 0.5
    longest_wait: float = 30.0


class Prepared(Struct, frozen=True):
    """An ask as it would be sent now, and the key under which its completion is kept."""

    key: bytes
    call: Call
    body: bytes
    quirks: Quirks


class _Model(Struct):
    owned_by: str | None = None


class _Models(Struct):
    data: list[_Model]


_models = msgspec.json.Decoder(_Models)


class _Fault(Exception):  # noqa: N818 - a step of the retry loop, not an error of ours
    """A fault that may pass."""

    def __init__(self, reason: str, *, perhaps_paid: bool = True) -> None:
        super().__init__(reason)
        self.perhaps_paid = perhaps_paid


class Client:
    """Answers asks with one model at one endpoint, and remembers what the endpoint refuses."""

    def __init__(
        self,
        endpoint: Endpoint,
        parameters: Parameters,
        *,
        transport: Transport,
        cache: Cache | None = None,
        key: str | None = None,
        price: Price | None = None,
        budget: Budget | None = None,
        concurrency: int = 64,
        rpm: float | None = None,
        tpm: float | None = None,
        patience: Patience | None = None,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.endpoint = endpoint
        self.parameters = parameters
        self._transport = transport
        self._cache = cache
        self._price = price
        self._budget = budget or Budget()
        self._patience = patience or Patience()
        self._notice = notice
        self._codec = anthropic if endpoint.kind == "anthropic" else openai
        self._headers = _headers(endpoint, key)
        self._secret = key.encode() if key and len(key) >= _KEY_LENGTH else None
        self._throttle = Throttle(concurrency, rpm=rpm, tpm=tpm)
        self._asked_about_prefill = asyncio.Lock()
        self._prefill_known = parameters.prefill != "auto" or endpoint.kind != "compatible"
        self._warming: asyncio.Event | None = None
        self._reached = self._answered = self._split = False
        self.quirks = Quirks(
            limit_name="max_completion_tokens" if endpoint.kind == "openai" else "max_tokens",
            continues=parameters.prefill == "on"
            or (parameters.prefill == "auto" and endpoint.kind == "anthropic"),
        )

    async def answer(self, asks: tuple[Ask, ...]) -> tuple[Reply, ...]:
        """Answer asks together, in their order."""
        if len(asks) == 1:
            return (await self._answer(asks[0]),)
        tasks = [asyncio.create_task(self._answer(ask)) for ask in asks]
        try:
            return tuple(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()

    async def _prepare(self, ask: Ask) -> Prepared:
        """Encode an ask in the form that the endpoint is known to take."""
        if ask.prompt.opened is not None and not self._prefill_known:
            await self._find_out_about_prefill()
        quirks = self.quirks
        call = self._codec.encode(ask, self.endpoint, self.parameters, quirks)
        body = _encoder.encode(call.body)
        key = hash_bytes(self.endpoint.base_url.encode(), call.path.encode(), body, str(ask.attempt).encode())
        return Prepared(key, call, body, quirks)

    async def _answer(self, ask: Ask) -> Reply:
        """Let the first ask go alone, so that the others find the stable part in the provider's prefix cache."""
        if self._warming is None:
            self._warming = asyncio.Event()
            reply = await self._find_reply(ask)
            self._warming.set()  # not after an error: whoever waits is about to be stopped
            return reply
        if not self._warming.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_WARM_UP_SECONDS):
                    await self._warming.wait()
        return await self._find_reply(ask)

    async def _find_reply(self, ask: Ask) -> Reply:
        while True:
            ready = await self._prepare(ask)
            kept = self._cache.find_completion(ready.key) if self._cache else None
            if kept is not None:
                return kept
            try:
                answer = await self._send_patiently(ready.call.path, ready.body, ask)
            except _Fault as fault:
                return self._give_up(fault)
            if answer is None:
                return Failed("over_budget", f"the budget of ${self._budget.ceiling:g} is used up")
            if isinstance(answer, Completion):
                self._answered = True
                if self._cache:
                    self._cache.keep_completion(ready.key, answer)
                return structs.replace(answer, key=ready.key.hex())
            if not self._negotiate(ready.quirks, ready.call, answer):
                return self._reject(ask, answer)

    def _reject(self, ask: Ask, complaint: str) -> Failed:
        """One item of a batch may be at fault, but where nothing was ever answered it is the request itself."""
        self._split = self._split or ask.items > 1
        if not self._answered and not self._split and not _TOO_LONG.search(complaint):
            raise SetupError(f"{self.endpoint.model} refuses every request: {complaint}")
        return Failed("rejected", complaint)

    def _negotiate(self, quirks: Quirks, call: Call, complaint: str) -> bool:
        """Learn from a refusal; True where the call is worth sending once more in another form."""
        learnt = learn(quirks, call.sent, complaint)
        if learnt is None:
            return False
        if self.quirks == quirks:  # a neighbour may have learnt something meanwhile
            self.quirks = learnt[0]
            self._notice(f"{self.endpoint.model}: {learnt[1]}")
        return True

    def _charge(self, completion: Completion) -> Completion:
        spent, price = completion.spent, self._price
        priced = (
            price.charge(spent, completion.written_tokens) if price else structs.replace(spent, cost_usd=None)
        )
        return structs.replace(completion, spent=priced)

    def _give_up(self, fault: _Fault) -> Failed:
        if not self._reached:
            raise SetupError(f"{self.endpoint.model} cannot be reached: {fault}") from fault
        return Failed("unavailable", str(fault))

    def _most(self, body: bytes, ask: Ask) -> float:
        """The most that a call can cost: no token is shorter than a byte, and the output has a limit."""
        if self._price is None:
            return 0.0
        bound = Spent(1, len(body), 0, self.parameters.max_tokens * ask.room)
        written = len(body) if self.endpoint.kind == "anthropic" else 0
        return self._price.charge(bound, written).cost_usd or 0.0

    def _expect(self, body: bytes, ask: Ask) -> float:
        """The tokens that a call is likely to use."""
        return len(body) / _BYTES_PER_TOKEN + self.parameters.max_tokens * ask.room * _SHARE_OF_OUTPUT

    async def _send_patiently(self, path: str, body: bytes, ask: Ask) -> Completion | str | None:
        """Send until a completion or a complaint comes back, within the user's patience; None beyond the budget."""
        patience, most = self._patience, self._most(body, ask)
        turn = self._throttle.turn(self._expect(body, ask))
        try:
            return await self._send_within_budget(path, body, most, turn)
        except _Fault:
            if patience.attempts == 1:
                raise
        import stamina

        await asyncio.sleep(patience.wait * (0.5 + random.random()))
        async for attempt in stamina.retry_context(
            on=lambda error: isinstance(error, _Fault) and turn.age < patience.seconds,
            attempts=patience.attempts - 1,
            timeout=None,
            wait_initial=patience.wait,
            wait_max=patience.longest_wait,
            wait_jitter=patience.wait,
        ):
            with attempt:
                return await self._send_within_budget(path, body, most, turn)
        raise AssertionError("stamina either returns or raises")

    async def _send_within_budget(
        self, path: str, body: bytes, most: float, turn: Turn
    ) -> Completion | str | None:
        """Send if the budget allows; a call that got no answer is counted at the most it may have cost."""
        if not await self._budget.reserve(most):
            return None
        cost = most
        try:
            answer = await self._send(path, body, turn)
            if isinstance(answer, Completion):
                answer = self._charge(answer)
                cost = answer.spent.cost_usd or 0.0
            else:
                cost = 0.0
        except _Fault as fault:
            cost = most if fault.perhaps_paid else 0.0
            raise
        finally:
            await self._budget.settle(most, cost)
        return answer

    async def _send(self, path: str, body: bytes, turn: Turn) -> Completion | str:
        url = self.endpoint.base_url + path
        try:
            response = await self._send_in_turn(url, body, turn)
        except TransportError as error:
            if error.nobody_there and not self._reached:
                raise SetupError(f"{error}; is the endpoint running?") from error
            raise _Fault(str(error), perhaps_paid=not error.nobody_there) from error
        if response.status in AGAIN:
            raise _fault_of(response, self._find_complaint(response))
        if response.status in _FORBIDDEN:
            complaint = self._find_complaint(response) or "no reason given"
            raise SetupError(f"{url} answered {response.status}: {complaint}{self._hint(response)}")
        if response.status != _OK:
            self._reached = True
            return self._find_complaint(response) or f"status {response.status}"
        try:
            completion = self._codec.decode(response.body)
        except Unreadable as error:
            raise _Fault(f"{url} answered 200, but {error}") from error
        self._reached = True
        turn.use(completion.spent.input_tokens + completion.spent.output_tokens)
        return completion

    async def _send_in_turn(self, url: str, body: bytes, turn: Turn) -> Response:
        async with turn:
            try:
                response = await self._transport.send("POST", url, self._headers, body)
            except TransportError as error:
                if error.late:
                    turn.time_out()
                raise
            turn.answer(response)
            return response

    def _find_complaint(self, response: Response) -> str:
        """The endpoint's own words, without the key that some of them quote."""
        return find_complaint(response.body.replace(self._secret, b"***") if self._secret else response.body)

    def _hint(self, response: Response) -> str:
        if response.status in (401, 403):
            return f"; check {self.endpoint.key_variable}"
        place = response.headers.get("location")
        return f"; it points to {' '.join(place.split())[:200]}" if place else ""

    async def _find_out_about_prefill(self) -> None:
        """Ask the server once what it is: some continue an assistant turn that is already opened."""
        async with self._asked_about_prefill:
            if self._prefill_known:
                return
            if await self._find_owners() & set(_CONTINUING):
                self.quirks = structs.replace(self.quirks, continues=True)
            self._prefill_known = True

    async def _find_owners(self) -> set[str]:
        url = self.endpoint.base_url + "/models"
        try:
            response = await self._transport.send("GET", url, self._headers, None)
            return {(model.owned_by or "").lower() for model in read_body(_models, response.body).data}
        except (TransportError, Unreadable):
            return set()


def _fault_of(response: Response, complaint: str) -> Exception:
    if response.status == 429 and "insufficient_quota" in complaint:  # noqa: PLR2004 - HTTP
        return SetupError(f"the account has no quota left: {complaint}")
    told = f"status {response.status}: {complaint or 'no reason given'}"
    return _Fault(told, perhaps_paid=False)


def _headers(endpoint: Endpoint, key: str | None) -> dict[str, str]:
    headers = {"content-type": "application/json", "accept": "application/json"}
    if endpoint.kind == "anthropic":
        return headers | {"x-api-key": key or "", "anthropic-version": anthropic.VERSION}
    return headers | ({"authorization": f"Bearer {key}"} if key else {})
