"""What the data files of tests/text and tests/embedded expect, and how it is found."""

import karat
from example_lines import Line, read_item
from karat.core.types import Verdict
from karat.text import (
    Ruling,
    apply_rules,
    check_gate,
    classify_figure,
    find_objection,
    find_period_of_date,
    gives_other_number,
    is_off_topic,
    respell,
    strip_politeness,
    unwrap_answer,
)


def verdict(line: Line) -> str:
    """Apply the rules, and say whether they accept the answer, reject it or leave it undecided."""
    ruling = apply_rules(read_item(line))
    if ruling is not None:
        assert ruling.reason.endswith(".")
        assert (ruling.reference is not None) is ruling.accept
    return _name(ruling)


def rule_name(line: Line) -> str | None:
    """Apply the rules, and name the one that decides."""
    ruling = apply_rules(read_item(line))
    return ruling and ruling.name


def verdict_both_ways(line: Line) -> str:
    """Apply the rules to the answer and the reference, and to the reference as the answer."""
    turned = {"reference": line["answer"], "answer": line["reference"]}
    found = verdict(line), verdict({**line, **turned})
    return found[0] if found[0] == found[1] else " or ".join(found)


def gate_ruling(line: Line) -> str | None:
    """Ask the gate, and name what it rejects the answer for."""
    ruling = check_gate(read_item(line))
    assert ruling is None or (not ruling.accept and ruling.reference is None and ruling.reason)
    return ruling and ruling.name


def gate_and_rules(line: Line) -> str:
    """Ask the gate and then the rules for a verdict."""
    item = read_item(line)
    return _name(check_gate(item) or apply_rules(item))


def judged(line: Line) -> str:
    """Ask the embedded judge for a verdict."""
    outcome = karat.grade([read_item(line)])[0]
    if not isinstance(outcome, Verdict):
        return "undecided"
    return "accepted" if outcome.value else "rejected"


def objection(line: Line) -> str | None:
    """Find the objection to an accept, in words."""
    return find_objection(read_item(line))


def has_objection(line: Line) -> bool:
    """Check whether there is an objection to an accept."""
    return objection(line) is not None


def off_topic(line: Line) -> bool:
    """Check whether the talk around a mention is off topic."""
    return is_off_topic(read_item(line))


def off_topic_without_politeness(line: Line) -> bool:
    """Check whether the talk is off topic when the politeness around it is gone."""
    return off_topic({**line, "answer": strip_politeness(line["question"], line["answer"])})


def respelt(line: Line) -> str:
    """Write the answer as the reference writes it."""
    return respell(line["reference"], line["answer"], line.get("question", ""))


def unwrapped(line: Line) -> str:
    """Take the answer out of what a system wrapped it in."""
    return unwrap_answer(read_item(line)).answer


def figure_class(line: Line) -> str | None:
    """Classify the figure of an answer against that of the reference."""
    return classify_figure(line["reference"], line["answer"], line.get("question", ""))


def other_number(line: Line) -> bool:
    """Check whether the answer gives another number than the first reference."""
    return gives_other_number(read_item(line).references, 0, line["answer"], line.get("question", ""))


def within_period(line: Line) -> bool:
    """Check whether the answer is a date within the period of a reference."""
    return find_period_of_date(read_item(line)) is not None


def _name(ruling: Ruling | None) -> str:
    if ruling is None:
        return "undecided"
    return "accepted" if ruling.accept else "rejected"
