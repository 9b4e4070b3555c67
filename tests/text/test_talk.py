"""Talk around an answer, and what else it names."""

import karat
from karat.core.types import Item, Unjudged, Verdict
from karat.text.mention import names_something_else

CAPITAL = "What is the capital of Australia?"


def test_what_else_is_named() -> None:
    assert names_something_else(Item(CAPITAL, ("Canberra",), "Some like Canberra, others Perth."))
    assert names_something_else(Item(CAPITAL, ("Canberra",), "Canberra since 1913."))
    assert not names_something_else(
        Item(CAPITAL, ("Canberra",), "Everyone knows it is Canberra. No doubt about it.")
    )


def test_plain_talk_is_accepted_and_talk_that_names_another_is_not() -> None:
    plain = karat.judge(CAPITAL, "Canberra", "It is widely accepted that the answer is Canberra.")
    assert isinstance(plain, Verdict)
    assert plain.value is True
    other = karat.judge(
        CAPITAL, "Canberra", "My notes list Canberra on the next page and Sydney on this one."
    )
    assert isinstance(other, Unjudged) or not other.value
