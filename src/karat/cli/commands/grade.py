"""`karat grade`: grade a file of answers."""

import asyncio
import os
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Annotated

import msgspec
from cyclopts import Parameter

from karat.cli.commands.labels import describe_imported, describe_known, describe_unused, describe_used
from karat.cli.gates import (
    Grading,
    check_gates,
    exit_code,
    fail_by_gates,
    report_gates,
    resolve_baseline,
)
from karat.cli.next_commands import Command, list_next_commands
from karat.cli.options import GradeOptions, choose_passing
from karat.cli.output import print_json, print_text, say
from karat.cli.paths import READ
from karat.cli.progress import Progress
from karat.core.errors import StoreLostError, UsageError, option
from karat.core.options import Options
from karat.judges import Plan, build_request, plan_judge
from karat.labels import Scale, import_column, import_file, none_left_out, parse_scale
from karat.report.examples import read_examples
from karat.report.figures.gates import Gate
from karat.report.figures.summary import Summary
from karat.report.format import count
from karat.report.load import summarise_run
from karat.report.tags import check_column
from karat.rows import Layout, Source, open_source, open_sources, parse_columns
from karat.run import (
    Forecast,
    Range,
    Takes,
    export_run,
    find_rows,
    forecast_run,
    grade_run,
    load_source,
    open_run,
)
from karat.run.records import check_target
from karat.store import Dataset, Run, Store
from karat.store.locate import find_store

_USUAL = GradeOptions()


def grade(
    answers: Annotated[
        list[str],
        Parameter(
            help="files, patterns or folders of answers, in any format that karat formats lists, or - for standard input; with --on ray one file, folder, pattern or address such as s3://bucket/answers",
            allow_leading_hyphen=True,
            negative="",
        ),
        READ,
    ],
    /,
    *,
    options: GradeOptions = _USUAL,
) -> int:
    """Grade a file of answers; run the same command again to resume an interrupted run."""
    if options.limit is not None and options.limit < 1:
        raise UsageError(f"--limit must be at least 1, not {options.limit}")
    options.gates.check(dry_run=options.dry_run)
    scale = None if options.label_scale is None else parse_scale(options.label_scale)
    plan = _plan(options)
    passing = choose_passing(options.pass_, [plan.request.protocol])
    if options.on == "ray":
        from karat.cli.ray import grade_on_cluster

        if options.references is not None or options.format is not None:
            given = "--references" if options.references is not None else "--format"
            raise UsageError(f"{given} does not go with --on ray; leave it out")
        if len(answers) > 1:
            raise UsageError("--on ray takes one file, folder, pattern or address; name a folder or pattern")
        return grade_on_cluster(plan, answers[0], options, passing)
    if options.address is not None or options.dedupe:
        raise UsageError(
            f"{'--dedupe' if options.dedupe else '--address'} works only with --on ray; add it, or leave this option out"
        )
    if options.output is not None:
        check_target(options.output)
    return _grade_here(plan, Command(tuple(answers), options), passing, scale)


def _find_join(options: GradeOptions) -> str | None:
    """Return the column by which answers and references are joined; None where they stand together."""
    if options.references is not None:
        return "id" if options.on == "here" else options.on
    if options.on != "here":
        raise UsageError(f"--on {options.on}: here or ray, or a column together with --references FILE")
    return None


def _plan(options: GradeOptions) -> Plan:
    wanted: Options = {**options.judging.given(), "panel": options.panel, "combine": options.combine}
    request = build_request(options.judge, options.protocol, wanted, say)
    return plan_judge(request, os.environ, paying=not options.dry_run)


def _grade_here(plan: Plan, command: Command, passing: int, scale: Scale | None) -> int:
    """Grade on this machine."""
    options, cluster = command.options, command.options.cluster
    chosen = parse_columns(options.columns or "")
    source = open_sources(
        command.answers, format=options.format, references=options.references, on=_find_join(options)
    )
    with source, Store(find_store(options.store)) as store:
        dataset = _load_rows(store, source, chosen, options)
        _load_labels(store, dataset, source, chosen, options, scale)
        baseline = None
        if options.gates.baseline is not None:
            grade_again = partial(_judge_rows, store, plan=plan, retry=False)
            grading = Grading(store, dataset, plan, grade_again, command)
            baseline = resolve_baseline(options.gates.baseline, grading)
        run = open_run(store, dataset, plan)
        if options.dry_run:
            _show_forecast(forecast_run(store, run, plan, retry=options.retry_unjudged), plan, options)
            store.forget_run(run)
            return 0
        with _write_after(store, run, options):
            _judge_rows(store, run, plan=plan, retry=options.retry_unjudged)
        summary = _summarise(store, run, plan, passing, cluster)
        gates = check_gates(options.gates, store, run, summary, baseline, passing=passing, cluster=cluster)
        _show_summary(store, run, summary, gates, passing, command)
    report_gates(gates)
    return fail_by_gates(exit_code(summary, strict=options.fail_on_unjudged), gates)


def _load_rows(store: Store, source: Source, chosen: dict[str, str], options: GradeOptions) -> Dataset:
    """Load the rows, and print how many there are and which columns were used."""
    dataset = load_source(
        store, source, chosen, on_bad_row=options.on_bad_row, limit=options.limit, notice=say
    )
    for file in source.left_out:
        say(f"skipped: {file}")
    say(describe_dataset(source, source.find_layout(chosen), dataset))
    if source.unanswered and options.limit is None:
        say(f"{options.references}: {count(source.unanswered, 'reference')} without an answer")
    check_column(dataset, option("cluster"), options.cluster)
    return dataset


def describe_dataset(source: Source, layout: Layout, dataset: Dataset) -> str:
    """Describe what a file was recognised as, how many rows it has, and which columns were used."""
    title = f"{layout.title}: " if layout.title else ""
    skipped = f" ({count(dataset.skipped, 'bad row')} skipped)" if dataset.skipped else ""
    question = "" if layout.columns.question else "; no question"
    return f"{source.name}: {title}{count(dataset.rows, 'row')}{skipped}; {layout.describe()}{question}"


def _load_labels(
    store: Store,
    dataset: Dataset,
    source: Source,
    chosen: dict[str, str],
    options: GradeOptions,
    scale: Scale | None,
) -> None:
    """Import labels from the label column, from a file and from other files, before any call is made."""
    skip = options.on_bad_row == "skip"
    taken = import_column(store, dataset, scale=scale, skip=skip, notice=say)
    if taken is not None:
        say(describe_imported(dataset.source, taken))
    if options.labels is not None:
        beyond = none_left_out if options.limit is None else partial(find_rows, source, chosen)
        with open_source(options.labels) as file:
            taken = import_file(
                store, dataset, file, scale=scale, skip=skip, find_left_out=beyond, notice=say
            )
        if taken.labels:
            say(describe_imported(options.labels, taken))
    _use_known_labels(store, dataset, use=options.known_labels, dry=options.dry_run)


def _use_known_labels(store: Store, dataset: Dataset, *, use: bool | None, dry: bool) -> None:
    """Use labels of identical rows in other files, stop using them, or print that there are some."""
    labels = store.labels_of(dataset)
    if use is False:
        say(describe_unused(labels.count_used_known() if dry else labels.leave_known(), dataset, dry=dry))
    elif use:
        known = labels.find_known(used=True) if dry else labels.use_known()
        say(describe_used(known, dataset, dry=dry))
    elif line := describe_known(labels.find_known(), dataset):
        say(line)


@contextmanager
def _write_after(store: Store, run: Run, options: GradeOptions) -> Generator[None]:
    """Write the verdicts to a file after the run, also if the store was deleted during it."""
    lost = None
    try:
        yield
    except StoreLostError as error:
        lost = error
    if options.output is not None:
        written = export_run(
            store, run, options.output, with_input=not options.no_input, formulas=options.formulas
        )
        say(f"{count(written, 'verdict')} written to {options.output}")
    if lost is not None:
        raise lost


def _judge_rows(store: Store, run: Run, *, plan: Plan, retry: bool) -> None:
    """Judge the rows of a run that have no verdict yet, and show the progress."""
    pending = store.count_pending(run, retry=retry)
    known = run.dataset.rows - pending
    if known and plan.endpoint is not None:
        say(f"run {run.id}: {known:,} rows are duplicates or already judged, {pending:,} to judge")
    with Progress(pending, priced=plan.price is not None) as progress:
        asyncio.run(grade_run(store, run, plan, retry=retry, watch=progress.note, notice=say))


def _summarise(store: Store, run: Run, plan: Plan, passing: int, cluster: str | None) -> Summary:
    spent = store.spent(run)
    if spent.cost_usd is None and plan.price is not None:
        spent = plan.price.charge(spent)  # some calls may have been made before a price was given
    return summarise_run(store, run, passing=passing, cluster=cluster, spent=spent)


def _show_summary(
    store: Store, run: Run, summary: Summary, gates: list[Gate], passing: int, command: Command
) -> None:
    """Print the summary as JSON, or as a table followed by suggested next commands."""
    examples = read_examples(store, run, passing)
    if command.options.json:
        facts = {"run": run.id, "judge": run.judge, **msgspec.to_builtins(summary)}
        print_json({**facts, "examples": examples.rows, "gates": gates})
        return
    from karat.cli.console import show
    from karat.report.terminal.summary import draw_summary

    title = f"run {run.id} · {run.judge} · {run.protocol} · {count(summary.rows, 'row')}"
    show(draw_summary(summary, title, examples))
    exported = command.options.output is not None
    commands = list_next_commands(store, run, summary, command, exported=exported)
    print_text("".join(f"{line}\n" for line in ("next:", *commands)))


def _show_forecast(found: Forecast, plan: Plan, options: GradeOptions) -> None:
    """Print the forecast calls, tokens and cost of a run on this machine."""
    if options.json:
        print_json(found)
        return
    head = f"{found.rows:,} rows: {found.known:,} duplicates or already judged"
    if plan.endpoint is None:
        print_text(f"{head}; the judge {plan.name} makes no calls; nothing was judged\n")
        return
    print_text(f"{head}, {found.decided:,} decided without a call\n")
    show_forecast(found.takes)
    items = count(found.items_per_prompt, "item")
    checked = (
        " if the batch check finds no changed verdicts; the calls of the check are included"
        if found.checks
        else ""
    )
    print_text(f"expected with {items} per prompt{checked}\n")
    if found.budget_left_usd is not None:
        print_text(
            f"${found.budget_left_usd:,.4f} of the budget are left; the run stops when they are used up\n"
        )
    print_text("dry run: no calls were made\n")


def show_forecast(takes: Takes) -> None:
    """Print a table of the forecast calls, tokens and dollars of a run."""
    from rich.table import Table

    from karat.cli.console import show

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("")
    for heading in ("at least", "expected", "at most"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, figures in (
        ("calls", takes.calls),
        ("input tokens", takes.input_tokens),
        ("output tokens", takes.output_tokens),
    ):
        table.add_row(name, *(f"{figure:,.0f}" for figure in _list_figures(figures)))
    if takes.cost_usd is None:
        table.add_row("cost", *["unknown"] * 3)
    else:
        table.add_row("cost", *(f"${figure:,.4f}" for figure in _list_figures(takes.cost_usd)))
    show(table)
    if takes.cost_usd is None:
        print_text("no price is known for this model; give --price IN/OUT to see the cost\n")


def _list_figures(figures: Range) -> tuple[float, float, float]:
    return figures.least, figures.expected, figures.most
