"""The reference pages of commands and formats show what the program holds."""

import re

import formats_page
import help_page
from docs import DOCS, PAGES
from docs_files import FILES
from karat.rows.formats import load_formats


def test_the_command_reference_is_the_real_help() -> None:
    assert help_page.PAGE.read_text(encoding="utf-8") == help_page.make_page(), "run make help-pages"


def test_the_format_reference_lists_the_real_formats_and_names() -> None:
    assert formats_page.PAGE.read_text(encoding="utf-8") == formats_page.make_page(), "run make help-pages"


def test_every_file_that_is_put_beside_the_pages_is_graded_by_one() -> None:
    shown = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [
        name for name in FILES if not re.search(rf"^\$ karat .*\b{re.escape(name)}\b", shown, re.MULTILINE)
    ] == []


def test_the_guide_shows_every_format_as_it_is_recognised_or_refused() -> None:
    shown = "".join(
        (DOCS / "guides" / f"{page}.md").read_text(encoding="utf-8")
        for page in ("grade-your-file", "move-from-openai-evals")
    )
    told = set(re.findall(r"^karat: \S+: ([^:\n]+): ", shown, re.MULTILINE))
    told |= {title for titles in told for title in titles.split(", ")}
    assert {one.title for one in load_formats().values()} <= told
