"""An answer that gives another answer beside the reference is not accepted."""

from pathlib import Path

from example_lines import check_lines
from text_checks import gate_and_rules, verdict

EXAMPLES = Path(__file__).parent / "data" / "rivals.jsonl"


def test_a_second_answer_beside_the_reference_is_not_accepted() -> None:
    check_lines(EXAMPLES, gate_and_rules=gate_and_rules, verdict=verdict)


def test_one_of_several_dates_is_not_accepted() -> None:
    assert verdict({"reference": "1969", "answer": "1969\n1970"}) == "undecided"
