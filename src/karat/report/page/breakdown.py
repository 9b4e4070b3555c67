"""Values, systems and slices: where the share correct comes from."""

from collections.abc import Iterator, Sequence

from karat.report.content import RunReport
from karat.report.figures.comparison import Comparison, Slice, Slices
from karat.report.figures.pairs import Pair
from karat.report.format import as_sentence, count, show_points, tell_doubts, tell_slice_doubts
from karat.report.page.markup import Markup, Piece, items_link, tag
from karat.report.page.tables import (
    Count,
    Interval,
    Line,
    card,
    count_table,
    figure_table,
    interval_table,
    legend,
    section,
)
from karat.stats import Estimate, Number

MOST_PAIRS = 15


def draw_values(runs: Sequence[RunReport]) -> Markup:
    """How often each value was given."""
    cards = [card(_title(run, runs, ""), _values(at, run)) for at, run in enumerate(runs)]
    lead = "How often each verdict was given, of the judged rows. Follow a name to its rows."
    return section("values", "Verdicts", lead, tag("div", cards, class_="grid"))


def _values(at: int, run: RunReport) -> Markup:
    lines = [
        Count(name, rows, link=items_link(at, {"value": name})) for name, rows in run.summary.values.items()
    ]
    return count_table("Rows by value", "verdict", lines, run.summary.judged)


def draw_systems(runs: Sequence[RunReport]) -> Markup | None:
    """The systems of each run over one axis, and what can be said about their difference."""
    cards = [
        card(_title(run, runs, ""), _systems(at, run.systems))
        for at, run in enumerate(runs)
        if run.systems is not None
    ]
    lead = "Share correct of each system, paired by question where systems answered the same ones."
    return section("systems", "Systems", lead, tag("div", cards, class_="grid")) if cards else None


def _systems(at: int, systems: Comparison | Slices) -> list[Piece]:
    """Paired where systems answered the same questions, otherwise each against the rest."""
    if isinstance(systems, Slices):
        return [
            interval_table(
                "Share correct by system",
                "system",
                [_slice(one, items_link(at, {"system": one.name})) for one in systems.slices],
            ),
            draw_note(tell_slice_doubts(systems)),
        ]
    lines = [
        Interval(side.name, side.rows, side.share, side.corrected, link=items_link(at, {"system": side.name}))
        for side in sorted(systems.sides, key=lambda side: -_height(side.share))
    ]
    table = interval_table("Share correct by system", "system", lines)
    doubts = draw_note(tell_doubts(systems))
    return [table, tag("h3", "Differences", class_="sub"), draw_pairs(systems.pairs), doubts]


def _height(share: Number) -> float:
    return share.value if isinstance(share, Estimate) else -1.0


def draw_pairs(found: Sequence[Pair]) -> Markup:
    """What can be said of every two, as judged and corrected."""
    shown, rest = found[:MOST_PAIRS], found[MOST_PAIRS:]
    lines = [
        Line(
            [pair.b, tag("span", " minus ", class_="dim"), pair.a],
            f"{pair.b} minus {pair.a}",
            pair.difference,
            pair.corrected,
            tuple(_say_pair(pair)),
        )
        for pair in shown
    ]
    corrected = any(pair.corrected is not None for pair in shown)
    table = figure_table(
        "Differences", ("difference", "in points"), lines, show=show_points, unit="", times=100
    )
    said = [tag("p", f"{pair.b} minus {pair.a}: ", list(_say_pair(pair))) for pair in rest]
    more = tag("details", tag("summary", f"{len(rest)} more pairs"), said) if rest else ""
    return Markup(table + legend(corrected=corrected) + more)


def _say_pair(pair: Pair) -> Iterator[Piece]:
    said = [tag("div", pair.verdict, class_=_look(pair.difference))]
    if pair.corrected is not None and pair.corrected_verdict is not None:
        mark = [
            tag("span", "◆ ", class_="corrected", aria_hidden="true"),
            tag("span", "corrected: ", class_="unheard"),
        ]
        look = _look(pair.corrected) if pair.warning is None else "dim"
        said.insert(1 if pair.headline == "raw" else 0, tag("div", mark, pair.corrected_verdict, class_=look))
    yield from said


def _look(difference: Number) -> str:
    shown = isinstance(difference, Estimate) and (difference.low > 0 or difference.high < 0)
    return "above" if shown else "dim"


def draw_slices(runs: Sequence[RunReport]) -> Markup | None:
    """The share correct by each tag; what stands out does so after correction for looking many times."""
    columns = dict.fromkeys(slices.column for run in runs for slices in run.slices)
    cards = [
        card(_title(run, runs, slices.column), _slices(at, slices))
        for column in columns
        for at, run in enumerate(runs)
        for slices in run.slices
        if slices.column == column
    ]
    lead = "Share correct by tag. A slice is called above or below the rest only where that holds for all slices at once."
    more = max((run.more_tags for run in runs), default=0)
    if more:
        lead += f" {count(more, 'more tag')} {'is' if more == 1 else 'are'} left out: --by NAME slices by {'it' if more == 1 else 'them'}."
    look = "flow" if len(runs) == 1 and len(cards) > 1 else "grid"
    return section("slices", "Slices", lead, tag("div", cards, class_=look)) if cards else None


def _slices(at: int, slices: Slices) -> list[Piece]:
    lines = [
        _slice(one, None if one.combined else items_link(at, {f"tag.{slices.column}": one.name}))
        for one in slices.slices
    ]
    table = interval_table(f"Share correct by {slices.column}", slices.column, lines)
    return [table, draw_note(tell_slice_doubts(slices))]


def draw_note(lines: Sequence[str]) -> Markup | None:
    """What corrected figures take for granted, below their table."""
    return tag("p", " ".join(map(as_sentence, lines)), class_="note") if lines else None


def _slice(one: Slice, link: str | None) -> Interval:
    remark = "" if one.shown is None else f"{one.shown} the rest: {show_points(one.difference)}"
    return Interval(one.name, one.rows, one.share, one.corrected, remark, link)


def _title(run: RunReport, runs: Sequence[RunReport], title: str) -> Piece:
    if len(runs) == 1:
        return title or None
    return [title, " " if title else "", tag("span", run.name)]
