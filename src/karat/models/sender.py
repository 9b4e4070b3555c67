"""Send a request to one endpoint: rate limits, budget, retries, hedging."""

import asyncio
import random
from collections.abc import Callable
from typing import Literal, Protocol
from urllib.parse import urlsplit

from msgspec import Struct, structs

from karat.core.errors import SetupError
from karat.core.flow import Completion
from karat.core.types import Spent
from karat.models.costs import Budget, Price
from karat.models.endpoint import Endpoint
from karat.models.hedging import Hedge
from karat.models.rate_limit.throttle import Slot, Throttle
from karat.models.secrets import Mask, MaskedTransport
from karat.models.transport import Response, Transport, TransportError
from karat.models.wire.common import Codec, Unreadable, find_complaint

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_FATAL = frozenset({*range(300, 400), 401, 402, 403, 404, 405})
_OK = 200
_BYTES_PER_TOKEN = 4
_SHARE_OF_OUTPUT = (
    0.25  # of the output limit, as an estimate; verdicts are short, and the used number replaces it later
)
_LONG_WAIT = 10.0  # seconds; a longer wait is reported
_STALL_FAULTS = 5


class Patience(Struct, frozen=True):
    """How often, and for how long, a failed call is retried."""

    attempts: int = 8
    seconds: float = 180.0
    wait: float = 0.5
    longest_wait: float = 30.0


class CallSettings(Struct, frozen=True, kw_only=True):
    """How calls to one endpoint are sent; a given throttle replaces concurrency, rpm and tpm."""

    key: str | None = None
    price: Price | None = None
    budget: Budget | None = None
    throttle: Throttle | None = None
    concurrency: int = 64
    rpm: float | None = None
    tpm: float | None = None
    timeout: float = 120.0
    patience: Patience = Patience()
    hedge: bool = False


class Fault(Exception):  # noqa: N818 - part of the retry loop, not a user-visible error
    """A failed call that may succeed later; `answered` if a response came, even an unusable one.

    An `unparseable` one is not retried here: the caller decides whether to ask again.
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


class LossLog(Protocol):
    """Records the maximum cost of calls without a reply or without a token count."""

    def keep_loss(self, most: float, *, answered: bool = False) -> None:
        """Record the maximum cost of a call."""
        ...


class _Call:
    """A request, the maximum cost of sending it once, and its position in the queue."""

    __slots__ = ("body", "max_cost", "slot", "url")

    def __init__(self, url: str, body: bytes, max_cost: float, slot: Slot) -> None:
        self.url = url
        self.body = body
        self.max_cost = max_cost
        self.slot = slot


class _StallDetector:
    """Counts the faults since the last answer; five or more over `seconds` mean that the endpoint is dead."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since = 0.0
        self._faults = 0

    def note_answer(self) -> None:
        self._faults = 0

    def note_fault(self, now: float) -> bool:
        """Count a fault; True if the endpoint now counts as dead."""
        if not self._faults:
            self._since = now
        self._faults += 1
        return self._faults >= _STALL_FAULTS and now - self._since >= self.seconds


class Sender:
    """Sends calls to one endpoint, settles their cost, and detects when the endpoint stops answering."""

    def __init__(
        self,
        endpoint: Endpoint,
        codec: Codec,
        transport: Transport,
        settings: CallSettings,
        *,
        losses: LossLog | None = None,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._mask = Mask(settings.key)
        self.transport: Transport = MaskedTransport(transport, self._mask)
        self.headers = codec.make_headers(settings.key)
        self.budget = settings.budget or Budget()
        self.reached = False
        self.stalled: str | None = None
        self._stalled_answered = False
        self._endpoint = endpoint
        self._codec = codec
        self._price = settings.price
        self._patience = settings.patience
        self._losses = losses
        self._notice = notice
        self._reported = set[str]()
        self._throttle = settings.throttle or Throttle(
            settings.concurrency, rpm=settings.rpm, tpm=settings.tpm
        )
        self._throttle.notice = lambda text: notice(f"{endpoint.model}: {text}")
        self._tpm = settings.tpm
        # The transport has its own deadline; this one covers a transport that does not keep it.
        self._deadline = 1.25 * settings.timeout + 5.0
        self._stall = _StallDetector(settings.timeout + self._patience.seconds)
        self._hedge = Hedge(Fault) if settings.hedge else None

    def max_cost(self, body: bytes, limit: int) -> float:
        """Return the maximum cost of a call: no token is shorter than a byte, and the output is limited."""
        if self._price is None:
            return 0.0
        written = len(body) if self._endpoint.kind == "anthropic" else 0
        return self._price.charge(Spent(1, len(body), 0, limit), written).cost_usd or 0.0

    def read(self, body: bytes) -> Completion:
        """Read a completion, mask the key in it and add its cost; any other body is `Unreadable`."""
        completion = self._codec.decode(body)
        spent, price = completion.spent, self._price
        spent = (
            price.charge(spent, completion.written_tokens) if price else structs.replace(spent, cost_usd=None)
        )
        text, tokens = self._mask.text(completion.text), completion.tokens
        if tokens is not None:  # a key may span several tokens
            joined = "".join(token.text for token in tokens)
            tokens = tokens if text == completion.text and self._mask.text(joined) == joined else None
        return structs.replace(completion, text=text, tokens=tokens, spent=spent)

    async def send(self, path: str, body: bytes, limit: int) -> Completion | str | None:
        """Send with retries; return a completion, the endpoint's complaint, or None if over budget."""
        patience, slot = self._patience, self._throttle.slot(self._estimate_tokens(body, limit))
        call = _Call(self._endpoint.base_url + path, body, self.max_cost(body, limit), slot)
        try:
            return await self._send_once(call)
        except Fault as fault:
            if patience.attempts == 1 or not self._is_retryable(fault):
                raise
        import stamina

        await asyncio.sleep(patience.wait * (0.5 + random.random()))
        async for attempt in stamina.retry_context(
            on=lambda error: (
                isinstance(error, Fault) and self._is_retryable(error) and call.slot.age < patience.seconds
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
                        self._report_wait(attempt.next_wait, fault)
                    raise
        raise AssertionError("stamina either returns or raises")

    def hint(self, response: Response) -> str:
        """Return the remedy for a refused request, to be appended to a message."""
        if response.status in (401, 403):
            return f"; check {self._endpoint.key_variable}"
        location = response.headers.get("location")
        return (
            f"; it redirects to {_format_location(location)}, which karat does not follow" if location else ""
        )

    def _is_retryable(self, fault: Fault) -> bool:
        return not self.stalled and fault.cause == "unavailable"

    def _report_wait(self, seconds: float, fault: Fault) -> None:
        """Print why a retry waits for long, once for each kind of fault."""
        kind = str(fault).partition(":")[0]
        if seconds > _LONG_WAIT and self._is_retryable(fault) and kind not in self._reported:
            self._reported.add(kind)
            self._notice(f"{self._endpoint.model}: {fault}; retrying in {seconds:.0f} s")

    def _estimate_tokens(self, body: bytes, limit: int) -> float:
        """Return the expected tokens of a call."""
        tokens = len(body) / _BYTES_PER_TOKEN + limit * _SHARE_OF_OUTPUT
        if self._tpm and tokens > self._tpm:
            self._notice(
                f"a call needs about {tokens:,.0f} tokens, more than --tpm {self._tpm:g}, so calls are sent {tokens / self._tpm:.1f} minutes apart"
            )
            self._tpm = None  # reported once
        return tokens

    async def _send_once(self, call: _Call) -> Completion | str | None:
        if not await self.budget.reserve(call.max_cost):
            return None
        if self._hedge is None:
            return await self._exchange(call, call.slot)
        return await self._send_hedged(call, self._hedge)

    async def _send_hedged(self, call: _Call, hedge: Hedge) -> Completion | str:
        """Send, with a second call if the first is slow; the cost of the losing call is recorded as a loss."""
        raced = await hedge.race(
            lambda begun: self._exchange(call, call.slot, begun), lambda begun: self._send_second(call, begun)
        )
        for other in raced.others:
            if self._losses:
                self._losses.keep_loss(_cost(other))
        answer = raced.answer
        if isinstance(answer, str) or raced.sent == 1:
            return answer
        return structs.replace(answer, spent=structs.replace(answer.spent, calls=raced.sent))

    async def _send_second(self, call: _Call, begun: asyncio.Event) -> Completion | str:
        if not self.budget.reserve_now(call.max_cost):
            raise Fault("the budget does not allow a second call", perhaps_paid=False)
        return await self._exchange(call, self._throttle.second_slot(call.slot), begun)

    async def _exchange(
        self, call: _Call, slot: Slot, begun: asyncio.Event | None = None
    ) -> Completion | str:
        """Make a call and settle its cost; one without a reply counts at its maximum cost."""
        cost, unanswered = 0.0, True
        try:
            answer = await self._send_in_slot(call, slot, begun)
        except (Fault, SetupError) as error:
            unanswered = isinstance(error, Fault) and error.perhaps_paid
            raise
        else:
            cost, unanswered = self._settle(call, answer), False
            return answer
        finally:
            unanswered = unanswered and slot.entered
            if unanswered and self._losses:
                self._losses.keep_loss(call.max_cost)
            if self._hedge and slot.entered:
                self._hedge.note(slot.latency)
            await self.budget.settle(call.max_cost, call.max_cost if unanswered else cost)

    async def _send_in_slot(self, call: _Call, slot: Slot, begun: asyncio.Event | None) -> Completion | str:
        """Wait for the slot, send, and read the response."""
        try:
            async with slot:
                if begun:
                    begun.set()
                response = await self._transmit(call, slot)
            answer = self._read(call.url, response)
            del response  # the traceback of a fault must not keep the body in memory
            if isinstance(answer, Exception):
                raise answer
        except Fault as fault:
            self._mark_stalled(fault)
            raise
        self._stall.note_answer()
        if isinstance(answer, Completion):
            spent = answer.spent
            slot.note_tokens(
                slot.tokens if spent.uncounted else (spent.input_tokens or 0) + (spent.output_tokens or 0)
            )
        return answer

    def _settle(self, call: _Call, answer: Completion | str) -> float:
        """Return the cost of a reply; one without a token count counts at the maximum, recorded as a loss."""
        if isinstance(answer, str):
            return 0.0
        if not answer.spent.uncounted:
            return answer.spent.cost_usd or 0.0
        if self._losses and call.max_cost:
            self._losses.keep_loss(call.max_cost, answered=True)
        return call.max_cost

    async def _transmit(self, call: _Call, slot: Slot) -> Response:
        if self.stalled:
            raise Fault(self.stalled, perhaps_paid=False, answered=self._stalled_answered)
        try:
            async with asyncio.timeout(self._deadline):
                response = await self.transport.send("POST", call.url, self.headers, call.body)
        except TimeoutError as error:
            slot.note_timeout()
            raise Fault(f"no reply from {call.url} within {self._deadline:g} s") from error
        except TransportError as error:
            if error.timed_out:
                slot.note_timeout()
            if error.unreachable and not self.reached:
                raise SetupError(error) from error
            raise Fault(
                str(error),
                perhaps_paid=not error.unreachable,
                answered=error.status is not None,
                cause="unparseable" if error.too_large else "unavailable",
            ) from error
        slot.note_response(response)
        return response

    def _read(self, url: str, response: Response) -> Completion | str | Fault | SetupError:
        """Return a completion with its cost, the endpoint's complaint, or an error for the caller to raise."""
        if response.status in RETRYABLE:
            return self._read_retryable(response)
        if response.status in _FATAL:
            complaint = find_complaint(response.body) or "no reason given"
            return SetupError(f"{url} returned status {response.status}: {complaint}{self.hint(response)}")
        if response.status != _OK:
            self.reached = True
            return find_complaint(response.body) or f"status {response.status}"
        try:
            completion = self.read(response.body)
        except Unreadable as error:
            return Fault(f"{url} returned status 200, but {error}", answered=True)
        self.reached = True
        return completion

    def _read_retryable(self, response: Response) -> Fault | SetupError:
        complaint = find_complaint(response.body)
        if response.status == 429 and "insufficient_quota" in complaint:  # noqa: PLR2004 - HTTP
            return SetupError(f"the account has no quota left: {complaint}; add credit or use another key")
        reason = f"status {response.status}: {complaint or 'no reason given'}"
        return Fault(reason, perhaps_paid=False, answered=True)

    def _mark_stalled(self, fault: Fault) -> None:
        """Mark the endpoint as dead after a long time without a reply: waiting calls fail, and no more are sent."""
        if self.stalled or not self._stall.note_fault(asyncio.get_running_loop().time()):
            return
        missing = "completion" if fault.answered else "reply"
        self.stalled = f"no {missing} for {self._stall.seconds:,.0f} s: {fault}"
        self._stalled_answered = fault.answered
        self._throttle.release()
        if self.reached:
            self._notice(f"{self._endpoint.model}: no more calls are sent: {self.stalled}")


def _format_location(location: str) -> str:
    """Format the target of a redirect, without user, password and query."""
    try:
        parts = urlsplit(" ".join(location.split()))
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "an invalid address"
    return (
        f"{parts.scheme}://{parts.hostname}{port}{parts.path}"[:200] if parts.hostname else parts.path[:200]
    )


def _cost(answer: Completion | str) -> float:
    return answer.spent.cost_usd or 0.0 if isinstance(answer, Completion) else 0.0
