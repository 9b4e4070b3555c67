"""Refusals: an answer that declines is rejected, one that answers all the same is not."""

from pathlib import Path

from example_lines import check_lines
from karat.core.types import Item
from karat.text import check_gate
from text_checks import gate_ruling

EXAMPLES = Path(__file__).with_name("refusal.jsonl")


def test_a_refusal_is_rejected_unless_it_answers_or_the_reference_is_one() -> None:
    check_lines(EXAMPLES, gate=gate_ruling)


def test_what_the_source_lacks_may_be_the_answer() -> None:
    item = Item("Which country is missing in the table?", ("Spain",), "The table does not include Spain.")
    assert check_gate(item) is None
