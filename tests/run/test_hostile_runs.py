"""Runs against providers that count no tokens, quote the key or send too much: costs, storage and losses stay correct."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from running import Result, plan, write_rows

from karat.models import Polling
from karat.rows import open_source
from karat.run import grade_run, load_source, open_run, records
from karat.store import Store
from provider import Call, Provider, Reply, length

KEY = "sk-a-secret/of-forty-letters-and-digits"
ESCAPED = "".join(f"\\u{ord(character):04x}" for character in KEY)
JUDGES = ("openai:m", "anthropic:m")
VIAS = ("calls", "batch")


def run(
    path: Path,
    provider: Provider,
    store: Path,
    judge: str,
    *,
    notice: Callable[[str], None] = lambda _: None,
    **options: Any,
) -> Result:
    """Grade a file with a key, one item per prompt."""
    environment = {
        "OPENAI_BASE_URL": provider.base_url, "OPENAI_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": provider.base_url, "ANTHROPIC_API_KEY": KEY,
    }  # fmt: skip
    planned = plan(judge, environment, items_per_prompt=1, **options)
    request = structs.replace(planned.request, polling=Polling(wait=0.001, longest_wait=0.002))
    planned, notices = structs.replace(planned, request=request), list[str]()
    with open_source(str(path)) as source, Store(str(store)) as opened:
        started = open_run(opened, load_source(opened, source, {}), planned)
        told = grade_run(opened, started, planned, notice=lambda line: notices.append(line) or notice(line))
        asyncio.run(told)
        return Result(list(records(started, opened.graded(started))), opened.spent(started), notices)


def say_yes(call: Call) -> Reply:
    return Reply(json.dumps({"Answer 1": "Yes"}), counted=False)


@pytest.mark.parametrize("via", VIAS)
@pytest.mark.parametrize("judge", JUDGES)
def test_uncounted_calls_count_against_the_budget_across_restarts(
    judge: str, via: str, tmp_path: Path
) -> None:
    """The limit of output alone costs 0.1 cents a call, half of it in a batch: a cent is no more than twenty calls."""
    path, store = write_rows(tmp_path / "a.jsonl", range(40)), tmp_path / "k.db"
    options: dict[str, Any] = {"via": via, "price": "0/10", "max_tokens": 100, "budget": 0.01}
    with Provider(say_yes) as provider:
        for _ in range(2):
            run(path, provider, store, judge, **options)
        result = run(path, provider, store, judge, **options)
        sent = len(provider.calls)
        assert 1 <= sent <= (10 if via == "calls" else 19)
    judged = [row for row in result.rows if row["status"] == "judged"]
    assert len(judged) == sent == result.spent.uncounted
    for row in judged:
        assert (row["input_tokens"], row["output_tokens"], row["cost_usd"]) == (None, None, None)
        assert row["calls"] == 1
    assert (result.spent.input_tokens, result.spent.cost_usd) == (None, None)
    assert {row["cause"] for row in result.rows} == {None, "over_budget"}


def test_batch_collected_by_another_process_counts_against_the_budget(tmp_path: Path) -> None:
    """Six requests, five of them in a batch, are worth 6 x 0.1 cents or less: nothing is left of 0.4 cents."""
    path, store = write_rows(tmp_path / "a.jsonl", range(6)), tmp_path / "k.db"
    options: dict[str, Any] = {"via": "batch", "price": "0/10", "max_tokens": 100}

    def stop(line: str) -> None:
        if "submitted;" in line:
            raise KeyboardInterrupt

    with Provider(say_yes) as provider:
        with pytest.raises(KeyboardInterrupt):
            run(path, provider, store, "openai:m", budget=0.004, notice=stop, **options)
        run(path, provider, store, "openai:m", budget=0.004, **options)
        assert len(provider.calls) == 6
    with Store(str(store)) as opened:
        losses = opened.losses(opened.find_run())
    assert losses.calls == 0
    assert losses.most_usd == pytest.approx(0.001 + 5 * 0.0005)


def test_unreadable_batch_results_count_against_the_budget(tmp_path: Path) -> None:
    """Each may have cost 0.05 cents, and is sent until the budget bears no more: no loss is left out."""
    path, store = write_rows(tmp_path / "a.jsonl", range(6)), tmp_path / "k.db"
    options: dict[str, Any] = {"via": "batch", "price": "0/10", "max_tokens": 100}

    def garble(call: Call) -> Reply:
        return Reply(raw=b"{}") if call.index else length(call)

    with Provider(garble) as provider:
        run(path, provider, store, "openai:m", budget=0.01, **options)
        garbled = len(provider.calls) - 1
        assert garbled > 0
    with Store(str(store)) as opened:
        assert opened.losses(opened.find_run()).most_usd == pytest.approx(garbled * 0.0005)


def test_counted_and_uncounted_calls_are_both_reported(tmp_path: Path) -> None:
    path, store = write_rows(tmp_path / "a.jsonl", range(6)), tmp_path / "k.db"
    with Provider(lambda call: say_yes(call) if call.index % 2 else length(call)) as provider:
        spent = run(path, provider, store, "openai:m", price="1/10").spent
        given = sum(len(call.prompt) // 4 for call in provider.calls[::2])
    assert (spent.calls, spent.uncounted, spent.input_tokens) == (6, 3, given)
    assert spent.cost_usd is not None
    assert spent.cost_usd > 0


def quote_in_text(call: Call) -> Reply:
    """A verdict with the key beside it."""
    return Reply(json.dumps({"Answer 1": "Yes", "why": KEY}))


def quote_in_error(call: Call) -> Reply:
    """One good answer, then refusals that quote the key."""
    return Reply(status=400, error={"message": f"context of {KEY} too long"}) if call.index else length(call)


@pytest.mark.parametrize("answer", [quote_in_text, quote_in_error])
@pytest.mark.parametrize("via", VIAS)
@pytest.mark.parametrize("judge", JUDGES)
def test_quoted_key_is_neither_stored_nor_exported(
    judge: str, via: str, answer: Callable[[Call], Reply], tmp_path: Path
) -> None:
    path, store = write_rows(tmp_path / "a.jsonl", range(4)), tmp_path / "k.db"
    with Provider(answer) as provider:
        result = run(path, provider, store, judge, via=via)
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"***" in kept
    for form in (KEY, ESCAPED, json.dumps(KEY)[1:-1]):
        assert form.encode() not in kept
        assert form not in str(result.rows) + str(result.notices)


def test_a_reply_beyond_the_limit_is_asked_again_like_any_that_cannot_be_read_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("karat.judges.build.MOST_BYTES", 20_000)
    path, store = write_rows(tmp_path / "a.jsonl", range(3)), tmp_path / "k.db"
    with Provider(lambda _: Reply("x" * 30_000)) as provider:
        result = run(path, provider, store, "openai:m", attempts=2)
        assert len(provider.calls) == 3 * 2
    for row in result.rows:
        assert row["cause"] == "unparseable"
        assert row["reason"].startswith("no readable reply in 2 attempts; last attempt: ")
        assert row["reason"].endswith("returned status 200, but the body is larger than 0.02 MB")
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT COUNT(*) FROM completions").fetchone() == (0,)


def test_reply_with_half_a_surrogate_is_paid_once(tmp_path: Path) -> None:
    path, store = write_rows(tmp_path / "a.jsonl", range(3)), tmp_path / "k.db"
    body = rb'{"choices": [{"message": {"content": "{\"Answer 1\": \"Yes\"} \ud800"}}], "usage": null}'
    with Provider(lambda _: Reply(raw=body)) as provider:
        run(path, provider, store, "openai:m")
        result = run(path, provider, store, "openai:m")
        assert len(provider.calls) == 3
    assert result.values == [True] * 3
