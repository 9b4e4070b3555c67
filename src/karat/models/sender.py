"""Sending a request: rate limits, budget, retries, hedging."""

import asyncio
import random
from collections.abc import Callable
from typing import Literal, Protocol
from urllib.parse import urlsplit

from msgspec import Struct, structs

from karat.core.errors import SetupError
from karat.core.exchange import Completion
from karat.core.types import Spent
from karat.models.budget import Budget
from karat.models.endpoint import Endpoint
from karat.models.hedging import Hedge
from karat.models.prices import Price
from karat.models.rate_limit.throttle import Throttle, Turn
from karat.models.secrets import Mask, MaskedTransport
from karat.models.transport import Response, Transport, TransportError
from karat.models.wire.common import Unreadable, find_complaint

_FEW = 5


def overdue(timeout: float) -> float:
    """When a call is given up although its transport, which has the deadline, goes on waiting."""
    return 1.25 * timeout + 5.0


class Stall:
    """Counts the faults since the last answer; some of them, over so many seconds, mean that nothing moves."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since = 0.0
        self._faults = 0

    def answer(self) -> None:
        """An answer came."""
        self._faults = 0

    def fail(self, now: float) -> bool:
        """A call failed; True where that was one too many."""
        if not self._faults:
            self._since = now
        self._faults += 1
        return self._faults >= _FEW and now - self._since >= self.seconds


AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_FORBIDDEN = frozenset({*range(300, 400), 401, 402, 403, 404, 405})
_OK = 200
_BYTES_PER_TOKEN = 4
_SHARE_OF_OUTPUT = 0.25  # verdicts are short; what was really used is counted once it is known
_LONG_WAIT = 10.0  # seconds; who waits longer is told why


class Patience(Struct, frozen=True):
    """How often and how long a call that failed on its way is sent again."""

    attempts: int = 8
    seconds: float = 180.0
    wait: float = 0.5
    longest_wait: float = 30.0


class Fault(Exception):  # noqa: N818 - a step of the retry loop, not an error of ours
    """A fault that may pass; `answered` where a response came, even if nothing could be made of it.

    One that is `unparseable` is not worth waiting for: whoever asked decides whether to ask again.
    """

    def __init__(
        self,
        reason: str,
        *,
        perhaps_paid: bool = True,
        answered: bool = False,
        cause: Literal["unavailable", "unparseable"] = "unavailable",
    ) -> None:
        super().__init__(reason)
        self.perhaps_paid = perhaps_paid
        self.answered = answered
        self.cause: Literal["unavailable", "unparseable"] = cause


class LossBook(Protocol):
    """Where it is noted what calls may have cost that were not answered, or not counted."""

    def keep_loss(self, most: float, *, answered: bool = False) -> None:
        """Note the most that a call may have cost."""
        ...


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
        losses: LossBook | None = None,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._mask = Mask(key)
        self.transport: Transport = MaskedTransport(transport, self._mask)
        self.headers = headers
        self.budget = budget or Budget()
        self.reached = False
        self.stalled: str | None = None
        self._stalled_answered = False
        self._endpoint = endpoint
        self._decode = decode
        self._price = price
        self._patience = patience or Patience()
        self._losses = losses
        self._notice = notice
        self._told = set[str]()
        self._throttle = throttle or Throttle(concurrency, rpm=rpm, tpm=tpm)
        self._throttle.notice = lambda told: notice(f"{endpoint.model}: {told}")
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

    def read(self, body: bytes) -> Completion:
        """Read a completion, without the key and with its cost; anything else is `Unreadable`."""
        completion = self._decode(body)
        spent, price = completion.spent, self._price
        spent = (
            price.charge(spent, completion.written_tokens) if price else structs.replace(spent, cost_usd=None)
        )
        text, tokens = self._mask.text(completion.text), completion.tokens
        if tokens is not None:  # a key may be spread over several of them
            said = "".join(token.text for token in tokens)
            tokens = tokens if text == completion.text and self._mask.text(said) == said else None
        return structs.replace(completion, text=text, tokens=tokens, spent=spent)

    async def send(self, path: str, body: bytes, limit: int) -> Completion | str | None:
        """Send until a completion or a complaint comes back, within the user's patience; None beyond the budget."""
        patience, turn = self._patience, self._throttle.turn(self._expect(body, limit))
        call = _Call(self._endpoint.base_url + path, body, self.most(body, limit), turn)
        try:
            return await self._send_once(call)
        except Fault as fault:
            if patience.attempts == 1 or not self._is_passing(fault):
                raise
        import stamina

        await asyncio.sleep(patience.wait * (0.5 + random.random()))
        async for attempt in stamina.retry_context(
            on=lambda error: (
                isinstance(error, Fault) and self._is_passing(error) and call.turn.age < patience.seconds
            ),
            attempts=patience.attempts - 1,
            timeout=None,
            wait_initial=patience.wait,
            wait_max=patience.longest_wait,
            wait_jitter=patience.wait,
        ):
            with attempt:
                try:
                    return await self._send_once(call)
                except Fault as fault:
                    if attempt.num < patience.attempts - 1:
                        self._tell_of_wait(attempt.next_wait, fault)
                    raise
        raise AssertionError("stamina either returns or raises")

    def _is_passing(self, fault: Fault) -> bool:
        return not self.stalled and fault.cause == "unavailable"

    def _tell_of_wait(self, seconds: float, fault: Fault) -> None:
        """Say why nothing happens for long, once for each kind of fault."""
        kind = str(fault).partition(":")[0]
        if seconds > _LONG_WAIT and self._is_passing(fault) and kind not in self._told:
            self._told.add(kind)
            self._notice(f"{self._endpoint.model}: {fault}; asked again in {seconds:.0f} s")

    def hint(self, response: Response) -> str:
        """What the user may do about a door that is closed."""
        if response.status in (401, 403):
            return f"; check {self._endpoint.key_variable}"
        place = response.headers.get("location")
        return f"; it points to {_show_place(place)}, where nothing is sent" if place else ""

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
            cost, unanswered = self._settle(call, answer), False
            return answer
        finally:
            unanswered = unanswered and turn.entered
            if unanswered and self._losses:
                self._losses.keep_loss(call.most)
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
            del response  # the traceback of a fault must not hold on to the body
            if isinstance(answer, Exception):
                raise answer
        except Fault as fault:
            self._mark_stalled(fault)
            raise
        self._stall.answer()
        if isinstance(answer, Completion):
            spent = answer.spent
            turn.use(
                turn.tokens if spent.uncounted else (spent.input_tokens or 0) + (spent.output_tokens or 0)
            )
        return answer

    def _settle(self, call: _Call, answer: Completion | str) -> float:
        """What an answer cost; a call that was not counted costs the most that it can."""
        if isinstance(answer, str):
            return 0.0
        if not answer.spent.uncounted:
            return answer.spent.cost_usd or 0.0
        if self._losses and call.most:
            self._losses.keep_loss(call.most, answered=True)
        return call.most

    async def _carry(self, call: _Call, turn: Turn) -> Response:
        if self.stalled:
            raise Fault(self.stalled, perhaps_paid=False, answered=self._stalled_answered)
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
                raise SetupError(error) from error
            raise Fault(
                str(error),
                perhaps_paid=not error.nobody_there,
                answered=error.status is not None,
                cause="unparseable" if error.too_large else "unavailable",
            ) from error
        turn.answer(response)
        return response

    def _read(self, url: str, response: Response) -> Completion | str | Fault | SetupError:
        """A completion with its cost, or the endpoint's complaint; anything else is a fault, or a closed door."""
        if response.status in AGAIN:
            return self._fault_of(response)
        if response.status in _FORBIDDEN:
            complaint = find_complaint(response.body) or "no reason given"
            return SetupError(f"{url} answered {response.status}: {complaint}{self.hint(response)}")
        if response.status != _OK:
            self.reached = True
            return find_complaint(response.body) or f"status {response.status}"
        try:
            completion = self.read(response.body)
        except Unreadable as error:
            return Fault(f"{url} answered 200, but {error}", answered=True)
        self.reached = True
        return completion

    def _fault_of(self, response: Response) -> Fault | SetupError:
        complaint = find_complaint(response.body)
        if response.status == 429 and "insufficient_quota" in complaint:  # noqa: PLR2004 - HTTP
            return SetupError(f"the account has no quota left: {complaint}")
        told = f"status {response.status}: {complaint or 'no reason given'}"
        return Fault(told, perhaps_paid=False, answered=True)

    def _mark_stalled(self, fault: Fault) -> None:
        """Give the endpoint up once it has not answered for long: what waits is let go, nothing more is sent."""
        if self.stalled or not self._stall.fail(asyncio.get_running_loop().time()):
            return
        missing = "completion" if fault.answered else "answer"
        self.stalled = f"no {missing} for {self._stall.seconds:,.0f} s: {fault}"
        self._stalled_answered = fault.answered
        self._throttle.release()
        if self.reached:
            self._notice(f"{self._endpoint.model} is not asked any more: {self.stalled}")

    async def _send_hedged(self, call: _Call, hedge: Hedge) -> Completion | str:
        """Send with a twin at hand; what the call that lost may have cost is counted like any unanswered one."""
        raced = await hedge.race(
            lambda begun: self._exchange(call, call.turn, begun), lambda begun: self._send_twin(call, begun)
        )
        for other in raced.others:
            if self._losses:
                self._losses.keep_loss(_cost(other))
        answer = raced.answer
        if isinstance(answer, str) or raced.sent == 1:
            return answer
        return structs.replace(answer, spent=structs.replace(answer.spent, calls=raced.sent))

    async def _send_twin(self, call: _Call, begun: asyncio.Event) -> Completion | str:
        if not self.budget.reserve_now(call.most):
            raise Fault("the budget has no room for a second call", perhaps_paid=False)
        return await self._exchange(call, self._throttle.twin(call.turn), begun)


def _show_place(place: str) -> str:
    """Where a redirect points to, without what may be secret in it."""
    try:
        parts = urlsplit(" ".join(place.split()))
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "a place that is no address"
    return (
        f"{parts.scheme}://{parts.hostname}{port}{parts.path}"[:200] if parts.hostname else parts.path[:200]
    )


def _cost(answer: Completion | str) -> float:
    return answer.spent.cost_usd or 0.0 if isinstance(answer, Completion) else 0.0
