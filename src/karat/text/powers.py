"""Numbers in scientific notation, written out: "2.998 × 10^8 m/s" is "299,800,000 m/s"."""

import re
from decimal import Decimal

from karat.core.types import Item

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
# It begins with a digit whatever follows, by which a search finds its places fast.
_HINT = re.compile(r"\d(?:(?<=10)\s?(?:\^|\*\*|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺])|[eE][-+]?\d)")
_BEFORE = r"(?<![\w.,^/*×(])(?P<digits>"
# Behind the power neither more digits nor the rest of a computation.
_BEHIND = r"(?![\w^]|[.,]\d|\s{0,2}[-+*/×^(]\s{0,2}[\d(])"
_TIMES = re.compile(
    rf"{_BEFORE}\d{{1,3}}(?:\.\d{{1,12}})?)\s{{0,2}}[×x*·⋅]\s{{0,2}}10\s?(?:(?:\^|\*\*)\s?[{{(]?(?P<raised>[-−+]?\d{{1,2}})[}})]?|(?P<power>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,2}})){_BEHIND}"
)
_LETTER = re.compile(rf"{_BEFORE}\d\.\d{{1,12}}|\d(?=e))[eE](?P<raised>[-+]?\d{{1,2}})(?P<power>){_BEHIND}")
_FORM = re.compile(
    r"\b(?:scientific|standard|index|exponential) (?:notation|form)\b|\bpowers? of (?:ten|10)\b",
    re.IGNORECASE,
)
_MOST = 30


def spell_powers(item: Item) -> Item:
    """Write out what references and answer have in powers of ten, unless it is that form that is asked for."""
    texts = (item.answer, *item.references)
    if not _HINT.search("\n".join(texts)) or _FORM.search(item.question or ""):
        return item
    spelt = [_LETTER.sub(_spell, _TIMES.sub(_spell, text)) for text in texts]
    if _HINT.search("\n".join(spelt)):
        return item  # what is left as it is would be compared with what is written out
    return Item(item.question, tuple(spelt[1:]), spelt[0])


def _spell(match: re.Match[str]) -> str:
    power = int((match["raised"] or match["power"]).translate(_SUPERSCRIPT))
    return f"{Decimal(match['digits']).scaleb(power):,f}" if abs(power) <= _MOST else match[0]
