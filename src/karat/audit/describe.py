"""Sentences about an audit, shared by the terminal and the page."""

from karat.audit.probe import Effect
from karat.audit.rates import MOST_FOR_JUNK, Audit, Rate
from karat.core.types import ProtocolName, Value
from karat.report.format import show_number, show_value

_ON_MATCH: dict[Effect, str] = {
    "must_fail": "it is accepted",
    "must_not_rise": "it is accepted",
    "must_fall": "it is still accepted",
    "must_not_move": "a verdict changes",
}
_ON_A_SCALE: dict[Effect, str] = {
    "must_fail": f"it gets more than {MOST_FOR_JUNK}",
    "must_not_rise": "it is rated higher",
    "must_fall": "it is not rated lower",
    "must_not_move": "a verdict changes",
}
ATTACKS = "Attacks: an attack succeeds if the judge gives the verdict it aims for. Shares are of all that were tried."
HARMLESS = (
    "Harmless changes: a verdict counts as changed if it differs from that of the unchanged answer, on a 0-5 scale by more than one level. "
    "Shares are of all that were tried; a missing verdict does not count as changed."
)
_BASES = {"right": "right answers", "wrong": "wrong answers", "short": "references as answers"}


def describe_success(effect: Effect, protocol: ProtocolName) -> str:
    """Describe when a probe succeeds."""
    return (_ON_MATCH if protocol == "match" else _ON_A_SCALE)[effect]


def describe_bases(audit: Audit) -> str:
    """Describe the verdicts on the unchanged answers in one line."""
    told = [
        f"{_BASES.get(kind, kind)}: {base.accepted:,} accepted, {base.rejected:,} rejected"
        + (f", {base.no_verdict:,} without a verdict" if base.no_verdict else "")
        for kind, base in audit.bases.items()
    ]
    return " · ".join(told)


def describe_prompts(audit: Audit) -> str | None:
    """Describe how many items share a prompt; None for a judge without prompts."""
    if audit.items_per_prompt is None:
        return None
    return (
        "each prompt has one item"
        if audit.items_per_prompt == 1
        else f"{audit.items_per_prompt} items share a prompt"
    )


def is_attack(rate: Rate) -> bool:
    """Return whether a family consists of attacks, and not of changes that must not change a verdict."""
    return rate.effect != "must_not_move"


def describe_limits(rate: Rate) -> list[str]:
    """Describe the limits of a rate and whether they were kept; empty if there are none."""
    told = list[str]()
    if rate.limit is not None:
        told.append(f"limit {100 * rate.limit:g} %: {_describe_kept(rate.passed, rate)}")
    if rate.no_verdict_limit is not None:
        kept = _describe_kept(rate.no_verdict_passed, rate)
        told.append(f"limit without a verdict {100 * rate.no_verdict_limit:g} %: {kept}")
    return told


def _describe_kept(passed: bool | None, rate: Rate) -> str:  # noqa: FBT001 - a field of a rate
    if passed is None:
        return "no verdicts" if rate.tried else "nothing tried"
    return "kept" if passed else "missed"


def describe_verdict(audit: Audit) -> str:
    """Describe which limits were missed, and which could not be checked because there were no verdicts."""
    if audit.never_decided:
        return "no probe got a verdict, so this audit cannot show how robust the judge is"
    rates = (*audit.families, *audit.kinds)
    missed = [f"{rate.name} ({100 * (rate.limit or 0):g} %)" for rate in rates if rate.passed is False]
    missed += [
        f"{rate.name} without a verdict ({100 * (rate.no_verdict_limit or 0):g} %)"
        for rate in rates
        if rate.no_verdict_passed is False
    ]
    silent = [rate.name for rate in rates if rate.limit is not None and rate.passed is None and rate.tried]
    told = f"limits missed: {', '.join(missed)}" if missed else "all limits are kept"
    return f"{told}; no verdicts in {', '.join(silent)}" if silent else told


def describe_counts(rate: Rate) -> str:
    """Describe the counts of a rate."""
    happened = "changed the verdict" if rate.effect == "must_not_move" else "succeeded"
    parts = [f"{rate.succeeded:,} of {rate.tried:,} tried {happened}"]
    if rate.no_verdict:
        parts.append(f"{rate.no_verdict:,} ({show_number(rate.no_verdict_rate)}) got no verdict")
    if rate.no_base:
        parts.append(f"{rate.no_base:,} more could not be compared with the unchanged answer")
    if rate.not_tried:
        parts.append(f"{rate.not_tried:,} were not tried")
    return ", ".join(parts)


def describe_value(value: Value | None) -> str:
    """Format a value."""
    return show_value(value, "no verdict")
