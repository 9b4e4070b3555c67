"""Agreement with people as tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group as Together
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from karat.report.content import Example, describe_known
from karat.report.figures.agreement import Agreement, Levels
from karat.report.figures.confidence import Reliability
from karat.report.figures.humans import Humans
from karat.report.format import TERMINAL, count
from karat.report.terminal.tables import make_table, show_text
from karat.stats import Number, Undefined

NAMES: Final = {
    "agreement": "same verdict",
    "sensitivity": "right answers accepted (sensitivity)",
    "specificity": "wrong answers rejected (specificity)",
    "cohen_kappa": "Cohen's kappa",
    "gwet_ac1": "Gwet's AC1",
    "krippendorff_alpha": "Krippendorff's alpha",
    "mcc": "Matthews correlation",
    "macro_f1": "macro F1",
    "exact": "same level",
    "within_one": "at most one level apart",
    "quadratic_kappa": "quadratic-weighted kappa",
    "pearson": "Pearson correlation",
    "spearman": "Spearman correlation",
    "kendall": "Kendall's tau",
    "mean_absolute_error": "mean absolute error, in levels",
}


def draw_agreement(
    agreement: Agreement, title: str, examples: Mapping[str, Sequence[Example]]
) -> RenderableType:
    """Draw statistics, tables, agreement between annotators, and rows on which judge and people differ."""
    parts: list[RenderableType] = [
        Text(title, style="bold"),
        Text(_headline(agreement)),
        draw_statistics("judge and people", agreement.statistics),
        _table(agreement.table, ("No", "Yes")),
    ]
    if agreement.levels is not None:
        parts += _levels(agreement.levels)
    if agreement.reliability is not None:
        parts += _reliability(agreement.reliability)
    if agreement.humans is not None:
        parts += _humans(agreement.humans)
    for cell, rows in examples.items():
        if rows:
            parts += _examples(cell, len(agreement.cells[cell]), rows)
    head, *rest = parts
    return Together(head, *(part for each in rest for part in (each, Text())))


def draw_statistics(heading: str, statistics: Mapping[str, Number]) -> Table:
    """Draw statistics by name, shares in percent."""
    table = make_table(heading, "[95 % interval]")
    for name, number in statistics.items():
        table.add_row(NAMES[name], TERMINAL.show_statistic(name, number))
    return table


def _headline(agreement: Agreement) -> str:
    people = count(len(agreement.authors), "person", "people")
    line = f"{count(agreement.rows, 'row')} judged and labelled, by {people}"
    if agreement.questions < agreement.rows:
        line += f"; intervals clustered by {_clusters(agreement)}"
    return "\n".join([line, *_notes(agreement)])


def _clusters(agreement: Agreement) -> str:
    if agreement.cluster is None:
        return count(agreement.questions, "question")
    return f"{count(agreement.questions, 'value')} of {show_text(agreement.cluster)!r}"


def _notes(agreement: Agreement) -> Iterator[str]:
    if agreement.protocol != "match":
        yield f"Yes is a level of {agreement.passing} or more"
    if agreement.weighted:
        spoken_for = (
            "all rows of the run except "
            + count(agreement.beyond, "row")
            + " from which the plan did not draw"
            if agreement.beyond
            else "the whole run"
        )
        yield f"rows are weighted by the inverse of the probability with which the plan drew them, so the statistics represent {spoken_for}; the tables count rows"
    if agreement.unjudged:
        yield f"left out: {count(agreement.unjudged, 'labelled row')} without a verdict"
    if agreement.ties:
        yield f"left out: {count(agreement.ties, 'row')} on which people are evenly split"
    if agreement.outside:
        yield f"left out: {count(agreement.outside, 'labelled row')} outside the plan"
    labelled = agreement.rows + agreement.unjudged + agreement.ties
    if told := describe_known(agreement.known, labelled, agreement.known_from):
        yield told
    if agreement.assumption is not None:
        yield agreement.assumption


def _table(counts: Sequence[Sequence[int]], names: Iterable[str]) -> Table:
    listed = list(names)
    table = make_table("", *(f"judge {name}" for name in listed))
    for column in table.columns[1:]:
        column.justify = "right"
    for name, row in zip(listed, counts, strict=True):
        table.add_row(f"people {name}", *(f"{cell:,}" for cell in row))
    return table


def _levels(levels: Levels) -> list[RenderableType]:
    bands = make_table(
        "people's level", "rows", "mean absolute error [95 % interval]", "judge higher by [95 % interval]"
    )
    for band in levels.bands:
        bands.add_row(
            str(band.level), f"{band.rows:,}", TERMINAL.show_plain(band.error), TERMINAL.show_plain(band.bias)
        )
    return [
        draw_statistics(f"levels, {levels.rows:,} rows", levels.statistics),
        _table(levels.table, map(str, range(len(levels.table)))),
        bands,
    ]


def _reliability(reliability: Reliability) -> list[RenderableType]:
    bins = make_table("confidence", "rows", "mean confidence", "right [95 % interval]")
    for one in reliability.bins:
        bins.add_row(
            f"{one.low:.1f} to {one.high:.1f}",
            f"{one.rows:,}",
            f"{one.confidence:.3f}",
            TERMINAL.show_number(one.right),
        )
    figures = make_table("confidence against labels", "[95 % interval]")
    figures.add_row("Brier score", TERMINAL.show_plain(reliability.brier))
    figures.add_row("expected calibration error", TERMINAL.show_plain(reliability.expected_error))
    return [figures, bins]


def _humans(humans: Humans) -> list[RenderableType]:
    table = make_table(
        "agreement between annotators", "rows", "same verdict [95 % interval]", "kappa [95 % interval]"
    )
    for couple in humans.couples:
        names = show_text(f"{couple.one} ~ {couple.other}")
        table.add_row(
            names,
            f"{couple.rows:,}",
            TERMINAL.show_number(couple.agreement),
            TERMINAL.show_plain(couple.kappa),
        )
    parts: list[RenderableType] = [
        table,
        Text(f"Krippendorff's alpha of all annotators {TERMINAL.show_plain(humans.alpha)}"),
    ]
    found = humans.alternative
    if isinstance(found, Undefined):
        parts.append(Text(f"alternative-annotator test not defined: {found.why}"))
    elif found is not None:
        verdict = "can replace a human annotator" if found.passed else "cannot replace a human annotator"
        parts.append(
            Text(
                f"alternative-annotator test: the judge {verdict}; winning rate {found.winning_rate:.0%}"
                f" (epsilon {found.epsilon:g}); advantage probability {TERMINAL.show_plain(found.advantage)}"
            )
        )
    return parts


def _examples(cell: str, rows: int, examples: Sequence[Example]) -> list[RenderableType]:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for example in examples:
        table.add_row("id", Text(show_text(example.id)))
        lines = {
            "question": example.question,
            "reference": " | ".join(example.references),
            "answer": example.answer or "(empty)",
            "reason": example.reason,
        }
        for name, content in lines.items():
            if content:
                table.add_row(f"  {name}", Text(show_text(content)))
    return [Text(f"{cell}: {count(rows, 'row')}, examples", style="bold"), table]
