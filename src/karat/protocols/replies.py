"""Tolerant reading of what models say: thinking set aside, JSON found, numbers found; never a guess."""

import json
import re
from typing import Any, NamedTuple

_THINKING = re.compile(
    r"<(think|thinking|thought|reasoning|reflection)>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning|reflection)>|\[/THINK\]", re.IGNORECASE)
_WORD = re.compile(r"[\w.,:/%+−–-]+(?:\s{0,2}(?:%|per\s?cent\b))?", re.IGNORECASE)
_LABEL = re.compile(r"[^\W\d]+:")
_PROSE_BRACES = re.compile(r"\{[^{}\"':]*\}")
_OUT_OF_FIVE = re.compile(r"(?<![\d.,/:])([-−–+]?\d+)\s*(?:/|out\s+of)\s*5\b(?![.,/:%]\d|%)", re.IGNORECASE)
_REFUSAL = re.compile(
    r"^\W*(?:i['’]?m\s+(?:really\s+|very\s+)?sorry|sorry|i\s+(?:can['’]?t|cannot|can\s+not|am\s+unable|am\s+not\s+able|won['’]?t|must\s+decline|apologi[sz]e)"
    r"|i['’]?m\s+(?:unable|not\s+able|afraid)|as\s+an\s+ai|unfortunately,?\s+i\s+(?:can|am))\b",
    re.IGNORECASE,
)


class Pairs(list[tuple[str, Any]]):
    """A JSON object as it was written: its pairs in order, duplicates and all."""


_decoder = json.JSONDecoder(object_pairs_hook=Pairs)


def blank_thinking(text: str) -> str:
    """Put spaces in place of thinking blocks, so that what is left keeps its position."""
    blanked = _THINKING.sub(lambda found: " " * len(found.group()), text)
    ends = list(_THOUGHT_END.finditer(blanked))
    if ends:  # some servers swallow the opening tag
        blanked = " " * ends[-1].end() + blanked[ends[-1].end() :]
    return blanked


class Found(NamedTuple):
    """The different JSON objects of a text, two at most, and where the first broken one starts."""

    objects: list[Pairs]
    broken: int | None = None


def find_objects(text: str) -> Found:
    """Find the outermost JSON objects up to the first broken one: what stands in that could be part of it."""
    found: dict[str, Pairs] = {}
    start = text.find("{")
    while start >= 0 and len(found) <= 1:
        if prose := _PROSE_BRACES.match(text, start):
            start = text.find("{", prose.end())
            continue
        try:
            pairs, end = _decoder.raw_decode(text, start)
            found.setdefault(repr(pairs), pairs)
        except (ValueError, RecursionError):
            return Found(list(found.values()), start)
        start = text.find("{", end)
    return Found(list(found.values()))


class Number(NamedTuple):
    """A number as it is written, and where."""

    start: int
    text: str


def find_numbers(text: str) -> list[Number]:
    """Find every word with a digit in it; "4/5" and "4 out of 5" count as the 4 they mean, "4:" as 4."""
    words = _WORD.finditer(_OUT_OF_FIVE.sub(_numerator, text))
    return [_trim(word) for word in words if any(map(_is_digit, word.group()))]


def _is_digit(char: str) -> bool:
    return char.isnumeric() and not char.isalpha()  # fractions and superscripts too, but no word that counts


def _trim(word: re.Match[str]) -> Number:
    """Leave a label before the number and punctuation around it out; a sign or a decimal point stays."""
    label = _LABEL.match(word.group())
    tail = word.group()[label.end() if label else 0 :].lstrip("_:,")
    return Number(word.end() - len(tail), tail.rstrip("_:,./−–-"))


def _numerator(found: re.Match[str]) -> str:
    return found.group(1).ljust(len(found.group()))


def read_level(number: str, levels: tuple[int, ...]) -> int | None:
    """Read one integer on the scale; anything else is no value: nothing is rounded or clamped."""
    return int(number) if len(number) == 1 and number in "0123456789" and int(number) in levels else None


def sounds_refused(text: str) -> bool:
    """Tell whether a reply that could not be read is a refusal to answer."""
    return _REFUSAL.search(blank_thinking(text).lstrip()[:2000]) is not None
