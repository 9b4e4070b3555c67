"""Submit a batch, poll until it ends, and collect its results; every step is recorded in the ledger."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from secrets import token_hex
from typing import TypeVar

from msgspec import Struct

from karat.core.errors import SetupError, option
from karat.models.batch.types import (
    BatchApi,
    BatchFault,
    BatchRecord,
    BatchStatus,
    Ledger,
    NotFound,
    Polling,
    Request,
    Result,
    State,
)
from karat.models.wire.common import Unreadable

Done = TypeVar("Done")
_SUBMISSIONS = 5


class BatchResults(Struct, frozen=True):
    """Results by name; `failed` says why the provider refused the batch, `lost` that it no longer knows it."""

    results: dict[str, Result]
    failed: str | None = None
    lost: bool = False


class _UnsureError(SetupError):
    """It is unknown whether the provider accepted a batch."""


class BatchPoller:
    """Submits batches and collects their results; every batch is recorded in the ledger."""

    def __init__(
        self,
        api: BatchApi,
        ledger: Ledger,
        polling: Polling,
        notice: Callable[[str], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._api = api
        self._ledger = ledger
        self._polling = polling
        self._notice = notice
        self._sleep = sleep

    async def submit(self, requests: Sequence[Request]) -> BatchRecord:
        """Submit requests as one batch; the ledger records it on disk before and after."""
        record = self._ledger.intend(token_hex(16), [bytes.fromhex(request.name) for request in requests])
        try:
            batch = await self._submit(requests, record.marker)
        except NotFound as missing:
            await self.finish(record, "failed")
            raise SetupError(
                f"{missing}; the endpoint has no batch API; leave ", option("via"), " batch out"
            ) from missing
        except _UnsureError:
            raise
        except SetupError:
            await self.finish(record, "failed")
            raise
        self._ledger.note_submitted(record, batch)
        self._notice(f"batch {batch}: {len(requests):,} requests submitted; it may take up to 24 hours")
        return BatchRecord(record.number, record.marker, batch, record.keys)

    async def _submit(self, requests: Sequence[Request], marker: str) -> str:
        for attempt in range(_SUBMISSIONS):
            try:
                return await self._api.submit(requests, marker)
            except (BatchFault, Unreadable) as fault:
                taken = isinstance(fault, Unreadable) or fault.perhaps_taken
                found = await self._retry(lambda: self._api.find(marker)) if taken else None
                if found is not None:
                    return found
                if attempt == _SUBMISSIONS - 1 or (taken and not self._api.finds):
                    raise _explain_failure(fault, taken=taken) from fault
                await self._sleep(self._polling.wait)
        raise AssertionError("the last attempt returns or raises")

    async def recover(self) -> list[BatchRecord]:
        """Return the unfinished batches of an earlier process; one without a provider id is looked up by its marker."""
        records = list[BatchRecord]()
        for record in self._ledger.unfinished():
            batch = record.provider_id or await self._retry(lambda: self._api.find(record.marker))  # noqa: B023 - awaited here
            if batch is None:
                if not self._api.finds:
                    self._notice(
                        "karat was stopped while submitting a batch; its requests are submitted again"
                    )
                await self.finish(record, "lost")
                continue
            if record.provider_id is None:
                self._ledger.note_submitted(record, batch)
            self._notice(f"batch {batch}: collecting the results of an earlier submission")
            records.append(BatchRecord(record.number, record.marker, batch, record.keys))
        return records

    async def fetch(self, record: BatchRecord) -> BatchResults:
        """Wait until a batch has ended and return its results."""
        batch = record.provider_id or ""
        try:
            status = await self._wait(batch)
            results = await self._retry(lambda: self._api.collect(status))
        except NotFound:
            self._notice(f"batch {batch}: the provider no longer has it; its requests are submitted again")
            return BatchResults({}, lost=True)
        known = {key.hex() for key in record.keys}
        return BatchResults(
            {result.name: result for result in results if result.name in known}, status.failed
        )

    async def finish(self, record: BatchRecord, state: State) -> None:
        """Record that a batch is finished; call this after all its results are on disk."""
        await asyncio.wrap_future(self._ledger.finish(record, state))

    async def rest(self) -> None:
        """Wait for the longest polling interval."""
        await self._sleep(self._polling.longest_wait)

    async def _wait(self, batch: str) -> BatchStatus:
        """Poll at growing intervals until a batch has ended, and report progress."""
        wait, done, waited = self._polling.wait, 0, 0.0
        while True:
            status = await self._retry(lambda: self._api.fetch_status(batch))
            if status.ended:
                return status
            if status.done > done:
                done = status.done
                self._notice(f"batch {batch}: {status.done:,} of {status.total:,} done")
            if waited >= self._polling.seconds:
                raise SetupError(
                    f"batch {batch} has not ended after {waited / 3600:.0f} hours; check the provider's console, or run the same command again"
                )
            await self._sleep(wait)
            waited += wait
            wait = min(self._polling.longest_wait, wait * self._polling.growth)

    async def _retry(self, work: Callable[[], Awaitable[Done]]) -> Done:
        """Do work; retry after faults with increasing delays."""
        wait, faults = self._polling.wait, 0
        while True:
            try:
                return await work()
            except (BatchFault, Unreadable) as fault:
                faults += 1
                if faults >= self._polling.faults:
                    raise SetupError(f"{fault}; run the same command again to resume") from fault
            await self._sleep(wait)
            wait = min(self._polling.longest_wait, wait * self._polling.growth)


def _explain_failure(fault: Exception, *, taken: bool) -> SetupError:
    if taken:
        return _UnsureError(
            f"no reply to a batch submission: {fault}; check in the provider's console whether it was accepted"
        )
    return SetupError(f"the batch could not be submitted: {fault}")
