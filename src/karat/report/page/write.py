"""Write a report with its rows to a file, atomically."""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import get_args

import msgspec

from karat.core.types import Cause
from karat.report.content import Report, RunReport
from karat.report.page.browser import Block, Browser, BrowserRun, Shelf, arrange, pack_items
from karat.report.page.context import describe_report
from karat.report.page.markup import Markup, render
from karat.report.tags import Tags, find_tags, played_columns
from karat.rows.atomic_file import Target
from karat.store import Run, Store

_SCRIPTS = ("unpack", "text", "rows", "query", "list", "item", "filters", "main")
_SECTIONS = {
    "values": "Verdicts",
    "systems": "Systems",
    "slices": "Slices",
    "agreement": "Agreement",
    "confidence": "Confidence",
    "origins": "Origins",
    "unjudged": "Unjudged",
    "identity": "Judge",
    "audit": "Audit",
    "items": "Items",
}
_ROWS = Markup("\0")  # placeholder for the rows; no value in a template can contain this character


def make_page(
    store: Store, runs: Sequence[Run], report: Report, path: str, *, most: int, more: Sequence[Markup] = ()
) -> None:
    """Write the page with at most `items` rows, streamed from the store."""
    shelves = arrange(runs, most)
    tags = {shelf.dataset.id: find_tags(store, shelf.dataset) for shelf in shelves}
    browser = _describe_browser(report, shelves, tags)
    own = {name for shelf in shelves for name in played_columns(shelf.dataset)}
    passing = report.runs[0].passing
    items = pack_items(store, shelves, browser.tags, sorted(own), passing)
    write_file(path, write_page(report, browser, items, more))


def write_page(
    report: Report, browser: Browser, blocks: Iterable[Block], more: Sequence[Markup] = ()
) -> Iterator[str]:
    """Yield the page in pieces: the part before the rows (with the `more` sections), each block of rows, and the rest."""
    script = '"use strict";\n{\n' + "\n".join(_read(f"{name}.js") for name in _SCRIPTS) + "}\n"
    facts = json.dumps(msgspec.to_builtins(browser)).replace(
        "<", "\\u003c"
    )  # ASCII only, so that no invisible characters remain
    title = f"karat report: {', '.join(run.name for run in report.runs)}"
    values = {**describe_report(report), "browser": browser, "browser_facts": Markup(facts), "rows": _ROWS}
    page = _render_page(title, more, report.karat, report.created, script, **values)
    before, _, after = page.partition(_ROWS)
    yield before
    for block in blocks:
        yield render("rows.html", rows=Markup(block.rows), more=Markup(block.more))
    yield after


def write_sections(title: str, sections: Sequence[Markup], *, karat: str, created: str) -> str:
    """Return a page of sections, in the same style and without a script."""
    return _render_page(title, sections, karat, created, None, browser=None)


def write_file(path: str, pieces: Iterable[str]) -> None:
    """Write a page atomically."""
    target = Target(path)
    try:
        stream = target.open()
        for piece in pieces:
            stream.write(piece.encode())
        target.commit()
    except BaseException:
        target.discard()
        raise


def _render_page(
    title: str, more: Sequence[Markup], karat: str, created: str, script: str | None, **values: object
) -> str:
    """Render the page with a content security policy: nothing is fetched, and no other script runs."""
    style = _read("page.css")
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    page = render(
        "page.html",
        title=title,
        more=more,
        karat=karat,
        created=created,
        policy=policy,
        sections=list(_SECTIONS.items()),
        style=Markup(style),
        script=Markup(script or ""),
        **values,
    )
    return f"{page}\n"


def _digest(text: str | None) -> str:
    if text is None:
        return "'none'"
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return files("karat.report.page").joinpath("assets", name).read_text(encoding="utf-8")


def _describe_browser(report: Report, shelves: Sequence[Shelf], tags: Mapping[int, Tags]) -> Browser:
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
