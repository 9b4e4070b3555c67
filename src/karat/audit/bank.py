"""The probe bank: rows, bundled or the user's own, and the probes of all families made from them.

The same rows and seed make the same bank.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct, structs

from karat.audit.probe import FAMILIES, Probe, Row, read_probes
from karat.audit.probes.harmless import probe_harmless
from karat.audit.probes.hedges import probe_hedges
from karat.audit.probes.injection import probe_injection
from karat.audit.probes.junk import probe_junk
from karat.audit.probes.maker import Maker, find_others, pool_answers
from karat.audit.probes.meaning import probe_meaning
from karat.audit.probes.order import probe_order
from karat.core.errors import UsageError, option
from karat.core.types import Item
from karat.rows import Source
from karat.rows.row import pick
from karat.run import OnBadRow
from karat.run.intake import SourceIntake
from karat.text import normalise

BANK_VERSION = "4"  # raise it when the same rows would give other probes
_MAKERS = (probe_junk, probe_injection, probe_hedges, probe_meaning, probe_harmless, probe_order)
_BASES = ("right", "wrong", "short")
_BUNDLED = Path(__file__).with_name("rows.jsonl")
_LONGEST = 120
_RIGHT = frozenset({"true", "yes", "1", "1.0", "right", "correct"})
_WRONG = frozenset({"false", "no", "0", "0.0", "wrong", "incorrect"})


def parse_families(text: str | None) -> list[str] | None:
    """Return the wanted families; None, meaning all, if none are named."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in FAMILIES:
            raise UsageError(
                option("families"), f": unknown family {name!r}; choose from {', '.join(FAMILIES)}"
            )
    return names


def gather_bank(
    rows: Sequence[Row], families: Iterable[str] | None, files: Iterable[str] = (), seed: int = 0
) -> list[Probe]:
    """Return the bank of these rows, including the probes in the user's own files."""
    if not rows:
        raise UsageError(
            "no row has a wrong answer, and none can be made from the other rows; give more rows, or some labelled wrong"
        )
    bank = build_bank(rows, seed=seed, families=families)
    for path in files:
        bank += read_probes(path, bank)
    return bank


def build_bank(rows: Sequence[Row], *, seed: int = 0, families: Iterable[str] | None = None) -> list[Probe]:
    """Return the bases and the probes of all rows; a probe that equals its base is left out."""
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


@cache
def bundled_rows() -> tuple[Row, ...]:
    """Return the rows that come with karat, so that an audit needs no data."""
    return tuple(msgspec.json.decode(line, type=Row) for line in _BUNDLED.read_bytes().splitlines())


class Given(Struct, frozen=True):
    """An answer of the user's, and its label if it has one."""

    id: str
    item: Item
    label: bool | None = None


def read_label(value: object) -> bool | None:
    """Return True for right, False for wrong, None for any other label."""
    word = str(value).strip().lower()
    return True if word in _RIGHT else False if word in _WRONG else None


def gather_rows(given: Iterable[Given], *, limit: int | None = None, seed: int = 0) -> list[Row]:
    """Return one row for each question with its references, up to a limit.

    Answers that are labelled are its right and wrong answer. Without them the reference is the right answer, and the reference of another
    row of the same sort the wrong one; a row without one is left out.
    """
    found: dict[tuple[str | None, tuple[str, ...]], list[Given]] = {}
    for one in given:
        key = (one.item.question, one.item.references)
        if key in found or limit is None or len(found) < limit:
            found.setdefault(key, []).append(one)
    drafts = [_draft(answers, seed) for answers in found.values()]
    pool = pool_answers(drafts, bundled_rows())
    makers = (Maker(row, seed, pool) for row in drafts)
    rows = (maker.row if maker.row.wrong else _with_wrong(maker) for maker in makers)
    return [row for row in rows if row is not None]


def _draft(answers: list[Given], seed: int) -> Row:
    first = answers[0]
    chance = Random(f"{seed} {first.id}")
    usable = [one for one in answers if one.item.answer.strip() and len(one.item.answer.split()) <= _LONGEST]
    right = [one.item.answer for one in usable if one.label is True]
    question, references = first.item.question, first.item.references
    known = set(map(normalise, references))
    # A reference that was labelled wrong cannot be the wrong answer.
    wrong = [
        one.item.answer for one in usable if one.label is False and normalise(one.item.answer) not in known
    ]
    chosen = _choose(references, right)
    return Row(
        first.id,
        question,
        references,
        chance.choice(right) if right else references[chosen],
        chance.choice(wrong) if wrong else "",
        chosen=chosen,
    )


def _choose(references: tuple[str, ...], right: list[str]) -> int:
    """Return the reference that most right answers use, the longer of two; lists of aliases contain unusual ones."""
    said = [f" {normalise(answer)} " for answer in right]
    uses = [sum(f" {normalise(reference)} " in answer for answer in said) for reference in references]
    return max(
        range(len(references)),
        key=lambda place: (
            uses[place],
            len(normalise(references[place])) if uses[place] else 0,
            not references[place].endswith((".", ",", ";")),
            -place,
        ),
    )


def _with_wrong(maker: Maker) -> Row | None:
    others = find_others(maker, 1)
    return structs.replace(maker.row, wrong=others[0]) if others else None


def read_given(
    source: Source,
    chosen: Mapping[str, str],
    *,
    on_bad_row: OnBadRow = "stop",
    notice: Callable[[str], None] = lambda _: None,
) -> Iterator[Given]:
    """Yield the good rows with their labels, if there is a label column."""
    layout = source.find_layout(chosen)
    columns = layout.columns
    title = f"{layout.title}: " if layout.title else ""
    notice(f"{source.name}: {title}{layout.describe()}")
    for row in SourceIntake(source, columns, on_bad_row=on_bad_row, limit=None, notice=notice):
        label = None if columns.label is None else read_label(pick(row.columns, columns.label))
        yield Given(row.id, row.item, label)
