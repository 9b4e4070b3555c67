"""Numbers in scientific notation are written out before they are judged."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

import karat
from karat.core.types import Item
from karat.text import write_out_powers


def spell(text: str, question: str = "How much is it?") -> str:
    return write_out_powers(Item(question, ("reference",), text)).answer


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("2.998 × 10^8 m/s", "299,800,000 m/s"),
        ("3.00 × 10⁸ m/s", "300,000,000 m/s"),
        ("1.6×10⁻³ C", "0.0016 C"),
        ("6.022e23", "602,200,000,000,000,000,000,000"),
        ("3e8 m/s", "300,000,000 m/s"),
        ("-4.5 * 10**3", "-4,500"),
        ("It is 2.4 x 10^4, well past 4,000.", "It is 24,000, well past 4,000."),
    ],
)
def test_a_power_of_ten_is_written_out(text: str, spelt: str) -> None:
    assert spell(text) == spelt


@pytest.mark.parametrize(
    "text",
    [
        "10^6",
        "5 × 10^3 + 2",
        "3 × 10^8 × 2",
        "2 × 10^3^2",
        "12 x 10^99",
        "flight 2E5",
        "room 3e8a",
        "a1.5e3",
        "1.2.5e3",
        "2 × 10 pairs",
    ],
)
def test_what_is_computed_or_no_power_stays(text: str) -> None:
    assert spell(text) == text


def test_it_stays_where_the_form_is_asked_for() -> None:
    assert spell("3 × 10^8", "Write 300,000,000 in scientific notation.") == "3 × 10^8"


@given(some.decimals(1, 9, places=4), some.integers(-20, 20))
def test_what_is_written_out_is_worth_the_same(digits: object, power: int) -> None:
    assert float(spell(f"{digits} × 10^{power}").replace(",", "")) == pytest.approx(
        float(f"{digits}e{power}")
    )
    assert spell(f"{digits}e{power}") == spell(f"{digits} × 10^{power}")


@pytest.mark.parametrize("answer", ["2.998 × 10^8 m/s", "3.00 × 10⁸ m/s", "299,792 km/s"])
def test_the_speed_of_light_is_no_other_number(answer: str) -> None:
    found = karat.judge("What is the speed of light in vacuum?", "299,792,458 m/s", answer)
    assert isinstance(found, karat.Verdict)
    assert found.value is True


def test_another_power_is_another_number() -> None:
    found = karat.judge("What is the speed of light in vacuum?", "299,792,458 m/s", "2.998 × 10^6 m/s")
    assert isinstance(found, karat.Verdict)
    assert found.value is False
