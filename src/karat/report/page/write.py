"""A report and the rows behind it, written to a file that appears when it is whole."""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import get_args

import msgspec

from karat.core.types import Cause
from karat.report.content import Report, RunReport
from karat.report.page.breakdown import draw_slices, draw_systems, draw_values
from karat.report.page.browser import Block, Browser, BrowserRun, Shelf, arrange, draw_browser, pack_items
from karat.report.page.headline import draw_top
from karat.report.page.markup import Markup, Piece, tag
from karat.report.page.provenance import draw_identity, draw_origins, draw_unjudged
from karat.report.page.trust import draw_agreement, draw_confidence
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


def write_page(
    report: Report, browser: Browser, blocks: Iterable[Block], more: Sequence[Markup] = ()
) -> Iterator[str]:
    """The page in pieces, one after the other; the rows come last, and before them sections of others."""
    style = _read("page.css")
    script = '"use strict";\n{\n' + "\n".join(_read(f"{name}.js") for name in _SCRIPTS) + "}\n"
    yield "<!doctype html>\n"
    yield '<html lang="en">\n'
    title = f"karat report: {', '.join(run.name for run in report.runs)}"
    yield tag("head", _head(title, report.karat, style, script)) + "\n<body>\n"
    yield tag("a", "Skip to the items", href="#items", class_="skip") + "\n"
    sections = [*(part for part in _sections(report) if part is not None), *more]
    yield _bar([*sections, Markup('id="items"')])
    yield "<main>\n" + "\n".join([draw_top(report), *sections, draw_browser(browser)]) + "\n</main>\n"
    yield _footer(report.karat, report.created)
    facts = json.dumps(msgspec.to_builtins(browser)).replace("<", "\\u003c")  # in ASCII: nothing unseen
    yield f'<script id="facts" type="application/json">{facts}</script>\n'
    for block in blocks:
        yield f'<script class="rows" type="application/octet-stream">{block.rows}</script>\n'
        yield f'<script class="more" type="application/octet-stream">{block.more}</script>\n'
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def write_sections(title: str, sections: Sequence[Markup], *, karat: str, created: str) -> Iterator[str]:
    """A page of sections alone, in the same style and without any script."""
    style = _read("page.css")
    yield '<!doctype html>\n<html lang="en">\n'
    yield tag("head", _head(title, karat, style, None)) + "\n<body>\n"
    yield _bar(sections) + "<main>\n" + "\n".join([tag("h1", title), *sections]) + "\n</main>\n"
    yield _footer(karat, created) + "</body>\n</html>\n"


def _sections(report: Report) -> Sequence[Markup | None]:
    runs = report.runs
    return (
        draw_values(runs),
        draw_systems(runs),
        draw_slices(runs),
        draw_agreement(runs),
        draw_confidence(runs),
        draw_origins(runs),
        draw_unjudged(runs),
        draw_identity(runs, report.karat),
    )


def _head(title: str, karat: str, style: str, script: str | None) -> list[Piece]:
    """No source but this file: whatever a row holds, nothing is fetched and nothing else is run."""
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src {_digest_or_none(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"karat {karat}"),
        tag("title", title),
        Markup(f"<style>{style}</style>"),
    ]


def _bar(sections: Sequence[Markup]) -> str:
    links = [
        tag("a", title, href=f"#{name}")
        for name, title in _SECTIONS.items()
        if any(f'id="{name}"' in part for part in sections)
    ]
    brand = tag("span", "karat", class_="brand")
    return tag("header", tag("div", brand, tag("nav", links, aria_label="Sections")), class_="bar") + "\n"


def _footer(karat: str, created: str) -> str:
    told = (
        f"Made by karat {karat} on {created}. The intervals are 95 % intervals. "
        "This file holds everything it shows and asks nothing of the network."
    )
    return tag("footer", tag("p", told)) + "\n"


def _digest_or_none(script: str | None) -> str:
    return "'none'" if script is None else f"'{_digest(script)}'"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode()


def _read(name: str) -> str:
    return files("karat.report.page").joinpath("assets", name).read_text(encoding="utf-8")


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
