"""`karat agree`: measure how well a judge agrees with human labels."""

from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from karat.cli.options import AsJson, ClusterColumn, Passing, RunOrVerdicts, StorePath, choose_passing
from karat.cli.output import print_json
from karat.core.errors import UsageError
from karat.report.figures.agreement import Agreement
from karat.report.load import read_agreement
from karat.run.verdict_files import open_runs
from karat.store import Graded, Run, Store
from karat.store.locate import find_store

_DIFFERING = ("judge Yes, people No", "judge No, people Yes", "people evenly split")


def agree(
    run: RunOrVerdicts = None,
    /,
    *,
    cluster: ClusterColumn = None,
    pass_: Passing = None,
    examples: Annotated[int, Parameter(help="how many rows to show for each kind of disagreement")] = 3,
    json: AsJson = False,
    store: StorePath = None,
) -> None:
    """Measure how well the verdicts of a run agree with human labels."""
    if examples < 0:
        raise UsageError(f"--examples must not be negative, not {examples}")
    with open_runs(store, [run], usual=find_store(None)) as (opened, (found,)):
        passing = choose_passing(pass_, [found.protocol])
        agreement = read_agreement(opened, found, passing=passing, cluster=cluster)
        if json:
            _print_json(opened, found, agreement)
            return
        from karat.cli.console import show
        from karat.report.terminal.agreement import draw_agreement

        shown = {
            cell: [_example(row) for row in opened.graded_at(found, agreement.cells[cell][:examples])]
            for cell in _DIFFERING
        }
    show(draw_agreement(agreement, f"run {found.id} · {found.judge} · {found.protocol}", shown))


def _example(row: Graded) -> Any:  # noqa: ANN401 - the struct is imported with rich, which is loaded late
    from karat.report.content import Example

    reason = None if row.outcome is None else row.outcome.reason
    return Example(row.id, row.item.question, row.item.references, row.item.answer, reason)


def _print_json(store: Store, run: Run, agreement: Agreement) -> None:
    """Print the agreement, with the ids of the rows on which judge and labels differ."""
    facts = msgspec.to_builtins(agreement)
    facts["cells"] = {
        cell: [row.id for row in store.graded_at(run, agreement.cells[cell])] for cell in _DIFFERING
    }
    print_json({"run": run.id, "judge": run.judge, **facts})
