"""Answers that tell something of what they name, and talk about answers."""

import pytest

import karat
from karat.core.types import Item, Verdict
from karat.embedded.vetoes import is_report

QUESTION = "who won the first season of the show"


def reports(answer: str, reference: str = "Kelly Clarkson") -> bool:
    return is_report(Item(QUESTION, (reference,), answer))


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Kelly Clarkson", "Texas-born Kelly Clarkson beat Justin Guarini at the finale of September 2002, on 4 September."),
        ("Jack Ruby", "A nightclub owner named Jack Ruby shot him in the basement of police headquarters."),
        ("Elizabeth I", "Elizabeth I sat on the throne from 1558 to 1603."),
        ("116 years", "Despite its name it went on for 116 years, from 1337 until 1453."),
    ],
)  # fmt: skip
def test_nobody_speaks_and_something_is_told(reference: str, answer: str) -> None:
    assert reports(answer, reference)


@pytest.mark.parametrize(
    "answer",
    [
        "My nightclub friend from headquarters likes Kelly Clarkson.", "Kelly Clarkson, or the basement tapes of 1975?", "The nightclub basement was not named for Kelly Clarkson.",
        "Kelly Clarkson comes to mind.", "<del>Kelly Clarkson</del> 1975 nightclub", "Anything else than Kelly Clarkson at police headquarters in 1975.",
    ],
)  # fmt: skip
def test_talk_doubt_and_markup_report_nothing(answer: str) -> None:
    assert not reports(answer)


def test_a_report_without_a_word_of_the_question_is_judged() -> None:
    verdict = karat.judge(
        "who killed lee harvey oswald",
        "Jack Ruby",
        "A Dallas nightclub owner named Jack Ruby shot him in the basement of police headquarters on November 24, 1963.",
    )
    assert isinstance(verdict, Verdict)
    assert verdict.value is True
