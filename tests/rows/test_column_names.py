"""Any spelling, order and nesting of the table's names is found, or refused with the choices named."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from row_reading import attempt

from karat.rows import Columns, Row
from karat.rows.layout import Layout, find_layout
from karat.rows.names import INNER_NAMES, NAMES, NEUTRAL, find_role, simplify

PARTS = ("question", "reference", "answer")
OUTER = {"question": "input", "reference": "expected", "answer": "output"}


def spell(name: str, way: int) -> str:
    words = name.split("_")
    return (
        name,
        " ".join(word.capitalize() for word in words),
        "-".join(words).upper(),
        words[0] + "".join(word.capitalize() for word in words[1:]),
        f"{name} ",
    )[way]


@st.composite
def tables(draw: st.DrawFn) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Columns for each part, with the path where it stands, and rows of them."""
    paths = dict[str, str]()
    outers = {part: draw(st.sampled_from(["", *sorted(NEUTRAL), OUTER[part]])) for part in PARTS}
    for part in PARTS:
        name = spell(draw(st.sampled_from(NAMES[part])), draw(st.integers(0, 4)))
        paths[part] = f"{outers[part]}.{name}" if outers[part] else name
    order = draw(st.permutations(PARTS))
    rows = [make_row(order, paths, number) for number in range(3)]
    return paths, rows


def make_row(order: Sequence[str], paths: dict[str, str], number: int) -> dict[str, Any]:
    row: dict[str, Any] = {"topic": "t"}
    for part in order:
        outer, _, name = paths[part].rpartition(".")
        target = row.setdefault(outer, {}) if outer else row
        if isinstance(target, dict):
            target[name] = f"{part} {number}"
    return row


def read(rows: list[dict[str, Any]]) -> Layout:
    return find_layout(rows, {}, (), {}, "table")


@given(tables())
def test_the_three_parts_are_found_in_any_spelling_order_and_nesting(
    table: tuple[dict[str, str], list[dict[str, Any]]],
) -> None:
    paths, rows = table
    found = read(rows)
    assert found.columns == Columns(paths["reference"], paths["answer"], paths["question"])
    good = [row for row in found.read(enumerate(rows, 1)) if isinstance(row, Row)]
    assert [(row.item.question, row.item.references, row.item.answer) for row in good] == [
        (f"question {n}", (f"reference {n}",), f"answer {n}") for n in range(3)
    ]


@given(tables(), st.sampled_from(PARTS), st.data())
def test_two_columns_for_one_part_are_never_chosen_from_in_silence(
    table: tuple[dict[str, str], list[dict[str, Any]]], part: str, data: st.DataObject
) -> None:
    paths, rows = table
    other = data.draw(st.sampled_from(NAMES[part]))
    flat = "." not in paths[part]
    if not flat or simplify(other) in {simplify(path) for path in paths.values()} or part == "answer":
        return
    for number, row in enumerate(rows):
        row[other] = f"another {number}"
    found = attempt(lambda: read(rows))
    assert isinstance(found, str)
    assert all(f"{part}={column}" in found for column in (paths[part].strip(), other))


def test_no_name_plays_two_parts() -> None:
    names = [simplify(name) for listed in NAMES.values() for name in listed]
    assert len(names) == len(set(names))
    assert all(find_role(name) == (part, 0) for part, listed in NAMES.items() for name in listed)
    assert all(INNER_NAMES.values())
