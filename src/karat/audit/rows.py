"""Rows to make probes from: the bundled ones, or the user's own."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct, structs

from karat.audit.probe import Row
from karat.audit.probes.maker import Maker, find_others, pool_answers
from karat.core.types import Item
from karat.rows import Source
from karat.rows.row import pick
from karat.run import OnBadRow
from karat.run.intake import SourceIntake
from karat.text import normalise

_BUNDLED = Path(__file__).with_name("rows.jsonl")
_LONGEST = 120
_RIGHT = frozenset({"true", "yes", "1", "1.0", "right", "correct"})
_WRONG = frozenset({"false", "no", "0", "0.0", "wrong", "incorrect"})


@cache
def bundled_rows() -> tuple[Row, ...]:
    """The rows that come with karat, so that an audit needs no data."""
    return tuple(msgspec.json.decode(line, type=Row) for line in _BUNDLED.read_bytes().splitlines())


class Given(Struct, frozen=True):
    """An answer of the user's, and what a person said of it, where one did."""

    id: str
    item: Item
    label: bool | None = None


def read_label(value: object) -> bool | None:
    """Right or wrong, where a label says one of the two."""
    word = str(value).strip().lower()
    return True if word in _RIGHT else False if word in _WRONG else None


def gather_rows(given: Iterable[Given], *, limit: int | None = None, seed: int = 0) -> list[Row]:
    """One row for each question with its references, up to a limit.

    An answer that is labelled right or wrong is taken as such. Without one the reference is the right answer, and another
    row's reference of the same sort the wrong one; a row for which none can be found is left out.
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
    # A reference that somebody called wrong is no wrong answer to make probes with.
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
    """The reference that most right answers use, the longer of two; lists of aliases hold odd ones."""
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
    """The good rows with their labels, where a column holds some."""
    columns = source.find_columns(chosen)
    notice(f"{source.name}: {columns.describe()}")
    for row in SourceIntake(source, columns, on_bad_row=on_bad_row, limit=None, notice=notice):
        label = None if columns.label is None else read_label(pick(row.columns, columns.label))
        yield Given(row.id, row.item, label)
