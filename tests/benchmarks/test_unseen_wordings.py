"""Wordings that measure what a judge has not seen are in nothing that it was trained on."""

import ast
from collections.abc import Iterable
from pathlib import Path

from karat.text.normal import normalise

ROOT = Path(__file__).resolve().parents[2]


def forms(folder: str) -> set[str]:
    """The wordings of a folder in their comparison form."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob("*.txt"))]
    return bring_alike(line.removeprefix("who: ") for text in texts for line in text.splitlines() if line)


def written_into_code() -> set[str]:
    """The wordings that the code of training holds itself."""
    trees = [
        ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "training/contrast").glob("*.py")
    ]
    texts = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return bring_alike(text for text in texts if isinstance(text, str) and "{R}" in text)


def bring_alike(wordings: Iterable[str]) -> set[str]:
    lines = list(wordings)
    for first, second, word in (("{R}", "{a}", "reference"), ("{O}", "{b}", "other")):
        lines = [line.replace(first, word).replace(second, word) for line in lines]
    return {normalise(line) for line in lines}


def test_no_wording_of_the_benchmark_is_one_of_training() -> None:
    measured = forms("benchmarks/wordings")
    assert len(measured) > 300
    assert not measured & forms("training/contrast/families")
    assert not measured & forms("training/wordings")
    inside = written_into_code()
    assert len(inside) > 10
    assert not measured & inside


def test_no_held_out_wording_is_one_of_training_in_its_family() -> None:
    for path in sorted((ROOT / "training/contrast/families").glob("*.txt")):
        seen, held_out = path.read_text(encoding="utf-8").split("\n\n")
        assert held_out.strip()
        assert not {*map(normalise, seen.splitlines())} & {*map(normalise, held_out.splitlines())}
