"""Names with a Roman number: "James the First" is "James I", and "Henry VII" is not "Henry VIII"."""

import re
from fractions import Fraction

from karat.text.numbers import PLACE_WORDS, read_place

_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50}
# "Henry I think" is no Henry the First.
_ROMAN = r"(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?!\w|['’](?!s\b)|(?<=\sI)\s+(?:think|guess|believe|suppose|mean|am|was|would|know|say))"
_NUMBERED = re.compile(rf"(?<![\w'’-])(?P<name>[A-Z][\w'’-]+)\s(?P<roman>{_ROMAN})")

_REALM = re.compile(rf"\s(?:{_ROMAN})(?:\sof\s[A-Z]|\s(?:and|&)\s(?:{_ROMAN}))")
_ANY = re.compile(rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?|(?i:{PLACE_WORDS}))\b")


def respell_regnal(reference: str, answer: str) -> str:
    """Return the answer with a ruler called as in the reference, where it is the same by a word for his place."""
    wanted = _NUMBERED.search(reference)
    if wanted is None or wanted["name"] not in answer:
        return answer

    def write(found: re.Match[str]) -> str:
        same = _read_place(found["place"]) == _read_roman(wanted["roman"])
        return f"{wanted['name']} {wanted['roman']}" if same else found[0]

    return _placed(wanted["name"]).sub(write, answer)


def is_renumbered(reference: str, answer: str) -> bool:
    """Tell whether an answer has the name of the reference with other numbers alone, and the number of the reference in no form; of several such names, and of rulers of several realms, nothing is told."""
    several = list(_NUMBERED.finditer(reference))
    if len(several) != 1 or several[0]["name"] not in answer:
        return False
    name, value = several[0]["name"], _read_roman(several[0]["roman"])
    given = [
        *(_read_roman(found["roman"]) for found in _NUMBERED.finditer(answer) if found["name"] == name),
        *(_read_place(found["place"]) for found in _placed(name).finditer(answer)),
    ]
    if not given or None in given or value in given or _REALM.search(answer):
        return False
    return not any(_read_any(found[0]) == value for found in _ANY.finditer(answer))


def _placed(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w'’-]){re.escape(name)},?\s(?:the\s)?(?P<place>\d{{1,2}}(?:st|nd|rd|th)|(?i:{PLACE_WORDS}))(?!\w|\s(?!of\b)[A-Za-z]*(?:year|time|term|season|day|son|daughter|child|wife|king|president)\b)"
    )


def _read_place(text: str) -> Fraction | None:
    number = read_place(text.lower())
    return None if number is None else number.value


def _read_any(text: str) -> Fraction | None:
    return Fraction(text) if text.isdecimal() else _read_place(text)


def _read_roman(text: str) -> Fraction:
    values = [_LETTERS[letter] for letter in text]
    return Fraction(sum(-one if one < max(values[at:]) else one for at, one in enumerate(values)))
