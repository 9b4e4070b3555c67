"""A report and the rows behind it, written to a file that appears when it is whole."""

from collections.abc import Mapping, Sequence
from typing import get_args

from karat.core.types import Cause
from karat.report.content import Report, RunReport
from karat.report.page.items import Shelf, arrange, pack_items
from karat.report.page.markup import Markup
from karat.report.page.shell import Browser, BrowserRun
from karat.report.page.writing import write_page
from karat.report.tags import Tags, find_tags, played_columns
from karat.rows.target import Target
from karat.store import Run, Store


def make_page(
    store: Store, runs: Sequence[Run], report: Report, path: str, *, most: int, more: Sequence[Markup] = ()
) -> None:
    """Write the page with at most so many rows; they are streamed from the store."""
    target = Target(path)
    shelves = arrange(runs, most)
    tags = {shelf.dataset.id: find_tags(store, shelf.dataset) for shelf in shelves}
    browser = _describe(report, shelves, tags)
    own = {name for shelf in shelves for name in played_columns(shelf.dataset)}
    passing = report.runs[0].passing
    try:
        stream = target.open()
        items = pack_items(store, shelves, browser.tags, sorted(own), passing)
        for piece in write_page(report, browser, items, more):
            stream.write(piece.encode())
        target.commit()
    except BaseException:
        target.discard()
        raise


def _describe(report: Report, shelves: Sequence[Shelf], tags: Mapping[int, Tags]) -> Browser:
    sliced = [slices.column for run in report.runs for slices in run.slices]
    agreements = [run.agreement for run in report.runs if run.agreement is not None]
    return Browser(
        runs=tuple(_describe_run(run) for run in report.runs),
        items=sum(shelf.kept for shelf in shelves),
        rows=sum(shelf.dataset.rows for shelf in shelves),
        tags=tuple(dict.fromkeys([*sliced, *(name for found in tags.values() for name in found.names)])),
        causes=get_args(Cause),
        labelled=bool(agreements),
        graded=any(agreement.levels is not None for agreement in agreements),
        joined=any(len(shelf.runs) > 1 for shelf in shelves),
    )


def _describe_run(run: RunReport) -> BrowserRun:
    return BrowserRun(run.name, run.facts.protocol, run.least, tuple(run.summary.unjudged))
