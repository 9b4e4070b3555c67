"""Outcomes and fingerprints are those of the committed goldens, on rows that come with the repository.

All rows are compared by `python benchmarks/goldens.py check --data DIR`. After a change of outcomes that is wanted,
`make` writes new goldens, and `diff` lists the rows that changed. Messages name sets and chunks and never quote a row, because
half of benchmarks/rows is held out.
"""

from collections.abc import Mapping, Sequence

import pytest
from goldens import (
    GOLDEN,
    JUDGED,
    TOLERANCES,
    Comparison,
    Result,
    Row,
    compare_fingerprints,
    digest,
    judge_rows,
    make_judges,
    make_row,
    name_change,
    read_committed,
    read_golden,
    split_chunks,
)

from karat import Item

BY_NETWORK = {"audit/bank": (0, 26), "rows/factoid.dev": (0,), "rows/lookups.dev": (0,)}
"""Chunks of which every aspect is compared: brief texts, which the network reads quickly."""
BY_RULES = {
    "audit/bank": tuple(range(1, 50, 7)),
    "rows/edges.dev": (0, 1, 2, 3),
    "rows/everyday.dev": (0,),
    "rows/filings.dev": (0,),
    "rows/quantities.dev": (0, 1),
    "rows/reports.test": (0,),
    "rows/statements.test": (0,),
}
"""Chunks of which only what needs no network is compared."""
LARGEST = 300_000


@pytest.fixture(scope="module")
def sets() -> dict[str, list[Row]]:
    return read_committed()


def compare(
    sets: Mapping[str, list[Row]], chosen: Mapping[str, Sequence[int]], aspects: Sequence[str]
) -> tuple[Comparison, list[Result]]:
    golden, comparison, computed = read_golden(), Comparison(), list[Result]()
    judges = {aspect: judge for aspect, judge in make_judges().items() if aspect in aspects}
    for name, numbers in chosen.items():
        chunks = list(split_chunks(sets[name]))
        for number in numbers:
            results = judge_rows(chunks[number], judges)
            comparison.compare_chunk(golden, name, number, chunks[number], results)
            computed += results
    return comparison, computed


def test_rules_and_network_decide_as_before(sets: dict[str, list[Row]]) -> None:
    """Unwrapping, gate, measures, network inputs, logits and the outcomes of all protocols stay the same."""
    comparison, results = compare(sets, BY_NETWORK, tuple(JUDGED))
    assert not comparison.differs, "\n".join(comparison.describe())
    assert any(result.numbers["logit"] is not None for result in results), "no call of the network was seen"
    assert set(comparison.rows) == {*JUDGED, *TOLERANCES}


def test_rules_decide_as_before(sets: dict[str, list[Row]]) -> None:
    """Unwrapping, gate, measures and the outcomes of the rules stay the same on more rows."""
    comparison, _ = compare(sets, BY_RULES, ("rules",))
    assert not comparison.differs, "\n".join(comparison.describe())


def test_the_goldens_are_of_these_rows(sets: dict[str, list[Row]]) -> None:
    """The rows of the repository and the probes of the audit bank are those that the goldens were made of."""
    known = read_golden().digests
    for name, rows in sets.items():
        assert [chunk["rows"] for chunk in known[name]] == [
            digest([row.key for row in chunk]) for chunk in split_chunks(rows)
        ], f"{name}: other rows"


def test_fingerprints_are_as_before() -> None:
    """Fingerprints of judges, keys of items and rendered prompts stay the same, so that stored verdicts stay usable."""
    assert compare_fingerprints() == []


def test_committed_files_are_small() -> None:
    """The goldens stay small enough to be committed."""
    written = [path for path in GOLDEN.iterdir() if path.suffix in {".json", ".xz"}]
    assert sum(path.stat().st_size for path in written) < LARGEST


def test_other_rows_are_not_other_outcomes() -> None:
    """Where the rows of a chunk are others, the comparison says so and counts no outcome."""
    comparison = Comparison()
    row = make_row("rows/factoid.dev", Item("Who?", ("Ada",), "Ada"), label=True)
    results = judge_rows([row], {})
    comparison.compare_chunk(read_golden(), row.set, 0, [row], results)
    assert comparison.other_data == ["rows/factoid.dev 0"]
    assert not comparison.other_rows
    assert not comparison.other_chunks


@pytest.mark.parametrize(
    ("aspect", "old", "new", "label", "change"),
    [
        ("embedded", True, False, False, "won"),
        ("embedded", True, False, True, "lost"),
        ("embedded", True, None, True, "newly undecided"),
        ("embedded", None, True, True, "newly decided"),
        ("embedded", True, False, None, "other value, no label"),
        ("equivalence", 3, 4, True, "won"),
        ("keypoints", 5, 3, True, "lost"),
        ("keypoints", 2, 3, False, "other value, as right"),
    ],
)
def test_changes_are_named_by_the_label(
    aspect: str, old: bool | int | None, new: bool | int | None, label: bool | None, change: str
) -> None:
    """A changed outcome is won or lost by the label of its row; a score of 4 or more counts as a Yes."""
    before, after = (
        ["unjudged" if value is None else "judged", value, None, None, None, None] for value in (old, new)
    )
    assert name_change(aspect, before, after, label) == change
