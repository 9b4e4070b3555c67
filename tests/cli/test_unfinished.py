"""An unfinished run is reported as such before its share correct."""

import json
from pathlib import Path

import pytest
from command import Command

from oracle import answer_match
from provider import Provider

NOBODY = "http://127.0.0.1:9/v1#m"
TOLD = "not finished: 5 of 8 rows are not judged yet, and those judged so far (3 rows) are not a random sample of all"


@pytest.fixture
def stopped(folder: Path, karat: Command) -> Command:
    """Three answers that the gate rejects, and five for an endpoint that is down."""
    rows = [
        {"question": f"q{n}?", "reference": f"r{n}", "answer": "" if n < 3 else f"a {n}", "kind": "xy"[n % 2]}
        for n in range(8)
    ]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert karat("grade", "a.jsonl", "--judge", "embedded").code == 0
    assert karat("grade", "a.jsonl", "--judge", NOBODY, "--timeout", "0.5").code == 3
    return karat


def test_in_the_markdown(stopped: Command) -> None:
    head = stopped("report", "--markdown").out.partition("\n| ---")[0]
    assert f"run 2 · {NOBODY} is {TOLD}" in head
    assert "so far |" in stopped("report", "--markdown").out


def test_on_the_page(folder: Path, stopped: Command) -> None:
    assert stopped("report").code == 0
    page = (folder / "karat-report.html").read_text(encoding="utf-8")
    assert page.index(f"Run 2 is {TOLD}") < page.index("correct so far, of 3 judged rows")
    assert stopped("report", "1", "2").code == 0
    assert f"Run 2 is {TOLD}" in (folder / "karat-report.html").read_text(encoding="utf-8")


def test_in_a_comparison(stopped: Command) -> None:
    said = stopped("compare", "1", "2").out
    assert said.index(f"{NOBODY}: {TOLD}") < said.index("says Yes")
    assert TOLD in stopped("compare", "2", "--by", "kind").out
    judges = json.loads(stopped("compare", "1", "2", "--json").out)["judges"]
    assert [judge["waiting"] for judge in judges] == [0, 5]


def test_in_the_summary_where_the_budget_is_used_up(folder: Path, stopped: Command) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        said = stopped(
            "grade", "a.jsonl", "--judge", f"{provider.base_url}#m", "--price", "1/1", "--budget", "0",
        ).out  # fmt: skip
    assert said.index(TOLD) < said.index("correct so far 0.0 % [")


def test_a_finished_run_says_nothing_of_the_kind(stopped: Command) -> None:
    assert "not finished" not in stopped("report", "1", "--markdown").out
