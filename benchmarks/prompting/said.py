"""What was said of the rows, kept as JSON so that several short runs add up to one page."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from karat.core.types import ProtocolName

Key = tuple[str, str]


class Seat(Struct, frozen=True, array_like=True):
    """Where a row stood among how many, from 1 on, and what was said of it there."""

    place: int
    company: int
    value: float


class Said(Struct, frozen=True, omit_defaults=True):
    """One row: what people say, what the judge says (None with a cause), and where in which batches it stood.

    `yes` is P(Yes) where token probabilities were asked for. There are no seats where a row had to be asked again.
    Tokens are the row's part of every call that it took part in.
    """

    set: str
    id: str
    question: str
    truth: float
    value: float | None
    cause: str | None = None
    yes: float | None = None
    seats: tuple[Seat, ...] = ()
    input_tokens: float = 0.0
    cached_tokens: float = 0.0
    output_tokens: float = 0.0

    @property
    def key(self) -> Key:
        """By which rows of two variants are paired."""
        return self.set, self.id


class Kept(Struct, frozen=True):
    """Everything that one variant was measured by."""

    model: str
    protocol: ProtocolName
    prompt: str
    version: str
    seating: str
    split: str
    seed: int
    balance: bool
    date: str
    rows: tuple[Said, ...]
    check: tuple[str, ...] = ()

    @property
    def by_key(self) -> dict[Key, Said]:
        return {row.key: row for row in self.rows}


class Shelf:
    """A folder of kept measurements."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, kept: Kept) -> Kept:
        """Put a measurement beside what was kept of the same variant; rows that were measured again are replaced."""
        path = self.folder / f"{_name(kept)}.json"
        before = msgspec.json.decode(path.read_bytes(), type=Kept).by_key if path.exists() else {}
        whole = msgspec.structs.replace(kept, rows=tuple((before | kept.by_key).values()))
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=1))
        partial.replace(path)
        return whole

    def __iter__(self) -> Iterator[Kept]:
        for path in sorted(self.folder.glob("*.json")):
            yield msgspec.json.decode(path.read_bytes(), type=Kept)


def alike(kept: Iterable[Kept], model: Kept) -> list[Kept]:
    """Those that were measured with the same model and protocol on rows that were drawn in the same way."""
    return [each for each in kept if _drawn(each) == _drawn(model)]


def _drawn(kept: Kept) -> tuple[object, ...]:
    return kept.model, kept.protocol, kept.split, kept.seed, kept.balance


def _name(kept: Kept) -> str:
    model = "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in kept.model)
    draw = f"{kept.split}-{kept.seed}{'-balanced' if kept.balance else ''}"
    return f"{model}.{kept.protocol}.{kept.version[:12]}.{kept.seating}.{draw}"
