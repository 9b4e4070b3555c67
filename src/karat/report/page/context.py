"""The values that the templates of a report show: runs, figures and words, without any HTML."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast
from urllib.parse import urlencode

from karat.core.types import NOTHING, Spent
from karat.report.content import (
    Report,
    RunReport,
    as_sentence,
    explain_gap,
    tell_doubts,
    tell_known,
    tell_labels,
    tell_people,
    tell_slice_doubts,
    tell_waiting,
)
from karat.report.figures.agreement import Agreement, Levels
from karat.report.figures.comparison import Comparison, Slice, Slices
from karat.report.figures.confidence import say_expectation
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
    "cohen_kappa": "beyond what chance would give",
    "gwet_ac1": "beyond chance, steady where one value is rare",
    "krippendorff_alpha": "beyond chance, by what was seen in all",
    "mcc": "correlation of the two verdicts",
    "macro_f1": "mean of F1 for correct and for wrong",
    "sensitivity": "right answers accepted",
    "specificity": "wrong answers rejected",
    "quadratic_kappa": "beyond chance, far misses weigh more",
    "mean_absolute_error": "levels apart on average",
}


def describe_report(report: Report) -> dict[str, Any]:
    """Everything above the rows: the top of the page, the runs one after the other, and their slices."""
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
        "paid": _tell_paid(run) if summary.judged else "No row is judged.",
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
    """The item browser with these filters set, named as its address names them."""
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
            corrected, f"of {tell_labels(correction)}", "figure second lesser" if raw else "figure second"
        )
        figures.insert(len(figures) if raw else 0, by_labels)
    return {
        "title": f"{facts.answers} graded by {facts.judge}, protocol {facts.protocol}",
        "unfinished": _tell_waiting(run),
        "figures": figures,
        "chart": draw_headline(share.estimate, corrected, share.worst, share.best),
        "unjudged": share.judged < share.rows,
        "words": " ".join(_tell_run(run)),
    }


def _tell_waiting(run: RunReport) -> str:
    told = tell_waiting(run.summary.waiting, run.summary.rows, run.summary.judged)
    return "" if told is None else f"Run {run.facts.run} is {told}"


def _describe_share(run: RunReport, *, first: bool) -> dict[str, str]:
    """The share of the judged rows; it is shown without an interval where only that is not defined."""
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


def _tell_run(run: RunReport) -> Iterator[str]:
    summary, share = run.summary, run.summary.share
    if isinstance(share.estimate, Estimate) and share.estimate.clusters is not None:
        yield f"The interval allows for the rows being about {count(share.estimate.clusters, 'question')} only."
    if share.judged < share.rows and share.worst is not None and share.best is not None:
        left = count(share.rows - share.judged, "row")
        yield (
            f"{left} of {share.rows:,} {'is' if share.rows - share.judged == 1 else 'are'} unjudged: "
            f"of all rows, between {show_percent(share.worst)} and {show_percent(share.best)} are correct."
        )
    if summary.protocol != "match" and summary.mean_score is not None:
        yield f"A row counts as correct from {run.passing} on; the mean score is {summary.mean_score:.3f}."
    if summary.expectation is not None:
        yield say_expectation(summary.expectation)
    if summary.correction is not None:
        yield from _tell_correction(summary.correction)
    else:
        yield "No row has a label, so the judge's own errors are not in the interval: karat labels plan draws rows worth labelling."


def _tell_correction(correction: Correction) -> Iterator[str]:
    chosen = {
        "all": "Every row is labelled: the labels themselves are the answer, and nothing is left to correct.",
        "planned": "The labelled rows were drawn by a plan, with known chances.",
        "elsewhere": "Labelled rows were drawn by a plan for another run, and not from among all of these rows.",
        "convenience": "The labelled rows were not drawn by a plan.",
    }
    yield chosen[correction.selection]
    for line in (correction.warning, correction.assumption):
        if line is not None:
            yield as_sentence(line)
    if isinstance(correction.share.labels_alone, Estimate) and correction.selection != "all":
        yield f"The labels alone would say {show_number(correction.share.labels_alone)}."
    if correction.outside:
        yield f"{count(correction.outside, 'label')} outside the plan {'is' if correction.outside == 1 else 'are'} left aside."
    if told := tell_known(correction.known, correction.labelled, correction.known_from):
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
            _tell_waiting(run),
        )
        for run in report.runs
    ]
    compared = report.comparison
    return {
        "shares": IntervalTable("Share correct of each run", "run", lines),
        "differences": None if compared is None else _list_differences(compared.pairs),
        "note": "" if compared is None else _join([*compared.notes, *tell_doubts(compared)]),
        "judges": [_describe_judges(judges) for judges in report.judges],
    }


# Systems and slices


def _describe_systems(at: int, systems: Comparison | Slices) -> dict[str, Any]:
    """Paired where systems answered the same questions, otherwise each against the rest."""
    if isinstance(systems, Slices):
        lines = [_describe_slice(one, _link(at, system=one.name)) for one in systems.slices]
        differences, doubts = None, tell_slice_doubts(systems)
    else:
        lines = [
            Interval(side.name, side.rows, side.share, side.corrected, link=_link(at, system=side.name))
            for side in sorted(systems.sides, key=lambda side: -_height(side.share))
        ]
        differences, doubts = _list_differences(systems.pairs), tell_doubts(systems)
    table = IntervalTable("Share correct by system", "system", lines)
    return {"shares": table, "differences": differences, "note": _join(doubts)}


def _height(share: Number) -> float:
    return share.value if isinstance(share, Estimate) else -1.0


def _list_differences(found: Sequence[Pair]) -> DifferenceTable:
    """What can be said of every two, as judged and corrected."""
    lines = [
        Line(pair.b, pair.difference, pair.corrected, pair.a, remarks=_tell_pair(pair)) for pair in found
    ]
    heads = ("difference", "in points")
    return DifferenceTable(
        FigureTable("Differences", heads, lines[:MOST_PAIRS], show_points, times=100), lines[MOST_PAIRS:]
    )


def _tell_pair(pair: Pair) -> list[Remark]:
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
    """The share correct by each tag; what stands out does so after correction for looking many times."""
    columns = dict.fromkeys(slices.column for run in runs for slices in run.slices)
    cards = [
        _describe_tag(at, run, slices)
        for column in columns
        for at, run in enumerate(runs)
        for slices in run.slices
        if slices.column == column
    ]
    lead = "Share correct by tag. A slice is called above or below the rest only where that holds for all slices at once."
    more = max((run.more_tags for run in runs), default=0)
    if more:
        lead += f" {count(more, 'more tag')} {'is' if more == 1 else 'are'} left out: --by NAME slices by {'it' if more == 1 else 'them'}."
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
        "note": _join(tell_slice_doubts(slices)),
    }


def _describe_slice(one: Slice, link: str | None) -> Interval:
    remark = "" if one.shown is None else f"{one.shown} the rest: {show_points(one.difference)}"
    return Interval(one.name, one.rows, one.share, one.corrected, remark, link)


def _join(lines: Sequence[str]) -> str:
    """Notes as running text."""
    return " ".join(map(as_sentence, lines))


# Agreement and confidence


def _describe_agreement(at: int, run: RunReport, found: Agreement) -> dict[str, Any]:
    return {
        "told": _tell_agreement(found),
        "statistics": list_statistics(found.statistics) if found.rows else None,
        "table": _cross(at, found.table, {"correct": 1, "wrong": 0}, "people: {}", "judge: {}"),
        "examples": [(DIFFERENCES.get(cell, cell), found) for cell, found in run.examples.items()],
        "levels": None if found.levels is None else _describe_levels(at, found.levels),
        "humans": found.humans,
    }


def _tell_agreement(found: Agreement) -> str:
    authors = f", labels by {', '.join(found.authors)}" if found.authors else ""
    told = f"{count(found.rows, 'row')} judged and labelled{authors}."
    if found.unjudged:
        told += f" {count(found.unjudged, 'labelled row')} without a verdict left out."
    if found.outside:
        told += f" {count(found.outside, 'labelled row')} outside the plan left out."
    if found.weighted:
        told += " The statistics weigh rows by the chance with which the plan drew them."
    if found.beyond:
        told += f" They do not speak for {count(found.beyond, 'row')} from which it did not draw."
    if found.ties:
        told += f" {count(found.ties, 'row')} on which annotators are even left out."
    labelled = found.rows + found.unjudged + found.ties
    for line in (tell_known(found.known, labelled, found.known_from), found.assumption):
        told += "" if line is None else f" {as_sentence(line)}"
    return told


def list_statistics(statistics: Mapping[str, Number], meanings: Mapping[str, str] = MEANINGS) -> FigureTable:
    """Statistics with their intervals and what they mean."""
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
    """Rows by what people say (down) and what the judge says (across), each cell with a link to its rows."""
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
        "words": [overall.verdict, overall.more_often, *tell_people(overall.people)],
        "statistics": list_statistics(statistics, {**MEANINGS, "agreement": "both say the same"}),
        "table": _cross_judges(judges, names),
        "found": judges,
    }


def _cross_judges(judges: Judges, names: Sequence[str]) -> CrossTable:
    """The rows by what both judges say."""
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


# Who decided, what it cost, and what has to be the same for the same verdicts


def _count_origins(at: int, run: RunReport) -> CountTable:
    """Rows by rule, embedded judge or model, with tokens and cost."""
    spent = run.spent_by
    paid = any(one.input_tokens or one.output_tokens or one.uncounted for one in spent.values())
    lines = [
        Count(name, rows, _link(at, by=name), _show_tokens(spent.get(name, NOTHING)) if paid else ())
        for name, rows in run.summary.decided_by.items()
    ]
    more = ("tokens in", "tokens out", "cost") if paid else ()
    return CountTable("Rows by who decided", "decided by", lines, run.summary.judged, more)


def _show_tokens(spent: Spent) -> tuple[str, ...]:
    return show_tokens(spent.input_tokens), show_tokens(spent.output_tokens), show_paid(spent)


def _tell_paid(run: RunReport) -> str:
    spent, lost = run.summary.spent, run.spent_by.get("unjudged")
    if not spent.calls:
        return f"{show_no_calls(spent).capitalize()}."
    told = f"{spent.calls:,} calls in all: {show_spent(spent)}."
    return f"{told} Rows that stayed unjudged took {show_spent(lost)}." if lost else told


def _flatten(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """An identity as names and values, without what is None."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _flatten(cast("dict[str, Any]", value), f"{prefix}{name}.")
        elif isinstance(value, list):
            for number, part in enumerate(cast("list[Any]", value), 1):
                inner = cast("dict[str, Any]", part) if isinstance(part, dict) else {"": part}
                yield from _flatten(inner, f"{prefix}{name} {number} ")
        elif value is not None:
            yield f"{prefix}{name}".strip(), str(value)
