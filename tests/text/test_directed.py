"""Rises and falls in other words."""

import pytest

from karat.text import tell_direction


@pytest.mark.parametrize(
    ("references", "answer", "agrees"),
    [
        (("decrease", "decreased"), "Accounts receivable fell by $18.2 million.", True),
        (("decrease",), "It rose by $18.2 million.", False),
        (("increased",), "It grew.", True),
        (("increased",), "It did not grow.", None),
        (("increased",), "It rose at first and then fell.", None),
        (("increase", "decrease"), "It rose.", None),
        (("increased due to prices",), "It rose.", None),
        (("stable",), "It rose.", None),
    ],
)
def test_the_way_is_told(references: tuple[str, ...], answer: str, *, agrees: bool | None) -> None:
    assert tell_direction(references, answer) is agrees
