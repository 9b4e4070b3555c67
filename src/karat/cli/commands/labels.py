"""`karat labels`: import labels, choose rows to label, and compute how many labels are needed."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from cyclopts import App, Parameter

from karat.cli.options import (
    AsJson,
    ClusterColumn,
    FormulaCells,
    LabelScale,
    Passing,
    RunOrExport,
    StorePath,
    choose_passing,
)
from karat.cli.output import print_json, print_text, say
from karat.cli.paths import READ, RUN, WRITTEN
from karat.labels import (
    ImportedLabels,
    Stratum,
    check_plan_file,
    draw_plan,
    import_file,
    list_labels,
    parse_scale,
    repeat_plan,
    write_labels,
    write_plan,
)
from karat.report.figures.correction import Need
from karat.report.format import count
from karat.report.load import read_need
from karat.rows import list_names, open_source
from karat.run.verdict_files import open_kept
from karat.stats import Undefined
from karat.store import Dataset, KnownLabels
from karat.store.locate import find_store

labels = App(
    name="labels", help="Import human labels, and choose which rows to label next.", help_format="plaintext"
)


@labels.command
def add(
    run: Annotated[
        int | str,
        Parameter(help="number of a run on the labelled answers, or FILE#GRADER of another tool"),
        RUN,
    ],
    file: Annotated[str, Parameter(help="JSONL, CSV, TSV or Parquet file with id, label and author"), READ],
    /,
    *,
    author: Annotated[
        str | None,
        Parameter(help="who gave the labels, if the file has no author column [default: the file's name]"),
    ] = None,
    label_scale: LabelScale = None,
    on_bad_row: Annotated[
        Literal["stop", "skip"], Parameter(help="what to do with unknown ids or labels")
    ] = "stop",
    store: StorePath = None,
) -> None:
    """Import the labels of a file; earlier labels by the same author stay in the history."""
    scale = None if label_scale is None else parse_scale(label_scale)
    with open_source(file) as source, open_kept(find_store(store), run) as (opened, found):
        dataset = found.dataset
        taken = import_file(
            opened, dataset, source, scale=scale, author=author, skip=on_bad_row == "skip", notice=say
        )
        say(describe_imported(source.name, taken))


@labels.command
def plan(
    run: RunOrExport = None,
    /,
    *,
    n: Annotated[int, Parameter(name="--n", help="how many rows to draw")] = 200,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            allow_leading_hyphen=True,
            help="file to write the rows to [default: labels-RUN.csv]",
        ),
        WRITTEN,
    ] = None,
    seed: Annotated[int, Parameter(help="random seed of the draw")] = 0,
    again: Annotated[
        bool,
        Parameter(negative="", help="draw no new rows; write those drawn earlier that have no label yet"),
    ] = False,
    formulas: FormulaCells = "escape",
    store: StorePath = None,
) -> None:
    """Draw a random sample of rows to label, with known probabilities, and write it to a file for `karat labels add`."""
    with open_kept(find_store(store), run) as (opened, found):
        path = output or f"labels-{found.id}.csv"
        check_plan_file(path)
        planning = repeat_plan(opened, found) if again else draw_plan(opened, found, n, seed=seed)
        written = write_plan(opened, found, planning, path, formulas=formulas)
    if not again:
        _show_strata(planning.strata)
    if planning.labelled_before:
        say(f"{planning.labelled_before:,} items already have labels and were not drawn")
    if planning.run != found.id:
        say(f"drawn by the verdicts of run {planning.run}, like the first plan for {found.dataset.source}")
    say(
        f"{written:,} rows written to {path}; fill in the label column, then run `karat labels add {found.id} {path}`"
    )


@labels.command
def need(
    run: RunOrExport = None,
    /,
    *,
    width: Annotated[float, Parameter(help="width of the interval, such as 0.04 for four percentage points")],
    cluster: ClusterColumn = None,
    pass_: Passing = None,
    json: AsJson = False,
    store: StorePath = None,
) -> None:
    """Estimate how many labels the corrected share correct needs for an interval of a given width."""
    with open_kept(find_store(store), run) as (opened, found):
        passing = choose_passing(pass_, [found.protocol])
        needed = read_need(opened, found, width, passing=passing, cluster=cluster)
    if json:
        facts = {"run": found.id, **msgspec.to_builtins(needed)}
        print_json(facts)
        return
    print_text("".join(f"{line}\n" for line in describe_need(needed, found.id)))


@labels.command(name="list")
def list_(
    run: RunOrExport = None,
    /,
    *,
    history: Annotated[
        bool, Parameter(negative="", help="include labels that later ones have replaced")
    ] = False,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            allow_leading_hyphen=True,
            help="file to write the labels to: .jsonl, .csv, .tsv or .parquet",
        ),
        WRITTEN,
    ] = None,
    formulas: FormulaCells = "escape",
    store: StorePath = None,
) -> None:
    """List how many rows each author labelled, or write the labels to a file."""
    with open_kept(find_store(store), run) as (opened, found):
        listed = list_labels(opened, found, history=history)
    if output is not None:
        write_labels(listed, output, formulas=formulas)
        say(f"{len(listed):,} labels written to {output}")
        return
    from karat.cli.console import show
    from karat.report.terminal.tables import list_table, show_text

    rows = [
        (
            show_text(author),
            f"{sum(one['author'] == author and one['replaced'] is None for one in listed):,}",
            f"{sum(one['author'] == author and one['replaced'] is not None for one in listed):,}",
        )
        for author in sorted({one["author"] for one in listed})
    ]
    shown = 3 if history else 2
    show(list_table(("author", "labels", "replaced")[:shown], [row[:shown] for row in rows]))


def describe_imported(source: str, taken: ImportedLabels) -> str:
    """Describe on one line which labels were imported."""
    line = (
        f"{source}: {count(taken.labels, 'label')} by {list_names(taken.authors)}, on the scale {taken.scale}"
    )
    if taken.new < taken.labels:
        line += f"; {taken.labels - taken.new:,} already imported"
    if taken.replaced:
        line += f"; {taken.replaced:,} earlier ones by the same author replaced"
    return line


def describe_known(known: KnownLabels, dataset: Dataset) -> str | None:
    """Describe on one line the labels that other files have for unlabelled rows; None if there are none."""
    if not known.rows:
        return None
    return (
        f"{known.rows:,} of the {dataset.rows:,} rows {'has' if known.rows == 1 else 'have'} no label here, but other files have labels"
        f" for identical rows ({list_names(known.sources, 3)}); --known-labels uses them{_disputed(known)}"
    )


def describe_used(known: KnownLabels, dataset: Dataset, *, dry: bool) -> str:
    """Describe on one line which labels of other files a dataset uses, or would use."""
    labels = (
        f"{count(known.labels, 'label')} {_given(known)}"
        if known.labels
        else "no labels given for other files"
    )
    return f"{dataset.source}: {labels} {'would be used' if dry else 'used'}{_disputed(known)}"


def describe_unused(labels: int, dataset: Dataset, *, dry: bool) -> str:
    """Describe on one line how many labels of other files a dataset stops using, or would stop using."""
    if not labels:
        return f"{dataset.source}: no labels given for other files were in use"
    return f"{dataset.source}: {count(labels, 'label')} given for other files {'would no longer be' if dry else 'no longer'} used"


def _given(known: KnownLabels) -> str:
    return f"given for other files ({list_names(known.sources, 3)})"


def _disputed(known: KnownLabels) -> str:
    """Describe on how many rows the files disagree, and which label counts."""
    if not known.disputed:
        return ""
    return f"; on {count(known.disputed, 'row')} the files disagree: each author's latest label counts"


def describe_need(need: Need, run: int) -> list[str]:
    """Describe how many labels are needed, and what the estimate is based on."""
    wide = f"an interval of {100 * need.width:g} points"
    if isinstance(need.labels, Undefined):
        return [f"{wide} cannot be reached with these {need.rows:,} rows: {need.labels.why}"]
    more = max(0, need.labels - need.labelled)
    lines = [
        f"{wide} needs about {need.labels:,} labels of {need.rows:,} rows, {more:,} more than there are now"
    ]
    if need.now is not None:
        lines.append(f"the {need.labelled:,} labels so far give an interval of {100 * need.now:.1f} points")
    if need.known and not isinstance(need.alone, Undefined):
        lines.append(f"without the judge's verdicts it would need {need.alone:,}")
    if not need.known:
        lines.append(
            "this is an upper limit that holds for any judge; a good judge needs fewer. About 30 labels show how many:"
            f" `karat labels plan {run} --n 30`"
        )
    lines += [line for line in (need.warning, need.assumption) if line is not None]
    return lines


def _show_strata(strata: Mapping[str, Stratum]) -> None:
    from karat.cli.console import show
    from karat.report.terminal.tables import list_table

    rows = [(name, f"{one.items:,}", f"{one.drawn:,}", f"{one.chance:.3f}") for name, one in strata.items()]
    show(list_table(("stratum", "items", "drawn now", "probability so far"), rows))
