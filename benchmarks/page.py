"""Measured parts of the pages in docs/measurements: each part has two marks around it and is replaced as a whole."""

from pathlib import Path

from karat.core.errors import UsageError

DOCS = Path(__file__).resolve().parent.parent / "docs"
MEASUREMENTS = DOCS / "measurements"
PICTURES = DOCS / "pictures"


def write_part(page: Path, name: str, text: str) -> None:
    """Replace the text between the marks of this name; refuse a page without them."""
    begin, end = f"<!-- measured: {name} -->", f"<!-- end: {name} -->"
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise UsageError(f"{page} has no place for {name}; put {begin} and {end} into it")
    page.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")
