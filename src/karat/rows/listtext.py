"""Lists of texts in cells that can hold only text."""

import ast
import re
from typing import Final

import msgspec

_LONGEST: Final = 100_000
_ESCAPE: Final = r"\\(?:[\\'\"nrt]|x[0-9a-f]{2}|u(?!d[89a-f])[0-9a-f]{4}|U00(?:0[1-9a-f]|10)[0-9a-f]{4})"
_QUOTED: Final = rf"""(?:'(?:[^'\\\r\n]|{_ESCAPE})*'|"(?:[^"\\\r\n]|{_ESCAPE})*")"""
_PYTHON_LIST: Final = re.compile(rf"\[{_QUOTED}(?:, ?{_QUOTED})*\]")


def read_list(text: str, *, written_by_python: bool) -> object:
    """A JSON list of texts, or one as Python and pandas write it; any other text, such as `[1, 2]`, as it is."""
    try:
        return msgspec.json.decode(text, type=list[str | None])
    except (msgspec.DecodeError, RecursionError):
        return _read_python_list(text) if written_by_python else text


def _read_python_list(text: str) -> object:
    """Texts in quotes with commas between them: without commas Python would glue them together."""
    if len(text) > _LONGEST or _PYTHON_LIST.fullmatch(text) is None:
        return text
    return ast.literal_eval(text)
