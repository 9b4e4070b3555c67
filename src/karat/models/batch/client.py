"""Answer many asks by provider batches, at half the price."""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import structs

from karat.core.errors import SetupError
from karat.core.flow import Ask, Completion, Failed, Reply
from karat.models.batch.poll import BatchPoller, BatchResults
from karat.models.batch.types import (
    MOST_BYTES,
    MOST_REQUESTS,
    MOST_RESULT_BYTES,
    UNDONE,
    BatchFault,
    BatchRecord,
    Ledger,
    NotFound,
    Polling,
    Request,
    Result,
)
from karat.models.client import Cache, Client, Prepared
from karat.models.endpoint import Endpoint, Parameters
from karat.models.sender import RETRYABLE, CallSettings
from karat.models.transport import Transport, TransportError
from karat.models.wire.common import Unreadable, find_complaint

DISCOUNT = 0.5
_ATTEMPTS = 4  # batches that one ask may be part of, and batches in a row that may fail
_MOST_DEFERRALS = 8
_FRAME = 200  # bytes of JSON around a request or a reply
_OK = 200
_BYTES_PER_TOKEN = 64  # in JSON, with room for escapes
_BYTES_WITH_ALTERNATIVES = 2_000


class _PendingAsk:
    """An ask without a reply yet: how many batches contained it, and how often it did not fit into the budget."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.ready: Prepared | None = None
        self.reply: Reply | None = None
        self.sent = 0
        self.deferred = 0


class BatchClient(Client):
    """A client that can also submit asks in batches; single calls cost the full price."""

    def __init__(
        self,
        endpoint: Endpoint,
        parameters: Parameters,
        transport: Transport,
        settings: CallSettings | None = None,
        *,
        ledger: Ledger,
        polling: Polling | None = None,
        cache: Cache | None = None,
        notice: Callable[[str], None] = lambda _: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(endpoint, parameters, transport, settings, cache=cache, notice=notice)
        api = self._codec.Batches(self._send_request)
        self._poller = BatchPoller(api, ledger, polling or Polling(), notice, sleep)
        self._most_requests = MOST_REQUESTS
        self._failures = 0
        self._form_known = False
        self._uncounted = set[bytes]()  # replies of an earlier process whose maximum cost is not known yet

    async def collect_unfinished(self) -> None:
        """Collect the batches of an earlier process into the cache, so that nothing is paid for twice."""
        for record in await self._poller.recover():
            found, cost, _ = await self._collect(record)
            self._uncounted.update(key for key, reply in found.items() if reply.spent.uncounted)
            await self._sender.budget.settle(0.0, cost)

    async def answer_together(self, asks: tuple[Ask, ...]) -> tuple[Reply, ...]:
        """Answer asks by batches, in their order; replies in the cache are not asked for again."""
        pending = [_PendingAsk(ask) for ask in asks]
        while waiting := [one for one in pending if not await self._is_known(one)]:
            await self._send_batch(waiting)
        return self._check_logprobs(tuple(one.reply for one in pending if one.reply is not None))

    async def _is_known(self, one: _PendingAsk) -> bool:
        """Look an ask up; the first unknown one is sent as a call, to learn which parameters the endpoint accepts."""
        if one.reply is not None:
            return True
        one.ready = await self._prepare(one.ask)
        one.reply = self._cache.find_completion(one.ready.key) if self._cache else None
        if one.reply is not None and one.ready.key in self._uncounted:
            self._uncounted.discard(one.ready.key)
            await self._sender.budget.settle(0.0, self._record_loss(one))
        self._answered = self._answered or one.reply is not None
        self._form_known = self._form_known or self._sender.reached or one.reply is not None
        if not self._form_known:
            one.reply = await self._answer(one.ask)
        return one.reply is not None

    async def _send_batch(self, waiting: list[_PendingAsk]) -> None:
        """Send what fits into one batch; the rest waits for the next."""
        chosen = self._choose(waiting)
        most = sum(self._max_cost(one) for one in chosen.values())
        if not chosen or not await self._sender.budget.reserve(most):
            for one in waiting:
                one.reply = self._over_budget()
            return
        cost = most
        try:
            requests = [_make_request(one.ready) for one in chosen.values() if one.ready is not None]
            found, cost, batch = await self._collect(await self._poller.submit(requests))
            cost += sum(
                self._record_loss(chosen[key]) for key in _find_uncounted(found, batch) if key in chosen
            )
        finally:
            await self._sender.budget.settle(most, cost)
        if batch.failed is not None:
            await self._retry_smaller(batch.failed, len(chosen))
            return
        self._failures = 0
        for key, one in chosen.items():
            self._settle(one, found.get(key), batch.results.get(key.hex()))

    def _choose(self, waiting: list[_PendingAsk]) -> dict[bytes, _PendingAsk]:
        """Return as many asks as one batch can hold and the budget can pay, each once."""
        chosen, left = dict[bytes, _PendingAsk](), self._sender.budget.left * (1 - 1e-9)
        size = replies = 0
        for at, one in enumerate(waiting):
            if one.ready is None or one.ready.key in chosen:
                continue
            size += len(one.ready.body) + _FRAME
            replies += self._max_reply_bytes(one)
            left -= self._max_cost(one)
            if left < 0:
                self._defer(waiting[at:] if chosen else [])
                break
            too_large = size > MOST_BYTES or replies > MOST_RESULT_BYTES
            if len(chosen) == self._most_requests or (chosen and too_large):
                break
            chosen[one.ready.key] = one
        return chosen

    def _defer(self, waiting: list[_PendingAsk]) -> None:
        """Postpone asks until the cost of the previous batch is known; after a few times they count as over budget."""
        for one in waiting:
            one.deferred += 1
            if one.deferred > _MOST_DEFERRALS:
                one.reply = self._over_budget()

    def _max_reply_bytes(self, one: _PendingAsk) -> int:
        """Return the largest size of a reply in the results file, in bytes."""
        per_token = _BYTES_WITH_ALTERNATIVES if self.parameters.logprobs else _BYTES_PER_TOKEN
        return _FRAME + self._output_limit(one.ask) * per_token

    def _max_cost(self, one: _PendingAsk) -> float:
        if one.ready is None:
            return 0.0
        return self._sender.max_cost(one.ready.body, self._output_limit(one.ask)) * DISCOUNT

    def _record_loss(self, one: _PendingAsk) -> float:
        """Record and return the maximum cost of a reply without a token count."""
        most = self._max_cost(one)
        if most and self._cache:
            self._cache.keep_loss(most, answered=True)
        return most

    async def _collect(self, record: BatchRecord) -> tuple[dict[bytes, Completion], float, BatchResults]:
        """Fetch a batch and store its completions; it counts as finished when they are on disk."""
        batch = await self._poller.fetch(record)
        found = dict[bytes, Completion]()
        for name, result in batch.results.items():
            completion = self._read(name, result)
            if completion is not None:
                found[bytes.fromhex(name)] = completion
                if self._cache:
                    self._cache.keep_completion(bytes.fromhex(name), completion)
        self._answered = self._answered or bool(found)
        state = "lost" if batch.lost else "collected" if batch.failed is None else "failed"
        await self._poller.finish(record, state)
        return found, sum(completion.spent.cost_usd or 0.0 for completion in found.values()), batch

    def _read(self, name: str, result: Result) -> Completion | None:
        if result.status != _OK:
            return None
        try:
            charged = self._sender.read(result.body)
        except Unreadable:
            return None
        cost = charged.spent.cost_usd
        halved = structs.replace(charged.spent, cost_usd=None if cost is None else cost * DISCOUNT)
        return structs.replace(charged, spent=halved, key=name)

    def _settle(self, one: _PendingAsk, completion: Completion | None, result: Result | None) -> None:
        """Set the reply; an ask that the batch did not process, or that can be sent with other parameters, goes into the next batch."""
        one.reply, one.sent = completion, one.sent + 1
        if completion is not None or one.ready is None:
            return
        status = UNDONE if result is None else result.status
        complaint = "" if result is None else find_complaint(result.body)
        if status in RETRYABLE or status in (UNDONE, _OK) or status >= 500:  # noqa: PLR2004 - HTTP
            if one.sent >= _ATTEMPTS:
                reason = complaint or "no result was returned"
                one.reply = Failed("unavailable", f"not processed by {one.sent} batches: {reason}")
        elif not self._negotiate(one.ready.quirks, one.ready.call, complaint):
            one.reply = self._reject(one.ask, complaint or f"status {status}")

    async def _retry_smaller(self, failure: str, size: int) -> None:
        """After the provider refused a whole batch, wait and halve the size of the next one; stop after a few."""
        self._failures += 1
        reason = find_complaint(failure.encode())
        if self._failures >= _ATTEMPTS:
            raise SetupError(f"{self.endpoint.model}: {self._failures} batches in a row failed: {reason}")
        self._most_requests = max(1, size // 2)
        self._notice(f"the batch failed: {reason}; the next one has at most {self._most_requests:,} requests")
        await self._poller.rest()

    async def _send_request(self, method: str, path: str, body: bytes | None, content: str) -> bytes:
        """Send one request of the batch API and return the body of the response."""
        url = self.endpoint.base_url + path
        headers = self._sender.headers | {"content-type": content}
        try:
            response = await self._sender.transport.send(method, url, headers, body)
        except TransportError as error:
            if error.too_large:
                raise SetupError(error) from error
            raise BatchFault(str(error), perhaps_taken=not error.unreachable) from error
        if response.status in (200, 201):
            return response.body
        reason = (
            f"{url} returned status {response.status}: {find_complaint(response.body) or 'no reason given'}"
        )
        if response.status in (404, 405, 410, 501):
            raise NotFound(reason)
        if response.status in RETRYABLE:
            raise BatchFault(reason, perhaps_taken=False)
        raise SetupError(f"{reason}{self._sender.hint(response)}")


def _find_uncounted(found: dict[bytes, Completion], batch: BatchResults) -> list[bytes]:
    """Return the keys of replies with unknown cost: without a token count, or unreadable."""
    answered = (bytes.fromhex(name) for name, result in batch.results.items() if result.status == _OK)
    uncounted = [key for key, reply in found.items() if reply.spent.uncounted]
    return uncounted + [key for key in answered if key not in found]


def _make_request(ready: Prepared) -> Request:
    return Request(ready.key.hex(), ready.call.path, ready.body)
