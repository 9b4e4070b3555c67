"""The figure that a reference is, said wrongly: on another scale or in another unit, behind a limit that shuts it out, only for comparison, as a part of what comes to another, or the way back."""

import re
from fractions import Fraction

from karat.text.figures import Figure, read_figures, read_only_figure
from karat.text.fold import fold
from karat.text.likened import LONGEST, compare_texts, is_comparable, read_scale
from karat.text.limits import excludes, find_limit
from karat.text.units import CURRENCIES

_FROM_TO = re.compile(
    r"\bfrom\W+(?P<first>\d[\d.,]*\d|\d)(?:\D|\b(?:FY\s?)?(?:19|20)\d\d\b){1,25}?\bto\W+(?P<last>\d[\d.,]*\d|\d)",
    re.IGNORECASE,
)
_TO_FROM = re.compile(
    r"(?<![\d.,])(?P<last>\d[\d.,]*\d|\d)(?:\D|\b(?:FY\s?)?(?:19|20)\d\d\b){1,25}?\bfrom\W+(?P<first>\d[\d.,]*\d|\d)",
    re.IGNORECASE,
)
_PAIR = re.compile(r"\W*(?P<first>\d{1,3})\s?[-:]\s?(?P<last>\d{1,3})\W*")
_BESIDE = re.compile(
    r"\b(?:(?:up|down|increas\w*|decreas\w*|ris\w*|declin\w*|reduced|cut) from|compared (?:with|to)|versus|vs\.?|against|(?<!more )(?<!less )(?<!fewer )than)\s+(?:(?:about|around|approximately|roughly)\s)?[$€£]?\s?$",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:before|original\w*|previous\w*|prior|earlier|last|former\w*|initial\w*|compared)\b", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LOSES = re.compile(r"\b(?:los[et]\w*|defeat\w*|beaten)\b", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"(?:[\d)%]\s*(?:=|≈)|\b(?:answer|result)(?: is| was| comes to|:|\s*=))[\s$€£*:]*(?:about |approximately |roughly )?$",
    re.IGNORECASE,
)
_OPERATOR_BEFORE = re.compile(r"(?:[\d)%]\s*[-+*/×÷^x]|\()\s*[$€£]?\s*$")
_OPERATOR_BEHIND = re.compile(r"\s*%?\)?\s*[-+*/×÷^x]\s*[\d($€£]")
_ONWARDS = re.compile(r"\W*(?:\w+\W+){0,4}to\b", re.IGNORECASE)
_REACH, _NEAR, _SHORT = 36, 16, 16
_LOOSE = frozenset({"time", "calendar", "calorie", "pound", "ounce", "ton", "gallon"})
"""Dimensions of which another may be said for the same: a week is seven days, and a pound a weight or a force."""
_WRITTEN_OUT = 100_000
"""From where on an amount that has no "thousand" behind it is likely to have all its digits."""
_OFF_SHARE = frozenset((Fraction(100), Fraction(1, 100)))
_OFF_SCALE = frozenset(Fraction(10) ** power for power in (-6, -3, 3, 6))


def has_other_scale(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives the one figure that a reference is in thousands for millions, as a hundredth of its percentage, or the other way."""
    wanted, asked = read_only_figure(reference), fold(question[:LONGEST])
    scale = read_scale(asked)
    if wanted is None or len(answer) > LONGEST or not wanted.value:
        return False
    if wanted.kind == "percent":
        given = {each.value for each in read_figures(fold(answer)) if each.kind == "percent"}
        return wanted.value not in given and any(each / wanted.value in _OFF_SHARE for each in given)
    written = not wanted.scaled and scale == 1 and wanted.value >= _WRITTEN_OUT
    if not (wanted.scaled or scale != 1 or written):
        return False
    value = wanted.value if wanted.scaled else wanted.value * scale
    given = [
        each
        for each in read_figures(fold(answer))
        if (each.scaled or (written and each.kind in CURRENCIES and each.value >= _WRITTEN_OUT))
        and is_comparable(wanted, each, asked)
    ]
    shares = {each.convert(wanted).value / value for each in given}
    return (
        not shares.isdisjoint(_OFF_SCALE)
        and 1 not in shares
        and not any(each.key() == wanted.key() for each in given)
    )


def is_shut_out(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives the one figure that a reference is only by limits outside of which it lies: "less than 50 %" for 50 %."""
    found = compare_texts(reference, answer, question)
    if found is None or find_limit(fold(reference), found.wanted):
        return False
    wanted, text, asked = found.wanted, found.text, found.asked
    like = [figure for figure, like in found.told if like in {"same", "rounded", "near"}]
    limits = [find_limit(text, figure) for figure in like]
    return bool(like) and all(
        limit is not None and excludes(limit, figure, wanted, asked)
        for limit, figure in zip(limits, like, strict=True)
    )


def is_for_comparison(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives the one amount that a reference is only beside another: "$2.9 billion, up from $3.2 billion"."""
    found = compare_texts(reference, answer, question)
    if found is None or not found.wanted.kind:
        return False
    text, asked, like = found.text, found.asked, found.list_alike()
    dated = any(
        year in text[figure.end : figure.end + _NEAR] for year in _YEAR.findall(asked) for figure in like
    )
    if dated or _EARLIER.search(asked):
        return False  # it is the other one that is asked for
    return 0 < len(like) < len(found.told) and all(
        _BESIDE.search(text[max(0, figure.start - _REACH) : figure.start])
        and not _ONWARDS.match(text, figure.end)
        for figure in like
    )


def has_other_unit(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer gives no figure but the one that a reference is, in a unit of another dimension: "6 J" for "6 N"."""
    found = compare_texts(reference, answer, question)
    if found is None or not _is_measured(found.wanted):
        return False
    every = read_figures(found.text)
    return (
        len(every) == 1
        and _is_measured(every[0])
        and every[0].kind != found.wanted.kind
        and every[0].value == found.wanted.value
    )


def _is_measured(figure: Figure) -> bool:
    return bool(figure.kind and figure.noun) and "/" not in figure.kind and figure.kind not in _LOOSE


def concludes_otherwise(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer ends in the result of a computation, or "the answer is", that is another figure than the one that a reference is, which is at most a part of the computation."""
    found = compare_texts(reference, answer, question)
    if found is None or not found.told:
        return False
    text, told = found.text, found.told
    said = [
        figure
        for figure, like in told
        if like in {"same", "rounded", "near"} or figure.value == found.wanted.value
    ]
    if not all(_is_operand(text, figure) for figure in said):
        return False
    ends = [
        place
        for place, (figure, _) in enumerate(told)
        if _CONCLUDES.search(text[max(0, figure.start - _REACH) : figure.start])
    ]
    if not ends or {like for _, like in told[ends[-1] :]} - {"other", "open"}:
        return False
    last, like = told[ends[-1]]
    return like == "other" and (last.kind == found.wanted.kind or not found.wanted.kind)


def _is_operand(text: str, figure: Figure) -> bool:
    """Tell whether a figure is a part of a computation and not what it comes to."""
    behind = _OPERATOR_BEHIND.match(text, figure.end) is not None
    return behind or _OPERATOR_BEFORE.search(text[: figure.start]) is not None


def turns_round(reference: str, answer: str, question: str) -> bool:
    """Tell whether an answer goes from the figure to which the reference goes to the one from which it comes, or is its score or ratio the other way round."""
    pairs = [_PAIR.fullmatch(fold(text)) if len(text) <= _SHORT else None for text in (reference, answer)]
    if pairs[0] and pairs[1]:
        return not _LOSES.search(question) and (
            pairs[0].group("first", "last")
            == pairs[1].group("last", "first")
            != pairs[0].group("last", "first")
        )
    wanted, given = _list_ways(reference), _list_ways(answer)
    return any((last, first) in given for first, last in wanted if first != last) and wanted.isdisjoint(given)


def _list_ways(text: str) -> set[tuple[str, str]]:
    """Return from which figure to which a text goes, whichever it says first."""
    folded = fold(text[:LONGEST])
    found = (*_FROM_TO.finditer(folded), *_TO_FROM.finditer(folded))
    return {(each["first"], each["last"]) for each in found}
