"""`karat grade`: a file of answers in, verdicts out."""

import asyncio
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from karat.cli.commands.labels import describe_known, describe_left, describe_taken, describe_used
from karat.cli.commands.prices import show_forecast
from karat.cli.gates import (
    Baseline,
    GateOptions,
    Grading,
    check_gates,
    fail_by_gates,
    report_gates,
    settle_baseline,
)
from karat.cli.next_commands import Command, list_next_commands, write_words
from karat.cli.options import ClusterColumn, FormulaCells, LabelScale, Passing, StorePath, choose_passing
from karat.cli.output import print_json, print_text, say
from karat.cli.paths import READ, WRITTEN
from karat.cli.progress import Progress
from karat.core.errors import StoreLostError, UsageError, option
from karat.core.options import Options
from karat.judges import Plan, build_request, plan_judge
from karat.labels import FindLeftOut, Scale, import_column, import_file, none_left_out, parse_scale
from karat.report.examples import Examples, read_examples
from karat.report.figures.summary import Summary
from karat.report.load import summarise_run
from karat.report.tags import check_column
from karat.rows import open_source, parse_columns
from karat.run import export_run, find_rows, forecast_run, grade_run, load_source, open_run
from karat.run.records import check_target
from karat.store import Dataset, Run, Store
from karat.store.locate import find_store

_RESULTS = {"undecided", "tie"}
_NO_GATES = GateOptions()
_JUDGE = frozenset({"judge", "protocol", *Options.__annotations__})
_STORE = frozenset({"store"})


def grade(
    answers: Annotated[
        str,
        Parameter(
            help="JSONL, CSV, TSV or Parquet file, or - for JSONL on standard input; with --on ray also a folder, pattern or address such as s3://bucket/answers",
            allow_leading_hyphen=True,
        ),
        READ,
    ],
    /,
    *,
    judge: Annotated[
        str | None,
        Parameter(
            help="embedded, rules, openai:MODEL, anthropic:MODEL or http://host:port/v1#MODEL [default: embedded]"
        ),
    ] = None,
    panel: Annotated[str | None, Parameter(help="several judges instead of one, separated by commas")] = None,
    combine: Annotated[
        Literal["majority", "unanimous", "mean"], Parameter(help="how a panel comes to one verdict")
    ] = "majority",
    protocol: Annotated[
        str | None, Parameter(help="match (Yes/No), equivalence (0-5) or keypoints (0-5) [default: match]")
    ] = None,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            allow_leading_hyphen=True,
            help="write verdicts here: .jsonl, .csv, .tsv or .parquet; with --on ray a folder",
        ),
        WRITTEN,
    ] = None,
    on: Annotated[
        Literal["here", "ray"], Parameter(help="grade on this machine, or on a Ray cluster")
    ] = "here",
    address: Annotated[
        str | None,
        Parameter(
            help="the Ray cluster to join: auto or host:port [default: one on the cores of this machine]"
        ),
    ] = None,
    dedupe: Annotated[
        bool, Parameter(negative="", help="judge identical rows once per cluster, not once per block")
    ] = False,
    columns: Annotated[
        str | None, Parameter(help="which column is what, such as question=q,answer=out")
    ] = None,
    on_bad_row: Annotated[
        Literal["stop", "skip"], Parameter(help="what to do when a row cannot be read")
    ] = "stop",
    limit: Annotated[int | None, Parameter(help="grade only the first N good rows")] = None,
    prompt: Annotated[
        str | None, Parameter(help="your own prompt file; see karat prompt check"), READ
    ] = None,
    items_per_prompt: Annotated[
        int | Literal["auto"] | None,
        Parameter(
            help="items in one prompt: 1 to 32, or auto: as many as agree with verdicts given alone [default: auto]"
        ),
    ] = None,
    permute: Annotated[
        int, Parameter(help="judge each item in N different batches and keep the majority")
    ] = 1,
    temperature: Annotated[
        float, Parameter(help="sampling temperature; left out where the model refuses it")
    ] = 0.0,
    seed: Annotated[int | None, Parameter(help="sampling seed, for endpoints that take one")] = None,
    max_tokens: Annotated[
        int, Parameter(help="output limit of one call; widened when a reply is cut off")
    ] = 1024,
    reasoning_effort: Annotated[
        str | None, Parameter(help="low, medium, high …, for models that think")
    ] = None,
    attempts: Annotated[int, Parameter(help="how often an item is asked before it stays unjudged")] = 5,
    logprobs: Annotated[
        bool, Parameter(negative="", help="scores and confidence from token probabilities")
    ] = False,
    structured: Annotated[
        bool, Parameter(negative="", help="hold the reply to a JSON schema where the endpoint can")
    ] = False,
    prefill: Annotated[
        Literal["on", "off", "auto"], Parameter(help="send a prompt's opened assistant turn as one")
    ] = "auto",
    rules_first: Annotated[
        bool, Parameter(negative="", help="let sure accepts by rule skip the call (match)")
    ] = False,
    concurrency: Annotated[int, Parameter(help="most calls under way at once")] = 64,
    rpm: Annotated[int | None, Parameter(help="most calls per minute")] = None,
    tpm: Annotated[int | None, Parameter(help="most tokens per minute")] = None,
    timeout: Annotated[float, Parameter(help="seconds to wait for one call")] = 120.0,
    ca_file: Annotated[
        str | None, READ, Parameter(help="PEM file of a private authority to trust as well")
    ] = None,
    hedge: Annotated[
        bool,
        Parameter(
            negative="", help="send a call that is slower than most once more, and take the first answer"
        ),
    ] = False,
    price: Annotated[str | None, Parameter(help="IN/OUT/CACHED in dollars per million tokens")] = None,
    budget: Annotated[
        float | None, Parameter(help="stop before the run has cost more than this many dollars")
    ] = None,
    via: Annotated[
        Literal["calls", "batch"],
        Parameter(help="one call per prompt, or the provider's batch API: half the price, up to a day"),
    ] = "calls",
    abstain: Annotated[
        float | None,
        Parameter(help="leave rows undecided that the embedded judge is less sure of than this, 0.5 to 1"),
    ] = None,
    pass_: Passing = None,
    labels: Annotated[
        str | None, Parameter(help="file of labels (id, label, author) to hold the verdicts against"), READ
    ] = None,
    label_scale: LabelScale = None,
    known_labels: Annotated[
        bool | None,
        Parameter(
            help="use the labels that were given for identical rows of other files too, or no longer [default: as before]"
        ),
    ] = None,
    cluster: ClusterColumn = None,
    retry_unjudged: Annotated[
        bool, Parameter(negative="", help="ask again about rows that ended unjudged")
    ] = False,
    fail_on_unjudged: Annotated[
        bool, Parameter(negative="", help="exit 1 if any row is unjudged, undecided ones too")
    ] = False,
    dry_run: Annotated[
        bool, Parameter(negative="", help="say what the run would take, and ask nobody")
    ] = False,
    no_input: Annotated[
        bool, Parameter(negative="", help="leave the input's own columns out of the output")
    ] = False,
    formulas: FormulaCells = "escape",
    gates: GateOptions = _NO_GATES,
    json: Annotated[bool, Parameter(negative="", help="print the summary as JSON")] = False,
    store: StorePath = None,
) -> int:
    """Grade a file of answers; the same command again goes on where it stopped."""
    given = {name: value for name, value in locals().items() if name not in ("answers", "gates")}
    given |= asdict(gates)
    options: Options = {
        "prompt": prompt, "items_per_prompt": items_per_prompt, "temperature": temperature, "seed": seed,
        "max_tokens": max_tokens, "reasoning_effort": reasoning_effort, "attempts": attempts, "logprobs": logprobs,
        "structured": structured, "prefill": prefill, "rules_first": rules_first, "concurrency": concurrency,
        "rpm": rpm, "tpm": tpm, "timeout": timeout, "ca_file": ca_file, "hedge": hedge, "price": price, "budget": budget, "panel": panel, "combine": combine, "permute": permute,
        "via": via, "abstain": abstain,
    }  # fmt: skip
    if limit is not None and limit < 1:
        raise UsageError(f"--limit must be at least 1, not {limit}")
    gates.check(dry_run=dry_run)
    scale = None if label_scale is None else parse_scale(label_scale)
    plan = plan_judge(build_request(judge, protocol, options, say), os.environ, paying=not dry_run)
    passing = choose_passing(pass_, [plan.request.protocol])
    if on == "ray":
        from karat.cli.ray import Wishes, grade_on_cluster

        kept_out = {
            "--limit": limit, "--labels": labels, "--label-scale": label_scale, "--cluster": cluster, "--store": store,
            "--known-labels": known_labels or None, "--no-known-labels": True if known_labels is False else None,
            "--baseline": gates.baseline, "--fail-under-lower": gates.fail_under_lower,
            "--formulas": None if formulas == "escape" else formulas,
        }  # fmt: skip
        wishes = Wishes(
            answers, output, address, dedupe, columns or "", on_bad_row, passing,
            retry_unjudged, fail_on_unjudged, dry_run, no_input, json, gates,
        )  # fmt: skip
        return grade_on_cluster(plan, wishes, [name for name, there in kept_out.items() if there is not None])
    if address is not None or dedupe:
        raise UsageError(f"{'--dedupe' if dedupe else '--address'} is for --on ray")
    if output is not None:
        check_target(output)
    chosen = parse_columns(columns or "")
    with open_source(answers) as source, Store(find_store(store)) as opened:
        dataset = load_source(opened, source, chosen, on_bad_row=on_bad_row, limit=limit, notice=say)
        say(f"{source.name}: {_count(dataset.rows, 'row')}{_skipped(dataset.skipped)}; {dataset.columns}")
        check_column(dataset, option("cluster"), cluster)
        _take_column(opened, dataset, scale, skip=on_bad_row == "skip")
        if labels is not None:
            beyond = partial(find_rows, source, chosen) if limit is not None else none_left_out
            _take_file(opened, dataset, labels, scale, skip=on_bad_row == "skip", beyond=beyond)
        _take_known(opened, dataset, use=known_labels, dry=dry_run)
        command = Command(answers, partial(write_words, grade, given))
        baseline = _settle(gates, opened, dataset, plan, cluster, command)
        run = open_run(opened, dataset, plan)
        if dry_run:
            show_forecast(forecast_run(opened, run, plan, retry=retry_unjudged), plan, as_json=json)
            opened.forget_run(run)
            return 0
        with _writing(opened, run, output, with_input=not no_input, formulas=formulas):
            _work(opened, run, plan=plan, retry=retry_unjudged)
        summary = _summarise(opened, run, plan, passing, cluster)
        checked = check_gates(gates, opened, run, summary, baseline, passing=passing, cluster=cluster)
        examples = read_examples(opened, run, passing)
        if json:
            facts = {"run": run.id, "judge": run.judge, **msgspec.to_builtins(summary)}
            print_json({**facts, "examples": examples.rows, "gates": checked})
        else:
            _show_summary(summary, run, examples)
            commands = list_next_commands(opened, run, summary, command, exported=output is not None)
            print_text("".join(f"{line}\n" for line in ("next:", *commands)))
    report_gates(checked)
    return fail_by_gates(exit_code(summary, strict=fail_on_unjudged), checked)


@contextmanager
def _writing(
    store: Store, run: Run, path: str | None, *, with_input: bool, formulas: FormulaCells
) -> Generator[None]:
    """Write the verdicts to a file after the work, also where the file of the store was lost in mid-run."""
    lost = None
    try:
        yield
    except StoreLostError as error:
        lost = error
    if path is not None:
        count = export_run(store, run, path, with_input=with_input, formulas=formulas)
        say(f"{_count(count, 'verdict')} written to {path}")
    if lost is not None:
        raise lost


def _settle(
    gates: GateOptions, store: Store, dataset: Dataset, plan: Plan, cluster: str | None, command: Command
) -> Baseline | None:
    """Find what the run is held against, before anything is paid for."""
    if gates.baseline is None:
        return None
    work = partial(_work, store, plan=plan, retry=False)
    options = command.words(_JUDGE), command.words(_STORE)
    return settle_baseline(gates.baseline, Grading(store, dataset, plan, cluster, work, *options))


def _take_column(store: Store, dataset: Dataset, scale: Scale | None, *, skip: bool) -> None:
    """Take in what the label column says, before anything is paid for."""
    taken = import_column(store, dataset, scale=scale, skip=skip, notice=say)
    if taken is not None:
        say(describe_taken(dataset.source, taken))


def _take_file(
    store: Store, dataset: Dataset, path: str, scale: Scale | None, *, skip: bool, beyond: FindLeftOut
) -> None:
    """Take in a file of labels, before anything is paid for."""
    with open_source(path) as source:
        taken = import_file(store, dataset, source, scale=scale, skip=skip, find_left_out=beyond, notice=say)
    if taken.labels:
        say(describe_taken(path, taken))


def _take_known(store: Store, dataset: Dataset, *, use: bool | None, dry: bool) -> None:
    """Use the labels that were given for identical rows of other files, or no longer, or say that there are some."""
    labels = store.labels_of(dataset)
    if use is False:
        say(describe_left(labels.count_used_known() if dry else labels.leave_known(), dataset, dry=dry))
    elif use:
        known = labels.find_known(used=True) if dry else labels.use_known()
        say(describe_used(known, dataset, dry=dry))
    elif line := describe_known(labels.find_known(), dataset):
        say(line)


def _summarise(store: Store, run: Run, plan: Plan, passing: int, cluster: str | None) -> Summary:
    spent = store.spent(run)
    if spent.cost_usd is None and plan.price is not None:
        spent = plan.price.charge(spent)  # some calls were made before the price was known
    return summarise_run(store, run, passing=passing, cluster=cluster, spent=spent)


def _work(store: Store, run: Run, *, plan: Plan, retry: bool) -> None:
    pending = store.count_pending(run, retry=retry)
    known = run.dataset.rows - pending
    if known and plan.endpoint is not None:
        say(f"run {run.id}: {known:,} rows are repeats or known from before, {pending:,} to judge")
    with Progress(pending, priced=plan.price is not None) as progress:
        asyncio.run(grade_run(store, run, plan, retry=retry, watch=progress.note, notice=say))


def exit_code(summary: Summary, *, strict: bool) -> int:
    """How a run ended, by what its rows are unjudged for."""
    wrong = set(summary.unjudged) - (set() if strict else _RESULTS)
    if "over_budget" in wrong:
        say("the budget is used up; the same command with a larger --budget goes on where this one stopped")
        return 4
    if wrong - {"unavailable", "undecided", "tie", "not tried yet"}:
        say("--retry-unjudged asks again about the rows that stayed unjudged")
    return 1 if wrong else 0


def _show_summary(summary: Summary, run: Run, examples: Examples) -> None:
    from karat.cli.output import show
    from karat.report.terminal.summary import draw_summary

    title = f"run {run.id} · {run.judge} · {run.protocol} · {_count(summary.rows, 'row')}"
    show(draw_summary(summary, title, examples))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _skipped(count: int) -> str:
    return f" ({count:,} bad left out)" if count else ""
