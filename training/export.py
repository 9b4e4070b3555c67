"""From the trained network and its trees to the file that ships: ONNX, int8."""

import argparse
import hashlib
import json
import pickle
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from karat.likeness import NAMES
from karat.models.embedded.pairs import KINDS
from training.network import Network
from training.rows import TRAINED
from training.trees import WEIGHT, attach


class Shipped(torch.nn.Module):
    """The network as it is called at run time; what the trees need besides."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, tokens: torch.Tensor, kinds: torch.Tensor, measures: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the match logit, the level distribution, P(covered) and how near the words are."""
        match, levels, covered = self.network(tokens, kinds, measures)
        aligned = self.network.alignment(self.network.words(tokens), tokens, kinds)
        return match, levels.softmax(-1), torch.sigmoid(covered), aligned


def export(folder: Path, target: Path, vocabulary: Path, layers: int) -> None:
    """Write the int8 network and the trees as one file."""
    slope = json.loads((folder / "calibration.json").read_text())["slope"]
    network = Network(len(NAMES), KINDS, layers)
    network.load_state_dict(torch.load(folder / "network.pt"))
    network.eval()
    trees = pickle.loads((folder / "trees.pickle").read_bytes())
    shipped = Shipped(network).eval()
    tokens = torch.randint(5, 2000, (3, 17))
    kinds = torch.randint(0, KINDS, (3, 17))
    measures = torch.zeros(3, len(NAMES))
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
        logit, _, _, aligned = onnxruntime.InferenceSession(str(whole)).run(
            None, _feed(tokens, kinds, measures)
        )
    small = onnxruntime.InferenceSession(str(target)).run(None, _feed(tokens, kinds, measures))
    said = trees.decision_function(np.hstack([measures.numpy(), aligned]))
    exact = 1 / (1 + np.exp(-slope * (logit + WEIGHT * said)))
    weights = target.read_bytes()
    card = {
        "version": 2,
        "sha256": hashlib.sha256(weights).hexdigest(),
        "measures": NAMES,
        "trained_on": TRAINED,
        "slope": slope,
    }
    (target.parent / "card.json").write_text(json.dumps(card, indent=1) + "\n")
    shutil.copyfile(vocabulary, target.parent / "vocabulary.txt")
    print(json.dumps({"bytes": len(weights), "difference": float(np.abs(exact - small[0]).max())}))


def _feed(tokens: torch.Tensor, kinds: torch.Tensor, measures: torch.Tensor) -> dict[str, np.ndarray]:
    return {"tokens": tokens.numpy(), "kinds": kinds.numpy(), "measures": measures.numpy()}


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--folder", type=Path, required=True)
    asked.add_argument("--target", type=Path, required=True)
    asked.add_argument("--layers", type=int, default=6)
    asked.add_argument("--vocabulary", type=Path, required=True)
    given = asked.parse_args()
    export(given.folder, given.target, given.vocabulary, given.layers)
