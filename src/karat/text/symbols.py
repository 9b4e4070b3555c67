"""Code, formulas and symbols, where every sign and every capital counts."""

import re

from karat.text.clean import clean
from karat.text.fold import fold
from karat.text.units import is_cased

_SIGN = re.compile(
    r"""[\\*<>\[\]{}~^=_|@\#‰‱]
    | !(?=[^\s!?.)"'])            # !x, !=
    | (?<![^\W\d_]{2})(?<!!)!         # 5!, n!
    | (?<=[^\s(])\(               # f(x)
    | \((?![^()]*[^\W\d_]{2})     # (1,2), ()
    | (?<![\w'])\w'(?!\w) | \w'\( | \d['"]   # p', f'(x), 5'10"
    | (?<!\w)[/-]\w | \w[/-](?!\w)  # /etc, -ly, Cl-
    | (?<![^\W\d_])[\u0300-\u036f\u20d0-\u20f0]   # a bar over a digit
    """,
    re.VERBOSE,
)
_MINUS = re.compile(r"^\W*-\s?\d")
_LETTER = re.compile(r"[^\W\d_]")
_FEW = 2
_ANY_CASE = frozenset({"no", "ok"})
_MEASURE = re.compile(r"\d\s?(?P<unit>[^\W\d_]{1,4})\W*$")
_LEAD = re.compile(
    r"^(?:the\s+)?(?:(?:final|correct|my|short)\s+)*(?:answer(?:\s+is|\s+would\s+be)?:?|it\s+is|it'?s|it\s+was|that\s+is|this\s+is)\s+(?=\S)",
    re.IGNORECASE,
)
_WRAPS = re.compile(r"(\*\*|\*|__|`+|\"|'|“|‘)(?P<inner>[^*`\"'”’]+)(?:\1|”|’)|\((?P<label>[^\W\d_]+)\)")
_LABEL = re.compile(r"^([A-Za-z])[).:]$")
_PREFIX = re.compile(r"\b(?:re|un|co)[-‐‑]\w", re.IGNORECASE)
_LONGEST_FORMULA = 80
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"})
_LATEX = re.compile(r"\\left|\\right|\\[,;!()\[\]]|\$|\.$")
_PROSE = re.compile(r"[^\W\d_]{3}")
_OPERATION = re.compile(r"[\w)][-+*/^=<>][\w(]")
_OPERATORS = re.compile(r"[-+/^=<>]")
_BETWEEN = re.compile(r"[^\w]")
_LOOSE = re.compile(r"(?<=[^\w\s])\s+|\s+(?=[^\w\s])")


def is_symbolic(text: str) -> bool:
    """Tell whether a sign or the case of a letter may carry meaning in this text: code, a formula, a short symbol."""
    bare = _unwrap(clean(text))
    letters = _LETTER.findall(bare)
    if (
        letters
        and len(letters) <= _FEW
        and bare.lower().rstrip(".") not in _ANY_CASE
        and not _has_digits(bare)
    ):
        return True
    measure = _MEASURE.search(bare)
    if measure and is_cased(measure["unit"]):
        return True
    return _SIGN.search(_MINUS.sub("", bare)) is not None


def is_same_symbol(reference: str, answer: str) -> bool:
    """Tell whether two texts are the same sign for sign, but for white space, an introduction and quotes around."""
    return spell_exactly(reference) == spell_exactly(answer)


def spell_exactly(text: str) -> str:
    """Return the text in NFKC without what only introduces or wraps it."""
    return _LOOSE.sub("", _unwrap(_LEAD.sub("", clean(text).strip())))


def stands_exactly(reference: str, answer: str) -> bool:
    """Tell whether the answer holds the reference sign for sign, set apart by white space or punctuation."""
    bare = _unwrap(clean(reference))
    edge = "" if bare.startswith("*") else "*"
    return (
        re.search(rf"(?<![^\s\"'`({edge}]){re.escape(bare)}(?=[.,;:!)*\"'`]*(?:\s|$))", clean(answer))
        is not None
    )


def holds_exactly(reference: str, answer: str) -> bool:
    """Tell whether a mention of the reference in the answer can be trusted to be it, sign for sign where that counts."""
    if is_symbolic(reference):
        return stands_exactly(reference, answer)
    # A short answer that is itself code holds more than the word.
    return len(answer.split()) > 1 or not is_symbolic(answer)


def differs_in_signs(reference: str, answer: str) -> bool:
    """Tell whether two formulas have the same letters and figures and other signs between them: (x-2)(x-3), (x+2)(x+3)."""
    if len(reference) > _LONGEST_FORMULA or len(answer) > _LONGEST_FORMULA:
        return False
    one, other = _spell_formula(reference), _spell_formula(answer)
    if (
        _PROSE.search(one)
        or not _OPERATION.search(one)
        or not _LETTER.search(one)
        or _BETWEEN.sub("", one) != _BETWEEN.sub("", other)
    ):
        return False
    ours, theirs = _OPERATORS.findall(one), _OPERATORS.findall(other)
    return len(ours) == len(theirs) and ours != theirs


def _spell_formula(text: str) -> str:
    """Return a formula in small letters without white space, dollar signs and what only spaces in LaTeX."""
    plain = fold(text.translate(_SIGNS)).lower().replace("\\times", "*").replace("\\cdot", "*")
    return "".join(_LATEX.sub("", plain).replace("**", "^").split())


def splits_prefix(text: str) -> bool:
    """Tell whether a hyphen keeps a prefix apart, which may make another word: re-sign, un-ionised, co-op."""
    return _PREFIX.search(text) is not None


def _has_digits(text: str) -> bool:
    return any(map(str.isdigit, text))


def _unwrap(text: str) -> str:
    """Take off a closing full stop, quotes, emphasis and the brackets of a lone word."""
    text = text.strip()
    if len(text) > 1:
        text = text.removesuffix(".").rstrip()
    match = _WRAPS.fullmatch(text)
    if match:
        return _unwrap(match["inner"] or match["label"])
    return _LABEL.sub(r"\1", text)
