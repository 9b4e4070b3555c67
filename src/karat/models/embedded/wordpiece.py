"""Text into the word pieces of BERT's uncased vocabulary.

A page of code instead of the package made for it, which would bring a client of a model hub and eleven more distributions along;
a test holds it to that package's results.
"""

import unicodedata
from functools import lru_cache

_LONGEST_WORD = 100
_UNKNOWN = "[UNK]"
_WIDE = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))  # fmt: skip


class _Characters(dict[int, str | None]):
    """What becomes of each character once accents are set apart; looked up once per character."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        self[code] = known = _settle(character, unicodedata.category(character))
        return known


def _settle(character: str, category: str) -> str | None:
    if character in "\t\n\r" or category == "Zs":
        return " "
    if category.startswith("C") or category == "Mn" or character == "\ufffd":
        return None
    code = ord(character)
    sign = category.startswith("P") or (character.isascii() and not character.isalnum())
    if sign or any(first <= code <= last for first, last in _WIDE):
        return f" {character} "
    return character.lower()


_CHARACTERS = _Characters()


class WordPieces:
    """Greedy longest pieces from a vocabulary."""

    def __init__(self, vocabulary: str) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary.split("\n"))}
        self._unknown = self._numbers[_UNKNOWN]
        self._split_word = lru_cache(maxsize=1 << 16)(self._cut)

    def split(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a text."""
        words = unicodedata.normalize("NFD", text).translate(_CHARACTERS).split()
        return [number for word in words for number in self._split_word(word)]

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._numbers.get(word[start:end] if not start else f"##{word[start:end]}")
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)
