"""The work on a long text grows with its length, not with its square: counted, not timed."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import count_calls
from karat.core.types import Item
from karat.embedded.decide import decide_by_gate, decide_by_rules
from karat.embedded.features import _longest_run, measure_features
from karat.text import is_suspicious
from karat.text.normal import Words, find_mentions

UNITS = ["=", "x=", "1 ", "(", "a ", "½", "°", "not ", "Paris, ", "<b>"]
WORDS = st.lists(st.sampled_from("ab"), max_size=30)


class Counted(str):
    """A word that counts how often it is compared or looked up; it is never the same object as another."""

    __slots__ = ()
    looks = 0

    def __eq__(self, other: object) -> bool:
        Counted.looks += 1
        return str.__eq__(self, other)  # type: ignore[arg-type]

    def __hash__(self) -> int:
        Counted.looks += 1
        return str.__hash__(self)


def count_looks(work: Callable[[list[str]], object], size: int) -> int:
    Counted.looks = 0
    work([Counted("a") for _ in range(size)])
    return Counted.looks


def words_of(forms: list[str]) -> Words:
    return Words(" ".join(forms), (), tuple(forms), f" {' '.join(forms)} ", frozenset(forms))


def longest_run(words: list[str]) -> object:
    return _longest_run(words, [Counted("a") for _ in words])


def test_twice_the_words_are_twice_the_work() -> None:
    small, large = count_looks(longest_run, 200), count_looks(longest_run, 400)
    assert small > 200
    assert large < 2.5 * small


@pytest.mark.parametrize("unit", UNITS)
def test_twice_the_text_is_twice_the_work_for_gate_rules_and_measures(unit: str) -> None:
    def work(size: int) -> int:
        text = (unit * size)[:size]
        item = Item("What is the capital, 5 km or not?", (text,), f"{text} x")
        return count_calls(lambda: look(item))

    look(Item("warm up the caches?", ("Paris 5 km",), "London, 6 km"))
    small, large = work(400), work(800)
    assert large < 3 * small


def look(item: Item) -> None:
    is_suspicious(item)
    for protocol in ("match", "equivalence", "keypoints"):
        decide_by_gate(item, protocol)
        decide_by_rules(item, protocol)
    measure_features(item.question, item.references[0], item.answer)


@given(WORDS, WORDS)
def test_the_longest_run_is_the_longest_list_of_words_in_both(one: list[str], other: list[str]) -> None:
    runs = {tuple(one[start:end]) for end in range(len(one) + 1) for start in range(end)}
    common = [len(run) for run in runs if holds(other, run)]
    assert _longest_run(one, other) == max(common, default=0)


@given(WORDS.filter(bool), WORDS)
def test_mentions_are_found_wherever_they_begin(words: list[str], answer: list[str]) -> None:
    places = [place for place in range(len(answer)) if answer[place : place + len(words)] == words]
    assert find_mentions(tuple(words), words_of(answer)) == places


def holds(words: list[str], run: tuple[str, ...]) -> bool:
    return any(tuple(words[place : place + len(run)]) == run for place in range(len(words)))
