"""Tolerant reading of what models say: thinking set aside, JSON found, numbers found; never a guess."""

import json
import re
from typing import Any

_THINKING = re.compile(
    r"<(think|thinking|thought|reasoning|reflection)>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning|reflection)>|\[/THINK\]", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])[-−–+]?\d+(?:[.,:/]\d+)*(?:\s?%|(?!\w))")
_OUT_OF_FIVE = re.compile(r"(?<![\d.,/:])([-−–+]?\d+)\s*(?:/|out\s+of)\s*5\b(?![.,/:%]\d|%)", re.IGNORECASE)
_REFUSAL = re.compile(
    r"^\W*(?:i['’]?m\s+(?:really\s+|very\s+)?sorry|sorry|i\s+(?:can['’]?t|cannot|can\s+not|am\s+unable|am\s+not\s+able|won['’]?t|must\s+decline)"
    r"|i['’]m\s+(?:unable|not\s+able)|as\s+an\s+ai|unfortunately,?\s+i\s+(?:can|am))\b",
    re.IGNORECASE,
)
_MOST_STARTS = 64


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


def find_objects(text: str) -> list[Pairs]:
    """List the different JSON objects that stand in a text, outermost ones only."""
    found: list[Pairs] = []
    start, tries = text.find("{"), 0
    while start >= 0 and tries < _MOST_STARTS:
        tries += 1
        try:
            pairs, end = _decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            if pairs not in found:
                found.append(pairs)
        start = text.find("{", end)
    return found


def find_numbers(text: str) -> list[re.Match[str]]:
    """Find the numbers in a text as they are written; "4/5" and "4 out of 5" count as the 4 they mean."""
    return list(_NUMBER.finditer(_OUT_OF_FIVE.sub(_numerator, text)))


def _numerator(found: re.Match[str]) -> str:
    return found.group(1).ljust(len(found.group()))


def read_level(number: str, levels: tuple[int, ...]) -> int | None:
    """Read one integer on the scale; anything else is no value: nothing is rounded or clamped."""
    return int(number) if len(number) == 1 and number in "0123456789" and int(number) in levels else None


def sounds_refused(text: str) -> bool:
    """Tell whether a reply that could not be read is a refusal to answer."""
    return _REFUSAL.search(blank_thinking(text)[:2000].lstrip()) is not None
