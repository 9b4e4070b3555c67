"""Letters and signs brought to one plain form, case kept."""

import re
import unicodedata
from functools import lru_cache

from karat.text.clean import strip_invisible

_SUPERSCRIPT = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_VULGAR = re.compile("[¼-¾⅐-⅞↉]")
_MARKS = re.compile("[™℠®©]")
_RARE = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹¼-¾⅐-⅞↉™℠®©]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_PLAIN = dict.fromkeys("‐‑‒–—―−﹣－", "-") | dict.fromkeys("‘’‚‛′ʼʹ＇", "'") | {"\u2044": "/", "•": " | "}
_LONGEST_CACHED = 2000


def fold(text: str) -> str:
    """Return the text in NFKC with Latin accents off, dashes and quotes plain, and other punctuation as spaces."""
    return _fold_short(text) if len(text) <= _LONGEST_CACHED else _fold(text)


@lru_cache(maxsize=1024)  # several rules look at the same text in turn
def _fold_short(text: str) -> str:
    return _fold(text)


def _fold(text: str) -> str:
    visible = strip_invisible(text)
    if visible.isascii():
        return visible
    if _RARE.search(visible) is not None:
        visible = _SUPERSCRIPT.sub(_spell_power, _VULGAR.sub(r" \g<0>", _MARKS.sub(" ", visible)))
    return _BEYOND_ASCII.sub(_fold_run, unicodedata.normalize("NFKC", visible))


def _fold_run(match: re.Match[str]) -> str:
    return "".join(map(_fold_character, match[0]))


def _spell_power(match: re.Match[str]) -> str:
    return "^" + unicodedata.normalize("NFKC", match[0]).replace("\u2212", "-")


@lru_cache(maxsize=8192)
def _fold_character(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    kind = unicodedata.category(character)
    if kind[0] == "L":
        return _fold_letter(character)
    if kind[0] in "PZC" or "\u0300" <= character <= "\u036f":
        return "" if kind == "Mn" else " "
    return f" {character} " if kind[0] == "S" else character


def _fold_letter(letter: str) -> str:
    """Spell a Latin letter in ASCII; leave every other script alone."""
    if not unicodedata.name(letter, "").startswith("LATIN"):
        return letter
    from anyascii import anyascii  # loads tables that plain ASCII text never needs

    spelled = anyascii(letter)
    return spelled if spelled.isalpha() else letter
