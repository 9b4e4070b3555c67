"""Read a prompt file: front matter, one of three forms, the protocol, and checks; the result is a `Wording`."""

import re
from collections.abc import Iterator
from itertools import islice
from textwrap import dedent
from typing import get_args

from msgspec import Struct

from karat.core.errors import UsageError, option
from karat.core.flow import Role
from karat.core.types import Item, ProtocolName
from karat.protocols import LEVELS, PROTOCOLS
from karat.protocols.templates import TEMPLATE_NAMES, find_fault, render_template, template_names
from karat.protocols.wording import PLACEHOLDERS, Form, Turn, Wording, describe_fault

# A protocol, the reason why a prompt is for it, and patterns that must match in sequence.
_SIGNS: tuple[tuple[ProtocolName, str, tuple[re.Pattern[str], ...]], ...] = (
    (
        "match",
        'it asks for "Answer 1" with Yes or No',
        (re.compile(r"\banswer[ _]1\b", re.IGNORECASE), re.compile(r"\byes\b", re.IGNORECASE)),
    ),
    (
        "match",
        "it asks for Yes or No",
        (re.compile(r"[\"'“]?\byes\b[\"'”]?\s*(?:/|or|,|and)\s*[\"'“]?\bno\b", re.IGNORECASE),),
    ),
    (
        "keypoints",
        "it asks for values separated by commas",
        (
            re.compile(
                r"\bcommas?[ -]separated\b|\bseparated\s+(?:\w+\s+)?by\s+(?:a\s+)?commas?\b", re.IGNORECASE
            ),
        ),
    ),
    (
        "equivalence",
        "it asks for an integer from 0 to 5",
        (
            re.compile(
                r"\b(?:0|zero)\s*(?:-|–|\.\.|to|through|and)\s*(?:5|five)\b|\b(?:single|one|an)\s+integer\b",
                re.IGNORECASE,
            ),
        ),
    ),
)
_NAME = re.compile(r"(?<![\w{}$^\\])\{ *([A-Za-z_][A-Za-z_0-9-]{0,30}) *\}(?!\})")  # not \frac{a}{b}
_MEANT = {
    "input": "question", "query": "question", "target": "reference", "expected": "reference", "gold": "reference",
    "ground_truth": "reference", "ideal": "reference", "output": "answer", "response": "answer", "prediction": "answer",
    "completion": "answer", "items": "examples", "n": "n_queries",
}  # fmt: skip
_TURN = re.compile(r"^(human|user|assistant|system)[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)
_VARIABLE = re.compile(r"\{\{-?\s*[A-Za-z_][^{}]*\}\}|\{%")
_PLACEHOLDER = re.compile("{(" + "|".join(PLACEHOLDERS) + ")}")
_KNOWN_VARIABLE = re.compile(r"\{\{-?\s*(?:item|sample|" + "|".join(PLACEHOLDERS) + r")\b[^{}]*\}\}")
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"(?<!\s)\s+#.*")
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_FRONT_KEYS = ("protocol", "items_per_prompt", "levels")
_FRONT_BEGUN = re.compile(r"---[ \t]*\n(?:" + "|".join(_FRONT_KEYS) + r")[ \t]*:")
_ROLES: dict[str, Role] = {"human": "user", "user": "user", "assistant": "assistant", "system": "system"}
_MOST_WARNINGS = 20
_PROBE = Item("question", ("reference",), "answer")


class PromptFile(Struct, frozen=True):
    """A wording, the reason for its protocol, and warnings about names that are not placeholders."""

    wording: Wording
    protocol_why: str
    warnings: tuple[str, ...] = ()


class _Setting(Struct, frozen=True):
    place: str
    value: str


class _Front(Struct, frozen=True):
    protocol: ProtocolName | None = None
    items_per_prompt: int | None = None
    levels: tuple[int, ...] = LEVELS
    lines: int = 0


def read_prompt(text: str, name: str, protocol: ProtocolName | None = None) -> PromptFile:
    """Read a prompt file; `protocol` is the one that the user named; front matter takes precedence."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    front, body = _read_front(lines, name)
    if not body.strip():
        raise UsageError(f"{name}: the prompt file is empty")
    form = _find_form(body, name, front.lines)
    chosen, why = _choose_protocol(body, name, protocol, front)
    turns, opened = _read_turns(body, form, name, front.lines)
    wording = Wording(chosen, form, turns, opened, front.levels, front.items_per_prompt)
    _check(wording, name, body, front.lines)
    warnings = islice(_warn_of_names(body, name, front.lines), _MOST_WARNINGS)
    return PromptFile(wording, why, tuple(warnings))


def builtin_wording(protocol: ProtocolName) -> Wording:
    """Return the built-in wording of a protocol, read by the same rules as a user's file."""
    return read_prompt(PROTOCOLS[protocol].wording, f"built-in {protocol}", protocol).wording


def _choose_protocol(
    body: str, name: str, asked: ProtocolName | None, front: _Front
) -> tuple[ProtocolName, str]:
    if front.protocol is not None:
        return front.protocol, "named in the front matter"
    if asked is not None:
        return asked, "named by --protocol"
    return infer_protocol(body, name)


def infer_protocol(text: str, name: str) -> tuple[ProtocolName, str]:
    """Return the protocol whose reply form the text asks for, with the reason; refuse if that is unclear."""
    found = dict[ProtocolName, str]()
    for protocol, why, signs in _SIGNS:
        if _has_all(text, signs):
            found.setdefault(protocol, why)
    if "keypoints" in found:
        found.pop("equivalence", None)  # a list of integers from 0 to 5 is requested in the same words
    if len(found) == 1:
        ((protocol, why),) = found.items()
        return protocol, why
    told = (
        "; ".join(f"{protocol} because {why}" for protocol, why in found.items())
        or "no reply form was recognised"
    )
    raise UsageError(
        f"{name}: the protocol of this prompt is unclear ({told}); name it with ", option("protocol")
    )


def _has_all(text: str, signs: tuple[re.Pattern[str], ...]) -> bool:
    """Return whether the patterns match in sequence."""
    at = 0
    for sign in signs:
        found = sign.search(text, at)
        if not found:
            return False
        at = found.end()
    return True


def _find_form(body: str, name: str, offset: int) -> Form:
    placeholder = _PLACEHOLDER.search(body)
    if placeholder and _KNOWN_VARIABLE.search(body):
        line = _line(body, placeholder.start(), offset)
        raise UsageError(
            f"{name}:{line}: {placeholder.group()} and {{{{ … }}}} variables cannot be combined; use one kind of placeholder"
        )
    if placeholder:
        return "dialogue"
    if _VARIABLE.search(body):
        return "template"
    turn = _TURN.match(dedent(body).lstrip())
    if turn:
        line = _line(body, len(body) - len(body.lstrip()), offset)
        raise UsageError(
            f"{name}:{line}: the prompt has turns but no placeholder for the items; add {{examples}}, or remove {turn.group().strip()!r}"
        )
    return "instructions"


def _read_turns(body: str, form: Form, name: str, offset: int) -> tuple[tuple[Turn, ...], str | None]:
    if form == "instructions":
        return (Turn("system", body.strip()),), None
    body = dedent(body)
    marks = list(_TURN.finditer(body))
    if not marks:
        return (Turn("user", body.strip()),), None
    if body[: marks[0].start()].strip():
        line = _line(body, len(body) - len(body.lstrip()), offset)
        raise UsageError(
            f"{name}:{line}: there is text before the first turn; begin it with 'System:' or 'Human:'"
        )
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    turns = [
        Turn(_ROLES[mark.group(1).lower()], _tidy(body[mark.end() : end]))
        for mark, end in zip(marks, ends, strict=True)
    ]
    opened = turns.pop().text if turns[-1].role == "assistant" else None
    return tuple(turn for turn in turns if turn.text), opened or None


def _tidy(text: str) -> str:
    first, newline, rest = text.partition("\n")
    return (first + newline + dedent(rest)).strip()


def _check(wording: Wording, name: str, body: str, offset: int) -> None:
    if not any(turn.role == "user" for turn in wording.turns) and wording.form != "instructions":
        raise UsageError(f"{name}: the prompt has no user turn; begin one with 'Human:' or 'User:'")
    if wording.form == "template":
        _check_template(wording, name, body, offset)
    elif wording.form == "dialogue":
        _check_placeholders(wording, name)
    if wording.items_per_prompt is not None and wording.items_per_prompt > wording.most_items:
        raise UsageError(
            f"{name}: items_per_prompt is {wording.items_per_prompt}, but this prompt can contain at most {wording.most_items}"
        )


def _check_placeholders(wording: Wording, name: str) -> None:
    names = set(wording.placeholders)
    fields = [field for field in ("question", "reference", "answer") if field in names]
    if "examples" in names and fields and wording.most_items > 1:
        raise UsageError(
            f"{name}: {{examples}} contains all items of the prompt, {{{fields[0]}}} only the first; remove one of them"
        )
    if "examples" in names:
        if wording.protocol == "equivalence" and "n_queries" in names:
            raise UsageError(f"{name}: equivalence uses one item per prompt; remove {{n_queries}}")
        return
    for needed in ("reference", "answer"):
        if needed not in names:
            raise UsageError(
                f"{name}: the placeholder {{{needed}}} is missing; add {{examples}}, or both {{reference}} and {{answer}}"
            )


def _check_template(wording: Wording, name: str, body: str, offset: int) -> None:
    if fault := find_fault(body):
        raise UsageError(f"{name}:{_line(body, fault[0], offset)}: {fault[1]}")
    known = f"the variables are {', '.join(TEMPLATE_NAMES)}"
    try:
        names = template_names(body)
    except Exception as error:  # minijinja has a single class for all template errors
        raise UsageError(_explain(error, name, offset, known)) from error
    for variable in sorted(names - set(TEMPLATE_NAMES) - {"item", "sample"}):
        line = _line(body, _find_variable(body, variable), offset)
        raise UsageError(f"{name}:{line}: unknown variable {variable}; {known}")
    for text in (*(turn.text for turn in wording.turns), wording.opened or ""):
        try:
            render_template(text, _PROBE)
        except Exception as error:
            start = body.count("\n", 0, max(0, body.find(text.partition("\n")[0])))
            raise UsageError(_explain(error, name, start + offset, known)) from error
    if not names & {"item.output_text", "item.answer", "sample.output_text"}:
        raise UsageError(
            f"{name}: the template does not contain the answer; add {{{{ sample.output_text }}}}"
        )
    if not names & {"item.reference", "item.references"}:
        raise UsageError(f"{name}: the template does not contain the reference; add {{{{ item.reference }}}}")


def _find_variable(body: str, variable: str) -> int:
    """Return where the code of a template first uses a variable; other text may contain its name too."""
    name = re.compile(r"(?<![\w.])" + r"\s*\.\s*".join(map(re.escape, variable.split("."))) + r"(?![\w.])")
    places = (name.search(body, *code.span()) for code in _CODE.finditer(body))
    return next((place.start() for place in places if place), 0)


def _explain(error: Exception, name: str, offset: int, known: str) -> str:
    """Return the error of a template, with its line if the engine reports it."""
    line = getattr(error, "line", None)
    place = f"{name}:{line + offset}" if isinstance(line, int) else name
    return f"{place}: the template is not valid: {describe_fault(error)}; {known}"


def _warn_of_names(body: str, name: str, offset: int) -> Iterator[str]:
    """Yield a warning for each name in braces that is not a placeholder, with its line and a suggestion."""
    seen = {f"{{{known}}}" for known in PLACEHOLDERS}
    for found in _NAME.finditer(body):
        if found[0] in seen:
            continue
        seen.add(found[0])
        meant = _guess_placeholder(found[1])
        line = body.count("\n", 0, found.start()) + 1 + offset
        asked = (
            f"; did you mean {{{meant}}}?"
            if meant
            else f"; the placeholders are {', '.join(f'{{{known}}}' for known in PLACEHOLDERS)}"
        )
        yield f"{name}:{line}: {found[0]} is not a placeholder and is sent unchanged{asked}"


def _guess_placeholder(name: str) -> str | None:
    from difflib import get_close_matches

    plain = name.lower().replace("-", "_")
    near = get_close_matches(_MEANT.get(plain, plain), PLACEHOLDERS, n=1, cutoff=0.7)
    return near[0] if near else None


def _read_front(text: str, name: str) -> tuple[_Front, str]:
    found = _FRONT.match(text)
    if not found and _FRONT_BEGUN.match(text):
        raise UsageError(f"{name}:1: the front matter is not closed; end it with a line of three dashes")
    if not found:
        return _Front(), text
    settings = dict[str, _Setting]()
    for number, line in enumerate(found.group(1).split("\n"), 2):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not colon or key not in _FRONT_KEYS or key in settings:
            raise UsageError(
                f"{name}:{number}: front matter may contain protocol:, items_per_prompt: and levels:, each once, not {line.strip()!r}"
            )
        settings[key] = _Setting(f"{name}:{number}", _COMMENT.sub("", value).strip("\"'"))
    front = _Front(
        _front_protocol(settings.get("protocol")),
        _front_items(settings.get("items_per_prompt")),
        _front_levels(settings.get("levels")),
        found.group().count("\n"),
    )
    return front, text[found.end() :]


def _front_protocol(setting: _Setting | None) -> ProtocolName | None:
    if setting is None:
        return None
    for known in get_args(ProtocolName):
        if setting.value == known:
            return known
    raise UsageError(
        f"{setting.place}: unknown protocol {setting.value!r}; choose from {', '.join(get_args(ProtocolName))}"
    )


def _front_items(setting: _Setting | None) -> int | None:
    if setting is None:
        return None
    if re.fullmatch(r"0*[1-9][0-9]{0,3}", setting.value):
        return int(setting.value)
    raise UsageError(
        f"{setting.place}: items_per_prompt must be a whole number of at least 1, not {setting.value!r}"
    )


def _front_levels(setting: _Setting | None) -> tuple[int, ...]:
    if setting is None:
        return LEVELS
    span = re.fullmatch(r"([0-5])\s*(?:-|–|\.\.|to)\s*([0-5])", setting.value)
    listed = re.fullmatch(r"\[?\s*([0-5](?:\s*,\s*[0-5])*)\s*\]?", setting.value)
    levels = tuple[int, ...]()
    if span:
        levels = tuple(range(int(span.group(1)), int(span.group(2)) + 1))
    elif listed:
        levels = tuple(sorted({int(level) for level in listed.group(1).split(",")}))
    if len(levels) < 2:  # noqa: PLR2004 - a scale has at least two levels
        raise UsageError(
            f"{setting.place}: levels must be between 0 and 5, such as '1-5' or '0, 3, 5', not {setting.value!r}"
        )
    return levels


def _line(text: str, position: int, offset: int) -> int:
    return text.count("\n", 0, max(0, position)) + 1 + offset
