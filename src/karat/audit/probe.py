"""The data of an audit: rows with a right and a wrong answer, and probes made from them."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct, structs

from karat.core.errors import UsageError
from karat.core.types import Item

Effect: TypeAlias = Literal["must_fail", "must_not_rise", "must_fall", "must_not_move"]
Aim: TypeAlias = Literal["yes", "no"]

FAMILIES: dict[str, Effect] = {
    "junk": "must_fail",
    "injection": "must_not_rise",
    "hedge": "must_fall",
    "meaning": "must_fall",
    "harmless": "must_not_move",
    "order": "must_not_move",
}
EFFECTS: tuple[Effect, ...] = get_args(Effect)
BASE = "base"


class Row(Struct, frozen=True):
    """A question with its references, an answer known to be right and one known to be wrong.

    `also` holds further answers by their relation to the reference: specific, alias, same, vague, swapped, reversed. The
    `chosen` reference is the one that changes are made to: the first, or the one that most right answers use.
    """

    id: str
    question: str | None
    references: tuple[str, ...]
    right: str
    wrong: str
    also: dict[str, str] = {}
    chosen: int = 0

    @property
    def short(self) -> str:
        """The chosen reference, used as an answer."""
        return self.references[self.chosen]


class Probe(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item with the effect it must have on the verdict, compared with its base.

    Bases are probes too, of the family "base": the unchanged answers that the others are compared with. An `aim` is the
    verdict an injection tries to cause for its neighbours.
    """

    id: str
    family: str
    kind: str
    question: str | None = None
    references: tuple[str, ...]
    answer: str
    effect: Effect | None = None
    base: str | None = None
    row: str = ""
    aim: Aim | None = None
    bank: str | None = None

    @property
    def item(self) -> Item:
        """The item that the judge is given."""
        return Item(self.question, self.references, self.answer)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Probe)


def write_probes(probes: Iterable[Probe]) -> Iterator[bytes]:
    """Yield one line per probe, bases before the probes that use them."""
    yield from (_encoder.encode(probe) + b"\n" for probe in probes)


def read_probes(path: str, known: Sequence[Probe] = ()) -> list[Probe]:
    """Read probes; bases must be in the same file or among the known ones, and ids must be unique."""
    found: dict[str, tuple[int, Probe]] = {}
    for number, line in _lines(path):
        probe = _read(line, f"{path}:{number}")
        if probe.id in found:
            raise UsageError(
                f"{path}:{number}: id {probe.id!r} is already used in line {found[probe.id][0]}; give every probe its own id"
            )
        found[probe.id] = number, probe
    known_ids = {probe.id for probe in known}
    for number, probe in found.values():
        _check(probe, known_ids | found.keys(), f"{path}:{number}")
    # An exported bank may be given back: known probes are not asked twice.
    return [probe for _, probe in found.values() if probe.id not in known_ids]


def _lines(path: str) -> list[tuple[int, bytes]]:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the probes {path}: {error.strerror}") from error
    lines = [(number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip()]
    if not lines:
        raise UsageError(f"{path} contains no probes")
    return lines


def _read(line: bytes, place: str) -> Probe:
    try:
        probe = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{place}: not a valid probe: {error}") from None
    if probe.effect is None and probe.family in FAMILIES:
        probe = structs.replace(probe, effect=FAMILIES[probe.family])
    return structs.replace(probe, row=probe.row or probe.id)


def _check(probe: Probe, known: set[str], place: str) -> None:
    if not probe.references or not all(reference.strip() for reference in probe.references):
        raise UsageError(f"{place}: references must be a list of non-empty texts")
    if probe.family == BASE:
        return
    if probe.effect is None:
        raise UsageError(
            f"{place}: the custom family {probe.family!r} needs an effect: must_fail, must_not_rise, must_fall or must_not_move"
        )
    if probe.effect != "must_fail" and probe.base is None:
        raise UsageError(
            f"{place}: {probe.effect} needs a base: the id of the probe with the unchanged answer"
        )
    if probe.base is not None and probe.base not in known:
        raise UsageError(f"{place}: unknown base {probe.base!r}; add a line for it, with the family {BASE!r}")
