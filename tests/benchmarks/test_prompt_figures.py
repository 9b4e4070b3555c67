"""The figures of the prompt benchmark: by hand, and against the statistics that karat itself prints."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page import write_part
from prompting.figures import by_place, compute, differ
from prompting.said import Kept, Said, Seat, Shelf, alike
from prompting.tables import Line, level
from prompting.variants import Seating, parse_seating

from karat.core.errors import UsageError
from karat.stats import Estimate, Number, Undefined
from karat.stats.agreement import agree
from karat.stats.scores import spearman


def row(number: int, truth: float, value: float | None, **more: Any) -> Said:
    return Said("set", str(number), f"q{number}", truth, value, **more)


def worth(number: Number) -> float:
    assert isinstance(number, Estimate)
    return number.value


def test_a_judge_that_always_says_yes_but_knows_better_is_mended_by_its_probabilities() -> None:
    """P(Yes) is .9 for right answers and .8 for wrong ones: the word says nothing, the order everything."""
    rows = [row(n, n % 2, 1.0, yes=0.9 if n % 2 else 0.8) for n in range(60)]
    numbers = compute(rows, "match").numbers
    assert isinstance(numbers["kappa"], Undefined)
    assert worth(numbers["auc"]) == 1
    assert worth(numbers["moved_kappa"]) == 1


def test_probabilities_that_know_nothing_mend_nothing() -> None:
    chance = random.Random(3)
    rows = [row(n, n % 2, 1.0, yes=round(chance.random(), 3)) for n in range(400)]
    numbers = compute(rows, "match").numbers
    assert worth(numbers["auc"]) == pytest.approx(0.5, abs=0.08)
    assert worth(numbers["moved_kappa"]) == pytest.approx(0, abs=0.15)


def test_rows_without_probabilities_have_no_figures_of_them() -> None:
    rows = [row(0, 1, 1.0, yes=0.9), row(1, 0, 1.0)]
    assert not {"auc", "moved_kappa"} & compute(rows, "match").numbers.keys()


def test_unjudged_rows_are_counted_and_cost_tokens_but_are_in_no_agreement() -> None:
    rows = [
        row(1, 1, 1.0, input_tokens=10.0),
        row(2, 0, 0.0, input_tokens=20.0),
        row(3, 1, None, cause="refused", input_tokens=30.0),
    ]
    figures = compute(rows, "match")
    assert (figures.rows, figures.unjudged, figures.input_tokens) == (3, {"refused": 1}, 20)
    assert worth(figures.numbers["accuracy"]) == 1


verdicts = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=6, max_size=40)


@settings(max_examples=15)
@given(verdicts)
def test_differences_are_those_of_the_figures(triples: list[tuple[bool, bool, bool]]) -> None:
    """The paired differences of kappa, accuracy, sensitivity, specificity and lean are what the two tables differ by."""
    first = [row(n, float(truth), float(one)) for n, (truth, one, _) in enumerate(triples)]
    other = [row(n, float(truth), float(two)) for n, (truth, _, two) in enumerate(triples)]
    before, after = compute(first, "match").numbers, compute(other, "match").numbers
    for name, number in differ(first, other, "match").items():
        one, two = before[name], after[name]
        if isinstance(number, Estimate) and isinstance(one, Estimate) and isinstance(two, Estimate):
            assert number.value == pytest.approx(two.value - one.value)


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=6, max_size=30))
def test_differences_on_a_scale_are_those_of_the_figures(triples: list[tuple[int, int, int]]) -> None:
    first = [row(n, float(truth), float(one)) for n, (truth, one, _) in enumerate(triples)]
    other = [row(n, float(truth), float(two)) for n, (truth, _, two) in enumerate(triples)]
    truth, one, two = zip(*triples, strict=True)
    found = differ(first, other, "equivalence")
    wanted = {
        "weighted_kappa": [agree(truth, said, range(6)).weighted_kappa for said in (one, two)],
        "spearman": [spearman(truth, said) for said in (one, two)],
    }
    for name, (before, after) in wanted.items():
        number = found[name]
        if isinstance(number, Estimate) and isinstance(before, Estimate) and isinstance(after, Estimate):
            assert number.value == pytest.approx(after.value - before.value)


def test_only_rows_that_both_judged_are_compared() -> None:
    first = [row(1, 0, 0.0), row(2, 0, 1.0), row(3, 0, None, cause="refused"), row(4, 0, 1.0)]
    other = [row(1, 0, 0.0), row(2, 0, 0.0), row(3, 0, 1.0), row(5, 0, 1.0)]
    assert worth(differ(first, other, "match")["specificity"]) == 0.5


def test_places_count_full_batches_and_first_asks_only() -> None:
    rows = [
        row(1, 0, 0.0, seats=(Seat(1, 2, 0.0),)),
        row(2, 0, 1.0, seats=(Seat(2, 2, 1.0),)),
        row(3, 0, 1.0, seats=(Seat(1, 1, 1.0),)),
        row(4, 0, 1.0),
    ]
    assert [(one.name, one.rows) for one in by_place(rows, 2)] == [("1", 1), ("2", 1)]


def test_many_places_are_told_in_eight_bands() -> None:
    rows = [row(n, 0, 0.0, seats=(Seat(n % 16 + 1, 16, 0.0),)) for n in range(32)]
    assert [(one.name, one.rows) for one in by_place(rows, 16)] == [
        (f"{first}-{first + 1}", 4) for first in range(1, 17, 2)
    ]


def kept(*rows: Said, seating: str = "1", seed: int = 1) -> Kept:
    return Kept("m", "match", "first", "v" * 32, seating, "dev", seed, False, "2026-11-16", rows)


def test_short_runs_add_up(tmp_path: Path) -> None:
    """Rows of an earlier run stay, rows that were measured again are replaced, other draws stand apart."""
    shelf = Shelf(tmp_path)
    shelf.add(kept(row(1, 1, 0.0), row(2, 1, 1.0)))
    shelf.add(kept(row(1, 1, 1.0), row(3, 1, 1.0)))
    shelf.add(kept(row(9, 1, 1.0), seed=2))
    shelf.add(kept(row(8, 1, 1.0), seating="8"))
    found = alike(shelf, kept())
    assert [[(one.id, one.value) for one in each.rows] for each in found] == [
        [("1", 1.0), ("2", 1.0), ("3", 1.0)],
        [("8", 1.0)],
    ]


@pytest.mark.parametrize(
    ("text", "seating"),
    [("1", Seating(1)), ("16", Seating(16)), ("8x3", Seating(8, 3)), ("auto", Seating(None))],
)
def test_seatings_read_back(text: str, seating: Seating) -> None:
    assert parse_seating(text) == seating
    assert seating.name == text


@pytest.mark.parametrize("text", ["0", "1x3", "8x1", "x3", "8 x 3", "automatic", "-1"])
def test_what_is_no_seating_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--sizes"):
        parse_seating(text)


def test_only_the_measured_part_of_a_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "before\n<!-- measured: a -->\nold\n<!-- end: a -->\nafter\n<!-- measured: b --><!-- end: b -->\n"
    )
    write_part(page, "a", "new")
    assert page.read_text() == (
        "before\n<!-- measured: a -->\n\nnew\n\n<!-- end: a -->\nafter\n<!-- measured: b --><!-- end: b -->\n"
    )
    with pytest.raises(UsageError, match="no place for c"):
        write_part(page, "c", "new")


def test_lines_of_a_table_stand_on_the_rows_of_all() -> None:
    """A variant that was measured on more rows is shown on those that the others have too."""
    lines = level(
        [
            Line("few", kept(row(1, 1, 1.0), row(2, 0, 0.0))),
            Line("many", kept(row(1, 1, 0.0), row(2, 0, 0.0), row(3, 1, 1.0))),
        ]
    )
    assert [[one.id for one in line.human] for line in lines] == [["1", "2"]] * 2
