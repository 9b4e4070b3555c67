"""Write the tables of docs/reference/formats.md that the program holds. Run it with `make help-pages`."""

import re
from collections.abc import Sequence
from pathlib import Path

from karat.rows.formats import load_formats
from karat.rows.names import NAMES, NESTS, NEUTRAL

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "formats.md"


def list_formats() -> list[tuple[str, ...]]:
    """Return a row for each format, as `karat formats` lists them."""
    return [
        (
            f"`{one.name}`",
            one.title,
            " or ".join(f"`{path}`" for path in one.lists),
            "; ".join(f"{part}: {path}" for part, path in one.parts.items()).replace("*", r"\*") or "by name",
            one.made,
        )
        for one in load_formats().values()
        if not one.beside
    ]


def list_names() -> list[tuple[str, ...]]:
    """Return a row for each part, with all its names."""
    return [(part, ", ".join(f"`{name}`" for name in names)) for part, names in NAMES.items()]


def list_objects() -> list[tuple[str, ...]]:
    """Return a row for each kind of object that is looked into."""
    rows = [(join_names(names), f"the {part}") for part, names in NESTS.items()]
    return [(join_names(sorted(NEUTRAL)), "any part, by the names inside"), *rows]


def join_names(names: Sequence[str]) -> str:
    """Return names for a cell."""
    return ", ".join(f"`{name}`" for name in names)


TABLES = {"`--format`": list_formats, "part": list_names, "object": list_objects}


def make_page() -> str:
    """Return the page with the tables as they should be; the rest is as it was."""
    text = PAGE.read_text(encoding="utf-8")
    for first, make_rows in TABLES.items():
        head = re.search(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\|\n", text, re.MULTILINE)
        assert head is not None, first
        after = re.compile(r"(?:\|.*\n)*").match(text, head.end())
        assert after is not None
        table = "".join(f"| {' | '.join(row)} |\n" for row in make_rows())
        text = text[: head.end()] + table + text[after.end() :]
    return text


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
