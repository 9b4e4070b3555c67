"""Limits and baselines of `karat grade`, and its exit code."""

import shlex
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath

from msgspec import Struct, structs

from karat.cli.next_commands import Command
from karat.cli.options import GateOptions
from karat.cli.output import say
from karat.core.errors import UsageError
from karat.core.options import Options
from karat.core.scored_row import ScoredRow
from karat.judges import Plan
from karat.report.figures.correction import least_correct
from karat.report.figures.gates import Gate, check_baseline, check_lower, check_share, find_pairing
from karat.report.figures.summary import Summary
from karat.report.format import count
from karat.report.load import estimate_all
from karat.report.tags import read_scored_rows
from karat.rows import parse_columns
from karat.run import open_run
from karat.run.records import name_columns
from karat.run.verdict_files import load_answers, open_runs
from karat.store import Dataset, Run, Store

NO_FAULTS = frozenset({"undecided", "tie"})  # causes of unjudged rows that are not errors
USED_UP = "the budget is used up; run the same command again with a larger --budget to continue"
_JUDGE = frozenset({"judge", "protocol", *Options.__annotations__})
_FEWEST = 2  # questions in common; a standard error needs at least two


class Baseline(Struct, frozen=True):
    """A baseline: its name, and its rows as numbers; None stands for the rows of the run itself.

    `same_answers` is true if both have the same answers to the questions that they share.
    """

    name: str
    rows: list[ScoredRow] | None
    same_answers: bool = False


@dataclass(frozen=True)
class Grading:
    """What is needed to find a baseline: the answers and judge of this run, a grading function, and the command."""

    store: Store
    dataset: Dataset
    plan: Plan
    grade: Callable[[Run], None]
    command: Command

    @property
    def cluster(self) -> str | None:
        """The column whose values define the clusters; None for the question."""
        return self.command.options.cluster


def resolve_baseline(given: int | str, grading: Grading) -> Baseline:
    """Find the baseline, judged by the current judge, or refuse it, before any call is made.

    Answers judged by another judge or version are graded again if that makes no calls.
    """
    with _open_baseline(grading.store, given) as (store, found):
        if found.protocol != grading.plan.request.protocol:
            raise UsageError(
                f"--baseline {given} uses the protocol {found.protocol}, and this run uses {grading.plan.request.protocol};"
                f" name a baseline of the protocol {grading.plan.request.protocol}"
            )
        rows = read_scored_rows(store, found, cluster=grading.cluster)
        # Only the questions of this run's rows are used here, not their verdicts.
        ours = read_scored_rows(
            grading.store, structs.replace(found, dataset=grading.dataset), cluster=grading.cluster
        )
        common = find_pairing(rows, ours).common
        _refuse_few(given, common, grading)
        if found.dataset.id == grading.dataset.id and store is grading.store:
            return Baseline(_name(given, found), None, same_answers=True)
        same = _count_answers(store, found.dataset, rows, common) == _count_answers(
            grading.store, grading.dataset, ours, common
        )
        if found.fingerprint == grading.plan.fingerprint:
            waiting = sum(row.waiting for row in rows)
            if waiting:
                raise UsageError(
                    f"--baseline {given} is not finished: {waiting:,} of {count(len(rows), 'row')} have no verdict"
                    " yet; run its command again to finish it"
                )
            return Baseline(_name(given, found), rows, same)
        again = _grade_again(given, found, grading)
        if again is not None:
            rows = read_scored_rows(grading.store, again, cluster=grading.cluster)
            return Baseline(_name(given, again), rows, same)
        if isinstance(given, int) or found.judge != grading.plan.name:
            raise UsageError(_explain_commands(given, found, grading))
    # A verdict file of a model names its judge and protocol only; prompt and options cannot be compared.
    if any(row.waiting for row in rows):
        raise UsageError(
            f"--baseline {given} is not finished: some rows have no verdict; finish the run and export it again"
        )
    say(
        f"--baseline {given} names the same judge; whether its prompt and options are the same cannot be checked"
    )
    return Baseline(_name(given, found), rows, same)


def _count_answers(
    store: Store, dataset: Dataset, rows: Sequence[ScoredRow], common: frozenset[int]
) -> Counter[tuple[int, bytes]]:
    """Count each answer to the common questions; `rows` are all rows, in order."""
    keys = store.item_keys(dataset)
    return Counter((row.cluster, key) for row, key in zip(rows, keys, strict=True) if row.cluster in common)


@contextmanager
def _open_baseline(store: Store, given: int | str) -> Generator[tuple[Store, Run]]:
    """Open a run of the store, or a verdict file in a temporary store."""
    if isinstance(given, int):
        yield store, store.find_run(given)
        return
    with open_runs(None, [given]) as (opened, (run,)):
        yield opened, run


def _refuse_few(given: int | str, common: frozenset[int], grading: Grading) -> None:
    if len(common) >= _FEWEST:
        return
    by = "question" if grading.cluster is None else f"value of {grading.cluster!r}"
    found = f"no {by}" if not common else f"only one {by}"
    raise UsageError(
        f"--baseline {given} has {found} in common with {grading.dataset.source}; name a baseline on the same questions,"
        " or pair by another column with --cluster COLUMN"
    )


def _grade_again(given: int | str, found: Run, grading: Grading) -> Run | None:
    """Return the current judge's run on the baseline's answers; None if it would make calls."""
    store, plan = grading.store, grading.plan
    dataset = found.dataset if isinstance(given, int) else load_answers(store, given)
    run = open_run(store, dataset, plan)
    pending = store.count_pending(run)
    if pending and plan.endpoint is not None:
        store.forget_run(run)
        return None
    if isinstance(given, str):
        why = "a verdict file does not name the version of its judge"
    elif found.judge == plan.name:
        why = f"it was judged by another version of {found.judge}"
    else:
        why = f"it was judged by {found.judge}"
    how = (
        f"its answers are graded again with {plan.name}"
        if pending
        else f"{plan.name} has already judged its answers"
    )
    say(f"--baseline {given}: {why}; {how}, kept as run {run.id}")
    if pending:
        grading.grade(run)
    else:
        store.finish_run(run)
    return store.find_run(run.id)


def _explain_commands(given: int | str, found: Run, grading: Grading) -> str:
    """Explain why a baseline cannot be used, and print the commands that make it usable."""
    copy = f"baseline-{given}.jsonl" if isinstance(given, int) else "baseline-answers.jsonl"
    names = name_columns(found.dataset.fields, found.dataset.columns)
    parts = parse_columns(found.dataset.columns)
    columns = [
        f"{part}={_rename(parts[part], names)}"
        for part in ("question", "reference", "answer")
        if part in parts
    ]
    place, judge = grading.command.words({"store"}), grading.command.words(_JUDGE)
    kept = place if isinstance(given, int) else ()
    export = shlex.join(["karat", "export", str(given), "-o", copy, *kept])
    chosen = ["--columns", ",".join([*columns, "label="])]
    grade = shlex.join(["karat", "grade", copy, *chosen, *judge, *place])
    same = f"another version of {found.judge}" if found.judge == grading.plan.name else found.judge
    return (
        f"--baseline {given} was judged by {same}; judging its answers with {grading.plan.name} would make calls;"
        f" run `{export} && {grade}`, then this command again"
    )


def _rename(path: str, names: Mapping[str, str]) -> str:
    """Return a column, or the first part of a dotted path, by its name in the exported file."""
    if path in names:
        return names[path]
    head, dot, rest = path.partition(".")
    return f"{names.get(head, head)}{dot}{rest}"


def _name(given: int | str, run: Run) -> str:
    if isinstance(given, str):
        return PurePath(given).name
    number = f"run {given}" if run.id == given else f"run {run.id}, which has the answers of run {given}"
    return f"{number} ({PurePath(run.dataset.source).name})"


def check_gates(
    options: GateOptions,
    store: Store,
    run: Run,
    summary: Summary,
    baseline: Baseline | None,
    *,
    passing: int,
    cluster: str | None,
) -> list[Gate]:
    """Check a graded run against its limits."""
    gates = check_shares(options, summary)
    if options.fail_under_lower is not None:
        estimate = estimate_all(store, run, summary, passing=passing, cluster=cluster)
        gates.append(check_lower(options.fail_under_lower, summary.share, estimate))
    if baseline is not None:
        rows = read_scored_rows(store, run, cluster=cluster)
        least = least_correct(run.protocol, passing)
        before = rows if baseline.rows is None else baseline.rows
        same = baseline.same_answers
        gates.append(
            check_baseline(
                baseline.name, before, rows, least, options.level, cluster=cluster, same_answers=same
            )
        )
    return gates


def check_shares(options: GateOptions, summary: Summary) -> list[Gate]:
    """Check the limits that need only counts of rows, which is all that a cluster run has."""
    return [] if options.fail_under is None else [check_share(options.fail_under, summary.share)]


def report_gates(gates: Sequence[Gate]) -> None:
    """Print to standard error which limits were missed, and the comparison with the baseline in any case."""
    for gate in gates:
        if not gate.passed or gate.name == "--baseline":
            say(gate.line)


def exit_code(summary: Summary, *, strict: bool) -> int:
    """Return the exit code of a run by the causes of its unjudged rows."""
    wrong = set(summary.unjudged) - (set() if strict else NO_FAULTS)
    if "over_budget" in wrong:
        say(USED_UP)
        return 4
    if wrong - NO_FAULTS - {"unavailable", "not tried yet"}:
        say("some rows are unjudged; add --retry-unjudged to ask about them again")
    return 1 if wrong else 0


def fail_by_gates(code: int, gates: Sequence[Gate]) -> int:
    """Return the exit code with missed limits included; an error of the run itself takes precedence."""
    return code or int(any(not gate.passed for gate in gates))
