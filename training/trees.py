"""Fit gradient-boosted trees over the measures; their logit is added to the network's.

python -m training.trees --work WORK
"""

import argparse
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper
from sklearn.ensemble import HistGradientBoostingClassifier

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS, Pair
from training.network import Network, pad
from training.train import is_equivalence, read

ROUNDS, RATE, LEAVES, LEAST = 200, 0.06, 24, 30
VALUE_ROWS = 2_000
VALUES = tuple(f"contrast:{kind}_" for kind in ("date", "number", "unit", "percent", "money"))
WEIGHT = 1.3
"""Weight of the trees' logit beside the network's. Of .5, .8 and 1.3, 1.3 has the best agreement on the dev parts (training.compare)."""


def look(network: Network, pairs: list[Pair]) -> np.ndarray:
    """Return the inputs of the trees: the measures and the alignment values."""
    near = np.zeros((len(pairs), network.alignment.FIGURES), np.float32)
    order = sorted(range(len(pairs)), key=lambda place: len(pairs[place].tokens))
    with torch.no_grad():
        for start in range(0, len(order), 128):
            places = order[start : start + 128]
            tokens, kinds, _ = pad([pairs[place] for place in places])
            near[places] = network.alignment(network.words(tokens), tokens, kinds).numpy()
    return np.hstack([np.array([pair.features for pair in pairs], np.float32), near])


def grow(  # scikit-learn has no types
    network: Network, work: Path, without: tuple[str, ...] = (), width: int | None = None
) -> Any:
    """Fit trees on human rows and contrast rows about values. Other contrast rows are left out: measures cannot tell a denial from a statement, and with them the trees lose agreement on human rows."""
    human = [each for each in read(work, "train") if each.row.kind not in without and is_equivalence(each)]
    values = [each for each in read(work, "contrast") if each.row.kind.startswith(VALUES)]
    rows = [
        each for each in human + random.Random(1).sample(values, VALUE_ROWS) if each.row.label is not None
    ]
    seen = look(network, [each.pairs[0] for each in rows])[:, :width]
    return fit(seen, np.array([each.row.label for each in rows]))


def fit(seen: np.ndarray, truth: np.ndarray) -> Any:
    """Fit trees to their inputs."""
    model = HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=LEAST,
        random_state=0,
        early_stopping=False,
    )
    return model.fit(seen, truth)


def attach(model: onnx.ModelProto, trees: Any, weight: float, slope: float) -> None:
    """Add the trees to the network's graph: its logit `match_logit` and theirs make the probability `match`."""
    graph = model.graph
    scaled = _write_trees(trees, weight)
    slope_name = "match_slope"
    graph.initializer.append(helper.make_tensor(slope_name, TensorProto.FLOAT, [], [slope]))
    shape = "match_shape"
    graph.initializer.append(helper.make_tensor(shape, TensorProto.INT64, [1], [-1]))
    graph.node.extend(
        [
            helper.make_node("Concat", ["measures", "aligned"], ["seen_by_trees"], axis=1),
            scaled,
            helper.make_node("Reshape", ["trees_column", shape], ["trees_logit"]),
            helper.make_node("Add", ["match_logit", "trees_logit"], ["match_sum"]),
            helper.make_node("Mul", ["match_sum", slope_name], ["match_scaled"]),
            helper.make_node("Sigmoid", ["match_scaled"], ["match"]),
        ]
    )
    kept = [each for each in graph.output if each.name not in ("match_logit", "aligned")]
    del graph.output[:]
    graph.output.extend([helper.make_tensor_value_info("match", TensorProto.FLOAT, ["rows"]), *kept])
    if not any(each.domain == "ai.onnx.ml" for each in model.opset_import):
        model.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))


def _write_trees(trees: Any, weight: float) -> onnx.NodeProto:
    """Write scikit-learn's trees as one node; training.export checks that both give the same."""
    fields: dict[str, list[Any]] = {
        name: []
        for name in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")
    }
    targets: dict[str, list[Any]] = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    for number, (predictor,) in enumerate(trees._predictors):  # noqa: SLF001 - there is no other way to them
        for place, node in enumerate(predictor.nodes):
            leaf = bool(node["is_leaf"])
            fields["treeids"].append(number)
            fields["nodeids"].append(place)
            fields["featureids"].append(0 if leaf else int(node["feature_idx"]))
            fields["values"].append(0.0 if leaf else _round_down(node["num_threshold"]))
            fields["modes"].append("LEAF" if leaf else "BRANCH_LEQ")
            fields["truenodeids"].append(0 if leaf else int(node["left"]))
            fields["falsenodeids"].append(0 if leaf else int(node["right"]))
            if leaf:
                targets["treeids"].append(number)
                targets["nodeids"].append(place)
                targets["ids"].append(0)
                targets["weights"].append(weight * float(node["value"]))
    base = float(np.ravel(trees._baseline_prediction)[0])  # noqa: SLF001
    return helper.make_node(
        "TreeEnsembleRegressor", ["seen_by_trees"], ["trees_column"], domain="ai.onnx.ml", n_targets=1,
        base_values=[weight * base], post_transform="NONE",
        **{f"nodes_{name}": values for name, values in fields.items()},
        **{f"target_{name}": values for name, values in targets.items()},
    )  # fmt: skip


def _round_down(threshold: float) -> float:
    """Round down to single precision, as the measures are, so that values at a threshold stay on the same side."""
    near = np.float32(threshold)
    return float(near if near <= threshold else np.nextafter(near, np.float32(-np.inf)))


def main() -> None:
    """Fit the trees of a trained network and write them beside it."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--name", default="final")
    asked.add_argument("--layers", type=int, default=6)
    given = asked.parse_args()
    folder = given.work / given.name
    network = Network(len(FEATURE_NAMES), KINDS, given.layers)
    network.load_state_dict(torch.load(folder / "network.pt"))
    trees = grow(network, given.work)
    (folder / "trees.pickle").write_bytes(pickle.dumps(trees))


if __name__ == "__main__":
    main()
