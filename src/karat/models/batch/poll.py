"""The way of a batch: intended on disk, submitted, watched until it ends, collected."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from secrets import token_hex
from typing import TypeVar

from msgspec import Struct

from karat.core.errors import SetupError, option
from karat.models.batch.types import (
    BatchApi,
    Entry,
    Fault,
    Gone,
    Ledger,
    Look,
    Polling,
    Request,
    Result,
    State,
)
from karat.models.wire.common import Unreadable

Done = TypeVar("Done")
_SUBMISSIONS = 5


class Delivered(Struct, frozen=True):
    """What came back: results by name; `failed` where the provider refused the batch, `lost` where it is gone."""

    results: dict[str, Result]
    failed: str | None = None
    lost: bool = False


class _UnsureError(SetupError):
    """Nobody knows whether a batch was taken."""


class Delivery:
    """Carries batches to a provider and back, and forgets none of them."""

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

    async def submit(self, requests: Sequence[Request]) -> Entry:
        """Hand requests in as one batch; it is on disk before and after."""
        entry = self._ledger.intend(token_hex(16), [bytes.fromhex(request.name) for request in requests])
        try:
            batch = await self._submit(requests, entry.marker)
        except Gone as gone:
            await self.finish(entry, "failed")
            raise SetupError(f"{gone}; it has no batch API: leave ", option("via"), " batch out") from gone
        except _UnsureError:
            raise
        except SetupError:
            await self.finish(entry, "failed")
            raise
        self._ledger.note_submitted(entry, batch)
        self._notice(f"batch {batch}: {len(requests):,} requests submitted; it may take up to 24 hours")
        return Entry(entry.number, entry.marker, batch, entry.keys)

    async def _submit(self, requests: Sequence[Request], marker: str) -> str:
        for turn in range(_SUBMISSIONS):
            try:
                return await self._api.submit(requests, marker)
            except (Fault, Unreadable) as fault:
                taken = isinstance(fault, Unreadable) or fault.perhaps_taken
                found = await self._patiently(lambda: self._api.find(marker)) if taken else None
                if found is not None:
                    return found
                if turn == _SUBMISSIONS - 1 or (taken and not self._api.finds):
                    raise _give_up(fault, taken=taken) from fault
                await self._sleep(self._polling.wait)
        raise AssertionError("the last turn returns or raises")

    async def recover(self) -> list[Entry]:
        """The batches that an earlier process left behind; one that was only intended is looked for."""
        entries = list[Entry]()
        for entry in self._ledger.unfinished():
            batch = entry.provider_id or await self._patiently(lambda: self._api.find(entry.marker))  # noqa: B023 - awaited here
            if batch is None:
                if not self._api.finds:
                    self._notice(
                        "a batch was about to be submitted when karat was stopped; it is planned again"
                    )
                await self.finish(entry, "lost")
                continue
            if entry.provider_id is None:
                self._ledger.note_submitted(entry, batch)
            self._notice(f"batch {batch}: collecting what was submitted before")
            entries.append(Entry(entry.number, entry.marker, batch, entry.keys))
        return entries

    async def fetch(self, entry: Entry) -> Delivered:
        """Wait until a batch has ended and give what came of it."""
        batch = entry.provider_id or ""
        try:
            look = await self._wait(batch)
            results = await self._patiently(lambda: self._api.collect(look))
        except Gone:
            self._notice(f"batch {batch}: the provider does not know it any more; it is planned again")
            return Delivered({}, lost=True)
        known = {key.hex() for key in entry.keys}
        return Delivered({result.name: result for result in results if result.name in known}, look.failed)

    async def finish(self, entry: Entry, state: State) -> None:
        """Note that nothing more comes from a batch, once all that came is on disk."""
        await asyncio.wrap_future(self._ledger.finish(entry, state))

    async def rest(self) -> None:
        """Wait as long as between two late looks."""
        await self._sleep(self._polling.longest_wait)

    async def _wait(self, batch: str) -> Look:
        """Look at growing intervals, and say what changed."""
        wait, done, waited = self._polling.wait, 0, 0.0
        while True:
            look = await self._patiently(lambda: self._api.look(batch))
            if look.ended:
                return look
            if look.done > done:
                done = look.done
                self._notice(f"batch {batch}: {look.done:,} of {look.total:,} done")
            if waited >= self._polling.seconds:
                raise SetupError(
                    f"batch {batch} has not ended in {waited / 3600:.0f} hours; see the provider's console, or look again by the same command"
                )
            await self._sleep(wait)
            waited += wait
            wait = min(self._polling.longest_wait, wait * self._polling.growth)

    async def _patiently(self, work: Callable[[], Awaitable[Done]]) -> Done:
        """Try again after faults, with growing waits; a batch loses nothing by waiting."""
        wait, faults = self._polling.wait, 0
        while True:
            try:
                return await work()
            except (Fault, Unreadable) as fault:
                faults += 1
                if faults >= self._polling.faults:
                    raise SetupError(f"{fault}; the same command goes on where this one stopped") from fault
            await self._sleep(wait)
            wait = min(self._polling.longest_wait, wait * self._polling.growth)


def _give_up(fault: Exception, *, taken: bool) -> SetupError:
    if taken:
        return _UnsureError(f"no answer to a batch: {fault}; see the provider's console whether it was taken")
    return SetupError(f"no batch could be submitted: {fault}")
