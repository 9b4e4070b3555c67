"""Extract the answer from JSON, markup, calls and tables."""

import ast
import html
import re
from decimal import Decimal
from math import isfinite
from typing import TypeAlias, cast

import msgspec

from karat.text.hedges import may_retract
from karat.text.lexicon import any_case, word_set
from karat.text.normal import is_blank

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"
_ANSWER_KEYS = (
    "finalanswer", "shortanswer", "answer", "answertext", "finalresponse", "response", "prediction", "predictedanswer", "result", "output", "outputtext", "reply", "completion", "generatedtext", "fulfillmenttext",
)  # fmt: skip
_LOOSE_KEYS = ("final", "text", "content", "value", "delta", "string")
_SIDE_KEYS = word_set(
    "type role id index confidence score sources citations source finishreason stopreason usage model language event done status annotations logprobs name object created kind toolused passageid relevance refusal stopsequence iserror jsonrpc error err log cached latency timestamp"
)
"""Keys of an answer, keys that may be of one if all others are known, and keys that are never of an answer."""
_AROUND = (
    "arguments", "args", "kwargs", "parameters", "params", "toolinput", "actioninput", "function", "data", "body", "payload", "choices", "message", "messages", "outputs",
    "candidates", "parts", "generation", "generations", "answers", "results", "toolcalls", "functioncall",
)  # fmt: skip
_KNOWN_KEYS = _SIDE_KEYS.union(_LOOSE_KEYS, _AROUND)
_SILENT = word_set(
    "thinking think reasoning redacted_thinking tool_use tool_result server_tool_use web_search_tool_result citation source sources start end"
)
"""Types of parts that are not the answer."""
_LINED = re.compile(r"^(?:data:[ ]*)?(?P<object>\{.*\})\s*$", re.MULTILINE)
_FENCE = re.compile(
    r"(?P<fence>`{3,}|~{3,})[ \t]*(?:json\w*|python|py|yaml|xml|text|txt|markdown|md|plaintext|tool_code|html)?[ \t]*\n?(?P<inner>.*?)(?:(?P=fence)|$)",
    re.IGNORECASE | re.DOTALL,
)
_BRACES = re.compile(r"(?<![\w$\\{])[{\[]")
_PAIRED = {"{": "}", "[": "]"}
_LONGEST_OBJECT, _DEEPEST, _GREATEST = 20_000, 8, 10**30


def find_in_object(text: str) -> str | None:
    """Return the answer in an object, if the text is an object, also in a code fence or after a colon."""
    if len(text) > _LONGEST_OBJECT or ("{" not in text and "[" not in text):
        return None
    fenced = list(_FENCE.finditer(text))
    lead = text[: fenced[0].start()] if fenced else ""
    source = fenced[0]["inner"] if len(fenced) == 1 else "" if fenced else text
    begin = _BRACES.search(source)
    end = source.rfind(_PAIRED[begin[0]]) if begin else -1
    if begin is None or end < begin.start():
        return None
    before = (lead + source[: begin.start()]).rstrip()
    if before and not before.endswith(":"):  # without a colon it may itself be the answer
        return None
    tail = (text[fenced[0].end() :] if fenced else "") + source[end + 1 :]
    if may_retract(tail):
        return None
    said = _find_answer(_parse_object(source[begin.start() : end + 1]), 0)
    return None if said is None or is_blank(said) else said


def find_in_lines(text: str) -> str | None:
    """Return the first answer in JSON lines or server-sent events, from a key that names it."""
    lines = [found["object"] for found in _LINED.finditer(text)]
    for line in lines if len(lines) > 1 or text.startswith("data:") else []:
        read = _parse_object(line)
        said = _find_by_name(read, 1) if isinstance(read, dict) and not _is_silent(read) else None
        if said:
            return said
    return None


def strip_fence(text: str) -> str:
    """Return the content of a code fence, if the text is nothing else."""
    found = _FENCE.fullmatch(text.strip()) if text.lstrip().startswith(("```", "~~~")) else None
    return found["inner"].strip() if found and found["fence"] not in found["inner"] else text


def _parse_object(text: str) -> JsonValue:
    """Parse an object or a list in JSON or Python. Return None if that fails."""
    try:
        return cast("JsonValue", msgspec.json.decode(text))
    except (msgspec.DecodeError, RecursionError):
        pass
    if "'" not in text and "None" not in text and "True" not in text:
        return None
    try:
        return cast("JsonValue", ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _is_silent(node: JsonValue) -> bool:
    """Return whether the type of a part says that it is no answer, but reasoning, a source or a tool call."""
    return isinstance(node, dict) and str(node.get("type") or node.get("event") or "").lower() in _SILENT


def _find_answer(node: JsonValue, depth: int) -> str | None:
    """Return the answer in a value: by its key, inside a known container, or as the only value."""
    if depth > _DEEPEST:
        return None
    if isinstance(node, dict):
        return _find_by_name(node, depth) or _find_alone(node, depth)
    if isinstance(node, list | tuple):
        return _find_in_list(node, depth)
    if isinstance(node, str):
        inner = _parse_object(node.strip()) if node.lstrip().startswith("{") else None
        return node if inner is None else _find_answer(inner, depth + 1)
    return _format_scalar(node) if isinstance(node, bool | int | float) else None


def _format_scalar(node: float) -> str | None:
    """Format a number without an exponent, and true and false as yes and no."""
    if isinstance(node, bool):
        return "yes" if node else "no"
    if isinstance(node, int):
        return str(node) if abs(node) < _GREATEST else None
    return format(Decimal(repr(node)), "f") if isfinite(node) else None


def _find_in_list(nodes: "list[JsonValue]", depth: int) -> str | None:
    """Return the answer of the only part that can have one. A list of plain values may itself be the answer."""
    parts = [node for node in nodes if not _is_silent(node)]
    if len(parts) != 1 or (depth == 0 and not isinstance(parts[0], dict)):
        return None
    return _find_answer(parts[0], depth + 1)


def _find_by_name(node: "dict[str, JsonValue]", depth: int) -> str | None:
    named = {_plain_key(str(key)): value for key, value in node.items()}
    loose = _LOOSE_KEYS if _KNOWN_KEYS.issuperset(named) else ()
    keys = (*_ANSWER_KEYS, *loose, *_AROUND)
    found = (_find_answer(named[key], depth + 1) for key in keys if key in named)
    return next((said for said in found if said is not None), None)


def _plain_key(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


def _find_alone(node: "dict[str, JsonValue]", depth: int) -> str | None:
    """Return the plain value of an object with one key, unless the key is of metadata."""
    [(key, value), *others] = node.items() or [("", None)]
    plain = isinstance(value, str | int | float) and not others and str(key).lower() not in _SIDE_KEYS
    return _find_answer(value, depth + 1) if plain else None


# HTML and escapes.

_BREAK = any_case(r"<br\s*/?>|</(?:p|div|li|tr|h[1-6]|td|th|summary)>")
_HEAD = re.compile(
    r"<(?P<name>head|style|script|summary)(?:\s[^<>]*)?>.*?</(?P=name)>|<!--.*?-->|<!doctype[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_TAG = any_case(
    r"</?(?:p|b|i|em|strong|u|span|div|ul|ol|li|h[1-6]|code|pre|blockquote|font|mark|small|a|td|tr|table|tbody|thead|th|html|body|section|article|main|details|speak|prosody|emphasis|voice|say-as)(?:\s[^<>]*)?/?>"
)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_PROLOG = re.compile(r"<\?xml[^<>]{0,120}\?>\s{0,4}")
_ENTITY = any_case(r"&(?:#\d{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,8});")
_LATEX_TEXT = re.compile(r"\s*\$+\s*\\(?:text|mathrm|textbf)\{([^{}]*)\}\s*\$+\s*\.?\s*")
_ESCAPED = re.compile(r"^(?:\\n)+|(?:\\n)+$|(?:\\n){2,}")
_INLINE = any_case(r"<(?P<name>b|i|em|strong|u|mark|span)(?:\s[^<>]{0,80})?>(?P<inner>[^<>]*)</(?P=name)>")
_BREAK_AT_END = any_case(r"(?:\s?<br\s?/?>){1,4}\s*$")
_COLOUR = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_BYTE = re.compile(r"<0x0A>|▁|Ġ|Ċ")


def strip_markup(text: str) -> str:
    """Return the text of HTML. In prose, which may be about tags, remove only pairs of tags for type."""
    if text.lstrip().startswith("<") and "</" in text:
        text = _TAG.sub("", _BREAK.sub("\n", _HEAD.sub("", text)))
    text = _BREAK_AT_END.sub("", _INLINE.sub(r"\g<inner>", text) if "</" in text else text)
    if "&" in text and _ENTITY.search(text):
        text = html.unescape(text)
    typeset = _LATEX_TEXT.fullmatch(text) if "\\" in text else None
    text = typeset[1] if typeset else text
    if "\\n" in text and "\n" not in text:
        text = _ESCAPED.sub("\n", text)
    return _BYTE.sub(" ", text) if _BYTE.search(text) else text


def strip_colours(text: str) -> str:
    """Return the text without the colour codes of terminals."""
    return _COLOUR.sub("", text) if "\x1b" in text else text


def strip_prolog(text: str) -> str:
    """Return an XML document without its declaration and CDATA marks."""
    return _PROLOG.sub("", _CDATA.sub(r"\1", text)) if "<?xml" in text or "<![CDATA[" in text else text


# Calls, and the printed form of objects.

_FIELD_MARKS = re.compile(r"\[\[ ## (?P<name>\w+) ## \]\]\s*(?P<inner>.*?)(?=\[\[ ## |$)", re.DOTALL)
_CALL = any_case(
    r"(?:^|\n|:)\s*(?:print\()?(?:final_?answer|submit(?:_answer)?|finish|respond|return_answer)\s?(?P<open>[(\[])\s*(?:\w+\s*=\s*)?(?P<quote>[\"']{0,3})(?P<said>[^\n]*?)(?P=quote)\s*[)\]][)\s`;.]*$"
)
_PARAMETERS = re.compile(r"[a-z_]\w*(?:,\s?[a-z_]\w*)+")
"""Names of parameters instead of arguments: `finish(name, age)`."""
_CALLED = any_case(r"\b(?:final_?answer|submit(?:_answer)?|finish|respond|return_answer)\s?[(\[]")
_REPR = re.compile(
    r"^\s{0,4}\[?\w{0,30}(?:Message|Response|Prediction|Result|Answer|Output|Block|Finish)\(.*\)\]?\s{0,4}$",
    re.DOTALL,
)
_REPR_ARGUMENT = re.compile(
    r"\b(?P<name>\w+)\s?=\s?(?P<quote>[\"'])(?P<said>(?:\\.|(?!(?P=quote)).)*)(?P=quote)", re.DOTALL
)
_KEYED_ANSWER = re.compile(
    r"(?:^|[\s,{(&\[;|])[\"']?(?P<name>final_?answer|answer|output_text|response|prediction|string_value)[\"']?[ \t]*[:=][ \t]*(?P<quote>[\"'])(?P<said>(?:\\.|(?!(?P=quote)).)+)(?P=quote)(?=\s*(?:[,;})\]\n]|$|\w+\s?[:=]))",
    re.IGNORECASE | re.DOTALL,
)
_NOTATION = re.compile(r"\s*(?:[{\[(<&]|---|\w+(?:[({:\[]|\s?=))")
_YAML_BLOCK = any_case(
    r"(?:^|\n)\s*(?:final_)?answer:[ \t]*[>|][-+]?[ \t]*\n(?P<said>(?:[ \t]+[^\n]+(?:\n|$))+)"
)


def find_in_call(text: str) -> str | None:
    """Return the answer in the arguments of a call, or in the printed form of an object."""
    if "[[ ## " in text:
        fields = {_plain_key(found["name"]): found["inner"].strip() for found in _FIELD_MARKS.finditer(text)}
        return next((fields[key] for key in _ANSWER_KEYS if fields.get(key)), None)
    called = _CALL.search(text) if text.rstrip(" \n`;.")[-1:] in {")", "]"} else None
    if called and (len(_CALLED.findall(text)) > 1 or _is_signature(called)):
        return None
    if called and not re.search(
        rf"\b{re.escape(called['said'])}\s?=", text
    ):  # not a variable that is assigned in the text
        return called["said"]
    if _REPR.match(text):
        given = {_plain_key(found["name"]): found["said"] for found in _REPR_ARGUMENT.finditer(text)}
        return next((given[key] for key in (*_ANSWER_KEYS, "content", "text") if given.get(key)), None)
    return None


def _is_signature(called: re.Match[str]) -> bool:
    """Return whether a call is the signature of a function."""
    return (
        called.start() == 0
        and called["open"] == "("
        and not called["quote"]
        and _PARAMETERS.fullmatch(called["said"]) is not None
    )


def find_by_key(text: str) -> str | None:
    """Return the quoted value of an answer key, in a notation that cannot be parsed as a whole."""
    block = _YAML_BLOCK.search(text)
    if block:
        return " ".join(block["said"].split())
    if not _NOTATION.match(text):
        return None
    keys = list(_KEYED_ANSWER.finditer(text))
    if keys and may_retract(text[keys[-1].end() :]):
        return None
    keyed = [(_plain_key(found["name"]), found["said"]) for found in keys]
    for key in _ANSWER_KEYS:
        held = list(dict.fromkeys(said for name, said in keyed if name == key))
        if held:
            return held[0] if len(held) == 1 else None
    return next((said for name, said in keyed if name == "stringvalue"), None)


# The answer in a table of one row.

_TABLE_RULE = re.compile(r"\s*\|?[ :|-]*-[ :|-]*")
_ANSWER_COLUMNS = frozenset({"answer", "final answer", "short answer"})
_COLUMNS = _ANSWER_COLUMNS | word_set(
    "# id no question query source sources confidence status field value evidence"
)


def find_in_table(text: str) -> str | None:
    """Return the cell below or next to "Answer" in a table of one answer, if all other columns or rows are known."""
    lines = [line for line in text.split("\n") if not is_blank(line) or "|" in line]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    if len(lines) < 3 or not all("|" in line for line in lines) or not _TABLE_RULE.fullmatch(lines[1]):  # noqa: PLR2004 - head, rule, row
        return None
    names = [_clean_cell(cell) for cell in rows[0]]
    if len(rows) == 3 and len(rows[2]) == len(names) and _COLUMNS.issuperset(names):  # noqa: PLR2004
        cells = list(zip(names, rows[2], strict=True))
    else:
        cells = list({_clean_cell(row[0]): row[-1] for row in rows[2:]}.items())
    held = [cell for name, cell in cells if name in _ANSWER_COLUMNS]
    return held[0] if len(held) == 1 and all(name in _COLUMNS for name, _ in cells) else None


def _clean_cell(cell: str) -> str:
    return cell.strip("*_ ").lower()
