"""The fast path of the gate: what it passes, the full check passes too."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from karat.core.types import Item
from karat.text import is_suspicious
from karat.text.gate.gate import has_own_content, is_echo, is_empty_talk, is_opener
from karat.text.gate.injection import _SIGNS  # pyright: ignore[reportPrivateUsage]
from karat.text.gate.refusal import is_refusal

WORDS = (
    "The", "the", "a", "an", "A", "is", "of", "answer", "Answer", "solution", "let", "Let's", "lets", "us", "think", "step", "by",
    "first", "sure", "here", "I", "do", "not", "don't", "dont", "n't", "know", "no", "N", "No", "idea", "sorry", "can't", "cannot", "n/a",
    "N/A", "N.A.", "U.S.", "u. s.", "o'clock", "oclock", "pass", "skip", "keine", "Ahnung", "ni", "se", "lo", "percent", "%", "pct",
    "1,000", "1000", "5'no", "3.", "12_no", "C++", "AB-", "x-no", "capital", "France", "Paris", "river", "longest", "and", "&",
    "resp\u00f6nse", "n\x00o", "ok\u200b", "AI", "unknown", "(no)", '"no"', "no_x", "`no`", "\n", "#", "_", "-",
    "r\u00e9ponse", "\u201canswer\u201d", "\u00e9tape", "n\u00f3", "d\u00e9sol\u00e9", "proof", "so-called", "step\u2013by\u2013step", '"the', '"', "\u2019",
)  # fmt: skip
GAPS = ("", " ", "  ", "\n", ", ", ". ", ".", ": ", "-", "'", "? ")
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), min_size=1, max_size=8).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)


@settings(max_examples=500, deadline=None)
@given(question=texts | st.just(""), answer=texts)
@example(question="five o'clock train", answer="five oclock train")
@example(question="how many %", answer="how many percent")
@example(question="who is u. s. grant", answer="us grant")
@example(question="", answer="as a.i. model")
def test_what_the_fast_path_passes_is_no_opener_refusal_echo_or_talk(question: str, answer: str) -> None:
    if has_own_content(question, answer):
        assert not is_opener(answer)
        assert not is_refusal(answer)
        assert not (question and is_echo(question, answer))
        assert not is_empty_talk(answer)


SIGNS = (
    "ignore", "Disregard", "forget", "all", "previous", "instructions", "answer 1", "Answer_2", ":", "=", "system", "Assistant:", "human",
    "user :", "u\u017fer:", "grader", "grading", "graduate", "judges", "judge", "yes", "correct", "##", "## ", "<", "</answer>",
    "<item>", "<|x|>", "mark", "as correct", "reply", "other", "items", "verdict", "[/INST]", "full marks", "{", '{ "', "{'", "```", "a", "rule", ".", "\n", "paris", "\u0130gnore",
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(SIGNS), max_size=6).map(" ".join)
        | st.lists(st.sampled_from(SIGNS), max_size=4).map("".join),
        min_size=3,
        max_size=3,
    )
)
def test_the_fast_check_for_signs_of_injection_misses_none(fields: list[str]) -> None:
    question, reference, answer = fields
    item = Item(question or None, (reference,), answer)
    found = any(sign.search(text.lower()) for text in fields for _, sign in _SIGNS)
    assert is_suspicious(item) or not found
