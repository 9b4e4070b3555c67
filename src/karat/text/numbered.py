"""Names with a number in them: "season six" is "Season 6", "Henry V" is not "Henry VI"."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from karat.text.numbers import read_digits, read_place, read_words
from karat.text.vocabulary import list_words

# "X" alone is a letter more often than a ten.
_ROMAN = {
    word: value
    for value, word in enumerate(list_words("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"), 1)
    if word != "x"
}  # fmt: skip

_COUNTED = frozenset(
    list_words("season chapter article amendment quarter grade round volume edition floor week")
)
"""What is told by its number and by its place alike; the Third World is no world 3."""


_VERSIONED = frozenset(
    list_words(
        "version v release python java php ruby perl node go rust ios macos android windows ubuntu debian fedora firmware django react angular postgresql mysql section chapter article figure table clause paragraph"
    )
)
"""What has versions or sections, whose parts are no decimals."""


class _Count(Struct, frozen=True):
    value: Fraction
    ordinal: bool | None
    """Whether it is a place in an order; Roman numbers may be."""


def tell_numbered(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Tell whether two phrases that differ in their numbers alone have the same ones; None where they differ otherwise, or not at all."""
    if len(one) != len(other):
        return None
    turned = _tell_turned(one, other)
    if turned is not None:
        return turned
    apart = [place for place, word in enumerate(one) if word != other[place]]
    if not apart or len(apart) == len(one):  # a number alone is a quantity
        return None
    found = [
        False
        if not _VERSIONED.isdisjoint(one[:place]) and _are_sections(one[place], other[place])
        else _tell(_read(one, place), _read(other, place))
        for place in apart
    ]
    return None if None in found else all(found)


def _are_sections(one: str, other: str) -> bool:
    """Tell whether two numbers in a name are different parts of one whole: version 3.10 is not version 3.1."""
    (first, dot, part), (second, stop, piece) = one.partition("."), other.partition(".")
    return bool(dot and stop) and first == second and part != piece and part.isdigit() and piece.isdigit()


def _tell_turned(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Tell whether a thing by its number is the thing by its place: "season 6", "the sixth season"; None where they are not so."""
    if len(one) != 2 or sorted((one[0] == other[1], one[1] == other[0])) != [False, True]:  # noqa: PLR2004 - a noun and its number
        return None
    first, second = (one, other) if one[0] == other[1] else (other, one)
    if first[0] not in _COUNTED or first[1] in _ROMAN:
        return None
    count, place = _read(first, 1), _read(second, 0)
    if count is None or place is None or count.ordinal or not place.ordinal:
        return None
    return count.value == place.value


def _tell(one: _Count | None, other: _Count | None) -> bool | None:
    if one is None or other is None or (one.ordinal, other.ordinal) in ((True, False), (False, True)):
        return None
    return one.value == other.value


def _read(words: Sequence[str], place: int) -> _Count | None:
    """Return the value of a number of one word; "no one" is none."""
    word = words[place]
    if word in _ROMAN:
        return _Count(Fraction(_ROMAN[word]), None)
    if word == "one" and place and words[place - 1] == "no":
        return None
    number = read_digits(word) or read_words(word) or read_place(word)
    return None if number is None else _Count(number.value, number.ordinal)
