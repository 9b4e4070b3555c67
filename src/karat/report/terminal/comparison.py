"""Comparisons and slices as tables, with words below."""

from collections.abc import Iterable, Iterator

from rich.console import Group as Together
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from karat.report.figures.comparison import Comparison, Pair, Side, Slices
from karat.report.figures.judge_overlap import JudgeFigures
from karat.report.format import TERMINAL
from karat.report.sentences import tell_doubts, tell_slice_doubts, tell_waiting
from karat.report.terminal.tables import explain_dashes, make_table, show_or_dash, show_text

_ALONE = 0.95  # the level of a single interval
_NAME = 40
_LONG = 1000


def draw_comparison(comparison: Comparison, title: str) -> RenderableType:
    """The sides, the differences, and what they say."""
    head: list[RenderableType] = []
    if comparison.warning is not None:
        head = [Text(f"warning: {show_text(comparison.warning, _LONG)}", style="bold yellow"), Text()]
    head.append(Text(title, style="bold"))
    parts: list[RenderableType] = [*draw_unfinished(comparison.sides)]
    parts += [_sides(comparison), _pairs(comparison)]
    parts.append(Text("\n".join(_words(comparison))))
    if why := explain_dashes(side.corrected for side in comparison.sides):
        parts.append(Text(why, style="dim"))
    notes = [*comparison.notes, *tell_doubts(comparison)]
    parts += [Text(show_text(note, _LONG), style="dim") for note in notes]
    if comparison.level > _ALONE:
        grouped = any(pair.group is not None for pair in comparison.pairs)
        parts.append(Text((_apart if grouped else _together)(comparison.level), style="dim"))
    return Together(*head, *(part for each in parts for part in (each, Text())))


def draw_slices(slices: Slices, title: str) -> RenderableType:
    """Each slice with its share and its distance from the rest."""
    labelled = any(one.corrected is not None for one in slices.slices)
    corrected = ["corrected [95 % interval]"] if labelled else []
    table = make_table(
        slices.column, "rows", "judged", "correct [95 % interval]", *corrected, "points from the rest", ""
    )
    for one in slices.slices:
        cells = [
            show_text(one.name, _NAME),
            f"{one.rows:,}",
            f"{one.judged:,}",
            show_or_dash(one.share, TERMINAL.show_number),
        ]
        if labelled:
            cells.append(show_or_dash(one.corrected, TERMINAL.show_number))
        table.add_row(
            *cells, show_or_dash(one.difference, TERMINAL.show_points), one.shown or "no difference shown"
        )
    notes = [_together(slices.level)] if slices.level > _ALONE else []
    if slices.without:
        notes.append(
            f"{slices.without:,} rows say nothing in {slices.column!r} and count only among the rest"
        )
    why = explain_dashes(
        number for one in slices.slices for number in (one.share, one.corrected, one.difference)
    )
    notes += [] if why is None else [why]
    notes += [show_text(line, _LONG) for line in tell_slice_doubts(slices)]
    unfinished = tell_waiting(slices.waiting, slices.rows, slices.judged)
    head = [] if unfinished is None else [Text(unfinished, style="yellow"), Text()]
    return Together(
        Text(title, style="bold"), *head, table, Text(), *(Text(note, style="dim") for note in notes), Text()
    )


def draw_unfinished(sides: Iterable[Side | JudgeFigures]) -> Iterator[Text]:
    """What a reader must know before the shares."""
    for side in sides:
        told = tell_waiting(side.waiting, side.rows, side.judged)
        if told is not None:
            yield Text(f"{show_text(side.name, _NAME)}: {told}", style="yellow")


def _together(level: float) -> str:
    return (
        f"intervals of differences are {100 * level:.2f} % ones, so that all of them hold at once with 95 %"
    )


def _apart(level: float) -> str:
    """What holds for the differences within groups, beside the one on all rows that was planned for itself."""
    return (
        f"the difference on all rows stands for itself, with a 95 % interval; those within values of the column have "
        f"{100 * level:.2f} % ones, so that all of these hold at once with 95 %, and p adjusted among them (Holm)"
    )


def _sides(comparison: Comparison) -> Table:
    labelled = any(side.corrected is not None for side in comparison.sides)
    scored = comparison.protocol != "match"
    headings = ["corrected [95 % interval]"] if labelled else []
    headings += ["mean score [95 % interval]"] if scored else []
    table = make_table("", "rows", "judged", "correct [95 % interval]", *headings)
    for side in comparison.sides:
        cells = [
            show_text(side.name, _NAME),
            f"{side.rows:,}",
            f"{side.judged:,}",
            TERMINAL.show_number(side.share),
        ]
        if labelled:
            cells.append(show_or_dash(side.corrected, TERMINAL.show_number))
        if scored and side.score is not None:
            cells.append(TERMINAL.show_plain(side.score))
        table.add_row(*cells)
    return table


def _pairs(comparison: Comparison) -> Table:
    labelled = any(pair.corrected is not None for pair in comparison.pairs)
    scored = comparison.protocol != "match"
    headings = ["corrected"] if labelled else []
    headings += ["mean score"] if scored else []
    table = make_table(
        "difference in points", "paired by", "as judged [interval]", *headings, "only one right", "p"
    )
    for pair in comparison.pairs:
        cells = [_name(pair), _paired_by(pair), show_or_dash(pair.difference, TERMINAL.show_points)]
        if labelled:
            cells.append(show_or_dash(pair.corrected, TERMINAL.show_points))
        if scored and pair.score is not None:
            cells.append(TERMINAL.show_plain(pair.score))
        found = pair.mcnemar
        counts = "" if found is None else f"{found.only_a:,} : {found.only_b:,}"
        table.add_row(*cells, counts, "" if pair.adjusted is None else f"{pair.adjusted:.3g}")
    return table


def _name(pair: Pair) -> str:
    names = " − ".join(show_text(name, _NAME) for name in (pair.b, pair.a))
    return names if pair.group is None else f"{names}, {show_text(pair.group, _NAME)}"


def _paired_by(pair: Pair) -> str:
    if pair.paired_by is None:
        return "nothing in common"
    every = pair.shared + pair.left_out
    return f"{pair.shared:,} of {every:,} {pair.paired_by}{'' if every == 1 else 's'}"


def _words(comparison: Comparison) -> Iterator[str]:
    for pair in comparison.pairs:
        about = "" if len(comparison.pairs) == 1 else f"{_name(pair)}: "
        if pair.corrected_verdict is None:
            yield f"{about}{show_text(pair.verdict, _LONG)}"
        else:
            lines = [
                f"as judged, {show_text(pair.verdict)}",
                f"corrected by labels, {show_text(pair.corrected_verdict, _LONG)}",
            ]
            first, second = lines if pair.headline == "raw" else reversed(lines)
            yield f"{about}{first}"
            yield f"{' ' * len(about)}{second}"
    if any(pair.left_out for pair in comparison.pairs):
        labelled = any(pair.corrected is not None for pair in comparison.pairs)
        yield "questions without a verdict on one of the sides are left out" + (
            "; the corrected difference needs none" if labelled else ""
        )
