"""Answers that hold a reference and that no judge should accept for it: it stands beside others, or is taken back."""

import re

from karat.core.types import Item
from karat.text.announced import is_announced_elsewhere
from karat.text.containment import find_mentions
from karat.text.forms import Reference, Values, Words, read_reference, read_values, read_words
from karat.text.hedges import find_doubt, is_slashed
from karat.text.normalise import normalise
from karat.text.rivals import repeats_frame
from karat.text.roles import is_swapped

_LONGEST = 1000
_BRIEF = 10
_LEAST_GUESSES = 3
_SHORT_PART = 4
_STRONG = re.compile(
    r"\s*(?:[;\n|]+|(?:^|\s)(?:\d{1,2}|[a-d])[.)]\s)\s*(?:[-*•]\s+|(?:\d{1,2}|[a-d])[.)]\s+)?", re.IGNORECASE
)
_WEAK = re.compile(r"\s*(?:,(?!\d)|[;\n]+|\band\b|\bor\b)\s*")
_LEAD = re.compile(r"^[^:\n]{0,40}:\s+|^\s*(?:[-*•]|1[.)]|a[.)])\s+", re.IGNORECASE)
_STATES = re.compile(r"\b(?:is|was|are|were|be|has|had|have|did|does|do|means?|because)\b", re.IGNORECASE)
_WHOLE_DENIAL = re.compile(
    r"\W*(?:it (?:is|was)(?: simply| just)? (?:not (?:true|correct|right|the case|so)|false|untrue|wrong|incorrect|an? (?:myth|mistake|misconception|lie|error))|"
    r"(?:nobody|no one)\b[^.]{0,40}|contrary to [^.]{0,40}|the (?:claim|idea|belief|notion))\b[^.]{0,30}?\bthat\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\b(?:or|unless|otherwise)\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:wrong|false|incorrect|not|never|isn'?t|wasn'?t|nor|ruled out|could|might|maybe|perhaps|possibly|used to|no longer)\b",
    re.IGNORECASE,
)


def find_contest(item: Item) -> str | None:
    """Say why an answer that holds a reference does not stand for it; None where nothing is held against it."""
    if len(item.answer) > _LONGEST:
        return None
    if _WHOLE_DENIAL.match(item.answer) and not any(map(_WHOLE_DENIAL.match, item.references)):
        return "it denies what it says"
    references = [read_reference(text) for text in item.references]
    if _lists_guesses(item, references):
        return "it lists several answers"
    words = read_words(item.answer)
    if len(words.tokens) <= _BRIEF and _has_other_values(item, references):
        return "it gives several values"
    asked = tuple(normalise(item.question or "").split())
    reasons = [
        _contest(words, start, start + len(reference.words), asked)
        for reference in references
        if reference.words
        for start in find_mentions(reference.words, words)
    ]
    return reasons[0] if reasons and all(reasons) else None


def _contest(answer: Words, start: int, end: int, asked: tuple[str, ...]) -> str | None:
    """Say why one mention does not count."""
    text, first, last = answer.text, answer.tokens[start].start, answer.tokens[end - 1].end
    if is_announced_elsewhere(text, first, last) or repeats_frame(text, first, last):
        return "it gives another answer as well"
    if is_swapped(answer.forms, start, end, asked):
        return "it turns the roles round"
    doubt = find_doubt(text, first, last, frozenset(asked))
    if doubt == "taken back":
        return "it takes the answer back"
    return None if len(answer.tokens) > _BRIEF else _contest_brief(answer, first, last, doubt)


def _contest_brief(answer: Words, first: int, last: int, doubt: str | None) -> str | None:
    """Say what a brief answer has against its mention; longer ones doubt and choose in many harmless ways."""
    if is_slashed(answer.text, first, last, len(answer.tokens)):
        return "it offers a choice"
    if doubt == "one of several" and _OR.search(answer.text):
        return "it offers a choice"
    denied = doubt in ("negated", "hedged") and _DENIAL.search(answer.text)
    return "it doubts or denies the answer" if denied else None


def _lists_guesses(item: Item, references: list[Reference]) -> bool:
    """Tell whether an answer without a verb is three phrases or more, one of them a reference and two of them none."""
    text = _LEAD.sub("", item.answer.strip(" ."))
    if _STATES.search(text):
        return False
    known = {reference.form for reference in references}
    asked = f" {normalise(item.question or '')} "
    longest = max(_SHORT_PART, *(len(reference.words) for reference in references))
    for edge in (_STRONG, _WEAK):
        parts = [part for part in (normalise(piece) for piece in edge.split(text)) if part]
        others = [part for part in parts if part not in known and f" {part} " not in asked]
        plain = all(len(part.split()) <= longest for part in parts)
        if plain and len(others) >= _LEAST_GUESSES - 1 and not known.isdisjoint(parts):
            return True
    return False


def _has_other_values(item: Item, references: list[Reference]) -> bool:
    """Tell whether an answer without a verb gives more than one value where the references are values."""
    if not all(reference.date or reference.quantity for reference in references) or _STATES.search(
        item.answer
    ):
        return False
    return _count(read_values(item.answer)) - _count(read_values(item.question or "")) > 1


def _count(values: Values) -> int:
    """How many different values there are; two dates or a date and a quantity are two."""
    dates = {date.parts() for date in values.dates or ()}
    return len(dates) + len({(each.kind, each.value) for each in values.quantities or ()})
