"""Files as other tools write them are read without a flag."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from row_reading import attempt

from karat.core.errors import KaratError
from karat.rows import BadRow, Row, open_source, open_sources, pick
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


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_a_folder_is_read_as_one_input(name: str) -> None:
    oracle = read_oracle(name)
    with open_sources([str(FIXTURES / name)]) as source:
        rows = attempt(lambda: list(source.rows(source.find_columns({}))))
    if isinstance(rows, str):
        assert oracle.get("may_refuse"), rows
        return
    wanted = oracle["rows"]
    assert [show(row)["answer"] for row in rows] == [write_text(one["answer"]) for one in wanted]
    good = [row for row in rows if isinstance(row, Row)]
    assert len({row.id for row in good}) == len(good) == len(wanted)
    for row, one in zip(good, wanted, strict=True):
        named = "/".join(filter(None, [row.columns["file"], write_text(one["id"])]))
        assert row.id == named or row.id.startswith(f"{named}/")
        assert one.get("file", row.columns["file"]) == row.columns["file"]


@pytest.mark.parametrize(
    ("answers", "references", "oracle"),
    [
        (
            "datasets/squad_official/predictions.json",
            "datasets/squad_official/dev.json",
            "datasets/squad_official",
        ),
        ("helm/run/display_predictions.json", "helm/run/instances.json", "helm/run"),
    ],
)
def test_answers_are_joined_with_references_of_another_file(
    answers: str, references: str, oracle: str
) -> None:
    with open_sources([str(FIXTURES / answers)], references=str(FIXTURES / references), on="id") as source:
        rows = list(source.rows(source.find_columns({})))
    for row, one in zip(rows, read_oracle(oracle)["rows"], strict=True):
        assert isinstance(row, Row)
        assert row.id == one["id"]
        assert show(row) | {"system": None} == {
            part: one[part] for part in ("question", "references", "answer")
        } | {"system": None}  # fmt: skip


@pytest.mark.parametrize("ending", ["", "\n"])
@pytest.mark.parametrize("indent", [None, 2])
def test_predictions_by_id_are_read_on_one_line_or_several(
    ending: str, indent: int | None, tmp_path: Path
) -> None:
    predictions = {"5a01": "Paris", "5a02": "in 1889"}
    path = tmp_path / "predictions.json"
    path.write_text(json.dumps(predictions, indent=indent) + ending)
    with open_source(str(path)) as source:
        records = [record for record in source.records() if not isinstance(record, BadRow)]
    assert {one["id"]: one["prediction"] for _, one in records} == predictions


def test_every_fixture_is_recognised_as_what_it_is() -> None:
    """Plain tables have no title; every other fixture is said to be of its peer or data set."""
    untold = [
        name
        for name in NAMES
        if not name.startswith("containers/")
        and not read_oracle(name).get("refused")
        and not find_title(name)
    ]
    assert untold == ["datasets/hf_parallel_lists.json", "datasets/hf_rows.jsonl"]


@pytest.mark.parametrize(
    "name",
    [
        name for name in NAMES if not read_oracle(name).get("refused") and "choices" not in name
    ],  # they hold numbers
)
def test_each_part_is_found_where_the_line_says_that_it_is_from(name: str) -> None:
    layout = attempt(lambda: open_source(str(FIXTURES / name)).find_layout({}))
    if isinstance(layout, str) or layout.head is None or not layout.mapped:
        return
    first = read_oracle(name)["rows"][0]
    wanted = {"question": first["question"], "reference": first["references"][0], "answer": first["answer"]}
    for origin in re.split(r", (?=\w+ from )", layout.describe()):
        part, _, path = origin.partition(" from ")
        held = [json.dumps(pick(one, path)) for one in layout.head.records if pick(one, path) is not UNSET]
        if part in wanted and held:
            text = json.dumps(write_text(wanted[part])).strip('"')
            assert any(text in one for one in held), origin


def find_title(name: str) -> str | None:
    def read() -> str:
        with open_source(str(FIXTURES / name)) as source:
            return source.find_layout({}).title

    title = attempt(read)
    return title if ": " not in title else "refused"


def test_a_format_can_be_chosen() -> None:
    path = str(FIXTURES / "braintrust" / "results.jsonl")
    with open_sources([path], format="table") as source:
        assert source.find_layout({}).title == ""
    with open_sources([path], format="helm") as source, pytest.raises(KaratError, match="HELM"):
        source.find_layout({})
    with open_sources([path], format="nothing") as source, pytest.raises(KaratError, match="karat formats"):
        source.find_layout({})


@pytest.mark.parametrize("column", ["vars.question", "prompt.raw"])
def test_a_chosen_column_goes_before_the_one_of_the_format(column: str) -> None:
    with open_source(str(FIXTURES / "promptfoo" / "variables.jsonl")) as source:
        rows = list(source.rows(source.find_columns({"question": column})))
    first = rows[0]
    assert isinstance(first, Row)
    assert first.item.question == ("Answer briefly: " if column == "prompt.raw" else "") + (
        "Which river flows through Cologne?"
    )


TRICKY = sorted(
    path.name.removesuffix(".expected.json") for path in (FIXTURES / "tricky").glob("*.expected.json")
)


@pytest.mark.parametrize("name", TRICKY)
def test_a_tricky_table_is_read_rightly_or_refused_with_the_choices(name: str) -> None:
    oracle = json.loads((FIXTURES / "tricky" / f"{name}.expected.json").read_text())
    with open_source(str(FIXTURES / "tricky" / name)) as source:
        found = attempt(lambda: source.find_columns({}))
    if isinstance(found, str):
        assert oracle.get("refused") or oracle.get("may_refuse"), found
        assert len(found.splitlines()) == 1
        for part, columns in oracle.get("choices", {}).items():
            for column in columns:
                assert f"{part}={column}" in found
        if "missing" in oracle:
            assert f"no column is the {oracle['missing']}" in found
        return
    assert not oracle.get("refused"), found
    assert (found.question, found.reference, found.answer) == (
        oracle["question"], oracle["reference"], oracle["answer"]
    )  # fmt: skip
    assert found.label == oracle.get("label")
    rows = read_rows(FIXTURES / "tricky" / name)
    assert all(isinstance(row, Row) for row in rows)
