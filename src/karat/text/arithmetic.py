r"""What expressions are worth: \frac{15}{2} is 7.5, 2√3 is √12, -3 is not 3, (1, 2] is not [1, 2], (x + 1)^2 is x^2 + 2x + 1.

Exact where it can be: fractions stay fractions, and what has a root or π in it is compared to twelve places. Expressions with
letters are computed at a few points: what is the same there is the same everywhere, but by a chance that no one lives to see.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from karat.text.notation import list_pieces

_Number: TypeAlias = Fraction | float
_DEEPEST, _MOST_PIECES = 20, 60
_LARGEST_POWER, _LARGEST = 64, 10**60
_CLOSE = 1e-12
_LEAST_DIGITS = 3
_CLOSES = {"(": ")]", "[": "])", "{": "}", "⦃": "⦄"}
_SETS = frozenset("{⦃")
_OPERATIONS = frozenset({"+", "-", "*", "/", "^", "**", "(", "√"})
_TURNS = (1, 2, 3)


class Worth(Struct, frozen=True):
    """One value, several in brackets, or one at each of a few points; how many significant digits a lone decimal has, whether more than a plain number is written, and with which letters."""

    values: tuple[_Number, ...]
    brackets: str = ""
    digits: int | None = None
    noted: bool = False
    letters: frozenset[str] = frozenset()


class _Unread(Exception):  # noqa: N818 - never seen outside
    pass


def find_worth(text: str) -> Worth | None:
    """Return what an expression is worth, or None where a text is none, or may be a score, a date, a span or a telephone number."""
    pieces = list_pieces(text)
    if pieces is None or len(pieces) > _MOST_PIECES:
        return None
    try:
        return _read_bracketed(pieces) or _read_alone(pieces)
    except (_Unread, ZeroDivisionError, OverflowError, ValueError):
        return None


def is_same(wanted: Worth, given: Worth) -> bool | None:
    """Tell whether two expressions are worth the same; None where one may be the other, rounded, or where they speak of other letters."""
    if wanted.letters or given.letters:
        return all(map(_equals, wanted.values, given.values)) if wanted.letters == given.letters else None
    if wanted.brackets or given.brackets:
        return _is_same_group(wanted, given)
    one, other = wanted.values[0], given.values[0]
    if _equals(one, other):
        return True
    for value, decimal in ((one, given), (other, wanted)):
        if decimal.digits is not None and _rounds_to(value, decimal):
            return True if decimal.digits >= _LEAST_DIGITS and not _is_decimal(value) else None
    return False


def _is_same_group(wanted: Worth, given: Worth) -> bool:
    loose = not _SETS.isdisjoint(wanted.brackets) and not _SETS.isdisjoint(given.brackets)
    if not loose and wanted.brackets != given.brackets:
        return False
    ours, theirs = list(wanted.values), list(given.values)
    if loose:
        ours, theirs = sorted(ours, key=float), sorted(theirs, key=float)
    return len(ours) == len(theirs) and all(map(_equals, ours, theirs))


def _equals(one: _Number, other: _Number) -> bool:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)


def _rounds_to(value: _Number, decimal: Worth) -> bool:
    """Tell whether a decimal is a value cut or rounded at its last digit."""
    shown = decimal.values[0]
    assert isinstance(shown, Fraction) and decimal.digits  # noqa: S101, PT018 - a lone decimal
    places = 0
    while (shown * 10**places).denominator != 1:
        places += 1
    beyond, unit = abs(float(value)) - abs(float(shown)), 10.0**-places
    return bool(places) and float(value) * float(shown) > 0 and -unit / 2 <= beyond < unit


def _is_decimal(value: _Number) -> bool:
    """Tell whether a value can be written out in a few decimals, so that another decimal is another value."""
    return isinstance(value, Fraction) and (value * 10**6).denominator == 1


def _read_bracketed(pieces: Sequence[str]) -> Worth | None:
    """Read a pair, an interval or a set; "(1,234)" may be a number in brackets."""
    if pieces[0] not in _CLOSES or pieces[-1] not in _CLOSES[pieces[0]] or "," not in pieces:
        return None
    parts, depth = [list[str]()], 0
    for piece in pieces[1:-1]:
        depth += (piece in "([") - (piece in ")]")
        if depth < 0:
            return None
        if piece == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(piece)
    values = tuple(_Reader(part).read() for part in parts)
    return Worth(values, pieces[0] + pieces[-1], noted=True)


def _read_alone(pieces: Sequence[str]) -> Worth:
    plain = list(pieces[1:] if pieces[0] in "-+" else pieces)
    if not plain or [piece for piece in plain if piece[0] in "()"] == plain[:: max(len(plain) - 1, 1)]:
        raise _Unread  # "(1,234)" is a pair here and minus 1,234 there
    letters = frozenset(piece for piece in pieces if piece.isalpha() and piece != "π")
    if letters:
        return _read_at_points(pieces, letters)
    joined = any(piece in {"+", "-"} for piece in pieces[1:])
    # "2-1" may be a score and "1984-85" a season: a sum has to show that it is mathematics.
    if joined and not {"√", "π", "^", "(", "**"} & set(pieces):
        raise _Unread
    if sum(piece == "/" for piece in pieces) > 1 and "(" not in pieces:
        raise _Unread
    number = plain[0].lower() if len(plain) == 1 else ""
    decimal = "." in number and "e" not in number
    digits = len(number.replace(".", "").replace(",", "").lstrip("0")) if decimal else None
    noted = not number or "e" in number or number == "π"
    return Worth((_Reader(list(pieces)).read(),), digits=digits, noted=noted)


def _read_at_points(pieces: Sequence[str], letters: frozenset[str]) -> Worth:
    """Compute an expression with letters; without an operation "5 m" may be five metres."""
    if _OPERATIONS.isdisjoint(pieces):
        raise _Unread
    points = (
        {
            letter: Fraction(1009 + 97 * ord(letter) * turn, 211 + 13 * turn + ord(letter))
            for letter in letters
        }
        for turn in _TURNS
    )
    values = tuple(_Reader(list(pieces), point).read() for point in points)
    return Worth(values, noted=True, letters=letters)


class _Reader:
    """A sum of products of powers, from left to right."""

    def __init__(self, pieces: list[str], letters: Mapping[str, Fraction] | None = None) -> None:
        self._pieces, self._place, self._depth = pieces, 0, 0
        self._letters = letters or {}

    def read(self) -> _Number:
        value = self._sum()
        if self._place != len(self._pieces):
            raise _Unread
        return value

    def _next(self) -> str:
        return self._pieces[self._place] if self._place < len(self._pieces) else ""

    def _take(self, *signs: str) -> str:
        piece = self._next()
        if not piece or piece not in signs:
            return ""
        self._place += 1
        return piece

    def _sum(self) -> _Number:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unread
        value = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = value + other if sign == "+" else value - other
        self._depth -= 1
        return value

    def _product(self) -> _Number:
        value = self._signed()
        while True:
            if self._take("*"):
                value = value * self._signed()
            elif self._take("/"):
                value = value / self._signed()
            elif self._is_mixed():
                part = self._power()
                value = value + part if value >= 0 else value - part
            elif self._next() in {"(", "√", "π"} or self._next() in self._letters:
                value = value * self._power()
            elif self._next()[:1].isdigit():
                value = self._add_fraction(value)
            else:
                return value

    def _is_mixed(self) -> bool:
        """Tell whether a fraction in brackets follows a whole number: 5½ is five and a half."""
        before = self._pieces[self._place - 1]
        shape = [
            piece if piece in {"(", ")", "/"} else "n"
            for piece in self._pieces[self._place : self._place + 7]
        ]
        brief, long = ["(", "n", "/", "n", ")"], ["(", "(", "n", ")", "/", "(", "n"]
        return before.isdigit() and (shape[:5] == brief or shape == long)

    def _add_fraction(self, value: _Number) -> _Number:
        """Read the fraction of a mixed number: 1 1/2."""
        above, stroke, below = [*self._pieces[self._place : self._place + 3], "", "", ""][:3]
        whole = self._pieces[self._place - 1].isdigit()
        if not (whole and above.isdigit() and stroke == "/" and below.isdigit() and int(above) < int(below)):
            raise _Unread
        self._place += 3
        part = Fraction(int(above), int(below))
        return value + part if value >= 0 else value - part

    def _signed(self) -> _Number:
        if self._take("-"):
            return -self._signed()
        return self._signed() if self._take("+") else self._power()

    def _power(self) -> _Number:
        value = self._atom()
        if self._take("^", "**"):
            return _raise(value, self._signed())
        return value

    def _atom(self) -> _Number:
        piece = self._next()
        self._place += 1
        if piece == "(":
            value = self._sum()
            if not self._take(")"):
                raise _Unread
            return value
        if piece == "√":
            return _root(self._atom())
        if piece == "π":
            return math.pi
        if piece in self._letters:
            return self._letters[piece]
        if not piece or not (piece[0].isdigit() or piece[0] == "."):
            raise _Unread
        return Fraction(piece.replace(",", ""))


def _raise(value: _Number, power: _Number) -> _Number:
    if abs(power) > _LARGEST_POWER or abs(value) > _LARGEST:
        raise _Unread
    if isinstance(value, Fraction) and isinstance(power, Fraction) and power.denominator == 1:
        return value ** int(power)
    if value < 0:
        raise _Unread
    return float(value) ** float(power)


def _root(value: _Number) -> _Number:
    if value < 0:
        raise _Unread
    if isinstance(value, Fraction):
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above * above == value.numerator and below * below == value.denominator:
            return Fraction(above, below)
    return math.sqrt(value)
