"""`karat grade --on ray`: files of answers in, a folder of verdicts out."""

import time
from typing import Literal

import msgspec
from msgspec import Struct

from karat.cli.gates import GateOptions, check_shares, fail_by_gates, report_gates
from karat.cli.output import print_json, print_text, say
from karat.core.errors import UsageError
from karat.core.spending import total
from karat.judges import Plan
from karat.ray.cluster import Cluster, join_cluster, load_ray
from karat.ray.job import Opened, open_job
from karat.ray.manifest import Manifest, claim_folder, read_manifests
from karat.report.figures.gates import Gate
from karat.report.figures.summary import Summary, summarise
from karat.rows import parse_columns

_QUIET_SECONDS = 10.0


class Wishes(Struct, frozen=True):
    """What the user said beside the judge."""

    answers: str
    output: str | None
    address: str | None
    dedupe: bool
    columns: str
    on_bad_row: Literal["stop", "skip"]
    passing: int
    retry: bool
    strict: bool
    dry_run: bool
    no_input: bool
    json: bool
    gates: GateOptions


def grade_on_cluster(plan: Plan, wishes: Wishes, kept_out: list[str]) -> int:
    """Grade on a cluster; the same command again goes on where it stopped."""
    from karat.cli.commands.grade import exit_code

    _refuse(plan, wishes, kept_out)
    load_ray("ray.data")
    opened = open_job(
        wishes.answers,
        wishes.output,
        plan,
        parse_columns(wishes.columns),
        on_bad_row=wishes.on_bad_row,
        with_input=not wishes.no_input,
        retry=wishes.retry,
        dedupe=wishes.dedupe,
        look=wishes.dry_run,
        notice=say,
    )
    if wishes.dry_run:
        with join_cluster(wishes.address) as cluster:
            return _forecast(opened, cluster, as_json=wishes.json)
    manifests = _work(opened, wishes.address, dedupe=wishes.dedupe)
    summary = _summarise(plan, manifests, wishes.passing)
    gates = check_shares(wishes.gates, summary)
    _show(summary, plan, wishes, gates)
    report_gates(gates)
    return fail_by_gates(exit_code(summary, strict=wishes.strict), gates)


def _refuse(plan: Plan, wishes: Wishes, kept_out: list[str]) -> None:
    if kept_out:
        raise UsageError(f"{kept_out[0]} does not go with --on ray; leave it out")
    if wishes.answers == "-":
        raise UsageError("--on ray reads files that all its nodes see, not standard input")
    if plan.request.via == "batch":
        raise UsageError("--via batch does not go with --on ray; leave one out")
    if wishes.output == "-" or (wishes.output is None and not wishes.dry_run):
        raise UsageError("--on ray writes a folder of verdicts: name it with -o, such as -o verdicts/")
    if plan.items_per_prompt == "auto" and plan.wording is not None:
        say(
            "one item per prompt, since no check of batches is made on a cluster; --items-per-prompt N sets it"
        )


def _work(opened: Opened, address: str | None, *, dedupe: bool) -> dict[str, Manifest]:
    from karat.ray.dedupe import grade_once
    from karat.ray.run import grade_blocks, pending_blocks

    with claim_folder(opened.job.folder):
        known = read_manifests(opened.job.folder)  # another process may have written some until now
        pending = pending_blocks(opened.job, opened.blocks, known)
        done = len(opened.blocks) - len(pending)
        if done:
            say(f"{done:,} of {len(opened.blocks):,} blocks are known from before")
        if not pending:
            return known
        grade, progress = grade_once if dedupe else grade_blocks, _Progress(len(pending))
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


def _show(summary: Summary, plan: Plan, wishes: Wishes, gates: list[Gate]) -> None:
    if wishes.json:
        facts = {"verdicts": wishes.output, "judge": plan.name, **msgspec.to_builtins(summary)}
        print_json({**facts, "gates": gates})
        return
    from karat.cli.output import show
    from karat.report.terminal.summary import draw_summary

    show(draw_summary(summary, f"{wishes.output} · {plan.name} · {summary.protocol} · {summary.rows:,} rows"))
    say(
        f"the interval takes rows as independent; `karat report {wishes.output}` holds those of one question together"
    )


def _forecast(opened: Opened, cluster: Cluster, *, as_json: bool) -> int:
    from karat.cli.commands.prices import show_takes
    from karat.cli.progress import show_seconds
    from karat.ray.forecast import forecast_job

    found = forecast_job(opened, cluster)
    if as_json:
        print_json(found)
        return 0
    about = "" if found.counted else "about "
    print_text(
        f"{_count(found.blocks, 'block')} with {about}{found.rows:,} rows, {about}{found.bytes_per_row:,} bytes each as JSON\n"
        f"{_count(found.actors, 'actor')} on {_count(found.nodes, 'node')} with {_count(found.cores, 'core')}\n"
        f"about {found.rows_per_second:,.0f} rows/s ({found.basis}): {show_seconds(found.seconds)}\n"
    )
    if opened.job.pays:
        show_takes(found.takes)
    print_text("nothing was sent\n")
    return 0


class _Progress:
    """A line now and then: blocks, rows, rate, unjudged and spend."""

    def __init__(self, blocks: int) -> None:
        self._blocks = blocks
        self._done = self._rows = self._unjudged = 0
        self._cost: float | None = 0.0
        self._began = self._shown = time.monotonic()

    def note(self, manifest: Manifest) -> None:
        """One more block is judged."""
        self._done += 1
        self._rows += manifest.rows
        self._unjudged += manifest.unjudged
        cost = manifest.spent.cost_usd
        self._cost = None if cost is None or self._cost is None else self._cost + cost
        now = time.monotonic()
        if now - self._shown > _QUIET_SECONDS or self._done == self._blocks:
            self._shown = now
            rate = self._rows / max(1e-6, now - self._began)
            spend = f" · ${self._cost:.4f}" if self._cost else ""
            say(
                f"{self._done:,} of {self._blocks:,} blocks · {self._rows:,} rows · {rate:,.0f} rows/s"
                f" · {self._unjudged:,} unjudged{spend}"
            )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
