"""The library's verb about looking at runs."""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from karat.core.errors import UsageError

if TYPE_CHECKING:
    from karat.report.content import Report

Place: TypeAlias = str | os.PathLike[str]


def write_report(
    *runs: int,
    store: Place,
    output: Place | None = None,
    by: Sequence[str] | None = None,
    cluster: str | None = None,
    passing: int = 4,
    items: int = 50_000,
) -> "Report":
    """Report on runs in a store, the latest one if none is named; with `output` also as a page of HTML."""
    from karat import __version__
    from karat.report.reporting import report_on
    from karat.store import Store

    if not Path(store).exists():
        raise UsageError(f"there is no store at {os.fspath(store)}")
    with Store(os.fspath(store)) as opened:
        return report_on(
            opened,
            runs,
            karat=__version__,
            now=time.time(),
            output=None if output is None else os.fspath(output),
            by=by,
            cluster=cluster,
            passing=passing,
            items=items,
        )
