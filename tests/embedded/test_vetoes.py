"""Vetoes: reports that tell something are judged, talk about answers is not."""

from pathlib import Path

import karat
from example_lines import Line, check_lines, read_item
from karat.core.types import Verdict
from karat.embedded.vetoes import is_report

EXAMPLES = Path(__file__).with_name("vetoes.jsonl")


def report(line: Line) -> bool:
    return is_report(read_item(line))


def test_a_report_tells_something_and_talk_doubt_and_markup_do_not() -> None:
    check_lines(EXAMPLES, report=report)


def test_a_report_without_a_word_of_the_question_is_judged() -> None:
    verdict = karat.judge(
        "who killed lee harvey oswald",
        "Jack Ruby",
        "A Dallas nightclub owner named Jack Ruby shot him in the basement of police headquarters on November 24, 1963.",
    )
    assert isinstance(verdict, Verdict)
    assert verdict.value is True
