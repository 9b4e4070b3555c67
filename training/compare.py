"""Agreement on dev rows with several weights of the trees, with and without word vectors in the trees, and with several strengths of nearness.

python -m training.compare --work WORK
"""

import argparse
import pickle
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import cohen_kappa_score, f1_score

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS
from training.measure import best, predict
from training.network import Network
from training.rows import Encoded
from training.train import read
from training.trees import grow, look

KAPPA = ("evouna_nq", "evouna_tq")
LEFT_OUT = ("scientsbank", "beetle")
GRADED = ("mohler", "saf_en", "saf_de", "efficientqa")
WEIGHTS = (0.0, 0.5, 0.8, 1.3)
STRENGTHS = (0.0, 1.0, 2.0, 3.0)
FAMILIES = ("choice", "guesses", "negated", "mentioned", "unit_same", "less")


def show(name: str, rows: list[Encoded], logits: np.ndarray, only: tuple[str, ...] = ()) -> None:
    """Print the agreement of gate, rules and logits for each set."""
    figures: list[str] = []
    for kind in dict.fromkeys(each.row.kind for each in rows if each.row.label is not None):
        places = [
            place for place, each in enumerate(rows) if each.row.kind == kind and each.row.label is not None
        ]
        truth = [rows[place].row.label for place in places]
        said = [
            int(logits[place] > 0) if rows[place].ruled is None else rows[place].ruled for place in places
        ]
        figure = cohen_kappa_score(truth, said) if kind in KAPPA else f1_score(truth, said, average="macro")
        if not only or kind in only:
            figures.append(f"{kind} {figure:.3f}")
    print(f"{name}: {', '.join(figures)}", flush=True)


def show_probes(name: str, probes: list[Encoded], logits: np.ndarray) -> None:
    """Print the share of held-out wordings that is judged wrongly without the rules."""
    wrong: dict[str, list[bool]] = defaultdict(list)
    for each, logit in zip(probes, logits, strict=True):
        wrong[each.row.kind.removeprefix("contrast:")].append((logit > 0) != bool(each.row.label))
    print(f"{name}, held out: {', '.join(f'{family} {np.mean(wrong[family]):.3f}' for family in FAMILIES)}")


def show_levels(rows: list[Encoded], network: Network) -> None:
    """Print the agreement of the levels by the strength of nearness: Pearson, in brackets over answers of more than five words, and the mean absolute error."""
    rows = [each for each in rows if each.row.kind in GRADED and each.row.score is not None]
    pairs = [pair for each in rows for pair in each.pairs]
    for strength in STRENGTHS:
        levels = best(rows, predict(network, pairs, strength)[1])
        figures: list[str] = []
        for kind in GRADED:
            places = [place for place, each in enumerate(rows) if each.row.kind == kind]
            long = [place for place in places if len(rows[place].row.answer.split()) > 5]
            truth = np.array([rows[place].row.score for place in places])
            wide = np.array([rows[place].row.score for place in long])
            error = np.abs(truth - levels[places]).mean()
            figures.append(
                f"{kind} {np.corrcoef(truth, levels[places])[0, 1]:.3f} ({np.corrcoef(wide, levels[long])[0, 1]:.3f}) {error:.2f}"
            )
        print(f"levels, tilt {strength}: {', '.join(figures)}", flush=True)


def compare(work: Path, folder: Path, layers: int) -> None:
    """Print all tables."""
    network = Network(len(FEATURE_NAMES), KINDS, layers)
    network.load_state_dict(torch.load(folder / "network.pt"))
    rows = [each for each in read(work, "dev") if each.row.kind != "truthfulqa"]
    probes = [each for each in read(work, "probes") if each.row.label is not None]
    pairs, probed = [pair for each in rows for pair in each.pairs], [each.pairs[0] for each in probes]
    seen, seen_probes = look(network, pairs), look(network, probed)
    said, said_probes = predict(network, pairs)[0], predict(network, probed)[0]
    show_levels(rows, network)
    trees = pickle.loads((folder / "trees.pickle").read_bytes())
    voted, voted_probes = trees.decision_function(seen), trees.decision_function(seen_probes)
    for weight in WEIGHTS:
        show(f"network + {weight} trees", rows, best(rows, said + weight * voted))
        show_probes(f"network + {weight} trees", probes, said_probes + weight * voted_probes)
    for without in ((), *((name,) for name in LEFT_OUT)):
        for name, width in (("measures", len(FEATURE_NAMES)), ("measures and alignment", seen.shape[1])):
            grown = grow(network, work, without, width)
            left = f" without {without[0]}" if without else ""
            show(
                f"trees over {name}{left}",
                rows,
                best(rows, grown.decision_function(seen[:, :width])),
                without,
            )


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--name", default="final")
    asked.add_argument("--layers", type=int, default=6)
    given = asked.parse_args()
    compare(given.work, given.work / given.name, given.layers)
