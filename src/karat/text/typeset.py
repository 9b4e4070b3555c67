r"""Measures that are set in LaTeX, in plain signs: "$3.00 \times 10^{8}\ \text{m/s}$" is "3.00 × 10^8 m/s"."""

import re

from karat.core.types import Item

_SET = re.compile(
    r"\\(?:text|mathrm|textrm|rm|,|;|!|:| |%|\$|circ|degree|times|cdot|approx|sim|pm|leq?|geq?)(?![a-z])"
)
_PLAIN = (
    (re.compile(r"\^\{\s*([-+−]?\d{1,3})\s*\}"), r"^\1"),
    (re.compile(r"\\(?:text|mathrm|textrm)\s*\{([^{}\\]*)\}|\{\\rm\s+([^{}\\]*)\}"), r" \1\2"),
    (re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ|\{\s*\\degree\s*\})|\\degree(?![a-z])"), "°"),
    (re.compile(r"\\(?:times|cdot)(?![a-z])"), "×"),
    (re.compile(r"\\(?:approx|sim)(?![a-z])"), "≈"),
    (re.compile(r"\\pm(?![a-z])"), "±"),
    (re.compile(r"\\leq?(?![a-z])"), "≤"),
    (re.compile(r"\\geq?(?![a-z])"), "≥"),
    (re.compile(r"\\([%$])"), r"\1"),
    (re.compile(r"\\[,;:! ]"), " "),
    (re.compile(r"(?<=\d)\{,\}(?=\d{3})"), ","),
)
_BETWEEN = re.compile(r"\$\$?([^$]*)\$\$?|\\\(((?:(?!\\[()]).)*)\\\)|\\\[((?:(?!\\[\[\]]).)*)\\\]", re.DOTALL)
_LEFT = re.compile(r"[\\{}_]")
_BLANKS = re.compile(r"[ \t]{2,}")
_MOST = 4000


def spell_typeset(item: Item) -> Item:
    """Write what references and answer have in LaTeX in plain signs, where that is all that they have of it; formulas are read elsewhere."""
    texts = (item.answer, *item.references)
    if not any("\\" in text and _SET.search(text) for text in texts):
        return item
    spelt = [_spell(text) for text in texts]
    return Item(item.question, tuple(spelt[1:]), spelt[0])


def _spell(text: str) -> str:
    """Return a text in plain signs, or as it is where something else of LaTeX would be left."""
    if "\\" not in text or len(text) > _MOST:
        return text
    plain = _BETWEEN.sub(_open, text)
    for pattern, sign in _PLAIN:
        plain = pattern.sub(sign, plain)
    return text if _LEFT.search(plain) else _BLANKS.sub(" ", plain).strip()


def _open(match: re.Match[str]) -> str:
    """Return what stands between signs of LaTeX; between dollars only where it is LaTeX."""
    inside = next(each for each in match.groups() if each is not None)
    return inside if "\\" in inside or match[1] is None else match[0]
