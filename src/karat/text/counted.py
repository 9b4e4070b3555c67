"""Things that are told by their number: "Season 8" beside "the eighth season" is read as the latter, and "Season 7" as "the 7th season"."""

import re

from karat.text.numbers import PLACE_WORDS, read_digits, read_place, read_words

_NOUNS = "season|series|chapter|article|amendment|quarter|grade|round|volume|edition|floor|week|episode|act|scene|level|phase|stage|verse"
_SMALL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty"
_PLACE = rf"\d{{1,3}}(?:st|nd|rd|th)|{PLACE_WORDS}"
# "I" is one of whom the season pleases, unless nothing follows.
_ROMAN = r"i(?=\s*(?:[.,;:!?)]|$))|ii|iii|iv|vi{0,3}|ix|xi{0,3}|xiv|xvi{0,3}|xix|xxi{0,3}|xxiv|xxvi{0,2}"
_NUMBERED = re.compile(
    rf"(?<![\w-])(?:the\s)?(?:(?P<noun>{_NOUNS})\s(?:no\.?\s|number\s)?(?P<count>\d{{1,3}}(?![\d.,]\d|\w)|(?:{_SMALL})\b|(?:{_ROMAN})\b)|(?P<place>{_PLACE})\s(?P<placed>{_NOUNS})\b)(?!-|\s(?:{_SMALL}|hundred|thousand)\b)",
    re.IGNORECASE | re.ASCII,
)
_ALONE = re.compile(rf"\W*(?:the\s+)?(?P<place>{_PLACE})\W*", re.IGNORECASE | re.ASCII)
_ASKED = re.compile(
    rf"\b(?:what|which)\s(?:is (?:the )?(?:final|last|latest) )?(?P<noun>{_NOUNS})\b", re.IGNORECASE
)
_VALUES = {"i": 1, "v": 5, "x": 10}


def respell_counted(reference: str, answer: str, question: str) -> str:
    """Return the answer with things told by number and by place as the reference tells them; a place alone is one of what the question asks for."""
    wanted = _NUMBERED.fullmatch(reference.strip(" ."))
    alone = _ALONE.fullmatch(reference)
    if wanted is None and alone is None:
        return answer
    noun = _name(wanted) if wanted else _find_asked(question)
    if noun is None:
        return answer
    value = _value(wanted) if wanted else _value_of_place(alone["place"] if alone else "")
    bare = _ALONE.fullmatch(answer)
    if wanted and bare and _find_asked(question) == noun:
        return reference if _value_of_place(bare["place"]) == value else answer

    def write(found: re.Match[str]) -> str:
        number = _value(found)
        if number is None or _name(found) != noun:
            return found[0]
        if number == value:
            return reference.strip(" .")
        ordinal = alone is not None or (wanted is not None and wanted["place"] is not None)
        return f"{number}{_ending(number)} {noun}" if ordinal else f"{noun} {number}"

    return _NUMBERED.sub(write, answer)


def _name(found: re.Match[str]) -> str:
    return (found["noun"] or found["placed"]).lower()


def _value(found: re.Match[str]) -> int | None:
    return _value_of_place(found["place"]) if found["place"] else _value_of_count(found["count"])


def _value_of_place(text: str) -> int | None:
    number = read_place(text)
    return None if number is None else int(number.value)


def _value_of_count(text: str) -> int | None:
    number = read_digits(text) or read_words(text)
    if number is not None:
        return int(number.value)
    letters = [_VALUES[letter] for letter in text.lower()]
    return sum(-one if one < max(letters[at:]) else one for at, one in enumerate(letters))


def _find_asked(question: str) -> str | None:
    """Return what kind of thing a question asks the number of."""
    asked = _ASKED.search(question)
    return asked["noun"].lower() if asked else None


def _ending(number: int) -> str:
    if 10 <= number % 100 <= 20:  # noqa: PLR2004 - eleventh to thirteenth
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
