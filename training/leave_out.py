"""Agreement and calibration on sets that were left out of network, trees, slope and familiar words, on their train and dev parts.

python -m training.leave_out --work WORK --base WORK/base/model.safetensors --ranks 1

Short runs on a share of the rows. It can be stopped at any time; the same command continues the run that was interrupted.
"""

import argparse
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.metrics import cohen_kappa_score, f1_score

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS, Texts, choose_references
from karat.stats import Estimate
from karat.stats.calibration import expected_calibration_error
from karat.text import clean, set_full_stop, strip_politeness
from training.calibrate import fit, squash
from training.familiar import gather
from training.measure import best, ece, predict
from training.network import Network
from training.rows import Encoded
from training.train import read
from training.trees import WEIGHT, grow, look

SETS = ("evouna_nq", "evouna_tq", "efficientqa", "scientsbank", "beetle", "saf_en")
MOST = 1500
"""Rows of the train part that are judged; the dev part is judged whole."""


def train(work: Path, base: Path, part: float, ranks: int, without: str) -> Path:
    """Train without a set, or return the finished run."""
    name = f"without-{part:g}-{without}"
    with (work / f"{name}.log").open("a") as log:
        subprocess.run(  # noqa: S603 - our own module, with options of this list
            [sys.executable, "-m", "training.train", "--work", str(work), "--base", str(base), "--part", str(part), "--ranks", str(ranks), "--half", "--name", name, "--without", without],
            check=True, stdout=log, stderr=log,
        )  # fmt: skip
    return work / name


def show(work: Path, folder: Path, without: str) -> str:
    """Return a line of the table: the figures of the set that was left out."""
    network = Network(len(FEATURE_NAMES), KINDS, 6)
    network.load_state_dict(torch.load(folder / "network.pt"))
    trees = grow(network, work, (without,))
    learnt, dev = _open(read(work, "train")), _open(read(work, "dev"))
    kinds, truth = np.array([each.row.kind for each in dev]), np.array([each.row.label for each in dev])
    slope = fit(_score(network, trees, dev), truth, kinds, [name for name in SETS if name != without])
    rows = [each for each in learnt if each.row.kind == without]
    rows = random.Random(1).sample(rows, min(MOST, len(rows))) + [
        each for each in dev if each.row.kind == without
    ]
    logits, truth = _score(network, trees, rows), np.array([each.row.label for each in rows])
    even = squash(logits, slope)
    familiar = gather(read(work, "train"), without)
    tempered = np.array(
        [familiar.temper(_show_texts(each), float(share)) for each, share in zip(rows, even, strict=True)]
    )
    said = logits > 0
    figures = [
        f"{cohen_kappa_score(truth, said):.3f}",
        f"{f1_score(truth, said, average='macro'):.3f}",
        f"{slope:.2f}",
        f"{np.mean([familiar.find_share(_show_texts(each)) for each in rows]):.2f}",
        *(f"{_err(truth, shares):.3f}" for shares in (even, tempered)),
        *(f"{ece(truth, shares):.3f}" for shares in (even, tempered)),
    ]
    questions = len({each.row.question or each.row.group for each in rows})
    return f"| {without} | {len(rows)} | {questions} | {' | '.join(figures)} |"


def _open(rows: list[Encoded]) -> list[Encoded]:
    """Return the rows that people labelled and rules leave open."""
    return [
        each for each in rows if each.row.label is not None and each.ruled is None and each.row.kind in SETS
    ]


def _score(network: Network, trees: Any, rows: list[Encoded]) -> np.ndarray:
    pairs = [pair for each in rows for pair in each.pairs]
    return best(rows, predict(network, pairs)[0] + WEIGHT * trees.decision_function(look(network, pairs)))


def _show_texts(each: Encoded) -> Texts:
    """Return the question and the most similar reference, as the judge would read them."""
    answer = set_full_stop(clean(strip_politeness(each.row.question or "", each.row.answer)))
    [place] = choose_references(tuple(each.row.references), answer, 1)
    return Texts(each.row.question, each.row.references[place], answer)


def _err(truth: np.ndarray, shares: np.ndarray) -> float:
    """Return the calibration error of the confidences of verdicts, as benchmarks/judges.py computes it."""
    sure = [float(max(share, 1 - share)) for share in shares]
    right = [int((share >= 0.5) == label) for share, label in zip(shares, truth, strict=True)]
    found = expected_calibration_error(sure, right)
    assert isinstance(found, Estimate)
    return found.value


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--base", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    asked.add_argument("--part", type=float, default=0.12, help="share of the rows")
    asked.add_argument("--ranks", type=int, default=2, help="processes, one core each")
    asked.add_argument("--sets", nargs="*", default=list(SETS), choices=SETS)
    given = asked.parse_args()
    print(
        "| left out | rows that rules leave open | questions | kappa | macro-F1 | slope | known words | ECE of confidences, untempered | tempered | ECE of P(match), untempered | tempered |",
        flush=True,
    )
    for name in given.sets:
        made = train(given.work, given.base, given.part, given.ranks, name)
        print(show(given.work, made, name), flush=True)
