"""Read the texts of training/data; its README.md says what each file holds."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("data")
ALIASES = FOLDER / "aliases.txt"


def read_wordings() -> Iterator[tuple[str, str, str]]:
    """Yield the group, the kind and the text of each wording; {a} is the reference, {b} another answer, {Q} the question."""
    for row in _read_rows("wordings"):
        yield row["group"], row["kind"], row["text"]


def read_contrast(family: str, part: str) -> list[str]:
    """Return the wordings of a family of contrast rows; those of the part "probe" are kept out of training."""
    return [row["text"] for row in _read_rows("contrast") if (row["family"], row["part"]) == (family, part)]


def read_aliases() -> list[str]:
    """Return the lines of the lists of names, without headings."""
    lines = ALIASES.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def read_answers() -> Iterator[dict[str, Any]]:
    """Yield the written answers with their label, level and group."""
    yield from _read_rows("answers")


def _read_rows(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
