"""lm-evaluation-harness: the samples that `--log_samples` writes."""

from typing import Any, Final, cast

from karat.rows.cells import read_text
from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    UnreadableError,
    each,
    find_named,
    get_object,
    join_id,
    list_tags,
    list_texts,
    make_row,
    take_first,
)
from karat.rows.formats.grades import make_grade
from karat.rows.row import read_list

_PAIR: Final = 2


def _read_sample(record: Source, _: Head) -> Flat:
    document = record.get("doc")
    fields = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    named = find_named(tuple(fields), "question")
    arguments = _read_arguments(record.get("arguments"))
    question = fields[named[0]] if len(named) == 1 else arguments[0][0] if arguments else None
    replies = record.get("filtered_resps")
    answers = cast("list[Any]", replies) if isinstance(replies, list) else [replies]
    target = record.get("target")
    if answers and all(isinstance(one, list) and len(cast("Any", one)) == _PAIR for one in answers):
        references, answer = _read_choice(target, answers, [choice.strip() for _, choice in arguments])
    else:
        listed = read_list(target, written_by_python=True) if isinstance(target, str) else target
        references, answer = list_texts(listed), answers[0] if answers else None
    filtered = record.get("filter")
    return make_row(
        id=join_id(record.get("doc_id"), None if filtered == "none" else filtered),
        question=question,
        references=references,
        answer=take_first(answer),
        verdicts={
            name: make_grade(record[name]) for name in list_texts(record.get("metrics")) if name in record
        },
        tags=list_tags(record, "doc", leave=("target", "doc_hash", "prompt_hash", "target_hash", "metrics")),
    )


def _read_arguments(arguments: object) -> list[tuple[str, str]]:
    """The prompt and the continuation of each request; of both shapes that versions write."""
    if isinstance(arguments, dict):
        requests = cast("dict[str, Any]", arguments)
        pairs: list[Any] = [list(get_object(requests, name).values()) for name in requests]
    else:
        pairs = cast("list[Any]", arguments) if isinstance(arguments, list) else []
    pairs = [cast("list[Any]", pair) for pair in pairs if isinstance(pair, list)]
    return [(str(pair[0]), str(pair[1]) if len(pair) > 1 else "") for pair in pairs if pair]


def _read_choice(target: object, likelihoods: list[Any], choices: list[str]) -> tuple[list[str], str]:
    """The right choice and the likeliest one, as texts."""
    if len(choices) != len(likelihoods):
        raise UnreadableError("the choices and their likelihoods do not match")
    try:
        values = [float(one[0]) for one in likelihoods]
    except (TypeError, ValueError):
        raise UnreadableError("a likelihood is no number") from None
    best = values.index(max(values))
    text = read_text(target) or ""
    number = int(text) if text.isdecimal() else None
    if number is not None and number < len(choices):
        return [choices[number]], choices[best]
    if text.strip() in choices:
        return [text.strip()], choices[best]
    raise UnreadableError(f"the target {text!r} is none of the choices")


FORMATS: Final = (
    Format(
        "lm-eval", "lm-evaluation-harness samples", "lm_eval 0.4.13",
        {"question": "doc", "reference": "target", "answer": "filtered_resps", "id": "doc_id and filter"},
        lambda head: head.has("doc_id", "doc", "target", "filtered_resps"),
        each(_read_sample),
        lacks="the samples have no target",
    ),
)  # fmt: skip
