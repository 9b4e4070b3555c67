"""Who does what to whom: an answer with the roles swapped is not accepted."""

from pathlib import Path

from example_lines import check_lines
from text_checks import gate_and_rules, verdict

EXAMPLES = Path(__file__).parent / "data" / "assertion.jsonl"


def test_swapped_roles_are_not_accepted_and_the_roles_of_the_question_are() -> None:
    check_lines(EXAMPLES, gate_and_rules=gate_and_rules, verdict=verdict)
