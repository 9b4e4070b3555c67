"""`karat grade --on ray`: grade files of answers into a folder of verdicts."""

import msgspec

from karat.cli.commands.grade import show_forecast
from karat.cli.gates import check_shares, exit_code, fail_by_gates, report_gates
from karat.cli.options import GradeOptions
from karat.cli.output import print_json, print_text, say
from karat.cli.progress import BlockProgress, show_seconds
from karat.core.errors import UsageError
from karat.core.types import total
from karat.judges import Plan
from karat.ray.cluster import Cluster, join_cluster, load_ray
from karat.ray.job import Opened, open_job
from karat.ray.output import Manifest, claim_folder, read_manifests
from karat.report.figures.gates import Gate
from karat.report.figures.summary import Summary, summarise
from karat.report.format import count
from karat.rows import parse_columns


def grade_on_cluster(plan: Plan, answers: str, options: GradeOptions, passing: int) -> int:
    """Grade on a cluster; run the same command again to resume."""
    _refuse(plan, answers, options)
    if plan.items_per_prompt == "auto" and plan.wording is not None:
        say(
            "one item per prompt, because the batch check does not run on a cluster; set another number with --items-per-prompt N"
        )
    load_ray("ray.data")
    opened = open_job(
        answers,
        options.output,
        plan,
        parse_columns(options.columns or ""),
        on_bad_row=options.on_bad_row,
        with_input=not options.no_input,
        retry=options.retry_unjudged,
        dedupe=options.dedupe,
        look=options.dry_run,
        notice=say,
    )
    if options.dry_run:
        with join_cluster(options.address) as cluster:
            return _forecast(opened, cluster, as_json=options.json)
    manifests = _grade_blocks(opened, options.address, dedupe=options.dedupe)
    summary = _summarise(plan, manifests, passing)
    gates = check_shares(options.gates, summary)
    _show(summary, plan, options, gates)
    report_gates(gates)
    return fail_by_gates(exit_code(summary, strict=options.fail_on_unjudged), gates)


def _refuse(plan: Plan, answers: str, options: GradeOptions) -> None:
    """Refuse options that a cluster run does not support."""
    known = options.known_labels
    given = {
        "--limit": options.limit,
        "--labels": options.labels,
        "--label-scale": options.label_scale,
        "--cluster": options.cluster,
        "--store": options.store,
        "--known-labels": known or None,
        "--no-known-labels": True if known is False else None,
        "--baseline": options.gates.baseline,
        "--fail-under-lower": options.gates.fail_under_lower,
        "--formulas": None if options.formulas == "escape" else options.formulas,
    }
    misfit = next((name for name, value in given.items() if value is not None), None)
    if misfit is not None:
        raise UsageError(f"{misfit} is not supported with --on ray; leave it out")
    if answers == "-":
        raise UsageError("--on ray cannot read standard input; name a file or folder that all nodes can read")
    if plan.request.via == "batch":
        raise UsageError("--via batch is not supported with --on ray; leave one out")
    if options.output == "-" or (options.output is None and not options.dry_run):
        raise UsageError("--on ray needs a folder for the verdicts, such as -o verdicts/")


def _grade_blocks(opened: Opened, address: str | None, *, dedupe: bool) -> dict[str, Manifest]:
    from karat.ray.dedupe import grade_once
    from karat.ray.run import grade_blocks, pending_blocks

    with claim_folder(opened.job.folder):
        known = read_manifests(opened.job.folder)  # another process may have written some in the meantime
        pending = pending_blocks(opened.job, opened.blocks, known)
        done = len(opened.blocks) - len(pending)
        if done:
            say(f"{done:,} of {len(opened.blocks):,} blocks are already judged")
        if not pending:
            return known
        grade, progress = grade_once if dedupe else grade_blocks, BlockProgress(len(pending))
        with join_cluster(address) as cluster:
            return grade(opened.job, opened.blocks, known, cluster, watch=progress.note)


def _summarise(plan: Plan, manifests: dict[str, Manifest], passing: int) -> Summary:
    reasons = dict[str, str]()
    for manifest in manifests.values():
        reasons = {**manifest.reasons, **reasons}
    return summarise(
        plan.request.protocol,
        [group for manifest in manifests.values() for group in manifest.groups],
        total(manifest.spent for manifest in manifests.values()),
        passing=passing,
        reasons=reasons,
        skipped=sum(manifest.skipped for manifest in manifests.values()),
    )


def _show(summary: Summary, plan: Plan, options: GradeOptions, gates: list[Gate]) -> None:
    if options.json:
        facts = {"verdicts": options.output, "judge": plan.name, **msgspec.to_builtins(summary)}
        print_json({**facts, "gates": gates})
        return
    from karat.cli.console import show
    from karat.report.terminal.summary import draw_summary

    show(
        draw_summary(summary, f"{options.output} · {plan.name} · {summary.protocol} · {summary.rows:,} rows")
    )
    say(f"the interval treats rows as independent; `karat report {options.output}` clusters them by question")


def _forecast(opened: Opened, cluster: Cluster, *, as_json: bool) -> int:
    from karat.ray.forecast import forecast_job

    found = forecast_job(opened, cluster)
    if as_json:
        print_json(found)
        return 0
    about = "" if found.counted else "about "
    print_text(
        f"{count(found.blocks, 'block')} with {about}{found.rows:,} rows, {about}{found.bytes_per_row:,} bytes each as JSON\n"
        f"{count(found.actors, 'actor')} on {count(found.nodes, 'node')} with {count(found.cores, 'core')}\n"
        f"about {found.rows_per_second:,.0f} rows/s ({found.basis}): {show_seconds(found.seconds)}\n"
    )
    if opened.job.pays:
        show_forecast(found.takes)
    print_text("dry run: no calls were made\n")
    return 0
