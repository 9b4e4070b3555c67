"""The library's verb about looking at runs."""

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat._arguments import public
from karat._verdicts import Place, open_runs
from karat.core.errors import UsageError

if TYPE_CHECKING:
    from karat.report.content import Report


@public
def write_report(
    *runs: int | Place,
    store: Place | None = None,
    output: Place | None = None,
    by: Sequence[str] | None = None,
    cluster: str | None = None,
    passing: int = 4,
    items: int = 50_000,
    different_judges: bool = False,
) -> "Report":
    """Report on verdict files, or on runs in a store, the latest one if none is named; with `output` also as a page."""
    from karat import __version__
    from karat.report.build import report_on
    from karat.report.same_judge import name_files
    from karat.rows.atomic_file import is_same_file

    given = runs or (None,)
    for other in (store, *runs):
        if output is not None and isinstance(other, (str, os.PathLike)) and is_same_file(output, other):
            raise UsageError(f"{os.fspath(output)} would overwrite {os.fspath(other)}; choose another name")
    with open_runs(store, given) as (opened, chosen):
        return report_on(
            opened,
            [run.id for run in chosen],
            karat=__version__,
            now=time.time(),
            output=None if output is None else os.fspath(output),
            by=by,
            cluster=cluster,
            passing=passing,
            items=items,
            different_judges=different_judges,
            naming=name_files(chosen, given, None if store is None else os.fspath(store)),
        )
