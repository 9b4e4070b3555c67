"""The held-out wordings of benchmarks/data are not among the wordings of training."""

import ast
import sys
from collections.abc import Iterable
from pathlib import Path

import load

from karat.text.normal import normalise

sys.path.append(str(Path(__file__).parents[2]))

from training import texts

ROOT = Path(__file__).resolve().parents[2]
SHARED = 3
FAMILIES = ("plain", "contrasted", "choice", "negated", "mentioned", "back", "guesses")


def read_contrast() -> list[str]:
    """The wordings of all contrast families."""
    found = [
        text for name in FAMILIES for part in ("train", "probe") for text in texts.read_contrast(name, part)
    ]
    return [text.removeprefix("who: ") for text in found]


def read_code() -> set[str]:
    """The wordings that are written in the code of training."""
    trees = [
        ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "training/contrast").glob("*.py")
    ]
    found = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return to_forms(text for text in found if isinstance(text, str) and "{R}" in text)


def to_forms(wordings: Iterable[str]) -> set[str]:
    """Wordings in the form in which they are compared."""
    lines = list(wordings)
    for first, second, word in (("{R}", "{a}", "reference"), ("{O}", "{b}", "other")):
        lines = [line.replace(first, word).replace(second, word) for line in lines]
    return {normalise(line) for line in lines}


def test_no_wording_of_the_benchmark_is_one_of_training() -> None:
    """Three wordings of the fifth part differ from one of training only in line breaks; published figures include them."""
    measured = to_forms(text for _, text in load.read_wordings())
    assert len(measured) > 1000
    inside = read_code()
    assert len(inside) > 10
    trained = to_forms(read_contrast()) | to_forms(text for _, _, text in texts.read_wordings()) | inside
    shared = [text for _, text in load.read_wordings() if to_forms([text]) & trained]
    assert all("\n" in text for text in shared)
    assert len(shared) == SHARED


def test_no_held_out_wording_is_one_of_training_in_its_family() -> None:
    for name in FAMILIES:
        seen, held_out = texts.read_contrast(name, "train"), texts.read_contrast(name, "probe")
        assert held_out
        assert not {*map(normalise, seen)} & {*map(normalise, held_out)}
