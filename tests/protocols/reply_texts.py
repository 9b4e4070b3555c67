"""Texts of replies: arbitrary text, and combinations of typical parts of replies."""

from hypothesis import strategies as st

from effort import bounded_effort
from karat.protocols import PROTOCOLS, Aligned, Misaligned

LONG = 100_000

FRAGMENTS = [
    '{"Answer 1": "Yes"', '"Answer 2": "No"', "'Answer 3': 'Yes'", "Answer 4", '"answer_5"', '"Answer 01"',
    "{", "}", "[", "]", '"', "'", ":", ",", ", ", "\n", " ", "\\", ".", "-", "/", "%", "½", "٤", "```", "```json\n",
    "Yes", "no.", "TRUE", "true", "false", "True", "null", "NaN", "0", "1", "4", "5", "9", "15", "4.5", "1e9",
    "<think>", "</think>", "<thinking>", "</thinking>", "[THINK]", "[/THINK]", "<reasoning>", "</reflection>",
    "Question 1: 4", "Question 2", "Score: ", "out of 5", "4/5", "GPT-4", "I'm sorry", "I cannot", "\ud800", "\x00", "\u2028",
]  # fmt: skip

replies = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(), max_size=40),
    st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=3)), max_size=25).map("".join),
)
counts = st.integers(1, 8)


def read_values(protocol: str, text: str, count: int, *, cut: bool = False) -> tuple[object, ...] | None:
    """Give the values of an aligned reply, None for a misaligned one; a reading is nothing else."""
    reading = PROTOCOLS[protocol].read(text, count, cut=cut)
    if isinstance(reading, Misaligned):
        assert reading.why
        return None
    assert isinstance(reading, Aligned)
    assert len(reading.values) == count
    return reading.values


def assert_read_fast(protocol: str, text: str) -> None:
    """Read a long reply for one item and for many, cut or not."""
    with bounded_effort():
        for count in (1, 8):
            for cut in (False, True):
                read_values(protocol, text, count, cut=cut)
        PROTOCOLS[protocol].locate(text, 8)


LONG_TEXTS = {
    "braces": "{" * LONG,
    "closing braces": "}" * LONG,
    "empty objects": "{}" * (LONG // 2),
    "prose braces": "{x}" * (LONG // 3),
    "open thinking": "<think>" * (LONG // 7),
    "closed thinking": "<think></think>" * (LONG // 15),
    "thought ends": "</think>" * (LONG // 8),
    "mixed thinking": "<think>[THINK]</reasoning>" * (LONG // 26),
    "pairs": '"Answer 1": ' * (LONG // 12),
    "objects": '{"Answer 1": "Yes"} ' * (LONG // 20),
    "different objects": " ".join(f'{{"Answer {n}": "Yes"}}' for n in range(LONG // 24)),
    "open objects": '{"Answer 1": ' * (LONG // 13),
    "deep objects": '{"a":' * 900 + "1" + "}" * 900 + ' {"Answer 1": "Yes"}',
    "deep objects twice": ('{"a":' * 600 + "1" + "}" * 600) * 2,
    "deep lists": '{"a":' + "[" * LONG,
    "broken pairs": "{" + "'Answer 1': 'Yes', " * (LONG // 19),
    "begun pairs": "{" + "Answer 1 " + " " * LONG + "{",
    "spaced key": '{"Answer 1' + " " * LONG + 'x": "Yes"}',
    "spaced bare key": "{Answer" + " " * LONG + "x",
    "spaces": " " * LONG,
    "spaces then brace": "{a" + " " * LONG + "{",
    "newlines after a number": "4" + "\n" * LONG + "x",
    "spaces after a number": "4" + " " * LONG + "x",
    "digits": "4" * LONG,
    "digits with a colon": "9" * LONG + ": 4",
    "spaced digits": "4 " * (LONG // 2),
    "comma list": "4, " * (LONG // 3),
    "line list": "4\n" * (LONG // 2),
    "labelled": "Question 1: 4\n" * (LONG // 14),
    "question": "question" + " " * LONG,
    "letters": "a" * LONG,
    "dots": "4" + "." * LONG,
    "out of": "4 out " * (LONG // 6),
    "slashes": "4/5" * (LONG // 3),
    "quotes": '{"' * (LONG // 2),
    "string": '{"Answer 1": "' + "a" * LONG,
    "huge integer": '{"Answer 1": ' + "9" * LONG + "}",
    "refusal": "I'm" + " " * LONG + "x",
    "punctuation": "*" * LONG + "x",
}
