"""The content of a report: its values, and the sentences that the terminal, markdown and the page share."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from karat.core.types import ProtocolName, Spent
from karat.report.figures.agreement import Agreement
from karat.report.figures.comparison import Comparison, Slices
from karat.report.figures.correction import Correction
from karat.report.figures.judge_comparison import Judges
from karat.report.figures.judge_overlap import WithPeople
from karat.report.figures.summary import Share, Summary
from karat.report.format import count, show_number, show_percent
from karat.rows import list_names
from karat.stats import Undefined

_MOST_LINES = 5


class Facts(Struct, frozen=True):
    """The identity of a run: enough to reproduce it."""

    run: int
    judge: str
    protocol: ProtocolName
    answers: str
    columns: str
    fingerprint: str
    identity: dict[str, Any]
    started: str
    finished: str | None


class Example(Struct, frozen=True):
    """A row on which judge and people differ."""

    id: str
    question: str | None
    references: tuple[str, ...]
    answer: str
    reason: str | None


class RunReport(Struct, frozen=True):
    """The figures of one run; those that do not apply are None or empty. `more_tags` counts tags without slices."""

    facts: Facts
    passing: int
    summary: Summary
    agreement: Agreement | None
    systems: Comparison | Slices | None
    slices: tuple[Slices, ...]
    spent_by: dict[str, Spent]
    examples: dict[str, tuple[Example, ...]]
    more_tags: int = 0

    @property
    def name(self) -> str:
        """The name of the run next to others."""
        return f"run {self.facts.run} · {self.facts.judge}"

    @property
    def least(self) -> int:
        """The lowest value that counts as correct."""
        return 1 if self.facts.protocol == "match" else self.passing


class Report(Struct, frozen=True):
    """The runs and their comparisons; `warning` is shown before any comparison.

    `comparison` has the runs of different answers, `judges` all pairs of judges of the same answers. `incomparable` says
    for every other pair of runs why it is not compared, and how to make it comparable.
    """

    karat: str
    created: str
    warning: str | None
    runs: tuple[RunReport, ...]
    comparison: Comparison | None
    judges: tuple[Judges, ...] = ()
    incomparable: tuple[str, ...] = ()


def show_share(share: Share) -> str:
    """Format the share correct with its interval, or without one if only the interval is undefined."""
    if share.value is None:
        return "no row is judged"
    why = explain_gap(share)
    return show_number(share.estimate) if why is None else f"{show_percent(share.value)}, {why}"


def explain_gap(share: Share) -> str | None:
    """Explain why a share has no interval, and the remedy; None if it has one or is itself undefined."""
    if share.value is None or not isinstance(share.estimate, Undefined):
        return None
    return (
        f"no interval: {share.estimate.why}; use --cluster COLUMN to cluster by another column, such as an id"
    )


def describe_waiting(waiting: int, rows: int, judged: int) -> str | None:
    """Describe that a run is not finished, and what that means for its share; None if it is finished."""
    if not waiting:
        return None
    left = (
        f"not finished: {waiting:,} of {count(rows, 'row')} {'is' if waiting == 1 else 'are'} not judged yet"
    )
    return (
        f"{left}, and those judged so far ({count(judged, 'row')}) are not a random sample of all"
        if judged
        else left
    )


def describe_headline(summary: Summary) -> str:
    """Describe the headline share correct: its rows, and the labels that correct it."""
    share, correction = summary.share, summary.correction
    if share.value is None:
        return "no row is judged"
    if correction is None or summary.headline == "raw":
        return f"{show_share(share)} correct, of {share.judged:,} judged"
    return f"{show_number(correction.number)} correct, of {describe_labels(correction)}"


def describe_labels(correction: Correction) -> str:
    """Describe the rows of a corrected share, and how many of them are labelled."""
    by = (
        "by their labels"
        if correction.selection == "all"
        else f"corrected by the labels of {correction.labelled:,}"
    )
    return f"all {correction.rows:,} rows, {by}"


def describe_known(known: int, labelled: int, sources: Sequence[str]) -> str | None:
    """Describe how many rows use labels from other files; None if there are none."""
    if not known:
        return None
    files = list_names(sources, 3)
    return f"{known:,} of {labelled:,} labelled rows {'has' if known == 1 else 'have'} labels from other files: {files}"


def describe_people(people: WithPeople | None) -> Iterator[str]:
    """Yield which of two judges agrees more with people, and the assumption behind it; nothing without labels."""
    if people is None:
        return
    yield f"on {count(people.rows, 'labelled row')}, {people.verdict}"
    if known := describe_known(people.known, people.rows, people.known_from):
        yield known
    if people.assumption is not None:
        yield people.assumption


def describe_doubts(comparison: Comparison) -> list[str]:
    """List the assumptions of corrected figures, why some are not the headline, and which labels they use."""
    sides = [f"{side.name}: {side.warning}" for side in comparison.sides if side.warning is not None]
    pairs = [pair.warning for pair in comparison.pairs if pair.warning is not None]
    for line in sides:
        pairs = [warning.replace(line, "") for warning in pairs]
    told = _shorten([*sides, *(warning for warning in pairs if warning.strip("; "))])
    told += dict.fromkeys(one.assumption for one in comparison.sides if one.assumption is not None)
    known = (
        (side.name, describe_known(side.known, side.labelled, side.known_from)) for side in comparison.sides
    )
    return told + [f"{name}: {line}" for name, line in known if line is not None]


def describe_slice_doubts(slices: Slices) -> list[str]:
    """The same for slices."""
    told = _shorten([f"{one.name}: {one.warning}" for one in slices.slices if one.warning is not None])
    return told + list(dict.fromkeys(one.assumption for one in slices.slices if one.assumption is not None))


def as_sentence(line: str) -> str:
    """Turn a note into a sentence; backticks around commands are removed."""
    return f"{line[:1].upper()}{line[1:]}.".replace("`", "")


def _shorten(lines: Sequence[str]) -> list[str]:
    """Return the first few lines, and a line that counts the others."""
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], *([f"and {more:,} more like these"] if more > 0 else [])]
