"""Prompt templates: variables, `if`, `for` over a list, and a few filters.

The engine limits neither the depth of an expression nor the size of a result; excessive ones crash the process. So a
template is checked before it is rendered: tags are short, blocks are few, loops do not nest, nothing is assigned, and
every filter that makes text longer has a limit.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, cast

import msgspec

from karat.core.types import Item
from karat.protocols.items import plain_fields

STATEMENTS = ("if", "elif", "else", "endif", "for", "endfor", "raw", "endraw")
TEMPLATE_NAMES = (
    "item.input", "item.question", "item.reference", "item.references", "item.output_text", "item.answer",
    "sample.output_text",
)  # fmt: skip
# Filters whose result is at most a few times as long as their input.
_PLAIN_FILTERS = (
    "capitalize", "count", "d", "default", "e", "escape", "first", "last", "length", "list", "lower", "reverse", "safe",
    "sort", "string", "title", "trim", "truncate", "unique", "upper",
)  # fmt: skip
_MOST_TOKENS = 200  # of one tag; the engine's stack allows many more
_MOST_BLOCKS = 200
_LONGEST = 4_000_000  # characters that a filter may return
_WIDEST = 100
_FUEL = 1_000_000
_TRIMMING = ("-", "+")  # what a tag does to the white space before it
_TAG = re.compile(r"\{\{|\{%|\{#")
_TAGS = re.compile(r"</([A-Za-z][\w-]*)>")
_TOKEN = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|\w+|[-+]?(?:\}\}|%\})|[^\w\s]", re.DOTALL)
_END_RAW = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")


def find_fault(text: str) -> tuple[int, str] | None:
    """Return the position and description of the first thing in a template that is not allowed."""
    return next(_find_faults(text), None)


def _find_faults(text: str) -> Iterator[tuple[int, str]]:
    at, blocks, loops = 0, 0, 0
    while opened := _TAG.search(text, at):
        if opened[0] == "{#":
            at = _after(text, "#}", opened.end())
            continue
        tokens, at = _read_tag(text, opened.end())
        yield from ((opened.start(), fault) for fault in _check_tokens(tokens))
        if opened[0] == "{{":
            continue
        blocks += 1
        word = next((token for token in tokens if token not in _TRIMMING), "")
        loops += (word == "for") - (word == "endfor")
        if word not in STATEMENTS:
            yield opened.start(), f"{{% {word} %}} is not allowed in a prompt template; only if and for are"
        elif loops > 1 or "recursive" in tokens:
            yield opened.start(), "nested loops are not allowed in a prompt template; remove one of them"
        elif blocks > _MOST_BLOCKS:
            yield opened.start(), f"a template may have at most {_MOST_BLOCKS} blocks; remove some"
        if word == "raw":
            end = _END_RAW.search(text, at)
            at = end.end() if end else len(text)


def _read_tag(text: str, start: int) -> tuple[list[str], int]:
    """Return the tokens of a tag, and where it ends; an end inside an open bracket does not count."""
    tokens, depth, at = list[str](), 0, start
    while found := _TOKEN.search(text, at):
        ends = found[0].endswith(("}}", "%}"))
        if ends and not depth:
            return tokens, found.end()
        mark = found[0][0] if ends else found[0]
        depth += (mark in ("(", "[", "{")) - (mark in (")", "]", "}"))
        tokens.append(mark)
        at = found.start() + len(mark)
    return tokens, len(text)


def _check_tokens(tokens: list[str]) -> Iterator[str]:
    if len(tokens) > _MOST_TOKENS:
        yield f"a tag may have at most {_MOST_TOKENS} names, signs and brackets, not {len(tokens):,}; make it shorter"
    for sign, name in pairwise(tokens):
        if sign == "|" and name not in FILTERS:
            yield f"unknown filter {name}; the filters are {', '.join(FILTERS)}"


def _after(text: str, end: str, start: int) -> int:
    found = text.find(end, start)
    return len(text) if found < 0 else found + len(end)


def template_names(text: str) -> set[str]:
    """Return the variables that a template reads."""
    return set(_environment().undeclared_variables_in_str(text, nested=True))


@lru_cache(maxsize=64)
def fencing_tags(text: str) -> frozenset[str]:
    """Return the names of the tags that a wording closes, which may enclose fields."""
    return frozenset(_TAGS.findall(text))


def render_template(text: str, item: Item) -> str:
    """Render a template; it sees plain text and cannot reach Python."""
    fields = plain_fields(item, fencing_tags(text))
    names = fields._asdict() | {"input": fields.question, "output_text": fields.answer}
    return _environment().render_str(text, item=names, sample={"output_text": fields.answer})


@lru_cache(maxsize=1)
def _environment() -> Any:  # noqa: ANN401 - minijinja has no types for the parts used here
    from minijinja import Environment

    environment = Environment(undefined_behavior="strict", auto_escape_callback=lambda _: False)
    environment.fuel = _FUEL
    environment.pycompat = False  # the methods of Python's strings have no limits
    for name in list(environment.globals):
        environment.remove_global(name)
    for name, limited in _LIMITED_FILTERS.items():
        environment.add_filter(name, limited)
    return environment


def _join(values: object, between: str = "") -> str:
    """Join the elements of a list, or the characters of a text."""
    if not isinstance(values, (list, tuple, str)):
        raise TypeError("join needs a list")
    texts = [str(value) for value in cast("Sequence[object]", values)]
    _check_length("join", sum(map(len, texts)) + len(between) * len(texts))
    return between.join(texts)


def _replace(text: object, old: str, new: str) -> str:
    """Replace each occurrence of one text by another."""
    held = str(text)
    _check_length("replace", len(held) + held.count(old) * len(new))
    return held.replace(old, new)


def _indent(text: object, width: int = 4, first: bool = False, blank: bool = False) -> str:  # noqa: FBT001, FBT002 - the signature of Jinja's filter
    """Indent every line of a text; the first and empty lines only on request."""
    if not 0 <= width <= _WIDEST:
        raise ValueError(f"indent needs a width from 0 to {_WIDEST}")
    lines = str(text).split("\n")
    _check_length("indent", len(str(text)) + width * len(lines))
    return "\n".join(
        " " * width + line if (number or first) and (line or blank) else line
        for number, line in enumerate(lines)
    )


def _tojson(value: object) -> str:
    """Write a value as JSON."""
    _check_length("tojson", 6 * len(str(value)))
    return msgspec.json.encode(value).decode()


def _check_length(name: str, length: int) -> None:
    if length > _LONGEST:
        raise ValueError(f"the filter {name} would return more than {_LONGEST:,} characters")


_LIMITED_FILTERS: dict[str, Callable[..., str]] = {
    "indent": _indent,
    "join": _join,
    "replace": _replace,
    "tojson": _tojson,
}
FILTERS = tuple(sorted((*_PLAIN_FILTERS, *_LIMITED_FILTERS)))
