"""Files as other tools write them are read without a flag."""

import json
from pathlib import Path
from typing import Any

import pytest
from row_reading import attempt

from karat.core.errors import KaratError
from karat.rows import BadRow, Row, open_source
from karat.rows.cells import read_text

FIXTURES = Path(__file__).parent / "formats"
EXPECTED = sorted(FIXTURES.rglob("*.expected.json"))
ORACLES = {
    str(path.relative_to(FIXTURES)).removesuffix(".expected.json"): path
    for path in EXPECTED
    if path.parent.name != "tricky"
}
FOLDERS = frozenset(name for name in ORACLES if (FIXTURES / name).is_dir())


def read_oracle(name: str) -> dict[str, Any]:
    return json.loads(ORACLES[name].read_text())


def read_rows(path: Path) -> list[Row | BadRow]:
    with open_source(str(path)) as source:
        return list(source.rows(source.find_columns({})))


def write_text(value: object) -> str | None:
    return None if value is None else read_text(value)


def show(row: Row | BadRow) -> dict[str, Any]:
    if isinstance(row, BadRow):
        return {"problem": row.problem}
    item = row.item
    return {
        "question": item.question, "references": list(item.references), "answer": item.answer, "system": row.system
    }  # fmt: skip


def is_id_of(found: str, wanted: object, file: str | None = None) -> bool:
    """An id is what the source calls the question; what follows a slash tells its rows apart."""
    named = write_text(wanted)
    if named is None:
        return True
    named = named if file is None else f"{file}/{named}"
    return found == named or found.startswith(f"{named}/")


NAMES = sorted(ORACLES.keys() - FOLDERS)


@pytest.mark.parametrize("name", [name for name in NAMES if not read_oracle(name).get("refused")])
def test_a_fixture_gives_the_rows_that_were_put_in(name: str) -> None:
    oracle = read_oracle(name)
    rows = attempt(lambda: read_rows(FIXTURES / name))
    if isinstance(rows, str):
        assert oracle.get("may_refuse"), rows
        assert len(rows.splitlines()) == 1
        return
    wanted = oracle["rows"]
    good = [(row, one) for row, one in zip(rows, wanted, strict=True) if isinstance(row, Row)]
    for row, one in good:
        assert show(row) == {
            "question": one["question"],
            "references": [write_text(text) for text in one["references"]],
            "answer": write_text(one["answer"]),
            "system": write_text(one["system"]),
        }
        assert is_id_of(row.id, one["id"], one.get("file")), row.id
        if "verdicts" in one:
            assert row.columns["verdicts"] == one["verdicts"]
    assert len({row.id for row, _ in good}) == len(good)
    for row, one in zip(rows, wanted, strict=True):
        assert isinstance(row, Row) == bool(one["references"] and one["answer"] is not None)


@pytest.mark.parametrize("name", [name for name in NAMES if read_oracle(name).get("refused")])
def test_a_fixture_that_lacks_a_half_is_refused(name: str) -> None:
    with pytest.raises(KaratError) as caught:
        read_rows(FIXTURES / name)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert str(FIXTURES / name) in message
