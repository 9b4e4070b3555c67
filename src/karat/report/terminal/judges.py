"""Two judges of the same answers, as tables and words on a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Group as Together
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from karat.report.figures.judge_comparison import Judges, Split
from karat.report.figures.judge_overlap import Overlap
from karat.report.format import TERMINAL, count, show_value
from karat.report.sentences import tell_people
from karat.report.terminal.agreement import draw_statistics
from karat.report.terminal.comparison import draw_unfinished
from karat.report.terminal.tables import explain_dashes, make_table, show_or_dash, show_text
from karat.stats import Estimate

_NAME = 40
_ALONE = 0.95  # the level of a single interval


def draw_judges(judges: Judges, title: str) -> RenderableType:
    """What the judges say, how often they agree, who agrees more with people, and rows on which they differ."""
    overall = judges.overall
    parts: list[RenderableType] = [
        Text(title, style="bold"),
        *draw_unfinished(judges.judges),
        _figures(judges),
    ]
    parts.append(Text("\n".join(show_text(line) for line in _words(judges))))
    if overall.people is not None:
        parts.append(_with_people(judges))
    parts.append(_table(overall, judges))
    if overall.levels:
        parts.append(draw_statistics("levels of the two judges", overall.levels))
    if judges.groups:
        parts.append(_groups(judges))
    if judges.examples:
        parts.append(_examples(judges))
    parts += [Text(note, style="dim") for note in _notes(judges)]
    head, *rest = parts
    return Together(head, *(part for each in rest for part in (each, Text())))


def _figures(judges: Judges) -> Table:
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


def _with_people(judges: Judges) -> Table:
    table = _named_table("judge", "same as people [95 % interval]", "kappa with people [95 % interval]")
    for judge in judges.judges:
        figures = (
            show_or_dash(judge.accuracy, TERMINAL.show_number),
            show_or_dash(judge.kappa, TERMINAL.show_plain),
        )
        table.add_row(show_text(judge.name), *figures)
    return table


def _named_table(*headings: str) -> Table:
    """A table in which the name goes on in the next line where the room is short, so that no figure is cut."""
    table = make_table(*headings)
    table.columns[0].no_wrap, table.columns[0].overflow = False, "fold"
    return table


def _words(judges: Judges) -> Iterator[str]:
    overall = judges.overall
    yield overall.verdict
    yield overall.more_often
    yield from tell_people(overall.people)


def _table(overlap: Overlap, judges: Judges) -> Table:
    """The four cells of the table of both judges, one in each line, so that long names find room."""
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


def _groups(judges: Judges) -> RenderableType:
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
    lines = [f"points: how much more often {other} {habit} than {one}", *_tell_people(judges)]
    return Together(table, Text("\n".join(lines)))


def _tell_people(judges: Judges) -> Iterator[str]:
    """Which judge agrees more with people within a group, where a difference is shown."""
    for group in judges.groups:
        found = None if group.people is None else group.people.difference
        if group.people is not None and isinstance(found, Estimate) and not found.low <= 0 <= found.high:
            overall = judges.overall.people
            for line in tell_people(group.people):
                if overall is None or line != overall.assumption:
                    yield f"{show_text(group.group or '', _NAME)}: {show_text(line)}"


def _examples(judges: Judges) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", overflow="fold", max_width=_NAME)
    table.add_column(overflow="fold")
    for example in judges.examples:
        for name, content in _lines(example, [judge.name for judge in judges.judges]):
            table.add_row(name, Text(show_text(content)))
    return Together(Text("they differ for example on", style="bold"), table)


def _lines(example: Split, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield "id", example.id
    if example.question:
        yield "  question", example.question
    yield "  reference", " | ".join(example.references)
    yield "  answer", example.answer or "(empty)"
    for name, value, reason in zip(names, example.values, example.reasons, strict=True):
        yield f"  {show_text(name, _NAME)}", f"{show_value(value)}{f': {reason}' if reason else ''}"


def _notes(judges: Judges) -> Iterator[str]:
    overall = judges.overall
    if judges.protocol != "match":
        yield f"correct is a level of {judges.passing} or more"
    if overall.left_out:
        yield f"{count(overall.left_out, 'row')} without a verdict of both left out"
    if judges.apart:
        yield f"{count(judges.apart, 'row')} that only one of the runs holds left out"
    if judges.level > _ALONE:
        yield (
            f"the differences within values of the column have {100 * judges.level:.2f} % intervals, "
            "so that all of them hold at once with 95 %"
        )
    numbers = [number for judge in judges.judges for number in (judge.share, judge.accuracy, judge.kappa)]
    numbers += [number for one in judges.groups for number in (one.agreement, one.kappa, one.difference)]
    if why := explain_dashes(numbers):
        yield why
    yield from judges.notes
