"""The records of the store."""

from collections.abc import Iterator
from typing import Any, Protocol

from msgspec import Struct

from karat.core.scored_row import Label
from karat.core.types import Item, Outcome, ProtocolName

VERDICT_FILE = "verdict file"  # in the identity of a judge of which only the name is known
EXPORT = "export of another tool"  # in the identity of a judge that is not karat's


class NewRow(Struct, frozen=True):
    """A row to be stored; the label is the content of the label column, not parsed yet."""

    line: int
    id: str
    item: Item
    system: str | None
    columns: dict[str, Any]
    label: Any = None


class Intake(Protocol):
    """Rows to be stored; `fields` and `skipped` are complete after the last one."""

    fields: dict[str, None]
    skipped: int

    def __iter__(self) -> Iterator[NewRow]:
        """Yield the good rows in input order."""
        ...


class Dataset(Struct, frozen=True):
    """Rows that were loaded together; the same input is recognised by its key."""

    id: int
    source: str
    columns: str
    fields: tuple[str, ...]
    rows: int
    skipped: int

    @property
    def label_column(self) -> str:
        """The label column, whose name is also the author of its labels."""
        _, found, name = self.columns.rpartition(", label=")
        return name if found else "label"


class Run(Struct, frozen=True):
    """One judge on one dataset; repeating the command continues the same run."""

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
        """Return whether only the name of the judge is known, from a verdict file."""
        return self.identity.get("from") == VERDICT_FILE

    @property
    def is_export(self) -> bool:
        """Whether another tool judged, and told no costs."""
        return self.identity.get("source") == EXPORT


class Graded(Struct, frozen=True):
    """One row of a run with its outcome; `cached` if this run did not pay for it."""

    position: int
    id: str
    item: Item
    system: str | None
    columns: dict[str, Any]
    outcome: Outcome | None
    cached: bool


class RawLabel(Struct, frozen=True):
    """The content of the label column of a row, not parsed yet."""

    item: int
    line: int
    content: Any


class KeptLabel(Struct, frozen=True):
    """A label with its source and time, and the time when another label replaced it."""

    item: int
    label: Label
    source: str
    created: float
    replaced: float | None


class Planned(Struct, frozen=True):
    """An item that a plan chose for labelling, with its probability; without a stratum it was labelled before the plan."""

    item: int
    draw: int
    stratum: str | None
    chance: float
