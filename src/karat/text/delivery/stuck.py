"""Digits of sources that stick to the last word of a sentence, and words that ran together, as they do in text that was copied from a page."""

import re

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_END = r"(?=[.!?]?(?:$|\n|\s+(?=[A-Z“\"])))"
_WORD = re.compile(rf"(?<![\w.-])(?P<word>[a-z]{{4,}})(?P<marks>\d{{1,2}}){_END}")
_STOP = re.compile(
    r"(?<![a-z])(?P<word>[a-z]{3,})(?<!approx)(?<!chap)(?<!max)(?<!min)(?<!vol)(?<!fig)(?<!sec)(?<!art)(?<!est)(?P<stop>[.!?])\d{1,2}(?:[,-]\d{1,2}){0,3}(?=\s+[A-Z]|\s*$)"
)
_YEAR = re.compile(
    rf"(?P<before>\b(?:(?:{_MONTHS})\s+(?:\d{{1,2}},?\s+)?|(?:in|since|until|during)\s+|\d{{4}}\s?(?:and|to|[-–])\s?))(?P<year>(?:1\d|20)\d\d)(?P<marks>\d{{1,2}}){_END}"
)
_MONTH = re.compile(rf"\b(?P<word>on|in|from|of|since|by|until|to|between|and)(?=(?:{_MONTHS})\b)")
_DIGIT = re.compile(r"\d")
# It begins with a set of characters that are rare, by which `re` passes over the others quickly.
_STUCK = re.compile(
    r"[.!?\dJFMASOND](?:(?<=[a-z]\d)|(?<=[a-z][.!?])\d|(?<=\d)\d{4}|(?<=[a-z][JFMASOND])[a-z]{2})"
)
_FEW = 5


def unstick(texts: tuple[str, ...], answer: str) -> str:
    """Return a sentence without such digits; a name or a number that the question or a reference has with digits keeps them."""
    if not _DIGIT.search(answer) or not _STUCK.search(answer) or len(answer.split(maxsplit=_FEW)) < _FEW:
        return answer
    known = " ".join(texts)

    def part(match: re.Match[str]) -> str:
        word, marks = match["word"], match["marks"]
        named = re.search(rf"\b{re.escape(word)}[\s-]?\d|(?<!\d){marks}(?!\d)", known, re.IGNORECASE)
        return match[0] if named else word

    def shorten(match: re.Match[str]) -> str:
        number = f"{match['year']}{match['marks']}"
        return match[0] if number in known.replace(",", "") else f"{match['before']}{match['year']}"

    answer = _MONTH.sub(r"\g<word> ", answer)
    answer = _STOP.sub(r"\g<word>\g<stop>", _YEAR.sub(shorten, answer))
    return _WORD.sub(part, answer)
