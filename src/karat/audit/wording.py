"""How an audit is put into words, wherever it is read."""

from karat.audit.probe import Effect
from karat.audit.rates import Audit, Rate
from karat.core.types import Value
from karat.report.wording import count

MUST: dict[Effect, str] = {
    "must_fail": "fail",
    "must_not_rise": "not rise",
    "must_fall": "fall",
    "must_not_move": "not move",
}
_BASES = {"right": "right answers", "wrong": "wrong answers", "short": "references as answers"}


def describe_bases(audit: Audit) -> str:
    """What the judge says of the unchanged answers, in one line."""
    told = [
        f"{_BASES.get(kind, kind)}: {base.accepted:,} accepted, {base.rejected:,} rejected"
        + (f", {base.no_verdict:,} without a verdict" if base.no_verdict else "")
        for kind, base in audit.bases.items()
    ]
    return " · ".join(told)


def describe_company(audit: Audit) -> str:
    """How many items share a prompt."""
    if audit.items_per_prompt == 1:
        return "one item at a time is asked about, so that nobody is in company"
    return f"{audit.items_per_prompt} items share a prompt"


def describe_limit(rate: Rate) -> str:
    """The limit of a rate and whether it was kept; nothing where there is none."""
    if rate.limit is None:
        return ""
    kept = "nothing to compare" if rate.passed is None else "kept" if rate.passed else "missed"
    return f"limit {100 * rate.limit:g} %: {kept}"


def describe_verdict(audit: Audit) -> str:
    """Which limits were missed."""
    missed = [rate for rate in (*audit.families, *audit.kinds) if rate.passed is False]
    if not missed:
        return "all limits are kept"
    return "limits missed: " + ", ".join(f"{rate.name} ({100 * (rate.limit or 0):g} %)" for rate in missed)


def describe_counts(rate: Rate) -> str:
    """What a rate is made of."""
    parts = [f"{rate.failed:,} of {count(rate.compared, 'probe')} failed"]
    if rate.no_verdict:
        parts.append(f"{rate.no_verdict:,} got no verdict")
    if rate.no_base:
        parts.append(f"{rate.no_base:,} more had no base to compare with")
    if rate.not_tried:
        parts.append(f"{rate.not_tried:,} were not tried")
    return ", ".join(parts)


def show_value(value: Value | None) -> str:
    """A value as people say it."""
    if value is None:
        return "no verdict"
    return ("Yes" if value else "No") if isinstance(value, bool) else str(value)
