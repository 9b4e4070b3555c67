"""`karat compare`: compare two runs, or groups of rows within one run."""

from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from cyclopts import Parameter

from karat.cli.options import (
    AsJson,
    ClusterColumn,
    DifferentJudges,
    Passing,
    RunOrVerdicts,
    StorePath,
    choose_passing,
)
from karat.cli.output import print_json
from karat.cli.paths import RUN
from karat.core.errors import UsageError
from karat.report.figures.comparison import POINTS, Comparison, Slices, check_points
from karat.report.figures.judge_comparison import Judges
from karat.report.load import read_comparison
from karat.report.same_judge import name_files
from karat.run.verdict_files import open_runs
from karat.store.locate import find_store

if TYPE_CHECKING:
    from rich.console import RenderableType

_KINDS: Final = {Comparison: "comparison", Slices: "slices", Judges: "judges"}


def compare(
    run: RunOrVerdicts = None,
    other: Annotated[
        int | str | None, Parameter(help="the run, verdict file or folder to compare with"), RUN
    ] = None,
    /,
    *,
    by: Annotated[
        str | None,
        Parameter(help="column whose values define the groups to compare, such as system or a tag"),
    ] = None,
    cluster: ClusterColumn = None,
    different_judges: DifferentJudges = False,
    points: Annotated[
        float, Parameter(help="the smallest difference that matters to you, in percentage points")
    ] = POINTS,
    pass_: Passing = None,
    json: AsJson = False,
    store: StorePath = None,
) -> None:
    """Compare two runs, or groups of rows within one run.

    Runs of different answers by the same judge: which answers are better, and by how much. Runs of the same answers by two judges: how often the judges agree.
    """
    check_points(points)
    if other is None and by is None:
        raise UsageError("karat compare needs two runs, or one run and --by COLUMN, such as --by system")
    given = [run] if other is None else [run, other]
    with open_runs(store, given, usual=find_store(None)) as (opened, runs):
        passing = choose_passing(pass_, [one.protocol for one in runs])
        found = read_comparison(
            opened,
            runs,
            by=by,
            passing=passing,
            cluster=cluster,
            points=points,
            different_judges=different_judges,
            naming=name_files(runs, given, store),
        )
    if json:
        head = {"runs": [one.id for one in runs], "kind": _KINDS[type(found)], "warning": None}
        print_json({**head, **msgspec.to_builtins(found)})
        return
    from karat.cli.console import show

    title = " against ".join(f"run {one.id}" for one in runs)
    show(_draw(found, f"{title} · {runs[0].protocol}" + ("" if by is None else f" · by {by}")))


def _draw(found: Comparison | Slices | Judges, title: str) -> "RenderableType":
    from karat.report.terminal.comparison import draw_comparison, draw_judges, draw_slices

    match found:
        case Comparison():
            return draw_comparison(found, title)
        case Slices():
            return draw_slices(found, title)
        case Judges():
            return draw_judges(found, title)
