"""A folder of human-labelled answers, written as the benchmarks read them."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

BOAT = "something that floats past buoy"


def raw_row(number: int, label: int | None, **more: Any) -> dict[str, Any]:
    """A row that no rule is sure about; its number stands at the end of the answer."""
    return {
        "id": f"r{number}",
        "question": f"What do you see in picture {number}?",
        "references": [f"a boat with {number} red sails"],
        "prediction": f"{BOAT} {number}",
        "label": label,
        "score": None,
        "score_range": None,
        "source": "made",
        "system": "none",
    } | more


def write_set(data: Path, name: str, rows: Iterable[dict[str, Any]], split: str = "dev") -> Path:
    with gzip.open(data / f"{name}.{split}.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return data
