"""Grades that files of other tools carry: by which grader, and what they say as right or wrong."""

import math
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.messages import one_line, quote
from karat.rows.formats.core import Format, make_verdict
from karat.rows.names import simplify

VERDICTS: Final = "verdicts"
"""The column in which rows of a named format have their grades: {grader: {passed, score}}."""
_MARK: Final = "#"
_UNIQUE: Final = re.compile(r"-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")  # what OpenAI puts behind a name
_LEAST: Final = re.compile(r"(.+?)\s*>=\s*(\d+(?:\.\d+)?|\.\d+)")
_CORRECT: Final = frozenset(
    {"correct", "correctness", "iscorrect", "label", "humanlabel", "right", "isright", "pass", "passed"}
)
_WORDS: Final = {"true": True, "yes": True, "pass": True, "false": False, "no": False, "fail": False}


class Grader(Struct, frozen=True):
    """A grader of a file; from the score `least` on an answer is right, where that was asked."""

    name: str
    shown: str
    least: float | None = None

    @property
    def title(self) -> str:
        """How the grader is called as a judge."""
        return self.shown if self.least is None else f"{self.shown}>={self.least:g}"


class NotAVerdictError(ValueError):
    """A score that says neither right nor wrong."""


def split_grader(path: str) -> tuple[str, str | None]:
    """Return a file and the grader that is named after it, `FILE#GRADER`; a path that exists names no grader."""
    if _MARK in path and not Path(path).exists():
        ends = [at for at, letter in enumerate(path) if letter == _MARK]
        for at in reversed(ends):
            if at and Path(path[:at]).exists():
                return path[:at], path[at + 1 :]
    return path, None


def find_tool(known: Format, names: Iterable[str]) -> str:
    """Return the tool that writes a format: the shortest name of a format that its own begins with."""
    return min((name for name in names if f"{known.name}-".startswith(f"{name}-")), key=len)


def choose_grader(file: str, names: Sequence[str], wanted: str | None) -> Grader:
    """Return the wanted grader, or the only one; otherwise the error lists them as they can be typed."""
    shown = _shorten(names)
    if wanted is None:
        if len(names) == 1:
            return Grader(names[0], shown[names[0]])
        raise UsageError(f"{file}: carries grades by {len(names)} graders; choose one: {_offer(file, shown)}")
    asked, least = wanted, None
    found = _find(asked, shown)
    if found is None and (match := _LEAST.fullmatch(wanted)) is not None:
        asked, least = match[1], float(match[2])
        found = _find(asked, shown)
    if found is None:
        raise UsageError(
            f"{file}: no grader is called {quote(asked)}; {'it has' if len(names) == 1 else 'choose one:'} "
            f"{_offer(file, shown)}"
        )
    return Grader(found, shown[found], least)


def read_verdict(grade: Mapping[str, Any], least: float | None = None) -> bool | None:
    """Return what a grade says: right, wrong, or nothing; a score counts by itself only if it is 0 or 1."""
    passed, score = grade.get("passed"), grade.get("score")
    number = _read_number(score)
    if least is not None and number is not None:
        return number >= least
    if isinstance(passed, bool) or number is None:
        return passed if isinstance(passed, bool) else None
    if number not in (0, 1):
        raise NotAVerdictError(f"{number:g}")
    return bool(number)


def explain_score(file: str, row: str, grader: Grader, score: object) -> UsageError:
    """Say that a score is no verdict, and how to make it one."""
    way = shlex.quote(f"{file}{_MARK}{grader.shown}>=0.5")
    return UsageError(
        f"{file}: row {one_line(row)}: the grade {score} by {quote(grader.shown)} is neither right nor wrong; "
        f"say from which score on an answer is right, such as {way}"
    )


def make_grade(value: object, *, reason: object = None, error: object = None) -> dict[str, Any]:
    """A grade of a truth value, a number, or a word such as `yes`."""
    truth = (
        value if isinstance(value, bool) else _WORDS.get(value.casefold()) if isinstance(value, str) else None
    )
    number = _read_number(value) if truth is None else float(truth)
    return make_verdict(number == 1 if number in (0, 1) else None, number, reason=reason, error=error)


def find_label(people: Mapping[str, Any]) -> bool | None:
    """Return what people say of an answer's correctness, in grades by people; None where no one name says so."""
    named = [grade for name, grade in people.items() if simplify(name) in _CORRECT]
    passed = cast("Mapping[str, Any]", named[0]).get("passed") if len(named) == 1 else None
    return passed if isinstance(passed, bool) else None


def _read_number(value: object) -> float | None:
    try:
        number = float(value) if isinstance(value, int | float | str) else None
    except (ValueError, OverflowError):
        return None
    return number if number is not None and math.isfinite(number) else None


def _shorten(names: Sequence[str]) -> dict[str, str]:
    """Return the names as they are shown: without a number that makes them unique, where they are so without it."""
    short = {name: _UNIQUE.sub("", name) if _UNIQUE.search(name) else name for name in names}
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def _find(wanted: str, shown: Mapping[str, str]) -> str | None:
    if wanted in shown:
        return wanted
    found = [name for name, text in shown.items() if text == wanted]
    alike = found or [name for name, text in shown.items() if simplify(text) == simplify(wanted)]
    return alike[0] if len(alike) == 1 else None


def _offer(file: str, shown: Mapping[str, str]) -> str:
    return " ".join(shlex.quote(f"{file}{_MARK}{text}") for text in shown.values())
