"""Parse mathematical notation, and evaluate expressions, exactly if possible."""

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.text.values.reference import is_mathematical

_ANSWERED = re.compile(r"\\boxed\s*\{")
_LATEX = (
    (re.compile(r"\\(?:left|right|big|Big|bigl|bigr|displaystyle|mathrm|mathbf|text|textbf|operatorname|[,;!: ])(?![a-z])|(?<!\\)\$|\\[()\[\]]"), " "),
    (re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)"), r"((\1)/(\2))"),
    (re.compile(r"\\sqrt\s*(\d)"), r"√(\1)"),
    (re.compile(r"\\(?:times|cdot|ast)(?![a-z])|[×·∙⋅]"), "*"),
    (re.compile(r"\\div(?![a-z])|÷"), "/"),
    (re.compile(r"\\pi(?![a-z])|\bpi\b"), "π"),
    (re.compile(r"\bsqrt(?=\s*\()|\\surd"), "√"),
    (re.compile(r"\\\{"), "⦃"),
    (re.compile(r"\\\}"), "⦄"),
)  # fmt: skip
_LATEX_FRACTION = re.compile(r"\\[dtc]?frac(?=\s*\{)")
_LATEX_ROOT = re.compile(r"\\sqrt(?=\s*\{)")
_LATEX_POWER = re.compile(r"\^(?=\s*\{)")
_BRACE = re.compile(r"\s*\{")
_SUPERSCRIPT = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
"""Translates superscript digits and signs into plain ones."""
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}  # fmt: skip
_PIECE = re.compile(
    r"\s*(?:(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:(?:(?<=\.\d)|(?<=\.\d\d)|(?<=\.\d\d\d)|(?<=\.\d\d\d\d)|(?=[eE][-+]))[eE][-+]?\d{1,3}(?!\w))?|\.\d+)|(?P<sign>\*\*|[-+*/^()π√\[\]{},⦃⦄])"
    r"|(?<![A-Za-z])(?P<letters>[a-z]|[xyz]{2,3}|[abc]{2,3}|mn|pq)(?![A-Za-z]))"
)
_VALUE = re.compile(
    r"[\d½⅓⅔¼¾⅕-⅞π√]|\\(?:pi|sqrt|surd)|\b(?:pi|sqrt)\b|\)\s*\(|(?<![A-Za-z])[a-z]\s*[-+*^]\s*[a-z](?![A-Za-z])"
)
_LONGEST_EXPRESSION, _MOST_BOXES = 120, 20


def find_boxed(text: str) -> list[tuple[str, int, int]]:
    r"""Return the content of each complete \boxed{...}, and where the box begins and ends."""
    boxes = list(_ANSWERED.finditer(text))
    found = [(box.start(), *_take_braced(text, box.end())) for box in boxes if len(boxes) <= _MOST_BOXES]
    return [(inner, start, end) for start, inner, end in found if inner is not None]


def list_pieces(text: str) -> list[str] | None:
    """Return the numbers, signs and letters of an expression, or None if a text has anything else."""
    if len(text) > _LONGEST_EXPRESSION or not _VALUE.search(text):
        return None
    plain = _to_plain_signs(text)
    pieces: list[str] = []
    end = 0
    while end < len(plain):
        found = _PIECE.match(plain, end)
        if found is None:
            return None
        pieces += list(found["letters"]) if found["letters"] else [found["number"] or found["sign"]]
        end = found.end()
    return pieces or None


def _to_plain_signs(text: str) -> str:
    """Write LaTeX, superscripts and vulgar fractions in plain signs."""
    for dash in "−–":
        text = text.replace(dash, "-")
    text = _SUPERSCRIPT.sub(lambda found: f"^({found[0].translate(RAISED)})", text)
    for sign, plain in _VULGAR.items():
        text = text.replace(sign, f"({plain})")
    for pattern, plain in _LATEX:
        text = pattern.sub(plain, text)
    text = _open_command(text, _LATEX_FRACTION, 2, "(({})/({}))")
    text = _open_command(text, _LATEX_ROOT, 1, "√({})")
    return _open_command(text, _LATEX_POWER, 1, "^({})").strip().rstrip(". ")


def _open_command(text: str, pattern: re.Pattern[str], parts: int, form: str) -> str:
    """Replace each LaTeX command and its arguments in braces by a form, from the outside in."""
    while found := pattern.search(text):
        end, given = found.end(), list[str]()
        for _ in range(parts):
            opened = _BRACE.match(text, end)
            inner, end = _take_braced(text, opened.end()) if opened else (None, end)
            if inner is None:
                return "?"
            given.append(inner)
        text = text[: found.start()] + form.format(*given) + text[end:]
    return text


def _take_braced(text: str, start: int) -> tuple[str | None, int]:
    """Return the text up to the closing brace, and the position after it. The text is None if no brace closes."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return text[start:place], place + 1
    return None, len(text)


# Evaluation: \frac{15}{2} is 7.5, 2√3 is √12, -3 is not 3, (1, 2] is not [1, 2], (x + 1)^2 is x^2 + 2x + 1.

_Number: TypeAlias = Fraction | float
_DEEPEST, _MOST_PIECES = 20, 60
_LARGEST_POWER, _LARGEST = 64, 10**60
_CLOSE, _NEAR = 1e-12, 0.05
_EXACT = frozenset({"plain", "fraction", "expression"})
_POWER_OF_TEN = re.compile(r"(?:[\d.,]+\*)?10(?:\^|\*\*)\(?[-+]?\d+\)?")
_BRACKETED_FRACTION = re.compile(r"\( (?:(\d+) / (\d+) \)|\( (\d+) \) / \( (\d+) \))(?: |$)")
_FRACTION_FORM = re.compile(r"\d*(?:\d+/\d+|\(\d+/\d+\)|\(\(-?\d+\)/\(\d+\)\))")
# "8 (5 + 3)" is 8 with a remark, and "- 3/4" a list item.
_ASIDE = re.compile(r"\d\s+\(|^\s*-\s")
_LEAST_DIGITS = 3
_CLOSES = {"(": ")]", "[": "])", "{": "}", "⦃": "⦄"}
_SETS = frozenset("{⦃")
_OPERATIONS = frozenset({"+", "-", "*", "/", "^", "**", "(", "√"})
_TURNS = (1, -2, 3)

ExpressionShape: TypeAlias = Literal["plain", "fraction", "power of ten", "expression"]
ExpressionMatch: TypeAlias = Literal["same", "turned", "near", "other"]


class ExpressionValue(Struct, frozen=True):
    """A value, the values of a group in brackets, or, with variables, the values at a few points. Also how the expression is written."""

    values: tuple[_Number, ...]
    shape: ExpressionShape
    mathematical: bool
    brackets: str = ""
    places: int | None = None
    digits: int = 0
    letters: frozenset[str] = frozenset()
    pieces: tuple[str, ...] = ()
    """All pieces but round brackets, sorted. Expressions with the same pieces have the same form."""

    def is_whole(self) -> bool:
        """Return whether the value is a whole number."""
        return isinstance(self.values[0], Fraction) and self.values[0].denominator == 1


class _Unread(Exception):  # noqa: N818 - private
    pass


@lru_cache(maxsize=4096)  # many answers share a reference
def evaluate(text: str) -> ExpressionValue | None:
    """Return the value of an expression. None if a text is no expression, or may be a score, a date, a range or a telephone number."""
    pieces = None if _ASIDE.search(text) else list_pieces(text)
    if pieces is None or len(pieces) > _MOST_PIECES:
        return None
    try:
        found = _read_bracketed(pieces) or _read_alone(pieces, mathematical=is_mathematical(text))
        return found if all(abs(value) < _LARGEST for value in found.values) else None
    except (_Unread, ZeroDivisionError, OverflowError, ValueError):
        return None


def compare_expressions(wanted: ExpressionValue, given: ExpressionValue) -> ExpressionMatch | None:
    """Compare two expressions. "turned" means that only sign, order or brackets differ, "near" that one may be rounded, None that they cannot be compared."""
    if wanted.letters or given.letters:
        same = all(map(_equals, wanted.values, given.values))
        return ("same" if same else "near") if wanted.letters == given.letters else None
    if wanted.brackets or given.brackets:
        return _compare_groups(wanted, given) if wanted.brackets and given.brackets else None
    one, other = wanted.values[0], given.values[0]
    if _equals(one, other):
        return "same"
    if _equals(one, -other):
        return "turned"
    if _is_rounding(one, given) or _is_rounding(other, wanted):
        return "same"
    exact = wanted.shape in _EXACT and given.shape in _EXACT and wanted.places == given.places
    return "near" if not exact and _is_near(one, other) else "other"


def _compare_groups(wanted: ExpressionValue, given: ExpressionValue) -> ExpressionMatch:
    if len(wanted.values) != len(given.values):
        return "other"
    sets = not _SETS.isdisjoint(wanted.brackets) and not _SETS.isdisjoint(given.brackets)
    ours, theirs = sorted(wanted.values), sorted(given.values)
    if all(map(_equals, ours, theirs)):
        ordered = wanted.brackets == given.brackets and all(map(_equals, wanted.values, given.values))
        return "same" if sets or ordered else "turned"
    return "near" if all(map(_is_near, ours, theirs)) else "other"


def _equals(one: _Number, other: _Number) -> bool:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    return math.isclose(one, other, rel_tol=_CLOSE)


def _is_near(one: _Number, other: _Number) -> bool:
    return math.isclose(one, other, rel_tol=_NEAR)


def _is_rounding(value: _Number, decimal: ExpressionValue) -> bool:
    """Return whether a decimal is a value with endless decimals, rounded or truncated at its last digit."""
    endless = not isinstance(value, Fraction) or (value * 10**6).denominator != 1
    if not endless or decimal.shape != "plain" or decimal.places is None or decimal.digits < _LEAST_DIGITS:
        return False
    shown, unit = float(decimal.values[0]), 10.0**-decimal.places
    return float(value) * shown > 0 and -unit / 2 <= abs(float(value)) - abs(shown) < unit


def _read_bracketed(pieces: Sequence[str]) -> ExpressionValue | None:
    """Read a pair, an interval or a set. "(1,234)" is none of them: it may be a number in brackets."""
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
    if any("," in piece and piece != "," for piece in pieces):
        raise _Unread  # "(1,200)" or "(1, 2,300)": the comma may separate thousands
    values = tuple(_ExpressionParser(part).read() for part in parts)
    return ExpressionValue(values, "expression", mathematical=True, brackets=pieces[0] + pieces[-1])


def _read_alone(pieces: Sequence[str], *, mathematical: bool) -> ExpressionValue:
    plain = list(pieces[1:] if pieces[0] in "-+" else pieces)
    if len(plain) in {0, 3} and plain[:1] == ["("]:
        raise _Unread  # "(1,234)" may be a pair or minus 1,234
    letters = frozenset(piece for piece in pieces if piece.isalpha() and piece != "π")
    if letters:
        return _read_at_points(pieces, letters)
    # "2-1" may be a score, "1984-85" a season, and "1/2/99" a date, unless the text has mathematical notation.
    joined = any(piece in {"+", "-"} for piece in pieces[1:]) or sum(piece == "/" for piece in pieces) > 1
    if joined and not mathematical:
        raise _Unread
    if mathematical and _is_ambiguous(pieces, letters):
        raise _Unread
    number = plain[0].lower() if len(plain) == 1 and plain[0] != "π" else ""
    mantissa, _, power = number.partition("e")
    _, point, decimals = mantissa.partition(".")
    return ExpressionValue(
        (_ExpressionParser(list(pieces)).read(),),
        _find_shape(plain, power),
        mathematical=mathematical or bool(power),
        places=len(decimals) if point and not power else None,
        digits=len(mantissa.replace(".", "").replace(",", "").lstrip("0")),
        pieces=_list_written(pieces),
    )


def _list_written(pieces: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(piece for piece in pieces if piece not in {"(", ")"}))


def _find_shape(plain: Sequence[str], power: str) -> ExpressionShape:
    written = "".join(plain)
    if power or _POWER_OF_TEN.fullmatch(written):
        return "power of ten"
    if _FRACTION_FORM.fullmatch(written):
        return "fraction"
    return "plain" if len(plain) == 1 and written != "π" else "expression"


def _is_ambiguous(pieces: Sequence[str], letters: frozenset[str]) -> bool:
    """Return whether a root, π or a letter follows a fraction. "1/2π" has two meanings."""
    return any(
        piece == "/" and pieces[place + 1].isdigit() and pieces[place + 2] in letters | {"π", "√"}
        for place, piece in enumerate(pieces[:-2])
    )


def _read_at_points(pieces: Sequence[str], letters: frozenset[str]) -> ExpressionValue:
    """Evaluate an expression with variables at a few points. One without operators may be a measure ("5 m"), and i is no real number."""
    if _OPERATIONS.isdisjoint(pieces) or "i" in letters or _is_ambiguous(pieces, letters):
        raise _Unread
    values = tuple(
        _ExpressionParser(list(pieces), {letter: _find_point(letter, turn) for letter in letters}).read()
        for turn in _TURNS
    )
    written = _list_written(pieces)
    return ExpressionValue(values, "expression", mathematical=True, letters=letters, pieces=written)


def _find_point(letter: str, turn: int) -> Fraction:
    return Fraction(1009 + 97 * ord(letter) * turn, 211 + 13 * turn + ord(letter))


class _ExpressionParser:
    """Recursive descent parser for sums of products of powers."""

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
                value = _add_part(value, self._power())
            elif self._next() in {"(", "√", "π"} or self._next() in self._letters:
                value = value * self._power()
            elif self._next()[:1].isdigit():
                value = self._add_fraction(value)
            else:
                return value

    def _is_mixed(self) -> bool:
        """Return whether a proper fraction in brackets follows a whole number: 5½ is five and a half."""
        found = _BRACKETED_FRACTION.match(" ".join(self._pieces[self._place : self._place + 8]))
        above, below = map(int, filter(None, found.groups())) if found else (0, 0)
        return self._pieces[self._place - 1].isdigit() and above < below

    def _add_fraction(self, value: _Number) -> _Number:
        """Read and add the fraction of a mixed number: 1 1/2."""
        above, stroke, below = [*self._pieces[self._place : self._place + 3], "", "", ""][:3]
        whole = self._pieces[self._place - 1].isdigit()
        if not (whole and above.isdigit() and stroke == "/" and below.isdigit() and int(above) < int(below)):
            raise _Unread
        self._place += 3
        return _add_part(value, Fraction(int(above), int(below)))

    def _signed(self) -> _Number:
        if self._take("-"):
            return -self._signed()
        return self._signed() if self._take("+") else self._power()

    def _power(self) -> _Number:
        value = self._atom()
        if self._take("^", "**"):
            return _raise_power(value, self._signed())
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
            return _take_root(self._atom())
        if piece == "π":
            return math.pi
        if piece in self._letters:
            return self._letters[piece]
        if not piece[:1].isdigit() and piece[:1] != ".":
            raise _Unread
        if re.match(r"00|0\d\d", piece):
            raise _Unread  # a code
        return Fraction(piece.replace(",", ""))


def _add_part(whole: _Number, part: _Number) -> _Number:
    return whole + part if whole >= 0 else whole - part


def _raise_power(value: _Number, power: _Number) -> _Number:
    long = isinstance(value, Fraction) and value.denominator > _LARGEST
    if long or abs(power) > _LARGEST_POWER or abs(value) > _LARGEST:
        raise _Unread
    if isinstance(value, Fraction) and isinstance(power, Fraction) and power.denominator == 1:
        return value ** int(power)
    if value < 0:
        raise _Unread
    return float(value) ** float(power)


def _take_root(value: _Number) -> _Number:
    if value < 0:
        raise _Unread
    if isinstance(value, Fraction):
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above * above == value.numerator and below * below == value.denominator:
            return Fraction(above, below)
    return math.sqrt(value)
