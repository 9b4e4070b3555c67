"""The summary of a run as tables on a terminal."""

from collections.abc import Iterable, Iterator

from rich.console import Group as Together
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from karat.report.content import describe_known, describe_labels, describe_waiting, explain_gap
from karat.report.examples import Example, Examples
from karat.report.figures.agreement import Accuracy
from karat.report.figures.confidence import Expectation, describe_remedies, list_expectation
from karat.report.figures.correction import Correction
from karat.report.figures.summary import Panel, Share, Summary
from karat.report.format import TERMINAL, count, show_no_calls, show_percent, show_tokens
from karat.report.terminal.tables import explain_dashes, make_table, show_or_dash, show_text
from karat.stats import Estimate, Undefined

_BAR = 24
_ID = 24
_LONGEST = 400


def draw_summary(summary: Summary, title: str, examples: Examples | None = None) -> RenderableType:
    """Draw headline, labels, values, systems, origins, unjudged rows, cost and examples; empty parts are left out."""
    head, *rest = [Text(title, style="bold"), *_waiting(summary), _headline(summary)]
    blocks = [
        *_blocks(summary),
        *([draw_examples(examples)] if examples is not None and examples.rows else []),
    ]
    return Together(head, *rest[:-1], *(part for each in (rest[-1], *blocks) for part in (each, Text())))


def _blocks(summary: Summary) -> Iterator[RenderableType]:
    """Yield the parts of a summary below its headline, in order."""
    if summary.correction is not None:
        yield draw_correction(summary.correction)
    if summary.accuracy is not None:
        yield draw_accuracy(summary.accuracy)
    if summary.expectation is not None:
        yield draw_expectation(summary.expectation)
    if len(summary.systems) > 1:
        yield _systems(summary)
    yield _bars("value", summary.values, summary.judged)
    if summary.judged:
        yield _bars("decided by", summary.decided_by, summary.judged)
    if summary.panel is not None:
        yield _panel(summary.panel)
    if summary.unjudged:
        yield _bars("unjudged, by cause", summary.unjudged, summary.rows)
        yield from _reasons(summary)
    yield Text(_cost(summary))


def _waiting(summary: Summary) -> Iterable[Text]:
    """Return the warning about an unfinished run, which comes before the share."""
    told = describe_waiting(summary.waiting, summary.rows, summary.judged)
    return () if told is None else (Text(told, style="yellow"),)


def _headline(summary: Summary) -> Text:
    share = summary.share
    if share.value is None:
        return Text("no row is judged, so there is no share correct", style="yellow")
    line = Text("correct so far " if summary.waiting else "correct ")
    why = explain_gap(share)
    if summary.correction is not None and summary.headline != "raw":
        line.append(TERMINAL.show_number(summary.correction.number), style="bold green")
        line.append(f" of {describe_labels(summary.correction)}; as judged {_show_share(share)}")
    else:
        line.append(_show_share(share) if why is None else show_percent(share.value), style="bold green")
    line.append(f" of {share.judged:,} judged")
    if share.judged < share.rows:
        line.append(
            f"; of all {share.rows:,} between {show_percent(share.worst)} and {show_percent(share.best)}"
        )
    if summary.protocol != "match":
        line.append(f"; mean score {summary.mean_score:.3f}")
    if why is not None:
        line.append(f"; {why}", style="yellow")
    return line


def _show_share(share: Share) -> str:
    """Format a share with its 95 % interval, or without one if only the interval is undefined."""
    if share.value is None or isinstance(share.estimate, Estimate):
        return TERMINAL.show_number(share.estimate)
    return f"{show_percent(share.value)} (no interval)"


def draw_correction(correction: Correction) -> RenderableType:
    """Draw the share by the judge, the share corrected for its errors, and the share by the labels alone."""
    table = make_table("share correct", "[95 % interval]", "")
    everything = f"all {correction.rows:,} rows"
    labels = f"{correction.labelled:,} labelled"
    first = {name: "bold" if name == correction.headline else "" for name in ("raw", "corrected", "labels")}
    table.add_row(
        "as judged", TERMINAL.show_number(correction.share.raw), "the judged rows", style=first["raw"]
    )
    if correction.selection != "all":
        table.add_row(
            "corrected by labels",
            show_or_dash(correction.share.corrected, TERMINAL.show_number),
            f"{everything}, {labels}",
            style=first["corrected"],
        )
    table.add_row(
        "by labels alone",
        show_or_dash(correction.share.labels_alone, TERMINAL.show_number),
        f"{everything}, {labels}",
        style=first["labels"],
    )
    if correction.rogan_gladen is not None:
        table.add_row(
            "by Rogan-Gladen",
            TERMINAL.show_number(correction.rogan_gladen),
            "if labelled rows have another mix of verdicts",
        )
    if correction.score is not None:
        score = correction.score
        table.add_row(
            "mean score as judged", TERMINAL.show_plain(score.raw), "the judged rows", style=first["raw"]
        )
        if correction.selection != "all":
            table.add_row(
                "mean score corrected",
                show_or_dash(score.corrected, TERMINAL.show_plain),
                everything,
                style=first["corrected"],
            )
        table.add_row(
            "mean score by labels alone",
            show_or_dash(score.labels_alone, TERMINAL.show_plain),
            everything,
            style=first["labels"],
        )
    warning = [] if correction.warning is None else [Text(correction.warning, style="yellow")]
    return Together(table, *warning, *(Text(line, style="dim") for line in _notes(correction)))


def _notes(correction: Correction) -> Iterator[str]:
    share = correction.share
    if why := explain_dashes([share.corrected, share.labels_alone]):
        yield why
    if correction.assumption is not None:
        yield correction.assumption
    if correction.rogan_gladen is not None:
        yield "Rogan-Gladen assumes only that the judge's error rates are the same on the labelled rows and on the others"
    if correction.selection == "planned":
        yield "the labelled rows were drawn by `karat labels plan`, and are weighted by the inverse of the probability with which they were drawn"
    elif correction.selection == "elsewhere":
        yield (
            "the labelled rows were drawn by `karat labels plan` for another run; label the rows from which it did not draw,"
            " or run `karat labels plan` for this run as well"
        )
    elif correction.selection == "all":
        yield "every row is labelled, so the share comes from the labels themselves"
    if correction.ties:
        yield f"people are evenly split over {count(correction.ties, 'row')}: each counts as half right"
    if told := describe_known(correction.known, correction.labelled, correction.known_from):
        yield told
    if correction.outside:
        yield f"{count(correction.outside, 'labelled row')} outside the plan not used"


def draw_accuracy(accuracy: Accuracy) -> RenderableType:
    """Draw how often the verdicts agree with the labels."""
    table = make_table("verdicts against labels", "[95 % interval]", "")
    rows = f"same verdict, {count(accuracy.rows, 'row')}" + ", weighted" * accuracy.weighted
    table.add_row("accuracy", show_or_dash(accuracy.accuracy, TERMINAL.show_number), rows)
    chance = "1: always, 0: by chance"
    table.add_row("Cohen's kappa", show_or_dash(accuracy.kappa, TERMINAL.show_plain), chance)
    why = explain_dashes([accuracy.accuracy, accuracy.kappa])
    return table if why is None else Together(table, Text(why, style="dim"))


def draw_expectation(found: Expectation) -> RenderableType:
    """Draw the expected accuracy, the number of unsure verdicts, and what to do about them."""
    table = make_table("reliability", "", "")
    for line in list_expectation(found):
        table.add_row(*line)
    remedies = describe_remedies(found)
    return table if remedies is None else Together(table, Text(remedies, style="dim"))


def _systems(summary: Summary) -> Table:
    table = make_table("system", "rows", "judged", "correct [95 % interval]")
    for system, share in summary.systems.items():
        table.add_row(system, f"{share.rows:,}", f"{share.judged:,}", _show_share(share))
    return table


def _bars(name: str, counts: dict[str, int], whole: int) -> Table:
    table = make_table(name, "rows", "")
    most = max(counts.values(), default=0) or 1
    for label, rows in counts.items():
        table.add_row(
            label,
            f"{rows:,}",
            f"{show_percent(rows / max(1, whole)):>7} {'█' * round(_BAR * rows / most)}",
        )
    return table


def _panel(panel: Panel) -> Table:
    table = make_table("panel", "same verdict [95 % interval]")
    for pair, share in panel.agreement.items():
        table.add_row(pair, TERMINAL.show_number(share))
    effective = panel.effective
    worth = f"not defined: {effective.why}" if isinstance(effective, Undefined) else f"{effective:.2f}"
    table.add_row("effective number of independent judges", worth)
    return table


def _reasons(summary: Summary) -> Iterable[Text]:
    """Return one example for each cause that is an error."""
    for cause, reason in summary.reasons.items():
        if cause not in ("undecided", "tie", "over_budget"):
            yield Text(f"{cause}, for example: {reason[:300]}", style="dim")


def _cost(summary: Summary) -> str:
    spent = summary.spent
    if spent.calls == summary.losses.calls:
        failed = {"rejected", "unavailable", "over_budget"} & set(summary.unjudged)
        return "no call was answered" if failed else show_no_calls(spent)
    cost = (
        f"{'at least ' if spent.uncounted else ''}${spent.cost_usd:.4f}"
        if spent.cost_usd is not None
        else ("cost unknown" if spent.input_tokens is None else "cost unknown: give the price with --price")
    )
    cached = f" ({spent.cached_tokens:,} cached)" if spent.cached_tokens else ""
    calls = f"{spent.calls:,} call{'' if spent.calls == 1 else 's'}"
    return (
        f"{calls} in this run so far, {show_tokens(spent.input_tokens)} input tokens{cached}, "
        f"{show_tokens(spent.output_tokens)} output tokens, {cost}{_losses(summary)}"
    )


def _losses(summary: Summary) -> str:
    lost, uncounted = summary.losses, summary.spent.uncounted
    told = [f"{lost.calls:,} of the calls had no reply"] if lost.calls else []
    told += [f"{uncounted:,} had no token count"] if uncounted else []
    most = f", which may have cost up to ${lost.most_usd:.4f} more" if lost.most_usd else ""
    return f"; {' and '.join(told)}{most}" if told else ""


def draw_examples(examples: Examples) -> RenderableType:
    """Draw example rows, each cut to the width of the terminal."""
    title = {
        "against_label": "verdicts that differ from the label, highest confidence first",
        "judged_wrong": "examples of rows judged wrong",
    }[examples.kind]
    names = [show_text(example.id, _ID) for example in examples.rows]
    width = max(map(len, names))
    lines = [
        f"{'' if at else name:<{width}}  {show_text(line, _LONGEST)}"
        for name, example in zip(names, examples.rows, strict=True)
        for at, line in enumerate(_example_lines(example))
    ]
    return Together(
        Text(title, style="dim"), *(Text(line, no_wrap=True, overflow="ellipsis") for line in lines)
    )


def _example_lines(example: Example) -> Iterator[str]:
    verdict = _name_value(example.value)
    label = "" if example.label is None else f", label {_name_value(example.label)}"
    sure = "" if example.confidence is None else f" · confidence {example.confidence:.2f}"
    yield f"{verdict}{label}{sure} · {example.decided_by}"
    if example.question:
        yield f"question: {example.question}"
    yield f"reference: {' | '.join(example.references)}"
    yield f"answer: {example.answer or '(empty)'}"
    if example.reason:
        yield f"reason: {example.reason}"


def _name_value(value: float) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return f"{value:g}"
