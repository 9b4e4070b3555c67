"""A word and its opposite, and two sides that are swapped, are not the same answer."""

from pathlib import Path

from example_lines import Line, check_lines
from karat.text import says_opposite, swaps_sides
from text_checks import judged

EXAMPLES = Path(__file__).parent / "data" / "opposites.jsonl"


def opposite(line: Line) -> bool:
    return says_opposite(line["reference"], line["answer"], line["question"])


def swapped(line: Line) -> bool:
    return swaps_sides(line["reference"], line["answer"])


def test_opposites_and_swapped_sides_are_found_and_not_accepted() -> None:
    check_lines(EXAMPLES, opposite=opposite, swapped=swapped, judged=judged)
