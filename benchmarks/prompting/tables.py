"""Figures as markdown tables: every number with its interval, every difference paired."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from karat.stats import Estimate, Number
from prompting.figures import MATCH, NAMES, SCALE, Figures, by_place, compute, differ
from prompting.labelled import MADE
from prompting.said import Kept, Key, Said
from prompting.underspecified import KINDS

_MORE = ("auc", "moved_kappa")


class Line(NamedTuple):
    """A variant under the name that it has in a table."""

    name: str
    kept: Kept

    @property
    def human(self) -> list[Said]:
        """The rows that people labelled."""
        return [row for row in self.kept.rows if row.set != MADE]

    @property
    def made(self) -> list[Said]:
        """The rows that are Yes or No by construction."""
        return [row for row in self.kept.rows if row.set == MADE]


def level(lines: Sequence[Line]) -> list[Line]:
    """The lines on the rows that all of them have, so that none is compared on easier ones."""
    shared = _common([line.human for line in lines]) | _common([line.made for line in lines])
    return [
        Line(name, structs.replace(kept, rows=tuple(row for row in kept.rows if row.key in shared)))
        for name, kept in lines
    ]


def _common(columns: Sequence[Sequence[Said]]) -> set[Key]:
    keys = [{row.key for row in rows} for rows in columns if rows]
    return keys[0].intersection(*keys[1:]) if keys else set()


def show(number: Number | None, *, sign: bool = False) -> str:
    """A number with its interval, in three digits."""
    if not isinstance(number, Estimate):
        return "–"
    value, low, high = (_short(part, sign=sign) for part in (number.value, number.low, number.high))
    return f"{value} [{low}, {high}]"


def _short(value: float, *, sign: bool) -> str:
    """Three digits after the point, and no zero before it."""
    return re.sub(r"^([+-]?)0\.", r"\1.", f"{value:{'+.3f' if sign else '.3f'}}")


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def compare(what: str, lines: Sequence[Line], protocol: str) -> str:
    """One line for each variant over all human-labelled rows, with differences to the first."""
    names = MATCH if protocol == "match" else SCALE
    told = [(line, compute(line.human, protocol)) for line in lines if line.human]
    if not told:
        return ""
    more = [name for name in _MORE if any(name in figures.numbers for _, figures in told)]
    changes = ("kappa", "specificity", "sensitivity") if protocol == "match" else ("spearman", "error")
    first = told[0][0]
    head = [
        what,
        "rows",
        "unjudged",
        *(NAMES[name] for name in (*names, *more)),
        "tokens in (cached) + out per item",
    ]
    head += [f"Δ {NAMES[name]}" for name in changes]
    body = list[list[str]]()
    for line, figures in told:
        moved = {} if line is first else differ(first.human, line.human, protocol)
        cells = [line.name, f"{figures.rows}", _unjudged(figures)]
        cells += [show(figures.numbers.get(name)) for name in (*names, *more)]
        cells += [_tokens(figures), *(show(moved.get(name), sign=True) for name in changes)]
        body.append(cells)
    return _table(head, body)


def compare_sets(what: str, lines: Sequence[Line], protocol: str) -> str:
    """The chief figure of each variant, set by set."""
    names = ("kappa", "specificity") if protocol == "match" else ("spearman", "error")
    sets = list(dict.fromkeys(row.set for line in lines for row in line.human))
    if len(sets) < 2:
        return ""
    head = [what, *(f"{name}: {NAMES[figure]}" for name in sets for figure in names)]
    body = list[list[str]]()
    for line in lines:
        parts = [compute([row for row in line.human if row.set == name], protocol) for name in sets]
        cells = [show(part.numbers.get(figure)) for part in parts for figure in names]
        body.append([line.name, *cells])
    return _table(head, body)


def compare_made(what: str, lines: Sequence[Line]) -> str:
    """Under-specified answers: how many are told from their exact twins."""
    told = [line for line in lines if line.made]
    if not told:
        return ""
    first = told[0]
    head = [
        what,
        "answers",
        "specificity (vague: No)",
        "sensitivity (exact: Yes)",
        "Δ specificity",
        "Δ sensitivity",
    ]
    head += [f"specificity: {words}" for words in KINDS.values()]
    body = list[list[str]]()
    for line in told:
        figures = compute(line.made, "match")
        moved = {} if line is first else differ(first.made, line.made, "match")
        cells = [
            line.name,
            f"{figures.rows}",
            *(show(figures.numbers.get(name)) for name in ("specificity", "sensitivity")),
        ]
        cells += [show(moved.get(name), sign=True) for name in ("specificity", "sensitivity")]
        for kind in KINDS:
            part = compute([row for row in line.made if row.id.startswith(f"{kind}/")], "match")
            cells.append(show(part.numbers.get("specificity")))
        body.append(cells)
    return _table(head, body)


def place_table(kept: Kept, size: int) -> str:
    """Each place of batches of one size."""
    names = ("accuracy", "yes", "people", "specificity", "sensitivity")
    places = by_place([row for row in kept.rows if row.set != MADE], size)
    if not places:
        return ""
    head = ["place", "rows", *(NAMES[name] for name in names)]
    return _table(
        head,
        [[one.name, str(one.rows), *(show(one.numbers.get(name)) for name in names)] for one in places],
    )


def _unjudged(figures: Figures) -> str:
    return ", ".join(f"{count} {cause}" for cause, count in figures.unjudged.items()) or "0"


def _tokens(figures: Figures) -> str:
    return f"{figures.input_tokens:,.0f} ({figures.cached_tokens:,.0f}) + {figures.output_tokens:,.1f}"
