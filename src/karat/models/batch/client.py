"""Getting many asks answered by provider batches, at half the price."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import structs

from karat.core.errors import SetupError
from karat.core.exchange import Ask, Completion, Failed, Reply
from karat.models.batch.anthropic import AnthropicBatches
from karat.models.batch.openai import OpenAIBatches
from karat.models.batch.poll import Delivered, Delivery
from karat.models.batch.types import (
    MOST_BYTES,
    MOST_REQUESTS,
    MOST_RESULT_BYTES,
    UNDONE,
    Entry,
    Fault,
    Gone,
    Ledger,
    Polling,
    Request,
    Result,
)
from karat.models.client import Client, Prepared
from karat.models.endpoint import Endpoint
from karat.models.parameters import Parameters
from karat.models.sender import AGAIN
from karat.models.transport import TransportError
from karat.models.wire.common import Unreadable, find_complaint

DISCOUNT = 0.5
_ROUNDS = 4
_TIGHT_ROUNDS = 8
_FRAME = 200
_OK = 200
_BYTES_PER_TOKEN = 64  # in JSON, with room for escapes
_BYTES_WITH_ALTERNATIVES = 2_000


class _Case:
    """An ask on its way to a reply: how often it was sent, and how often the budget had no room for it."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.ready: Prepared | None = None
        self.reply: Reply | None = None
        self.sent = 0
        self.passed_over = 0


class BatchClient(Client):
    """A client that can also put asks together into batches; single calls cost what they always cost."""

    def __init__(
        self,
        endpoint: Endpoint,
        parameters: Parameters,
        *,
        ledger: Ledger,
        polling: Polling | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        **rest: Any,  # noqa: ANN401 - what every client is given
    ) -> None:
        super().__init__(endpoint, parameters, **rest)
        api = AnthropicBatches if endpoint.kind == "anthropic" else OpenAIBatches
        self._delivery = Delivery(api(self._carry), ledger, polling or Polling(), self._notice, sleep)
        self._most_requests = MOST_REQUESTS
        self._refusals = 0
        self._form_known = False
        self._uncounted = set[bytes]()  # collected for an earlier process, which knew what they may have cost

    async def collect_unfinished(self) -> None:
        """Collect what an earlier process submitted, so that it is in the cache and nobody pays for it twice."""
        for entry in await self._delivery.recover():
            found, cost, _ = await self._take(entry)
            self._uncounted.update(key for key, reply in found.items() if reply.spent.uncounted)
            await self._sender.budget.settle(0.0, cost)

    async def answer_together(self, asks: tuple[Ask, ...]) -> tuple[Reply, ...]:
        """Answer asks by batches, in their order; what is in the cache is not sent."""
        cases = [_Case(ask) for ask in asks]
        while waiting := [case for case in cases if not await self._is_known(case)]:
            await self._send_batch(waiting)
        return self._heed(tuple(case.reply for case in cases if case.reply is not None))

    async def _is_known(self, case: _Case) -> bool:
        """Look a case up; the first one that is not known goes ahead as a call and shows what the endpoint takes."""
        if case.reply is not None:
            return True
        case.ready = await self._prepare(case.ask)
        case.reply = self._cache.find_completion(case.ready.key) if self._cache else None
        if case.reply is not None and case.ready.key in self._uncounted:
            self._uncounted.discard(case.ready.key)
            await self._sender.budget.settle(0.0, self._lose(case))
        self._answered = self._answered or case.reply is not None
        self._form_known = self._form_known or self._sender.reached or case.reply is not None
        if not self._form_known:
            case.reply = await self._answer(case.ask)
        return case.reply is not None

    async def _send_batch(self, waiting: list[_Case]) -> None:
        """Send what fits into one batch; the rest waits for the next."""
        chosen = self._choose(waiting)
        most = sum(self._most_of(case) for case in chosen.values())
        if not chosen or not await self._sender.budget.reserve(most):
            for case in waiting:
                case.reply = self._over_budget()
            return
        cost = most
        try:
            requests = [_request(case.ready) for case in chosen.values() if case.ready is not None]
            found, cost, delivered = await self._take(await self._delivery.submit(requests))
            cost += sum(self._lose(chosen[key]) for key in _find_uncounted(found, delivered) if key in chosen)
        finally:
            await self._sender.budget.settle(most, cost)
        if delivered.failed is not None:
            await self._shrink(delivered.failed, len(chosen))
            return
        self._refusals = 0
        for key, case in chosen.items():
            self._settle(case, found.get(key), delivered.results.get(key.hex()))

    def _choose(self, waiting: list[_Case]) -> dict[bytes, _Case]:
        """As many as one batch can hold and the budget can bear, each once."""
        chosen, left = dict[bytes, _Case](), self._sender.budget.left * (1 - 1e-9)
        size = replies = 0
        for at, case in enumerate(waiting):
            if case.ready is None or case.ready.key in chosen:
                continue
            size += len(case.ready.body) + _FRAME
            replies += self._reply_bytes(case)
            left -= self._most_of(case)
            if left < 0:
                self._pass_over(waiting[at:] if chosen else [])
                break
            too_large = size > MOST_BYTES or replies > MOST_RESULT_BYTES
            if len(chosen) == self._most_requests or (chosen and too_large):
                break
            chosen[case.ready.key] = case
        return chosen

    def _pass_over(self, cases: list[_Case]) -> None:
        """What has no room waits until the batch before it has shown its cost, but not for ever."""
        for case in cases:
            case.passed_over += 1
            if case.passed_over > _TIGHT_ROUNDS:
                case.reply = self._over_budget()

    def _reply_bytes(self, case: _Case) -> int:
        """The most that a reply can take in the file of results."""
        a_token = _BYTES_WITH_ALTERNATIVES if self.parameters.logprobs else _BYTES_PER_TOKEN
        return _FRAME + self._limit(case.ask) * a_token

    def _most_of(self, case: _Case) -> float:
        return (
            0.0
            if case.ready is None
            else self._sender.most(case.ready.body, self._limit(case.ask)) * DISCOUNT
        )

    def _lose(self, case: _Case) -> float:
        """The most that a reply without a count may have cost."""
        most = self._most_of(case)
        if most and self._cache:
            self._cache.keep_loss(most, answered=True)
        return most

    async def _take(self, entry: Entry) -> tuple[dict[bytes, Completion], float, Delivered]:
        """Collect a batch and keep its completions; the batch is done with once they are on disk."""
        delivered = await self._delivery.fetch(entry)
        found = dict[bytes, Completion]()
        for name, result in delivered.results.items():
            completion = self._read(name, result)
            if completion is not None:
                found[bytes.fromhex(name)] = completion
                if self._cache:
                    self._cache.keep_completion(bytes.fromhex(name), completion)
        self._answered = self._answered or bool(found)
        state = "lost" if delivered.lost else "collected" if delivered.failed is None else "failed"
        await self._delivery.finish(entry, state)
        return found, sum(completion.spent.cost_usd or 0.0 for completion in found.values()), delivered

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

    def _settle(self, case: _Case, completion: Completion | None, result: Result | None) -> None:
        """Give the reply where there is one; what was left undone, or can be put otherwise, is sent again."""
        case.reply, case.sent = completion, case.sent + 1
        if completion is not None or case.ready is None:
            return
        status = UNDONE if result is None else result.status
        complaint = "" if result is None else find_complaint(result.body)
        if status in AGAIN or status in (UNDONE, _OK) or status >= 500:  # noqa: PLR2004 - HTTP
            if case.sent >= _ROUNDS:
                told = complaint or "no result came"
                case.reply = Failed("unavailable", f"left undone by {case.sent} batches: {told}")
        elif not self._negotiate(case.ready.quirks, case.ready.call, complaint):
            case.reply = self._reject(case.ask, complaint or f"status {status}")

    async def _shrink(self, why: str, size: int) -> None:
        """A batch that was refused whole is tried again smaller and later, a few times."""
        self._refusals += 1
        told = find_complaint(why.encode())
        if self._refusals >= _ROUNDS:
            raise SetupError(f"{self.endpoint.model}: {self._refusals} batches in a row failed: {told}")
        self._most_requests = max(1, size // 2)
        self._notice(f"the batch failed: {told}; the next one holds at most {self._most_requests:,} requests")
        await self._delivery.rest()

    async def _carry(self, method: str, path: str, body: bytes | None, content: str) -> bytes:
        """Carry one request of the batch API."""
        url = self.endpoint.base_url + path
        headers = self._sender.headers | {"content-type": content}
        try:
            response = await self._sender.transport.send(method, url, headers, body)
        except TransportError as error:
            if error.too_large:
                raise SetupError(error) from error
            raise Fault(str(error), perhaps_taken=not error.nobody_there) from error
        if response.status in (200, 201):
            return response.body
        told = f"{url} answered {response.status}: {find_complaint(response.body) or 'no reason given'}"
        if response.status in (404, 405, 410, 501):
            raise Gone(told)
        if response.status in AGAIN:
            raise Fault(told, perhaps_taken=False)
        raise SetupError(f"{told}{self._sender.hint(response)}")


def _find_uncounted(found: dict[bytes, Completion], delivered: Delivered) -> list[bytes]:
    """What was answered at a cost that nobody told: replies without a count, and those that cannot be read."""
    unread = (bytes.fromhex(name) for name, result in delivered.results.items() if result.status == _OK)
    untold = [key for key, reply in found.items() if reply.spent.uncounted]
    return untold + [key for key in unread if key not in found]


def _request(ready: Prepared) -> Request:
    return Request(ready.key.hex(), ready.call.path, ready.body)
