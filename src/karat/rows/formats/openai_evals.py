"""OpenAI Evals: rows of the API, exported runs and output items, the dashboard's export, and old event logs."""

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
    find_named,
    get_object,
    get_objects,
    join_id,
    list_tags,
    list_texts,
    list_verdicts,
    make_row,
    make_verdict,
    read_part,
    take_first,
)
from karat.rows.row import read_chat

_DOCUMENTED: Final = "documentation, 2026-11-18"
_ITEM: Final = "eval.run.output_item"
_RUN: Final = "eval.run"
_MOST_OPEN: Final = 100_000


def _is_of(head: Head, kind: str) -> bool:
    return bool(head.records) and all(one.get("object") == kind for one in head.records)


def _find_field(item: Mapping[str, Any], part: str) -> object:
    """The one field of an item whose name says the part."""
    named = find_named(tuple(item), part)
    if len(named) > 1:
        raise UnreadableError(f"the {part} could be any of {', '.join(f'item.{name}' for name in named)}")
    return read_part(item[named[0]], part) if named else None


def _read_output(sample: Mapping[str, Any], item: Mapping[str, Any]) -> object:
    """The text of the last message of a sample; of the item where nothing was sampled."""
    if sample.get("output_text") is not None:
        return sample["output_text"]
    messages = get_objects(sample, "output") or get_objects(sample, "outputs")
    if not messages:
        return _find_field(item, "answer")
    return read_part(messages[-1].get("content"), "answer") or ""


def _make(
    record: Source, item: Mapping[str, Any], *, number: object, system: object, verdicts: dict[str, Any]
) -> Flat:
    return make_row(
        id=join_id(number, record.get("run_id")),
        question=_find_field(item, "question"),
        references=_find_field(item, "reference"),
        answer=_read_output(get_object(record, "sample"), item),
        system=system,
        verdicts=verdicts,
        tags={"run_id": record.get("run_id")}
        | ({"row": record["id"]} if "id" in record else {})
        | list_tags({"item": item, "status": record.get("status")}, "item"),
    )


def _read_item(record: Source, _: Head) -> Flat:
    results = get_objects(record, "results")
    sample = get_object(record, "sample")
    return _make(
        record,
        get_object(record, "datasource_item"),
        number=record.get("datasource_item_id"),
        system=sample.get("model") or record.get("run_id"),
        verdicts=list_verdicts(results, "name", passed="passed"),
    )


def _read_download(record: Source, _: Head) -> Flat:
    grades, passes = get_object(record, "grades"), get_object(record, "passes")
    return _make(
        record,
        get_object(record, "item"),
        number=record.get("data_source_idx"),
        system=record.get("run_id"),
        verdicts={name: make_verdict(passes.get(name), grades.get(name)) for name in {**grades, **passes}},
    )


def _start_runs(head: Head) -> Mapper:
    def read(record: Source) -> Iterable[Flat]:
        items = get_objects(record, "output_items") or get_objects(get_object(record, "output_items"), "data")
        return [_read_item(item, head) for item in items]

    return read


def _start_log(_: Head) -> Mapper:
    """Events belong together by their sample: what was sampled, then how it matched."""
    sampled: dict[str, Source] = {}
    models: list[str] = []

    def read(record: Source) -> Iterable[Flat]:
        if "spec" in record:
            models[:] = list_texts(get_object(record, "spec").get("completion_fns"))
        name, data = record.get("sample_id"), get_object(record, "data")
        if record.get("type") == "sampling" and isinstance(name, str) and len(sampled) < _MOST_OPEN:
            sampled.setdefault(name, data)
        if record.get("type") != "match" or not isinstance(name, str):
            return
        asked = sampled.pop(name, {})
        correct = data.get("correct")
        yield make_row(
            id=name,
            question=_read_prompt(asked.get("prompt")),
            references=data.get("expected"),
            answer=take_first(data.get("sampled", asked.get("sampled"))),
            system=asked.get("model") or (models[0] if models else None),
            verdicts={"openai-evals": make_verdict(correct, correct)},
            tags={"run_id": record.get("run_id")},
        )

    return read


def _read_prompt(prompt: object) -> object:
    chat = read_chat(prompt)
    return prompt if chat is None and isinstance(prompt, str) else chat


def _leave_out(_: Source, __: Head) -> None:
    """No row: the file holds none."""


def _is_log(head: Head) -> bool:
    return any("spec" in one for one in head.records[:2]) and any(
        "final_report" in one or "event_id" in one for one in head.records
    )


FORMATS: Final = (
    Format(
        "openai-evals", "OpenAI Evals output items", _DOCUMENTED,
        {"question": "datasource_item", "reference": "datasource_item", "answer": "sample.output",
         "id": "datasource_item_id and run_id", "system": "sample.model"},
        lambda head: _is_of(head, _ITEM),
        each(_read_item),
        lists=("data", "output_items"),
        lacks="name the field of the items that holds it, as in --columns reference=datasource_item.FIELD",
    ),
    Format(
        "openai-evals-runs", "OpenAI Evals export", _DOCUMENTED,
        {"question": "datasource_item", "reference": "datasource_item", "answer": "sample.output",
         "id": "datasource_item_id and run_id", "system": "sample.model"},
        lambda head: _is_of(head, _RUN),
        _start_runs,
        lists=("runs",),
        lacks="runs hold counts and items, but no answers; fetch the output items of each run, and grade those",
        beside=True,
    ),
    Format(
        "openai-evals-eval",
        "OpenAI Evals eval",
        _DOCUMENTED,
        {},
        lambda head: head.document.get("object") == "eval",
        each(_leave_out),
        lists=("testing_criteria",),
        lacks="an eval holds criteria, but no answers; fetch the output items of its runs, and grade those",
        beside=True,
    ),
    Format(
        "openai-evals-dashboard", "OpenAI Evals dashboard export", _DOCUMENTED,
        {"question": "item", "reference": "item", "answer": "sample.outputs", "id": "data_source_idx and run_id",
         "system": "run_id"},
        lambda head: head.has("run_id", "data_source_idx", "item"),
        each(_read_download),
        lacks="name the field of the items that holds it, as in --columns reference=item.FIELD",
    ),
    Format(
        "openai-evals-log", "OpenAI Evals event log", "openai/evals, evals 3.0.1.post1",
        {"question": "prompt", "reference": "expected", "answer": "sampled", "id": "sample_id", "system": "model"},
        _is_log, _start_log,
        lacks="only match events name what was expected; a graded eval keeps its references in the grader's prompt",
    ),
    Format(
        "openai-evals-rows", "OpenAI Evals rows", _DOCUMENTED,
        {"system": "sample.model"},
        lambda head: head.has("item") and all(one.keys() <= {"item", "sample"} for one in head.records),
    ),
)  # fmt: skip
