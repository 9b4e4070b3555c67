"""Which items are asked again, in which groups, how often, and the outcome if no reply is readable."""

import math
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import Model, make_items, refusal, rejected, say

from karat.core.flow import Ask, Completion, Failed, Reply
from karat.core.types import Cause, Item, Outcome, ProtocolName, Spent, Unjudged, Verdict
from karat.protocols.promptfile import read_prompt

NAMES: tuple[ProtocolName, ...] = ("match", "equivalence", "keypoints")


def values_of(outcomes: tuple[Outcome, ...]) -> list[object]:
    """Give the value of each verdict and the cause where there is none."""
    return [outcome.value if isinstance(outcome, Verdict) else outcome.cause for outcome in outcomes]


def test_one_good_reply_judges_the_whole_batch() -> None:
    model = Model("match", [say("match", [1, 0, 1])])
    outcomes = model.judge(make_items(3))
    assert values_of(outcomes) == [True, False, True]
    assert model.sizes == [3]
    assert outcomes[0] == Verdict(True, 1.0, "llm:m", matched_reference=0, items_per_prompt=3)
    assert outcomes[1] == Verdict(False, 0.0, "llm:m", items_per_prompt=3)


def test_scores_of_levels_are_fifths() -> None:
    outcomes = Model("keypoints", ["0, 4"]).judge(make_items(2))
    assert [outcome.score for outcome in outcomes if isinstance(outcome, Verdict)] == [0.0, 0.8]


def test_no_items_are_no_asks() -> None:
    model = Model("match", [])
    assert model.judge(()) == ()
    assert model.asks == []


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ('{"Answer 1": "Yes", "Answer 3": "No"}', [True, "asked", False, "asked"]),
        (
            '{"Answer 1": "Yes", "Answer 2": "Maybe", "Answer 3": "No", "Answer 4": "Yes"}',
            [True, "asked", False, True],
        ),
    ],
)
def test_only_missing_and_invalid_items_are_asked_again(reply: str, kept: list[object]) -> None:
    """Valid values of an aligned reply are kept."""
    open_ = [f"a{index}" for index, value in enumerate(kept) if value == "asked"]
    model = Model("match", [reply, say("match", [0] * len(open_))])
    outcomes = model.judge(make_items(4))
    assert values_of(outcomes) == [False if value == "asked" else value for value in kept]
    assert model.groups[1:] == [open_]


def test_values_off_the_scale_are_asked_again_and_the_rest_of_the_list_is_kept() -> None:
    model = Model("keypoints", ["4, 9, 0", "3"])
    assert values_of(model.judge(make_items(3))) == [4, 3, 0]
    assert model.groups[1:] == [["a1"]]


@pytest.mark.parametrize(
    ("count", "halves"), [(2, [1, 1]), (3, [2, 1]), (4, [2, 2]), (5, [3, 2]), (7, [4, 3]), (8, [4, 4])]
)
@pytest.mark.parametrize("protocol", ["match", "keypoints"])
def test_misaligned_batch_is_split_in_two(protocol: ProtocolName, count: int, halves: list[int]) -> None:
    """None of its values counts, and the two halves are asked next."""
    bad = say(protocol, [1] * (count + 1))
    model = Model(protocol, [bad, *(say(protocol, [0] * size) for size in halves)])
    assert values_of(model.judge(make_items(count))) == [0] * count
    assert model.sizes == [count, *halves]
    assert list(chain(*model.groups[1:])) == model.groups[0]


def test_batch_that_stays_misaligned_is_halved_down_to_single_items() -> None:
    model = Model("keypoints", lambda ask: say("keypoints", [4] * (1 if ask.items == 1 else ask.items + 1)))
    assert values_of(model.judge(make_items(8))) == [4] * 8
    assert model.sizes == [8, 4, 4, 2, 2, 2, 2, *[1] * 8]


def test_last_attempt_is_made_alone() -> None:
    """The last attempt is not shared with other items."""
    model = Model("match", lambda ask: say("match", [1]) if ask.items == 1 else "nonsense")
    assert values_of(model.judge(make_items(8), attempts=2)) == [True] * 8


@pytest.mark.parametrize(
    "reply", [refusal(), "I'm sorry, but I can't help with that.", "<think>hm</think>I cannot."]
)
@pytest.mark.parametrize("protocol", ["match", "keypoints"])
def test_refusal_is_asked_again_alone(protocol: ProtocolName, reply: Reply | str) -> None:
    model = Model(protocol, [reply, *(say(protocol, [1]) for _ in range(4))])
    assert values_of(model.judge(make_items(4))) == [1] * 4
    assert model.sizes == [4, 1, 1, 1, 1]


def test_refusal_after_long_thinking_is_known_as_one() -> None:
    model = Model("match", lambda _: f"<think>{'hm ' * 2000}</think>I'm sorry, I can't do that.")
    assert values_of(model.judge(make_items(1))) == ["refused"]


def test_cut_reply_is_asked_again_with_more_room_for_what_is_open() -> None:
    """Closed pairs are kept, and the limit grows each time."""
    cut = Completion('{"Answer 1": "Yes", "Answer 2": "N', "length")
    model = Model("match", [cut, Completion("", "length"), say("match", [0, 1])])
    assert values_of(model.judge(make_items(3))) == [True, False, True]
    rooms = [ask.room for ask in model.asks]
    assert rooms == sorted(set(rooms))
    assert model.groups[1:] == [["a1", "a2"], ["a1", "a2"]]


def test_cut_list_keeps_no_value() -> None:
    model = Model("keypoints", [Completion("4, 0", "length"), "1, 2, 3"])
    assert values_of(model.judge(make_items(3))) == [1, 2, 3]
    assert model.asks[1].room > 1


def test_rejected_batch_is_split_down_to_the_item_at_fault() -> None:
    def answer(ask: Ask) -> Reply | str:
        return rejected() if '"a5"' in ask.prompt.messages[-1].text else say("match", [1] * ask.items)

    model = Model("match", answer)
    assert values_of(model.judge(make_items(8))) == [True] * 5 + ["rejected"] + [True] * 2
    assert model.sizes == [8, 4, 4, 2, 2, 1, 1]


@pytest.mark.parametrize("cause", ["unavailable", "over_budget"])
def test_failure_of_the_endpoint_leaves_items_unjudged_with_its_cause(cause: Cause) -> None:
    model = Model("match", ['{"Answer 1": "Yes"}', Failed(cause, "why", Spent(1, 7))])
    outcomes = model.judge(make_items(3))
    assert values_of(outcomes) == [True, cause, cause]
    assert isinstance(outcomes[1], Unjudged)
    assert outcomes[1].reason == "why"


@pytest.mark.parametrize("attempts", [1, 2, 5])
@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        ("nonsense", "unparseable"),
        ("", "unparseable"),
        ("9", "unparseable"),
        (refusal(), "refused"),
        ("I cannot answer that.", "refused"),
        (Completion("…", "length"), "truncated"),
    ],
)
@pytest.mark.parametrize("protocol", NAMES)
def test_after_the_attempts_the_item_is_unjudged_with_the_cause(
    protocol: ProtocolName, reply: Reply | str, cause: str, attempts: int
) -> None:
    """Never more paid asks than attempts for an item, and never a value in place of a failure."""
    model = Model(protocol, lambda _: reply)
    count = 1 if protocol == "equivalence" else 3
    outcomes = model.judge(make_items(count), attempts=attempts)
    assert values_of(outcomes) == [cause] * count
    assert all(isinstance(outcome, Unjudged) and outcome.reason for outcome in outcomes)
    for item in make_items(count):
        assert sum(item.answer in group for group in model.groups) == attempts


def test_cached_replies_do_not_count_as_attempts() -> None:
    """A kept reply that cannot be read is followed by an ask with a later number."""

    def answer(ask: Ask) -> Reply:
        return Completion("nonsense", cached=ask.attempt <= 3)

    model = Model("equivalence", answer)
    assert values_of(model.judge(make_items(1), attempts=2)) == ["unparseable"]
    assert [ask.attempt for ask in model.asks] == [1, 2, 3, 4, 5]


def test_cached_reply_that_can_be_read_is_enough() -> None:
    model = Model("equivalence", [Completion("nonsense", cached=True), Completion("4", cached=True)])
    assert values_of(model.judge(make_items(1))) == [4]


def test_first_ask_is_the_plain_prompt_and_later_ones_end_with_a_reminder() -> None:
    """The stable part is the same in both."""
    model = Model("match", ["nonsense", say("match", [1])])
    model.judge(make_items(1))
    (first,), (second,) = (ask.prompt.messages for ask in model.asks)
    assert second.text.startswith(first.text)
    assert second.text.endswith('the keys "Answer 1" to "Answer 1", each "Yes" or "No".')
    assert second.stable == first.stable
    assert model.asks[1].prompt.opened == "## Answers"


@pytest.mark.parametrize(
    ("levels", "told"), [("1-5", "from 1 to 5"), ("0, 3, 5", "out of 0, 3, 5"), ("0-5", "from 0 to 5")]
)
def test_reminder_names_the_levels_of_the_wording(levels: str, told: str) -> None:
    text = f"---\nprotocol: keypoints\nlevels: {levels}\n---\nuser: {{examples}}"
    model = Model("keypoints", ["nonsense", "5"])
    model.judge(make_items(1), wording=read_prompt(text, "x").wording)
    assert f"integers {told}," in model.asks[1].prompt.messages[-1].text


def test_structured_asks_carry_the_schema_for_their_number_of_items() -> None:
    model = Model("match", ["nonsense", *[say("match", [1])] * 2])
    model.judge(make_items(2), structured=True)
    assert [len((ask.prompt.schema or {})["required"]) for ask in model.asks] == [2, 1, 1]
    assert all(ask.prompt.opened is None for ask in model.asks)


def test_wording_for_one_item_is_asked_one_item_at_a_time() -> None:
    """A prompt that can show one item never answers for another."""
    items = make_items(3)
    model = Model("equivalence", lambda ask: ask.prompt.messages[-1].text.split("<question>q")[-1][0])
    assert values_of(model.judge(items)) == [0, 1, 2]
    assert model.sizes == [1, 1, 1]


def test_only_reference_is_the_one_that_matched() -> None:
    items = (Item("q", ("r",), "a"), Item("q", ("r", "s"), "b"))
    outcomes = Model("match", [say("match", [1, 1])]).judge(items)
    assert [outcome.matched_reference for outcome in outcomes if isinstance(outcome, Verdict)] == [0, None]


FAULTS = st.sampled_from(
    [
        "short", "long", "words", "empty", "html", "refusal", "refused", "cut", "cut early", "rejected", "unavailable",
        "off the scale", "contradiction", "prose", "thinking", "broken",
    ]
)  # fmt: skip


def commit_fault(protocol: ProtocolName, fault: str, values: list[int], spent: Spent) -> Reply:
    """Spoil a right reply in one of the ways of real endpoints; none of them states a wrong value clearly."""
    good, wrong = say(protocol, values), say(protocol, [1 - bool(value) for value in values])
    spoiled: dict[str, Reply] = {
        "short": Completion(say(protocol, values[:-1])),
        "long": Completion(say(protocol, [*values, 1])),
        "words": Completion("It depends on the reading."),
        "empty": Completion(""),
        "html": Completion("<html><h1>502 Bad Gateway</h1></html>"),
        "refusal": refusal(),
        "refused": Completion("I'm sorry, but I can't judge these 1"),
        "cut": Completion(good[:-2], "length"),
        "cut early": Completion(good[: len(good) // 2], "length"),
        "rejected": rejected(),
        "unavailable": Failed("unavailable", "status 503"),
        "off the scale": Completion(good.replace("Yes", "Maybe").replace("4", "14").replace("1", "-1")),
        "contradiction": Completion(f"{wrong}\n{good}"),
        "prose": Completion(f"Sure:\n\n{good}\n"),
        "thinking": Completion(f"<think>{wrong}</think>{good}"),
        "broken": Completion(good.replace('"', "'") if protocol == "match" else f"[{good}"),
    }
    reply = spoiled[fault]
    if isinstance(reply, Failed):
        return Failed(reply.cause, reply.reason, spent)
    return Completion(reply.text, reply.finish, spent=spent)


@settings(max_examples=100)
@given(st.sampled_from(NAMES), st.integers(1, 8), st.integers(1, 5), st.data())
def test_every_item_ends_with_its_true_value_or_a_cause(
    protocol: ProtocolName, count: int, attempts: int, data: st.DataObject
) -> None:
    """For any faults of a model: no wrong value, no lost item, no extra ask, no missing cost."""
    items = make_items(count)
    scale = st.integers(0, 1 if protocol == "match" else 5)
    truth = dict(zip((item.answer for item in items), data.draw(st.lists(scale, min_size=8)), strict=False))
    kept = data.draw(st.integers(0, 3), label="attempts found in the cache")
    chance = data.draw(st.sampled_from([0.0, 0.3, 1.0]), label="share of faults")

    def answer(ask: Ask) -> Reply:
        values = [truth[name] for name in model.groups[-1]]
        spent = data.draw(
            st.builds(
                Spent, st.just(1), st.integers(0, 99), st.integers(0, 9), st.integers(0, 99), st.just(0.25)
            )
        )
        faulty = data.draw(st.floats(0, 1)) < chance
        reply = (
            commit_fault(protocol, data.draw(FAULTS), values, spent)
            if faulty
            else Completion(say(protocol, values), spent=spent)
        )
        if ask.attempt <= kept and isinstance(reply, Completion):
            return Completion(reply.text, reply.finish, cached=True)
        return reply

    model = Model(protocol, answer)
    outcomes = model.judge(items, attempts=attempts)
    for item, outcome in zip(items, outcomes, strict=True):
        if isinstance(outcome, Verdict):
            assert outcome.value == truth[item.answer]
        else:
            assert outcome.cause in {"unparseable", "refused", "truncated", "rejected", "unavailable"}
    check_bookkeeping(model, items, outcomes, attempts)


def check_bookkeeping(
    model: Model, items: tuple[Item, ...], outcomes: tuple[Outcome, ...], attempts: int
) -> None:
    """Paid asks are bounded, attempt numbers are not used twice, and the shares add up to what was spent."""
    paid = [
        group
        for group, reply in zip(model.groups, model.replies, strict=True)
        if isinstance(reply, Completion) and not reply.cached
    ]
    assert all(sum(item.answer in group for group in paid) <= attempts for item in items)
    numbered = [(ask.prompt.messages, ask.attempt) for ask in model.asks]
    plain = [(tuple(group), ask.attempt) for group, ask in zip(model.groups, model.asks, strict=True)]
    assert len(set(numbered)) == len(set(plain)) == len(model.asks)
    for field in ("input_tokens", "cached_tokens", "output_tokens"):
        spent = sum(getattr(reply.spent, field) for reply in model.replies)
        assert sum(getattr(outcome.spent, field) for outcome in outcomes) == spent
    cost = sum(reply.spent.cost_usd or 0.0 for reply in model.replies)
    assert math.isclose(sum(outcome.spent.cost_usd or 0.0 for outcome in outcomes), cost, abs_tol=1e-9)
    for item, outcome in zip(items, outcomes, strict=True):
        took_part = [
            reply for group, reply in zip(model.groups, model.replies, strict=True) if item.answer in group
        ]
        assert outcome.spent.calls == sum(reply.spent.calls for reply in took_part)


def test_unknown_price_of_one_call_makes_the_cost_unknown() -> None:
    model = Model("match", [Completion("nonsense", spent=Spent(1, 5, 0, 5, None)), say("match", [1])])
    (outcome,) = model.judge(make_items(1))
    assert outcome.spent == Spent(1, 5, 0, 5, None)
