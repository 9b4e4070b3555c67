"""The empty item browser, and what its script has to know before the rows come."""

from msgspec import Struct

from karat.core.types import ProtocolName
from karat.report.page.markup import Markup, tag
from karat.report.page.tables import section
from karat.report.wording import count


class BrowserRun(Struct, frozen=True):
    """A run as the script knows it; `least` is the value from which on a verdict is correct."""

    name: str
    protocol: ProtocolName
    least: int
    unjudged: tuple[str, ...]


class Browser(Struct, frozen=True):
    """What the rows will hold: `items` of `rows` are in the page."""

    runs: tuple[BrowserRun, ...]
    items: int
    rows: int
    tags: tuple[str, ...]
    causes: tuple[str, ...]
    labelled: bool
    graded: bool
    joined: bool


def draw_browser(browser: Browser) -> Markup:
    """Search, filters, the list and the place for one row."""
    lead = "Every row with its references, answer, verdict and what the judge said word for word."
    if browser.items < browser.rows:
        lead = f"{count(browser.items, 'row')} of {browser.rows:,}, evenly spread; all figures above count every row. --items holds more."
    return section(
        "items",
        "Items",
        lead,
        _filters(),
        tag("p", "reading the rows", id="status", role="status"),
        tag(
            "div",
            tag("div", id="list", role="listbox", tabindex=0, aria_label="Rows"),
            tag("div", id="item", tabindex=0, role="region", aria_label="Chosen row"),
            class_="card browser",
        ),
        tag(
            "noscript",
            tag("p", "The rows are shown by a script; without it the page ends here.", class_="note"),
        ),
    )


def _filters() -> Markup:
    search = tag(
        "div",
        tag(
            "input",
            name="words",
            type="search",
            placeholder="Search questions, answers, references, reasons and ids",
            aria_label="Search the rows",
            autocomplete="off",
            spellcheck="false",
        ),
        tag("button", "Clear", type="reset"),
        class_="search",
    )
    return tag("form", search, tag("div", class_="choices"), id="filters", role="search", aria_label="Rows")
