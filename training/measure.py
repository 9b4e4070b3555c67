"""Agreement on dev rows and probes, of the network alone and of gate, rules and network together. Called by training.train."""

import json
import pickle
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import cohen_kappa_score, f1_score

from training.network import LEVELS, TILT, Network, pad, tilt


def predict(
    network: Network, pairs: list, strength: float = TILT
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return match logits, expected levels as they are shipped and coverage logits, batched by length."""
    network.eval()
    order = sorted(range(len(pairs)), key=lambda place: len(pairs[place].tokens))
    match, level, covered = (np.zeros(len(pairs), np.float32) for _ in range(3))
    with torch.no_grad():
        for start in range(0, len(order), 64):
            places = order[start : start + 64]
            tokens, kinds, measures = pad([pairs[place] for place in places])
            first, second, third = network(tokens, kinds, measures)
            near = network.alignment(network.words(tokens), tokens, kinds)
            match[places] = first.numpy()
            leaning = tilt(second, near, tokens, kinds, strength)
            level[places] = (leaning.softmax(-1) @ torch.arange(LEVELS, dtype=torch.float32)).numpy()
            covered[places] = third.numpy()
    return match, level, covered


def best(rows: list, values: np.ndarray) -> np.ndarray:
    """Return the best value over the pairs of each row."""
    ends = np.cumsum([len(each.pairs) for each in rows])
    return np.array([values[end - len(each.pairs) : end].max() for each, end in zip(rows, ends, strict=True)])


def show_dev(network: Network, work: Path, folder: Path) -> None:
    """Print figures on dev rows and probes, and write them to dev.json."""
    figures: dict[str, object] = {}
    rows = pickle.loads((work / "dev.pickle").read_bytes())
    match, level, _ = predict(network, [pair for each in rows for pair in each.pairs])
    logits, levels = best(rows, match), best(rows, level)
    for kind in dict.fromkeys(each.row.kind for each in rows):
        places = [place for place, each in enumerate(rows) if each.row.kind == kind]
        labelled = [place for place in places if rows[place].row.label is not None]
        if labelled:
            truth = np.array([rows[place].row.label for place in labelled])
            alone = (logits[labelled] > 0).astype(int)
            behind = np.array(
                [
                    rows[place].ruled if rows[place].ruled is not None else int(logits[place] > 0)
                    for place in labelled
                ]
            )
            probability = 1 / (1 + np.exp(-logits[labelled]))
            figures[kind] = {
                "kappa": _round(cohen_kappa_score(truth, alone)), "f1": _round(f1_score(truth, alone, average="macro")),
                "kappa_rules": _round(cohen_kappa_score(truth, behind)), "f1_rules": _round(f1_score(truth, behind, average="macro")),
                "yes": _round(alone.mean()), "truth": _round(truth.mean()), "ece": _round(ece(truth, probability)),
            }  # fmt: skip
        scored = [
            place
            for place in places
            if rows[place].row.score is not None and len(rows[place].row.answer.split()) > 5
        ]
        if kind in ("mohler", "saf_en", "saf_de"):
            figures[f"{kind} pearson"] = _round(
                np.corrcoef([rows[place].row.score for place in scored], levels[scored])[0, 1]
            )
    probes = pickle.loads((work / "probes.pickle").read_bytes())
    match, _, covered = predict(network, [pair for each in probes for pair in each.pairs])
    wrong: dict[str, list[float]] = defaultdict(list)
    behind: dict[str, list[float]] = defaultdict(list)
    for each, logit, cover in zip(probes, best(probes, match), best(probes, covered), strict=True):
        wrong[f"{each.row.kind[9:]}={each.row.label}"].append(float((logit > 0) != bool(each.row.label)))
        said = each.ruled if each.ruled is not None else int(logit > 0)
        behind[f"{each.row.kind[9:]}={each.row.label}"].append(float(said != each.row.label))
        if each.row.covered is not None:
            wrong[f"covered {each.row.kind[9:]}={each.row.covered}"].append(
                float((cover > 0) != bool(each.row.covered))
            )
    figures["probes wrong, alone/behind"] = {
        family: f"{np.mean(values):.3f}/{np.mean(behind[family]) if family in behind else -1:.3f} ({len(values)})"
        for family, values in sorted(wrong.items())
    }
    (folder / "dev.json").write_text(json.dumps(figures, indent=1))
    print(json.dumps(figures, indent=1), flush=True)


def ece(truth: np.ndarray, probability: np.ndarray, bins: int = 10) -> float:
    """Return the expected calibration error over equal bins."""
    places = np.minimum((probability * bins).astype(int), bins - 1)
    return float(
        sum(
            abs(truth[places == each].mean() - probability[places == each].mean()) * (places == each).mean()
            for each in range(bins)
            if (places == each).any()
        )
    )


def _round(value: float) -> float:
    return round(float(value), 3)
