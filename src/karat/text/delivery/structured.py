"""The answer inside a structured reply: tags, JSON, a call of a function."""

import ast
import re
from typing import Any

import msgspec

_KEYS = (
    "finalanswer", "shortanswer", "answer", "answertext", "finalresponse", "response", "prediction", "predictedanswer", "result", "output", "outputtext", "final", "reply",
    "completion", "generatedtext", "text", "content", "value",
)  # fmt: skip
_AROUND = (
    "arguments", "args", "kwargs", "parameters", "params", "input", "toolinput", "actioninput", "function", "data", "body", "payload", "choices", "message", "messages", "outputs",
    "candidates", "parts", "generation", "generations", "answers", "results", "items", "toolcalls", "functioncall", "action", "delta",
)  # fmt: skip
_TAG = re.compile(
    r"<(?P<name>final_?answer|answer|ans|short_answer|final|response|result|output|solution|reply)(?:\s[^<>]*)?>(?P<inner>.*?)(?:</(?P=name)>|$)|\[(?P<mark>ANSWER|FINAL ANSWER)\](?P<held>.*?)\[/(?P=mark)\]",
    re.IGNORECASE | re.DOTALL,
)
_FIELDS = re.compile(r"\[\[ ## (?P<name>\w+) ## \]\]\s*(?P<inner>.*?)(?=\[\[ ## |$)", re.DOTALL)
_CALL = re.compile(
    r"(?:^|\n|:)\s*(?:print\()?(?:final_?answer|submit(?:_answer)?|finish|answer|respond|return_answer|done|return)\s?[(\[]\s*(?:\w+\s*=\s*)?(?P<quote>[\"']{0,3})(?P<said>[^\n]*?)(?P=quote)\s*[)\]][)\s`;.]*$", re.IGNORECASE
)
_MADE = re.compile(r"^\s*[A-Za-z_][\w.]*\(.*\)\s*$", re.DOTALL)
_GIVEN = re.compile(r"\b(?P<name>\w+)\s?=\s?(?P<quote>[\"'])(?P<said>(?:\\.|(?!(?P=quote)).)*)(?P=quote)", re.DOTALL)
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})[ \t]*(?:json\w*|python|py|yaml|xml|text|txt|markdown|md|plaintext|tool_code|html)?[ \t]*\n?(?P<inner>.*?)(?:(?P=fence)|$)", re.IGNORECASE | re.DOTALL)
_BRACES = re.compile(r"(?<![\w$\\{])[{\[]")
_PAIRED = {"{": "}", "[": "]"}
_SHOWN = re.compile(r"[^\W_]")
_MOST, _DEEPEST, _MOST_STARTS = 20_000, 8, 3


def find_called(text: str) -> str | None:
    """Return the answer that a call hands over, or an object that is written out holds."""
    if "[[ ## " in text:
        fields = {found["name"].lower(): found["inner"].strip() for found in _FIELDS.finditer(text)}
        return next((fields[key] for key in ("final_answer", *_KEYS) if fields.get(key)), None)
    called = _CALL.search(text) if text.rstrip(" \n`;.")[-1:] in {")", "]"} else None
    if called:
        return called["said"]
    if _MADE.match(text):
        given = {found["name"].replace("_", "").lower(): found["said"] for found in _GIVEN.finditer(text)}
        return next((given[key] for key in _KEYS if given.get(key)), None)
    return None


def find_tagged(text: str) -> str:
    """Return what stands in the innermost tag for an answer, where there is one; else all of it."""
    while "<" in text or "[" in text:
        held = {(found["inner"] or found["held"] or "").strip() for found in _TAG.finditer(text)}
        if len(held) != 1 or not any(map(str.isalnum, *held)):
            break
        text = held.pop()
    return text


def find_in_object(text: str) -> str | None:
    """Return the answer that an object holds, where the text is one, fenced or behind a few words."""
    if len(text) > _MOST or ("{" not in text and "[" not in text):
        return None
    fenced = [found["inner"] for found in _FENCE.finditer(text)]
    sources = fenced if len(fenced) == 1 else [text] if not fenced else []
    for source in sources:
        for begin in list(_BRACES.finditer(source))[:_MOST_STARTS]:
            end = source.rfind(_PAIRED[begin[0]])
            read = _read(source[begin.start() : end + 1]) if end > begin.start() else None
            said = None if read is None else _find_answer(read, 0)
            if said is not None and _SHOWN.search(said):
                return said
    return None


def strip_fence(text: str) -> str:
    """Return what a fence holds that is all of the text."""
    found = _FENCE.fullmatch(text.strip()) if text.lstrip().startswith(("```", "~~~")) else None
    return found["inner"].strip() if found else text


def _read(text: str) -> Any:
    """Read an object or a list; Python's notation is read too."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        pass
    if "'" not in text and "None" not in text and "True" not in text:
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _find_answer(node: Any, depth: int) -> str | None:  # noqa: PLR0911 - one line per kind of value
    """Return the answer in a value: by the name of its key, in what is known to stand around one, or alone."""
    if depth > _DEEPEST:
        return None
    if isinstance(node, str):
        inner = _read(node.strip()) if node.lstrip()[:1] == "{" else None
        return node if inner is None else _find_answer(inner, depth + 1)
    if isinstance(node, bool):
        return "yes" if node else "no"
    if isinstance(node, int | float):
        return str(node)
    if isinstance(node, list | tuple):
        return _find_in_list(list(node), depth)
    return _find_in_dict(node, depth) if isinstance(node, dict) else None


def _find_in_list(nodes: list[Any], depth: int) -> str | None:
    """Return the answer of the only value, or of the only one that is not another's reasoning or source."""
    spoken = [node for node in nodes if not (isinstance(node, dict) and node.get("type") in _SILENT)]
    if depth == 0 and not all(isinstance(node, dict) for node in spoken):
        return None  # a list of plain values may be an answer of its own
    return _find_answer(spoken[0], depth + 1) if len(spoken) == 1 else None


_SILENT = ("thinking", "reasoning", "tool_use", "tool_result", "redacted_thinking", "server_tool_use", "web_search_tool_result", "citation", "source")


def _find_in_dict(node: dict[Any, Any], depth: int) -> str | None:
    named = {re.sub(r"[\s_-]", "", str(key)).lower(): value for key, value in node.items()}
    for key in (*_KEYS, *_AROUND):
        said = _find_answer(named[key], depth + 1) if named.get(key) is not None else None
        if said is not None:
            return said
    values = [value for value in named.values() if isinstance(value, str | int | float)]
    return _find_answer(values[0], depth + 1) if len(node) == 1 and values else None
