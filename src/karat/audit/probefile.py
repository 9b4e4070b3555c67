"""Probes as JSON lines: the bank written out, and the user's own read in."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import structs

from karat.audit.probe import BASE, FAMILIES, Probe
from karat.core.errors import UsageError

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Probe)


def write_probes(probes: Iterable[Probe]) -> Iterator[bytes]:
    """One line for each probe, bases first seen first."""
    yield from (_encoder.encode(probe) + b"\n" for probe in probes)


def read_probes(path: str, known: Sequence[Probe] = ()) -> list[Probe]:
    """Read probes; a base is in the same file or among the known ones, and no id stands there twice."""
    found: dict[str, tuple[int, Probe]] = {}
    for number, line in _lines(path):
        probe = _read(line, f"{path}:{number}")
        if probe.id in found:
            raise UsageError(f"{path}:{number}: id {probe.id!r} stands already in line {found[probe.id][0]}")
        found[probe.id] = number, probe
    known_ids = {probe.id for probe in known}
    for number, probe in found.values():
        _check(probe, known_ids | found.keys(), f"{path}:{number}")
    # The bank itself may be given back to karat: what is known already is not asked twice.
    return [probe for _, probe in found.values() if probe.id not in known_ids]


def _lines(path: str) -> list[tuple[int, bytes]]:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the probes {path}: {error.strerror}") from error
    lines = [(number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip()]
    if not lines:
        raise UsageError(f"{path} holds no probes")
    return lines


def _read(line: bytes, place: str) -> Probe:
    try:
        probe = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{place}: no probe: {error}") from None
    if probe.effect is None and probe.family in FAMILIES:
        probe = structs.replace(probe, effect=FAMILIES[probe.family])
    return structs.replace(probe, row=probe.row or probe.id)


def _check(probe: Probe, known: set[str], place: str) -> None:
    if not probe.references or not all(reference.strip() for reference in probe.references):
        raise UsageError(f"{place}: references must be a list of texts, none of them empty")
    if probe.family == BASE:
        return
    if probe.effect is None:
        raise UsageError(
            f"{place}: a family of your own, {probe.family!r}, needs an effect: must_fail, must_not_rise, must_fall or must_not_move"
        )
    if probe.effect != "must_fail" and probe.base is None:
        raise UsageError(
            f"{place}: {probe.effect} needs a base: the id of the probe with the unchanged answer"
        )
    if probe.base is not None and probe.base not in known:
        raise UsageError(
            f"{place}: there is no base {probe.base!r}; give it a line of its own, with the family {BASE!r}"
        )
