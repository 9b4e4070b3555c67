"""Find figures and codes that contradict the reference: another scale, sign, order, code or result, or a limit instead of a value."""

import re
from fractions import Fraction
from typing import Literal, TypeAlias

from karat.text.lexicon import CHANGE, FALL, FALLING, RISE, RISE_OR_FALL, RISING, any_case
from karat.text.normal import LONGEST_TEXT, fold
from karat.text.values.compare_figures import compare_figure_texts, find_limit, is_comparable, read_scale
from karat.text.values.dates import read_dates
from karat.text.values.figures import FALL_LEAD, Figure, read_figures, read_only_figure
from karat.text.values.units import CURRENCIES

_FROM_TO = any_case(
    r"\bfrom\W+(?P<first>\d[\d.,]*\d|\d)(?:\D|\b(?:FY\s?)?(?:19|20)\d\d\b){1,25}?\bto\W+(?P<last>\d[\d.,]*\d|\d)"
)
_TO_FROM = any_case(
    r"(?<![\d.,])(?P<last>\d[\d.,]*\d|\d)(?:\D|\b(?:FY\s?)?(?:19|20)\d\d\b){1,25}?\bfrom\W+(?P<first>\d[\d.,]*\d|\d)"
)
_SCORE = re.compile(r"\W*(?P<first>\d{1,3})\s?[-:]\s?(?P<last>\d{1,3})\W*")
_ASKS_LOSS = any_case(r"\b(?:los[et]\w*|defeat\w*|beaten)\b")
_CONCLUDES = any_case(
    r"(?:[\d)%]\s*(?:=|≈)|\b(?:answer|result)(?: is| was| comes to|:|\s*=))[\s$€£*:]*(?:about |approximately |roughly )?$"
)
_OPERATOR_BEFORE = re.compile(r"(?:[\d)%]\s*[-+*/×÷^x]|\()\s*[$€£]?\s*$")
_OPERATOR_BEHIND = re.compile(r"\s*%?\)?\s*[-+*/×÷^x]\s*[\d($€£]")
_LONGEST_SCORE = 16
_WRITTEN_OUT = 100_000
"""Amounts of at least this size without a word such as "million" are probably written in full."""
_OFF_SHARE = frozenset((Fraction(100), Fraction(1, 100)))
_OFF_SCALE = frozenset(Fraction(10) ** power for power in (-6, -3, 3, 6))


def has_other_scale(reference: str, answer: str, question: str) -> bool:
    """Return whether an answer gives the figure of a reference on a wrong scale: thousands for millions, or a share for a percentage."""
    wanted, asked = read_only_figure(reference), fold(question[:LONGEST_TEXT])
    scale = read_scale(asked)
    if wanted is None or len(answer) > LONGEST_TEXT or not wanted.value:
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
    same = 1 in shares or any(each.key() == wanted.key() for each in given)
    return not same and not shares.isdisjoint(_OFF_SCALE)


_ASKS_LIMIT = any_case(
    r"\b(?:min\w*|max\w*|least|most|limits?|thresholds?|over|under|above|below|(?:more|less|fewer) than|exceed\w*|up to)\b"
)


def is_only_bound(reference: str, answer: str, question: str) -> bool:
    """Return whether an answer gives the figure of a reference only as an upper limit: "less than 8 %". "Over 500" may be 500."""
    found = compare_figure_texts(reference, answer, question)
    if found is None or _ASKS_LIMIT.search(found.asked) or find_limit(fold(reference), found.wanted):
        return False
    limits = [find_limit(found.text, figure) for figure in found.list_alike()]
    rounded = any(like == "rounded" for _, like in found.told)
    return bool(limits) and not rounded and all(limit and limit.kind == "below" for limit in limits)


def concludes_other_figure(reference: str, answer: str, question: str) -> bool:
    """Return whether an answer computes or concludes another figure, and uses the figure of the reference at most as an operand."""
    found = compare_figure_texts(reference, answer, question)
    if found is None or not found.told:
        return False
    text, told = found.text, found.told
    if not all(
        _is_operand(text, figure)
        for figure, like in told
        if like not in {"other", "open"} or figure.value == found.wanted.value
    ):
        return False
    ends = [place for place, (figure, _) in enumerate(told) if _CONCLUDES.search(_text_before(text, figure))]
    if not ends or {like for _, like in told[ends[-1] :]} - {"other", "open"}:
        return False
    last, like = told[ends[-1]]
    return like == "other" and (last.kind == found.wanted.kind or not found.wanted.kind)


def _is_operand(text: str, figure: Figure) -> bool:
    """Return whether a figure is an operand of a computation, and not its result."""
    behind = _OPERATOR_BEHIND.match(text, figure.end) is not None
    return behind or _OPERATOR_BEFORE.search(text[: figure.start]) is not None


def reverses_figures(reference: str, answer: str, question: str) -> bool:
    """Return whether an answer reverses a change "from 3 to 5", a score or a ratio of the reference."""
    short = max(len(reference), len(answer)) <= _LONGEST_SCORE
    score, other = (_SCORE.fullmatch(fold(text)) if short else None for text in (reference, answer))
    if score and other:
        turned = score.group("last", "first")
        return not _ASKS_LOSS.search(question) and score.groups() != other.groups() == turned
    wanted, given = _list_changes(reference), _list_changes(answer)
    return any((last, first) in given for first, last in wanted if first != last) and wanted.isdisjoint(given)


def _list_changes(text: str) -> set[tuple[str, str]]:
    """Return the first and last value of each change in a text, in whatever order it names them."""
    folded = fold(text[:LONGEST_TEXT])
    found = (*_FROM_TO.finditer(folded), *_TO_FROM.finditer(folded))
    return {(each["first"], each["last"]) for each in found}


# Signs: a rise for a fall, a loss for a gain, a positive figure for a negative one.

Direction: TypeAlias = Literal["up", "down", "short"]
_DEFICIT = r"(?:deficits?|shortfalls?|net loss(?:es)?)"
_FIGURE_LEAD = r"(?:\s+(?:by|of|was|at|about|around|approximately|roughly|some|nearly|almost|over|more than|less than))*\s+[$€£]?\s?$"
# These words count only right before or after a figure. "More" and "lower" have other uses, and are left out.
_DIRECTION_BEFORE: dict[Direction, re.Pattern[str]] = {
    "up": any_case(rf"\b(?:{RISING}){_FIGURE_LEAD}"),
    "down": any_case(rf"\b(?:{FALLING}){_FIGURE_LEAD}"),
    "short": any_case(rf"\b{_DEFICIT}{_FIGURE_LEAD}"),
}
_DIRECTION_BEHIND: dict[Direction, re.Pattern[str]] = {
    "up": any_case(r"\s*(?:increase|rise|growth|gain)\b"),
    "down": any_case(r"\s*(?:decrease|decline|drop|fall|loss|cut|reduction)\b"),
    "short": any_case(rf"\s*(?:\w+\s)?{_DEFICIT}\b"),
}
_DEFICIT_WORD = any_case(rf"\b{_DEFICIT}\b")
_BELOW_ZERO = any_case(
    r"\b(?:sl[iu]d\w*|slip\w*|s[au]nk|dip\w*|plung\w*|plummet\w*|tumbl\w*|slump\w*|reduc\w*|below|depreciat\w*|weaken\w*|retreat\w*|shortfall|outflow|los[et]|in the red)\b"
)
"""Words that may express a negative figure without a sign."""
_CAME_IN = any_case(
    r"\b(?:(?:provided|generated) (?:net )?cash|cash (?:provided|generated)|net (?:cash )?inflow|net (?:gain|profit))(?: \w+){0,3}\W*$"
)
_MINUS = any_case(r"(?:-|\bminus|\bnegative)\s?[$€£]?\s?$")
_SIGN_REACH = 36


def has_other_sign(reference: str, answer: str, question: str) -> bool:
    """Return whether an answer gives the figure of a reference with the wrong sign: a rise for a fall, or a negative figure for a positive one."""
    found = compare_figure_texts(reference, answer, question)
    like = found.list_alike() if found else []
    if found is None or not like:
        return False
    wanted, text, asked = found.wanted, found.text, found.asked
    if wanted.negative:
        if FALL_LEAD.match(reference):  # negative by a word, which an answer may leave out
            return all(_has_direction(text, figure, "up") for figure in like)
        below = any(figure.convert(wanted).negative for figure in like)
        came_in = all(_CAME_IN.search(_text_before(text, figure)) for figure in like)
        return not below and (came_in or not (FALL.search(text) or _BELOW_ZERO.search(text)))
    if not _DEFICIT_WORD.search(f"{asked} {reference}") and all(
        _has_direction(text, figure, "short") for figure in like
    ):
        return True
    risen, fallen = (all(_has_direction(text, figure, way) for figure in like) for way in ("up", "down"))
    rise, fall = RISE.search(asked) is not None, FALL.search(asked) is not None
    if RISE_OR_FALL.search(asked) is None:
        minus = all(_MINUS.search(_text_before(text, figure)) for figure in like)
        return CHANGE.search(asked) is not None and (minus or (fallen and not risen))
    return rise is not fall and risen is not fallen and rise is fallen


def _has_direction(text: str, figure: Figure, way: Direction) -> bool:
    """Return whether a word for a rise, a fall or a shortfall is right before or after a figure."""
    return (
        _DIRECTION_BEFORE[way].search(_text_before(text, figure)) is not None
        or _DIRECTION_BEHIND[way].match(text, figure.end) is not None
    )


def _text_before(text: str, figure: Figure) -> str:
    return text[max(0, figure.start - _SIGN_REACH) : figure.start]


# Versions, addresses, codes: one different character makes another one.

_IDENTIFIER = any_case(r"(?<![\w.@:+-])(?=[\w.@:+-]*[\d@])[a-z\d]\w*(?:[.@:+-]\w+)*(?![\w@:]|[.+-]\w)")
_JOINT = re.compile(r"[.@:+-]")
_LABELLED = re.compile(r"([a-z]{1,4})-?(\d+)")
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_LEAST_JOINTS, _FEW, _YEAR_DIGITS = 2, 3, 4


def has_other_identifier(reference: str, answer: str, question: str) -> bool:
    """Return whether a reference has one identifier, and an answer only others of its kind. In longer answers those of the question do not count."""
    wanted, given = _list_identifiers(reference), _list_identifiers(answer)
    if len(answer.split()) > _FEW:
        known = _list_identifiers(question)
        wanted, given = wanted - known, given - known
    if len(wanted) != 1 or not wanted.isdisjoint(given):
        return False
    kind, value = next(iter(wanted))
    # "3.1" may stand for 3.1.0, and 2021 for FY21.
    said = rf"(?<![\d.])(?:20)?{re.escape(value.rstrip('.'))}(?!\.?\d)"
    return any(each == kind for each, _ in given) and re.search(said, answer) is None


def _list_identifiers(text: str) -> set[tuple[str, str]]:
    """Return the kinds and values of versions, addresses and codes: several parts, or letters before a number. Dates and figures are left out."""
    found = (_read_identifier(match[0].lower()) for match in _IDENTIFIER.finditer(text[:LONGEST_TEXT]))
    return {each for each in found if each is not None}


def _read_identifier(token: str) -> tuple[str, str] | None:
    joints, labelled = "".join(_JOINT.findall(token)), _LABELLED.fullmatch(token)
    if "@" in joints:
        return "@", token
    if labelled:
        return labelled[1], labelled[2][2:] if len(labelled[2]) == _YEAR_DIGITS else labelled[2]
    if len(joints) < _LEAST_JOINTS or _THOUSANDS.fullmatch(token) or read_dates(token) != []:
        return None
    return joints, ".".join(part.lstrip("0") for part in _JOINT.split(token.removeprefix("v")))
