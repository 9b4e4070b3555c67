"""`karat runs` and `karat export`: list the runs in the store, and export one."""

import time
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from karat.cli.options import FormulaCells, NoInput, RunOrVerdicts, StorePath
from karat.cli.output import print_json, say
from karat.cli.paths import WRITTEN
from karat.report.figures.summary import Summary, summarise
from karat.report.format import count, show_percent
from karat.report.load import summarise_run
from karat.run import export_run
from karat.run.records import check_target
from karat.run.verdict_files import open_runs
from karat.store import Run, Store
from karat.store.locate import find_store, open_store


def runs(
    *,
    json: Annotated[bool, Parameter(negative="", help="print the runs as JSON, one per line")] = False,
    store: StorePath = None,
) -> None:
    """List the runs, oldest first."""
    with open_store(find_store(store)) as opened:
        found = [
            (run, summarise_run(opened, run) if json else _count_outcomes(opened, run))
            for run in opened.runs()
        ]
    if json:
        for run, summary in found:
            facts = {
                "run": run.id,
                "judge": run.judge,
                "answers": run.dataset.source,
                "fingerprint": run.fingerprint,
            }
            print_json({**facts, **msgspec.to_builtins(summary)})
        return
    from karat.cli.console import show
    from karat.report.terminal.tables import list_table

    headings = ("run", "judged", "correct", "cost", "protocol", "judge", "answers", "started")
    show(list_table(headings, [_describe(run, summary) for run, summary in found]))


def _count_outcomes(store: Store, run: Run) -> Summary:
    """Summarise a run without intervals and labels, which the table does not show."""
    return summarise(run.protocol, store.groups(run), store.spent(run))


def _describe(run: Run, summary: Summary) -> tuple[str, ...]:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started))
    spent = summary.spent
    cost = "–" if spent.cost_usd is None else f"{'at least ' if spent.uncounted else ''}${spent.cost_usd:.4f}"
    judged = f"{summary.judged:,} of {summary.rows:,}{'' if run.finished else ', unfinished'}"
    share = show_percent(summary.share.value)
    mark = f"{run.judge} ({run.fingerprint[:6]})"
    return str(run.id), judged, share, cost, run.protocol, mark, Path(run.dataset.source).name, when


def export(
    run: RunOrVerdicts = None,
    /,
    *,
    output: Annotated[
        str,
        Parameter(
            name=["--output", "-o"],
            allow_leading_hyphen=True,
            help="file to write the verdicts to: .jsonl, .csv, .tsv or .parquet",
        ),
        WRITTEN,
    ],
    no_input: NoInput = False,
    formulas: FormulaCells = "escape",
    store: StorePath = None,
) -> None:
    """Write the verdicts of a run to a file."""
    check_target(output)
    with open_runs(store, [run], usual=find_store(None)) as (opened, (chosen,)):
        written = export_run(opened, chosen, output, with_input=not no_input, formulas=formulas)
        missing = chosen.dataset.rows - written
    left = f"; {missing:,} rows have not been judged yet and are left out" if missing else ""
    say(f"{count(written, 'verdict')} of run {chosen.id} written to {output}{left}")
