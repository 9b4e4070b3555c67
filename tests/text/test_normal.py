"""Normalisation: what carries meaning is kept, spelling and invisible characters are not."""

import unicodedata
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from example_lines import Line, check_lines
from karat.text import clean, normalise, strip_invisible

EXAMPLES = Path(__file__).parent / "data" / "normal.jsonl"
ANY_TEXT = st.text(st.characters(), max_size=60)


def cleaned(line: Line) -> str:
    return clean(line["text"])


def visible(line: Line) -> str:
    return strip_invisible(line["text"])


def forms(line: Line) -> int:
    return len({normalise(text) for text in line["texts"]})


def test_texts_that_mean_the_same_have_one_form_and_others_several() -> None:
    check_lines(EXAMPLES, clean=cleaned, visible=visible, forms=forms)


@settings(deadline=None)
@given(ANY_TEXT)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert strip_invisible(strip_invisible(text)) == strip_invisible(text)


@settings(deadline=None)
@given(ANY_TEXT)
def test_no_format_or_control_character_survives(text: str) -> None:
    assert not {unicodedata.category(each) for each in clean(text) if each not in "\n\t"} & {"Cf", "Cc", "Cs"}


def test_stripping_keeps_signs_that_cleaning_rewrites() -> None:
    assert strip_invisible("x² ½") == "x² ½"
    assert clean("ﬁne") == "fine"


def test_line_breaks_stay_line_breaks() -> None:
    assert clean("a\r\nb\rc\u2028d\te") == "a\nb\nc\nd\te"


@settings(deadline=None)
@given(ANY_TEXT)
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@settings(deadline=None)
@given(st.text(st.sampled_from("aAtTheE n.'`,-+#*_/&$%²½éßİ\u0345 0159():;!?"), max_size=12))
@example("0*An")
@example("an*5")
def test_normalising_twice_changes_nothing_more_among_awkward_characters(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_other_scripts_are_not_transliterated() -> None:
    assert normalise("Москва") == "москва"
    assert normalise("東京") == "東京"
