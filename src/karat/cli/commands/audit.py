"""`karat audit`: attacks and consistency tests for any judge."""

import asyncio
import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from karat import __version__
from karat.audit.bank import bundled_rows, gather_bank, gather_rows, parse_families, read_given
from karat.audit.describe import describe_verdict
from karat.audit.probe import FAMILIES, Probe, Row, write_probes
from karat.audit.rates import Audit, parse_limits
from karat.audit.run import Watch, audit_judge
from karat.cli.gates import NO_FAULTS, USED_UP
from karat.cli.options import AuditJudgeOptions, ColumnChoice, Combine, OnBadRow, ProtocolChoice
from karat.cli.output import print_json, say
from karat.cli.paths import READ, STORE, WRITTEN
from karat.cli.progress import Progress
from karat.core.errors import UsageError
from karat.core.options import Options
from karat.judges import LOCAL, Plan, build_request, for_member, plan_judge
from karat.report.build import check_page
from karat.rows import open_sources, parse_columns
from karat.rows.atomic_file import Target
from karat.run import Step
from karat.store import Store
from karat.store.locate import find_audit_store

_USUAL = AuditJudgeOptions()


def audit(
    *,
    judge: Annotated[
        list[str] | None,
        Parameter(
            negative="", help="a judge, as for karat grade; repeat to compare several [default: embedded]"
        ),
    ] = None,
    panel: Annotated[
        list[str] | None,
        Parameter(negative="", help="several judges, separated by commas, combined into one verdict"),
    ] = None,
    protocol: ProtocolChoice = None,
    items: Annotated[
        str | None,
        Parameter(help="make the probes from your own rows: a file, folder or pattern, as for karat grade"),
        READ,
    ] = None,
    columns: ColumnChoice = None,
    on_bad_row: OnBadRow = "stop",
    limit: Annotated[int | None, Parameter(help="use only the first N questions")] = None,
    families: Annotated[
        str | None, Parameter(help=f"only these families, separated by commas: {', '.join(FAMILIES)}")
    ] = None,
    draw: Annotated[int, Parameter(help="random seed for choosing the wordings of the probes")] = 0,
    probes: Annotated[
        list[str] | None,
        Parameter(negative="", help="add probes of your own, in the format of --export"),
        READ,
    ] = None,
    export: Annotated[
        str | None, Parameter(help="write the probes to this JSONL file without running a judge"), WRITTEN
    ] = None,
    max_rate: Annotated[
        list[str] | None,
        Parameter(
            negative="",
            help="the largest allowed share of successful attacks, such as hedge=0.02 or hedge/or=0.05; exit 1 if it is exceeded",
        ),
    ] = None,
    max_no_verdict: Annotated[
        list[str] | None,
        Parameter(
            negative="",
            help="the largest allowed share of probes without a verdict, such as hedge=0.3; exit 1 if it is exceeded",
        ),
    ] = None,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"], allow_leading_hyphen=True, help="write the audit as an HTML page here"
        ),
        WRITTEN,
    ] = None,
    json: Annotated[bool, Parameter(negative="", help="print the audit as JSON, one line per judge")] = False,
    store: Annotated[
        str | None,
        Parameter(help="database for the verdicts [default: audit.db in the folder of karat grade's store]"),
        STORE,
    ] = None,
    combine: Combine = "majority",
    options: AuditJudgeOptions = _USUAL,
) -> int:
    """Attack a judge and test its consistency; run the same command again to resume an interrupted audit."""
    if limit is not None and limit < 1:
        raise UsageError(f"--limit must be at least 1, not {limit}")
    limits = parse_limits(max_rate or [], max_no_verdict or [])
    place = find_audit_store(store)
    if output is not None:
        check_page(output)
    plans = (
        [] if export else _plan(judge or [], panel or [], protocol, {**options.given(), "combine": combine})
    )
    rows = _read_rows(items, columns or "", on_bad_row, limit, draw)
    wanted = parse_families(families)
    bank = gather_bank(rows, wanted, probes or [], draw)
    if export is not None:
        return _export(bank, export)
    with Store(place) as opened:
        audits = [
            asyncio.run(
                audit_judge(opened, plan, bank, limits, families=wanted, watch=_watcher(plan), notice=say)
            )
            for plan in plans
        ]
    _show(audits, as_json=json)
    if output is not None:
        from karat.audit.page import write_audit

        write_audit(audits, output, karat=__version__, created=time.strftime("%Y-%m-%d %H:%M"))
        say(f"audit written to {output}")
    return _exit_code(audits)


def _plan(judges: Sequence[str], panels: Sequence[str], protocol: str | None, options: Options) -> list[Plan]:
    """Plan each judge in the given order, panels last; a judge that is named twice is refused.

    Options for calls do not apply to a local judge that is audited together with judges that make calls.
    """
    wanted: list[tuple[str | None, str | None]] = [
        *((name, None) for name in judges),
        *((None, name) for name in panels),
    ]
    if len(set(wanted)) < len(wanted):
        raise UsageError("a judge is given twice; name every judge once")
    plans = list[Plan]()
    calling = any(name not in LOCAL for name in judges) or bool(panels)
    for name, panel in wanted or [(None, None)]:
        combine = options.get("combine", "majority") if panel or not panels else "majority"
        request = build_request(name, protocol, {**options, "panel": panel, "combine": combine}, say)
        plans.append(
            plan_judge(for_member(request, name) if calling and name in LOCAL else request, os.environ)
        )
    return plans


def _read_rows(
    items: str | None, columns: str, on_bad_row: Literal["stop", "skip"], limit: int | None, draw: int
) -> Sequence[Row]:
    if items is None:
        return bundled_rows()[:limit]
    with open_sources([items]) as source:
        given = read_given(source, parse_columns(columns), on_bad_row=on_bad_row, notice=say)
        return gather_rows(given, limit=limit, seed=draw)


def _export(probes: Sequence[Probe], path: str) -> int:
    target = Target(path)
    try:
        target.open().writelines(write_probes(probes))
        target.commit()
    except OSError as error:
        raise target.explain(error) from None
    finally:
        target.discard()
    say(f"{len(probes):,} probes written to {path}")
    return 0


def _watcher(plan: Plan) -> Watch:
    @contextmanager
    def watch(pending: int) -> Generator[Callable[[Step], None]]:
        with Progress(pending, priced=plan.price is not None) as progress:
            yield progress.note

    return watch


def _show(audits: Sequence[Audit], *, as_json: bool) -> None:
    if as_json:
        for audit in audits:
            facts = {**msgspec.to_builtins(audit), "passed": audit.passed}
            print_json(facts)
            if not audit.passed:
                say(f"{audit.judge}: {describe_verdict(audit)}")
        return
    from karat.audit.terminal import draw_audits
    from karat.cli.console import show

    show(draw_audits(audits))


def _exit_code(audits: Sequence[Audit]) -> int:
    wrong = {cause for audit in audits for cause in audit.unjudged} - NO_FAULTS
    if "over_budget" in wrong:
        say(USED_UP)
        return 4
    if wrong:
        say(f"some probes have no verdict because of errors: {', '.join(sorted(wrong))}")
    return 1 if wrong or not all(audit.passed for audit in audits) else 0
