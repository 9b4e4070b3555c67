"""A report as markdown, for pull requests: the figures of the page without its rows."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from karat.core.messages import name_invisible
from karat.report.content import (
    Report,
    RunReport,
    describe_doubts,
    describe_headline,
    describe_known,
    describe_people,
    describe_waiting,
    show_share,
)
from karat.report.figures.comparison import Slices
from karat.report.figures.confidence import describe_expectation
from karat.report.figures.judge_comparison import Judges, Split
from karat.report.figures.judge_overlap import Overlap
from karat.report.figures.pairs import Pair
from karat.report.format import (
    STATISTICS,
    count,
    show_no_calls,
    show_number,
    show_percent,
    show_plain,
    show_points,
    show_spent,
    show_statistic,
    show_value,
)
from karat.stats import Estimate, Number

_CELL = 200
_HARMLESS = {
    "\\": "\\\\", "|": "\\|", "<": "&lt;", "`": "\\`", "*": "\\*", "](": "]\\(", "@": "&#64;",
}  # fmt: skip


def write_markdown(report: Report) -> str:
    """Write headline, comparison, systems, slices that stand out, agreement, origins and identity of every run."""
    parts = [_headline(report)]
    if report.comparison is not None:
        parts.append(_list(_describe_pair(pair) for pair in report.comparison.pairs))
        parts += [_plain(line) for line in (*report.comparison.notes, *describe_doubts(report.comparison))]
    parts += [part for judges in report.judges for part in _judges(judges)]
    parts += [f"Not compared: {_explain(why)}" for why in report.incomparable]
    for run in report.runs:
        if len(report.runs) > 1:
            parts.append(f"#### {_plain(run.name)}")
        parts += [part for part in _sections(run) if part]
    return "\n\n".join(parts) + "\n"


def _headline(report: Report) -> str:
    rows = [_headline_row(run) for run in report.runs]
    headings = ("run", "as judged [95 %]", "corrected by labels [95 %]", "judged", "worst to best", "cost")
    warning = [] if report.warning is None else [f"**Warning: {_plain(report.warning)}.**"]
    lines = [f"{_plain(run.name)}: {_emphasise(describe_headline(run.summary))}" for run in report.runs]
    return "\n\n".join(
        ["### karat", *warning, *_unfinished(report), *lines, _table(headings, rows), *_doubts(report)]
    )


def _emphasise(told: str) -> str:
    """Set a share in bold; the text after it stays plain."""
    share, end, rest = told.partition("]")
    return f"**{share}{end}**{rest}"


def _doubts(report: Report) -> Iterator[str]:
    """Yield the assumptions of corrected shares, and the sources of their labels."""
    for run in report.runs:
        correction = run.summary.correction
        if correction is not None:
            known = describe_known(correction.known, correction.labelled, correction.known_from)
            for line in (correction.warning, correction.assumption, known):
                if line is not None:
                    yield f"{_plain(run.name)}: {_on_one_line(line)}"


def _unfinished(report: Report) -> Iterator[str]:
    """Yield warnings about unfinished runs, which come before the shares."""
    for run in report.runs:
        told = describe_waiting(run.summary.waiting, run.summary.rows, run.summary.judged)
        if told is not None:
            yield f"**{_plain(run.name)} is {told}.**"


def _headline_row(run: RunReport) -> tuple[str, ...]:
    summary, share = run.summary, run.summary.share
    correction = summary.correction
    raw = show_share(share)
    corrected = "no labels" if correction is None else show_number(correction.share.corrected)
    labelled = "" if correction is None else f" ({correction.labelled:,} labelled)"
    first = summary.headline == "raw"
    return (
        f"{_plain(run.name)} · {run.facts.protocol}",
        f"{f'**{raw}**' if first else raw}{' so far' if summary.waiting else ''}",
        f"{corrected if first else f'**{corrected}**'}{labelled}",
        f"{share.judged:,} of {share.rows:,}",
        f"{show_percent(share.worst)} to {show_percent(share.best)}",
        show_spent(summary.spent) if summary.spent.calls else show_no_calls(summary.spent),
    )


def _sections(run: RunReport) -> Iterator[str]:
    yield _values(run)
    yield "" if run.summary.expectation is None else describe_expectation(run.summary.expectation)
    yield _systems(run)
    yield _slices(run)
    yield _agreement(run)
    yield _origins(run)
    yield _unjudged(run)
    yield f"<sub>{_plain(run.facts.answers)} · judge {_plain(run.facts.judge)} · fingerprint `{_on_one_line(run.facts.fingerprint)}`</sub>"


def _values(run: RunReport) -> str:
    summary = run.summary
    given = [
        f"{name} {rows:,} ({show_percent(rows / summary.judged)})"
        for name, rows in summary.values.items()
        if summary.judged
    ]
    scores = (
        ""
        if summary.protocol == "match" or summary.mean_score is None
        else f"; mean score {summary.mean_score:.3f}, correct means {run.passing} or more"
    )
    return f"Verdicts: {', '.join(given)}{scores}" if given else ""


def _systems(run: RunReport) -> str:
    if run.systems is None:
        return ""
    if isinstance(run.systems, Slices):
        apart = [(_plain(one.name), f"{one.rows:,}", show_number(one.share)) for one in run.systems.slices]
        return _table(("system", "rows", "correct [95 %]"), apart)
    corrected = any(side.corrected is not None for side in run.systems.sides)
    rows = [
        (
            _plain(side.name),
            f"{side.rows:,}",
            show_number(side.share),
            *((show_number(side.corrected) if side.corrected is not None else "–",) if corrected else ()),
        )
        for side in run.systems.sides
    ]
    headings = ("system", "rows", "correct [95 %]", *(("corrected [95 %]",) if corrected else ()))
    doubts = [_plain(line) for line in describe_doubts(run.systems)]
    return "\n\n".join(
        [_table(headings, rows), _list(_describe_pair(pair) for pair in run.systems.pairs), *doubts]
    )


def _describe_pair(pair: Pair) -> str:
    said = pair.verdict
    if pair.corrected_verdict is not None:
        parts = [f"as judged: {pair.verdict}", f"corrected by labels: {pair.corrected_verdict}"]
        said = "; ".join(parts if pair.headline == "raw" else reversed(parts))
    return _plain(f"{pair.a} and {pair.b}: {said}")


def _judges(judges: Judges) -> Iterator[str]:
    """Yield the comparison of two judges: sentences, figures of each, the table, and rows on which they differ."""
    overall = judges.overall
    one, other = (_plain(judge.name) for judge in judges.judges)
    said = [overall.verdict, overall.more_often, *describe_people(overall.people)]
    said += [f"{name}: {number}" for name, number in _level_statistics(overall)]
    said += [f"left out: {count(overall.left_out, 'row')} without a verdict of both judges"] * bool(
        overall.left_out
    )
    said += [f"left out: {count(judges.apart, 'row')} in only one of the runs"] * bool(judges.apart)
    yield f"Two judges of the same answers, {one} and {other}:"
    yield _list(_plain(line) for line in [*said, *judges.notes])
    if overall.people is not None:
        figures = [
            (_plain(judge.name), _show(judge.accuracy, show_number), _show(judge.kappa, show_plain))
            for judge in judges.judges
        ]
        yield _table(("judge", "same as people [95 %]", "kappa with people [95 %]"), figures)
    yes, no = ("Yes", "No") if judges.protocol == "match" else ("correct", "wrong")
    (no_no, no_yes), (yes_no, yes_yes) = overall.table
    yield _table(
        (count(overall.rows, "row"), f"{other}: {yes}", f"{other}: {no}"),
        [(f"{one}: {yes}", f"{yes_yes:,}", f"{yes_no:,}"), (f"{one}: {no}", f"{no_yes:,}", f"{no_no:,}")],
    )
    if judges.examples:
        yield _table(
            ("they differ on", "question", "reference", "answer", one, other),
            [_split(example) for example in judges.examples],
        )


def _level_statistics(overall: Overlap) -> Iterator[tuple[str, str]]:
    for name, number in overall.levels.items():
        yield STATISTICS.get(name, name), show_statistic(name, number)


def _show(number: Number | None, show: Callable[[Number], str]) -> str:
    return "–" if number is None else _plain(show(number))


def _split(example: Split) -> tuple[str, ...]:
    verdicts = (
        f"{show_value(value)}{f': {reason}' if reason else ''}"
        for value, reason in zip(example.values, example.reasons, strict=True)
    )
    texts = (example.id, example.question or "", " or ".join(example.references), example.answer, *verdicts)
    return tuple(_plain(text if len(text) <= _CELL else f"{text[: _CELL - 1]}…") for text in texts)


def _explain(why: str) -> str:
    """Format a sentence: commands in backticks stay code, other text is escaped."""
    pieces = why.split("`")
    return "".join(
        f"`` {_on_one_line(piece)} ``" if at % 2 else _plain_text(piece) for at, piece in enumerate(pieces)
    )


def _slices(run: RunReport) -> str:
    """List only slices that stand out, to keep a pull request short."""
    found = [
        f"{_plain(slices.column)} {_plain(one.name)}: {show_number(one.share)}, {one.shown} the rest: {show_points(one.difference)}"
        for slices in run.slices
        for one in slices.slices
        if one.shown is not None
    ]
    return "Slices that stand out:\n\n" + _list(found) if found else ""


def _agreement(run: RunReport) -> str:
    found = run.agreement
    if found is None or not found.rows:
        return ""
    rows = [
        (STATISTICS.get(name, name), show_statistic(name, number))
        for name, number in found.statistics.items()
        if isinstance(number, Estimate)
    ]
    (no_no, no_yes), (yes_no, yes_yes) = found.table
    table = _table(
        (f"{count(found.rows, 'labelled row')}", "judge: correct", "judge: wrong"),
        [
            ("people: correct", f"{yes_yes:,}", f"{yes_no:,}"),
            ("people: wrong", f"{no_yes:,}", f"{no_no:,}"),
        ],
    )
    return _table(("agreement with people", "[95 %]"), rows) + "\n\n" + table


def _origins(run: RunReport) -> str:
    named = ", ".join(f"{_plain(name)} {rows:,}" for name, rows in run.summary.decided_by.items())
    return f"Decided by: {named}" if named else ""


def _unjudged(run: RunReport) -> str:
    named = ", ".join(f"{_plain(cause)} {rows:,}" for cause, rows in run.summary.unjudged.items())
    return f"Unjudged: {named}" if named else ""


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _plain(text: str) -> str:
    """Escape a name from data: one line, no markup, no @-mentions, no table breaks."""
    return _plain_text(text).strip()


def _plain_text(text: str) -> str:
    flat = _on_one_line(text)
    for mark, harmless in _HARMLESS.items():
        flat = flat.replace(mark, harmless)
    return flat


def _on_one_line(text: str) -> str:
    """Replace line breaks by spaces; show other invisible characters by name."""
    return name_invisible(re.sub(r"\s+", " ", text, flags=re.ASCII))
