"""How far confidences may be trusted on sets that nothing was fitted on: network, trees and slope made without a set, measured on its dev part.

Short runs on a share of the rows; can be stopped at any moment: the same command goes on with the run that was under way.
"""

import argparse
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import cohen_kappa_score, f1_score

from karat.likeness import NAMES
from karat.models.embedded.pairs import KINDS
from training.calibrate import fit, squash
from training.measure import best, ece, predict
from training.network import Network
from training.trees import WEIGHT, grow, look

SETS = ("evouna_nq", "evouna_tq", "efficientqa", "scientsbank", "beetle", "saf_en")


def train(work: Path, base: Path, part: float, ranks: int, without: str) -> Path:
    """Train without a set, or take what was trained so before."""
    name = f"without-{part:g}-{without}"
    with (work / f"{name}.log").open("a") as log:
        subprocess.run(  # noqa: S603 - our own module, with options of this list
            [sys.executable, "-m", "training.train", "--work", str(work), "--base", str(base), "--part", str(part), "--ranks", str(ranks), "--half", "--name", name, "--without", without],
            check=True, stdout=log, stderr=log,
        )  # fmt: skip
    return work / name


def show(work: Path, folder: Path, without: str) -> str:
    """Return a line of the table: the set that was left out, judged by what was made of the others."""
    network = Network(len(NAMES), KINDS, 6)
    network.load_state_dict(torch.load(folder / "network.pt"))
    rows = [
        each
        for each in pickle.loads((work / "dev.pickle").read_bytes())
        if each.row.label is not None and each.ruled is None and each.row.kind in SETS
    ]
    pairs = [pair for each in rows for pair in each.pairs]
    match, _, _ = predict(network, pairs)
    trees = grow(network, work, (without,))
    logits = best(rows, match + WEIGHT * trees.decision_function(look(network, pairs)))
    truth, kinds = np.array([each.row.label for each in rows]), np.array([each.row.kind for each in rows])
    slope = fit(logits, truth, kinds, [name for name in SETS if name != without])
    here = kinds == without
    said = logits[here] > 0
    error = ece(truth[here], squash(logits[here], slope))
    return f"| {without} | {here.sum()} | {cohen_kappa_score(truth[here], said):.3f} | {f1_score(truth[here], said, average='macro'):.3f} | {slope:.2f} | {error:.3f} |"


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--base", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    asked.add_argument("--part", type=float, default=0.12, help="share of the rows")
    asked.add_argument("--ranks", type=int, default=2, help="processes, one core each")
    asked.add_argument("--sets", nargs="*", default=list(SETS), choices=SETS)
    given = asked.parse_args()
    print("| left out | rows that rules leave open | kappa | macro-F1 | slope | ECE |", flush=True)
    for name in given.sets:
        made = train(given.work, given.base, given.part, given.ranks, name)
        print(show(given.work, made, name), flush=True)
