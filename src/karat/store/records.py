"""What the store gives back."""

from collections.abc import Iterator
from typing import Any, Protocol

from msgspec import Struct

from karat.core.types import Item, Outcome, ProtocolName


class NewRow(Struct, frozen=True):
    """A row on its way into the store."""

    line: int
    id: str
    item: Item
    system: str | None
    columns: dict[str, Any]


class Intake(Protocol):
    """Rows on their way in; which fields they have and how many were left out is known after the last one."""

    fields: dict[str, None]
    skipped: int

    def __iter__(self) -> Iterator[NewRow]:
        """Give the good rows in input order."""
        ...


class Dataset(Struct, frozen=True):
    """Rows that were read in once; the same input is recognised by its key."""

    id: int
    source: str
    columns: str
    fields: tuple[str, ...]
    rows: int
    skipped: int


class Run(Struct, frozen=True):
    """A judge let loose on a dataset; the same command again is the same run."""

    id: int
    dataset: Dataset
    judge_id: int
    fingerprint: str
    judge: str
    protocol: ProtocolName
    identity: dict[str, Any]
    started: float
    finished: float | None


class Graded(Struct, frozen=True):
    """One row of a run with its outcome; `cached` where this run did not pay for it."""

    position: int
    id: str
    item: Item
    system: str | None
    columns: dict[str, Any]
    outcome: Outcome | None
    cached: bool
