"""`karat report`: one file that people look at, or the same figures as JSON or markdown."""

import sys
import time
from typing import Annotated

import msgspec
from cyclopts import Parameter

from karat import __version__
from karat.cli.place import open_store, place_of
from karat.core.errors import UsageError
from karat.report.summary import PASS

DEFAULT = "karat-report.html"
MOST_ITEMS = 50_000


def report(
    *runs: Annotated[int, Parameter(help="numbers of the runs [default: the latest]")],
    output: Annotated[
        str | None,
        Parameter(name=["--output", "-o"], help=f"write the page here [default: {DEFAULT}]"),
    ] = None,
    json: Annotated[bool, Parameter(negative="", help="print the figures as JSON")] = False,
    markdown: Annotated[
        bool, Parameter(negative="", help="print the figures as markdown, for a pull request")
    ] = False,
    by: Annotated[
        str | None,
        Parameter(help="tags to slice by, separated by commas [default: those with few different values]"),
    ] = None,
    cluster: Annotated[
        str | None, Parameter(help="rows with the same value in this column belong together [default: the question]")
    ] = None,
    pass_: Annotated[
        int, Parameter(name="--pass", help="from which value on a 0-5 verdict counts as correct")
    ] = PASS,
    items: Annotated[
        int, Parameter(help="most rows in the page; where there are more, as many evenly spread")
    ] = MOST_ITEMS,
    store: Annotated[
        str | None, Parameter(help="where verdicts are kept [default: KARAT_STORE or .karat/karat.db]")
    ] = None,
) -> None:
    """Write a page about runs, or print its figures."""
    if json and markdown:
        raise UsageError("--json and --markdown both print; take one of them")
    if not 0 <= pass_ <= 5:  # noqa: PLR2004 - the scale
        raise UsageError(f"--pass must lie within 0 and 5, not {pass_}")
    if items < 1:
        raise UsageError(f"--items must be 1 or more, not {items}")
    from karat.report.gathering import gather
    from karat.report.markdown import write_markdown

    path = output or (None if json or markdown else DEFAULT)
    with open_store(store, must_exist=True) as opened:
        chosen = [opened.find_run(number) for number in dict.fromkeys(runs)] or [opened.find_run()]
        ...
