"""An endpoint with 30 % failures of all kinds: the run ends, and no value is wrong."""

import asyncio
import json
import random
from collections import Counter
from pathlib import Path

import pytest

import karat
from karat.judges import Request, plan_judge
from karat.models import Patience
from karat.rows import open_source
from karat.run import grade_run, load_source, open_run, records
from karat.store import Store
from oracle import PERFECT
from provider import Call, Provider, Reply

ROWS = 600
RATE = 0.3
LATE = 20  # this call is never answered
PATIENCE = Patience(attempts=8, seconds=60.0, wait=0.01, longest_wait=0.05)


def opinion(protocol: str, text: str) -> int | bool:
    number = int(text.rsplit(maxsplit=1)[-1])
    return number % 3 == 0 if protocol == "match" else number % 6


def spoil(protocol: str, good: str) -> tuple[str, str, str]:
    """A well-formed reply with one value too few, one too many, and one off the scale."""
    if protocol == "equivalence":
        return "", "3, 4", "9"
    if protocol == "keypoints":
        values = good.split(", ")
        return ", ".join(values[:-1]), f"{good}, 1", ", ".join([*values[:-1], "9"])
    said = json.loads(good)
    last = f"Answer {len(said)}"
    short = {key: value for key, value in said.items() if key != last}
    return (
        json.dumps(short),
        json.dumps({**said, f"Answer {len(said) + 1}": "No"}),
        json.dumps({**said, last: "Perhaps"}),
    )


def fail(protocol: str, good: str, dice: random.Random) -> Reply:
    """One fault of the list; where a reply still holds values by the contract, they are the true ones."""
    short, long, off_scale = spoil(protocol, good)
    return dice.choice(
        [
            Reply(status=429, headers={"retry-after": "0.02"}, error={"message": "slow down"}),
            Reply(status=500, error={"message": "oops"}),
            Reply(drop=True),
            Reply("%PDF-1.4 garbage \x00 \ufffd"),
            Reply(short),
            Reply(long),
            Reply(off_scale),
            Reply("After careful thought I find these answers quite convincing."),
            Reply(refusal="I cannot judge this."),
            Reply(good[: len(good) // 2], finish="length"),
        ]
    )


@pytest.mark.parametrize(("protocol", "each"), [("match", 4), ("equivalence", 1), ("keypoints", 3)])
def test_every_value_is_the_one_the_endpoint_gave_in_a_well_formed_reply(
    protocol: karat.ProtocolName, each: int, tmp_path: Path
) -> None:
    dice = random.Random(7)
    rows = [
        {"id": f"r{n}", "question": f"q{n}?", "reference": f"thing {n}", "answer": f"stuff no {n}"}
        for n in range(ROWS)
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def answer(call: Call) -> Reply | str:
        good = PERFECT[protocol](lambda text: opinion(protocol, text))(call)
        first = call.index == 0  # an endpoint that was never reached is a matter of set-up
        if call.index == LATE:
            return Reply(hang=True)
        return good if first or dice.random() >= RATE else fail(protocol, good, dice)

    with Provider(answer) as provider, Store(str(tmp_path / "k.db")) as store:
        request = Request(
            judge=f"{provider.base_url}#m",
            protocol=protocol,
            items_per_prompt=each,
            timeout=2.0,
            patience=PATIENCE,
        )
        plan = plan_judge(request, {})
        with open_source(str(tmp_path / "a.jsonl")) as source:
            run = open_run(store, load_source(store, source, {}), plan)
        asyncio.run(grade_run(store, run, plan))
        found = list(records(run, store.graded(run)))
    assert [record["id"] for record in found] == [row["id"] for row in rows]
    judged = [record for record in found if record["status"] == "judged"]
    for record in judged:
        assert record["value"] == opinion(protocol, record["answer"])
    assert all(record["cause"] for record in found if record["status"] == "unjudged")
    assert len(judged) >= 0.99 * ROWS


def test_dead_endpoint_stops_the_run_which_can_be_resumed(tmp_path: Path) -> None:
    rows = [{"question": f"q{n}?", "reference": f"thing {n}", "answer": f"stuff no {n}"} for n in range(300)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    dead = True

    def answer(call: Call) -> Reply | str:
        good = PERFECT["match"](lambda text: opinion("match", text))(call)
        return Reply(drop=True) if dead and call.index >= 50 else good

    patience = Patience(attempts=2, wait=0.001, longest_wait=0.002)
    with Provider(answer) as provider, Store(str(tmp_path / "k.db")) as store:
        request = Request(
            judge=f"{provider.base_url}#m", items_per_prompt=1, concurrency=4, patience=patience
        )
        plan = plan_judge(request, {})
        with open_source(str(tmp_path / "a.jsonl")) as source:
            run = open_run(store, load_source(store, source, {}), plan)
        notices = list[str]()
        asyncio.run(grade_run(store, run, plan, notice=notices.append))
        assert "stopped answering" in notices[-1]
        assert "run the same command again" in notices[-1]
        assert len(provider.calls) < 100
        assert Counter(record["cause"] for record in records(run, store.graded(run))) == {
            None: 50,
            "unavailable": 250,
        }
        dead = False
        asyncio.run(grade_run(store, run, plan))
        assert all(record["status"] == "judged" for record in records(run, store.graded(run)))
