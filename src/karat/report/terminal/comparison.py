"""Comparisons of answers, slices and judges as tables, with sentences below."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group as Together
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from karat.report.content import describe_doubts, describe_people, describe_slice_doubts, describe_waiting
from karat.report.figures.comparison import Comparison, Pair, Side, Slices
from karat.report.figures.judge_comparison import Judges, Split
from karat.report.figures.judge_overlap import JudgeFigures, Overlap
from karat.report.format import TERMINAL, count, show_value
from karat.report.terminal.agreement import draw_statistics
from karat.report.terminal.tables import explain_dashes, make_table, show_or_dash, show_text
from karat.stats import Estimate

_ALONE = 0.95  # the level of a single interval
_NAME = 40
_LONG = 1000


def draw_comparison(comparison: Comparison, title: str) -> RenderableType:
    """Draw the sides, the differences, and sentences about them."""
    head: list[RenderableType] = []
    if comparison.warning is not None:
        head = [Text(f"warning: {show_text(comparison.warning, _LONG)}", style="bold yellow"), Text()]
    head.append(Text(title, style="bold"))
    parts: list[RenderableType] = [*_warn_unfinished(comparison.sides)]
    parts += [_sides(comparison), _pairs(comparison)]
    parts.append(Text("\n".join(_words(comparison))))
    if why := explain_dashes(side.corrected for side in comparison.sides):
        parts.append(Text(why, style="dim"))
    notes = [*comparison.notes, *describe_doubts(comparison)]
    parts += [Text(show_text(note, _LONG), style="dim") for note in notes]
    if comparison.level > _ALONE:
        grouped = any(pair.group is not None for pair in comparison.pairs)
        parts.append(Text((_apart if grouped else _together)(comparison.level), style="dim"))
    return Together(*head, *(part for each in parts for part in (each, Text())))


def draw_slices(slices: Slices, title: str) -> RenderableType:
    """Draw each slice with its share and its difference from the rest."""
    labelled = any(one.corrected is not None for one in slices.slices)
    corrected = ["corrected [95 % interval]"] if labelled else []
    table = make_table(
        slices.column,
        "rows",
        "judged",
        "correct [95 % interval]",
        *corrected,
        "difference (points)",
        "",
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
            f"{slices.without:,} rows have no value in {slices.column!r} and count only as part of the rest"
        )
    why = explain_dashes(
        number for one in slices.slices for number in (one.share, one.corrected, one.difference)
    )
    notes += [] if why is None else [why]
    notes += [show_text(line, _LONG) for line in describe_slice_doubts(slices)]
    unfinished = describe_waiting(slices.waiting, slices.rows, slices.judged)
    head = [] if unfinished is None else [Text(unfinished, style="yellow"), Text()]
    return Together(
        Text(title, style="bold"), *head, table, Text(), *(Text(note, style="dim") for note in notes), Text()
    )


def _warn_unfinished(sides: Iterable[Side | JudgeFigures]) -> Iterator[Text]:
    """Yield warnings about unfinished runs, which come before the shares."""
    for side in sides:
        told = describe_waiting(side.waiting, side.rows, side.judged)
        if told is not None:
            yield Text(f"{show_text(side.name, _NAME)}: {told}", style="yellow")


def _together(level: float) -> str:
    return f"differences have {100 * level:.2f} % intervals, so that all of them hold at once with 95 % probability"


def _apart(level: float) -> str:
    """Describe the intervals of differences within groups, and that of the difference on all rows."""
    return (
        f"the difference on all rows has a 95 % interval; those within values of the column have "
        f"{100 * level:.2f} % intervals, so that all of these hold at once with 95 % probability, and p values adjusted among them (Holm)"
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
        return "unpaired"
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
        yield "questions without a verdict on one or both sides are left out" + (
            "; the corrected difference includes them" if labelled else ""
        )


def draw_judges(judges: Judges, title: str) -> RenderableType:
    """Draw the judges' shares, their agreement, which agrees more with people, and rows on which they differ."""
    overall = judges.overall
    said = [overall.verdict, overall.more_often, *describe_people(overall.people)]
    parts: list[RenderableType] = [
        Text(title, style="bold"),
        *_warn_unfinished(judges.judges),
        _judge_shares(judges),
    ]
    parts.append(Text("\n".join(show_text(line) for line in said)))
    if overall.people is not None:
        parts.append(_judge_agreement(judges))
    parts.append(_both_verdicts(overall, judges))
    if overall.levels:
        parts.append(draw_statistics("levels of the two judges", overall.levels))
    if judges.groups:
        parts.append(_judges_within(judges))
    if judges.examples:
        parts.append(_splits(judges))
    parts += [Text(note, style="dim") for note in _judge_notes(judges)]
    head, *rest = parts
    return Together(head, *(part for each in rest for part in (each, Text())))


def _judge_shares(judges: Judges) -> Table:
    scored = judges.protocol != "match"
    habit = f"says {'correct' if scored else 'Yes'} [95 % interval]"
    table = _named_table(
        "judge", "rows", "judged", habit, *(["mean score [95 % interval]"] if scored else [])
    )
    for judge in judges.judges:
        cells = [show_text(judge.name), f"{judge.rows:,}", f"{judge.judged:,}"]
        cells.append(show_or_dash(judge.share, TERMINAL.show_number))
        table.add_row(*cells, *([show_or_dash(judge.score, TERMINAL.show_plain)] if scored else []))
    return table


def _judge_agreement(judges: Judges) -> Table:
    table = _named_table("judge", "same as people [95 % interval]", "kappa with people [95 % interval]")
    for judge in judges.judges:
        figures = (
            show_or_dash(judge.accuracy, TERMINAL.show_number),
            show_or_dash(judge.kappa, TERMINAL.show_plain),
        )
        table.add_row(show_text(judge.name), *figures)
    return table


def _named_table(*headings: str) -> Table:
    """Make a table in which long names wrap, so that no figure is cut."""
    table = make_table(*headings)
    table.columns[0].no_wrap, table.columns[0].overflow = False, "fold"
    return table


def _both_verdicts(overlap: Overlap, judges: Judges) -> Table:
    """Draw the four cells of the table of both judges, one per line, so that long names fit."""
    one, other = (show_text(judge.name) for judge in judges.judges)
    yes, no = ("Yes", "No") if judges.protocol == "match" else ("correct", "wrong")
    (no_no, no_yes), (yes_no, yes_yes) = overlap.table
    table = _named_table("verdicts of both", "rows")
    cells = {
        f"both say {yes}": yes_yes,
        f"both say {no}": no_no,
        f"{one} {yes}, {other} {no}": yes_no,
        f"{one} {no}, {other} {yes}": no_yes,
    }
    for cell, rows in cells.items():
        table.add_row(cell, f"{rows:,}")
    return table


def _judges_within(judges: Judges) -> RenderableType:
    one, other = (show_text(judge.name) for judge in judges.judges)
    habit = "says Yes" if judges.protocol == "match" else "calls answers correct"
    table = _named_table(
        "within", "rows", "agree [95 % interval]", "kappa [95 % interval]", "points [interval]"
    )
    for group in judges.groups:
        table.add_row(
            show_text(group.group or "", _NAME),
            f"{group.rows:,}",
            show_or_dash(group.agreement, TERMINAL.show_number),
            show_or_dash(group.kappa, TERMINAL.show_plain),
            show_or_dash(group.difference, TERMINAL.show_points),
        )
    lines = [f"points: how much more often {other} {habit} than {one}", *_people_within(judges)]
    return Together(table, Text("\n".join(lines)))


def _people_within(judges: Judges) -> Iterator[str]:
    """Yield which judge agrees more with people within a group, if the difference is significant."""
    for group in judges.groups:
        found = None if group.people is None else group.people.difference
        if group.people is not None and isinstance(found, Estimate) and not found.low <= 0 <= found.high:
            overall = judges.overall.people
            for line in describe_people(group.people):
                if overall is None or line != overall.assumption:
                    yield f"{show_text(group.group or '', _NAME)}: {show_text(line)}"


def _splits(judges: Judges) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", overflow="fold", max_width=_NAME)
    table.add_column(overflow="fold")
    for example in judges.examples:
        for name, content in _split_lines(example, [judge.name for judge in judges.judges]):
            table.add_row(name, Text(show_text(content)))
    return Together(Text("examples of rows on which they differ", style="bold"), table)


def _split_lines(example: Split, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield "id", example.id
    if example.question:
        yield "  question", example.question
    yield "  reference", " | ".join(example.references)
    yield "  answer", example.answer or "(empty)"
    for name, value, reason in zip(names, example.values, example.reasons, strict=True):
        yield f"  {show_text(name, _NAME)}", f"{show_value(value)}{f': {reason}' if reason else ''}"


def _judge_notes(judges: Judges) -> Iterator[str]:
    overall = judges.overall
    if judges.protocol != "match":
        yield f"correct is a level of {judges.passing} or more"
    if overall.left_out:
        yield f"left out: {count(overall.left_out, 'row')} without a verdict of both judges"
    if judges.apart:
        yield f"left out: {count(judges.apart, 'row')} in only one of the runs"
    if judges.level > _ALONE:
        yield (
            f"the differences within values of the column have {100 * judges.level:.2f} % intervals, "
            "so that all of them hold at once with 95 % probability"
        )
    numbers = [number for judge in judges.judges for number in (judge.share, judge.accuracy, judge.kappa)]
    numbers += [number for one in judges.groups for number in (one.agreement, one.kappa, one.difference)]
    if why := explain_dashes(numbers):
        yield why
    yield from judges.notes
