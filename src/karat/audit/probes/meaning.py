"""Changes of meaning must lower a verdict: answers that are similar to the right one, but wrong."""

import re
from collections.abc import Iterator

from karat.audit.probe import Probe, Row
from karat.audit.probes import dates, numbers
from karat.audit.probes.maker import Maker, find_others, sort_of, vary

_PAIRS = (
    ("increases", "decreases"), ("increase", "decrease"), ("more", "less"), ("higher", "lower"), ("before", "after"),
    ("larger", "smaller"), ("bigger", "smaller"), ("faster", "slower"), ("above", "below"), ("northern", "southern"),
    ("eastern", "western"), ("north", "south"), ("east", "west"), ("rises", "falls"), ("expands", "shrinks"), ("hotter", "colder"),
    ("heavier", "lighter"), ("oldest", "youngest"), ("longest", "shortest"), ("largest", "smallest"), ("highest", "lowest"),
    ("first", "last"), ("maximum", "minimum"), ("gains", "loses"), ("won", "lost"), ("attract", "repel"), ("left", "right"),
)  # fmt: skip
_OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_OPPOSITES, key=len, reverse=True))})\b")
_PROPER_NAME = re.compile(r"\b[A-Z][\w'-]+(?: (?:of|the|and|de|van|von) (?=[A-Z])| [A-Z][\w'-]+)*")
# Symmetric relations, which also hold with the two swapped.
_MUTUAL = re.compile(
    r"\b(?:marri\w+|wed|wife|husband|spouse|partner|brothers?|sisters?|siblings?|twins?|cousins?|friends?|met|between|with|and|versus|vs|"
    r"against|same|equals?|border\w*|near|next|known|called|name[sd]?|aka|also|or|love\w*|rivals?|neighbou?r\w*|dat(?:ed|ing))\b",
    re.IGNORECASE,
)
_LONGEST = 16
# "X is Y" says the same as "Y is X".
_BARE = [[*verb, *article] for verb in (["is"], ["was"], ["are"], ["were"]) for article in ([], ["the"])]
FAMILY = "meaning"
_ENTITY = ("{b}", "It is {b}.", "{b}.", "The answer is {b}.", "I am sure that it is {b}.")
_NEGATIONS = (
    "Not {a}.",
    "It is certainly not {a}.",
    "Anything but {a}.",
    "It isn't {a}.",
    "{a} is not the answer.",
    "Everything except {a}.",
    "It was never {a}.",
    "Many say {a}, which is false.",
    "{a} can be ruled out.",
    "People wrongly believe that it is {a}.",
    "I doubt that it is {a}.",
    "No, {a} would be a mistake.",
)
_DENIALS = ("It is not true that {i}", "It is a myth that {i}", "Nobody could claim that {i}")
_OPPOSITE = {"yes": "No", "no": "Yes", "true": "False", "false": "True"}
_NAME = re.compile(r"[^\W\d_][\w'’-]*\.?")
_PLACE = re.compile(r"(?P<narrow>[^,]+), (?P<wide>[A-Z][^,]+)")
_NAMES = range(2, 5)
_YEAR = re.compile(r"\b(?:what|which)\b[^?]{0,20}\byears?\b", re.IGNORECASE)
_MONTH = re.compile(r"\b(?:what|which)\b[^?]{0,20}\bmonths?\b", re.IGNORECASE)


def probe_meaning(maker: Maker) -> Iterator[Probe]:
    """Yield one probe of every kind that the row allows."""
    yield from _entity(maker)
    yield from _values(maker)
    yield from _negation(maker)
    yield from _underspecified(maker)
    yield from _relations(maker)


def _entity(maker: Maker) -> Iterator[Probe]:
    for other in find_others(maker, 1) if sort_of(maker.row) not in ("sentence", "polar") else ():
        yield maker.probe(
            FAMILY, "entity", maker.fill(maker.draw("entity", _ENTITY), "", other), base="short"
        )
        replaced = _replace(maker, other)
        if replaced is not None:
            yield maker.probe(FAMILY, "entity-in-sentence", replaced, base="right")


def _replace(maker: Maker, other: str) -> str | None:
    """Replace the reference in the right answer, if it occurs there once and no reference remains."""
    right, short = maker.row.right, maker.row.short
    if right.count(short) != 1 or right == short or len(right.split()) > 25:  # noqa: PLR2004 - a sentence or two
        return None
    replaced = right.replace(short, other)
    return None if maker.says(replaced) else replaced


def _values(maker: Maker) -> Iterator[Probe]:
    date, amount = dates.parse_date(maker.row.short), numbers.parse_amount(maker.row.short)
    found: dict[str, list[str]] = {}
    if date is not None:
        found["date-step"] = [moved.write() for moved in dates.shift(date) if _differs(maker, date, moved)]
        found["date-far"] = [moved.write() for moved in dates.shift_far(date)]
    elif amount is not None:
        found["number-step"] = [moved.write() for moved in numbers.shift(amount)]
        found["number-far"] = [moved.write() for moved in numbers.scale(amount)]
        found["unit"] = [moved.write() for moved in numbers.exchange(amount)]
    for kind, texts in found.items():
        yield from _one_of(maker, kind, texts)


def _differs(maker: Maker, date: dates.Date, changed: dates.Date | None) -> bool:
    """Return whether a changed date is wrong for the question: if that asks for a year, another day is still right."""
    question = maker.row.question or ""
    if changed is None:
        return True
    if _YEAR.search(question):
        return changed.year != date.year
    if _MONTH.search(question):
        return (changed.year, changed.month) != (date.year, date.month)
    return True


def _negation(maker: Maker) -> Iterator[Probe]:
    sort, short = sort_of(maker.row), maker.row.short
    opposite = _OPPOSITE.get(short.strip(" .").lower())
    if opposite is not None:
        yield maker.probe(FAMILY, "negation", opposite, base="short")
    elif sort == "sentence":
        inner = short[:1].lower() + short[1:] if short[1:2].islower() else short
        text = maker.draw("negation", _DENIALS)
        yield maker.probe(FAMILY, "negation", text.replace("{i}", inner), base="short")
    else:
        yield maker.probe(
            FAMILY, "negation", maker.fill(maker.draw("negation", _NEGATIONS), short), base="short"
        )


def _underspecified(maker: Maker) -> Iterator[Probe]:
    row, texts = maker.row, list[str]()
    date, amount = dates.parse_date(row.short), numbers.parse_amount(row.short)
    if "vague" in row.also:
        texts = [row.also["vague"]]
    elif date is not None:
        texts = [text for text in dates.blur(date) if _differs(maker, date, dates.parse_date(text))]
    elif amount is not None:
        texts = list(numbers.blur(amount))
    elif (
        sort_of(row) == "person"
        and len(row.short.split()) in _NAMES
        and all(map(_NAME.fullmatch, row.short.split()))
    ):
        texts = [row.short.split()[0]]
    elif place := _PLACE.fullmatch(row.short):
        texts = [place["wide"]]
    yield from _one_of(maker, "underspecified", texts)


def _relations(maker: Maker) -> Iterator[Probe]:
    row = maker.row
    swapped = row.also.get("swapped") or swap_roles(row)
    if swapped is not None:
        yield maker.probe(FAMILY, "swapped-roles", swapped, base="right")
    turned = row.also.get("reversed")
    if turned is not None:
        yield maker.probe(FAMILY, "reversed-relation", turned, base="short")
    elif sort_of(row) == "sentence" and (turned := reverse_relation(row.right)) is not None:
        yield maker.probe(FAMILY, "reversed-relation", turned, base="right")


def _one_of(maker: Maker, kind: str, texts: list[str]) -> Iterator[Probe]:
    fit = [text for text in vary(texts, maker.row.short) if not maker.says(text)]
    if fit:
        yield maker.probe(FAMILY, kind, maker.draw(kind, fit), base="short")


def swap_roles(row: Row) -> str | None:
    """Swap the reference and a name from the question in the right answer, if that changes who did what.

    Only simple sentences are changed: one of the two at the beginning and the other at the end, or "the capital of X is Y".
    """
    if not row.short[:1].isupper() or not row.question:
        return None
    for name in _PROPER_NAME.findall(row.question[1:]):
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


def reverse_relation(text: str) -> str | None:
    """Replace the only comparative in a sentence by its opposite."""
    found = _WORD.findall(text)
    if len(found) != 1 or not 1 < len(text.split()) <= 2 * _LONGEST:
        return None
    return _WORD.sub(lambda match: _OPPOSITES[match[0]], text)
