"""How one figure is like another: the same on some scale, rounded, near, or another."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.text.echoes import FUNCTION_WORDS
from karat.text.figures import Figure, name_currency, read_figures, read_only_figure
from karat.text.fold import fold
from karat.text.normalise import normalise
from karat.text.numbers import MAGNITUDES
from karat.text.rates import settle_rate

Each: TypeAlias = Literal["same", "rounded", "near", "other", "open"]
Told: TypeAlias = list[tuple[Figure, Each]]
_SCALE = re.compile(r"\b(thousand|million|billion|mn|bn)s?\b", re.IGNORECASE)
_ROUNDING = re.compile(r"\bround(?:ed|ing)?\b", re.IGNORECASE)
LONGEST, MOST_FIGURES = 4000, 60
"""Characters and figures up to which an answer is looked at."""
GROUP, HUNDRED, _TEN, _LONG = 1000, 100, 10, 10_000
_ROUNDED, _ROUGH, NEAR, _SLIP, _FINER = (Fraction(1, of) for of in (50, 30, 20, 200, 66))
"""Shares of a value within which a coarser one is its rounding, also where it is said to be rough, or may be, within which one as exact may come of rounded steps, and within which a finer one rounds to it."""
_EXACT = frozenset({"", "time", "calendar", "data"})
"""Kinds of which whole numbers are exact."""
_TABLED = frozenset((GROUP, GROUP**2, GROUP**3))
"""What the figures of a table may stand for."""


def compare_all(wanted: Figure, every: list[Figure], asked: str) -> Told:
    """Compare the figures that can be compared; those of the question are told only where they are like the wanted one, whatever they are of."""
    scale = read_scale(asked)
    named = read_figures(asked)
    known, bare = {figure.key() for figure in named}, {figure.value for figure in named if not figure.kind}
    words, rounded = list_telling(asked), _ROUNDING.search(asked) is not None
    every = [settle_rate(figure, wanted, asked) for figure in every]
    told: Told = [
        (
            figure,
            "open"
            if _is_counted(wanted, figure) and _stem(figure.noun) not in words | {_stem(wanted.noun)}
            else "same"
            if rounded and _rounds_to(wanted, figure, scale)
            else _compare(wanted, figure, scale),
        )
        for figure in every
        if is_comparable(wanted, figure, asked)
    ]
    return [
        (figure, like)
        for figure, like in told
        if like not in {"other", "open"} or not (figure.key() in known or figure.value in bare)
    ]


class Compared(Struct, frozen=True):
    """The one figure that a reference is, answer and question in plain letters, and how the answer's figures are like it."""

    wanted: Figure
    text: str
    asked: str
    told: Told

    def list_alike(self) -> list[Figure]:
        """Return the figures that are the wanted one or its rounding."""
        return [figure for figure, like in self.told if like in {"same", "rounded"}]


@lru_cache(maxsize=64)  # several questions are asked of the same answer in turn
def compare_texts(reference: str, answer: str, question: str) -> Compared | None:
    """Compare the figures of an answer with the one that a reference is; None where it is none, or the answer too long."""
    wanted = read_only_figure(reference)
    if wanted is None or len(answer) > LONGEST:
        return None
    text, asked = fold(answer), fold(question[:LONGEST])
    return Compared(wanted, text, asked, compare_all(wanted, read_figures(text)[:MOST_FIGURES], asked))


def read_scale(asked: str) -> int:
    """Return the scale that a question names for its answer."""
    named = _SCALE.search(asked)
    return MAGNITUDES[named[1].lower()] if named else 1


def list_telling(text: str) -> set[str]:
    """Return the stems of the telling words; a figure without a noun counts what is asked for."""
    return {"", *(_stem(word) for word in normalise(text).split() if word not in FUNCTION_WORDS)}


def _stem(word: str) -> str:
    return word.removesuffix("s")


def _is_counted(wanted: Figure, given: Figure) -> bool:
    """Tell whether the word behind a figure says what it is of: not where both have units of one dimension."""
    return not given.kind or given.kind != wanted.kind


def is_comparable(wanted: Figure, given: Figure, asked: str) -> bool:
    """Tell whether two figures may be of one kind; a bare number may be of a currency that the question names, or have a unit."""
    kinds = {wanted.kind, given.kind}
    if len(kinds) == 1 or kinds == {"percent", "points"}:
        return True
    if "" not in kinds:
        return False
    bare = not given.kind or bool(given.noun)
    scaled = not wanted.kind and read_scale(asked) != 1
    return kinds <= {"", "percent", "points", "times"} or bare or scaled or name_currency(asked, given.kind)


def _compare(wanted: Figure, given: Figure, scale: int) -> Each:
    """Compare two figures on the scale on which they are likest."""
    converted = wanted.kind == given.kind and (wanted.unit, wanted.offset) != (given.unit, given.offset)
    coarse = _coarsest(given) / given.step
    given = given.convert(wanted)
    coarse *= given.step
    best: Each = "other"
    for ours in _scales(wanted, given, scale):
        for theirs in _scales(given, wanted, scale):
            away = abs(wanted.value * ours - given.value * theirs)
            share = away / (wanted.value * ours) if wanted.value else Fraction(away != 0)
            step, said = _finest(wanted) * ours, coarse * theirs
            if not away or (
                given.step * theirs < step and 2 * away <= step and share <= _FINER and not _is_count(wanted)
            ):
                return "same"
            if (
                (said > step or converted)
                and 2 * away <= said
                and share <= (_ROUGH if given.rough else _ROUNDED)
                and (ours != 1 or converted or _may_round(wanted, given))
            ):
                best = "rounded"
            elif best == "other" and share <= (NEAR if said > step else _SLIP):
                best = "near"
    return "near" if best == "other" and _is_tabled(wanted, given) else best


def _is_tabled(wanted: Figure, given: Figure) -> bool:
    """Tell whether a bare figure may be that of a table in thousands or millions."""
    bare = wanted.scaled and not (given.scaled or given.kind) and bool(given.value)
    return bare and wanted.value / given.value in _TABLED


def _rounds_to(wanted: Figure, given: Figure, scale: int) -> bool:
    """Tell whether a figure with decimals is what a finer one rounds to."""
    given = given.convert(wanted)
    return wanted.step < 1 and any(
        given.step * theirs < wanted.step * ours
        and 2 * abs(wanted.value * ours - given.value * theirs) <= wanted.step * ours
        for ours in _scales(wanted, given, scale)
        for theirs in _scales(given, wanted, scale)
    )


def _finest(figure: Figure) -> Fraction:
    """Return the step to which a figure is meant: its trailing zeros may be exact."""
    return figure.step if figure.scaled or figure.rough else min(figure.step, Fraction(1))


def _coarsest(figure: Figure) -> Fraction:
    """Return the step to which a figure is said: "about 70" may be any from 65 to 75."""
    tens = figure.rough and figure.step == 1 and figure.value % _TEN == 0
    return figure.step * _TEN if tens else figure.step


def _is_whole(figure: Figure) -> bool:
    return figure.step >= 1 and not figure.scaled


def _is_count(figure: Figure) -> bool:
    """Tell whether a whole number is exact; with a unit of measure it is what was measured, but for times."""
    return _is_whole(figure) and not figure.rough and (not figure.noun or figure.kind in _EXACT)


def _may_round(wanted: Figure, given: Figure) -> bool:
    """Tell whether a value may be said more roughly: one with decimals, a scale or many digits; 365, 404 and 118 are what they are."""
    if given.rough and (wanted.kind or wanted.value >= GROUP):
        return True
    return not _is_whole(wanted) or wanted.value >= _LONG


def _scales(figure: Figure, other: Figure, scale: int) -> tuple[Fraction, ...]:
    """Return by what a figure may have to be multiplied: the question's scale where it said none, a hundred where only the other is a percentage."""
    factors = [Fraction(1)]
    if not figure.scaled and scale != 1 and figure.kind not in {"percent", "points", "times"}:
        factors.append(Fraction(scale))
    if not figure.kind and other.kind in {"percent", "points"} and figure.value < 1:
        factors.append(Fraction(HUNDRED))
    return tuple(factors)


def is_same(wanted: Figure, given: Figure, asked: str) -> bool:
    """Tell whether a figure is the wanted one, as it is or rounded."""
    return _compare(wanted, given, read_scale(asked[:LONGEST])) in {"same", "rounded"}


def is_like(wanted: Figure, given: Figure, asked: str) -> bool:
    """Tell whether a figure may be the wanted one, as it is, rounded in any way, or cut off."""
    if not is_comparable(wanted, given, asked):
        return False
    scale = read_scale(asked)
    if _compare(wanted, given, scale) != "other":
        return True
    given = given.convert(wanted)
    for ours in _scales(wanted, given, scale):
        for theirs in _scales(given, wanted, scale):
            away, step, other = (
                abs(wanted.value * ours - given.value * theirs),
                wanted.step * ours,
                given.step * theirs,
            )
            if (other > step and 2 * away <= other) or (other < step and away < step):
                return True
    return False


def contradicts(reference: str, answer: str) -> bool:
    """Tell whether a figure of the reference is missing in an answer that has figures of its kind."""
    given = read_figures(fold(answer[:LONGEST]))
    for wanted in read_figures(fold(reference[:LONGEST])):
        alike = [figure for figure in given if figure.kind == wanted.kind]
        if alike and all(_compare(wanted, figure, 1) == "other" for figure in alike):
            return True
    return False
