"""What a report says, whether it is read as a page, as JSON or as markdown."""

from typing import Any

from msgspec import Struct

from karat.core.types import ProtocolName, Spent
from karat.report.figures.agreement import Agreement
from karat.report.figures.comparison import Comparison, Slices
from karat.report.figures.judge_comparison import Judges
from karat.report.figures.summary import Summary


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
