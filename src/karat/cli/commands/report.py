"""`karat report`: an HTML report of runs, or the same figures as JSON or markdown."""

import time
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from karat import __version__
from karat.cli.options import ClusterColumn, DifferentJudges, Passing, StorePath, choose_passing
from karat.cli.output import print_json, print_text
from karat.cli.paths import LATEST, READ, Written
from karat.core.errors import UsageError
from karat.run.verdict_files import open_runs
from karat.store.locate import find_store

if TYPE_CHECKING:
    from karat.report.page.markup import Markup

DEFAULT = "karat-report.html"
MOST_ITEMS = 50_000


def report(
    *runs: Annotated[
        int | str,
        Parameter(help="numbers of the runs, or verdict files or folders of them [default: the latest run]"),
        LATEST,
    ],
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            allow_leading_hyphen=True,
            help=f"HTML file to write [default: {DEFAULT}]",
        ),
        Written(usual=DEFAULT),
    ] = None,
    json: Annotated[bool, Parameter(negative="", help="print the figures as JSON")] = False,
    markdown: Annotated[
        bool, Parameter(negative="", help="print the figures as markdown, such as for a pull request")
    ] = False,
    by: Annotated[
        str | None,
        Parameter(
            help="tags to break the results down by, separated by commas [default: those with few different values]"
        ),
    ] = None,
    audit: Annotated[
        str | None, Parameter(help="file with the output of karat audit --json, to add to the page"), READ
    ] = None,
    cluster: ClusterColumn = None,
    pass_: Passing = None,
    items: Annotated[
        int, Parameter(help="largest number of rows on the page; of more rows, evenly spaced ones are shown")
    ] = MOST_ITEMS,
    different_judges: DifferentJudges = False,
    store: StorePath = None,
) -> None:
    """Write an HTML report of one or more runs, or print its figures."""
    if json and markdown:
        raise UsageError("--json and --markdown cannot be used together; leave one out")
    from karat.report.build import report_on
    from karat.report.same_judge import name_files

    if audit is not None and (json or markdown):
        raise UsageError("--audit adds a section to the HTML page; leave out --json and --markdown")
    path = output or (None if json or markdown else DEFAULT)
    given = runs or (None,)
    with open_runs(store, given, usual=find_store(None)) as (opened, chosen):
        found = report_on(
            opened,
            [run.id for run in chosen],
            karat=__version__,
            now=time.time(),
            output=path,
            by=None if by is None else [name.strip() for name in by.split(",") if name.strip()],
            cluster=cluster,
            passing=choose_passing(pass_, [run.protocol for run in chosen]),
            items=items,
            more=() if audit is None else [_draw_audit(audit)],
            different_judges=different_judges,
            naming=name_files(chosen, given, store),
        )
    if json:
        print_json(found)
    elif markdown:
        from karat.report.markdown import write_markdown

        print_text(write_markdown(found))
    else:
        print_text(f"{path}\n")


def _draw_audit(path: str) -> "Markup":
    from karat.audit.page import draw_section
    from karat.audit.rates import read_audits

    return draw_section(read_audits(path))
