"""In a structured batch every item has an id that no item can predict, and only values under known ids count."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import Model, make_items

from karat.core.flow import Ask
from karat.core.types import Item, Verdict
from karat.protocols import PROTOCOLS, Aligned, Misaligned
from karat.protocols.items import draw_ids, name_keys

texts = st.text(max_size=20)
batches = st.lists(
    st.builds(Item, question=st.none() | texts, references=st.tuples(texts), answer=texts),
    min_size=2,
    max_size=8,
)


@given(batches)
def test_ids_are_the_same_for_the_same_batch_and_differ_within_it(batch: list[Item]) -> None:
    ids = draw_ids(batch)
    assert ids == draw_ids(batch)
    assert len(set(ids)) == len(batch)
    assert all(one.isalpha() and one.islower() and len(one) == 6 for one in ids)


@given(batches, texts)
def test_another_neighbour_changes_the_ids_of_all(batch: list[Item], answer: str) -> None:
    changed = [*batch[:-1], Item("another", ("one",), answer)]
    if changed != batch:
        assert not set(draw_ids(batch)) & set(draw_ids(changed))


@pytest.mark.parametrize("protocol", ["match", "keypoints"])
def test_the_prompt_shows_the_ids_that_the_schema_asks_for(protocol: Any) -> None:
    items = make_items(3)
    ids = draw_ids(items)

    def answer(ask: Ask) -> str:
        schema = ask.prompt.schema or {}
        assert list(schema["properties"]) == schema["required"] == name_keys(3, ids)
        assert all(f"({one})" in ask.prompt.messages[-1].text for one in ids)
        values = ["Yes", "No", "Yes"] if protocol == "match" else [5, 0, 3]
        return json.dumps(dict(zip(schema["required"], values, strict=True)))

    outcomes = Model(protocol, answer).judge(items, structured=True)
    expected = [True, False, True] if protocol == "match" else [5, 0, 3]
    assert [outcome.value for outcome in outcomes if isinstance(outcome, Verdict)] == expected


@pytest.mark.parametrize("protocol", ["match", "keypoints"])
def test_a_key_with_the_id_of_another_item_spoils_the_reply(protocol: str) -> None:
    ids = draw_ids(make_items(2))
    value = "Yes" if protocol == "match" else 4
    swapped = {f"Answer 1 {ids[1]}": value, f"Answer 2 {ids[0]}": value}
    unknown = {f"Answer 1 {ids[0]}": value, "Answer 2 bcdfgh": value}
    mixed = {f"Answer 1 {ids[0]}": value, "Answer 2": value}
    for reply in (swapped, unknown, mixed):
        assert isinstance(PROTOCOLS[protocol].read(json.dumps(reply), 2, ids=ids), Misaligned)


def test_an_endpoint_without_schemas_may_leave_the_ids_out() -> None:
    ids = draw_ids(make_items(2))
    assert PROTOCOLS["match"].read('{"Answer 1": "Yes", "Answer 2": "No"}', 2, ids=ids) == Aligned(
        (True, False)
    )
    assert PROTOCOLS["keypoints"].read("4, 0", 2, ids=ids) == Aligned((4, 0))
    assert PROTOCOLS["keypoints"].read('{"values": [4, 0]}', 2, ids=ids) == Aligned((4, 0))


def test_without_ids_a_key_may_have_none() -> None:
    assert isinstance(PROTOCOLS["match"].read('{"Answer 1 bcdfgh": "Yes"}', 1), Misaligned)


def test_off_the_scale_is_no_value() -> None:
    ids = draw_ids(make_items(2))
    reply = json.dumps({f"Answer 1 {ids[0]}": 7, f"Answer 2 {ids[1]}": True})
    assert PROTOCOLS["keypoints"].read(reply, 2, ids=ids) == Aligned((None, None))


def test_alone_there_is_nobody_to_be_told_from() -> None:
    model = Model("match", ['{"Answer 1": "Yes"}'])
    model.judge(make_items(1), structured=True)
    assert list((model.asks[0].prompt.schema or {})["properties"]) == ["Answer 1"]


def test_values_under_ids_are_found_for_their_probabilities() -> None:
    ids = draw_ids(make_items(2))
    text = json.dumps({f"Answer 1 {ids[0]}": 4, f"Answer 2 {ids[1]}": 0})
    assert [text[place or 0] for place in PROTOCOLS["keypoints"].locate(text, 2)] == ["4", "0"]
