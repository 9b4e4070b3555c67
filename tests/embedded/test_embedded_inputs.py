"""What the network reads: chosen references, passages of long answers, and word pieces."""

from importlib.resources import files
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from karat.embedded.inputs import (
    Texts,
    WordPieces,
    choose_references,
    keep_passages,
    split_sentences,
)

TEXT = st.text(max_size=200)
VOCABULARY = (files("karat.embedded") / "weights" / "vocabulary.txt").read_text(encoding="utf-8")
# The package's tables know fewer characters than Python's, and one by another category: signs that came late or changed, and what is not assigned, are left out.
LATE = "".join(map(chr, [0x166D, 0x20C0, *range(0x2E50, 0x2E5E)]))
CHARACTERS = st.characters(
    max_codepoint=0x9FFF, exclude_categories=["Cf", "Cn", "Co", "Cs", "Mn", "Po"], exclude_characters=LATE
) | st.characters(max_codepoint=0x36F)
OURS = WordPieces(VOCABULARY)


def test_the_most_similar_references_come_first() -> None:
    references = ("Eiffel Tower", "a bridge", "the Eiffel tower in Paris")
    assert choose_references(references, "It is the Eiffel Tower.", 2)[0] == 0
    assert choose_references(("b", "a", "a"), "a", 3) == [1, 0]


@given(st.lists(TEXT, min_size=1, max_size=8), TEXT, st.randoms())
def test_the_order_of_references_does_not_change_which_texts_are_chosen(
    references: list[str], answer: str, chance: Random
) -> None:
    turned = references[:]
    chance.shuffle(turned)
    chosen, again = (choose_references(tuple(each), answer, 2) for each in (references, turned))
    assert [references[place] for place in chosen] == [turned[place] for place in again]


@given(st.lists(TEXT, min_size=1, max_size=8), TEXT)
def test_some_reference_is_always_chosen(references: list[str], answer: str) -> None:
    chosen = choose_references(tuple(references), answer, 2)
    assert 1 <= len(chosen) <= 2
    assert all(0 <= place < len(references) for place in chosen)


def test_a_long_answer_keeps_the_passage_about_the_reference() -> None:
    talk = [f"Sentence number {count} tells of something else entirely." for count in range(60)]
    talk[41] = "The treaty was signed at Tordesillas."
    kept = keep_passages("where was the treaty signed", "Tordesillas", " ".join(talk), 30)
    assert "Tordesillas" in kept
    assert len(kept.split()) <= 30


@given(TEXT, st.integers(5, 40))
def test_a_short_answer_is_kept_whole(answer: str, words: int) -> None:
    if len(answer.split()) <= words:
        assert keep_passages("q", "r", answer, words) == answer


def test_sentences_end_at_stops_and_bullets_but_not_at_abbreviations() -> None:
    assert split_sentences(
        "Dr. Smith saw it. He left at 3.5 km.\n- first point here\n- second point here"
    ) == [
        "Dr. Smith saw it.",
        "He left at 3.5 km.",
        "first point here",
        "second point here",
    ]


@given(TEXT)
def test_sentences_keep_every_word(text: str) -> None:
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    kept = " ".join(split_sentences(text)).split()
    assert len(kept) >= len([word for word in words if word.strip("-*•") in kept])


def test_the_answer_is_written_as_the_reference_writes_it() -> None:
    focused = Texts("How long may I return it?", "within 14 days", "for two weeks").focus()
    assert focused.answer == "for 14 days"
    assert Texts(None, "within 14 days", "for three weeks").focus().answer == "for three weeks"


@pytest.fixture(scope="module")
def theirs():  # noqa: ANN201 - a type of the package
    from tokenizers import BertWordPieceTokenizer

    numbers = {piece: number for number, piece in enumerate(VOCABULARY.split("\n"))}
    return BertWordPieceTokenizer(vocab=numbers, lowercase=True)


@settings(max_examples=150)
@given(st.text(CHARACTERS, max_size=80))
@example("Señor Müller's naïve café, ΣΊΣΥΦΟΣ, 東京タワー, 50% of $1,234.50 — “quoted” #tag_1 C++ ½ km² ﬁne")
@example("İstanbul ẞ ß ǅ \u200b\u00ad\ufeff x\u0301\u0327")
@example("a" * 101 + " " + "b" * 100)
def test_word_pieces_are_those_of_the_tokenizers_package(theirs, text: str) -> None:  # noqa: ANN001 - a type of the package
    assert OURS.split(text) == theirs.encode(text, add_special_tokens=False).ids
