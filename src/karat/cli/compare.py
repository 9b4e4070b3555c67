"""`karat compare`: two runs, or the parts of one."""

from typing import Annotated

import msgspec
from cyclopts import Parameter

from karat.cli.options import AsJson, ClusterColumn, Passing, RunOrVerdicts, StorePath, choose_passing
from karat.cli.place import open_runs
from karat.cli.streams import print_json
from karat.core.errors import UsageError
from karat.report.comparison import POINTS, Comparison
from karat.report.reading import read_comparison


def compare(
    run: RunOrVerdicts = None,
    other: Annotated[
        int | str | None, Parameter(help="the run, or verdict file or folder, to compare it with")
    ] = None,
    /,
    *,
    by: Annotated[
        str | None, Parameter(help="column whose values are compared, such as system or a tag")
    ] = None,
    cluster: ClusterColumn = None,
    points: Annotated[float, Parameter(help="the difference that would matter, in points")] = POINTS,
    pass_: Passing = None,
    json: AsJson = False,
    store: StorePath = None,
) -> None:
    """Say which is better and by how much: two runs by question, or the systems, tags or other parts of one run."""
    if points <= 0:
        raise UsageError(f"--points must be more than 0, not {points:g}")
    if other is None and by is None:
        raise UsageError("compare takes two runs, or one and --by COLUMN, such as --by system")
    with open_runs(store, [run] if other is None else [run, other]) as (opened, runs):
        passing = choose_passing(pass_, [one.protocol for one in runs])
        found = read_comparison(opened, runs, by=by, passing=passing, cluster=cluster, points=points)
    if json:
        kind = "comparison" if isinstance(found, Comparison) else "slices"
        facts = {"runs": [one.id for one in runs], "kind": kind, **msgspec.to_builtins(found)}
        print_json(facts)
        return
    from karat.cli.page import show
    from karat.report.draw_comparison import draw_comparison, draw_slices

    title = " against ".join(f"run {one.id}" for one in runs)
    about = f"{title} · {runs[0].protocol}" + ("" if by is None else f" · by {by}")
    show(draw_comparison(found, about) if isinstance(found, Comparison) else draw_slices(found, about))
