"""The example that exports evals of the OpenAI API writes files that karat reads as what the API serves."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from docs import ROOT
from evals_api import EXPORT, KEY, EvalsApi
from karat.rows import Row, open_source

SCRIPT = ROOT / "examples" / "export_openai_evals.py"
EVAL: dict[str, Any] = json.loads(EXPORT.read_text(encoding="utf-8"))
EVAL_ID = EVAL["eval"]["id"]
EXPECTED = json.loads(EXPORT.with_name("export.json.expected.json").read_text(encoding="utf-8"))["rows"]
ITEMS = [f"evals/{EVAL_ID}/runs/{run['id']}/output_items" for run in EVAL["runs"]]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def start(base_url: str, *words: str, key: str | None = KEY) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    variables |= {"OPENAI_BASE_URL": base_url, "no_proxy": "127.0.0.1"}
    variables |= {} if key is None else {"OPENAI_API_KEY": key}
    return subprocess.run(
        [sys.executable, SCRIPT, *words], env=variables, capture_output=True, text=True, check=False
    )


def read_file(path: Path) -> list[tuple[Any, ...]]:
    with open_source(str(path)) as source:
        rows = list(source.rows(source.find_columns({})))
    assert all(isinstance(row, Row) for row in rows)
    return [
        (row.item.question, list(row.item.references), row.item.answer, row.system, row.columns["verdicts"])
        for row in rows
        if isinstance(row, Row)
    ]


def name_eval(number: int) -> dict[str, Any]:
    """The same eval under an id of its own."""
    return {**EVAL, "eval": {**EVAL["eval"], "id": f"eval_{number}", "name": f"Eval {number}"}}


def complain(ended: subprocess.CompletedProcess[str]) -> str:
    """The one line in which the script says what failed."""
    assert ended.returncode == 1
    *_, complaint = ended.stderr.splitlines()
    assert complaint.startswith("export_openai_evals: ")
    assert "Traceback" not in ended.stderr
    assert KEY not in ended.stderr
    return complaint


@pytest.mark.parametrize("largest", [1, 3, 5, 100])
def test_the_file_holds_all_rows_and_verdicts_whatever_the_size_of_a_page(largest: int) -> None:
    with EvalsApi(largest=largest) as api:
        ended = start(api.base_url)
    assert ended.returncode == 0, ended.stderr
    file = Path("openai-evals", f"{EVAL_ID}.json")
    assert ended.stdout == f"{file}: 2 runs, {len(EXPECTED)} output items of {EVAL['eval']['name']!r}\n"
    assert read_file(file) == [
        (one["question"], one["references"], one["answer"], one["system"], one["verdicts"])
        for one in EXPECTED
    ]


def test_the_file_loses_nothing_of_what_the_api_says() -> None:
    with EvalsApi() as api:
        assert start(api.base_url).returncode == 0
    written = json.loads(Path("openai-evals", f"{EVAL_ID}.json").read_text(encoding="utf-8"))
    assert written["eval"] == EVAL["eval"]
    items = written["output_items"]
    nested = [
        {**run, "output_items": [item for item in items if item["run_id"] == run["id"]]}
        for run in written["runs"]
    ]
    assert nested == EVAL["runs"]


def test_named_evals_alone_are_exported() -> None:
    with EvalsApi({name: name_eval(int(name)) for name in "123"}) as api:
        listed = start(api.base_url, "--list")
        assert start(api.base_url, "eval_3", "eval_1", "-o", "some/where").returncode == 0
    assert listed.stdout.splitlines() == [f"eval_{number}  Eval {number}" for number in (1, 2, 3)]
    assert sorted(path.name for path in Path("some/where").iterdir()) == ["eval_1.json", "eval_3.json"]


def test_after_a_failure_there_are_whole_files_only_and_the_same_command_continues() -> None:
    exports = {name: name_eval(int(name)) for name in "12"}
    broken = ITEMS[1].replace(EVAL_ID, "eval_2")
    with EvalsApi(exports, scripted={broken: [(400, {})]}) as api:
        assert "Try again later." in complain(start(api.base_url))
        assert [path.name for path in Path("openai-evals").iterdir()] == ["eval_1.json"]
        before = len(api.requests)
        ended = start(api.base_url)
    assert ended.returncode == 0
    assert sorted(path.name for path in Path("openai-evals").iterdir()) == ["eval_1.json", "eval_2.json"]
    assert not [one for one in api.requests[before:] if "eval_1/runs" in one]
    assert read_file(Path("openai-evals/eval_1.json")) == read_file(Path("openai-evals/eval_2.json"))


def test_a_busy_server_is_asked_again() -> None:
    busy = [(429, {"Retry-After": "0"}), (503, {"Retry-After": "0"})]
    with EvalsApi(scripted={ITEMS[0]: busy}) as api:
        ended = start(api.base_url)
    assert ended.returncode == 0
    assert len(ended.stderr.splitlines()) == len(busy)
    assert len(read_file(Path("openai-evals", f"{EVAL_ID}.json"))) == len(EXPECTED)


def test_a_redirect_is_refused_so_that_the_key_stays_where_it_was_sent() -> None:
    with (
        EvalsApi() as other,
        EvalsApi(scripted={"evals": [(302, {"Location": f"{other.base_url}/evals"})]}) as api,
    ):
        assert "status 302" in complain(start(api.base_url))
    assert other.requests == []


def test_what_cannot_be_read_is_told_in_one_line() -> None:
    with EvalsApi() as api:
        assert "the key is not accepted (status 401" in complain(start(api.base_url, key="another"))
        assert "no evals/eval_x (status 404" in complain(start(api.base_url, "eval_x"))
        assert "OPENAI_API_KEY is not set" in complain(start(api.base_url, key=None))
        assert "is no address" in complain(start("example.org/v1"))
        assert "eval_%2F..%2Fx" in complain(start(api.base_url, "eval_/../x"))
    assert not Path("openai-evals").exists()


def test_an_eval_without_runs_has_no_output_items() -> None:
    with EvalsApi({"": {**EVAL, "runs": []}}) as api:
        ended = start(api.base_url)
    assert "0 runs, 0 output items" in ended.stdout
