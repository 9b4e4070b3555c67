"""How a reply to `match` is read: one JSON object, every item exactly once, never a guess."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_texts import LONG_TEXTS, assert_read_fast, counts, read_values, replies

from karat.protocols import PROTOCOLS

Y, N = True, False
MISALIGNED = None

CLEAN = [
    ('{"Answer 1": "Yes"}', 1, (Y,)),
    ('{"Answer 1": "No"}', 1, (N,)),
    ('{"Answer 1": "Yes", "Answer 2": "No", "Answer 3": "Yes"}', 3, (Y, N, Y)),
    ('{\n  "Answer 1": "Yes",\n  "Answer 2": "No"\n}\n', 2, (Y, N)),
    ('{"Answer 2": "No", "Answer 1": "Yes"}', 2, (Y, N)),
    ('{"answer 1": "Yes", "ANSWER 2": "No"}', 2, (Y, N)),
    ('{"Answer_1": "Yes", "Answer2": "No"}', 2, (Y, N)),
]
SURROUNDED = [
    ('```json\n{"Answer 1": "Yes", "Answer 2": "No"}\n```', 2, (Y, N)),
    ('```\n{"Answer 1": "No"}\n```', 1, (N,)),
    ('## Answers\n{"Answer 1": "No"}', 1, (N,)),
    ('Sure! Here it is: {"Answer 1": "Yes"} Hope that helps.', 1, (Y,)),
    ('{"Answer 1": "Yes"}\n\n## Explanations\nAnswer 1: CO2 is the formula (a).', 1, (Y,)),
    ('The set {1, 2} and \\frac{1}{2} matter. {"Answer 1": "No"}', 1, (N,)),
    ('[{"Answer 1": "Yes"}]', 1, (Y,)),
    ('{"Answer 1": "Yes"}\n{"Answer 1": "Yes"}', 1, (Y,)),
    ('{"Answer 1": "Yes"} and once more { "Answer 1" : "Yes" }', 1, (Y,)),
]
THINKING = [
    ('<think>{"Answer 1": "No"}</think>{"Answer 1": "Yes"}', 1, (Y,)),
    ('<THINKING>maybe {"Answer 1": "No"}</THINKING>\n{"Answer 1": "Yes"}', 1, (Y,)),
    ('[THINK]{"Answer 1": "No"}[/THINK]{"Answer 1": "Yes"}', 1, (Y,)),
    ('{"Answer 1": "Yes"}<reasoning>or {"Answer 1": "No"}</reasoning>', 1, (Y,)),
    ('perhaps {"Answer 1": "No"}? no.</think>{"Answer 1": "Yes"}', 1, (Y,)),
    ('<think>it says "</think>{"Answer 1": "Yes"}", a trick</think>{"Answer 1": "No"}', 1, (N,)),
    ('<think>{"Answer 1": "No"} so {"Answer 1": "Yes"}', 1, (None,)),
    ('<think>{"Answer 1": "No"}', 1, (None,)),
    ('{"Answer 1": "No"}</think>', 1, (None,)),
]
WORDS = [
    ('{"Answer 1": "Yes."}', 1, (Y,)),
    ('{"Answer 1": "yes"}', 1, (Y,)),
    ('{"Answer 1": " NO. "}', 1, (N,)),
    ('{"Answer 1": true, "Answer 2": false}', 2, (Y, N)),
    ('{"Answer 1": "true", "Answer 2": "No"}', 2, (None, N)),
    ('{"Answer 1": "Maybe", "Answer 2": "No"}', 2, (None, N)),
    ('{"Answer 1": "Yes!", "Answer 2": "Y", "Answer 3": "Yes.."}', 3, (None, None, None)),
    ('{"Answer 1": "Yes and No", "Answer 2": "Yes, mostly"}', 2, (None, None)),
    ('{"Answer 1": 1, "Answer 2": 0, "Answer 3": "No"}', 3, (None, None, N)),
    ('{"Answer 1": null, "Answer 2": ["Yes"], "Answer 3": ""}', 3, (None, None, None)),
    ('{"Answer 1": "Correct", "Answer 2": "Incorrect", "Answer 3": "Nope"}', 3, (None, None, None)),
    ('{"Answer 1": "Ja", "Answer 2": "да", "Answer 3": "Ｙｅｓ"}', 3, (None, None, None)),
]
ALONE = [
    ("Yes", 1, (Y,)),
    ("no.", 1, (N,)),
    ('"Yes"', 1, (Y,)),
    ("```\nNo\n```", 1, (N,)),
    ("true", 1, (Y,)),
    ("TRUE", 1, (Y,)),
    ('"true"', 1, (None,)),
    ("Maybe", 1, (None,)),
    ("Yes and no", 1, (None,)),
    ("Yes", 2, (None, None)),
    ("Yes, No", 2, (None, None)),
]
ALIGNMENT = [
    ('{"Answer 1": "Yes", "Answer 2": "No"}', 3, (Y, N, None)),
    ('{"Answer 2": "No"}', 3, (None, N, None)),
    ("{}", 2, (None, None)),
    ('{"Answer 1": "Yes", "Answer 2": "No", "Answer 3": "Yes"}', 2, MISALIGNED),
    ('{"Answer 0": "Yes", "Answer 1": "No"}', 2, MISALIGNED),
    ('{"Answer 1": "Yes", "Explanation": "a synonym"}', 1, MISALIGNED),
    ('{"Answer 1": "Yes", "Answer 1": "No"}', 1, MISALIGNED),
    ('{"Answer 1": "Yes", "Answer 1": "Yes"}', 1, MISALIGNED),
    ('{"Answer 1": "Yes", "answer 01": "No"}', 2, MISALIGNED),
    ('{"Answer 1": "Yes", "Answer_1": "Yes"}', 2, MISALIGNED),
    ('{"Answer 1": "Yes"} {"Answer 1": "No"}', 1, MISALIGNED),
    ('{"Answer 1": "Yes"} {"Answer 2": "No"}', 2, MISALIGNED),
    ('{"Answer 1": true} {"Answer 1": 1}', 1, MISALIGNED),
    ('[{"Answer 1": "Yes"}, {"Answer 2": "No"}]', 2, MISALIGNED),
    ('{"1": "Yes"}', 1, MISALIGNED),
    ('{"Answer one": "Yes"}', 1, MISALIGNED),
    ('{"Answer ١": "Yes"}', 1, MISALIGNED),
    ('{"answers": {"Answer 1": "Yes"}}', 1, MISALIGNED),
    ('{"Answer 1": {"Answer 1": "Yes"}}', 1, (None,)),
    ('{"Answer 1": {"verdict": "Yes"}, "Answer 2": "No"}', 2, (None, N)),
    ('{"error": "overloaded"}', 1, MISALIGNED),
]
BROKEN = [
    ("{'Answer 1': 'Yes', 'Answer 2': 'No'}", 2, (Y, N)),
    ('{"Answer 1": "Yes", "Answer 2": "No",}', 2, (Y, N)),
    ('{"Answer 1": True, "Answer 2": False}', 2, (Y, N)),
    ("{Answer 1: Yes, Answer 2: no.}", 2, (Y, N)),
    ("{'Answer 1': 'Yes', 'Answer 2': 'Perhaps'}", 2, (Y, None)),
    ("{'Answer 1': 'true'}", 1, (None,)),
    ("{'Answer 1': 4, 'Answer 2': 'No'}", 2, (None, N)),
    ("{'Answer 1': 'Yes', 'Answer 1': 'No'}", 1, MISALIGNED),
    ("{'Answer 1': 'Yes', 'Note': 'sure',}", 1, MISALIGNED),
    ('{"Answer 1": "Yes", "Confidence": "high",}', 1, MISALIGNED),
    ('{"Answer 1": "Yes", "Answer 3": "No",}', 2, MISALIGNED),
    ('{"Answer 1": "Yes" "Answer 2": "No"}', 2, MISALIGNED),
    ("{'Answer 1': 'Yes'} {\"Answer 1\": \"No\"}", 1, MISALIGNED),
    ('{"Answer 1": "No"} {\'Answer 1\': \'Yes\'}', 1, MISALIGNED),
    ('{Answer 1: No} {"Answer 1": "Yes"}', 1, MISALIGNED),
    ('{"draft": {"Answer 1": "Yes"}, "Answer 1": "No"', 1, MISALIGNED),
    ('{"Answer 1": "No", "Answer 2": {"Answer 1": "Yes", "Answer 2": "Yes"}', 2, MISALIGNED),
    ('{{"Answer 1": "Yes"}}', 1, MISALIGNED),
    ("{" * 70 + '{"Answer 1": "Yes"}', 1, MISALIGNED),
    ("{x}" * 70 + '{"Answer 1": "Yes"}' + "{x}" * 70 + '{"Answer 1": "No"}', 1, MISALIGNED),
    ('{"Answer 1": "it is \\"Yes\\", "Answer 2": "No"}', 2, MISALIGNED),
]  # fmt: skip
CUT = [
    ('{"Answer 1": "Yes", "Answer 2": "No", "Answer 3": "Ye', 3, (Y, N, None)),
    ('{"Answer 1": "Yes", "Answer 2": "No", "Answer 3": "Yes"', 3, (Y, N, None)),
    ('{"Answer 1": "Yes", "Answer 2": "No", "Answer 3": ', 3, (Y, N, None)),
    ('{"Answer 1": "Yes", "Answer 2": "No", "Answer 3', 3, (Y, N, None)),
    ('{"Answer 1": "Yes", "Answer 2": "No", "An', 3, (Y, N, None)),
    ('{"Answer 1": "Yes", "Answer 2": "No", "', 3, (Y, N, None)),
    ('{"Answer 1": "Yes", "Answer 2": "No",', 3, (Y, N, None)),
    ('{"Answer 1": "Yes", "Answer 2": "Maybe", "Answer 3": tr', 3, (Y, None, None)),
    ('```json\n{\n  "Answer 1": "Yes",\n  "Answer 2": "N', 2, (Y, None)),
    ("{'Answer 1': 'Yes', 'Answer 2': 'N", 2, (Y, None)),
    ('{"Answer 1": "No', 1, (None,)),
    ('{"Answer 1": "No"', 1, (None,)),
    ('{"Answer 1": true', 1, (None,)),
    ("{", 2, (None, None)),
    ('{"Answer 1": "Yes"}\n\n## Explanations\nAnswer 1: CO', 1, (Y,)),
    ('{"Answer 1": "Yes", "Answer 1": "N', 2, MISALIGNED),
    ('{"Answer 1": "Yes", "Answer 9": "N', 2, MISALIGNED),
    ('{"Answer 1": "Yes", "Reason": "the', 2, MISALIGNED),
    ('{"Answer 1": "Yes", "Rea', 2, MISALIGNED),
    ('{"Answer 1": "Yes", "Answer 1', 1, MISALIGNED),
    ('{"Answer 1": "Yes"} wait: {"Answer 1": "N', 1, MISALIGNED),
    ('<think>surely {"Answer 1": "Yes"} but', 1, (None,)),
]
NOTHING = [
    ("", 2, (None, None)),
    (" \n", 1, (None,)),
    ("I'm sorry, but I can't help with that.", 2, (None, None)),
    ("<html><body><h1>502 Bad Gateway</h1></body></html>", 2, (None, None)),
    ("Answer 1: Yes\nAnswer 2: No", 2, (None, None)),
    ("null", 1, (None,)),
    ('"{\\"Answer 1\\": \\"Yes\\"}"', 1, MISALIGNED),
]


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [*CLEAN, *SURROUNDED, *THINKING, *WORDS, *ALONE, *ALIGNMENT, *BROKEN, *NOTHING],
)
def test_reply_is_read_as_the_protocol_demands(
    text: str, count: int, expected: tuple[bool | None, ...] | None
) -> None:
    """A value is given where exactly one reading fits the contract, and nowhere else."""
    assert read_values("match", text, count) == expected


@pytest.mark.parametrize(("text", "count", "expected"), CUT)
@pytest.mark.parametrize("cut", [True, False])
def test_only_closed_pairs_of_a_cut_reply_count(
    text: str, count: int, expected: tuple[bool | None, ...] | None, cut: bool
) -> None:
    """Only pairs closed by a comma or a brace count, whether or not the server says that it cut the reply."""
    assert read_values("match", text, count, cut=cut) == expected


@given(replies, counts, st.booleans())
def test_any_text_is_read_without_an_error_and_on_the_scale(text: str, count: int, cut: bool) -> None:
    """Whatever a model says, the reader gives True, False or nothing for each item."""
    values = read_values("match", text, count, cut=cut)
    assert values is None or all(value is None or isinstance(value, bool) for value in values)
    places = PROTOCOLS["match"].locate(text, count)
    assert len(places) == count
    assert all(place is None or 0 <= place < len(text) for place in places)


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.data())
def test_prefix_of_a_good_reply_never_gives_another_value(values: list[bool], data: st.DataObject) -> None:
    """Wherever a good reply is cut, each item has its own value or none."""
    pairs = [f'"Answer {number}": "{"Yes" if value else "No"}"' for number, value in enumerate(values, 1)]
    text = "{" + ", ".join(data.draw(st.permutations(pairs))) + "}"
    cut = text[: data.draw(st.integers(0, len(text)))]
    read = read_values("match", cut, len(values), cut=True)
    assert read is not None
    assert all(got in (None, true) for got, true in zip(read, values, strict=True))
    assert sum(got is not None for got in read) == cut.count(",") + cut.count("}")


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.text(alphabet="{}[]:,\"'abc 1\n", max_size=20))
def test_noise_around_a_good_reply_never_changes_a_value(values: list[bool], noise: str) -> None:
    """Noise before or after the object may cost the reading, but not turn a value."""
    object_ = (
        "{" + ", ".join(f'"Answer {n}": "{"Yes" if v else "No"}"' for n, v in enumerate(values, 1)) + "}"
    )
    for text in (noise + object_, object_ + noise, noise + object_ + noise):
        read = read_values("match", text, len(values)) or ()
        assert all(got in (None, true) for got, true in zip(read, values, strict=False))


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS.keys())
def test_long_replies_are_read_fast(text: str) -> None:
    """A hundred kilobytes of anything take no more than a moment."""
    assert_read_fast("match", text)


@pytest.mark.parametrize("count", [1, 2, 8])
def test_schema_asks_for_exactly_the_keys_that_the_reader_takes(count: int) -> None:
    schema = PROTOCOLS["match"].schema(count)
    keys = [f"Answer {number}" for number in range(1, count + 1)]
    assert schema["required"] == list(schema["properties"]) == keys
    assert schema["additionalProperties"] is False
    assert all(field["enum"] == ["Yes", "No"] for field in schema["properties"].values())
