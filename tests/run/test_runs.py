"""Runs with a provider as the judge: number of calls, results, and what is stored when a run stops."""

import asyncio
import gc
import json
import math
from pathlib import Path
from typing import Any

import pytest
from running import grade, plan, write_rows

from karat.core.errors import SetupError
from karat.judges import make_judge
from karat.rows import Source, open_source
from karat.run import Range, forecast_run, grade_run, load_source, open_run, records
from karat.store import Store
from provider import Call, Provider, Reply, answer_object, echo_yes, length, read_items


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "answers.jsonl", range(23))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "k.db"


@pytest.mark.parametrize("size", [1, 4, 8])
def test_as_many_calls_as_full_prompts_need(size: int, rows: Path, store: Path) -> None:
    """Rows come out once each in input order, and the same command again asks nobody."""
    with Provider(length) as provider:
        first = grade(rows, provider.base_url, store, items_per_prompt=size)
        assert len(provider.calls) == math.ceil(23 / size)
        again = grade(rows, provider.base_url, store, items_per_prompt=size)
        assert len(provider.calls) == math.ceil(23 / size)
    assert first.ids == [f"r{number}" for number in range(23)]
    assert set(first.values) == {True, False}
    assert again.rows == first.rows


def test_prompt_size_changes_no_verdict_and_causes_no_calls(rows: Path, store: Path) -> None:
    with Provider(length) as provider:
        one = grade(rows, provider.base_url, store, items_per_prompt=1)
        eight = grade(rows, provider.base_url, store, items_per_prompt=8)
        assert len(provider.calls) == 23
    assert one.values == eight.values


def test_a_limit_grades_the_first_rows_and_the_rest_is_paid_later(rows: Path, store: Path) -> None:
    with Provider(length) as provider:
        some = grade(rows, provider.base_url, store, limit=10)
        assert (some.ids[-1], len(provider.calls)) == ("r9", 10)
        whole = grade(rows, provider.base_url, store)
        assert len(provider.calls) == 23
    assert [row["cached"] for row in whole.rows] == [True] * 10 + [False] * 13
    assert whole.values[:10] == some.values


def test_same_file_is_recognised_by_any_path(rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the root, with dots, over a link; a copy is another file."""
    monkeypatch.chdir(rows.parent)
    (rows.parent / "link.jsonl").symlink_to(rows)
    (rows.parent / "copy.jsonl").write_bytes(rows.read_bytes())
    paths = (
        "answers.jsonl",
        "./answers.jsonl",
        str(rows),
        f"../{rows.parent.name}/answers.jsonl",
        "link.jsonl",
    )
    with Store(None) as opened:
        found = [load(opened, path) for path in (*paths, "copy.jsonl")]
    assert found == [1, 1, 1, 1, 1, 2]


def test_file_stored_by_an_older_version_under_its_typed_path_is_recognised(
    rows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(rows.parent)
    with Store(None) as opened:
        with monkeypatch.context() as older:
            older.setattr(Source, "place", property(lambda source: source.name))
            assert [load(opened, path) for path in ("./answers.jsonl", str(rows))] == [1, 2]
        assert [load(opened, path) for path in ("./answers.jsonl", str(rows))] == [1, 2]


def load(store: Store, path: str) -> int:
    """The number of the dataset that a file is."""
    with open_source(path) as source:
        return load_source(store, source, {}).id


def test_only_new_rows_are_paid_for(rows: Path, store: Path) -> None:
    with Provider(length) as provider:
        grade(rows, provider.base_url, store, price="1/2")
        write_rows(rows, [*range(23), 100, 101])
        grown = grade(rows, provider.base_url, store, price="1/2")
        assert len(provider.calls) == 25
    assert [row["cost_usd"] > 0 for row in grown.rows] == [False] * 23 + [True] * 2
    assert grown.spent.calls == 2


def test_identical_rows_are_judged_and_paid_once(tmp_path: Path, store: Path) -> None:
    line = write_rows(tmp_path / "one.jsonl", [1]).read_text()
    many = tmp_path / "many.jsonl"
    many.write_text("".join(line.replace('"r1"', f'"copy {number}"') for number in range(6)))
    with Provider(echo_yes) as provider:
        result = grade(many, provider.base_url, store, price="1/2")
        assert len(provider.calls) == 1
    assert result.values == [True] * 6
    assert [row["cached"] for row in result.rows] == [False] + [True] * 5
    assert [row["calls"] for row in result.rows] == [1] + [0] * 5


@pytest.mark.parametrize("size", [1, 3, 8])
def test_the_costs_of_the_rows_add_up_to_what_the_run_paid(size: int, rows: Path, store: Path) -> None:
    """Also where replies are unreadable now and then, and items are asked again."""

    def flaky(call: Call) -> Reply:
        return Reply("I am not sure.") if call.index % 4 == 1 else length(call)

    with Provider(flaky) as provider:
        result = grade(rows, provider.base_url, store, items_per_prompt=size, price="3/15/0.3")
        assert result.spent.calls == len(provider.calls)
    assert result.spent.cost_usd == pytest.approx(sum(row["cost_usd"] for row in result.rows), abs=1e-9)
    for field in ("input_tokens", "output_tokens"):
        assert sum(row[field] for row in result.rows) == getattr(result.spent, field)


def test_without_a_price_costs_are_unknown(rows: Path, store: Path) -> None:
    with Provider(echo_yes) as provider:
        result = grade(rows, provider.base_url, store)
    assert {row["cost_usd"] for row in result.rows} == {None}
    assert result.spent.cost_usd is None


def test_the_gate_rejects_without_a_call(tmp_path: Path, store: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"question": "Who?", "reference": "Ada Lovelace", "answer": ""}) + "\n")
    with Provider(echo_yes) as provider:
        result = grade(path, provider.base_url, store)
        assert provider.calls == []
    assert result.values == [False]
    assert result.rows[0]["decided_by"].startswith("rule:")


@pytest.mark.parametrize("rules_first", [True, False])
def test_rules_first_skips_the_call_for_sure_accepts_only(
    rules_first: bool, tmp_path: Path, store: Path
) -> None:
    """A sure reject by a rule that is not the gate still goes to the model."""
    path = tmp_path / "a.jsonl"
    pairs = [("Paris", "Paris"), ("1969", "1970"), ("a boat with sails", "it floats")]
    path.write_text(
        "".join(json.dumps({"question": "Which?", "reference": r, "answer": a}) + "\n" for r, a in pairs)
    )
    by_rule = grade(path, "http://127.0.0.1:1/v1", store, limit=1, rules_first=True)
    assert by_rule.rows[0]["decided_by"].startswith("rule:")
    with Provider(echo_yes) as provider:
        result = grade(path, provider.base_url, store, rules_first=rules_first)
        asked = [json.loads(read_items(call.body)[0])["ground_truth"] for call in provider.calls]
    assert result.values == [True, True, True]
    assert sorted(asked) == sorted(r for r, _ in pairs[1 if rules_first else 0 :])


def test_setup_error_during_a_run_keeps_stored_verdicts(
    rows: Path, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The run stops at once and without noise, and the next one asks only for the rest."""
    closed = True

    def script(call: Call) -> Reply:
        return Reply(status=401) if closed and call.index >= 12 else length(call)

    with Provider(script) as provider:
        with pytest.raises(SetupError, match="401"):
            grade(rows, provider.base_url, store, concurrency=4)
        sent = len(provider.calls)
        assert sent <= 12 + 4
        closed = False
        whole = grade(rows, provider.base_url, store, concurrency=4)
        assert len(provider.calls) - sent <= 23 - 12 + 3
    assert len(whole.rows) == 23
    gc.collect()
    assert caplog.records == []


def test_refusals_of_all_calls_are_one_error(
    rows: Path, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Sixteen calls that fail at once leave no exception unnoticed."""
    with Provider(lambda _: Reply(status=401, delay=0.05)) as provider:
        with pytest.raises(SetupError):
            grade(rows, provider.base_url, store)
        assert len(provider.calls) <= 16
    gc.collect()
    assert caplog.records == []


def test_unavailable_rows_are_tried_again_by_the_same_command(rows: Path, store: Path) -> None:
    down = {"r3", "r4"}

    def script(call: Call) -> Reply:
        item = json.loads(read_items(call.body)[0])
        number = item["question"].split()[-1].rstrip("?")
        return Reply(status=503) if f"r{number}" in down else length(call)

    with Provider(script) as provider:
        first = grade(rows, provider.base_url, store, concurrency=1)
        assert [row["id"] for row in first.rows if row["cause"] == "unavailable"] == ["r3", "r4"]
        before = len(provider.calls)
        down.clear()
        second = grade(rows, provider.base_url, store, concurrency=1)
        assert len(provider.calls) - before == 2
    assert None not in second.values


def test_other_causes_are_retried_only_on_request(rows: Path, store: Path) -> None:
    """Attempts go on counting where they stopped, and what was paid before stays paid for."""
    mute = True

    def script(call: Call) -> Reply:
        return Reply("Well.") if mute else length(call)

    with Provider(script) as provider:
        options: dict[str, Any] = {"limit": 1, "attempts": 2, "price": "1/1"}
        first = grade(rows, provider.base_url, store, **options)
        assert (first.rows[0]["cause"], len(provider.calls)) == ("unparseable", 2)
        mute = False
        assert grade(rows, provider.base_url, store, **options).rows == first.rows
        third = grade(rows, provider.base_url, store, retry=True, **options)
        assert len(provider.calls) == 3
    assert third.values != [None]
    assert third.rows[0]["calls"] == 3
    assert third.rows[0]["cost_usd"] == pytest.approx(third.spent.cost_usd, abs=1e-9)


def test_rejected_batch_is_split_down_to_the_item_at_fault(rows: Path, store: Path) -> None:
    def script(call: Call) -> Reply:
        bad = any("picture 5?" in line for line in read_items(call.body))
        return Reply(status=400, error={"message": "cannot look at this"}) if bad else length(call)

    with Provider(script) as provider:
        result = grade(rows, provider.base_url, store, items_per_prompt=8)
    causes = {row["id"]: row["cause"] for row in result.rows if row["cause"]}
    assert causes == {"r5": "rejected"}


def test_keys_stay_out_of_store_output_and_notices(
    rows: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-do-not-keep-0123456789"

    def script(call: Call) -> Reply:
        assert call.headers["authorization"] == f"Bearer {key}"
        if "temperature" in call.body:
            return Reply(status=400, error={"message": f"temperature is not for {key}"})
        refused = call.index % 5 == 0
        return Reply(status=400, error={"message": f"no, {key}"}) if refused else length(call)

    with Provider(script) as provider:
        planned = plan(f"{provider.base_url}#m", {"KARAT_API_KEY": key})
        notices = list[str]()
        with open_source(str(rows)) as source, Store(str(store)) as opened:
            run = open_run(opened, load_source(opened, source, {}), planned)
            asyncio.run(grade_run(opened, run, planned, notice=notices.append))
            out = list(records(run, opened.graded(run)))
            kept = b"".join(path.read_bytes() for path in store.parent.glob("k.db*") if path.is_file())
    assert any(row["cause"] == "rejected" for row in out)
    assert notices
    assert b"buoy" in kept
    assert key.encode() not in kept
    assert key not in str(out) + str(notices)


def test_forecast_equals_the_run(rows: Path, store: Path) -> None:
    """Calls are counted exactly, tokens and cost are near, and nobody is asked."""
    with Provider(length) as provider:
        planned = plan(f"{provider.base_url}#m", items_per_prompt=4, price="1/2")
        with open_source(str(rows)) as source, Store(str(store)) as opened:
            run = open_run(opened, load_source(opened, source, {}), planned)
            before = forecast_run(opened, run, planned)
            assert provider.calls == []
            asyncio.run(grade_run(opened, run, planned))
            spent, after = opened.spent(run), forecast_run(opened, run, planned)
    assert (before.rows, before.known, before.calls.expected) == (23, 0, spent.calls)
    assert before.input_tokens.expected == pytest.approx(spent.input_tokens, rel=0.15)
    assert (after.known, after.calls, after.cost_usd) == (23, Range(0, 0, 0), Range(0, 0, 0))


def test_a_run_never_asks_more_groups_at_once_than_allowed(rows: Path, store: Path) -> None:
    """What is watched adds up to all rows."""
    steps = list[Any]()
    with Provider(lambda call: Reply(length(call).text, delay=0.01)) as provider:
        grade(rows, provider.base_url, store, concurrency=2, items_per_prompt=2, watch=steps.append)
    assert sum(step.items for step in steps) == 23
    assert {step.items for step in steps} == {2, 1}


def test_a_cancelled_run_keeps_what_was_answered_and_leaves_nothing_running(rows: Path, store: Path) -> None:
    async def interrupt(provider: Provider, opened: Store) -> None:
        planned = plan(f"{provider.base_url}#m", concurrency=4)
        with open_source(str(rows)) as source:
            run = open_run(opened, load_source(opened, source, {}), planned)
        work = asyncio.create_task(grade_run(opened, run, planned))
        while len(provider.calls) < 10:  # noqa: ASYNC110 - the provider lives in another thread
            await asyncio.sleep(0.005)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert asyncio.all_tasks() == {asyncio.current_task()}

    with Provider(lambda call: Reply(length(call).text, delay=0.01)) as provider:
        with Store(str(store)) as opened:
            asyncio.run(interrupt(provider, opened))
        before = len(provider.calls)
        assert len(grade(rows, provider.base_url, store).rows) == 23
        assert len(provider.calls) <= 23 + 4
        assert len(provider.calls) - before < 23


def test_a_store_that_cannot_be_written_to_stops_the_run(rows: Path, store: Path) -> None:
    """The run does not hang, and the reason is one line."""
    with Provider(length) as provider, Store(str(store)) as opened:

        def break_store(_: Any) -> None:
            opened._database._connection.execute("PRAGMA query_only = 1")

        with pytest.raises(SetupError, match="cannot write to the store"):
            grade(rows, provider.base_url, opened, concurrency=2, watch=break_store)


def test_unused_judge_can_be_closed() -> None:
    asyncio.run(make_judge(plan("http://127.0.0.1:1/v1#m")).close())
    asyncio.run(make_judge(plan("rules")).close())


def test_rules_leave_uncertain_answers_undecided(rows: Path) -> None:
    planned = plan("rules")
    with open_source(str(rows)) as source, Store(None) as opened:
        run = open_run(opened, load_source(opened, source, {}), planned)
        asyncio.run(grade_run(opened, run, planned))
        out = list(records(run, opened.graded(run)))
    assert len(out) == 23
    assert {row["cause"] for row in out} <= {"undecided", None}


def test_log_probabilities_become_scores(tmp_path: Path, store: Path) -> None:
    tokens = [
        {"token": '{"Answer 1": "', "logprob": 0.0, "top_logprobs": []},
        {
            "token": "Yes",
            "logprob": math.log(0.75),
            "top_logprobs": [
                {"token": "Yes", "logprob": math.log(0.75)},
                {"token": "No", "logprob": math.log(0.25)},
            ],
        },
        {"token": '"}', "logprob": 0.0, "top_logprobs": []},
    ]
    rows = write_rows(tmp_path / "a.jsonl", [1])
    with Provider(lambda _: Reply(answer_object([True]), logprobs=tokens)) as provider:
        grade(rows, provider.base_url, store, logprobs=True)
        result = grade(rows, provider.base_url, store, logprobs=True)
        assert len(provider.calls) == 1
    assert result.rows[0]["score"] == pytest.approx(0.75)
    assert result.rows[0]["confidence"] == pytest.approx(0.75)
