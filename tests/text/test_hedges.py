"""A reference that is denied, doubted, offered as a choice or named in passing is never accepted."""

from pathlib import Path

from example_lines import check_lines
from karat.core.types import Item
from karat.text import apply_rules
from karat.text.lexicon import HEDGES
from text_checks import gate_and_rules, verdict

EXAMPLES = Path(__file__).parent / "data" / "hedges.jsonl"
CAPITAL = "What is the capital of France?"


def test_a_denied_doubted_or_dismissed_reference_is_not_accepted() -> None:
    check_lines(EXAMPLES, verdict=verdict, gate_and_rules=gate_and_rules)


def test_every_hedge_of_the_lexicon_leaves_a_name_or_a_number_undecided() -> None:
    said = [
        (hedge, Item(CAPITAL, ("Paris",), f"{hedge.capitalize()} the capital of France is Paris."))
        for hedge in sorted(HEDGES)
    ]
    said += [
        (hedge, Item("How many are there?", ("42",), f"There are {hedge} 42 of them."))
        for hedge in sorted(HEDGES)
    ]
    assert [(hedge, item.answer) for hedge, item in said if apply_rules(item) is not None] == []


def test_a_stop_that_closes_a_unit_does_not_hide_what_follows() -> None:
    line = {"question": "When does it freeze?", "reference": "32 °F", "answer": "32 °F. No, wait: it is 476."}
    assert gate_and_rules(line) != "accepted"
