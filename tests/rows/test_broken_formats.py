"""Files of other tools in which values are not what they should be: bad rows or one line, never a traceback."""

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from row_reading import attempt

from karat.rows import BadRow, Row, open_source

FIXTURES = Path(__file__).parent / "formats"
VALUES = st.sampled_from(
    [None, True, 0, 1.5, "", "text", "[", "{'a'", [], [None], ["a", 1], [{}], {}, {"a": 1}, {"text": []}]
)
NAMES = sorted(
    str(path.relative_to(FIXTURES)).removesuffix(".expected.json")
    for path in FIXTURES.rglob("*.expected.json")
    if path.name.removesuffix(".expected.json").endswith((".json", ".jsonl")) and path.parent.name != "tricky"
)  # fmt: skip


@cache
def load(name: str) -> str:
    return (FIXTURES / name).read_text()


def list_places(value: object, outer: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in a JSON value, but not within long lists."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value[:2]))
    return [place for key, one in inner for place in ((*outer, key), *list_places(one, (*outer, key)))]


def change(value: Any, place: tuple[str | int, ...], new: object) -> None:
    *outer, last = place
    for key in outer:
        value = value[key]
    value[last] = new


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_value_of_another_kind_never_ends_in_a_traceback(
    tmp_path: Path, name: str, data: st.DataObject
) -> None:
    lines = (
        [json.loads(line) for line in load(name).splitlines()]
        if name.endswith("l")
        else [json.loads(load(name))]
    )
    places = list_places(lines[:3])
    for place in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=2)):
        attempt_change(lines, place, deepcopy(data.draw(VALUES)))
    path = tmp_path / Path(name).name
    path.write_text("\n".join(json.dumps(line) for line in lines))

    def read() -> list[Row | BadRow]:
        with open_source(str(path)) as source:
            return list(source.rows(source.find_columns({})))

    rows = attempt(read)
    assert not isinstance(rows, str) or len(rows.splitlines()) == 1


def attempt_change(lines: list[Any], place: tuple[str | int, ...], new: object) -> None:
    """Change a value, unless an earlier change took it away."""
    try:
        change(lines, place, new)
    except (KeyError, IndexError, TypeError):
        return
