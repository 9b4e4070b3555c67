"""The probe bank: all families over rows, the same for the same rows and seed."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from karat.audit.probe import FAMILIES, Probe, Row, read_probes
from karat.audit.probes.harmless import probe_harmless
from karat.audit.probes.hedges import probe_hedges
from karat.audit.probes.injection import probe_injection
from karat.audit.probes.junk import probe_junk
from karat.audit.probes.maker import Maker, pool_answers
from karat.audit.probes.meaning import probe_meaning
from karat.audit.probes.order import probe_order
from karat.audit.rows import bundled_rows
from karat.core.errors import UsageError, option

BANK_VERSION = "4"  # raise it when the same rows would give other probes
_MAKERS = (probe_junk, probe_injection, probe_hedges, probe_meaning, probe_harmless, probe_order)
_BASES = ("right", "wrong", "short")


def parse_families(text: str | None) -> list[str] | None:
    """The families that are wanted, all where none are named."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in FAMILIES:
            raise UsageError(
                option("families"), f": unknown family {name!r}; there are {', '.join(FAMILIES)}"
            )
    return names


def gather_bank(
    rows: Sequence[Row], families: Iterable[str] | None, files: Iterable[str] = (), seed: int = 0
) -> list[Probe]:
    """The bank of these rows with the probes of the user's own files."""
    if not rows:
        raise UsageError(
            "no row has, or can be given, a wrong answer; give more rows, or some labelled wrong"
        )
    bank = build_bank(rows, seed=seed, families=families)
    for path in files:
        bank += read_probes(path, bank)
    return bank


def build_bank(rows: Sequence[Row], *, seed: int = 0, families: Iterable[str] | None = None) -> list[Probe]:
    """The bases and the probes of all rows; a probe that would be the same item as its base is left out."""
    wanted = None if families is None else set(families)
    pool = pool_answers(rows, bundled_rows())
    return [probe for row in rows for probe in _build_row(Maker(row, seed, pool), wanted)]


def _build_row(maker: Maker, wanted: set[str] | None) -> Iterator[Probe]:
    bases = {maker.name_base(kind): maker.base(kind) for kind in _BASES}
    for base in bases.values():
        yield structs.replace(base, bank=BANK_VERSION)
    for make in _MAKERS:
        for probe in make(maker):
            base = bases.get(probe.base or "")
            if (wanted is None or probe.family in wanted) and (base is None or base.item != probe.item):
                yield structs.replace(probe, bank=BANK_VERSION)
