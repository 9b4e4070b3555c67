"""`--permute N`: other company and another place in every pass, and the majority decides."""

import pytest

import karat
from oracle import match_answers
from provider import Call, Provider

ITEMS = [(f"q{n}?", f"thing {n}", f"stuff {n}") for n in range(12)]


def answer_by_place(call: Call) -> str:
    """A judge that is right but for the first place of a full batch, where it is always wrong.

    Who stands there differs from test to test: the seed of the shuffle holds the port of the endpoint.
    """
    answers = match_answers(call)
    full = len(answers) == 4
    verdicts = [
        "Yes" if (full and place == 0) != (int(text.split()[-1]) % 2 == 1) else "No"
        for place, text in enumerate(answers)
    ]
    return "{" + ", ".join(f'"Answer {n}": "{verdict}"' for n, verdict in enumerate(verdicts, 1)) + "}"


def grade(provider: Provider, **options: object) -> karat.Grades:
    return karat.grade(ITEMS, judge=f"{provider.base_url}#m", items_per_prompt=4, **options)  # pyright: ignore[reportArgumentType]


def test_the_majority_of_passes_outvotes_a_bad_place() -> None:
    truth = [n % 2 == 1 for n in range(12)]
    with Provider(answer_by_place) as provider:
        once = [getattr(outcome, "value", None) for outcome in grade(provider)]
        assert len(provider.calls) == 3
    assert once != truth
    with Provider(answer_by_place) as provider:
        grades = grade(provider, permute=5)
        companies = [frozenset(match_answers(call)) for call in provider.calls]
    assert [getattr(outcome, "value", None) for outcome in grades] == truth
    assert len(set(companies)) > 6
    shares = {outcome.confidence for outcome in grades if isinstance(outcome, karat.Verdict)}
    assert max(share for share in shares if share is not None) == 1.0


def test_what_is_settled_is_not_asked_again() -> None:
    with Provider(lambda call: answer_by_place(call).replace("Yes", "No")) as provider:
        grade(provider, permute=5)
        assert len(provider.calls) == 3 * 3


def test_it_is_another_judge_and_costs_are_those_of_all_passes() -> None:
    with Provider(answer_by_place) as provider:
        grades = grade(provider, permute=3, price="1/1")
        sent = len(provider.calls)
    assert grades.summary.spent.calls == sent
    assert sum(record["input_tokens"] for record in grades.records) == grades.summary.spent.input_tokens
    assert {outcome.decided_by for outcome in grades if isinstance(outcome, karat.Verdict)} == {"llm:m"}


def test_without_batches_there_is_nothing_to_permute() -> None:
    with pytest.raises(karat.UsageError, match="--items-per-prompt"):
        karat.grade(ITEMS, judge="http://127.0.0.1:9/v1#m", permute=3)
