"""The verb `report`: runs counted up and, where a place is named, written as a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from karat.core.errors import UsageError
from karat.report.content import Report
from karat.report.gathering import gather
from karat.report.identity import Naming
from karat.report.summary import PASS
from karat.rows.target import Target
from karat.store import Store

if TYPE_CHECKING:
    from karat.report.page.markup import Markup

MOST_ITEMS = 50_000
_PLAIN = Naming()
_ENDINGS = (".html", ".htm")


def report_on(
    store: Store,
    runs: Sequence[int],
    *,
    karat: str,
    now: float,
    output: str | None = None,
    by: Sequence[str] | None = None,
    cluster: str | None = None,
    passing: int = PASS,
    items: int = MOST_ITEMS,
    more: "Sequence[Markup]" = (),
    different_judges: bool = False,
    naming: Naming = _PLAIN,
) -> Report:
    """Report on runs, the latest one where none is named; a page holds at most so many of their rows, and `more` sections."""
    if items < 1:
        raise UsageError(f"a page holds 1 item or more, not {items}")
    if output is not None:
        check_page(output)
    found = [store.find_run(number) for number in dict.fromkeys(runs)] or [store.find_run()]
    report = gather(
        store,
        found,
        karat=karat,
        now=now,
        passing=passing,
        by=by,
        cluster=cluster,
        different_judges=different_judges,
        naming=naming,
    )
    if output is not None:
        from karat.report.page import make_page

        make_page(store, found, report, output, most=items, more=more)
    return report


def check_page(path: str) -> None:
    """Refuse a place that cannot be written to before anything is read."""
    if Path(path).suffix.lower() not in _ENDINGS:
        raise UsageError(f"{path}: the page is HTML; give it a name that ends in .html")
    Target(path)
