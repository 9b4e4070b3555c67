"""promptfoo: results as JSON, JSONL and CSV, and CSV tests with `__expected`."""

import re
from collections.abc import Iterable
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
    make_row,
    make_verdict,
    read_part,
)
from karat.rows.formats.grades import make_grade

_COMPARED: Final = frozenset(
    {"equals", "contains", "icontains", "contains-any", "icontains-any", "starts-with", "similar", "factuality",
     "model-graded-factuality", "levenshtein", "rouge-n", "bleu"}
)  # fmt: skip
_EXPECTED: Final = re.compile(r"\s*([\w-]+)(?:\([\d.]+\))?:\s*(.*)", re.DOTALL)
_ERROR: Final = 2
_LISTS: Final = frozenset({"contains-any", "icontains-any"})
_OUTPUT: Final = re.compile(r"\[([^\]]+)\] ")
_MADE: Final = "promptfoo 0.121.20"


def _read_result(record: Source, _: Head) -> Flat:
    test, variables = get_object(record, "testCase"), get_object(record, "vars")
    provider = get_object(record, "provider")
    system = provider.get("label") or provider.get("id") or record.get("provider")
    response = get_object(record, "response")
    name = record.get("testIdx")
    prompt = record.get("promptIdx")
    return make_row(
        id=join_id(name, system, f"prompt-{prompt}" if prompt is not None else None),
        question=_find_variable(variables, "question") or get_object(record, "prompt").get("raw"),
        references=_find_variable(variables, "reference") or _read_assertions(get_objects(test, "assert")),
        answer=_text(response.get("output")),
        system=system,
        verdicts={"promptfoo": _read_grade(record)},
        tags={
            "test": name,
            "description": test.get("description"),
            "label": _read_label(get_object(record, "gradingResult")),
        }
        | {f"vars.{key}": value for key, value in variables.items() if isinstance(value, str)}
        | list_tags(record, leave=("success", "score", "testIdx", "promptId", "error", "prompt")),
    )


def _read_grade(record: Source) -> dict[str, Any]:
    """Whether all assertions hold; where one could not be tested, there is no grade."""
    if record.get("failureReason") == _ERROR:
        return make_verdict(None, None, error=record.get("error"))
    reason = get_object(record, "gradingResult").get("reason")
    return make_verdict(record.get("success"), record.get("score"), reason=reason)


def _read_label(result: Source) -> bool | None:
    """What a person said with the thumbs of the viewer; it overrides the assertions."""
    parts = get_objects(result, "componentResults")
    said = [one.get("pass") for one in parts if get_object(one, "assertion").get("type") == "human"]
    return said[-1] if said and isinstance(said[-1], bool) else None


def _find_variable(variables: dict[str, Any], part: str) -> object:
    """The one variable whose name says the part."""
    named = find_named(tuple(variables), part)
    if len(named) > 1:
        raise UnreadableError(f"the {part} could be any of {', '.join(f'vars.{name}' for name in named)}")
    return variables[named[0]] if named else None


def _read_assertions(assertions: list[dict[str, Any]]) -> list[str] | None:
    """The texts with which assertions compare the output."""
    values = [one.get("value") for one in assertions if str(one.get("type")) in _COMPARED]
    return [text for text in list_texts(*values) if "{{" not in text] or None


def _text(output: object) -> object:
    try:
        return read_part(output, "answer")
    except UnreadableError:
        return output


def _is_result_table(head: Head) -> bool:
    return any(_OUTPUT.match(name) for name in _columns(head)) and head.some("Status")


def _columns(head: Head) -> list[str]:
    return list(head.records[0]) if head.records else []


def _start_table(head: Head) -> Mapper:
    """One row for each column of outputs."""
    outputs = {name: match[1] for name in _columns(head) if (match := _OUTPUT.match(name))}
    own = _columns(head)[: next((n for n, name in enumerate(_columns(head)) if name in outputs), 0)]

    def read(record: Source) -> Iterable[Flat]:
        variables = {name: record[name] for name in own if name in record and name != "Description"}
        for number, (column, system) in enumerate(outputs.items(), 1):
            status = record.get("Status" if number == 1 else f"Status {number}")
            yield make_row(
                question=_find_variable(variables, "question"),
                references=_find_variable(variables, "reference"),
                answer=record.get(column),
                system=system,
                verdicts={"promptfoo": make_grade(status)},
                tags={"description": record.get("Description")}
                | {f"vars.{name}": value for name, value in variables.items()},
            )

    return read


def _read_test(record: Source, _: Head) -> Flat:
    expected = [value for name, value in record.items() if name.startswith("__expected") and value]
    found = [match.groups() for text in expected if (match := _EXPECTED.fullmatch(text))]
    plain = [text for text in expected if not _EXPECTED.fullmatch(text)]
    texts = [
        one.strip()
        for kind, text in found
        if kind in _COMPARED
        for one in (text.split(",") if kind in _LISTS else [text])
    ]
    fields = {name: value for name, value in record.items() if not name.startswith("__")}
    return make_row(
        id=record.get("__description") or None,
        question=_find_variable(fields, "question"),
        references=list_texts(*plain, *texts) or None,
        answer=_find_variable(fields, "answer"),
        tags={f"vars.{name}": value for name, value in fields.items()},
    )


FORMATS: Final = (
    Format(
        "promptfoo", "promptfoo results", _MADE,
        {"question": "vars", "reference": "vars or testCase.assert", "answer": "response.output",
         "id": "testIdx, provider and promptIdx", "system": "provider", "label": "ratings by people"},
        lambda head: head.has("promptIdx", "testIdx", "vars"),
        each(_read_result),
        lists=("results.results", "results"),
        lacks="no variable is called reference (or ground_truth, expected, ...), and no assertion compares with a text",
    ),
    Format(
        "promptfoo-csv", "promptfoo results", _MADE,
        {"answer": "the columns of outputs", "id": "line and [provider]", "system": "[provider]"},
        _is_result_table, _start_table,
        lacks="a CSV holds no assertions; write the results as JSON: promptfoo export eval ID -o results.json",
    ),
    Format(
        "promptfoo-tests", "promptfoo tests", _MADE,
        {"reference": "__expected", "id": "__description"},
        lambda head: any(name.startswith("__expected") for name in _columns(head)),
        each(_read_test),
        lacks="these are tests; run them, and grade the results: promptfoo eval -o results.json",
    ),
)  # fmt: skip
