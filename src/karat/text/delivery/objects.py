"""The answer inside an object: JSON or Python's notation, whole, fenced, or on lines of a stream."""

import ast
import re
from decimal import Decimal
from math import isfinite
from typing import TypeAlias, cast

import msgspec

from karat.text.delivery.losing import is_blank, retracts
from karat.text.vocabulary import list_words

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"
ANSWER_KEYS = (
    "finalanswer", "shortanswer", "answer", "answertext", "finalresponse", "response", "prediction", "predictedanswer", "result", "output", "outputtext", "reply", "completion", "generatedtext", "fulfillmenttext",
)  # fmt: skip
_LOOSE_KEYS = ("final", "text", "content", "value", "delta", "string")
_SIDE_KEYS = frozenset(
    list_words(
        "type role id index confidence score sources citations source finishreason stopreason usage model language event done status annotations logprobs name object created kind toolused passageid relevance refusal stopsequence iserror jsonrpc error err log cached latency timestamp"
    )
)
"""Keys that name an answer, those that may where all others are known to be none, and these."""
_AROUND = (
    "arguments", "args", "kwargs", "parameters", "params", "toolinput", "actioninput", "function", "data", "body", "payload", "choices", "message", "messages", "outputs",
    "candidates", "parts", "generation", "generations", "answers", "results", "toolcalls", "functioncall", "outputs",
)  # fmt: skip
_SILENT = frozenset(
    list_words(
        "thinking think reasoning redacted_thinking tool_use tool_result server_tool_use web_search_tool_result citation source sources start end"
    )
)
"""Kinds of parts that are not the answer."""
_LINED = re.compile(r"^(?:data:[ ]*)?(?P<object>\{.*\})\s*$", re.MULTILINE)
_FENCE = re.compile(
    r"(?P<fence>`{3,}|~{3,})[ \t]*(?:json\w*|python|py|yaml|xml|text|txt|markdown|md|plaintext|tool_code|html)?[ \t]*\n?(?P<inner>.*?)(?:(?P=fence)|$)",
    re.IGNORECASE | re.DOTALL,
)
_BRACES = re.compile(r"(?<![\w$\\{])[{\[]")
_PAIRED = {"{": "}", "[": "]"}
_MOST, _DEEPEST, _GREATEST = 20_000, 8, 10**30


def find_in_object(text: str) -> str | None:
    """Return the answer that an object holds, where the text is one, fenced or announced."""
    if len(text) > _MOST or ("{" not in text and "[" not in text):
        return None
    fenced = list(_FENCE.finditer(text))
    lead = text[: fenced[0].start()] if fenced else ""
    source = fenced[0]["inner"] if len(fenced) == 1 else "" if fenced else text
    begin = _BRACES.search(source)
    end = source.rfind(_PAIRED[begin[0]]) if begin else -1
    if begin is None or end < begin.start() or not _is_lead(lead + source[: begin.start()]):
        return None
    tail = (text[fenced[0].end() :] if fenced else "") + source[end + 1 :]
    if retracts(tail):
        return None
    said = _find_answer(_read(source[begin.start() : end + 1]), 0)
    return None if said is None or is_blank(said) else said


def _is_lead(before: str) -> bool:
    """Tell whether what stands before an object announces it; anything else may be an answer of its own."""
    return not before.strip() or before.rstrip().endswith(":")


def find_lined(text: str) -> str | None:
    """Return the answer of the first of several objects on lines of their own that has one by name."""
    lines = [found["object"] for found in _LINED.finditer(text)]
    for line in lines if len(lines) > 1 or text.startswith("data:") else []:
        read = _read(line)
        said = _find_by_name(read, 1) if isinstance(read, dict) and not _is_silent(read) else None
        if said:
            return said
    return None


def strip_fence(text: str) -> str:
    """Return what a fence holds that is all of the text."""
    found = _FENCE.fullmatch(text.strip()) if text.lstrip().startswith(("```", "~~~")) else None
    return found["inner"].strip() if found and found["fence"] not in found["inner"] else text


def _read(text: str) -> Value:
    """Read an object or a list; what cannot be read is nothing."""
    try:
        return cast("Value", msgspec.json.decode(text))
    except (msgspec.DecodeError, RecursionError):
        pass
    if "'" not in text and "None" not in text and "True" not in text:
        return None
    try:
        return cast("Value", ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _is_silent(node: Value) -> bool:
    """Tell whether a part of a reply says of itself that it is reasoning, a source or the like."""
    return isinstance(node, dict) and str(node.get("type") or node.get("event") or "").lower() in _SILENT


def _find_answer(node: Value, depth: int) -> str | None:
    """Return the answer in a value: by the name of its key, in what is known to stand around one, or alone."""
    if depth > _DEEPEST:
        return None
    if isinstance(node, dict):
        return _find_by_name(node, depth) or _find_alone(node, depth)
    if isinstance(node, list | tuple):
        return _find_in_list(node, depth)
    if isinstance(node, str):
        inner = _read(node.strip()) if node.lstrip().startswith("{") else None
        return node if inner is None else _find_answer(inner, depth + 1)
    return _write(node) if isinstance(node, bool | int | float) else None


def _write(node: float) -> str | None:
    """Write a number without an exponent, and true and false as yes and no."""
    if isinstance(node, bool):
        return "yes" if node else "no"
    if isinstance(node, int):
        return str(node) if abs(node) < _GREATEST else None
    return format(Decimal(repr(node)), "f") if isfinite(node) else None


def _find_in_list(nodes: "list[Value]", depth: int) -> str | None:
    """Return the answer of the only part that is not silent; a list of plain values may be an answer of its own."""
    spoken = [node for node in nodes if not _is_silent(node)]
    if len(spoken) != 1 or (depth == 0 and not isinstance(spoken[0], dict)):
        return None
    return _find_answer(spoken[0], depth + 1)


def _find_by_name(node: "dict[str, Value]", depth: int) -> str | None:
    named = {re.sub(r"[\s_-]", "", str(key)).lower(): value for key, value in node.items()}
    known = {key for key in named if key in _SIDE_KEYS or key in _LOOSE_KEYS or key in _AROUND}
    keys = (*ANSWER_KEYS, *(_LOOSE_KEYS if known == set(named) else ()), *_AROUND)
    found = (_find_answer(named[key], depth + 1) for key in keys if key in named)
    return next((said for said in found if said is not None), None)


def _find_alone(node: "dict[str, Value]", depth: int) -> str | None:
    """Return the one plain value of an object that has no other, and is not about the reply."""
    [(key, value), *others] = node.items() or [("", None)]
    plain = isinstance(value, str | int | float) and not others and str(key).lower() not in _SIDE_KEYS
    return _find_answer(value, depth + 1) if plain else None
