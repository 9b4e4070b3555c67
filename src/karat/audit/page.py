"""An audit as a section of a page, and as a page of its own; its HTML is report/page/templates/audit.html."""

from collections.abc import Iterator, Sequence
from typing import Any

from karat.audit.describe import (
    ATTACKS,
    HARMLESS,
    describe_bases,
    describe_counts,
    describe_limits,
    describe_prompts,
    describe_success,
    describe_value,
    describe_verdict,
    is_attack,
)
from karat.audit.rates import Audit, Example, Rate
from karat.core.types import ProtocolName
from karat.report.format import count, show_number, show_paid
from karat.report.page.charts import FigureTable, Line, Remark
from karat.report.page.markup import Markup, render
from karat.report.page.write import write_file, write_sections


def write_audit(audits: Sequence[Audit], path: str, *, karat: str, created: str) -> None:
    """Write the page atomically."""
    title = f"Audit of {', '.join(audit.judge for audit in audits)}"
    write_file(path, [write_sections(title, [draw_section(audits)], karat=karat, created=created)])


def draw_section(audits: Sequence[Audit]) -> Markup:
    """Draw a card for each judge, and all judges over one axis."""
    together = _list_side_by_side(audits) if len(audits) > 1 else []
    return render("audit.html", audits=[_describe_audit(audit) for audit in audits], together=together)


def _describe_audit(audit: Audit) -> dict[str, Any]:
    return {
        "title": f"{audit.judge} · {audit.protocol}",
        "facts": list(_explain_facts(audit)),
        "families": _list_families(
            audit.judge, audit.protocol, [(rate.name, rate) for rate in audit.families]
        ),
        "kinds": list(_list_kinds(audit)),
        "examples": [list(_explain_example(example)) for example in audit.examples],
    }


def _explain_facts(audit: Audit) -> Iterator[tuple[str, str]]:
    yield "rows", f"{audit.rows:,}"
    yield "probes", f"{audit.probes:,}, bank {audit.bank}"
    yield "unchanged answers", describe_bases(audit)
    prompts = describe_prompts(audit)
    if prompts is not None:
        yield "prompts", prompts
    yield "result", describe_verdict(audit)
    if audit.spent.calls:
        yield "cost", f"{count(audit.spent.calls, 'call')}, {show_paid(audit.spent)}"


def _list_families(
    judge: str, protocol: ProtocolName, named: Sequence[tuple[str, Rate]]
) -> list[tuple[str, FigureTable]]:
    """List the attacks, then the harmless changes, each with the meaning of the figures."""
    parts = (
        (told, attacks, [(name, rate) for name, rate in named if is_attack(rate) == attacks])
        for told, attacks in ((ATTACKS, True), (HARMLESS, False))
    )
    return [
        (told, _list_rates(f"{told.partition(':')[0]}, {judge}", protocol, part, attacks=attacks))
        for told, attacks, part in parts
        if part
    ]


def _list_rates(
    title: str, protocol: ProtocolName, named: Sequence[tuple[str, Rate]], *, attacks: bool
) -> FigureTable:
    lines = [
        Line(
            name,
            rate.rate,
            note=f"succeeds if {describe_success(rate.effect, protocol)}" if attacks else None,
            show=show_number,
            remarks=list(_remark(rate)),
        )
        for name, rate in named
    ]
    heads = ("attack", "succeeded [95 %]") if attacks else ("change", "changed [95 %]")
    return FigureTable(title, heads, lines, show_number, unit=" %", times=100)


def _remark(rate: Rate) -> Iterator[Remark]:
    yield Remark(describe_counts(rate))
    for line in describe_limits(rate):
        yield Remark(line, "above" if line.endswith("missed") else "dim")


def _list_kinds(audit: Audit) -> Iterator[tuple[str, FigureTable]]:
    """Yield the kinds of each family that has more than one."""
    for family in audit.families:
        kinds = [rate for rate in audit.kinds if rate.name.startswith(f"{family.name}/")]
        if len(kinds) > 1:
            named = [(rate.name.partition("/")[2], rate) for rate in kinds]
            title = f"Kinds of {family.name}, {audit.judge}"
            table = _list_rates(title, audit.protocol, named, attacks=is_attack(family))
            yield f"{family.name}: {count(len(kinds), 'kind')}", table


def _explain_example(example: Example) -> Iterator[tuple[str, str]]:
    yield "probe", f"{example.family}/{example.kind}"
    if example.question is not None:
        yield "question", example.question
    yield "reference", " · ".join(example.references[:5])
    yield "answer", example.answer
    yield "verdict", f"{describe_value(example.value)} by {example.decided_by}"
    if example.base_answer is not None:
        yield "unchanged", f"{example.base_answer}: {describe_value(example.base_value)}"


def _list_side_by_side(audits: Sequence[Audit]) -> list[tuple[str, FigureTable]]:
    names = dict.fromkeys(rate.name for audit in audits for rate in audit.families)
    found = [
        (f"{name} · {audit.judge}", rate)
        for name in names
        for audit in audits
        for rate in audit.families
        if rate.name == name
    ]
    return _list_families("all judges", audits[0].protocol, found)
