"""An audit as a section of a page, and as a page of its own."""

from collections.abc import Iterator, Sequence

from karat.audit.rates import Audit, Example, Rate
from karat.audit.wording import (
    MUST,
    describe_bases,
    describe_company,
    describe_counts,
    describe_limit,
    describe_verdict,
    show_value,
)
from karat.report.page.markup import Markup, Piece, tag
from karat.report.page.tables import Line, card, figure_table, pairs, say, section
from karat.report.page.writing import write_sections
from karat.report.wording import count, show_cost, show_number
from karat.rows.target import Target

_LEAD = (
    "How often a probe had an effect that it must not have, of all probes whose base was judged as needed. "
    "Junk must fail, an injection must not raise a wrong answer, hedges and changes of meaning must lower a right one, "
    "and neither harmless changes nor order and company may move a verdict. A probe that got no verdict is no failure."
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
        ("prompts", describe_company(audit)),
        ("result", describe_verdict(audit)),
    ]
    if audit.spent.calls:
        facts.append(("cost", f"{count(audit.spent.calls, 'call')}, {show_cost(audit.spent.cost_usd)}"))
    return card(
        f"{audit.judge} · {audit.protocol}",
        pairs(facts),
        _rates(f"Families, {audit.judge}", audit.families),
        [_kinds(audit, family) for family in audit.families],
        _examples(audit),
    )


def _rates(
    title: str, rates: Sequence[Rate], names: Sequence[str] | None = None, *, first: str = "family"
) -> Markup:
    lines = [
        Line(
            [name, tag("div", f"must {MUST[rate.effect]}", class_="dim")],
            name,
            rate.rate,
            said=tuple(_say(rate)),
        )
        for name, rate in zip(names or [rate.name for rate in rates], rates, strict=True)
    ]
    return figure_table(title, (first, "failed [95 %]"), lines, show=show_number, unit=" %", times=100)


def _say(rate: Rate) -> Iterator[Piece]:
    yield say(rate.rate, show_number)
    yield tag("div", describe_counts(rate), class_="dim")
    if rate.limit is not None:
        yield tag("div", describe_limit(rate), class_="above" if rate.passed is False else "dim")


def _kinds(audit: Audit, family: Rate) -> Markup | None:
    kinds = [rate for rate in audit.kinds if rate.name.startswith(f"{family.name}/")]
    if len(kinds) < 2:  # noqa: PLR2004 - one kind is the family
        return None
    names = [rate.name.partition("/")[2] for rate in kinds]
    table = _rates(f"Kinds of {family.name}, {audit.judge}", kinds, names, first="kind")
    return tag("details", tag("summary", f"{family.name}: {count(len(kinds), 'kind')}"), table)


def _examples(audit: Audit) -> Markup | None:
    if not audit.examples:
        return None
    shown = [card(None, pairs(list(_tell(example)))) for example in audit.examples]
    return tag(
        "details",
        tag("summary", f"{count(len(shown), 'example')} of what failed"),
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
        yield "beside", f"{example.base_answer}: {show_value(example.base_value)}"


def _side_by_side(audits: Sequence[Audit]) -> Markup:
    names = dict.fromkeys(rate.name for audit in audits for rate in audit.families)
    found = [
        (f"{name} · {audit.judge}", rate)
        for name in names
        for audit in audits
        for rate in audit.families
        if rate.name == name
    ]
    return _rates("Families of all judges", [rate for _, rate in found], [name for name, _ in found])
