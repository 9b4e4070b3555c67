"""Sentences that say the same words about each other the wrong way round."""

import re

from karat.audit.probe import Row

_PAIRS = (
    ("increases", "decreases"), ("increase", "decrease"), ("more", "less"), ("higher", "lower"), ("before", "after"),
    ("larger", "smaller"), ("bigger", "smaller"), ("faster", "slower"), ("above", "below"), ("northern", "southern"),
    ("eastern", "western"), ("north", "south"), ("east", "west"), ("rises", "falls"), ("expands", "shrinks"), ("hotter", "colder"),
    ("heavier", "lighter"), ("oldest", "youngest"), ("longest", "shortest"), ("largest", "smallest"), ("highest", "lowest"),
    ("first", "last"), ("maximum", "minimum"), ("gains", "loses"), ("won", "lost"), ("attract", "repel"), ("left", "right"),
)  # fmt: skip
_OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_OPPOSITES, key=len, reverse=True))})\b")
_NAME = re.compile(r"\b[A-Z][\w'-]+(?: (?:of|the|and|de|van|von) (?=[A-Z])| [A-Z][\w'-]+)*")
# Said of two, these hold the other way round as well.
_MUTUAL = re.compile(
    r"\b(?:marri\w+|wed|wife|husband|spouse|partner|brothers?|sisters?|siblings?|twins?|cousins?|friends?|met|between|with|and|versus|vs|"
    r"against|same|equals?|border\w*|near|next|known|called|name[sd]?|aka|also|or|love\w*|rivals?|neighbou?r\w*|dat(?:ed|ing)|is|was|are|were)\b",
    re.IGNORECASE,
)
_VERB = re.compile(r"\b[a-z]{2,}\b")
_BY = re.compile(r"\b(?:by|of|from|in)\b", re.IGNORECASE)
_LONGEST = 16


def swap_roles(row: Row) -> str | None:
    """The right answer with the reference and a name of the question in each other's place, where that changes who did what."""
    right, short = row.right.strip(), row.short
    if right.count(short) != 1 or len(right.split()) > _LONGEST or re.search(r"[.!?;]\s", right):
        return None
    if not short[:1].isupper() or not row.question:
        return None
    for name in _NAME.findall(row.question[1:]):
        rest = right.replace(short, " ").replace(name, " ")
        if right.count(name) != 1 or name in short or short in name or not _VERB.search(rest) or _is_mutual(rest):
            continue
        return right.replace(short, "\0").replace(name, short).replace("\0", name)
    return None


def _is_mutual(rest: str) -> bool:
    """Tell whether the words between two names may hold either way; "the capital of X is Y" does not."""
    found = {word.lower() for word in _MUTUAL.findall(rest)}
    return bool(found - {"is", "was", "are", "were"}) or (bool(found) and not _BY.search(rest))


def reverse_relation(text: str) -> str | None:
    """The sentence with its one comparing word turned into the opposite."""
    found = _WORD.findall(text)
    if len(found) != 1 or len(text.split()) <= 1 or len(text.split()) > 2 * _LONGEST:
        return None
    return _WORD.sub(lambda match: _OPPOSITES[match[0]], text)
