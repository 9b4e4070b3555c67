"""Examples in data files: one JSON object per line, with the rule that it shows, its texts and what is expected.

A line with "names" stands for as many examples: each name replaces {} in its texts. Where several values are
right, the line expects {"one of": [...]} or {"not": value}.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest

from karat.core.types import Item

Line: TypeAlias = dict[str, Any]
Check: TypeAlias = Callable[[Line], object]


def read_lines(path: Path, rule: str | None = None) -> list[Line]:
    """Read the lines of a data file, or those of one rule."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return [line for line in lines if rule is None or line["rule"] == rule]


def read_item(line: Line) -> Item:
    """Read the item of a line: a question if there is one, one or more references, and the answer."""
    references = line["references"] if "references" in line else [line["reference"]]
    return Item(line.get("question"), tuple(references), line["answer"])


def check_lines(path: Path, **checks: Check) -> None:
    """Compare what each check finds with what the lines expect under its name, and show all lines that differ.

    Every line must have something to check, and every check a line.
    """
    lines = read_lines(path)
    used: set[str] = set()
    differing: list[str] = []
    for place, line in enumerate(lines, 1):
        keys = [key for key in checks if key in line]
        used.update(keys)
        differences = [
            each for example in _fill(line) for key in keys for each in _compare(checks, key, example)
        ]
        if not keys or differences:
            differences = differences or ["nothing to check"]
            differing.append(
                f"{path.name}:{place} {json.dumps(line, ensure_ascii=False)}\n    "
                + "\n    ".join(differences)
            )
    if differing:
        pytest.fail(
            f"{len(differing)} of {len(lines)} examples differ:\n" + "\n".join(differing), pytrace=False
        )
    assert used == set(checks), f"no line of {path.name} has {set(checks) - used}"


def _fill(line: Line) -> list[Line]:
    """Put each name of a line into its texts."""
    if "names" not in line:
        return [line]
    return [
        {key: value.replace("{}", name) if isinstance(value, str) else value for key, value in line.items()}
        for name in line["names"]
    ]


def _compare(checks: dict[str, Check], key: str, line: Line) -> list[str]:
    """Say what one check finds where it is not what the line expects."""
    expected = line[key]
    try:
        found: Any = checks[key](line)
    except Exception as error:  # noqa: BLE001 - the failure of one line does not hide the others
        return [f"{key}: expected {expected!r}, raised {error!r}"]
    if isinstance(found, tuple):
        found = [*found]
    if _matches(expected, found):
        return []
    return [f"{key}: expected {expected!r}, found {found!r}"]


def _matches(expected: Any, found: Any) -> bool:
    """Check whether a value is the expected one, of the same type: True is not 1."""
    if isinstance(expected, dict):
        choice = cast("dict[str, Any]", expected)
        if "not" in choice:
            return found != choice["not"]
        return any(_matches(each, found) for each in choice["one of"])
    return type(expected) is type(found) and expected == found
