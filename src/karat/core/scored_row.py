"""A scored row, and counts of rows, as statistics use them."""

from msgspec import Struct

from karat.core.labels import Label


class ScoredRow(Struct, frozen=True, gc=False):
    """The verdict and the labels of one row.

    Rows of one `cluster` are about the same question. `chance` is the probability with which a plan chose the
    row for labelling, from among those of its `stratum`: None where no plan did. A row that was labelled before
    there was a plan has the chance 1 and no stratum. `plan` is the number of the plan that drew from rows among which
    this one is, once rows of the run that it drew have labels. A row is `waiting` that the same command would still judge.
    `known_from` names the files that labels of the row were given for, where they were not given for its own file.
    """

    position: int
    cluster: int
    system: str | None
    value: int | None
    score: float | None
    confidence: float | None
    decided_by: str | None
    labels: tuple[Label, ...] = ()
    chance: float | None = None
    stratum: str | None = None
    plan: int | None = None
    groups: tuple[str, ...] = ()
    waiting: bool = False
    known_from: tuple[str, ...] = ()


class Group(Struct, frozen=True):
    """How many rows of a run share system, value, cause and origin; the score is summed over them."""

    system: str | None
    value: int | None
    cause: str | None
    decided_by: str | None
    rows: int
    score: float | None


class Cluster(Struct, frozen=True):
    """How many questions, of one system where there are several, have so many judged and so many correct rows."""

    system: str | None
    judged: int
    correct: int
    questions: int
