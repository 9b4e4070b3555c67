"""`karat runs` and `karat export`: list, show, rename, delete and export the runs in the store."""

import time
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from cyclopts import App, Parameter

from karat.cli.options import AsJson, FormulaCells, NoInput, RunOrVerdicts, StorePath
from karat.cli.output import print_json, print_text, say
from karat.cli.paths import RUN, WRITTEN
from karat.report.figures.summary import Summary, summarise
from karat.report.format import count, show_percent
from karat.report.load import summarise_run
from karat.run import export_run
from karat.run.records import check_target
from karat.run.verdict_files import open_runs
from karat.store import Run, Store
from karat.store.locate import find_store, open_store

runs = App(
    name="runs", help="List the runs, oldest first; show, rename or delete one.", help_format="plaintext"
)
AnyRun: TypeAlias = Annotated[int | str, Parameter(help="number or name of the run"), RUN]


@runs.default
def list_all(
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
                "name": run.label,
                "judge": run.judge,
                "answers": run.dataset.source,
                "fingerprint": run.fingerprint,
            }
            print_json({**facts, **msgspec.to_builtins(summary)})
        return
    from karat.cli.console import show
    from karat.report.terminal.tables import list_table

    headings = ["run", "judged", "correct", "cost", "protocol", "judge", "answers", "started"]
    rows = [_describe(run, summary) for run, summary in found]
    if any(run.label for run, _ in found):
        headings.append("name")
        rows = [(*row, run.label or "") for row, (run, _) in zip(rows, found, strict=True)]
    show(list_table(headings, rows))


def _count_outcomes(store: Store, run: Run) -> Summary:
    """Summarise a run without intervals and labels, which the table does not show."""
    return summarise(run.protocol, store.groups(run), store.spent(run))


def _describe(run: Run, summary: Summary) -> tuple[str, ...]:
    spent = summary.spent
    cost = "–" if spent.cost_usd is None else f"{'at least ' if spent.uncounted else ''}${spent.cost_usd:.4f}"
    judged = f"{summary.judged:,} of {summary.rows:,}{'' if run.finished else ', unfinished'}"
    share = show_percent(summary.share.value)
    mark = f"{run.judge} ({run.fingerprint[:6]})"
    return (
        str(run.id),
        judged,
        share,
        cost,
        run.protocol,
        mark,
        Path(run.dataset.source).name,
        _show_time(run.started),
    )


def _show_time(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


@runs.command(name="show")
def show_one(
    run: AnyRun,
    /,
    *,
    json: AsJson = False,
    store: StorePath = None,
) -> None:
    """Show what a run is, and its summary."""
    with open_store(find_store(store)) as opened:
        found = opened.find_run(run)
        summary = summarise_run(opened, found)
    facts = {
        "run": found.id,
        "name": found.label,
        "judge": found.judge,
        "fingerprint": found.fingerprint,
        "protocol": found.protocol,
        "answers": found.dataset.source,
        "columns": found.dataset.columns,
        "started": _show_time(found.started),
        "finished": None if found.finished is None else _show_time(found.finished),
    }
    if json:
        print_json({**facts, "identity": found.identity, "summary": summary})
        return
    from karat.cli.console import show
    from karat.report.terminal.summary import draw_summary

    facts["finished"] = facts["finished"] or "not yet; the same command continues it"
    width = max(map(len, facts))
    lines = (f"{name:{width}}  {value}\n" for name, value in facts.items() if value is not None)
    print_text("".join(lines))
    show(draw_summary(summary, f"{count(summary.rows, 'row')}"))


@runs.command
def rename(
    run: AnyRun,
    name: Annotated[str, Parameter(help="new name: a letter, then letters, digits, - and _")],
    /,
    *,
    store: StorePath = None,
) -> None:
    """Give a run a name, which every command takes in place of its number."""
    with open_store(find_store(store)) as opened:
        found = opened.find_run(run)
        opened.rename_run(found, name)
    say(f"run {found.id} is now named {name}")


@runs.command
def delete(
    run: AnyRun,
    /,
    *,
    purge: Annotated[
        bool,
        Parameter(
            negative="",
            help="also remove its verdicts and replies, and the answers and labels that no other run needs; cannot be undone",
        ),
    ] = False,
    store: StorePath = None,
) -> None:
    """Remove a run from all lists; its verdicts, replies and labels stay in the store unless --purge is given."""
    with open_store(find_store(store)) as opened:
        found = opened.find_run(run)
        if not purge:
            opened.delete_run(found)
            say(
                f"run {found.id} is deleted; its verdicts and labels are kept: the same grade command restores it without new calls"
            )
            return
        gone = opened.purge_run(found)
    parts = [count(gone.verdicts, "verdict"), count(gone.replies, "reply", "replies")]
    parts += [count(gone.rows, "row"), count(gone.labels, "label")]
    say(f"run {found.id} is purged: {', '.join(parts)} removed")


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
