"""Two figures that are one answer: a range ("10 to 14 days", "315 ± 5 million") or a score ("34-28")."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from karat.text.figures import Figure, read_figures
from karat.text.fold import fold
from karat.text.likened import LONGEST, is_same
from karat.text.vocabulary import list_words

Told: TypeAlias = Literal["same", "other"]


class Pair(Struct, frozen=True):
    """Two figures in the order in which they are said."""

    first: Figure
    last: Figure


_NUMBER = r"\d[\d,]{0,14}(?:\.\d{1,6})?"
_TAIL = r"(?:\s?(?:thousand|million|billion|trillion|mn|bn|[mbk])\b)?(?:\s?%|\s{0,2}°\s?[CF]\b|\s(?!to\b|and\b|plus\b|give\b|or\b)[a-z]+(?:/[a-z]+|\sper\s[a-z]+)?\b)?"
_PAIR = re.compile(
    rf"(?P<between>\bbetween\s+)?(?<![\w.,/:-])(?P<sign>[$€£]?)(?P<first>{_NUMBER})(?P<own>{_TAIL})"
    rf"(?P<by>\s?-\s?|\s+to\s+|\s+and\s+|,?\s*(?:±|\+/-|plus or minus|give or take)\s*)[$€£]?(?P<last>{_NUMBER})(?P<tail>{_TAIL})(?![\d/:-]|\.\d)",
    re.IGNORECASE,
)
_SPREAD = re.compile(r"±|\+/-|plus|give", re.IGNORECASE)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_WORD = re.compile(r"[^\W\d_]+")
_SMALL = frozenset(
    list_words(
        "about around approximately roughly from between the a an of is was in at range usually typically it won by"
    )
)
_LONGEST_ALONE = 60


def gives_other_pair(references: tuple[str, ...], answer: str, question: str) -> bool:
    """Tell whether references are one range or score, in whatever words, and the answer gives others only."""
    wanted = [pair for pair in map(read_pair, references) if pair is not None]
    numbers = [set(re.findall(r"\d+", reference)) for reference in references]
    if not wanted or not all(numbers[0] == each for each in numbers):
        return False
    return all(tell_pair(pair, answer, question) == "other" for pair in wanted)


def find_pair(references: tuple[str, ...], answer: str, question: str) -> int | None:
    """Return the place of a reference that is a range or score which the answer gives, and no other."""
    for place, reference in enumerate(references):
        wanted = read_pair(reference)
        if wanted is not None and tell_pair(wanted, answer, question) == "same":
            return place
    return None


def tell_pair(wanted: Pair, answer: str, question: str) -> Told | None:
    """Tell whether an answer gives a pair and no other, or others only; None where it gives none, or the same the other way round."""
    given = _list_pairs(fold(answer[:LONGEST]))
    same = [_are_alike(wanted, each, question) for each in given]
    if same and all(same):
        return "same"
    turned = any(_are_alike(Pair(wanted.last, wanted.first), each, question) for each in given)
    return "other" if same and not any(same) and not turned and _are_comparable(wanted, given) else None


@lru_cache(maxsize=4096)
def read_pair(text: str) -> Pair | None:
    """Return the pair that a text is, with nothing but small words beside it."""
    folded = fold(text) if len(text) <= _LONGEST_ALONE else ""
    found = list(_PAIR.finditer(folded))
    pair = _read(found[0]) if len(found) == 1 else None
    beside = f"{folded[: found[0].start()]} {folded[found[0].end() :]}" if pair else ""
    if re.search(r"\d", beside) or not _SMALL.issuperset(map(str.lower, _WORD.findall(beside))):
        return None
    return pair


def _list_pairs(text: str) -> list[Pair]:
    return [pair for pair in map(_read, _PAIR.finditer(text)) if pair is not None]


def _read(match: re.Match[str]) -> Pair | None:
    """Read the figures of a pair, the unit behind the last for both where the first has none; two years are a period, and "and" needs a "between"."""
    years = _YEAR.fullmatch(match["first"]) and _YEAR.fullmatch(match["last"])
    if years or (match["by"].strip().lower() == "and" and not match["between"]):
        return None
    sign, tail = match["sign"], match["tail"]
    first = read_figures(f"{sign}{match['first']}{match['own'] or tail}")
    last = read_figures(f"{sign}{match['last']}{tail or match['own']}")
    if len(first) != 1 or len(last) != 1:
        return None
    one, other = first[0], last[0]
    if not _SPREAD.search(match["by"]):
        return Pair(one, other)
    away = other.convert(one).value
    low, high = one.value - away, one.value + away
    return Pair(structs.replace(one, value=low), structs.replace(one, value=high)) if low >= 0 else None


def _are_alike(one: Pair, other: Pair, question: str) -> bool:
    """Tell whether two pairs are the same; only in another unit may they be rounded."""
    return all(
        ours.key() == theirs.key()
        or (ours.kind == theirs.kind and ours.unit != theirs.unit and is_same(ours, theirs, question))
        for ours, theirs in ((one.first, other.first), (one.last, other.last))
    )


def _are_comparable(wanted: Pair, given: list[Pair]) -> bool:
    return all(each.last.kind == wanted.last.kind for each in given)
