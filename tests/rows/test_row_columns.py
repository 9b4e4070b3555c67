"""Which column plays which part."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from row_reading import attempt

from karat.core.errors import UsageError
from karat.rows import Columns, find_columns, parse_columns


def refuse(names: list[str], chosen: dict[str, str] | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        find_columns(names, chosen or {})
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


QUESTIONS = ("question", "input", "query", "prompt", None)
REFERENCES = (
    *("reference", "references", "answer_key", "ground_truth", "expected"),
    *("target", "ideal", "gold", "correct_answer", "true_answer"),
)
ANSWERS = (
    *("answer", "prediction", "output", "response"),
    *("output_text", "predicted_answer", "model_answer", "completion"),
)


def test_common_names_are_found() -> None:
    for question, reference, answer in product(QUESTIONS, REFERENCES, ANSWERS):
        names = [name for name in (answer, "topic", question, reference) if name]
        assert find_columns(names, {}) == Columns(reference, answer, question)


def test_names_are_found_whatever_their_case_spaces_and_hyphens() -> None:
    columns = find_columns(["ID", "Prompt", "Ground Truth", "Model-Answer", "System", "LABEL"], {})
    assert columns == Columns("Ground Truth", "Model-Answer", "Prompt", "ID", "System", "LABEL")


def test_names_are_found_inside_item_and_sample() -> None:
    columns = find_columns(["item", "sample", "item.input", "item.reference", "sample.output_text"], {})
    assert columns == Columns("item.reference", "sample.output_text", "item.input")


def test_everything_may_be_inside_item() -> None:
    columns = find_columns(["item", "item.id", "item.query", "item.gold", "item.output"], {})
    assert columns == Columns("item.gold", "item.output", "item.query", "item.id")


def test_flat_columns_come_before_nested_ones() -> None:
    columns = find_columns(["item", "item.input", "item.gold", "sample.output_text", "output"], {})
    assert columns == Columns("item.gold", "output", "item.input")


def test_only_item_and_sample_are_looked_into() -> None:
    assert "no column is the reference" in refuse(["meta", "meta.reference", "answer"])


def test_chosen_columns_win_and_leave_the_pool() -> None:
    columns = find_columns(["answer", "prediction", "q"], {"reference": "answer", "question": "q"})
    assert columns == Columns("answer", "prediction", "q")


def test_a_chosen_column_may_differ_in_case() -> None:
    assert find_columns(["Gold", "Out"], {"answer": "out"}).answer == "Out"


def test_an_answer_beside_a_prediction_is_refused_with_both_readings() -> None:
    message = refuse(["question", "prediction", "answer"])
    assert message == (
        "the answer could be any of 'prediction', 'answer' and no column is the reference; choose with "
        "--columns reference=answer,answer=prediction or --columns reference=prediction,answer=answer"
    )


def test_two_candidates_are_refused_with_the_choices() -> None:
    message = refuse(["question", "prompt", "reference", "answer"])
    assert message == (
        "the question could be any of 'question', 'prompt'; "
        "choose with --columns question=question or --columns question=prompt"
    )


def test_several_unclear_parts_are_named_together_with_one_choice_for_all() -> None:
    names = ["question", "prompt", "gold", "output", "response", "ID", "id"]
    message = refuse(names, {"system": ""})
    assert message == (
        "the question could be any of 'question', 'prompt' and the answer could be any of 'output', 'response' "
        "and the id could be any of 'ID', 'id'; "
        "choose for example with --columns system=,question=question,answer=output,id=ID"
    )
    chosen = parse_columns(message.partition("--columns ")[2])
    assert find_columns(names, chosen) == Columns("gold", "output", "question", "ID")


def test_a_choice_for_all_finds_the_reference_among_the_answers() -> None:
    names = ["question", "prompt", "prediction", "answer"]
    message = refuse(names)
    assert message.endswith("for example with --columns question=question,reference=answer,answer=prediction")
    assert "and no column is the reference;" in message


def test_an_unclear_part_is_told_with_the_missing_ones() -> None:
    assert refuse(["question", "prompt", "answer"]) == (
        "the question could be any of 'question', 'prompt' and no column is the reference; choose with "
        "--columns question=question,reference=NAME or --columns question=prompt,reference=NAME"
    )


def test_missing_parts_are_told_together() -> None:
    assert refuse(["q", "a"]) == (
        "no column is the reference or the answer; the columns are 'q', 'a'; "
        "say which one with --columns reference=NAME,answer=NAME"
    )


@pytest.mark.parametrize("part", ["question", "id", "system", "label"])
def test_an_empty_choice_leaves_a_part_out(part: str) -> None:
    names = ["question", "gold", "answer", "id", "system", "label", ""]
    whole = Columns("gold", "answer", "question", "id", "system", "label")
    assert parse_columns(f"{part}=") == {part: ""}
    assert find_columns(names, {part: ""}) == structs.replace(whole, **{part: None})


def test_an_empty_choice_settles_an_unclear_part() -> None:
    assert find_columns(["question", "prompt", "gold", "answer"], {"question": ""}) == Columns(
        "gold", "answer"
    )


@pytest.mark.parametrize("part", ["reference", "answer"])
def test_what_every_row_needs_cannot_be_left_out(part: str) -> None:
    assert refuse(["gold", "answer", ""], {part: ""}) == (
        f"--columns names no column for the {part}, which every row needs"
    )


def test_an_empty_choice_stays_in_the_suggestion() -> None:
    assert "--columns id=,answer=output or" in refuse(["id", "gold", "output", "response"], {"id": ""})


def test_reference_and_references_are_ambiguous() -> None:
    message = refuse(["reference", "references", "answer"])
    assert "--columns reference=reference or --columns reference=references" in message


def test_what_was_chosen_stays_in_the_suggestion() -> None:
    message = refuse(["q", "gold", "output", "response"], {"question": "q"})
    assert "--columns question=q,answer=output or --columns question=q,answer=response" in message


def test_a_suggestion_can_be_pasted_into_a_shell() -> None:
    message = refuse(["gold", "Model Answer", "output"])
    assert "--columns 'answer=Model Answer'" in message


def test_no_reference_is_refused_with_the_columns_and_the_remedy() -> None:
    message = refuse(["q", "answer"])
    assert message == (
        "no column is the reference; the columns are 'q', 'answer'; say which one with --columns reference=NAME"
    )


def test_no_answer_is_refused_with_the_columns_and_the_remedy() -> None:
    assert "say which one with --columns answer=NAME" in refuse(["question", "gold"])


def test_a_left_over_answer_is_offered_as_the_reference() -> None:
    message = refuse(["answer", "prediction"], {"answer": "prediction"})
    assert "--columns answer=prediction,reference=answer" in message


def test_a_chosen_column_that_is_not_there_is_refused_with_those_that_are() -> None:
    message = refuse(["gold", "output"], {"answer": "outptu"})
    assert message == "no column 'outptu' for the answer; the columns are 'gold', 'output'"


def test_one_column_cannot_be_both_reference_and_answer() -> None:
    assert "both" in refuse(["gold"], {"reference": "gold", "answer": "gold"})


def test_a_column_without_a_name_is_not_chosen_by_a_blank() -> None:
    assert "no column" in refuse(["", "gold"], {"answer": "\r"})


def test_many_columns_are_listed_only_in_part() -> None:
    message = refuse([f"c{number}" for number in range(500)])
    assert "and 460 more" in message


@given(st.lists(st.text(), unique=True), st.dictionaries(st.sampled_from(["answer", "id"]), st.text()))
def test_any_names_give_columns_or_one_line(names: list[str], chosen: dict[str, str]) -> None:
    outcome = attempt(lambda: find_columns([*names, "gold", "Output\n", "output"], chosen))
    assert isinstance(outcome, Columns) or len(outcome.splitlines()) == 1


def test_columns_are_described_for_printing() -> None:
    columns = Columns(reference="ideal", answer="output", question="input")
    assert columns.describe() == "question=input, reference=ideal, answer=output"


def test_pairs_are_parsed() -> None:
    assert parse_columns("question=q, answer = out") == {"question": "q", "answer": "out"}
    assert parse_columns("id= , question=,answer=out") == {"id": "", "question": "", "answer": "out"}
    assert parse_columns("") == {}


def test_a_column_name_may_hold_commas_and_equals_signs() -> None:
    assert parse_columns("question=a, b,answer=x=y") == {"question": "a, b", "answer": "x=y"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("q", "pairs like question=q,answer=out"),
        ("answer=", "no column for the answer, which every row needs"),
        ("id=,reference=", "no column for the reference, which every row needs"),
        ("=x", "pairs like"),
        ("anwser=out", "the parts are question, reference, answer, id, system, label"),
        ("answer=a,answer=b", "twice"),
    ],
)
def test_malformed_pairs_are_refused(text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        parse_columns(text)


def test_an_unknown_part_is_refused() -> None:
    assert "the parts are" in refuse(["gold", "output"], {"anwser": "output"})
