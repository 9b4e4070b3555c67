"""Public data sets with a column of predictions beside them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Mapper,
    Source,
    UnreadableError,
    each,
    get_object,
    get_objects,
    join_id,
    list_tags,
    list_texts,
    make_row,
)
from karat.rows.names import COMMON_NAMES, find_role, simplify

_MADE: Final = "documentation, 2026-11-18"
_SOLVED: Final = "#### "
_LACKS: Final = "put the model's answers beside the questions, in a column called prediction"
_HUMAN: Final = {"correct answer": True, "incorrect answer": False}


def _find_answer(record: Mapping[str, Any], *leave: str) -> object:
    """The one column of the model's answers beside those of the data set."""
    named = [name for name in record if simplify(name) in COMMON_NAMES["answer"] and name not in leave]
    if len(named) > 1:
        raise UnreadableError(f"the answer could be any of {', '.join(named)}")
    return record[named[0]] if named else None


def _read_gsm8k(record: Source, _: Head) -> Flat:
    solution = str(record.get("answer"))
    return make_row(
        id=record.get("id"),
        question=record.get("question"),
        references=solution.rpartition(_SOLVED)[2].strip(),
        answer=_find_answer(record, "answer"),
        tags={"solution": solution} | list_tags(record),
    )


def _read_triviaqa(record: Source, _: Head) -> Flat:
    answer = get_object(record, "answer")
    return make_row(
        id=record.get("question_id"),
        question=record.get("question"),
        references=list_texts(answer.get("value"), answer.get("aliases")) or None,
        answer=_find_answer(record, "answer"),
        tags=list_tags(record, leave=("question_id",)),
    )


def _read_truthfulqa(record: Source, _: Head) -> Flat:
    fields = {simplify(name): value for name, value in record.items()}
    best, others = fields.get("bestanswer"), fields.get("correctanswers")
    listed = [one.strip() for one in others.split(";")] if isinstance(others, str) else others
    own = [name for name in record if simplify(name) in ("bestanswer", "correctanswers")]
    return make_row(
        question=fields.get("question"),
        references=[text for text in list_texts(best, listed) if text] or None,
        answer=_find_answer(record, *own),
        tags=list_tags({simplify(name): value for name, value in record.items() if name not in own}),
    )


def _read_financebench(record: Source, _: Head) -> Flat:
    label = record.get("label")
    system = record.get("model_name")
    row = make_row(
        id=join_id(record.get("financebench_id"), system),
        question=record.get("question"),
        references=record.get("gold_answer"),
        answer=record.get("model_answer"),
        system=system,
        tags={"human_label": label} | list_tags(record, leave=("gold_answer", "model_answer")),
    )
    known = _HUMAN.get(str(label).casefold())
    return row if known is None else {**row, "label": known}


def _start_squad(_: Head) -> Mapper:
    def read(record: Source) -> Iterable[Flat]:
        for paragraph in get_objects(record, "paragraphs"):
            for one in get_objects(paragraph, "qas"):
                texts = [answer.get("text") for answer in get_objects(one, "answers")]
                yield make_row(
                    id=one.get("id"),
                    question=one.get("question"),
                    references=list_texts(texts) or None,
                    answer=_find_answer(one),
                    tags={"title": record.get("title")},
                )

    return read


def _is_gsm8k(head: Head) -> bool:
    return (
        head.has("question", "answer")
        and _lacks_reference(head)
        and all(isinstance(one["answer"], str) and _SOLVED in one["answer"] for one in head.records)
    )


def _has_columns(head: Head, *names: str) -> bool:
    return bool(head.records) and {simplify(name) for name in names} <= {
        simplify(name) for name in head.records[0]
    }


def _has_texts(head: Head, name: str) -> bool:
    return head.has(name) and all(isinstance(one[name], list) for one in head.records)


def _lacks_reference(head: Head) -> bool:
    """Check that no column is called like a reference, beside which `answer` would be the model's."""
    names = {name for one in head.records for name in one}
    return not any((role := find_role(name)) is not None and role[0] == "reference" for name in names)


FORMATS: Final = (
    Format(
        "squad", "SQuAD with predictions", _MADE,
        {"reference": "answers.text"},
        lambda head: head.has("question", "answers.text", "answers.answer_start") and _lacks_reference(head),
        lacks=_LACKS,
    ),
    Format(
        "squad-official", "SQuAD", _MADE,
        {"question": "paragraphs.qas.question", "reference": "paragraphs.qas.answers.text", "id": "paragraphs.qas.id"},
        lambda head: head.has("paragraphs"),
        _start_squad,
        lists=("data",),
        lacks="grade the file of predictions, with this one as --references and --on id",
    ),
    Format(
        "triviaqa", "TriviaQA with predictions", _MADE,
        {"question": "question", "reference": "answer.value and answer.aliases", "id": "question_id"},
        lambda head: head.has("question", "answer.value", "answer.aliases"),
        each(_read_triviaqa),
        lacks=_LACKS,
    ),
    Format(
        "gsm8k", "GSM8K with predictions", _MADE,
        {"question": "question", "reference": "answer after ####"},
        _is_gsm8k,
        each(_read_gsm8k),
        lacks=_LACKS,
    ),
    Format(
        "truthfulqa", "TruthfulQA with predictions", _MADE,
        {"question": "question", "reference": "best answer and correct answers"},
        lambda head: _has_columns(head, "question", "best_answer", "correct_answers", "incorrect_answers"),
        each(_read_truthfulqa),
        lacks=_LACKS,
    ),
    Format(
        "financebench-results", "FinanceBench results", _MADE,
        {"question": "question", "reference": "gold_answer", "answer": "model_answer",
         "id": "financebench_id and model_name", "system": "model_name", "label": "label"},
        lambda head: head.has("financebench_id", "gold_answer", "model_answer"),
        each(_read_financebench),
    ),
    Format(
        "financebench", "FinanceBench with predictions", _MADE,
        {"id": "financebench_id", "reference": "answer"},
        lambda head: head.has("financebench_id", "question", "answer") and _lacks_reference(head),
    ),
    Format(
        "hotpotqa", "HotpotQA with predictions", _MADE,
        {"reference": "answer"},
        lambda head: head.has("question", "answer", "supporting_facts") and _lacks_reference(head),
    ),
    Format(
        "simpleqa", "SimpleQA with predictions", _MADE,
        {"question": "problem", "reference": "answer"},
        lambda head: head.has("problem", "answer", "metadata") and _lacks_reference(head),
    ),
    Format(
        "nq-open", "NQ-open with predictions", _MADE,
        {"reference": "answer"},
        lambda head: head.has("question") and _has_texts(head, "answer") and _lacks_reference(head),
    ),
)  # fmt: skip
