"""The values that the templates of a report show: runs, figures and texts, without HTML."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast
from urllib.parse import urlencode

from karat.core.types import NOTHING, Spent
from karat.report.content import (
    Report,
    RunReport,
    as_sentence,
    describe_doubts,
    describe_known,
    describe_labels,
    describe_people,
    describe_slice_doubts,
    describe_waiting,
    explain_gap,
)
from karat.report.figures.agreement import Agreement, Levels
from karat.report.figures.comparison import Comparison, Slice, Slices
from karat.report.figures.confidence import describe_expectation
from karat.report.figures.correction import Correction
from karat.report.figures.judge_comparison import Judges
from karat.report.figures.pairs import Pair
from karat.report.format import (
    STATISTICS,
    count,
    show_no_calls,
    show_number,
    show_paid,
    show_percent,
    show_plain,
    show_points,
    show_spent,
    show_statistic,
    show_tokens,
)
from karat.report.page.charts import (
    Cell,
    Count,
    CountTable,
    CrossTable,
    DifferenceTable,
    FigureTable,
    Interval,
    IntervalTable,
    Line,
    Remark,
    draw_headline,
    draw_reliability,
)
from karat.stats import Estimate, Number, Undefined

MOST_PAIRS = 15
DIFFERENCES = {
    "judge Yes, people No": "The judge says correct, people say wrong",
    "judge No, people Yes": "The judge says wrong, people say correct",
}
MEANINGS = {
    "agreement": "same verdict as people",
    "cohen_kappa": "agreement beyond chance",
    "gwet_ac1": "agreement beyond chance, stable if one value is rare",
    "krippendorff_alpha": "agreement beyond chance, from the pooled distribution of verdicts",
    "mcc": "correlation of the two verdicts",
    "macro_f1": "mean of the F1 scores for correct and for wrong",
    "sensitivity": "right answers accepted",
    "specificity": "wrong answers rejected",
    "quadratic_kappa": "agreement beyond chance, with larger weights for larger differences",
    "mean_absolute_error": "average difference in levels",
}


def describe_report(report: Report) -> dict[str, Any]:
    """Return the values above the row browser: headline, runs and slices."""
    runs = report.runs
    return {
        "report": report,
        "many": len(runs) > 1,
        "top": _describe_run(runs[0]) if len(runs) == 1 else _describe_runs(report),
        "runs": [_describe_sections(at, run) for at, run in enumerate(runs)],
        "slices": _describe_slices(runs),
    }


def _describe_sections(at: int, run: RunReport) -> dict[str, Any]:
    summary, found = run.summary, run.agreement
    return {
        "name": run.name,
        "facts": run.facts,
        "summary": summary,
        "values": CountTable(
            "Rows by value",
            "verdict",
            [Count(name, rows, _link(at, value=name)) for name, rows in summary.values.items()],
            summary.judged,
        ),
        "systems": None if run.systems is None else _describe_systems(at, run.systems),
        "agreement": None if found is None else _describe_agreement(at, run, found),
        "reliability": None if found is None else found.reliability,
        "curve": None
        if found is None or found.reliability is None
        else draw_reliability([(one.confidence, one.right, one.rows) for one in found.reliability.bins]),
        "origins": _count_origins(at, run) if summary.judged else None,
        "paid": _explain_paid(run) if summary.judged else "No row is judged.",
        "unjudged": CountTable(
            "Unjudged rows by cause",
            "cause",
            [Count(cause, rows, _link(at, value=cause)) for cause, rows in summary.unjudged.items()],
            summary.rows,
            quiet=True,
        )
        if summary.unjudged
        else None,
        "reasons": [(cause, reason[:300]) for cause, reason in summary.reasons.items()],
        "identity": list(_flatten(run.facts.identity)),
    }


def _link(run: int, **filters: str) -> str:
    """Return a link to the item browser with these filters set."""
    return f"#items?{urlencode({**({'run': str(run)} if run else {}), **filters})}"


# The top of the page


def _describe_run(run: RunReport) -> dict[str, Any]:
    summary, facts, share = run.summary, run.facts, run.summary.share
    correction = summary.correction
    corrected = None if correction is None else correction.share.corrected
    raw = summary.headline == "raw"
    figures = [_describe_share(run, first=raw)]
    if correction is not None and corrected is not None:
        by_labels = _describe_figure(
            corrected, f"of {describe_labels(correction)}", "figure second lesser" if raw else "figure second"
        )
        figures.insert(len(figures) if raw else 0, by_labels)
    return {
        "title": f"{facts.answers} graded by {facts.judge}, protocol {facts.protocol}",
        "unfinished": _explain_waiting(run),
        "figures": figures,
        "chart": draw_headline(share.estimate, corrected, share.worst, share.best),
        "unjudged": share.judged < share.rows,
        "words": " ".join(_explain_run(run)),
    }


def _explain_waiting(run: RunReport) -> str:
    told = describe_waiting(run.summary.waiting, run.summary.rows, run.summary.judged)
    return "" if told is None else f"Run {run.facts.run} is {told}"


def _describe_share(run: RunReport, *, first: bool) -> dict[str, str]:
    """Describe the share of the judged rows; without an interval if only the interval is undefined."""
    share = run.summary.share
    correct = "correct so far" if run.summary.waiting else "correct" if first else "correct as judged"
    told, look = f"{correct}, of {count(share.judged, 'judged row')}", "figure" if first else "figure lesser"
    why = explain_gap(share)
    if share.value is None or why is None:
        return _describe_figure(share.estimate, told, look)
    return {"look": look, "told": told, "value": f"{100 * share.value:.1f}", "why": why, "interval": ""}


def _describe_figure(number: Number, told: str, look: str) -> dict[str, str]:
    if isinstance(number, Undefined):
        return {"look": "figure undefined", "told": told, "value": "", "why": number.why}
    interval = f"{show_percent(number.low)} to {show_percent(number.high)}"
    return {"look": look, "told": told, "value": f"{100 * number.value:.1f}", "interval": interval}


def _explain_run(run: RunReport) -> Iterator[str]:
    summary, share = run.summary, run.summary.share
    if isinstance(share.estimate, Estimate) and share.estimate.clusters is not None:
        yield f"The interval is clustered, because the rows are about only {count(share.estimate.clusters, 'question')}."
    if share.judged < share.rows and share.worst is not None and share.best is not None:
        left = count(share.rows - share.judged, "row")
        yield (
            f"{left} of {share.rows:,} {'is' if share.rows - share.judged == 1 else 'are'} unjudged: "
            f"of all rows, between {show_percent(share.worst)} and {show_percent(share.best)} are correct."
        )
    if summary.protocol != "match" and summary.mean_score is not None:
        yield f"A row counts as correct if its value is {run.passing} or more; the mean score is {summary.mean_score:.3f}."
    if summary.expectation is not None:
        yield describe_expectation(summary.expectation)
    if summary.correction is not None:
        yield from _explain_correction(summary.correction)
    else:
        yield "No row has a label, so the interval does not include the judge's own errors; karat labels plan draws rows to label."


def _explain_correction(correction: Correction) -> Iterator[str]:
    chosen = {
        "all": "Every row is labelled, so the share comes from the labels themselves.",
        "planned": "The labelled rows were drawn by a plan, with known probabilities.",
        "elsewhere": "The labelled rows were drawn by a plan for another run, and not from all of these rows.",
        "convenience": "The labelled rows were not drawn by a plan.",
    }
    yield chosen[correction.selection]
    for line in (correction.warning, correction.assumption):
        if line is not None:
            yield as_sentence(line)
    if isinstance(correction.share.labels_alone, Estimate) and correction.selection != "all":
        yield f"The share by the labels alone is {show_number(correction.share.labels_alone)}."
    if correction.outside:
        yield f"{count(correction.outside, 'label')} outside the plan {'is' if correction.outside == 1 else 'are'} not used."
    if told := describe_known(correction.known, correction.labelled, correction.known_from):
        yield as_sentence(told)
    if correction.rogan_gladen is not None:
        yield f"By the judge's error rates alone (Rogan-Gladen) the share is {show_number(correction.rogan_gladen)}."


def _describe_runs(report: Report) -> dict[str, Any]:
    lines = [
        Interval(
            run.name,
            run.summary.rows,
            run.summary.share.estimate,
            None if run.summary.correction is None else run.summary.correction.share.corrected,
            _explain_waiting(run),
        )
        for run in report.runs
    ]
    compared = report.comparison
    return {
        "shares": IntervalTable("Share correct of each run", "run", lines),
        "differences": None if compared is None else _list_differences(compared.pairs),
        "note": "" if compared is None else _join([*compared.notes, *describe_doubts(compared)]),
        "judges": [_describe_judges(judges) for judges in report.judges],
    }


# Systems and slices


def _describe_systems(at: int, systems: Comparison | Slices) -> dict[str, Any]:
    """Describe systems: paired if they answered the same questions, otherwise each against the rest."""
    if isinstance(systems, Slices):
        lines = [_describe_slice(one, _link(at, system=one.name)) for one in systems.slices]
        differences, doubts = None, describe_slice_doubts(systems)
    else:
        lines = [
            Interval(side.name, side.rows, side.share, side.corrected, link=_link(at, system=side.name))
            for side in sorted(systems.sides, key=lambda side: -_height(side.share))
        ]
        differences, doubts = _list_differences(systems.pairs), describe_doubts(systems)
    table = IntervalTable("Share correct by system", "system", lines)
    return {"shares": table, "differences": differences, "note": _join(doubts)}


def _height(share: Number) -> float:
    return share.value if isinstance(share, Estimate) else -1.0


def _list_differences(found: Sequence[Pair]) -> DifferenceTable:
    """List the differences of all pairs, as judged and corrected."""
    lines = [
        Line(pair.b, pair.difference, pair.corrected, pair.a, remarks=_explain_pair(pair)) for pair in found
    ]
    heads = ("difference", "in points")
    return DifferenceTable(
        FigureTable("Differences", heads, lines[:MOST_PAIRS], show_points, times=100), lines[MOST_PAIRS:]
    )


def _explain_pair(pair: Pair) -> list[Remark]:
    said = [Remark(pair.verdict, _look(pair.difference))]
    if pair.corrected is not None and pair.corrected_verdict is not None:
        look = _look(pair.corrected) if pair.warning is None else "dim"
        corrected = Remark(pair.corrected_verdict, look, corrected=True)
        said.insert(1 if pair.headline == "raw" else 0, corrected)
    return said


def _look(difference: Number) -> str:
    shown = isinstance(difference, Estimate) and (difference.low > 0 or difference.high < 0)
    return "above" if shown else "dim"


def _describe_slices(runs: Sequence[RunReport]) -> dict[str, Any]:
    """Describe the share correct by each tag; slices stand out only after adjustment for multiple comparisons."""
    columns = dict.fromkeys(slices.column for run in runs for slices in run.slices)
    cards = [
        _describe_tag(at, run, slices)
        for column in columns
        for at, run in enumerate(runs)
        for slices in run.slices
        if slices.column == column
    ]
    lead = "Share correct by tag. A slice is marked as above or below the rest only if that is significant after adjustment for all slices."
    more = max((run.more_tags for run in runs), default=0)
    if more:
        lead += f" {count(more, 'more tag')} {'is' if more == 1 else 'are'} left out: use --by NAME to show {'it' if more == 1 else 'them'}."
    return {"lead": lead, "cards": cards}


def _describe_tag(at: int, run: RunReport, slices: Slices) -> dict[str, Any]:
    column = slices.column
    lines = [
        _describe_slice(one, None if one.combined else _link(at, **{f"tag.{column}": one.name}))
        for one in slices.slices
    ]
    return {
        "column": column,
        "run": run.name,
        "shares": IntervalTable(f"Share correct by {column}", column, lines),
        "note": _join(describe_slice_doubts(slices)),
    }


def _describe_slice(one: Slice, link: str | None) -> Interval:
    remark = "" if one.shown is None else f"{one.shown} the rest: {show_points(one.difference)}"
    return Interval(one.name, one.rows, one.share, one.corrected, remark, link)


def _join(lines: Sequence[str]) -> str:
    """Join notes to a paragraph."""
    return " ".join(map(as_sentence, lines))


# Agreement and confidence


def _describe_agreement(at: int, run: RunReport, found: Agreement) -> dict[str, Any]:
    return {
        "told": _explain_agreement(found),
        "statistics": list_statistics(found.statistics) if found.rows else None,
        "table": _cross(at, found.table, {"correct": 1, "wrong": 0}, "people: {}", "judge: {}"),
        "examples": [(DIFFERENCES.get(cell, cell), found) for cell, found in run.examples.items()],
        "levels": None if found.levels is None else _describe_levels(at, found.levels),
        "humans": found.humans,
    }


def _explain_agreement(found: Agreement) -> str:
    authors = f", labels by {', '.join(found.authors)}" if found.authors else ""
    told = f"{count(found.rows, 'row')} judged and labelled{authors}."
    if found.unjudged:
        told += f" Left out: {count(found.unjudged, 'labelled row')} without a verdict."
    if found.outside:
        told += f" Left out: {count(found.outside, 'labelled row')} outside the plan."
    if found.weighted:
        told += " Rows are weighted by the inverse of the probability with which the plan drew them."
    if found.beyond:
        told += f" The statistics do not cover {count(found.beyond, 'row')} from which the plan did not draw."
    if found.ties:
        told += f" Left out: {count(found.ties, 'row')} on which annotators are evenly split."
    labelled = found.rows + found.unjudged + found.ties
    for line in (describe_known(found.known, labelled, found.known_from), found.assumption):
        told += "" if line is None else f" {as_sentence(line)}"
    return told


def list_statistics(statistics: Mapping[str, Number], meanings: Mapping[str, str] = MEANINGS) -> FigureTable:
    """List statistics with their intervals and meanings."""
    lines = [
        Line(
            STATISTICS.get(name, name),
            number,
            note=meanings.get(name, ""),
            show=partial(show_statistic, name),
            drawn=name != "mean_absolute_error",
        )
        for name, number in statistics.items()
    ]
    heads = ("statistic", "value [95 %]")
    return FigureTable("Statistics", heads, lines, show_plain, look="plot named", note_look="dim small")


def _cross(
    at: int, table: Sequence[Sequence[int]], values: Mapping[str, int], down: str, across: str, **looks: str
) -> CrossTable:
    """Make the table of labels (down) and verdicts (across), each cell with a link to its rows."""
    whole = sum(map(sum, table))
    lines = [
        (
            down.format(human),
            [
                _count_cell(
                    table[values[human]][values[judge]],
                    whole,
                    same=human == judge,
                    told=f"judge {judge}, people {human}",
                    link=_link(at, value=judge, label=human),
                )
                for judge in values
            ],
        )
        for human in values
    ]
    return CrossTable([across.format(judge) for judge in values], lines, **looks)


def _count_cell(rows: int, whole: int, *, same: bool, told: str = "", link: str = "") -> Cell:
    return Cell(rows, show_percent(rows / whole) if rows else "", same, told, link)


def _describe_levels(at: int, levels: Levels) -> dict[str, Any]:
    values = {str(level): level for level in range(5, -1, -1)}
    table = _cross(at, levels.table, values, "{}", "{}", corner="people, judge", look="confusion six")
    return {
        "statistics": list_statistics(levels.statistics),
        "table": table,
        "bands": levels.bands,
    }


# Two judges of the same answers


def _describe_judges(judges: Judges) -> dict[str, Any]:
    overall, names = judges.overall, [judge.name for judge in judges.judges]
    statistics = {"agreement": overall.agreement, "cohen_kappa": overall.kappa, **overall.levels}
    return {
        "title": f"Two judges of the same answers: {' and '.join(names)}",
        "words": [overall.verdict, overall.more_often, *describe_people(overall.people)],
        "statistics": list_statistics(statistics, {**MEANINGS, "agreement": "same verdict by both judges"}),
        "table": _cross_judges(judges, names),
        "found": judges,
    }


def _cross_judges(judges: Judges, names: Sequence[str]) -> CrossTable:
    """Make the table of both judges' verdicts."""
    one, other = names
    words = {"Yes": 1, "No": 0} if judges.protocol == "match" else {"correct": 1, "wrong": 0}
    table, rows = judges.overall.table, judges.overall.rows
    lines = [
        (
            f"{one}: {mine}",
            [_count_cell(table[words[mine]][words[theirs]], rows, same=mine == theirs) for theirs in words],
        )
        for mine in words
    ]
    return CrossTable([f"{other}: {word}" for word in words], lines)


# Origin of verdicts, cost, and identity of the judge


def _count_origins(at: int, run: RunReport) -> CountTable:
    """Count rows by rule, embedded judge or model, with tokens and cost."""
    spent = run.spent_by
    paid = any(one.input_tokens or one.output_tokens or one.uncounted for one in spent.values())
    lines = [
        Count(name, rows, _link(at, by=name), _show_tokens(spent.get(name, NOTHING)) if paid else ())
        for name, rows in run.summary.decided_by.items()
    ]
    more = ("input tokens", "output tokens", "cost") if paid else ()
    return CountTable("Rows by who decided", "decided by", lines, run.summary.judged, more)


def _show_tokens(spent: Spent) -> tuple[str, ...]:
    return show_tokens(spent.input_tokens), show_tokens(spent.output_tokens), show_paid(spent)


def _explain_paid(run: RunReport) -> str:
    spent, lost = run.summary.spent, run.spent_by.get("unjudged")
    if not spent.calls:
        return f"{show_no_calls(spent).capitalize()}."
    told = f"{spent.calls:,} calls in all: {show_spent(spent)}."
    return f"{told} Rows that stayed unjudged took {show_spent(lost)}." if lost else told


def _flatten(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the fields of an identity as names and values, without None."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _flatten(cast("dict[str, Any]", value), f"{prefix}{name}.")
        elif isinstance(value, list):
            for number, part in enumerate(cast("list[Any]", value), 1):
                inner = cast("dict[str, Any]", part) if isinstance(part, dict) else {"": part}
                yield from _flatten(inner, f"{prefix}{name} {number} ")
        elif value is not None:
            yield f"{prefix}{name}".strip(), str(value)
