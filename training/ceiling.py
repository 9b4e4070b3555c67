"""Where the ceiling may be: what more human rows would bring, and how often people contradict themselves. The tables of LOG.md, "Ceiling"."""

import argparse
import random
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import cohen_kappa_score, f1_score

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS
from karat.text import normalise
from training.measure import best
from training.network import Network, load_base
from training.rows import read_set
from training.train import LAYERS, is_equivalence, rarity, read
from training.trees import fit, look

SHARES = (0.06, 0.12, 0.25, 0.5, 1.0)
SEEDS = 3
SETS = {"evouna_nq": "kappa", "evouna_tq": "kappa", "efficientqa": "F1", "scientsbank": "F1", "beetle": "F1", "saf_en": "F1"}  # fmt: skip


def show_curve(work: Path, base: Path) -> None:
    """Print what trees over measures and nearness reach on dev parts with a share of each set's questions; the mean of three draws."""
    human = [each for each in read(work, "train") if is_equivalence(each) and each.row.label is not None]
    dev = [each for each in read(work, "dev") if each.row.label is not None and each.row.kind in SETS]
    network = Network(len(FEATURE_NAMES), KINDS, 6)
    load_base(network, base, LAYERS[6])
    network.alignment.rarity.copy_(rarity(human))
    with torch.no_grad():
        ours = look(network, [each.pairs[0] for each in human])
        theirs = look(network, [pair for each in dev for pair in each.pairs])
    truth = np.array([each.row.label for each in human])
    print("| share of the questions |", " | ".join(f"{name} {figure}" for name, figure in SETS.items()), "|")
    for share in SHARES:
        drawn = [
            _score(dev, best(dev, fit(ours[places], truth[places]).decision_function(theirs)))
            for places in (_draw(human, share, seed) for seed in range(SEEDS if share < 1 else 1))
        ]
        print(f"| {share:g} |", " | ".join(f"{value:.3f}" for value in np.mean(drawn, 0)), "|", flush=True)


def _draw(human: list, share: float, seed: int) -> list[int]:
    groups = sorted({each.row.group for each in human})
    kept = set(random.Random(seed).sample(groups, int(share * len(groups))))
    return [place for place, each in enumerate(human) if each.row.group in kept]


def _score(dev: list, logits: np.ndarray) -> list[float]:
    """Return the figure of each set, behind the rules."""
    figures: list[float] = []
    for name, figure in SETS.items():
        places = [place for place, each in enumerate(dev) if each.row.kind == name]
        said = [
            dev[place].ruled if dev[place].ruled is not None else int(logits[place] > 0) for place in places
        ]
        truth = [dev[place].row.label for place in places]
        figures.append(
            cohen_kappa_score(truth, said) if figure == "kappa" else f1_score(truth, said, average="macro")
        )
    return figures


def show_people(data: Path) -> None:
    """Print how people judged answers that are word for word the same, to the same question, in two places."""
    print("\n| set | pairs of the same answer | judged alike | kappa of the two judgements |")
    for name in ("evouna_nq", "evouna_tq", "efficientqa", "beetle", "scientsbank"):
        given: dict[tuple[str | None, str], list[int]] = defaultdict(list)
        for part in ("train", "dev"):
            for row in read_set(data, name, part):
                if row.label is not None:
                    given[row.question, normalise(row.answer)].append(row.label)
        pairs = [
            (one, other)
            for labels in given.values()
            for place, one in enumerate(labels)
            for other in labels[place + 1 :]
        ]
        both = [*pairs, *((other, one) for one, other in pairs)]
        alike = np.mean([one == other for one, other in pairs])
        kappa = cohen_kappa_score(*zip(*both, strict=True))
        print(f"| {name} | {len(pairs)} | {alike:.3f} | {kappa:.3f} |")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--base", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    asked.add_argument("--data", type=Path, required=True)
    given = asked.parse_args()
    show_curve(given.work, given.base)
    show_people(given.data)
