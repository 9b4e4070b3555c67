"""An endpoint that stops answering during a run: the run ends by itself, and the next one resumes it."""

from pathlib import Path
from typing import Any

import pytest
from running import grade, write_rows

from karat.models import Patience
from karat.store import Store
from provider import Call, Provider, Reply, length

BRIEF = Patience(attempts=8, seconds=1.0, wait=0.01, longest_wait=0.05)


@pytest.mark.parametrize("fault", [Reply(hang=True), Reply(status=429, headers={"retry-after": "1"})])
def test_every_row_has_an_outcome_and_the_same_command_asks_again(fault: Reply, tmp_path: Path) -> None:
    """Rows in flight and rows still to come are unavailable; nothing that was judged is lost or paid again."""
    path, store = write_rows(tmp_path / "a.jsonl", range(300)), tmp_path / "k.db"
    silent = True
    options: dict[str, Any] = {"concurrency": 16, "items_per_prompt": 1, "patience": BRIEF}

    def script(call: Call) -> Reply:
        return fault if silent and call.index >= 20 else length(call)

    with Provider(script) as provider:
        first = grade(path, provider.base_url, store, timeout=0.5, **options)
        causes = [row["cause"] for row in first.rows]
        judged = causes.count(None)
        assert len(causes) == 300
        assert 0 < judged <= 20
        assert set(causes) == {None, "unavailable"}
        assert len(provider.calls) < 300
        assert (
            sum(
                notice.endswith(
                    "the remaining rows are unavailable; run the same command again to ask about them"
                )
                for notice in first.notices
            )
            == 1
        )
        silent, sent = False, len(provider.calls)
        second = grade(path, provider.base_url, store, timeout=60, **options)
        assert len(provider.calls) - sent == 300 - judged
    assert all(row["status"] == "judged" for row in second.rows)


def test_maximum_cost_of_a_lost_call_is_stored(tmp_path: Path) -> None:
    """It is shown beside the cost, and the next start counts it against the budget."""
    path, store = write_rows(tmp_path / "a.jsonl", range(6)), tmp_path / "k.db"
    once = Patience(attempts=1)
    with Provider(lambda call: Reply(drop=True) if call.index == 2 else length(call)) as provider:
        options: dict[str, Any] = {"concurrency": 1, "timeout": 60, "price": "1/2", "patience": once}
        result = grade(path, provider.base_url, store, budget=1.0, **options)
        assert [row["cause"] for row in result.rows].count("unavailable") == 1
        with Store(str(store)) as opened:
            run = opened.find_run()
            losses = opened.losses(run)
        assert losses.calls == 1
        assert losses.most_usd > (result.spent.cost_usd or 0) / 5
        assert result.spent.calls == len(provider.calls) == 6
        tight = (result.spent.cost_usd or 0) + 1.5 * losses.most_usd
        again = grade(path, provider.base_url, store, budget=tight, **options)
        assert len(provider.calls) == 6
    assert [row["cause"] for row in again.rows].count("over_budget") == 1


def test_hedged_calls_are_counted_in_row_and_run(tmp_path: Path) -> None:
    """One call gets no reply: the run ends with the reply to the second call."""
    path, store = write_rows(tmp_path / "a.jsonl", range(40)), tmp_path / "k.db"

    def script(call: Call) -> Reply:
        return Reply(hang=True) if call.index == 35 else length(call)

    with Provider(script) as provider:
        result = grade(path, provider.base_url, store, concurrency=2, timeout=600, hedge=True)
        sent = len(provider.calls)
    assert all(row["status"] == "judged" for row in result.rows)
    assert max(row["calls"] for row in result.rows) == 2
    assert sum(row["calls"] for row in result.rows) == result.spent.calls == sent
