"""Choose the slope that turns logits into probabilities, by the mean log loss over the dev sets.

python -m training.calibrate --work WORK
"""

import argparse
import json
import pickle
from pathlib import Path

import numpy as np
import torch

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS
from training.measure import best, ece, predict
from training.network import Network
from training.trees import WEIGHT, look

SLOPES = np.round(np.arange(0.3, 1.8, 0.05), 2)


def calibrate(work: Path, folder: Path, layers: int) -> float:
    """Return the slope with the least mean loss over the sets, and print the calibration of each set with the slope of the others."""
    network = Network(len(FEATURE_NAMES), KINDS, layers)
    network.load_state_dict(torch.load(folder / "network.pt"))
    rows = [
        each
        for each in pickle.loads((work / "dev.pickle").read_bytes())
        if each.row.label is not None and each.ruled is None
    ]
    rows = [each for each in rows if each.row.kind != "truthfulqa"]
    pairs = [pair for each in rows for pair in each.pairs]
    match, _, _ = predict(network, pairs)
    trees = pickle.loads((folder / "trees.pickle").read_bytes())
    logits = best(rows, match + WEIGHT * trees.decision_function(look(network, pairs)))
    truth = np.array([each.row.label for each in rows])
    kinds = np.array([each.row.kind for each in rows])
    names = list(dict.fromkeys(kinds))
    left_out = {}
    for name in names:
        slope = fit(logits, truth, kinds, [each for each in names if each != name])
        here = kinds == name
        left_out[name] = (slope, round(ece(truth[here], squash(logits[here], slope)), 3))
    slope = fit(logits, truth, kinds, names)
    figures = {
        "slope": slope,
        "ece with the slope of all sets": {name: round(ece(truth[kinds == name], squash(logits[kinds == name], slope)), 3) for name in names},
        "slope and ece from the other sets": left_out,
    }  # fmt: skip
    (folder / "calibration.json").write_text(json.dumps(figures, indent=1))
    print(json.dumps(figures, indent=1))
    return slope


def squash(logits: np.ndarray, slope: float) -> np.ndarray:
    """Turn logits into probabilities."""
    return 1 / (1 + np.exp(-slope * logits))


def fit(logits: np.ndarray, truth: np.ndarray, kinds: np.ndarray, names: list[str]) -> float:
    """Return the slope with the least mean loss over the sets, which count equally."""

    def loss(slope: float) -> float:
        probability = np.clip(squash(logits, slope), 1e-6, 1 - 1e-6)
        each = -(truth * np.log(probability) + (1 - truth) * np.log(1 - probability))
        return float(np.mean([each[kinds == name].mean() for name in names]))

    return float(min(SLOPES, key=loss))


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--name", default="final")
    asked.add_argument("--layers", type=int, default=6)
    given = asked.parse_args()
    calibrate(given.work, given.work / given.name, given.layers)
