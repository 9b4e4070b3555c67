"""Read replies tolerantly, without guessing: remove thinking, find JSON and numbers, read token probabilities."""

import json
import re
from math import exp
from typing import Any, NamedTuple, TypeAlias

from karat.core.flow import Token
from karat.core.types import Value
from karat.protocols.protocol import LEVELS, Protocol

Distribution: TypeAlias = tuple[float, ...]

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
    """A JSON object as it was written: its pairs in order, with duplicates."""


_decoder = json.JSONDecoder(object_pairs_hook=Pairs)


def blank_thinking(text: str) -> str:
    """Replace thinking blocks by spaces, so that positions in the rest do not change."""
    blanked = _THINKING.sub(lambda found: " " * len(found.group()), text)
    ends = list(_THOUGHT_END.finditer(blanked))
    if ends:  # some servers omit the opening tag
        blanked = " " * ends[-1].end() + blanked[ends[-1].end() :]
    return blanked


class Found(NamedTuple):
    """The different JSON objects of a text, two at most, and where the first broken one starts."""

    objects: list[Pairs]
    broken: int | None = None


def find_objects(text: str) -> Found:
    """Find the outermost JSON objects up to the first broken one; later ones could be part of that."""
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
    """A number as written, and its position."""

    start: int
    text: str


def find_numbers(text: str) -> list[Number]:
    """Find every word with a digit in it; "4/5" and "4 out of 5" count as 4, and so does "4:"."""
    words = _WORD.finditer(_OUT_OF_FIVE.sub(_numerator, text))
    return [_trim(word) for word in words if any(map(_is_digit, word.group()))]


def _is_digit(char: str) -> bool:
    return char.isnumeric() and not char.isalpha()  # fractions and superscripts too, but not number words


def _trim(word: re.Match[str]) -> Number:
    """Strip a label before the number and punctuation around it; a sign or a decimal point stays."""
    label = _LABEL.match(word.group())
    tail = word.group()[label.end() if label else 0 :].lstrip("_:,")
    return Number(word.end() - len(tail), tail.rstrip("_:,./−–-"))


def _numerator(found: re.Match[str]) -> str:
    return found.group(1).ljust(len(found.group()))


def read_level(number: str, levels: tuple[int, ...]) -> int | None:
    """Return one integer on the scale, else None; nothing is rounded or clamped."""
    return int(number) if len(number) == 1 and number in "0123456789" and int(number) in levels else None


def is_refusal(text: str) -> bool:
    """Check whether a reply that could not be read is a refusal to answer."""
    return _REFUSAL.search(blank_thinking(text).lstrip()[:2000]) is not None


def read_distributions(
    protocol: Protocol,
    tokens: tuple[Token, ...],
    values: tuple[Value | None, ...],
    levels: tuple[int, ...] = LEVELS,
) -> tuple[Distribution | None, ...]:
    """Return the normalised probabilities of the scale for each value that was read; None where they are unknown."""
    starts, text = list[int](), ""
    for token in tokens:
        starts.append(len(text))
        text += token.text
    return tuple(
        None
        if value is None or place is None
        else _read_distribution(protocol, tokens[_find_token(starts, place)], value, levels)
        for value, place in zip(values, protocol.locate(text, len(values)), strict=True)
    )


def _find_token(starts: list[int], place: int) -> int:
    return max(index for index, start in enumerate(starts) if start <= place)


def _read_distribution(
    protocol: Protocol, token: Token, value: Value, levels: tuple[int, ...]
) -> Distribution | None:
    """Return the probabilities of the scale from a token and its alternatives; None without alternatives."""
    chosen = int(not value) if isinstance(value, bool) else value
    if protocol.read_token(token.text, levels) != chosen or token.alternatives.keys() <= {token.text}:
        return None
    mass = [0.0] * (2 if protocol.name == "match" else 6)
    for text, logprob in token.alternatives.items():
        place = protocol.read_token(text, levels)
        if place is not None:
            mass[place] += exp(min(0.0, logprob))
    total = sum(mass)
    return tuple(part / total for part in mass) if mass[chosen] > 0 else None
