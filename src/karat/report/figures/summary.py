"""The summary of a run: pure, and the same for the terminal, JSON and the page."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from karat.core.scored_row import Cluster, Group, ScoredRow
from karat.core.types import Losses, ProtocolName, Spent, Vote
from karat.report.figures.agreement import Accuracy
from karat.report.figures.confidence import Expectation
from karat.report.figures.correction import Correction, Headline, least_correct
from karat.stats import Number, Undefined, effective_judges, pairwise_agreement, wilson

PASS = 4
NOT_TRIED = "not tried yet"
_WAITING = (NOT_TRIED, "unavailable", "over_budget")


class Share(Struct, frozen=True):
    """The share correct of the judged rows, and its bounds if all unjudged rows were wrong or right.

    The interval is clustered by question if a question has several judged rows, and Wilson's otherwise.
    """

    rows: int
    judged: int
    correct: int
    estimate: Number
    worst: float | None
    best: float | None

    @property
    def value(self) -> float | None:
        """The share itself; None if no row is judged."""
        return self.correct / self.judged if self.judged else None


class Panel(Struct, frozen=True):
    """The agreement between the members of a panel, and their effective number of independent judges."""

    agreement: dict[str, Number]
    effective: float | Undefined


class Summary(Struct, frozen=True):
    """Everything the summary table shows; `headline` names the share that comes first, in `share` or `correction`."""

    protocol: ProtocolName
    rows: int
    judged: int
    share: Share
    systems: dict[str, Share]
    values: dict[str, int]
    mean_score: float | None
    unjudged: dict[str, int]
    decided_by: dict[str, int]
    spent: Spent
    panel: Panel | None = None
    reasons: dict[str, str] = {}
    skipped: int = 0
    correction: Correction | None = None
    losses: Losses = Losses()
    headline: Headline = "raw"
    accuracy: Accuracy | None = None
    expectation: Expectation | None = None

    @property
    def waiting(self) -> int:
        """The number of rows that the same command would still judge, in an unfinished run."""
        return sum(self.unjudged.get(cause, 0) for cause in _WAITING)


def summarise(
    protocol: ProtocolName,
    groups: Iterable[Group],
    spent: Spent,
    *,
    passing: int = PASS,
    ballots: Sequence[tuple[tuple[Vote, ...], int]] = (),
    reasons: Mapping[str, str] | None = None,
    skipped: int = 0,
    clusters: Sequence[Cluster] = (),
    system_clusters: Sequence[Cluster] = (),
    correction: Correction | None = None,
    losses: Losses | None = None,
    accuracy: Accuracy | None = None,
    expectation: Expectation | None = None,
) -> Summary:
    """Summarise a run; on a 0-5 protocol a row is correct from `passing` on."""
    groups = list(groups)
    least = least_correct(protocol, passing)
    judged = [group for group in groups if group.value is not None]
    count = sum(group.rows for group in judged)
    score = sum(group.score or 0.0 for group in judged)
    systems = sorted({group.system for group in groups if group.system is not None})
    return Summary(
        protocol=protocol,
        rows=sum(group.rows for group in groups),
        judged=count,
        share=_share(groups, least, clusters),
        systems={
            system: _share(
                [group for group in groups if group.system == system],
                least,
                [cluster for cluster in system_clusters if cluster.system == system],
            )
            for system in systems
        },
        values=_values(protocol, judged),
        mean_score=score / count if count else None,
        unjudged=_count((group.cause or NOT_TRIED, group.rows) for group in groups if group.value is None),
        decided_by=_count((group.decided_by or "", group.rows) for group in judged),
        spent=spent,
        panel=_panel(ballots) if ballots else None,
        reasons=dict(reasons or {}),
        skipped=skipped,
        correction=correction,
        losses=losses or Losses(),
        headline="raw" if correction is None else correction.headline,
        accuracy=accuracy,
        expectation=expectation,
    )


def count_clusters(
    rows: Iterable[ScoredRow], least: int, *, by_system: bool = False, unjudged: bool = False
) -> list[Cluster]:
    """Count the questions of a run by the number of their judged and correct rows.

    With `unjudged`, rows without a verdict count as judged and wrong.
    """
    found = dict[tuple[str | None, int], tuple[int, int]]()
    for row in rows:
        key = (row.system if by_system else None, row.cluster)
        judged, correct = found.get(key, (0, 0))
        found[key] = (
            judged + (unjudged or row.value is not None),
            correct + (row.value is not None and row.value >= least),
        )
    counted = Counter((system, *counts) for (system, _), counts in found.items())
    return [Cluster(*shape, questions) for shape, questions in counted.items()]


def _panel(ballots: Sequence[tuple[tuple[Vote, ...], int]]) -> Panel:
    names = [vote.judge for vote in ballots[0][0]]
    numbers = [(tuple(_number(vote) for vote in votes), rows) for votes, rows in ballots]
    agreement = pairwise_agreement(numbers)
    return Panel(
        {f"{names[one]} ~ {names[other]}": share for (one, other), share in agreement.items()},
        effective_judges(numbers),
    )


def _number(vote: Vote) -> float | None:
    return None if vote.value is None else float(vote.value)


def _share(groups: list[Group], least: int, clusters: Sequence[Cluster]) -> Share:
    rows = sum(group.rows for group in groups)
    judged = sum(group.rows for group in groups if group.value is not None)
    correct = sum(group.rows for group in groups if group.value is not None and group.value >= least)
    worst = correct / rows if rows else None
    best = (correct + rows - judged) / rows if rows else None
    return Share(rows, judged, correct, estimate_share(correct, judged, clusters), worst, best)


def estimate_share(correct: int, judged: int, clusters: Sequence[Cluster]) -> Number:
    """Estimate the share correct of the judged rows, clustered by question if a question has several judged rows."""
    if not any(cluster.judged > 1 for cluster in clusters):
        return wilson(correct, judged)
    from karat.stats.clustered import share_of_counts

    told = [cluster for cluster in clusters if cluster.judged]
    return share_of_counts(
        [cluster.correct for cluster in told for _ in range(cluster.questions)],
        [cluster.judged for cluster in told for _ in range(cluster.questions)],
    )


def _values(protocol: ProtocolName, judged: list[Group]) -> dict[str, int]:
    names = {1: "Yes", 0: "No"} if protocol == "match" else {level: str(level) for level in range(5, -1, -1)}
    counted = Counter[int]()
    for group in judged:
        counted[group.value or 0] += group.rows
    return {name: counted[level] for level, name in names.items()}


def _count(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    counted = Counter[str]()
    for name, rows in pairs:
        counted[name] += rows
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))
