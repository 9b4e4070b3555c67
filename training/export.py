"""Write the trained network and its trees as the ONNX file (int8) that ships.

python -m training.export --folder WORK/final --vocabulary WORK/base/vocab.txt --target src/karat/embedded/weights/judge.onnx
"""

import argparse
import hashlib
import json
import pickle
import random
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS, Pair
from training.measure import predict
from training.network import LEVELS, Network, pad, tilt
from training.rows import TRAINED
from training.train import read
from training.trees import WEIGHT, attach, look

CARD = 7
"""Raised whenever the weights, the first look or the part of a text that is read change; the judge then has another fingerprint."""
CHECKED = 300
EXACT, QUANTISED = 2e-3, 0.03
"""Largest mean error of P(match): of the exported file before quantisation, and of the one that ships."""


class Shipped(torch.nn.Module):
    """The network as it is called at run time, with the inputs of the trees as an output."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, tokens: torch.Tensor, kinds: torch.Tensor, measures: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the match logit, the level distribution, P(covered) and the alignment values."""
        match, levels, covered = self.network(tokens, kinds, measures)
        aligned = self.network.alignment(self.network.words(tokens), tokens, kinds)
        leaning = tilt(levels, aligned, tokens, kinds)
        return match, leaning.softmax(-1), torch.sigmoid(covered), aligned


def export(folder: Path, target: Path, vocabulary: Path, layers: int) -> None:
    """Write the int8 network and the trees as one file."""
    slope = json.loads((folder / "calibration.json").read_text())["slope"]
    network = Network(len(FEATURE_NAMES), KINDS, layers)
    network.load_state_dict(torch.load(folder / "network.pt"))
    network.eval()
    trees = pickle.loads((folder / "trees.pickle").read_bytes())
    shipped = Shipped(network).eval()
    tokens = torch.randint(5, 2000, (3, 17))
    kinds = torch.randint(0, KINDS, (3, 17))
    measures = torch.zeros(3, len(FEATURE_NAMES))
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "whole.onnx"
        torch.onnx.export(
            shipped, (tokens, kinds, measures), str(whole), dynamo=False, opset_version=17,
            input_names=["tokens", "kinds", "measures"], output_names=["match_logit", "levels", "covered", "aligned"],
            dynamic_axes={name: {0: "rows", 1: "length"} if name in ("tokens", "kinds") else {0: "rows"} for name in ("tokens", "kinds", "measures", "match_logit", "levels", "covered", "aligned")},
        )  # fmt: skip
        target.parent.mkdir(parents=True, exist_ok=True)
        quantize_dynamic(whole, target, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
        model = onnx.load(target)
        model.doc_string, model.producer_name = "", "karat"
        attach(model, trees, WEIGHT, slope)
        onnx.save(model, target)
        exact = onnx.load(whole)
        attach(exact, trees, WEIGHT, slope)
        onnx.save(exact, Path(place) / "exact.onnx")
        check(folder, network, Path(place) / "exact.onnx", target, slope)
    weights = target.read_bytes()
    card = {
        "version": CARD,
        "sha256": hashlib.sha256(weights).hexdigest(),
        "measures": FEATURE_NAMES,
        "trained_on": TRAINED,
        "slope": slope,
    }
    (target.parent / "card.json").write_text(json.dumps(card, indent=1) + "\n")
    shutil.copyfile(vocabulary, target.parent / "vocabulary.txt")
    print(json.dumps({"bytes": len(weights)}))


def check(folder: Path, network: Network, exact: Path, target: Path, slope: float) -> None:
    """Compare both files with torch and scikit-learn on dev pairs, one pair at a time as the judge reads them."""
    pairs = [each.pairs[0] for each in random.Random(1).sample(read(folder.parent, "dev"), CHECKED)]
    match, level, _ = predict(network, pairs)
    trees = pickle.loads((folder / "trees.pickle").read_bytes())
    probability = 1 / (1 + np.exp(-slope * (match + WEIGHT * trees.decision_function(look(network, pairs)))))
    for path, bound in ((exact, EXACT), (target, QUANTISED)):
        session = onnxruntime.InferenceSession(str(path))
        said = [session.run(["match", "levels"], _feed(pair)) for pair in pairs]
        off = np.abs(probability - [matched[0] for matched, _ in said])
        away = np.abs(level - [levels[0] @ np.arange(LEVELS) for _, levels in said])
        told = f"{path.name}: P(match) is off by {off.mean():.4f} in the mean and {off.max():.3f} at most, the level by {away.mean():.4f} and {away.max():.3f}"
        print(told)
        if off.mean() > bound or away.mean() > LEVELS * bound:
            raise SystemExit(f"{told}: more than {bound} for P(match)")


def _feed(pair: Pair) -> dict[str, np.ndarray]:
    tokens, kinds, measures = pad([pair])
    return {"tokens": tokens.numpy(), "kinds": kinds.numpy(), "measures": measures.numpy()}


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--folder", type=Path, required=True)
    asked.add_argument("--target", type=Path, required=True)
    asked.add_argument("--layers", type=int, default=6)
    asked.add_argument("--vocabulary", type=Path, required=True)
    given = asked.parse_args()
    export(given.folder, given.target, given.vocabulary, given.layers)
