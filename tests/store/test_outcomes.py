"""Outcomes and completions: which are final, which are shared, and which run has the cost."""

from pathlib import Path
from typing import Any, get_args

import pytest
from filling import answers, begin, load, pending, row, unjudged, verdict

from karat.core.errors import SetupError, UsageError
from karat.core.flow import Completion, Token
from karat.core.types import Cause, Heard, Spent, Unjudged, Verdict
from karat.store import Graded, Run, Store


def keep(store: Store, run: Run, *outcomes: tuple[int, Any]) -> None:
    store.keep_outcomes(run, outcomes).result(timeout=300)


def paid(graded: list[Graded]) -> float:
    return sum(one.outcome.spent.cost_usd or 0 for one in graded if one.outcome)


def test_outcome_survives_a_round_trip() -> None:
    whole = Verdict(
        value=False,
        score=0.25,
        decided_by="llm:m",
        confidence=0.75,
        matched_reference=0,
        reason="so it is",
        distribution=(0.25, 0.75),
        spent=Spent(2, 30, 10, 5, 0.125),
    )
    with Store(None) as store:
        run = begin(store, load(store, [row(1), row(2)]))
        (one, _), (two, _) = pending(store, run)
        keep(store, run, (one, whole), (two, unjudged("refused")))
        assert [graded.outcome for graded in store.graded(run)] == [whole, unjudged("refused")]


@pytest.mark.parametrize("cause", get_args(Cause))
def test_only_what_was_unavailable_or_over_budget_is_pending_again(cause: str) -> None:
    """Other causes are tried again when the user says so."""
    with Store(None) as store:
        run = begin(store, load(store, [row(1), row(2)]))
        (one, _), (two, _) = pending(store, run)
        keep(store, run, (one, unjudged(cause)), (two, verdict()))
        again = ["a1"] if cause in ("unavailable", "over_budget") else []
        assert answers(pending(store, run)) == again
        assert answers(pending(store, run, retry=True)) == ["a1"]
        assert store.count_pending(run) == len(again)
        assert store.count_pending(run, retry=True) == 1


def test_pending_ends_although_everything_stays_unavailable() -> None:
    """What fails again while it is gone through is not given a second time."""
    with Store(None) as store:
        run = begin(store, load(store, [row(line) for line in range(1200)]))
        seen = 0
        for chunk in store.pending(run):
            seen += len(chunk)
            keep(store, run, *((number, unjudged("unavailable")) for number, _ in chunk))
        assert seen == 1200


def test_two_runs_of_one_judge_share_outcomes_and_the_first_one_paid() -> None:
    with Store(None) as store:
        first = begin(store, load(store, [row(1), row(2)], "one"))
        keep(store, first, *((number, verdict(cost=0.5)) for number, _ in pending(store, first)))
        second = begin(store, load(store, [row(1), row(2), row(3)], "two"))
        assert answers(pending(store, second)) == ["a3"]
        keep(store, second, *((number, verdict(cost=0.25)) for number, _ in pending(store, second)))
        graded = list(store.graded(second))
        assert [one.cached for one in graded] == [True, True, False]
        assert paid(graded) == 0.25
        assert paid(list(store.graded(first))) == 1.0


def test_another_judge_shares_nothing() -> None:
    with Store(None) as store:
        dataset = load(store, [row(1)])
        run = begin(store, dataset)
        keep(store, run, *((number, verdict()) for number, _ in pending(store, run)))
        assert len(pending(store, begin(store, dataset, "other"))) == 1
        assert begin(store, dataset).id == run.id


def test_identical_rows_share_one_outcome_that_is_counted_once() -> None:
    with Store(None) as store:
        run = begin(store, load(store, [row(line, 7) for line in range(5)]))
        found = pending(store, run)
        assert len(found) == 1
        keep(store, run, (found[0][0], verdict(cost=0.3)))
        graded = list(store.graded(run))
        assert [one.cached for one in graded] == [False, True, True, True, True]
        assert paid(graded) == 0.3
        assert sum(group.rows for group in store.groups(run)) == 5


def test_completion_survives_a_round_trip(tmp_path: Path) -> None:
    """It is marked as cached, and costs the run that paid for it and no other."""
    path = str(tmp_path / "k.db")
    said = Completion("Yes", "length", tokens=(Token("Yes", {"No": -1.5}),), spent=Spent(1, 9, 2, 3, 0.5))
    with Store(path) as store:
        dataset = load(store, [row(1)])
        run, other = begin(store, dataset), begin(store, dataset, "other")
        store.completions_of(run).keep_completion(b"key", said)
    with Store(path) as store:
        assert store.spent(run) == said.spent
        assert store.spent(other) == Spent()
        found = store.completions_of(run).find_completion(b"key")
        shared = store.completions_of(other).find_completion(b"key")
        assert store.completions_of(run).find_completion(b"another") is None
    assert found == Completion(
        "Yes", "length", cached=True, tokens=said.tokens, spent=said.spent, key=b"key".hex()
    )
    assert shared is not None
    assert shared.spent == Spent()


def test_a_completion_that_is_used_twice_in_one_session_is_paid_once(tmp_path: Path) -> None:
    """Two items that look the same to the model share a call; the second outcome costs nothing."""
    with Store(str(tmp_path / "k.db")) as store:
        run = begin(store, load(store, [row(1)]))
        cache = store.completions_of(run)
        cache.keep_completion(b"key", Completion("Yes", spent=Spent(1, 9, 0, 3, 0.5)))
        keep(store, run)
        found = cache.find_completion(b"key")
    assert found is not None
    assert found.spent == Spent()


def test_unknown_prices_make_an_unknown_sum() -> None:
    with Store(None) as store:
        run = begin(store, load(store, [row(1)]))
        cache = store.completions_of(run)
        cache.keep_completion(b"a", Completion("x", spent=Spent(1, 1, 0, 1, 0.5)))
        cache.keep_completion(b"b", Completion("x", spent=Spent(1, 1, 0, 1, None)))
        keep(store, run)
        assert store.spent(run) == Spent(2, 2, 0, 2, None)


def test_runs_are_found_by_number_and_the_latest_without_one() -> None:
    with Store(None) as store:
        with pytest.raises(UsageError, match="none yet"):
            store.find_run()
        dataset = load(store, [row(1)])
        one, two = begin(store, dataset, "one"), begin(store, dataset, "two")
        assert store.find_run().id == two.id
        store.finish_run(one)
        assert store.find_run().id == one.id
        assert store.find_run(two.id) == two
        with pytest.raises(UsageError, match="existing runs: 1, 2"):
            store.find_run(99)


def test_unstorable_text_is_an_error_and_later_writes_work() -> None:
    """A lone surrogate fails its own write; the next one is done."""
    with Store(None) as store:
        run = begin(store, load(store, [row(1)]))
        number = pending(store, run)[0][0]
        broken = Verdict(value=True, score=1.0, decided_by="llm:\ud800")
        with pytest.raises(UnicodeEncodeError):
            keep(store, run, (number, broken))
        keep(store, run, (number, verdict()))
        assert pending(store, run) == []


def test_failed_write_does_not_affect_others(tmp_path: Path) -> None:
    """Writes that share a commit fail alone."""
    with Store(str(tmp_path / "k.db")) as store:
        run = begin(store, load(store, [row(line) for line in range(50)]))
        numbers = [number for number, _ in pending(store, run)]
        broken = Verdict(value=True, score=1.0, decided_by="llm:\ud800")
        futures = [
            store.keep_outcomes(run, [(number, broken if at == 20 else verdict())])
            for at, number in enumerate(numbers)
        ]
        failed = [at for at, future in enumerate(futures) if future.exception(timeout=300)]
        assert failed == [20]
        assert len(pending(store, run)) == 1


def test_cancelled_waiter_does_not_stop_the_writer() -> None:
    with Store(None) as store:
        run = begin(store, load(store, [row(1), row(2)]))
        (one, _), (two, _) = pending(store, run)
        assert not store.keep_outcomes(run, [(one, verdict())]).cancel()
        keep(store, run, (two, verdict()))
        assert pending(store, run) == []


def test_a_disk_that_is_full_is_one_line(tmp_path: Path) -> None:
    """The write fails with the reason, what was kept stays, and the store can still be read."""
    with Store(str(tmp_path / "k.db")) as store:
        run = begin(store, load(store, [row(1), row(2)]))
        (one, _), (two, _) = pending(store, run)
        keep(store, run, (one, verdict()))
        writer = store._database._connection
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages}")
        long = Verdict(value=True, score=1.0, decided_by="x" * 100_000)
        with pytest.raises(SetupError, match=r"cannot write to the store .* full"):
            keep(store, run, (two, long))
        assert answers(pending(store, run)) == ["a2"]
        keep(store, run, (two, verdict()))
        assert pending(store, run) == []


def test_costs_are_summed_by_decided_by(tmp_path: Path) -> None:
    """Tokens and cost of the outcomes that this run paid for; what a rule decided costs nothing and is not named."""
    with Store(str(tmp_path / "k.db")) as store:
        run = begin(store, load(store, [row(1), row(2), row(3), row(4), row(5, 1)]))
        numbers = [number for number, _ in pending(store, run)]
        by_rule = Verdict(value=True, score=1.0, decided_by="rule:equal")
        failed = Unjudged("refused", "no", Spent(2, 7, 0, 1, None))
        outcomes = [verdict(cost=0.25), verdict(cost=0.5), by_rule, failed]
        store.keep_outcomes(run, list(zip(numbers, outcomes, strict=True))).result()
        assert store.spent_by(run) == {
            "llm:m": Spent(0, 20, 4, 6, 0.75),
            "unjudged": Spent(0, 7, 0, 1, None),
        }


def test_replies_come_back_with_their_outcome_and_by_their_keys(tmp_path: Path) -> None:
    with Store(str(tmp_path / "k.db")) as store:
        run = begin(store, load(store, [row(1), row(2)]))
        store.completions_of(run).keep_completion(b"one", Completion("Yes"))
        heard = (Heard(b"one".hex(), 2, 3), Heard(b"two".hex(), 1, 1))
        (first, _), (second, _) = pending(store, run)
        kept = [
            (first, Verdict(value=True, score=1.0, decided_by="llm:m", replies=heard)),
            (second, verdict()),
        ]
        store.keep_outcomes(run, kept).result()
        outcomes = [graded.outcome for graded in store.graded(run)]
        assert [outcome.replies for outcome in outcomes if outcome is not None] == [heard, ()]
        assert store.find_replies([one.key for one in heard]) == {b"one".hex(): "Yes"}
        assert store.find_replies([]) == {}
