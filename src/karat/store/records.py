"""What the store gives back."""

from collections.abc import Iterator
from typing import Any, Protocol

from msgspec import Struct

from karat.core.labels import Label
from karat.core.types import Item, Outcome, ProtocolName

VERDICT_FILE = "verdict file"  # where the identity of a judge comes from that is known by name only


class NewRow(Struct, frozen=True):
    """A row on its way into the store; the label is what the input says, not read yet."""

    line: int
    id: str
    item: Item
    system: str | None
    columns: dict[str, Any]
    label: Any = None


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

    @property
    def label_column(self) -> str:
        """The column that the rows' own labels come from, by which their author is called."""
        _, found, name = self.columns.rpartition(", label=")
        return name if found else "label"


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

    @property
    def has_name_only(self) -> bool:
        """Whether only the name of the judge is known, as a verdict file tells it."""
        return self.identity.get("from") == VERDICT_FILE


class Graded(Struct, frozen=True):
    """One row of a run with its outcome; `cached` where this run did not pay for it."""

    position: int
    id: str
    item: Item
    system: str | None
    columns: dict[str, Any]
    outcome: Outcome | None
    cached: bool


class RawLabel(Struct, frozen=True):
    """What the input says in its label column, not read yet."""

    item: int
    line: int
    content: Any


class KeptLabel(Struct, frozen=True):
    """A label with where and when it was given; `replaced` is when another took its place."""

    item: int
    label: Label
    source: str
    created: float
    replaced: float | None


class Planned(Struct, frozen=True):
    """An item that a plan chose for labelling, and the probability with which it did; no stratum: labelled before."""

    item: int
    draw: int
    stratum: str | None
    chance: float
