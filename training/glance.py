"""Fit the first look: a linear model over the measures that rejects hopeless answers to brief references before the network reads them.

python -m training.glance --work WORK --card src/karat/embedded/weights/card.json

It prints for each dev set how many verdicts change. training.first_look chooses the bound that ships.
"""

import argparse
import json
import pickle
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS
from karat.embedded.network import may_skip
from training.measure import predict
from training.network import Network
from training.rows import Encoded
from training.train import is_equivalence, read
from training.trees import WEIGHT, look

CONTRAST_ROWS = 20_000
BOUND = 0.14
"""Answers with a lower probability are rejected without the network; chosen by the printed table."""
BOUNDS = (0.0, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2)
SETS = ("evouna_nq", "evouna_tq", "efficientqa", "beetle", "scientsbank")


class Line(NamedTuple):
    weights: np.ndarray
    bias: float

    def judge(self, rows: list[Encoded]) -> list[list[float]]:
        """Return P(match) of each pair of each row; 1 where the network always reads."""
        return [
            [
                float(1 / (1 + np.exp(-(np.array(pair.features) @ self.weights + self.bias))))
                if may_skip(pair.features)
                else 1.0
                for pair in each.pairs
            ]
            for each in rows
        ]


def fit(work: Path, without: str = "") -> Line:
    """Fit the model to human rows and a sample of the contrast rows, where the network may be skipped."""
    human = [each for each in read(work, "train") if each.row.kind != without and is_equivalence(each)]
    contrast = random.Random(1).sample(read(work, "contrast"), CONTRAST_ROWS)
    rows = [
        each for each in human + contrast if each.row.label is not None and may_skip(each.pairs[0].features)
    ]
    scale = StandardScaler()
    seen = scale.fit_transform([each.pairs[0].features for each in rows])
    model = LogisticRegression(C=0.3, max_iter=1000).fit(seen, [each.row.label for each in rows])
    weights = model.coef_[0] / scale.scale_
    return Line(weights, float(model.intercept_[0] - weights @ scale.mean_))


def calibrate(line: Line, dev: list[Encoded]) -> tuple[float, float]:
    """Return the slope and shift that calibrate its logits on the dev rows that it rejects."""
    seen = [(max(said), each) for said, each in zip(line.judge(dev), dev, strict=True)]
    hopeless = [(np.log(said / (1 - said)), each) for said, each in seen if said < BOUND]
    sizes = {kind: sum(each.row.kind == kind for _, each in hopeless) for kind in SETS}
    model = LogisticRegression(C=1e6).fit(
        [[logit] for logit, _ in hopeless],
        [each.row.label for _, each in hopeless],
        [1 / sizes[each.row.kind] ** 0.5 for _, each in hopeless],
    )
    return float(model.coef_[0][0]), float(model.intercept_[0])


def show(line: Line, dev: list[Encoded], logits: list[list[float]]) -> None:
    """Print for each bound and set how many pairs are read, how many verdicts change, and how many of the rejected are right."""
    print("| bound |", " | ".join(SETS), "|")
    said = line.judge(dev)
    for bound in BOUNDS:
        cells: list[str] = []
        for kind in SETS:
            places = [place for place, each in enumerate(dev) if each.row.kind == kind]
            before = [read_pairs(logits[place], [1.0] * len(logits[place]), bound) for place in places]
            after = [read_pairs(logits[place], said[place], bound) for place in places]
            others = sum(first[1] != second[1] for first, second in zip(before, after, strict=True))
            unread = [
                dev[place].row.label for place, (count, _) in zip(places, after, strict=True) if not count
            ]
            cells.append(
                f"{sum(count for count, _ in after)} of {sum(count for count, _ in before)}, {others} others, {sum(unread)} right of {len(unread)}"
            )
        print(f"| {bound} |", " | ".join(cells), "|")


def read_pairs(logits: list[float], said: list[float], bound: float) -> tuple[int, bool]:
    """Return how many pairs the judge reads, and whether it accepts."""
    count = 0
    for logit, hope in zip(logits, said, strict=True):
        if hope < bound:
            continue
        count += 1
        if logit >= 0:
            return count, True
    return count, False


def main(work: Path, folder: Path, card: Path, layers: int) -> None:
    """Fit the model, print the tables, and write the model into the card beside the weights."""
    dev = [
        each
        for each in read(work, "dev")
        if each.row.kind in SETS and each.row.label is not None and each.ruled is None
    ]
    network = Network(len(FEATURE_NAMES), KINDS, layers)
    network.load_state_dict(torch.load(folder / "network.pt"))
    pairs = [pair for each in dev for pair in each.pairs]
    trees = pickle.loads((folder / "trees.pickle").read_bytes())
    flat = iter(
        (predict(network, pairs)[0] + WEIGHT * trees.decision_function(look(network, pairs))).tolist()
    )
    logits = [[next(flat) for _ in each.pairs] for each in dev]
    line = fit(work)
    show(line, dev, logits)
    slope, shift = calibrate(line, dev)
    print(f"calibrated: slope {slope:.3f}, shift {shift:.3f}")
    for kind in SETS[:3]:
        other = fit(work, kind)
        found = calibrate(other, [each for each in dev if each.row.kind != kind])
        here = [each for each in dev if each.row.kind == kind]
        hopeless = [
            (1 / (1 + np.exp(-(found[0] * np.log(best / (1 - best)) + found[1]))), each.row.label)
            for said, each in zip(other.judge(here), here, strict=True)
            if (best := max(said)) < BOUND
        ]
        expected, seen = np.mean(hopeless, axis=0)
        print(
            f"fitted without {kind}: of {len(hopeless)} rejected there {seen:.3f} are right, {expected:.3f} expected"
        )
    known = json.loads(card.read_text())
    known["glance"] = {
        "weights": [round(float(weight), 5) for weight in line.weights],
        "bias": round(line.bias, 5),
        "bound": round(float(np.log(BOUND / (1 - BOUND))), 5),
        "slope": round(slope, 5),
        "shift": round(shift, 5),
    }
    card.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--card", type=Path, required=True, help="card.json beside the exported weights")
    asked.add_argument("--name", default="final")
    asked.add_argument("--layers", type=int, default=6)
    given = asked.parse_args()
    main(given.work, given.work / given.name, given.card, given.layers)
