"""The rules: what they are sure of, what they leave undecided, and what changes nothing."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import bounded_effort
from example_lines import check_lines
from karat.core.types import Item
from karat.text import RULES_VERSION, Ruling, apply_rules
from text_checks import rule_name, verdict

EXAMPLES = Path(__file__).parent / "data" / "rules.jsonl"
ANY_TEXT = st.text(st.characters(), max_size=60)
AWKWARD = st.lists(
    st.sampled_from(["5", "1969", "1/0", "0", "-", "/", "July", "one", "half", "a", "hundred", "point", "km", "$", "°", "%", "th", ",", ".",
                     "9" * 50, "44 BC", "31/02/2001", "00", "not", "or", "NATO", "[1]", "and", "x²", "½", "٣", "²", "twenty", "-five"]),
    max_size=8,
).map(" ".join)  # fmt: skip
WORDS = [
    "Paris",
    "NATO",
    "1969",
    "July 20, 1969",
    "5",
    "five",
    "North Atlantic Treaty Organization",
    "yes",
    "London",
    "5 km",
    "1968",
]


def rule(reference: str, answer: str, question: str | None = None) -> Ruling | None:
    return apply_rules(Item(question, (reference,), answer))


def test_rules_decide_only_what_is_sure() -> None:
    check_lines(EXAMPLES, verdict=verdict, by=rule_name)


def test_numbers_of_the_question_do_not_count() -> None:
    ruling = rule("18", "Season 5 has 18 episodes.", "How many episodes has season 5?")
    assert ruling is not None
    assert ruling.accept


def test_all_references_must_conflict() -> None:
    assert apply_rules(Item(None, ("1912", "Titanic"), "1913")) is None
    ruling = apply_rules(Item(None, ("1912", "1911"), "1913"))
    assert ruling is not None
    assert not ruling.accept


def test_other_references_may_share_a_list() -> None:
    ruling = apply_rules(
        Item(
            "Who are the commentators?",
            ("Tara Lipinski", "Johnny Weir"),
            "Tara Lipinski and Johnny Weir are the commentators.",
        )
    )
    assert ruling is not None
    assert ruling.accept


def test_a_word_of_the_question_may_be_in_another_reference() -> None:
    references = ("Hesse, Germany", "on the river Fulda")
    ruling = apply_rules(Item("Where is Fulda?", references, "Fulda lies in Hesse, Germany."))
    assert ruling is not None
    assert ruling.accept


def test_a_name_in_lower_case_beside_words_of_the_question_is_accepted() -> None:
    ruling = rule("Leto", "the singer is leto", "who is the singer?")
    assert ruling is not None
    assert ruling.accept


def test_a_closing_question_mark_may_belong_to_the_reference() -> None:
    ruling = rule("Who's Afraid of Virginia Woolf?", "who's afraid of virginia woolf?")
    assert ruling is not None
    assert ruling.accept


def test_the_reference_that_matched_is_named() -> None:
    ruling = apply_rules(Item(None, ("London", "Paris", "City of Light"), "City of Light"))
    assert ruling is not None
    assert ruling.reference == 2


def test_the_strongest_rule_names_the_reference() -> None:
    ruling = apply_rules(Item(None, ("whale", "blue whale"), "Blue whale"))
    assert ruling is not None
    assert (ruling.name, ruling.reference) == ("equal", 1)


@settings(deadline=None)
@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3), ANY_TEXT | st.none())
def test_rules_never_raise(answer: str, references: list[str], question: str | None) -> None:
    apply_rules(Item(question, tuple(references), answer))


@settings(deadline=None)
@given(AWKWARD, AWKWARD, AWKWARD)
def test_rules_never_raise_on_broken_values(answer: str, reference: str, question: str) -> None:
    apply_rules(Item(question, (reference,), answer))
    apply_rules(Item(question, (reference.replace(" ", ""),), answer.replace(" ", "")))


@settings(deadline=None)
@given(ANY_TEXT | AWKWARD, st.lists(ANY_TEXT, max_size=2), ANY_TEXT | st.none())
def test_an_answer_equal_to_a_reference_is_always_accepted(
    text: str, others: list[str], question: str | None
) -> None:
    ruling = apply_rules(Item(question, (*others, text), text))
    assert ruling is not None
    assert ruling.accept


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.sampled_from(WORDS))
def test_the_order_of_references_does_not_change_the_decision(references: list[str], answer: str) -> None:
    before = apply_rules(Item(None, tuple(references), f"It is {answer}."))
    after = apply_rules(Item(None, tuple(reversed(references)), f"It is {answer}."))
    assert (before and before.accept) == (after and after.accept)


@settings(deadline=None)
@given(
    st.sampled_from(WORDS),
    st.sampled_from(WORDS),
    st.sampled_from("\u200b\u2060\u00ad\ufeff\U000e0041"),
    st.integers(0, 20),
)
def test_invisible_characters_change_nothing(reference: str, answer: str, hidden: str, place: int) -> None:
    assert rule(reference, answer) == rule(reference, answer[:place] + hidden + answer[place:])


@pytest.mark.parametrize(
    "text",
    [
        "a" * 10**6,
        "Paris " * 160_000,
        "1969 " * 200_000,
        "one hundred and " * 60_000,
        "5-" * 500_000,
        "A, " * 300_000,
        "(" * 10**6,
        "é" * 10**6,
    ],
)
@pytest.mark.parametrize("reference", ["Paris", "1969", "5"])
def test_a_megabyte_takes_little_effort(text: str, reference: str) -> None:
    for size in (10**6, 19_000):
        with bounded_effort():
            apply_rules(Item("What?", (reference,), text[:size]))


def test_many_references_in_a_long_list_take_little_effort() -> None:
    names = tuple(f"Name{place}" for place in range(200))
    with bounded_effort():
        apply_rules(Item("Who?", names, ", ".join(names * 10)))


def test_a_long_answer_equal_to_a_long_reference_is_accepted() -> None:
    text = "word " * 50_000
    ruling = apply_rules(Item(None, (text,), text + " "))
    assert ruling is not None
    assert ruling.accept


def test_the_version_of_the_rules_is_a_plain_constant() -> None:
    assert RULES_VERSION == "14"
