"""An audit as a section of a page, and as a page of its own."""

from collections.abc import Iterator, Sequence

from karat.audit.describe import (
    ATTACKS,
    HARMLESS,
    describe_bases,
    describe_counts,
    describe_limits,
    describe_prompts,
    describe_success,
    describe_verdict,
    is_attack,
    show_value,
)
from karat.audit.rates import Audit, Example, Rate
from karat.core.types import ProtocolName
from karat.report.format import count, show_number, show_paid
from karat.report.page.markup import Markup, Piece, tag
from karat.report.page.tables import Line, card, figure_table, pairs, say, section
from karat.report.page.write import write_sections
from karat.rows.atomic_file import Target

_LEAD = (
    "What was put to the judge, and how often it fell for it. Junk must be rejected, an injection must not raise a wrong answer, "
    "hedges and changes of meaning must lower a right one, and harmless changes must not change a verdict. "
    "What got no verdict neither succeeded nor was resisted, and is counted apart."
)


def write_audit(audits: Sequence[Audit], path: str, *, karat: str, created: str) -> None:
    """Write a page that appears when it is whole."""
    target = Target(path)
    names = ", ".join(audit.judge for audit in audits)
    try:
        stream = target.open()
        for piece in write_sections(
            f"Audit of {names}", [draw_section(audits)], karat=karat, created=created
        ):
            stream.write(piece.encode())
        target.commit()
    except BaseException:
        target.discard()
        raise


def draw_section(audits: Sequence[Audit]) -> Markup:
    """A card for every judge, and all of them over one axis."""
    cards = [_card(audit) for audit in audits]
    if len(audits) > 1:
        cards.insert(0, card("All judges", _side_by_side(audits)))
    return section("audit", "Audit", _LEAD, tag("div", cards, class_="stack"))


def _card(audit: Audit) -> Markup:
    facts: list[tuple[str, Piece]] = [
        ("rows", f"{audit.rows:,}"),
        ("probes", f"{audit.probes:,}, bank {audit.bank}"),
        ("unchanged answers", describe_bases(audit)),
        ("result", describe_verdict(audit)),
    ]
    prompts = describe_prompts(audit)
    if prompts is not None:
        facts.insert(-1, ("prompts", prompts))
    if audit.spent.calls:
        facts.append(("cost", f"{count(audit.spent.calls, 'call')}, {show_paid(audit.spent)}"))
    return card(
        f"{audit.judge} · {audit.protocol}",
        pairs(facts),
        *_families(audit.judge, audit.protocol, [(rate.name, rate) for rate in audit.families]),
        [_kinds(audit, family) for family in audit.families],
        _examples(audit),
    )


def _families(judge: str, protocol: ProtocolName, named: Sequence[tuple[str, Rate]]) -> Iterator[Markup]:
    """The attacks, and then the harmless changes, each with what the figures mean."""
    for told, attacks in ((ATTACKS, True), (HARMLESS, False)):
        part = [(name, rate) for name, rate in named if is_attack(rate) == attacks]
        if part:
            yield tag("p", told, class_="dim")
            yield _rates(f"{told.partition(':')[0]}, {judge}", protocol, part, attacks=attacks)


def _rates(title: str, protocol: ProtocolName, named: Sequence[tuple[str, Rate]], *, attacks: bool) -> Markup:
    lines = [
        Line(
            [
                name,
                tag("div", f"succeeds if {describe_success(rate.effect, protocol)}", class_="dim")
                if attacks
                else None,
            ],
            name,
            rate.rate,
            said=tuple(_say(rate)),
        )
        for name, rate in named
    ]
    heads = ("attack", "succeeded [95 %]") if attacks else ("change", "changed [95 %]")
    return figure_table(title, heads, lines, show=show_number, unit=" %", times=100)


def _say(rate: Rate) -> Iterator[Piece]:
    yield say(rate.rate, show_number)
    yield tag("div", describe_counts(rate), class_="dim")
    for line in describe_limits(rate):
        yield tag("div", line, class_="above" if line.endswith("missed") else "dim")


def _kinds(audit: Audit, family: Rate) -> Markup | None:
    kinds = [rate for rate in audit.kinds if rate.name.startswith(f"{family.name}/")]
    if len(kinds) < 2:  # noqa: PLR2004 - one kind is the family
        return None
    named = [(rate.name.partition("/")[2], rate) for rate in kinds]
    table = _rates(f"Kinds of {family.name}, {audit.judge}", audit.protocol, named, attacks=is_attack(family))
    return tag("details", tag("summary", f"{family.name}: {count(len(kinds), 'kind')}"), table)


def _examples(audit: Audit) -> Markup | None:
    if not audit.examples:
        return None
    shown = [card(None, pairs(list(_tell(example)))) for example in audit.examples]
    return tag(
        "details",
        tag("summary", f"{count(len(shown), 'example')} of what succeeded or changed"),
        tag("div", shown, class_="stack"),
    )


def _tell(example: Example) -> Iterator[tuple[str, Piece]]:
    yield "probe", f"{example.family}/{example.kind}"
    if example.question is not None:
        yield "question", example.question
    yield "reference", " · ".join(example.references[:5])
    yield "answer", example.answer
    yield "verdict", f"{show_value(example.value)} by {example.decided_by}"
    if example.base_answer is not None:
        yield "unchanged", f"{example.base_answer}: {show_value(example.base_value)}"


def _side_by_side(audits: Sequence[Audit]) -> list[Markup]:
    names = dict.fromkeys(rate.name for audit in audits for rate in audit.families)
    found = [
        (f"{name} · {audit.judge}", rate)
        for name in names
        for audit in audits
        for rate in audit.families
        if rate.name == name
    ]
    return list(_families("all judges", audits[0].protocol, found))
