"""The top of the page: how good, how sure, and what became of it after correction."""

from collections.abc import Iterator

from karat.report.content import Report, RunReport
from karat.report.figures.confidence import say_expectation
from karat.report.figures.correction import Correction
from karat.report.figures.summary import Share
from karat.report.format import (
    as_sentence,
    count,
    explain_gap,
    show_number,
    show_paid,
    show_percent,
    show_tokens,
    tell_doubts,
    tell_known,
    tell_labels,
    tell_waiting,
)
from karat.report.page.breakdown import draw_note, draw_pairs
from karat.report.page.charts import draw_headline
from karat.report.page.judges import draw_incomparable, draw_judges
from karat.report.page.markup import Markup, Piece, tag
from karat.report.page.tables import Interval, card, interval_table, legend, pairs
from karat.stats import Estimate, Number, Undefined


def draw_top(report: Report) -> Markup:
    """One run with large figures; several of them side by side over one axis."""
    return _top_of_one(report.runs[0]) if len(report.runs) == 1 else _top_of_many(report)


def _top_of_one(run: RunReport) -> Markup:
    summary, facts = run.summary, run.facts
    correction = summary.correction
    corrected = None if correction is None else correction.share.corrected
    share = summary.share
    raw = summary.headline == "raw"
    figures = [_share_figure(share, so_far=bool(summary.waiting), first=raw)]
    unfinished = _tell_waiting(run)
    if correction is not None and corrected is not None:
        by_labels = _figure(corrected, f"of {tell_labels(correction)}", second=True, first=not raw)
        figures.insert(len(figures) if raw else 0, by_labels)
    return tag(
        "section",
        tag("h1", f"{facts.answers} graded by {facts.judge}, protocol {facts.protocol}"),
        tag("p", tag("strong", f"{unfinished}."), class_="words") if unfinished else None,
        tag("div", figures, class_="hero"),
        draw_headline(share.estimate, corrected, share.worst, share.best),
        legend(corrected=isinstance(corrected, Estimate), unjudged=share.judged < share.rows),
        tag("p", _in_words(run), class_="words"),
        _tiles(run),
        id="top",
        aria_label="Headline",
    )


def _tell_waiting(run: RunReport) -> str:
    told = tell_waiting(run.summary.waiting, run.summary.rows, run.summary.judged)
    return "" if told is None else f"Run {run.facts.run} is {told}"


def _share_figure(share: Share, *, so_far: bool, first: bool) -> Markup:
    """The share of the judged rows; it is shown without an interval where only that is not defined."""
    correct = "correct so far" if so_far else "correct" if first else "correct as judged"
    told, why = f"{correct}, of {count(share.judged, 'judged row')}", explain_gap(share)
    if share.value is None or why is None:
        return _figure(share.estimate, told, first=first)
    large = tag("b", f"{100 * share.value:.1f}", tag("small", "%"))
    look = "figure" if first else "figure lesser"
    return tag("div", large, tag("span", told), tag("span", why), class_=look)


def _figure(number: Number, told: str, *, second: bool = False, first: bool) -> Markup:
    """A figure with its interval; the first one is the largest."""
    if isinstance(number, Undefined):
        return tag(
            "div", tag("b", f"not defined: {number.why}"), tag("span", told), class_="figure undefined"
        )
    large = tag("b", f"{100 * number.value:.1f}", tag("small", "%"))
    interval = tag("strong", f"{show_percent(number.low)} to {show_percent(number.high)}")
    return tag(
        "div",
        large,
        tag("span", told),
        tag("span", "95 % interval ", interval),
        class_="figure" + (" second" if second else "") + ("" if first else " lesser"),
    )


def _in_words(run: RunReport) -> str:
    summary, share = run.summary, run.summary.share
    said = list[str]()
    if isinstance(share.estimate, Estimate) and share.estimate.clusters is not None:
        said.append(
            f"The interval allows for the rows being about {count(share.estimate.clusters, 'question')} only."
        )
    if share.judged < share.rows and share.worst is not None and share.best is not None:
        left = count(share.rows - share.judged, "row")
        said.append(
            f"{left} of {share.rows:,} {'is' if share.rows - share.judged == 1 else 'are'} unjudged: "
            f"of all rows, between {show_percent(share.worst)} and {show_percent(share.best)} are correct."
        )
    if summary.protocol != "match" and summary.mean_score is not None:
        said.append(
            f"A row counts as correct from {run.passing} on; the mean score is {summary.mean_score:.3f}."
        )
    if summary.expectation is not None:
        said.append(say_expectation(summary.expectation))
    if summary.correction is None:
        said.append(
            "No row has a label, so the judge's own errors are not in the interval: karat labels plan draws rows worth labelling."
        )
    else:
        said += _correction_in_words(summary.correction)
    return " ".join(said)


def _correction_in_words(correction: Correction) -> Iterator[str]:
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


def _tiles(run: RunReport) -> Markup:
    summary = run.summary
    spent = summary.spent
    tiles: list[tuple[str, Piece]] = [
        ("rows", f"{summary.rows:,}"),
        ("judged", f"{summary.judged:,}"),
        ("judge", run.facts.judge),
        ("protocol", run.facts.protocol),
    ]
    if spent.calls:
        tiles += [
            ("calls", f"{spent.calls:,}"),
            ("tokens in", show_tokens(spent.input_tokens)),
            ("tokens out", show_tokens(spent.output_tokens)),
            ("cost", show_paid(spent)),
        ]
    else:
        tiles.append(("calls to a model", "none"))
    tiles.append(("graded", (run.facts.finished or run.facts.started)[:10]))
    return tag("dl", [tag("div", tag("dt", name), tag("dd", value)) for name, value in tiles], class_="tiles")


def _top_of_many(report: Report) -> Markup:
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
    comparison = report.comparison
    differences = None if comparison is None else draw_pairs(comparison.pairs)
    notes = None if comparison is None else draw_note([*comparison.notes, *tell_doubts(comparison)])
    return tag(
        "section",
        tag("h1", f"{len(report.runs)} runs side by side"),
        tag("p", tag("strong", f"Warning: {report.warning}."), class_="words") if report.warning else None,
        tag(
            "div",
            card("Share correct", interval_table("Share correct of each run", "run", lines), level="h2"),
            card("Differences", differences, notes, level="h2") if differences else None,
            [draw_judges(judges) for judges in report.judges],
            draw_incomparable(report.incomparable) if report.incomparable else None,
            tag(
                "div",
                [card(run.name, pairs(_facts_of(run)), level="h2") for run in report.runs],
                class_="grid",
            ),
            class_="stack",
        ),
        id="top",
        aria_label="Headline",
    )


def _facts_of(run: RunReport) -> list[tuple[str, Piece]]:
    summary = run.summary
    share = summary.share
    return [
        ("answers", run.facts.answers),
        ("protocol", run.facts.protocol),
        ("judged", f"{summary.judged:,} of {summary.rows:,}"),
        ("of all rows", f"{show_percent(share.worst)} to {show_percent(share.best)}"),
        ("calls", f"{summary.spent.calls:,}"),
        ("cost", show_paid(summary.spent)),
        ("graded", (run.facts.finished or run.facts.started)[:10]),
    ]
