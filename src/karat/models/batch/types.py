"""Provider batches: types shared by the two APIs, and the ledger that records batches on disk."""

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from karat.models.wire.common import Unreadable

MOST_REQUESTS = 10_000
MOST_BYTES = 90_000_000
MOST_RESULT_BYTES = 2_000_000_000  # of all replies of a batch; larger batches are not submitted
JSON = "application/json"
UNDONE = 0  # the status of a request that a batch did not process

State: TypeAlias = Literal["intended", "submitted", "collected", "failed", "lost"]


class Polling(Struct, frozen=True):
    """Delays between status requests for a batch: they grow up to a limit.

    Both providers end a batch after 24 hours; after 26 hours karat stops waiting.
    """

    wait: float = 5.0
    longest_wait: float = 60.0
    growth: float = 1.5
    faults: int = 30
    seconds: float = 26 * 3600.0


class Request(Struct, frozen=True):
    """One request of a batch; its result has the same name."""

    name: str
    path: str
    body: bytes


class Result(Struct, frozen=True):
    """The response to one request of a batch; status 0 if it was not answered."""

    name: str
    status: int
    body: bytes


class BatchStatus(Struct, frozen=True):
    """The progress of a batch; `failed` says why the provider refused all of it, `outputs` where the results are."""

    ended: bool
    done: int
    total: int
    failed: str | None = None
    outputs: tuple[str, ...] = ()


class BatchRecord(Struct, frozen=True):
    """A batch in the ledger: the marker is set before submission, the provider's id after it."""

    number: int
    marker: str
    provider_id: str | None
    keys: frozenset[bytes]


class Ledger(Protocol):
    """Keeps batches on disk, so that a new process can collect the batches of a killed one."""

    def unfinished(self) -> list[BatchRecord]:
        """Return the batches that were recorded and not collected yet."""
        ...

    def intend(self, marker: str, keys: Sequence[bytes]) -> BatchRecord:
        """Record a batch before its submission; it is on disk when this returns."""
        ...

    def note_submitted(self, record: BatchRecord, provider_id: str) -> None:
        """Record the provider's id; it is on disk when this returns."""
        ...

    def finish(self, record: BatchRecord, state: State) -> Future[None]:
        """Record that a batch is finished; when the future is done, this and everything queued before is on disk."""
        ...


class BatchFault(Exception):  # noqa: N818 - part of a retry loop, not a user-visible error
    """A request of the batch API failed and may succeed later; `perhaps_taken` if the provider may have executed it."""

    def __init__(self, reason: str, *, perhaps_taken: bool) -> None:
        super().__init__(reason)
        self.perhaps_taken = perhaps_taken


class NotFound(Exception):  # noqa: N818 - a response of the API, handled by the caller
    """The endpoint does not know the path: it has no batch API, or no longer has the batch."""


SendRequest: TypeAlias = Callable[[str, str, bytes | None, str], Awaitable[bytes]]
"""Takes method, path, body and content type; returns the body of a good response, or raises `BatchFault` or `NotFound`."""


class BatchApi(Protocol):
    """The batch API of one provider."""

    finds: bool
    """Whether the provider keeps markers, so that a batch can be found again by its marker."""

    async def submit(self, requests: Sequence[Request], marker: str) -> str:
        """Submit requests and return the provider's id of the batch."""
        ...

    async def find(self, marker: str) -> str | None:
        """Return the id of the batch that was submitted under this marker."""
        ...

    async def fetch_status(self, batch: str) -> BatchStatus:
        """Return the progress of a batch."""
        ...

    async def collect(self, status: BatchStatus) -> list[Result]:
        """Return the results of a batch that has ended."""
        ...


def read_lines(content: bytes, read: Callable[[bytes], Result]) -> list[Result]:
    """Read results; a line that cannot be read is skipped, and its request counts as not processed."""
    results = list[Result]()
    for line in content.splitlines():
        if line.strip():
            with suppress(Unreadable):
                results.append(read(line))
    return results
