"""A verdict refers to the exact replies that it was read from."""

import json
import re
from pathlib import Path
from typing import Any

from running import grade, write_rows

from karat.core.types import Outcome
from karat.store import Store
from oracle import match_answers
from provider import Call, Provider


def name_answers(call: Call) -> str:
    """A readable reply that quotes what it is about, so that a test can tell replies apart."""
    answers = match_answers(call)
    verdicts = {f"Answer {number}": "Yes" for number, _ in enumerate(answers, 1)}
    return f"{json.dumps(verdicts)}\n\nabout: {json.dumps(answers)}"


def outcomes_of(store: Path) -> list[tuple[str, Outcome, list[str]]]:
    """Answer, outcome and replies of every row of the latest run."""
    with Store(str(store)) as opened:
        graded = list(opened.graded(opened.find_run()))
        found = list[tuple[str, Outcome, list[str]]]()
        for row in graded:
            assert row.outcome is not None
            texts = opened.find_replies([heard.key for heard in row.outcome.replies])
            found.append((row.item.answer, row.outcome, [texts[heard.key] for heard in row.outcome.replies]))
        return found


def place_in(reply: str, answer: str) -> tuple[int, int]:
    answers: list[str] = json.loads(reply.rsplit("about: ", 1)[1])
    return answers.index(answer) + 1, len(answers)


def test_each_row_has_its_reply_and_position(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", range(20))
    with Provider(name_answers) as provider:
        grade(rows, provider.base_url, tmp_path / "k.db", items_per_prompt=4)
    found = outcomes_of(tmp_path / "k.db")
    assert len(found) == 20
    for answer, outcome, (reply,) in found:
        (heard,) = outcome.replies
        assert (heard.place, heard.items) == place_in(reply, answer)
    assert {outcome.replies[0].items for _, outcome, _ in found} == {4}


def test_replies_that_could_not_be_read_are_kept_too_in_their_order(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", range(2))
    with Provider(lambda call: f"mumble {call.index}") as provider:
        grade(rows, provider.base_url, tmp_path / "k.db", items_per_prompt=1, attempts=3)
    for _, _, replies in outcomes_of(tmp_path / "k.db"):
        assert len(replies) == 3
        numbers = [int(re.findall(r"\d+", reply)[0]) for reply in replies]
        assert numbers == sorted(numbers)


def test_passes_and_panels_keep_all_replies(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", range(8))
    with Provider(name_answers) as provider:
        grade(rows, provider.base_url, tmp_path / "passes.db", items_per_prompt=4, permute=3)
        panel: dict[str, Any] = {"panel": [f"{provider.base_url}#m", f"{provider.base_url}#n"]}
        grade(rows, provider.base_url, tmp_path / "panel.db", items_per_prompt=1, **panel)
    for place in ("passes.db", "panel.db"):
        for answer, outcome, replies in outcomes_of(tmp_path / place):
            assert len(replies) == 2  # two of three passes settle it, and the panel has two members
            for heard, reply in zip(outcome.replies, replies, strict=True):
                assert (heard.place, heard.items) == place_in(reply, answer)


def test_replies_paid_by_another_run_are_available(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl", range(3))
    with Provider(name_answers) as provider:
        for rules_first in (False, True):  # another judge that sends the same calls
            grade(rows, provider.base_url, tmp_path / "k.db", items_per_prompt=1, rules_first=rules_first)
        assert len(provider.calls) == 3
    assert all(len(replies) == 1 for _, _, replies in outcomes_of(tmp_path / "k.db"))


def test_cost_of_a_reply_is_known_to_every_run(tmp_path: Path) -> None:
    """A run that did not pay still knows the tokens of the replies it used."""
    rows = write_rows(tmp_path / "rows.jsonl", range(6))
    with Provider(name_answers) as provider:
        for rules_first in (False, True):
            grade(rows, provider.base_url, tmp_path / "k.db", items_per_prompt=1, rules_first=rules_first)
        sent = sorted(len(call.prompt) // 4 for call in provider.calls)
    with Store(str(tmp_path / "k.db")) as store:
        graded = list(store.graded(store.find_run()))
        keys = {heard.key for row in graded if row.outcome for heard in row.outcome.replies}
        assert all(row.cached or (row.outcome and row.outcome.spent.input_tokens == 0) for row in graded)
        costs = store.find_costs([*keys, "00" * 16])
    assert sorted(spent.input_tokens or 0 for spent in costs.values()) == sent
    assert costs.keys() == keys
