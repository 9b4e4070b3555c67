"""Word pieces against the package that defines them."""

from importlib.resources import files

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from karat.embedded.inputs import WordPieces

VOCABULARY = (files("karat.embedded") / "weights" / "vocabulary.txt").read_text(encoding="utf-8")
# The package's tables know fewer characters than Python's, and one by another category: signs that came late or changed, and what is not assigned, are left out.
LATE = "".join(map(chr, [0x166D, 0x20C0, *range(0x2E50, 0x2E5E)]))
CHARACTERS = st.characters(
    max_codepoint=0x9FFF, exclude_categories=["Cf", "Cn", "Co", "Cs", "Mn", "Po"], exclude_characters=LATE
) | st.characters(max_codepoint=0x36F)
OURS = WordPieces(VOCABULARY)


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
def test_pieces_are_those_of_the_package(theirs, text: str) -> None:  # noqa: ANN001 - a type of the package
    assert OURS.split(text) == theirs.encode(text, add_special_tokens=False).ids
