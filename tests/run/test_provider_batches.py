"""`--via batch`: the same verdicts at half the price, and nothing is submitted twice."""

import asyncio
import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from running import Result, plan, write_rows

import karat
from batch_provider import Fate
from karat.core.errors import SetupError, UsageError
from karat.models import Polling
from karat.rows import open_source
from karat.run import grade_run, load_source, open_run, records
from karat.store import Store
from oracle import PERFECT
from provider import Answer, Apart, Call, Provider, Reply, apart

KEY = "sk-a-secret-of-forty-letters-and-digits"
# Started in the background, a shell has its children ignore interrupts; a user at a terminal does not.
MAIN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from karat.cli import main; main()"
QUICKLY = Polling(wait=0.01, longest_wait=0.02, faults=3, seconds=0.5)
JUDGES = ("openai:m", "anthropic:m", "compatible")


def run(
    path: Path,
    provider: Provider,
    store: Path,
    judge: str = "openai:m",
    *,
    notice: Callable[[str], None] = lambda _: None,
    **options: Any,
) -> Result:
    """Grade a file by provider batches."""
    environment = {
        "OPENAI_BASE_URL": provider.base_url, "OPENAI_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": provider.base_url, "ANTHROPIC_API_KEY": KEY,
    }  # fmt: skip
    name = f"{provider.base_url}#m" if judge == "compatible" else judge
    given = {"via": "batch", "items_per_prompt": 1, **options}
    planned = plan(name, environment, **given)
    planned = structs.replace(planned, request=structs.replace(planned.request, polling=QUICKLY))
    notices = list[str]()
    with open_source(str(path)) as source, Store(str(store)) as opened:
        started = open_run(opened, load_source(opened, source, {}), planned)
        asyncio.run(
            grade_run(opened, started, planned, notice=lambda told: notices.append(told) or notice(told))
        )
        return Result(list(records(started, opened.graded(started))), opened.spent(started), notices)


def flat(call: Call) -> Call:
    """The same call with the content of every turn as plain text."""
    turns = [
        {**turn, "content": turn["content"] if isinstance(turn["content"], str) else "".join(part["text"] for part in turn["content"])}
        for turn in call.body["messages"]
    ]  # fmt: skip
    return replace(call, body={**call.body, "messages": turns})


def perfect(protocol: str) -> Answer:
    answer = PERFECT[protocol](lambda text: len(text) % (2 if protocol == "match" else 6))
    return lambda call: answer(flat(call))


def in_batches(provider: Provider) -> list[Call]:
    return [call for call in provider.calls if "x-batch" in call.headers]


def states(store: Path) -> list[str]:
    with closing(sqlite3.connect(store)) as connection:
        return [state for (state,) in connection.execute("SELECT state FROM provider_batches ORDER BY id")]


@pytest.mark.parametrize("protocol", ["match", "equivalence", "keypoints"])
@pytest.mark.parametrize("judge", JUDGES)
def test_verdicts_are_those_of_plain_calls(judge: str, protocol: str, tmp_path: Path) -> None:
    """One call goes ahead, all other requests go into one batch."""
    path = write_rows(tmp_path / "a.jsonl", range(30))
    with Provider(perfect(protocol)) as provider:
        plain = run(path, provider, tmp_path / "p.db", judge, protocol=protocol, via="calls")
        made = len(provider.calls)
        batch = run(path, provider, tmp_path / "b.db", judge, protocol=protocol)
        assert len(in_batches(provider)) == 29
        assert len(provider.calls) - made == 30
        assert len(provider.batches.made) == 1
    fields = ("id", "status", "value", "score", "decided_by", "cause")
    assert [[row[name] for name in fields] for row in batch.rows] == [
        [row[name] for name in fields] for row in plain.rows
    ]
    assert all(row["status"] == "judged" for row in batch.rows)
    assert states(tmp_path / "b.db") == ["collected"]


@pytest.mark.parametrize("judge", JUDGES)
def test_several_items_may_share_a_prompt(judge: str, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(30))
    with Provider(perfect("match")) as provider:
        alone = run(path, provider, tmp_path / "a.db", judge)
        before = len(provider.calls)
        shared = run(path, provider, tmp_path / "b.db", judge, items_per_prompt=4)
        assert len(provider.calls) - before == 8
    assert shared.values == alone.values


def garbled(times: int, answer: Answer) -> Answer:
    """Say nothing readable about each item the first few times."""
    seen = Counter[str]()

    def reply(call: Call) -> Reply | str:
        name = re.findall(r"buoy (\d+)", call.prompt)[-1]
        seen[name] += 1
        return "hm" if seen[name] <= times else answer(call)

    return reply


@pytest.mark.parametrize("judge", JUDGES)
def test_unreadable_replies_are_asked_again_in_the_next_batch(judge: str, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(10))
    with Provider(garbled(2, perfect("match"))) as provider:
        result = run(path, provider, tmp_path / "k.db", judge)
        assert [len(batch.names) for batch in provider.batches.made] == [9, 10, 10]
    assert all(row["status"] == "judged" and row["calls"] == 3 for row in result.rows)


def script(*fates: Fate) -> Callable[[int], Fate]:
    return lambda number: fates[min(number, len(fates) - 1)]


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("ends", ["expired", "cancelled", "completed"])
def test_unprocessed_requests_are_submitted_again(judge: str, ends: Any, tmp_path: Path) -> None:
    """What succeeded is kept and not sent again."""
    path = write_rows(tmp_path / "a.jsonl", range(10))
    with Provider(perfect("match"), fate=script(Fate(ends, done=5), Fate())) as provider:
        result = run(path, provider, tmp_path / "k.db", judge)
        assert [len(batch.names) for batch in provider.batches.made] == [9, 4]
        assert len(provider.calls) == 10
    assert all(row["status"] == "judged" for row in result.rows)


def test_request_that_is_never_processed_becomes_unjudged(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(5))
    with Provider(perfect("match"), fate=lambda _: Fate("expired", done=0)) as provider:
        result = run(path, provider, tmp_path / "k.db")
        assert len(provider.batches.made) == 4
        assert [row["cause"] for row in result.rows].count("unavailable") == 4
        again = run(path, provider, tmp_path / "k.db")
        assert [row["cause"] for row in again.rows].count("unavailable") == 3
    assert "expired" in next(row["reason"] for row in result.rows if row["reason"])


def test_a_failed_batch_is_tried_again_smaller(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(21))
    with Provider(perfect("match"), fate=script(Fate("failed"), Fate())) as provider:
        result = run(path, provider, tmp_path / "k.db")
        assert [len(batch.names) for batch in provider.batches.made] == [20, 10, 10]
    assert all(row["status"] == "judged" for row in result.rows)
    assert any("Enqueued token limit" in notice for notice in result.notices)
    assert states(tmp_path / "k.db") == ["failed", "collected", "collected"]


def test_batches_that_fail_for_good_stop_the_run(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(21))
    with Provider(perfect("match"), fate=lambda _: Fate("failed")) as provider:
        with pytest.raises(SetupError, match="Enqueued token limit"):
            run(path, provider, tmp_path / "k.db")
        assert len(provider.batches.made) == 4


@pytest.mark.parametrize("judge", JUDGES)
def test_a_rejected_request_is_rejected_and_a_busy_one_is_sent_again(judge: str, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(8))
    busy = Counter[str]()

    def answer(call: Call) -> Reply | str:
        if "buoy 50" in call.prompt:
            return Reply(status=400, error={"type": "invalid_request_error", "message": "not this one"})
        if "buoy 43" in call.prompt and not busy["seen"]:
            busy["seen"] += 1
            return Reply(status=429, error={"type": "rate_limit_error", "message": "slow down"})
        return perfect("match")(call)

    with Provider(answer) as provider:
        result = run(path, provider, tmp_path / "k.db", judge)
        assert [len(batch.names) for batch in provider.batches.made] == [7, 1]
    causes = {row["id"]: (row["cause"], row["reason"]) for row in result.rows if row["cause"]}
    assert causes == {"r7": ("rejected", "not this one")}


def test_refused_parameters_are_found_before_the_batch(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(6))

    def answer(call: Call) -> Reply | str:
        if "temperature" in call.body:
            return Reply(status=400, error={"message": "temperature is not supported with this model"})
        return perfect("match")(call)

    with Provider(answer) as provider:
        result = run(path, provider, tmp_path / "k.db")
        assert len(provider.batches.made) == 1
        assert all("temperature" not in call.body for call in in_batches(provider))
    assert all(row["status"] == "judged" for row in result.rows)


@pytest.mark.parametrize("judge", JUDGES)
def test_a_batch_costs_half(judge: str, tmp_path: Path) -> None:
    """The call that goes ahead costs the full price, every other request half of it."""
    path = write_rows(tmp_path / "a.jsonl", range(10))
    with Provider(perfect("match")) as provider:
        plain = run(path, provider, tmp_path / "p.db", judge, via="calls", price="1/2")
        batch = run(path, provider, tmp_path / "b.db", judge, price="1/2")
    full = {row["id"]: row["cost_usd"] for row in plain.rows}
    paid = [row["cost_usd"] / full[row["id"]] for row in batch.rows]
    assert paid == pytest.approx([1.0] + [0.5] * 9)
    assert batch.spent.cost_usd == pytest.approx(sum(row["cost_usd"] for row in batch.rows))


def spend_of(provider: Provider) -> float:
    """What the endpoint charges at 1/2 dollars per million, half of it in batches."""
    total = 0.0
    for call in provider.calls:
        given = len(call.prompt) // 4 * 1 + 10 * 2
        total += given / 1e6 / (2 if "x-batch" in call.headers else 1)
    return total


def test_a_budget_holds_and_a_smaller_batch_goes_first(tmp_path: Path) -> None:
    """A batch is sent only if the most that it can cost fits; what it left over goes to the next."""
    path = write_rows(tmp_path / "a.jsonl", range(60))
    with Provider(perfect("match")) as provider:
        result = run(path, provider, tmp_path / "k.db", price="1/2", max_tokens=50, budget=0.03)
        assert spend_of(provider) <= 0.03
        sizes = [len(batch.names) for batch in provider.batches.made]
        assert len(sizes) > 1
        causes = Counter(row["cause"] for row in result.rows)
        assert causes[None] == len(provider.calls) == sum(sizes) + 1
        assert set(causes) == {None, "over_budget"}
        done = run(path, provider, tmp_path / "k.db", price="1/2", max_tokens=50, budget=1.0)
        assert len(provider.calls) == 60
    assert all(row["status"] == "judged" for row in done.rows)


def test_batch_with_a_lost_response_is_found_by_its_marker(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(10))
    with Provider(perfect("match"), fate=lambda _: Fate(drop_reply=True)) as provider:
        result = run(path, provider, tmp_path / "k.db")
        assert len(provider.batches.made) == 1
    assert all(row["status"] == "judged" for row in result.rows)


def test_anthropic_batch_with_a_lost_response_is_not_resubmitted(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(10))
    with Provider(perfect("match"), fate=lambda _: Fate(drop_reply=True)) as provider:
        with pytest.raises(SetupError, match="console"):
            run(path, provider, tmp_path / "k.db", "anthropic:m")
        assert len(provider.batches.made) == 1


def test_recorded_batch_is_searched_at_the_next_start(tmp_path: Path) -> None:
    """Killed between submitting and noting the id: the marker leads to the batch."""
    path, store = write_rows(tmp_path / "a.jsonl", range(10)), tmp_path / "k.db"
    with Provider(perfect("match")) as provider:
        first = run(path, provider, store)
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute("UPDATE provider_batches SET state = 'intended', provider_id = NULL")
            connection.execute("DELETE FROM outcomes")
            connection.execute("DELETE FROM completions")
        again = run(path, provider, store)
        assert len(provider.batches.made) == 1
    assert again.values == first.values
    assert states(store) == ["collected"]


def test_batch_unknown_to_the_provider_is_submitted_again(tmp_path: Path) -> None:
    path, store = write_rows(tmp_path / "a.jsonl", range(10)), tmp_path / "k.db"
    with Provider(perfect("match")) as provider:
        run(path, provider, store)
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute("UPDATE provider_batches SET state = 'submitted', provider_id = 'batch_x'")
            connection.execute("DELETE FROM outcomes")
            connection.execute("DELETE FROM completions")
        again = run(path, provider, store)
        assert len(provider.batches.made) == 2
    assert all(row["status"] == "judged" for row in again.rows)
    assert states(store) == ["lost", "collected"]


def test_single_calls_are_refused_while_a_batch_is_unfinished(tmp_path: Path) -> None:
    path, store = write_rows(tmp_path / "a.jsonl", range(10)), tmp_path / "k.db"
    with Provider(perfect("match")) as provider:
        run(path, provider, store)
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute("UPDATE provider_batches SET state = 'submitted'")
        with pytest.raises(UsageError, match="--via batch to collect it"):
            run(path, provider, store, via="calls")


def test_endpoint_without_batch_api_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(4))
    monkeypatch.setattr("batch_provider.Batches.add_to", lambda *_: None)
    with Provider(perfect("match")) as provider, pytest.raises(SetupError, match="no batch API"):
        run(path, provider, tmp_path / "k.db", "compatible")


def test_rules_have_no_batches() -> None:
    with pytest.raises(UsageError, match="--via batch"):
        plan("rules", via="batch")


@pytest.mark.parametrize(
    ("options", "name"),
    [({"panel": "openai:a,openai:b"}, "--panel"), ({"permute": 3, "items_per_prompt": 4}, "--permute")],
)
def test_panels_and_permute_are_refused_with_batches(options: dict[str, Any], name: str) -> None:
    with pytest.raises(UsageError, match=f"--via batch and {name} .* leave one out"):
        plan(None if "panel" in options else "openai:m", {"OPENAI_API_KEY": KEY}, via="batch", **options)


def test_auto_takes_a_size_that_was_found_before_and_checks_nothing(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(160))
    with Provider(perfect("match")) as provider:
        run(path, provider, tmp_path / "new.db", items_per_prompt="auto")
        assert [len(batch.names) for batch in provider.batches.made] == [159]
        run(path, provider, tmp_path / "old.db", via="calls", items_per_prompt="auto")
        with closing(sqlite3.connect(tmp_path / "old.db")) as connection, connection:
            connection.execute("DELETE FROM outcomes")
            connection.execute("DELETE FROM completions")
        again = run(path, provider, tmp_path / "old.db", items_per_prompt="auto")
        assert [len(batch.names) for batch in provider.batches.made] == [159, 19]
    assert "8 items per prompt, as an earlier check with this judge found" in again.notices
    assert all(row["status"] == "judged" for row in again.rows)


def test_run_is_locked_while_its_batch_is_unfinished(tmp_path: Path) -> None:
    path, store = write_rows(tmp_path / "a.jsonl", range(10)), tmp_path / "k.db"
    refused = list[str]()

    def try_too(told: str) -> None:
        if "submitted;" in told:
            with Store(str(store)) as opened, pytest.raises(UsageError) as caught:
                opened.claim(opened.find_run()).__enter__()
            refused.append(str(caught.value))

    with Provider(perfect("match")) as provider:
        run(path, provider, store, notice=try_too)
        assert len(provider.batches.made) == 1
    assert ["graded by another process" in told for told in refused] == [True]


def test_run_stops_if_every_request_of_a_batch_is_refused(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(5))

    def refuse(call: Call) -> Reply:
        told = "not for you" if "x-batch" in call.headers else "the prompt is too long"
        return Reply(status=400, error={"message": told})

    with Provider(refuse) as provider, pytest.raises(SetupError, match="refuses every request: not for you"):
        run(path, provider, tmp_path / "k.db")


def test_dry_run_keeps_a_run_with_an_unfinished_batch(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(5))
    planned = plan("openai:m", {"OPENAI_API_KEY": KEY}, via="batch")
    with open_source(str(path)) as source, Store(str(tmp_path / "k.db")) as opened:
        started = open_run(opened, load_source(opened, source, {}), planned)
        opened.batches_of(started).intend("marker", [b"0" * 16])
        opened.forget_run(started)
        assert opened.find_run(started.id).id == started.id


def test_the_key_is_never_stored(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", range(10))
    with Provider(perfect("match")) as provider:
        result = run(path, provider, tmp_path / "k.db")
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert KEY.encode() not in kept
    assert KEY not in str(result.notices)


class StoppedError(Exception):
    """Simulates the end of the process."""


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("stops", [1, 2, 3])
def test_interrupted_round_is_repeated_from_the_cache(stops: int, judge: str, tmp_path: Path) -> None:
    """Groups, repeats and their numbers are the same, so no request has to be made a second time."""
    path, store = write_rows(tmp_path / "a.jsonl", range(30)), tmp_path / "k.db"
    with Provider(garbled(2, perfect("match")), fate=lambda _: Fate(looks=1)) as provider:
        submitted = 0

        def stop(told: str) -> None:
            nonlocal submitted
            submitted += "submitted;" in told
            if submitted == stops:
                raise StoppedError

        with pytest.raises(StoppedError):
            run(path, provider, store, judge, items_per_prompt=4, notice=stop)
        result = run(path, provider, store, judge, items_per_prompt=4)
        names = provider.batches.names
        assert len(set(names)) == len(names)
        assert len([call for call in provider.calls if "x-batch" not in call.headers]) == 1
    assert all(row["status"] == "judged" for row in result.rows)
    assert result.spent.calls == len(names) + 1
    assert any("collecting" in told for told in result.notices)


def test_refused_parameters_are_learnt_again_without_paying(tmp_path: Path) -> None:
    """Keys hold what was sent, so the next process must learn the same before it finds its replies."""
    path, store = write_rows(tmp_path / "a.jsonl", range(6)), tmp_path / "k.db"

    def answer(call: Call) -> Reply | str:
        if "temperature" in call.body:
            return Reply(status=400, error={"message": "temperature is not supported with this model"})
        return perfect("match")(call)

    def stop(told: str) -> None:
        if "submitted;" in told:
            raise StoppedError

    with Provider(answer) as provider:
        with pytest.raises(StoppedError):
            run(path, provider, store, notice=stop)
        result = run(path, provider, store)
        paid = [call for call in provider.calls if "temperature" not in call.body]
        assert len(paid) == 6
    assert all(row["status"] == "judged" for row in result.rows)


def test_long_run_is_split_into_rounds_with_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.run.provider_batches.ROUND_ITEMS", 10)
    path = write_rows(tmp_path / "a.jsonl", range(25))
    with Provider(perfect("match"), fate=lambda _: Fate(looks=1)) as provider:
        result = run(path, provider, tmp_path / "k.db")
        assert [len(batch.names) for batch in provider.batches.made] == [9, 10, 5]
    assert result.ids == [f"r{number}" for number in range(25)]
    assert all(row["status"] == "judged" for row in result.rows)
    assert "batch batch_0: 4 of 9 done" in result.notices


def test_batch_size_respects_the_provider_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.models.batch.client.MOST_BYTES", 20_000)
    path = write_rows(tmp_path / "a.jsonl", range(12))
    with Provider(perfect("match")) as provider:
        run(path, provider, tmp_path / "k.db")
        sizes = [len(batch.names) for batch in provider.batches.made]
    assert sum(sizes) == 11
    assert max(sizes) < 5


def start(path: Path, provider: Apart, store: Path, out: Path, *more: str) -> "subprocess.Popen[str]":
    options = ["--via", "batch", "--store", str(store), "-o", str(out), *more]
    judge = ["--judge", "openai:m"]
    command = [sys.executable, "-c", MAIN, "grade", str(path), *judge, *options]
    environment = {**os.environ, "OPENAI_BASE_URL": provider.base_url, "OPENAI_API_KEY": KEY}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_run_stopped_while_waiting_pays_nothing_twice(
    stop: signal.Signals, size: int, tmp_path: Path
) -> None:
    """The round is repeated unchanged, even if the next command groups its rows differently."""
    path = write_rows(tmp_path / "a.jsonl", range(40))
    store, out = tmp_path / "k.db", tmp_path / "out.jsonl"
    with apart("length", batch_looks=math.inf) as provider:
        process = start(path, provider, store, out, "--items-per-prompt", str(size))
        with process:
            while not (store.exists() and "submitted" in _states(store)):
                assert process.poll() is None, process.stderr and process.stderr.read()
                time.sleep(0.02)
            process.send_signal(stop)
            assert process.wait(timeout=120) == (130 if stop == signal.SIGINT else -stop)
        assert not out.exists()
        provider.release()
        with start(path, provider, store, out, "--items-per-prompt", "1") as process:
            _, error = process.communicate(timeout=240)
        assert process.returncode == 0, error
        assert "collecting the results of an earlier submission" in error
        bodies = [json.dumps(body, sort_keys=True) for body in provider.log()]
    assert len(set(bodies)) == len(bodies) == 40 // size
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["id"] for row in rows] == [f"r{number}" for number in range(40)]
    assert all(row["status"] == "judged" for row in rows)


def _states(store: Path) -> list[str]:
    try:
        return states(store)
    except sqlite3.Error:
        return []


def test_library_requires_a_store_for_batches(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="store="):
        karat.grade([("q?", "r", "a")], judge="http://127.0.0.1:9/v1#m", via="batch")
    items = [(f"q{number}?", f"thing {number}", f"stuff {number}") for number in range(3)]
    with Provider(perfect("match")) as provider:
        grades = karat.grade(items, judge=f"{provider.base_url}#m", via="batch", store=tmp_path / "k.db")
        assert len(provider.batches.made) == 1
    assert grades.summary.share.judged == 3


@pytest.mark.parametrize("judge", JUDGES)
def test_waiting_for_a_batch_times_out_and_it_is_collected_later(judge: str, tmp_path: Path) -> None:
    path, store = write_rows(tmp_path / "a.jsonl", range(5)), tmp_path / "k.db"
    with Provider(perfect("match"), fate=lambda _: Fate(looks=math.inf)) as provider:
        with pytest.raises(SetupError, match=r"has not ended after .* hours.* same command") as caught:
            run(path, provider, store, judge)
        assert "\n" not in str(caught.value)
        assert states(store)[-1] == "submitted"
        provider.batches.release()
        result = run(path, provider, store, judge)
        assert len(provider.batches.made) == 1
    assert all(row["status"] == "judged" for row in result.rows)
