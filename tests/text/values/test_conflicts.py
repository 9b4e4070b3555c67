"""Conflicts of figures: another scale, another sign, another result, a change the other way."""

from pathlib import Path

from example_lines import Line, check_lines
from karat.text import concludes_other_figure, has_other_scale, has_other_sign, reverses_figures

EXAMPLES = Path(__file__).with_name("conflicts.jsonl")


def other_sign(line: Line) -> bool:
    return has_other_sign(line["reference"], line["answer"], line["question"])


def other_scale(line: Line) -> bool:
    return has_other_scale(line["reference"], line["answer"], line["question"])


def other_result(line: Line) -> bool:
    return concludes_other_figure(line["reference"], line["answer"], line["question"])


def is_reversed(line: Line) -> bool:
    return reverses_figures(line["reference"], line["answer"], line["question"])


def test_another_scale_sign_result_or_direction_is_a_conflict() -> None:
    check_lines(
        EXAMPLES,
        other_sign=other_sign,
        other_scale=other_scale,
        other_result=other_result,
        reversed=is_reversed,
    )


def test_a_hundredth_of_a_percentage_is_on_another_scale() -> None:
    assert has_other_scale("12%", "46.2/385 = 0.12%", "What is the margin?")
    assert not has_other_scale("12%", "46.2/385 = 0.12 or 12%", "What is the margin?")
    assert not has_other_scale("12%", "0.12", "What is the margin?")
