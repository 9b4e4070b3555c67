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
    r"against|same|equals?|border\w*|near|next|known|called|name[sd]?|aka|also|or|love\w*|rivals?|neighbou?r\w*|dat(?:ed|ing))\b",
    re.IGNORECASE,
)
_LONGEST = 16


def swap_roles(row: Row) -> str | None:
    """The right answer with the reference and a name of the question in each other's place, where that changes who did what.

    Only plain sentences are turned: one of the two at the beginning and the other at the end, or "the capital of X is Y".
    """
    if not row.short[:1].isupper() or not row.question:
        return None
    for name in _NAME.findall(row.question[1:]):
        turned = _swap(row.right.strip(), name, row.short) or _swap(row.right.strip(), row.short, name)
        if turned is not None:
            return turned
    return None


def _swap(sentence: str, first: str, last: str) -> str | None:
    if first in last or last in first or len(sentence.split()) > _LONGEST:
        return None
    edges = rf"(?P<lead>(?:The |the )?){re.escape(first)}(?P<middle> [a-z ]*[a-z]{{2,}} (?:the )?){re.escape(last)}(?P<end>[.!]?)"
    kinds = rf"(?P<lead>The [a-z ]+ of ){re.escape(first)}(?P<middle> (?:is|was) (?:the )?){re.escape(last)}(?P<end>[.!]?)"
    found = re.fullmatch(edges, sentence) or re.fullmatch(kinds, sentence)
    if found is None or _MUTUAL.search(found["middle"]) or found["middle"].split() in _BARE:
        return None
    return f"{found['lead']}{last}{found['middle']}{first}{found['end']}"


# "X is Y" says the same as "Y is X".
_BARE = [[*verb, *article] for verb in (["is"], ["was"], ["are"], ["were"]) for article in ([], ["the"])]


def reverse_relation(text: str) -> str | None:
    """The sentence with its one comparing word turned into the opposite."""
    found = _WORD.findall(text)
    if len(found) != 1 or not 1 < len(text.split()) <= 2 * _LONGEST:
        return None
    return _WORD.sub(lambda match: _OPPOSITES[match[0]], text)
