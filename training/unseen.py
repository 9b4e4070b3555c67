"""What orders the answers of a set that nothing was fitted to: trees over the figures, or one figure as it is (the table "Levels" of LOG.md)."""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import roc_auc_score

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS
from training.network import Alignment, Network
from training.rows import Encoded
from training.train import read
from training.trees import look

STUDENTS = {"scientsbank": "scientsbank", "beetle": "beetle", "saf_en": "saf", "saf_de": "saf"}
"""The sets that are graded like an exam; both of saf are left out together."""
LABELLED = ("scientsbank", "beetle")
NEAR = slice(len(FEATURE_NAMES), len(FEATURE_NAMES) + Alignment.FIGURES)
UNASKED = len(FEATURE_NAMES) + Alignment.UNASKED


def value(each: Encoded) -> float:
    """Return the score; five or nothing where there is only a label."""
    return each.row.score if each.row.score is not None else 5.0 * (each.row.label or 0)


def grown(columns: slice, rising: int) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """Return a way to order answers: by trees over these figures, which may be made to only rise with them."""

    def order(seen: np.ndarray, values: np.ndarray, asked: np.ndarray) -> np.ndarray:
        trees = HistGradientBoostingRegressor(
            max_iter=150, learning_rate=0.05, max_leaf_nodes=12, min_samples_leaf=40, random_state=0,
            early_stopping=False, monotonic_cst=[rising] * seen[:, columns].shape[1],
        )  # fmt: skip
        return trees.fit(seen[:, columns], values).predict(asked[:, columns])

    return order


def show(work: Path, folder: Path, layers: int) -> None:
    """Print each way's figures on each set that is left out: AUC for labels, Pearson for scores."""
    network = Network(len(FEATURE_NAMES), KINDS, layers)
    network.load_state_dict(torch.load(folder / "network.pt"))
    rows = [
        each
        for each in read(work, "train")
        if each.row.kind in STUDENTS and (each.row.score is not None or each.row.label is not None)
    ]
    rows += [each for each in read(work, "dev") if each.row.kind == "mohler"]
    kinds = np.array([each.row.kind for each in rows])
    families = np.array([STUDENTS.get(kind, kind) for kind in kinds])
    values = np.array([value(each) for each in rows])
    seen = look(network, [each.pairs[0] for each in rows])
    ways = {
        "trees over all figures": grown(slice(None), 0), "trees over nearness": grown(NEAR, 0), "trees over nearness, rising": grown(NEAR, 1),
        "one figure, not fitted": lambda _seen, _values, asked: asked[:, UNASKED],
    }  # fmt: skip
    for name, order in ways.items():
        figures: list[str] = []
        for left in (*LABELLED, "saf_en", "mohler"):
            kept = (families != STUDENTS.get(left, left)) & (families != "mohler")
            here = np.array([
                kind == left and (left not in LABELLED or each.row.label is not None)
                for kind, each in zip(kinds, rows, strict=True)
            ])  # fmt: skip
            said = order(seen[kept], values[kept], seen[here])
            if left in LABELLED:
                labels = [each.row.label for each, chosen in zip(rows, here, strict=True) if chosen]
                figures.append(f"{left} AUC {roc_auc_score(labels, said):.3f}")
            else:
                figures.append(f"{left} Pearson {np.corrcoef(values[here], said)[0, 1]:.3f}")
        print(f"{name}: {', '.join(figures)}", flush=True)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--name", default="final")
    asked.add_argument("--layers", type=int, default=6)
    given = asked.parse_args()
    show(given.work, given.work / given.name, given.layers)
