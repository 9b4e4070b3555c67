"""Read the data of the benchmarks.

Human-judged answers are not in the repository: `--data DIR` names their folder, which has a file NAME.SPLIT.jsonl.gz for each set.
The model-written rows of benchmarks/data are in one file for each split, rows.SPLIT.jsonl.gz, with a column `set`.
benchmarks/data/README.md says what each file holds.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("data")
FORMS = ("first", "second", "third", "fourth", "fifth", "sixth")
HELD_OUT_FORMS = ("sixth",)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a compressed JSONL file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def list_sets(data: Path, split: str) -> list[str]:
    """Return the names of the sets that a folder has for a split."""
    if (data / f"rows.{split}.jsonl.gz").exists():
        return sorted({row["set"] for row in read_lines(data / f"rows.{split}.jsonl.gz")})
    return sorted(path.name.removesuffix(f".{split}.jsonl.gz") for path in data.glob(f"*.{split}.jsonl.gz"))


def read_set(data: Path, name: str, split: str) -> list[dict[str, Any]]:
    """Return the rows of a set, none where the folder lacks it."""
    together, alone = data / f"rows.{split}.jsonl.gz", data / f"{name}.{split}.jsonl.gz"
    if together.exists():
        rows = [row for row in read_lines(together) if row["set"] == name]
        return [{key: value for key, value in row.items() if key != "set"} for row in rows]
    return list(read_lines(alone)) if alone.exists() else []


def check_set(data: Path, name: str, split: str) -> None:
    """End the script with one line where the folder lacks a set."""
    if name not in list_sets(data, split):
        sys.exit(f"{data} has no {name}.{split}.jsonl.gz: --data takes the folder of NAME.SPLIT.jsonl.gz")


def read_wordings(part: str | None = None) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of the held-out wordings, all or those of a part."""
    for row in read_lines(DATA / "wordings.test.jsonl.gz"):
        if part in (None, row["part"]):
            yield row["kind"], row["text"]


def read_forms(part: str) -> list[tuple[str, str]]:
    """Return the kind of each form of a part, and the form: {a} is the answer, {q} the question."""
    split = "test" if part in HELD_OUT_FORMS else "dev"
    rows = read_lines(DATA / f"forms.{split}.jsonl.gz")
    return [(row["kind"], row["form"]) for row in rows if row["part"] == part]


@cache
def read_prompts() -> dict[tuple[str, str], str]:
    """Return the texts of the measured prompts by protocol and name."""
    return {(row["protocol"], row["name"]): row["text"] for row in read_lines(DATA / "prompts.jsonl.gz")}
