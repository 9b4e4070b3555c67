"""Sending a call until it is answered: in its turn, within the budget, again after faults, perhaps with a twin."""

import asyncio
import random
from collections.abc import Callable

from msgspec import Struct, structs

from karat.core.errors import SetupError
from karat.core.exchange import Completion
from karat.core.types import Spent
from karat.models.budget import Budget
from karat.models.endpoint import Endpoint
from karat.models.hedging import Hedge
from karat.models.prices import Price
from karat.models.response import Response
from karat.models.stalling import Stall, overdue
from karat.models.throttle import Throttle, Turn
from karat.models.transport import Transport, TransportError
from karat.models.wire import Unreadable, find_complaint

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_FORBIDDEN = frozenset({301, 302, 303, 307, 308, 401, 402, 403, 404, 405})
_OK = 200
_BYTES_PER_TOKEN = 4
_SHARE_OF_OUTPUT = 0.25  # verdicts are short; what was really used is counted once it is known
_KEY_LENGTH = 8  # shorter ones are stand-ins such as "none", for endpoints that want no key


class Patience(Struct, frozen=True):
    """How often and how long a call that failed on its way is sent again."""

    attempts: int = 8
    seconds: float = 180.0
    wait: float = 0.5
    longest_wait: float = 30.0


class Fault(Exception):  # noqa: N818 - a step of the retry loop, not an error of ours
    """A fault that may pass."""

    def __init__(self, reason: str, *, perhaps_paid: bool = True) -> None:
        super().__init__(reason)
        self.perhaps_paid = perhaps_paid


class _Call:
    """What is sent, and the most that it can cost each time."""

    __slots__ = ("body", "most", "turn", "url")

    def __init__(self, url: str, body: bytes, most: float, turn: Turn) -> None:
        self.url = url
        self.body = body
        self.most = most
        self.turn = turn


class Sender:
    """Sends calls to one endpoint, and knows what they cost and whether anybody answers."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        decode: Callable[[bytes], Completion],
        transport: Transport,
        headers: dict[str, str],
        key: str | None = None,
        price: Price | None = None,
        budget: Budget | None = None,
        throttle: Throttle | None = None,
        concurrency: int = 64,
        rpm: float | None = None,
        tpm: float | None = None,
        timeout: float = 120.0,
        patience: Patience | None = None,
        hedge: bool = False,
        lose: Callable[[float], None] = lambda _: None,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.transport = transport
        self.headers = headers
        self.budget = budget or Budget()
        self.reached = False
        self.stalled: str | None = None
        self._endpoint = endpoint
        self._decode = decode
        self._price = price
        self._patience = patience or Patience()
        self._lose = lose
        self._notice = notice
        self._secret = key.encode() if key and len(key) >= _KEY_LENGTH else None
        self._throttle = throttle or Throttle(concurrency, rpm=rpm, tpm=tpm)
        self._tpm = tpm
        self._overdue = overdue(timeout)
        self._stall = Stall(timeout + self._patience.seconds)
        self._hedge = Hedge(Fault) if hedge else None

    def most(self, body: bytes, limit: int) -> float:
        """The most that a call can cost: no token is shorter than a byte, and the output has a limit."""
        if self._price is None:
            return 0.0
        written = len(body) if self._endpoint.kind == "anthropic" else 0
        return self._price.charge(Spent(1, len(body), 0, limit), written).cost_usd or 0.0

    def charge(self, completion: Completion) -> Completion:
        """Fill in what a completion cost; None where no price is known."""
        spent, price = completion.spent, self._price
        priced = (
            price.charge(spent, completion.written_tokens) if price else structs.replace(spent, cost_usd=None)
        )
        return structs.replace(completion, spent=priced)

    async def send(self, path: str, body: bytes, limit: int) -> Completion | str | None:
        """Send until a completion or a complaint comes back, within the user's patience; None beyond the budget."""
        patience, turn = self._patience, self._throttle.turn(self._expect(body, limit))
        call = _Call(self._endpoint.base_url + path, body, self.most(body, limit), turn)
        try:
            return await self._send_once(call)
        except Fault:
            if patience.attempts == 1 or self.stalled:
                raise
        import stamina

        await asyncio.sleep(patience.wait * (0.5 + random.random()))
        async for attempt in stamina.retry_context(
            on=lambda error: (
                isinstance(error, Fault) and not self.stalled and call.turn.age < patience.seconds
            ),
            attempts=patience.attempts - 1,
            timeout=None,
            wait_initial=patience.wait,
            wait_max=patience.longest_wait,
            wait_jitter=patience.wait,
        ):
            with attempt:
                return await self._send_once(call)
        raise AssertionError("stamina either returns or raises")

    def find_complaint(self, response: Response) -> str:
        """The endpoint's own words, without the key that some of them quote."""
        return find_complaint(response.body.replace(self._secret, b"***") if self._secret else response.body)

    def hint(self, response: Response) -> str:
        """What the user may do about a door that is closed."""
        if response.status in (401, 403):
            return f"; check {self._endpoint.key_variable}"
        place = response.headers.get("location")
        return f"; it points to {' '.join(place.split())[:200]}" if place else ""

    def _expect(self, body: bytes, limit: int) -> float:
        """The tokens that a call is likely to use."""
        tokens = len(body) / _BYTES_PER_TOKEN + limit * _SHARE_OF_OUTPUT
        if self._tpm and tokens > self._tpm:
            self._notice(
                f"a call needs about {tokens:,.0f} tokens, more than --tpm {self._tpm:g}: calls go out {tokens / self._tpm:.1f} minutes apart"
            )
            self._tpm = None  # told once
        return tokens

    async def _send_once(self, call: _Call) -> Completion | str | None:
        if not await self.budget.reserve(call.most):
            return None
        if self._hedge is None:
            return await self._exchange(call, call.turn)
        return await self._send_hedged(call, self._hedge)

    async def _exchange(
        self, call: _Call, turn: Turn, begun: asyncio.Event | None = None
    ) -> Completion | str:
        """Make a call and settle its cost: sent and not answered, it counts at the most that it may have cost."""
        cost, unanswered = 0.0, True
        try:
            answer = await self._take_turn(call, turn, begun)
        except (Fault, SetupError) as error:
            unanswered = isinstance(error, Fault) and error.perhaps_paid
            raise
        else:
            cost, unanswered = _cost(answer), False
            return answer
        finally:
            unanswered = unanswered and turn.entered
            if unanswered:
                self._lose(call.most)
            if self._hedge and turn.entered:
                self._hedge.note(turn.latency)
            await self.budget.settle(call.most, call.most if unanswered else cost)

    async def _take_turn(self, call: _Call, turn: Turn, begun: asyncio.Event | None) -> Completion | str:
        """Send in its turn and read what comes back; an answer, or none, tells whether anything moves."""
        try:
            async with turn:
                if begun:
                    begun.set()
                response = await self._carry(call, turn)
            answer = self._read(call.url, response)
        except Fault as fault:
            self._despair(fault)
            raise
        self._stall.answer()
        if isinstance(answer, Completion):
            turn.use(answer.spent.input_tokens + answer.spent.output_tokens)
        return answer

    async def _carry(self, call: _Call, turn: Turn) -> Response:
        if self.stalled:
            raise Fault(self.stalled, perhaps_paid=False)
        try:
            async with asyncio.timeout(self._overdue):
                response = await self.transport.send("POST", call.url, self.headers, call.body)
        except TimeoutError as error:
            turn.time_out()
            raise Fault(f"no answer from {call.url} within {self._overdue:g} s") from error
        except TransportError as error:
            if error.late:
                turn.time_out()
            if error.nobody_there and not self.reached:
                raise SetupError(f"{error}; is the endpoint running?") from error
            raise Fault(str(error), perhaps_paid=not error.nobody_there) from error
        turn.answer(response)
        return response

    def _read(self, url: str, response: Response) -> Completion | str:
        """A completion with its cost, or the endpoint's complaint; anything else is a fault, or a closed door."""
        if response.status in AGAIN:
            raise self._fault_of(response)
        if response.status in _FORBIDDEN:
            complaint = self.find_complaint(response) or "no reason given"
            raise SetupError(f"{url} answered {response.status}: {complaint}{self.hint(response)}")
        if response.status != _OK:
            self.reached = True
            return self.find_complaint(response) or f"status {response.status}"
        try:
            completion = self._decode(response.body)
        except Unreadable as error:
            raise Fault(f"{url} answered 200, but {error}") from error
        self.reached = True
        return self.charge(completion)

    def _fault_of(self, response: Response) -> Exception:
        complaint = self.find_complaint(response)
        if response.status == 429 and "insufficient_quota" in complaint:  # noqa: PLR2004 - HTTP
            return SetupError(f"the account has no quota left: {complaint}")
        told = f"status {response.status}: {complaint or 'no reason given'}"
        return Fault(told, perhaps_paid=False)

    def _despair(self, fault: Fault) -> None:
        """Give the endpoint up once it has not answered for long: what waits is let go, nothing more is sent."""
        if self.stalled or not self._stall.fail(asyncio.get_running_loop().time()):
            return
        self.stalled = f"no answer for {self._stall.seconds:,.0f} s: {fault}"
        self._throttle.release()
        if self.reached:
            self._notice(f"{self._endpoint.model} is not asked any more: {self.stalled}")

    async def _send_hedged(self, call: _Call, hedge: Hedge) -> Completion | str:
        """Send with a twin at hand; what the call that lost may have cost is counted like any unanswered one."""
        raced = await hedge.race(
            lambda begun: self._exchange(call, call.turn, begun), lambda begun: self._send_twin(call, begun)
        )
        for other in raced.others:
            self._lose(_cost(other))
        answer = raced.answer
        if isinstance(answer, str) or raced.sent == 1:
            return answer
        return structs.replace(answer, spent=structs.replace(answer.spent, calls=raced.sent))

    async def _send_twin(self, call: _Call, begun: asyncio.Event) -> Completion | str:
        if not self.budget.reserve_now(call.most):
            raise Fault("the budget has no room for a second call", perhaps_paid=False)
        return await self._exchange(call, self._throttle.twin(call.turn), begun)


def _cost(answer: Completion | str) -> float:
    return answer.spent.cost_usd or 0.0 if isinstance(answer, Completion) else 0.0
