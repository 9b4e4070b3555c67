"""An audit as tables on a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Group as Together
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from karat.audit.describe import (
    ATTACKS,
    HARMLESS,
    describe_bases,
    describe_limits,
    describe_prompts,
    describe_success,
    describe_value,
    describe_verdict,
    is_attack,
)
from karat.audit.rates import Audit, Example, Rate
from karat.report.format import show_number, show_percent
from karat.report.terminal.tables import make_table
from karat.stats import Estimate

_BAR = 12
_COUNTS = ("tried", "succeeded", "changed", "no verdict", "share")
_QUOTED = 150


def draw_audits(audits: Sequence[Audit]) -> RenderableType:
    """Draw a table for each judge with its worst examples, and all judges side by side."""
    parts = [part for audit in audits for part in _draw(audit)]
    if len(audits) > 1:
        parts += [Text("all judges", style="bold"), _side_by_side(audits), Text()]
    return Together(*parts)


def _draw(audit: Audit) -> Iterator[RenderableType]:
    yield Text(
        f"audit of {audit.judge} · {audit.protocol} · {audit.rows:,} rows · {audit.probes:,} probes of bank {audit.bank}",
        style="bold",
    )
    yield Text(f"unchanged answers: {describe_bases(audit)}")
    prompts = describe_prompts(audit)
    if prompts is not None:
        yield Text(prompts)
    yield Text()
    for told, headings, attacks in (
        (ATTACKS, ("attack", "succeeds if", "tried", "succeeded"), True),
        (HARMLESS, ("change", "tried", "changed"), False),
    ):
        families = [family for family in audit.families if is_attack(family) == attacks]
        if families:
            yield from (Text(told), _rates(audit, families, headings), Text())
    if audit.examples:
        yield from (Text(line, style="dim") for example in audit.examples for line in _tell(example))
        yield Text()
    yield Text(describe_verdict(audit), style="bold green" if audit.passed else "bold red")
    yield Text()


def _rates(audit: Audit, families: Sequence[Rate], headings: tuple[str, ...]) -> Table:
    table = make_table(*headings, "share [95 % interval]", "", "no verdict", "share", "limits", right=_COUNTS)
    for family in families:
        attack = is_attack(family)
        table.add_row(*_cells(audit, family, family.name, attack=attack), style="bold")
        for kind in audit.kinds:
            if kind.name.startswith(f"{family.name}/"):
                table.add_row(*_cells(audit, kind, f"  {kind.name.partition('/')[2]}", attack=attack))
    return table


def _cells(audit: Audit, rate: Rate, name: str, *, attack: bool) -> tuple[str | Text, ...]:
    silent = rate.no_verdict_rate
    return (
        name,
        *((describe_success(rate.effect, audit.protocol),) if attack else ()),
        f"{rate.tried:,}",
        f"{rate.succeeded:,}",
        show_number(rate.rate) if isinstance(rate.rate, Estimate) else rate.rate.why,
        _bar(rate),
        f"{rate.no_verdict:,}",
        show_percent(silent.value) if isinstance(silent, Estimate) else "–",
        Text(
            ", ".join(line.removeprefix("limit ") for line in describe_limits(rate)),
            style="red" if rate.missed else "green",
        ),
    )


def _bar(rate: Rate) -> str:
    value = rate.rate.value if isinstance(rate.rate, Estimate) else 0.0
    return "█" * int(_BAR * value) or ("▏" if value else "")


def _side_by_side(audits: Sequence[Audit]) -> Table:
    table = make_table("family", *(audit.judge for audit in audits), right=())
    names = dict.fromkeys(rate.name for audit in audits for rate in audit.families)
    for name in names:
        rates = [next((rate for rate in audit.families if rate.name == name), None) for audit in audits]
        table.add_row(
            name, *("–" if rate is None else f"{show_number(rate.rate)}{_star(rate)}" for rate in rates)
        )
    return table


def _star(rate: Rate) -> str:
    silent = f", {rate.no_verdict:,} of {rate.tried:,} no verdict" if rate.no_verdict else ""
    return f"{silent}, missed" if rate.missed else silent


def _tell(example: Example) -> Iterator[str]:
    yield f"{example.family}/{example.kind} · {_quote(example.question or '')} · reference {_quote(example.references[0])}"
    base = (
        ""
        if example.base_answer is None
        else f"   unchanged {_quote(example.base_answer)}: {describe_value(example.base_value)}"
    )
    yield f"  {_quote(example.answer)}: {describe_value(example.value)} by {example.decided_by}{base}"


def _quote(text: str) -> str:
    shown = " ".join(text.split())
    return repr(shown if len(shown) <= _QUOTED else shown[: _QUOTED - 1] + "…")
