"""Sentences of a text, and the passages of a long answer that speak of the reference."""

import re

from karat.likeness.wordlists import FUNCTION
from karat.text.normalise import normalise
from karat.text.respelt import respell

_END = re.compile(r"(?<=[.!?;])[\"')\]]*\s+(?=[^\sa-z])|\n+|\s+[-*•]\s+|(?<=[.!?])\s+(?=[a-z])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|jr|sr|inc|co|[a-z])\.)$", re.IGNORECASE
)
_SHORTEST = 3
_REACH = 12


def split_sentences(text: str) -> list[str]:
    """Split into sentences and bullet points; abbreviations and initials end none."""
    parts: list[str] = []
    for piece in _END.split(text):
        piece = piece.strip(" \t-*•")  # noqa: PLW2901 - the piece as it is kept
        if not piece or not any(map(str.isalnum, piece)):
            continue
        if parts and _goes_on(parts[-1]):
            parts[-1] = f"{parts[-1]} {piece}"
        else:
            parts.append(piece)
    return parts


def _goes_on(part: str) -> bool:
    """Tell whether a part ends with an abbreviation, or is too short to be a sentence."""
    return _ABBREVIATED.search(part[-_REACH:]) is not None or len(part.split(maxsplit=_SHORTEST)) < _SHORTEST


def attend(question: str | None, reference: str, answer: str, words: int) -> str:
    """Return what is compared with a reference: the answer in its writing, as far as both say the same, and of a long one the passages that speak of it."""
    return shorten(question, reference, respell(reference, answer, question or ""), words)


def shorten(question: str | None, reference: str, answer: str, words: int) -> str:
    """Return the passages of a long answer that share most with the reference, in their order, about `words` words."""
    if len(answer.split(maxsplit=words + 1)) <= words:
        return answer
    sentences = _cut(split_sentences(answer[: 400 * words]) or [answer], words)
    wanted = set(normalise(reference).split()) - FUNCTION
    asked = set(normalise(question or "").split()) - FUNCTION
    marks: list[tuple[float, int]] = []
    for place, sentence in enumerate(sentences):
        given = set(normalise(sentence).split())
        mark = 3.0 * len(given & (wanted - asked)) + len(given & wanted & asked) + 0.5 * len(given & asked)
        marks.append((-mark + (0.0 if place else -1.0), place))
    kept: list[int] = []
    size = 0
    for _, place in sorted(marks):
        count = len(sentences[place].split())
        if kept and size + count > words:
            continue
        kept.append(place)
        size += count
    return " ".join(sentences[place] for place in sorted(kept))


def _cut(sentences: list[str], words: int) -> list[str]:
    """Cut sentences that are longer than all that may be kept."""
    pieces: list[str] = []
    for sentence in sentences:
        parts = sentence.split()
        pieces += [" ".join(parts[start : start + words]) for start in range(0, len(parts), words)]
    return pieces
