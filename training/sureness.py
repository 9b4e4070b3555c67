"""How sure verdicts on explanations may be: the size of their logits, bent so that confidences fit on the dev parts of the sets that explain.

The one slope of the network is fitted on all sets, most of whose rows are short answers.
"""

import argparse
import json
from importlib.resources import files
from pathlib import Path

import numpy as np

import karat
from karat.core.types import Item, Verdict
from karat.likeness import choose_references
from karat.models.embedded import Texts, read_card
from training.rows import Row, read_set

SHIPPED = Path(str(files("karat.models.embedded"))) / "weights" / "card.json"
SETS = ("scientsbank", "beetle", "saf_en")
SCALES = np.round(np.arange(0.3, 1.55, 0.05), 2)
POWERS = np.round(np.arange(0.6, 2.05, 0.1), 2)


def gather(data: Path, name: str) -> np.ndarray:
    """Return logit of the confidence, whether the verdict is right, and how far the reference explains, for each dev row that the network decides."""
    rows = [row for row in read_set(data, name, "dev") if row.label is not None]
    outcomes = karat.grade([Item(row.question, tuple(row.references), row.answer) for row in rows])
    found = [
        (_logit(outcome.confidence), outcome.value == bool(row.label), _length(row))
        for row, outcome in zip(rows, outcomes, strict=True)
        if isinstance(outcome, Verdict) and outcome.confidence is not None
    ]
    return np.array(found, float)


def _logit(confidence: float) -> float:
    sure = min(confidence, 0.9999)
    return float(np.log(sure / (1 - sure)))


def _length(row: Row) -> float:
    [place] = choose_references(tuple(row.references), row.answer, 1)
    return read_card().familiar.find_length(Texts(row.question, row.references[place], row.answer))


def lose(rows: np.ndarray, scale: float, power: float) -> float:
    """Return the mean loss of the bent confidences."""
    logit, right, length = rows.T
    bent = logit + length * (scale * np.abs(logit) ** power - logit)
    sure = np.clip(1 / (1 + np.exp(-bent)), 1e-6, 1 - 1e-6)
    return float(-np.mean(right * np.log(sure) + (1 - right) * np.log(1 - sure)))


def main(data: Path, card: Path) -> None:
    """Fit both figures, each set counted alike, and write them into the card."""
    if not card.samefile(SHIPPED):
        print(
            f"{card} is not the card of the judge that grades here: how sure it is of explanations stays as it is"
        )
        return
    known = json.loads(card.read_text())
    _write(card, known, 1.0, 1.0)
    sets = [gather(data, name) for name in SETS]

    def lose_all(pair: tuple[float, float]) -> float:
        return float(np.mean([lose(rows, *pair) for rows in sets]))

    scale, power = min(((float(s), float(p)) for s in SCALES for p in POWERS), key=lose_all)
    _write(card, known, scale, power)
    print(
        f"scale {scale}, power {power}: loss {lose_all((scale, power)):.4f}, unbent {lose_all((1.0, 1.0)):.4f}"
    )


def _write(card: Path, known: dict, scale: float, power: float) -> None:
    known["familiar"] |= {"scale": scale, "power": power}
    card.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--card", type=Path, required=True, help="card.json of the judge that grades here")
    given = asked.parse_args()
    main(given.data, given.card)
