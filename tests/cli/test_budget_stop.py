"""`--budget`: a hard ceiling, a clean stop, and resuming with the same command."""

import json
import re
from pathlib import Path

import pytest
from command import Command

from oracle import answer_match
from provider import Provider, Reply

ROWS = [{"question": f"q{n}?", "reference": f"thing {n}", "answer": f"stuff {n}"} for n in range(30)]


def write_rows(folder: Path) -> str:
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return "a.jsonl"


def spend_of(provider: Provider) -> float:
    """What the endpoint charges at 1/2 dollars per million: four characters to a token, six characters out."""
    given = sum(sum(len(turn["content"]) for turn in call.body["messages"]) // 4 for call in provider.calls)
    return (given * 1 + len(provider.calls) * 10 * 2) / 1e6


def test_budget_stops_cleanly_and_a_larger_one_resumes(karat: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        command = (
            "grade",
            write_rows(folder),
            "--judge",
            f"{provider.base_url}#m",
            "--price",
            "1/2",
            "--max-tokens",
            "50",
        )
        ended = karat(*command, "--budget", "0.03", "-o", "out.jsonl")
        assert ended.code == 4
        assert "larger --budget" in ended.complaint
        assert spend_of(provider) <= 0.03
        made = len(provider.calls)
        assert 0 < made < 30
        assert karat(*command, "--budget", "0.03").code == 4
        assert spend_of(provider) <= 0.03
        rows = [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]
        assert len(rows) == 30
        assert {row["cause"] for row in rows if row["status"] == "unjudged"} == {"over_budget"}
        assert karat(*command, "--budget", "1").code == 0
        assert len(provider.calls) == 30


def test_calls_without_a_token_count_are_reported_and_count_at_their_maximum(
    karat: Command, folder: Path
) -> None:
    with Provider(lambda _: Reply('{"Answer 1": "Yes"}', counted=False)) as provider:
        options = ("--items-per-prompt", "1", "--price", "1/10", "--budget", "0.2")
        command = ("grade", write_rows(folder), "--judge", f"{provider.base_url}#m", *options)
        ended = karat(*command, "-o", "out.jsonl")
        assert ended.code == 4
        made = len(provider.calls)
        assert 0 < made < 20
        told = " ".join(ended.out.split())
        assert (
            f"{made} calls in this run so far, unknown input tokens, unknown output tokens, cost unknown"
            in told
        )
        assert f"{made} had no token count, which may have cost up to $0." in told
        summary = json.loads(karat(*command, "--json").out)
        assert len(provider.calls) == made
    spent = summary["spent"]
    assert (spent["input_tokens"], spent["output_tokens"], spent["cost_usd"]) == (None, None, None)
    assert (spent["calls"], spent["uncounted"]) == (made, made)
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["cost_usd"] for row in rows if row["status"] == "judged"} == {None}


def test_calls_without_a_reply_count_at_their_maximum_cost(karat: Command, folder: Path) -> None:
    with Provider(lambda call: Reply(drop=True) if call.index else '{"Answer 1": "Yes"}') as provider:
        judge = f"{provider.base_url}#m"
        options = ("--price", "1/2", "--max-tokens", "50", "--budget", "0.012", "--concurrency", "1")
        assert karat("grade", write_rows(folder), "--judge", judge, *options).code == 4
        assert len(provider.calls) <= 3


@pytest.mark.parametrize("count", [120, 200])
@pytest.mark.parametrize(("budget", "where"), [("0.03", "rows asked alone"), ("0.066", "items per prompt")])
def test_budget_used_up_in_the_batch_check_is_reported_in_one_line(
    karat: Command, folder: Path, budget: str, where: str, count: int
) -> None:
    """What was paid for counts: a larger budget goes on with the check, and asks no row of it again."""
    rows = [{"question": f"q{n}?", "reference": f"thing {n}", "answer": f"stuff {n}"} for n in range(count)]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with Provider(answer_match(lambda _: True)) as provider:
        command = (
            "grade",
            "a.jsonl",
            "--judge",
            f"{provider.base_url}#m",
            "--price",
            "1/2",
            "--max-tokens",
            "50",
        )
        ended = karat(*command, "--budget", budget)
        assert ended.code == 4
        told = [line for line in ended.err.splitlines() if "batch check" in line]
        found = re.search(r"the budget was used up during the batch check, after (\d+) of 40 ", told[0])
        assert len(told) == 1
        assert found is not None
        assert int(found[1]) < 40
        assert where in told[0]
        assert (
            "verdicts so far are kept; run the same command again with a larger --budget to continue"
            in told[0]
        )
        assert "differ from those given alone" not in ended.err
        assert karat(*command, "--budget", "1").code == 0
        assert len(provider.calls) == 40 + 5 + (count - 40) // 8
    assert len({json.dumps(call.body, sort_keys=True) for call in provider.calls}) == len(provider.calls)


def test_a_budget_without_a_price_is_refused(karat: Command, folder: Path) -> None:
    line = karat.refused(
        2, "grade", write_rows(folder), "--judge", "http://127.0.0.1:9/v1#m", "--budget", "5"
    )
    assert "--price" in line


def test_prices_are_listed_with_their_date(karat: Command) -> None:
    ended = karat("prices")
    assert "openai:gpt-5-mini" in ended.out
    assert "2026-04-30" in ended.out
