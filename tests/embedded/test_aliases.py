"""Another name of the reference is read as the reference, where it stands alone and was not what the question asked about."""

from pathlib import Path

import pytest

from karat.core.types import Item
from karat.embedded import read_aliases
from karat.embedded.aliases import Aliases, strip_marks
from karat.text import normalise

LISTS = Path(__file__).parents[2] / "training" / "alias_lists"
KNOWN = Aliases(
    "^world war ii|^second world war|*ww2\n^united states|*usa|^america\nscapula|shoulder blade\n12|=dozen\ngold|=^au\n^iceland|^ísland|^island\n^world health organization|*who\n^dwayne johnson|=^rock\n"
)


def read(reference: str, answer: str, question: str = "Which one is it?") -> str:
    return KNOWN.rename(Item(question, (reference,), answer)).answer


@pytest.mark.parametrize(
    ("reference", "answer", "told"),
    [
        ("World War II", "the Second World War", "World War II"),
        ("World War II", "It was WW2.", "It was World War II."),
        ("the scapula", "It is the shoulder blade.", "It is the scapula."),
        ("USA", "In America, I think", "In USA, I think"),
        ("12", "a dozen", "12"),
        ("gold", "Au", "gold"),
    ],
)
def test_another_name_is_written_as_the_reference(reference: str, answer: str, told: str) -> None:
    assert read(reference, answer) == told


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("United States", "South America"), ("United States", "south america"), ("World War II", "before/WW2"), ("United States", "America Online"), ("United States", "anti-America"), ("12", "half a dozen"), ("gold", "Au pair"),
        ("Iceland", "The island of Malta"), ("Iceland", "the island of malta"), ("World Health Organization", "The doctors who work there"), ("World Health Organization", "Who knows?"), ("Dwayne Johnson", "a rock"), ("Dwayne Johnson", "A rock"), ("World War II", "the war after the Second World War"), ("United States", "America, Illinois"), ("World War II", "World War II, the Second World War"), ("World War II", "the First World War"), ("tibia", "shoulder blade"),
    ],
)  # fmt: skip
def test_a_longer_name_a_part_or_another_thing_stays_as_it_is(reference: str, answer: str) -> None:
    assert read(reference, answer) == answer


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("What is the scientific name of the bone?", "scapula", "shoulder blade"),
        ("Which bone is the shoulder blade?", "scapula", "the shoulder blade"),
        ("What is the symbol of the metal?", "gold", "Au"),
        ("What does USA stand for?", "United States", "America"),
        ("What do doctors call it?", "scapula", "shoulder blade"),
        ("What was it called in those times?", "scapula", "shoulder blade"),
    ],
)
def test_who_asks_for_one_of_the_names_is_not_answered_by_another(
    question: str, reference: str, answer: str
) -> None:
    assert read(reference, answer, question) == answer


def test_an_answer_that_holds_a_reference_is_left_alone() -> None:
    item = Item("Which war?", ("World War I", "World War II"), "World War I, not the Second World War")
    assert KNOWN.rename(item) == item


def test_a_name_of_the_shipped_table_names_one_thing() -> None:
    names = [strip_marks(name) for names in read_aliases().list_things() for name in names]
    assert all(name and name == " ".join(name.split()) for name in names)
    assert len(set(names)) == len(names)


def test_names_of_the_shipped_table_are_held_to_their_capitals() -> None:
    things = {frozenset(names) for names in read_aliases().list_things()}
    assert any({"^iceland", "^island"} <= names for names in things)
    assert any({"trachea", "windpipe"} <= names for names in things)


def test_the_shipped_table_is_made_of_our_lists() -> None:
    lines = [line for path in LISTS.glob("*.txt") for line in path.read_text(encoding="utf-8").splitlines()]
    listed = {
        normalise(name.strip().removeprefix("="))
        for line in lines
        if not line.startswith("#")
        for name in line.split("|")
    }
    shipped = {strip_marks(name) for names in read_aliases().list_things() for name in names}
    assert shipped <= listed
    assert len(shipped) > 0.8 * len(listed)
