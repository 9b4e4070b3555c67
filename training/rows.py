"""Rows of the human-judged sets, as training reads them."""

import gzip
import json
from dataclasses import dataclass, field
from pathlib import Path

from karat.embedded.inputs import Pair

TRAINED = ("evouna_nq", "evouna_tq", "efficientqa", "truthfulqa", "beetle", "scientsbank", "saf_en", "saf_de")
"""The sets whose licence allows to train weights that ship (NOTICE)."""


@dataclass
class Row:
    """A question, its references, an answer, and its label and score."""

    question: str | None
    references: list[str]
    answer: str
    label: int | None
    kind: str
    group: str
    score: float | None = None
    covered: int | None = None
    source: str = ""
    votes: list[float] = field(default_factory=list)


class Encoded:
    """A row with its encoded pairs, the most similar reference first, and the verdict of the rules."""

    def __init__(self, row: Row, pairs: list[Pair], ruled: int | None) -> None:
        self.row, self.pairs, self.ruled = row, pairs, ruled


def read_set(folder: Path, name: str, part: str) -> list[Row]:
    """Read one part of one set; scores are scaled to 0..5."""
    rows: list[Row] = []
    with gzip.open(folder / f"{name}.{part}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            raw = json.loads(line)
            row = Row(
                raw["question"],
                raw["references"],
                raw["prediction"],
                raw["label"],
                name,
                raw["question"] or raw["id"],
                source=raw["source"] or "",
            )
            row.score = _scale(raw)
            rows.append(row)
    return rows


def _scale(raw: dict) -> float | None:
    if raw["score"] is not None and raw["score_range"]:
        low, high = raw["score_range"]
        return 5 * (raw["score"] - low) / (high - low)
    if (raw.get("meta") or {}).get("label3") == "contradictory":
        return 0.5
    return 5.0 if raw["label"] == 1 else None
