"""Who decided, what it cost, what stayed unjudged, and what it takes to do it again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from karat.core.types import NOTHING, Spent
from karat.report.content import RunReport
from karat.report.format import show_number, show_paid, show_spent, show_tokens
from karat.report.page.markup import Markup, Piece, items_link, tag
from karat.report.page.tables import Count, card, count_table, pairs, section
from karat.stats import Undefined


def draw_origins(runs: Sequence[RunReport]) -> Markup:
    """Rule, embedded judge or model, with tokens and cost."""
    cards = [card(_title(run, runs), _origins(at, run), _panel(run)) for at, run in enumerate(runs)]
    lead = "Who decided the judged rows, and what this run paid for it."
    return section("origins", "Where verdicts came from", lead, tag("div", cards, class_="grid"))


def _origins(at: int, run: RunReport) -> list[Piece]:
    summary = run.summary
    if not summary.judged:
        return [tag("p", "No row is judged.", class_="note")]
    paid = any(
        spent.input_tokens or spent.output_tokens or spent.uncounted for spent in run.spent_by.values()
    )
    lines = [
        Count(
            name,
            rows,
            _tokens(run.spent_by.get(name, NOTHING)) if paid else (),
            link=items_link(at, {"by": name}),
        )
        for name, rows in summary.decided_by.items()
    ]
    more = ("tokens in", "tokens out", "cost") if paid else ()
    told = "No model was called."
    if summary.spent.calls:
        told = f"{summary.spent.calls:,} calls in all: {show_spent(summary.spent)}."
        lost = run.spent_by.get("unjudged")
        told += f" Rows that stayed unjudged took {show_spent(lost)}." if lost else ""
    return [
        count_table("Rows by who decided", "decided by", lines, summary.judged, more=more),
        tag("p", told, class_="note"),
    ]


def _tokens(spent: Spent) -> tuple[str, ...]:
    return show_tokens(spent.input_tokens), show_tokens(spent.output_tokens), show_paid(spent)


def _panel(run: RunReport) -> Piece:
    panel = run.summary.panel
    if panel is None:
        return None
    effective = panel.effective
    worth = f"not defined: {effective.why}" if isinstance(effective, Undefined) else f"{effective:.2f}"
    return [
        tag("h3", "The panel", class_="sub"),
        pairs([(pair, f"same verdict {show_number(share)}") for pair, share in panel.agreement.items()]),
        tag("p", f"Worth how many independent judges: {worth}", class_="note"),
    ]


def draw_unjudged(runs: Sequence[RunReport]) -> Markup | None:
    """Unjudged rows by cause, each with a reason that was given."""
    cards = [
        card(_title(run, runs), _unjudged(at, run)) for at, run in enumerate(runs) if run.summary.unjudged
    ]
    lead = "Rows without a verdict stay in the population; they are never counted as wrong."
    return section("unjudged", "Unjudged", lead, tag("div", cards, class_="grid")) if cards else None


def _unjudged(at: int, run: RunReport) -> list[Piece]:
    summary = run.summary
    lines = [
        Count(cause, rows, link=items_link(at, {"value": cause})) for cause, rows in summary.unjudged.items()
    ]
    reasons = [(cause, reason[:300]) for cause, reason in summary.reasons.items()]
    return [
        count_table("Unjudged rows by cause", "cause", lines, summary.rows, quiet=True),
        tag("div", tag("h3", "For example", class_="sub"), pairs(reasons), class_="examples")
        if reasons
        else None,
    ]


def draw_identity(runs: Sequence[RunReport], karat: str) -> Markup:
    """What has to be the same for the same verdicts."""
    cards = [card(_title(run, runs), pairs(_identity(run, karat))) for run in runs]
    lead = "The judge's fingerprint covers protocol, prompt, model, endpoint, parameters and rules: the same fingerprint is the same judge."
    return section("identity", "Judge and prompt", lead, tag("div", cards, class_="grid"))


def _identity(run: RunReport, karat: str) -> Iterator[tuple[str, Piece]]:
    facts = run.facts
    yield "fingerprint", tag("code", facts.fingerprint)
    yield from ((name, tag("code", value)) for name, value in _flatten(facts.identity))
    yield "answers", facts.answers
    yield "columns", facts.columns
    if run.summary.skipped:
        yield "bad rows left out", f"{run.summary.skipped:,}"
    yield "run", str(facts.run)
    yield "started", facts.started
    yield "finished", facts.finished or "not yet"
    yield "report by", f"karat {karat}"


def _flatten(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _flatten(cast("dict[str, Any]", value), f"{prefix}{name}.")
        elif isinstance(value, list):
            for number, part in enumerate(cast("list[Any]", value), 1):
                inner = cast("dict[str, Any]", part) if isinstance(part, dict) else {"": part}
                yield from _flatten(inner, f"{prefix}{name} {number} ")
        elif value is not None:
            yield f"{prefix}{name}".strip(), str(value)


def _title(run: RunReport, runs: Sequence[RunReport]) -> Piece:
    return None if len(runs) == 1 else tag("span", run.name)
