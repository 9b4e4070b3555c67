"""Provider batches: what the two APIs have in common, and what must be on disk before anyone waits."""

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from karat.models.wire.common import Unreadable

MOST_REQUESTS = 10_000
MOST_BYTES = 90_000_000
MOST_RESULT_BYTES = 2_000_000_000  # of all replies of a batch; no more is asked for than fits into it
JSON = "application/json"
UNDONE = 0  # the status of a request that a batch left undone

State: TypeAlias = Literal["intended", "submitted", "collected", "failed", "lost"]


class Polling(Struct, frozen=True):
    """How long to wait between two looks at a batch: longer each time, up to a limit, and not for ever.

    Both providers end a batch after 24 hours; one that has not ended two hours later is no longer waited for.
    """

    wait: float = 5.0
    longest_wait: float = 60.0
    growth: float = 1.5
    faults: int = 30
    seconds: float = 26 * 3600.0


class Request(Struct, frozen=True):
    """One request of a batch, under a name that its result will carry."""

    name: str
    path: str
    body: bytes


class Result(Struct, frozen=True):
    """What became of one request, as if it had been a call of its own; status 0 where nobody answered it."""

    name: str
    status: int
    body: bytes


class Look(Struct, frozen=True):
    """How far a batch is; `failed` says why the provider refused it whole, `places` where the results are."""

    ended: bool
    done: int
    total: int
    failed: str | None = None
    places: tuple[str, ...] = ()


class Entry(Struct, frozen=True):
    """A batch as it is kept: its marker is made before it is submitted, its provider's id is known after."""

    number: int
    marker: str
    provider_id: str | None
    keys: frozenset[bytes]


class Ledger(Protocol):
    """Where batches are kept, so that a killed process can collect what it paid for."""

    def unfinished(self) -> list[Entry]:
        """The batches that were meant to be submitted and were not collected yet."""
        ...

    def intend(self, marker: str, keys: Sequence[bytes]) -> Entry:
        """Note a batch that is about to be submitted; it is on disk when this returns."""
        ...

    def note_submitted(self, entry: Entry, provider_id: str) -> None:
        """Note the provider's id; it is on disk when this returns."""
        ...

    def finish(self, entry: Entry, state: State) -> Future[None]:
        """Note that nothing more comes from a batch; done means on disk, and so is all that was kept before."""
        ...


class Fault(Exception):  # noqa: N818 - a step of a retry loop, not an error of ours
    """A fault that may pass; `perhaps_taken` where the endpoint may have done what it was asked."""

    def __init__(self, reason: str, *, perhaps_taken: bool) -> None:
        super().__init__(reason)
        self.perhaps_taken = perhaps_taken


class Gone(Exception):  # noqa: N818 - a value of the API, handled where it was asked for
    """The endpoint does not know the place: no batch API, or a batch that is no longer kept."""


Carry: TypeAlias = Callable[[str, str, bytes | None, str], Awaitable[bytes]]
"""Method, path, body and content type in; the body of a good response out, or `Fault` or `Gone`."""


class BatchApi(Protocol):
    """A provider's way to take many requests at once."""

    finds: bool

    async def submit(self, requests: Sequence[Request], marker: str) -> str:
        """Hand requests in and give the provider's id of the batch."""
        ...

    async def find(self, marker: str) -> str | None:
        """The batch that was submitted under this marker, where the provider keeps markers (`finds`)."""
        ...

    async def look(self, batch: str) -> Look:
        """See how far a batch is."""
        ...

    async def collect(self, look: Look) -> list[Result]:
        """Fetch the results of a batch that ended."""
        ...


def read_lines(content: bytes, read: Callable[[bytes], Result]) -> list[Result]:
    """Read results; a line that cannot be read is left out, and its request counts as undone."""
    results = list[Result]()
    for line in content.splitlines():
        if line.strip():
            with suppress(Unreadable):
                results.append(read(line))
    return results
