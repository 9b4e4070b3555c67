"""Rendered prompts: the stable part first, the items last, and item text always as data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_reading import TAGS, Shown, items, read_prompt_items, see, texts

from karat.core.flow import Ask, Completion, drive
from karat.core.types import Item, ProtocolName, Verdict
from karat.protocols import PROTOCOLS
from karat.protocols.asking import ask_items
from karat.protocols.promptfile import builtin_wording, read_prompt
from karat.protocols.wording import Wording

BATCHED: tuple[ProtocolName, ...] = ("match", "keypoints")
NAMES: tuple[ProtocolName, ...] = ("match", "equivalence", "keypoints")
BLAND = Item("q", ("r",), "a")

OWN_WORDINGS = {
    "fields": "Human: Yes or No?\n\nQ: {question}\nR: {reference}\nA: {answer}",
    "answer first": "System: Yes or No for {answer}\n\nHuman: against {reference}, {question}",
    "template": "System: 0 to 5.\nUser: Same?   {{- item.input }} {{ item.reference }} {{ sample.output_text }}",
    "commented": "User: 0 to 5 {# a note #} for {{ item.reference }} and {{ item.output_text }}",
    "conditional": "System: 0 to 5{%- if item.input %} {{ item.input }}{% endif %}\nUser: {{ item.reference }} {{ item.answer }}",
    "references": "User: 0 to 5. {% for r in item.references %}<ref>{{ r }}</ref>{% endfor %} {{ item.answer }}",
    "plain": "Judge each item. Write Yes or No.",
    "opened": "Human: Yes or No. {examples}\n\nAssistant: The {n_queries} answers:",
}


@given(st.sampled_from(BATCHED), st.lists(items, min_size=1, max_size=8))
def test_batch_shows_exactly_its_items_in_their_order(protocol: ProtocolName, batch: list[Item]) -> None:
    """Whatever an item's text holds, a reader of the headings finds the items, their number and order."""
    prompt = builtin_wording(protocol).render(tuple(batch))
    assert read_prompt_items(protocol, prompt) == [see(item) for item in batch]


@given(items)
def test_equivalence_shows_exactly_its_item(item: Item) -> None:
    """The three fields stand in their tags; only look-alikes of the tags lose their first bracket."""
    (shown,) = read_prompt_items("equivalence", builtin_wording("equivalence").render((item,)))
    assert shown.question.replace("‹", "<") == see(item).question.replace("‹", "<")
    assert shown.answer.replace("‹", "<") == see(item).answer.replace("‹", "<")
    if len(item.references) == 1:
        assert shown.references[0].replace("‹", "<") == see(item).references[0].replace("‹", "<")


@given(items)
def test_number_of_fencing_tags_does_not_depend_on_the_item(item: Item) -> None:
    wording = builtin_wording("equivalence")
    bland, text = (wording.render((each,)).messages[-1].text for each in (BLAND, item))
    assert len(TAGS.findall(text)) == len(TAGS.findall(bland))


@given(st.sampled_from(BATCHED), st.lists(items, min_size=1, max_size=8))
def test_item_text_never_adds_a_line_to_a_batch(protocol: ProtocolName, batch: list[Item]) -> None:
    """The prompt has as many lines as one with plain items, by any rule of what a line break is."""
    bland = [Item("q" if item.question is not None else None, item.references, "a") for item in batch]
    lines, expected = (
        builtin_wording(protocol).render(tuple(each)).messages[-1].text.splitlines()
        for each in (batch, bland)
    )
    assert len(lines) == len(expected)
    assert [line[:9] for line in lines] == [line[:9] for line in expected]


@given(st.sampled_from(NAMES), st.data())
def test_perfect_answers_come_back_as_given(protocol: ProtocolName, data: st.DataObject) -> None:
    """A model that finds the items in the prompt and answers them right gives back exactly those values."""
    most = PROTOCOLS[protocol].most_items
    batch = data.draw(st.lists(items, min_size=1, max_size=most, unique_by=see), label="items")
    scale = st.booleans() if protocol == "match" else st.integers(0, 5)
    values = data.draw(st.lists(scale, min_size=len(batch), max_size=len(batch)), label="values")
    truth = dict(zip(map(see, batch), values, strict=True))

    def answer(ask: Ask) -> Completion:
        shown = read_prompt_items(protocol, ask.prompt)
        return Completion(_say(protocol, [truth[one] for one in shown] if most > 1 else values))

    outcomes = drive(ask_items(builtin_wording(protocol), tuple(batch), decided_by="llm:x"), answer)
    assert [outcome.value for outcome in outcomes if isinstance(outcome, Verdict)] == values


def _say(protocol: ProtocolName, values: list[int]) -> str:
    if protocol == "match":
        pairs = (f'"Answer {number}": "{"Yes" if value else "No"}"' for number, value in enumerate(values, 1))
        return "{" + ", ".join(pairs) + "}"
    return ", ".join(map(str, values))


def _wordings() -> dict[str, Wording]:
    own = {name: read_prompt(text, name).wording for name, text in OWN_WORDINGS.items()}
    return own | {name: builtin_wording(name) for name in NAMES}


@pytest.mark.parametrize("wording", _wordings().values(), ids=_wordings().keys())
@given(st.lists(items, min_size=1, max_size=8), st.lists(items, min_size=1, max_size=8))
def test_stable_part_is_the_same_in_every_prompt(
    wording: Wording, one: list[Item], other: list[Item]
) -> None:
    """The first `stable` characters of each message do not depend on the items or their number."""
    most = wording.most_items
    prompts = [wording.render(tuple(batch[:most])) for batch in (one, other)]
    for message, again in zip(prompts[0].messages, prompts[1].messages, strict=True):
        assert message.stable == again.stable
        assert message.stable <= len(message.text)
        assert message.text[: message.stable] == again.text[: again.stable]


@pytest.mark.parametrize("wording", _wordings().values(), ids=_wordings().keys())
def test_what_follows_a_moving_part_is_not_stable(wording: Wording) -> None:
    """A prefix cache ends with the first character that may change, so nothing after it is called stable."""
    messages = wording.render((BLAND,)).messages
    moved = [message.stable < len(message.text) for message in messages]
    assert any(moved)
    assert all(message.stable == 0 for message in messages[moved.index(True) + 1 :])


def test_match_has_a_stable_part_that_providers_cache() -> None:
    (message,) = builtin_wording("match").render((BLAND,)).messages
    assert 4_500 <= message.stable <= 7_000


@pytest.mark.parametrize("protocol", NAMES)
def test_same_wording_has_the_same_version_and_another_has_another(protocol: ProtocolName) -> None:
    """The version is the content: any change of wording, scale or protocol is another judge."""
    text = PROTOCOLS[protocol].wording
    version = builtin_wording(protocol).version
    assert read_prompt(text, "a", protocol).wording.version == version
    assert read_prompt(text.replace("right by definition", "right"), "a", protocol).wording.version != version
    assert read_prompt(f"---\nlevels: 1-5\n---\n{text}", "a", protocol).wording.version != version
    others = {builtin_wording(name).version for name in NAMES if name != protocol}
    assert version not in others


def test_batch_size_is_no_part_of_the_version() -> None:
    text = PROTOCOLS["match"].wording
    sized = read_prompt(f"---\nitems_per_prompt: 4\n---\n{text}", "a", "match").wording
    assert sized.version == builtin_wording("match").version


@pytest.mark.parametrize("name", ["fields", "template", "references", "opened"])
@given(texts)
def test_own_wording_never_interprets_item_text(name: str, text: str) -> None:
    """Placeholders, variables and role words in an item stay what they are: text of the same message."""
    wording = read_prompt(OWN_WORDINGS[name], name).wording
    prompt, bland = (wording.render((Item("q", ("r",), answer),)) for answer in (text, "a"))
    assert [message.role for message in prompt.messages] == [message.role for message in bland.messages]
    assert prompt.opened == bland.opened
    if wording.form != "dialogue" or "examples" not in wording.placeholders:
        shown = see(Item(None, ("r",), text)).answer.replace("‹", "<")
        assert shown in prompt.messages[-1].text.replace("‹", "<")


def test_alternatives_are_marked_as_such_in_every_protocol() -> None:
    item = Item("q", ("one", "two"), "a")
    for protocol in BATCHED:
        (shown,) = read_prompt_items(protocol, builtin_wording(protocol).render((item,)))
        assert shown == Shown("q", ("one", "two"), "a")
    text = builtin_wording("equivalence").render((item,)).messages[-1].text
    assert "Any one of these alternatives is a full answer:\n(1) one\n(2) two</correct_answer>" in text


def test_references_of_a_template_are_cleaned_and_fenced_like_other_fields() -> None:
    wording = read_prompt(OWN_WORDINGS["references"], "x").wording
    text = wording.render((Item("q", ("a\u200bb</ref>", "\ud800c"), "z"),)).messages[0].text
    assert text == "0 to 5. <ref>ab‹/ref></ref><ref>c</ref> z"


def test_opened_turn_is_filled_in_like_the_others() -> None:
    wording = read_prompt(OWN_WORDINGS["opened"], "x").wording
    assert wording.render((BLAND, BLAND)).opened == "The 2 answers:"
