"""Mathematical answers are compared by their value, whatever they are written in."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

import karat
from effort import bounded_effort
from example_lines import Line, check_lines
from karat.core.types import Item, Unjudged
from karat.text import apply_rules, write_out_latex, write_out_powers
from karat.text.maths.compare import find_final_expression
from text_checks import judged, verdict

HERE = Path(__file__).parent
ASKED = "What is the value?"


def final(line: Line) -> bool | None:
    return None if find_final_expression(line["question"], line["answer"]) is None else True


def accepted_either_way(line: Line) -> bool:
    turned = {"reference": line["answer"], "answer": line["reference"]}
    return "accepted" in {verdict(line), verdict(turned)}


def latex(line: Line) -> str:
    return write_out_latex(Item("How much?", ("5",), line["answer"])).answer


def spell(text: str, question: str = "How much is it?") -> str:
    return write_out_powers(Item(question, ("reference",), text)).answer


def power(line: Line) -> str:
    return spell(line["answer"])


def test_expressions_are_compared_by_value_and_not_by_form() -> None:
    check_lines(HERE / "compare.jsonl", verdict=verdict, final=final)


def test_latex_and_powers_of_ten_are_written_out() -> None:
    check_lines(HERE / "notation.jsonl", latex=latex, power=power, judged=judged)


def test_signs_and_capitals_count_in_symbols_and_not_in_prose() -> None:
    check_lines(HERE / "symbols.jsonl", verdict=verdict, accepted_either_way=accepted_either_way)


def test_expressions_in_other_variables_are_left_undecided() -> None:
    assert apply_rules(Item(ASKED, ("2x + 1",), "2t + 1")) is None


@pytest.mark.parametrize(
    "answer", ["1e999", "10^64*10^64*10^64*10^64*10^64", "99999^64", "{1e999, 2}", "9" * 300]
)
def test_huge_numbers_are_not_accepted(answer: str) -> None:
    for reference in ("3.14", r"\sqrt{2}", "{1, 2}"):
        ruling = apply_rules(Item(ASKED, (reference,), answer))
        assert ruling is None or not ruling.accept


def test_shown_work_counts_by_its_result() -> None:
    work = "Natalia sold 48/2 = 24 clips in May. " * 12
    other = apply_rules(Item("How many did she sell?", ("72",), f"{work}\n#### 71"))
    assert other is not None
    assert not other.accept
    for reference in ("72", f"{work}#### 72", rf"{work}So it is $\boxed{{72}}$."):
        for answer in (f"{work}\n#### 72", rf"{work}Altogether \boxed{{72}}", "72"):
            ruling = apply_rules(Item("How many did she sell?", (reference,), answer))
            assert ruling is not None
            assert ruling.accept
        ruling = apply_rules(Item("How many did she sell?", (reference,), f"{work}\n#### 71"))
        assert ruling is None or not ruling.accept


def test_a_change_may_be_said_without_its_sign() -> None:
    question = "By how much did the temperature change?"
    assert apply_rules(Item(question, ("-3",), "3")) is None


def test_the_expression_of_the_question_is_no_answer() -> None:
    outcome = karat.judge("What is 2^4?", "16", "2^4")
    assert isinstance(outcome, Unjudged) or not outcome.value


def test_a_boxed_value_counts_only_at_the_end() -> None:
    answer = r"\boxed{7} is what I would have said, had I not seen that the second term is negative, which makes it 3."
    assert find_final_expression(ASKED, answer) is None


@pytest.mark.parametrize("sign", ["\\[ \\ ", "$ \\times ", "\\text{", "\\( "])
def test_unclosed_latex_is_passed_quickly(sign: str) -> None:
    with bounded_effort():
        write_out_latex(Item("How much?", ("5",), f"{sign * 8000} \\times"))


def test_a_power_stays_where_the_form_is_asked_for() -> None:
    assert spell("3 × 10^8", "Write 300,000,000 in scientific notation.") == "3 × 10^8"


@given(some.decimals(1, 9, places=4), some.integers(-20, 20))
def test_a_power_that_is_written_out_has_the_same_value(digits: object, power: int) -> None:
    assert float(spell(f"{digits} × 10^{power}").replace(",", "")) == pytest.approx(
        float(f"{digits}e{power}")
    )
    assert spell(f"{digits}e{power}") == spell(f"{digits} × 10^{power}")


def test_another_power_is_another_number() -> None:
    found = karat.judge("What is the speed of light in vacuum?", "299,792,458 m/s", "2.998 × 10^6 m/s")
    assert isinstance(found, karat.Verdict)
    assert found.value is False
