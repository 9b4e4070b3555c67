"""What a report says, wherever it is read: its values, and the sentences that the terminal, markdown and the page share."""

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
    """What a run is: enough to make it again."""

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
    """One run in numbers; what does not apply to it is None or empty. `more_tags` are not among the slices."""

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
        """How the run is called beside others."""
        return f"run {self.facts.run} · {self.facts.judge}"

    @property
    def least(self) -> int:
        """From which value on a verdict counts as correct."""
        return 1 if self.facts.protocol == "match" else self.passing


class Report(Struct, frozen=True):
    """The runs, one after the other, and how they compare; a `warning` says what to know before any comparison.

    `comparison` has the runs of different answers, `judges` every two judges of the same answers. `incomparable` says
    of every other two runs why they are not compared, and how to make them comparable.
    """

    karat: str
    created: str
    warning: str | None
    runs: tuple[RunReport, ...]
    comparison: Comparison | None
    judges: tuple[Judges, ...] = ()
    incomparable: tuple[str, ...] = ()


def show_share(share: Share) -> str:
    """The share correct with its interval, or without one where only that is not defined."""
    if share.value is None:
        return "no row is judged"
    why = explain_gap(share)
    return show_number(share.estimate) if why is None else f"{show_percent(share.value)}, {why}"


def explain_gap(share: Share) -> str | None:
    """Why a share has no interval, and what to do; None where it has one, or is not there itself."""
    if share.value is None or not isinstance(share.estimate, Undefined):
        return None
    return f"no interval: {share.estimate.why}; --cluster COLUMN clusters by another column, such as an id"


def tell_waiting(waiting: int, rows: int, judged: int) -> str | None:
    """That a run is not finished, and what its share is worth until then; None where nothing waits."""
    if not waiting:
        return None
    left = f"not finished: {waiting:,} of {count(rows, 'row')} {'is' if waiting == 1 else 'are'} still to be judged"
    return (
        f"{left}, and what is judged so far ({count(judged, 'row')}) is no sample of all" if judged else left
    )


def tell_headline(summary: Summary) -> str:
    """The share correct that comes first, of which rows, and by what it is corrected."""
    share, correction = summary.share, summary.correction
    if share.value is None:
        return "no row is judged"
    if correction is None or summary.headline == "raw":
        return f"{show_share(share)} correct, of {share.judged:,} judged"
    return f"{show_number(correction.number)} correct, of {tell_labels(correction)}"


def tell_labels(correction: Correction) -> str:
    """Of which rows a share by labels is, and by how many of them."""
    by = (
        "by their labels"
        if correction.selection == "all"
        else f"corrected by the labels of {correction.labelled:,}"
    )
    return f"all {correction.rows:,} rows, {by}"


def tell_known(known: int, labelled: int, sources: Sequence[str]) -> str | None:
    """How many rows have labels that were given for other files; None where there are none."""
    if not known:
        return None
    files = list_names(sources, 3)
    return f"{known:,} of {labelled:,} labelled rows {'has' if known == 1 else 'have'} labels that were given for other files: {files}"


def tell_people(people: WithPeople | None) -> Iterator[str]:
    """Which of two judges agrees more with people, and what that rests on; nothing without labels."""
    if people is None:
        return
    yield f"on {count(people.rows, 'labelled row')}, {people.verdict}"
    if known := tell_known(people.known, people.rows, people.known_from):
        yield known
    if people.assumption is not None:
        yield people.assumption


def tell_doubts(comparison: Comparison) -> list[str]:
    """What the corrected figures of a comparison take for granted, why some do not come first, and whose labels they use."""
    sides = [f"{side.name}: {side.warning}" for side in comparison.sides if side.warning is not None]
    pairs = [pair.warning for pair in comparison.pairs if pair.warning is not None]
    for line in sides:
        pairs = [warning.replace(line, "") for warning in pairs]
    told = _shorten([*sides, *(warning for warning in pairs if warning.strip("; "))])
    told += dict.fromkeys(one.assumption for one in comparison.sides if one.assumption is not None)
    known = ((side.name, tell_known(side.known, side.labelled, side.known_from)) for side in comparison.sides)
    return told + [f"{name}: {line}" for name, line in known if line is not None]


def tell_slice_doubts(slices: Slices) -> list[str]:
    """The same for slices."""
    told = _shorten([f"{one.name}: {one.warning}" for one in slices.slices if one.warning is not None])
    return told + list(dict.fromkeys(one.assumption for one in slices.slices if one.assumption is not None))


def as_sentence(line: str) -> str:
    """A note as a sentence of running text, in which commands need no marks."""
    return f"{line[:1].upper()}{line[1:]}.".replace("`", "")


def _shorten(lines: Sequence[str]) -> list[str]:
    """At most a few lines, and how many more there are."""
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], *([f"and {more:,} more like these"] if more > 0 else [])]
