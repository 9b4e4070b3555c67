"""Token log-probabilities as distributions over the values, or nothing if they are unknown."""

from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import Model, make_items

from karat.core.flow import Completion, Token
from karat.core.types import ProtocolName, Value, Verdict
from karat.protocols import PROTOCOLS
from karat.protocols.replies import Distribution, read_distributions


def tok(text: str, **alternatives: float) -> Token:
    """A token whose alternatives are given by their probabilities; `_` before a word stands for a space."""
    return Token(text, {name.replace("_", " "): log(share) for name, share in alternatives.items()})


def sure(*texts: str) -> list[Token]:
    """Tokens that the model did not hesitate over."""
    return [Token(text, {text: -0.001, "?": -9.0}) for text in texts]


def weigh(protocol: str, tokens: list[Token], *values: Value | None) -> tuple[Distribution | None, ...]:
    return read_distributions(PROTOCOLS[protocol], tuple(tokens), values)


def near(found: Distribution | None, *expected: float) -> bool:
    return found is not None and all(
        isclose(a, b, abs_tol=1e-9) for a, b in zip(found, expected, strict=True)
    )


def test_each_item_of_a_match_batch_has_its_own_distribution() -> None:
    """Yes stands first; words that are no value are left out and the rest is normalised."""
    tokens = [
        *sure('{"', "Answer", " ", "1", '":', ' "'), tok("Yes", Yes=0.6, No=0.2, Maybe=0.2),
        *sure('",', ' "', "Answer", " ", "2", '":', ' "'), tok("No", Yes=0.1, no=0.2, No=0.7),
        *sure('"}'),
    ]  # fmt: skip
    one, two = weigh("match", tokens, True, False)
    assert near(one, 0.75, 0.25)
    assert near(two, 0.1, 0.9)


@pytest.mark.parametrize("text", ["Yes", ' "Yes', '"Yes', '"Yes"', " Yes", "yes", "YES"])
def test_value_may_share_its_token_with_quotes_and_spaces(text: str) -> None:
    before = '{"Answer 1":' if text.startswith((" ", '"')) else '{"Answer 1":"'
    token = Token(text, {text: log(0.8), text.lower().replace("yes", "No"): log(0.2)})
    (found,) = weigh("match", [*sure(before), token, *sure('"}')], True)
    assert near(found, 0.8, 0.2)


@pytest.mark.parametrize(
    "tokens",
    [
        [*sure('{"Answer 1": "'), tok("Y", Y=0.9, No=0.1), *sure("es", '"}')],
        [*sure('{"Answer 1": "Yes"}')],
        [Token('{"Answer 1": "Yes"}', {})],
        [*sure('{"Answer 1": "'), Token("Yes", {}), *sure('"}')],
        [*sure('{"Answer 1": "'), tok("Yes", Yes=0.4), *sure('"}')],
        [*sure('{"Answer 1": "'), tok("Yes", No=0.5, Maybe=0.5), *sure('"}')],
        [*sure('{"Answer 1": "'), tok("No", Yes=0.5, No=0.5), *sure('"}')],
        [*sure("{'Answer 1': 'x'}"), tok("Yes", Yes=0.5, No=0.5)],
        sure("nothing of the kind"),
        [],
    ],
    ids=[
        "value in two tokens", "whole reply in one token", "no alternatives at all", "no alternatives",
        "only the chosen one is known", "the chosen one is not known", "the token is not the value", "elsewhere",
        "no value there", "no tokens",
    ],
)  # fmt: skip
def test_nothing_is_told_where_it_cannot_be_told(tokens: list[Token]) -> None:
    """A confidence is never invented."""
    assert weigh("match", tokens, True) == (None,)


def test_value_that_was_not_read_has_no_distribution() -> None:
    tokens = [*sure('{"Answer 1": "'), tok("Yes", Yes=0.5, No=0.5), *sure('"}')]
    assert weigh("match", tokens, None) == (None,)


def test_expected_value_and_confidence_of_equivalence() -> None:
    """The score is the expected level, the confidence the probability of the level that was given."""
    tokens = (tok("4", **{"4": 0.5, "5": 0.25, "3": 0.25 * 0.8, "x": 0.05}),)
    (outcome,) = Model("equivalence", [Completion("4", tokens=tokens)]).judge(make_items(1))
    assert isinstance(outcome, Verdict)
    assert near(outcome.distribution, 0, 0, 0, 0.2 / 0.95, 0.5 / 0.95, 0.25 / 0.95)
    assert isclose(outcome.score, (3 * 0.2 + 4 * 0.5 + 5 * 0.25) / 0.95 / 5)
    assert outcome.confidence is not None
    assert isclose(outcome.confidence, 0.5 / 0.95)


def test_score_of_match_is_the_probability_of_yes() -> None:
    tokens = (*sure('{"Answer 1": "'), tok("No", Yes=0.3, No=0.7), *sure('"}'))
    (outcome,) = Model("match", [Completion('{"Answer 1": "No"}', tokens=tokens)]).judge(make_items(1))
    assert isinstance(outcome, Verdict)
    assert (outcome.value, outcome.decided_by) == (False, "llm:m")
    assert isclose(outcome.score, 0.3)
    assert outcome.confidence is not None
    assert isclose(outcome.confidence, 0.7)


@pytest.mark.parametrize(
    ("protocol", "text"), [("match", '{"Answer 1": "Yes"}'), ("equivalence", "4"), ("keypoints", "4")]
)
def test_without_tokens_there_is_no_confidence(protocol: ProtocolName, text: str) -> None:
    (outcome,) = Model(protocol, [text]).judge(make_items(1))
    assert isinstance(outcome, Verdict)
    assert outcome.confidence is None
    assert outcome.distribution is None


@pytest.mark.parametrize(
    "before", [[], sure("Score", ":", " "), sure("<think>", "2", "</think>"), sure("2", "</think>")]
)
def test_thinking_and_labels_are_passed_over(before: list[Token]) -> None:
    (found,) = weigh("equivalence", [*before, tok("4", **{"4": 0.9, "2": 0.1})], 4)
    assert near(found, 0, 0, 0.1, 0, 0.9, 0)


def test_numerator_carries_the_weight_of_a_fraction_of_five() -> None:
    (found,) = weigh("equivalence", [tok("4", **{"4": 0.9, "2": 0.1}), *sure("/", "5")], 4)
    assert near(found, 0, 0, 0.1, 0, 0.9, 0)


@pytest.mark.parametrize("separator", [", ", ",", "\n"])
def test_each_value_of_a_list_has_its_own_distribution(separator: str) -> None:
    tokens = [tok("4", **{"4": 0.9, "2": 0.1}), *sure(separator), tok("0", **{"0": 0.6, "1": 0.4})]
    one, two = weigh("keypoints", tokens, 4, 0)
    assert near(one, 0, 0, 0.1, 0, 0.9, 0)
    assert near(two, 0.6, 0.4, 0, 0, 0, 0)


@pytest.mark.parametrize("label", ["1:", "Question 1: ", "1) "])
def test_label_of_an_item_is_not_taken_for_its_value(label: str) -> None:
    (found,) = weigh("keypoints", [*sure(*label), tok("4", **{"4": 0.9, "1": 0.1})], 4)
    assert near(found, 0, 0.1, 0, 0, 0.9, 0)


def test_levels_that_the_wording_does_not_have_take_no_part() -> None:
    tokens = (tok("3", **{"3": 0.5, "1": 0.25, "5": 0.25}),)
    (found,) = read_distributions(PROTOCOLS["equivalence"], tokens, (3,), (1, 2, 3))
    assert near(found, 0, 1 / 3, 0, 2 / 3, 0, 0)


@given(
    st.sampled_from(["match", "equivalence", "keypoints"]),
    st.lists(
        st.builds(
            Token,
            st.sampled_from(['{"Answer 1": "', "Yes", ' "No', '"}', "4", ", ", "\n", "5", "<think>", "</think>", "", "Answer 1"]),
            st.dictionaries(st.sampled_from(["Yes", " No", "4", "5", "x", "0"]), st.floats(-1e4, 1e3), max_size=5),
        ),
        max_size=12,
    ),
    st.lists(st.none() | st.integers(0, 5), min_size=1, max_size=4),
)  # fmt: skip
def test_distribution_is_one_or_nothing(protocol: str, tokens: list[Token], levels: list[int | None]) -> None:
    """Whatever the tokens, the parts are probabilities that sum to one, and the value has a share in them."""
    values = [None if level is None else bool(level) if protocol == "match" else level for level in levels]
    for value, found in zip(values, weigh(protocol, tokens, *values), strict=True):
        if found is None or value is None:
            assert found is None
            continue
        assert isclose(sum(found), 1.0)
        assert all(0 <= part <= 1 for part in found)
        assert len(found) == (2 if protocol == "match" else 6)
        assert found[int(not value) if isinstance(value, bool) else value] > 0
