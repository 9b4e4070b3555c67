"""`karat runs` and `karat export`: what the store holds."""

import sys
import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from karat.cli.place import open_store
from karat.report.summary import summarise
from karat.run import export_run
from karat.run.records import check_target

StorePath = Annotated[
    str | None, Parameter(help="where verdicts are kept [default: KARAT_STORE or .karat/karat.db]")
]


def runs(*, store: StorePath = None) -> None:
    """List the runs, oldest first."""
    from karat.cli.page import show
    from karat.report.terminal import list_table, show_share

    rows = list[tuple[str, ...]]()
    with open_store(store, must_exist=True) as opened:
        for run in opened.runs():
            summary = summarise(run.protocol, opened.groups(run), opened.spent(run))
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started))
            cost = "–" if summary.spent.cost_usd is None else f"${summary.spent.cost_usd:.4f}"
            judged = f"{summary.judged:,} of {summary.rows:,}{'' if run.finished else ', unfinished'}"
            source = Path(run.dataset.source).name
            rows.append(
                (str(run.id), when, source, run.judge, run.protocol, judged, show_share(summary.share), cost)
            )
    show(
        list_table(
            ("run", "started", "answers", "judge", "protocol", "judged", "correct [95 % interval]", "cost"),
            rows,
        )
    )


def export(
    run: Annotated[int | None, Parameter(help="number of the run [default: the latest]")] = None,
    /,
    *,
    output: Annotated[
        str, Parameter(name=["--output", "-o"], help="write verdicts here: .jsonl, .csv, .tsv or .parquet")
    ],
    no_input: Annotated[
        bool, Parameter(negative="", help="leave the input's own columns out of the output")
    ] = False,
    store: StorePath = None,
) -> None:
    """Write the verdicts of a run to a file."""
    check_target(output)
    with open_store(store, must_exist=True) as opened:
        chosen = opened.find_run(run)
        count = export_run(opened, chosen, output, with_input=not no_input)
        missing = chosen.dataset.rows - count
    left = f"; {missing:,} rows were not tried yet and are left out" if missing else ""
    sys.stderr.write(f"karat: {count:,} verdicts of run {chosen.id} written to {output}{left}\n")
