"""The page about `decided_by` has every name that the code can give, and each of its examples is decided by that name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import karat
from docs import DOCS, ROOT

PAGE = DOCS / "reference" / "decided-by.md"
ROW = re.compile(r"^\| `(rule:\w+)` \| (Yes|No) \| [^|]* \| ([^|]*) \| ([^|]*) \|([^|]*)\|$", re.MULTILINE)
EXAMPLES = ROW.findall(PAGE.read_text(encoding="utf-8"))


def find_names(path: Path) -> Iterator[str]:
    """The names of rules in a module: literal ones, those of rulings, and the gate's."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(value=str(text)) if re.fullmatch(r"rule:\w+", text):
                yield text
            case ast.Call(func=ast.Name(id="_accept"), args=[ast.Constant(value=str(name)), *_]):
                yield f"rule:{name}"
            case ast.Call(func=ast.Name(id="Ruling"), keywords=keywords):
                for keyword in keywords:
                    if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                        yield f"rule:{keyword.value.value}"
            case ast.Assign(targets=[ast.Name(id="_REASONS")], value=ast.Dict(keys=keys)):
                yield from (f"rule:{key.value}" for key in keys if isinstance(key, ast.Constant))
            case _:
                pass


def test_the_page_has_every_rule_of_the_source_and_no_other() -> None:
    folders = (ROOT / "src" / "karat" / name for name in ("text", "embedded", "judges"))
    found = {name for folder in folders for path in folder.rglob("*.py") for name in find_names(path)}
    assert {name for name, *_ in EXAMPLES} == found


@pytest.mark.parametrize(("name", "verdict", "question", "reference", "answer"), EXAMPLES)
def test_each_example_is_decided_by_the_rule_beside_it(
    name: str, verdict: str, question: str, reference: str, answer: str
) -> None:
    outcome = karat.judge(question, reference, answer.strip())
    assert isinstance(outcome, karat.Verdict)
    assert (outcome.decided_by, outcome.value) == (name, verdict == "Yes")
