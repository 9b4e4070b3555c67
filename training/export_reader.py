"""Write a run of the second design as one int8 ONNX file, compare it with torch, and measure its speed.

python -m training.export_reader --work WORK --run NAME --data DIR

It writes WORK/NAME/reader.onnx and prints its size, how far it is from torch on dev rows, and rows per second on two cores, from the
texts of evouna_nq to P(match).
"""

import argparse
import json
import os
import pickle
import random
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS, WordPieces
from training import lessons
from training.lessons import encode_row
from training.reader import LEVELS, Reader
from training.rows import Encoded, Row, read_set
from training.second import read_run

CHECKED = 600
SPEED_ROWS = 800


class Shipped(torch.nn.Module):
    """The reader as it is called at run time."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(
        self, tokens: Tensor, kinds: Tensor, measures: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return P(match), the level distribution, P(covered) and the three probabilities of entailment."""
        match, levels, covered, entailed = self.reader(tokens, kinds, measures)
        return torch.sigmoid(match), levels.softmax(-1), torch.sigmoid(covered), entailed.softmax(-1)


def export(reader: Reader, target: Path) -> None:
    """Write the int8 file."""
    tokens, kinds = torch.randint(5, 2000, (3, 17)), torch.randint(0, KINDS, (3, 17))
    measures = torch.zeros(3, len(FEATURE_NAMES))
    outputs = ["match", "levels", "covered", "entailed"]
    axes = {name: {0: "rows"} for name in ("measures", *outputs)} | {
        name: {0: "rows", 1: "length"} for name in ("tokens", "kinds")
    }
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "whole.onnx"
        torch.onnx.export(
            Shipped(reader).eval(), (tokens, kinds, measures), str(whole), dynamo=False, opset_version=17,
            input_names=["tokens", "kinds", "measures"], output_names=outputs, dynamic_axes=axes,
        )  # fmt: skip
        named = {each.name for each in onnx.load(str(whole)).graph.input}
        if named != {"tokens", "kinds", "measures"}:
            print(f"the file takes {sorted(named)} only", flush=True)
        quantize_dynamic(
            str(whole), str(target), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
            op_types_to_quantize=["MatMul", "Gemm", "Gather"],
        )  # fmt: skip


def open_session(path: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def ask(session: Any, each: Encoded) -> tuple[float, float]:
    """Return P(match) and the expected level of the best reference; each pair is read alone."""
    takes = {entry.name for entry in session.get_inputs()}
    found: list[tuple[float, float]] = []
    for pair in each.pairs:
        given = {
            "tokens": np.array([pair.tokens]),
            "kinds": np.array([pair.kinds]),
            "measures": np.array([pair.features], np.float32),
        }
        match, levels = session.run(
            ["match", "levels"], {name: value for name, value in given.items() if name in takes}
        )
        found.append((float(match[0]), float(levels[0] @ np.arange(LEVELS))))
    return max(match for match, _ in found), max(level for _, level in found)


def compare(reader: Reader, session: Any, rows: list[Encoded]) -> dict[str, float]:
    """Compare the file with torch, both reading one pair at a time in full precision."""
    off: list[float] = []
    away: list[float] = []
    turned = 0
    with torch.no_grad():
        for each in rows:
            match, level = ask(session, each)
            found: list[tuple[float, float]] = []
            for pair in each.pairs:
                said = reader(
                    torch.tensor([pair.tokens]),
                    torch.tensor([pair.kinds]),
                    torch.tensor([pair.features], dtype=torch.float32),
                )
                found.append(
                    (
                        float(torch.sigmoid(said[0])),
                        float(said[1].softmax(-1)[0] @ torch.arange(LEVELS, dtype=torch.float32)),
                    )
                )
            exact = max(value for value, _ in found)
            off.append(abs(match - exact))
            away.append(abs(level - max(value for _, value in found)))
            turned += (match >= 0.5) != (exact >= 0.5)
    return {
        "off in the mean": float(np.mean(off)),
        "off at most": max(off),
        "level off in the mean": float(np.mean(away)),
        "verdicts that differ": turned / len(rows),
    }


# Speed.

_session: Any = None


def _start(path: str, vocabulary: str) -> None:
    global _session  # noqa: PLW0603 - one per process
    _session = open_session(Path(path))
    lessons.load_pieces(WordPieces(Path(vocabulary).read_text(encoding="utf-8")))


def _judge(rows: list[Row]) -> float:
    begin = time.process_time()
    for row in rows:
        ask(_session, encode_row(row))
    return time.process_time() - begin


def measure_speed(path: Path, vocabulary: Path, rows: list[Row]) -> dict[str, float]:
    """Return rows per second of two processes, by the clock and by the processor time that they took."""
    jobs = [rows[start : start + 50] for start in range(0, len(rows), 50)]
    with ProcessPoolExecutor(2, initializer=_start, initargs=(str(path), str(vocabulary))) as pool:
        list(pool.map(_judge, jobs[:2]))
        begin = time.monotonic()
        used = sum(pool.map(_judge, jobs))
        taken = time.monotonic() - begin
    return {
        "rows": len(rows),
        "rows/s by the clock": len(rows) / taken,
        "rows/s on two free cores": 2 * len(rows) / used,
    }


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--run", required=True)
    asked.add_argument("--data", type=Path, required=True)
    given = asked.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    torch.set_num_threads(1)
    trained = read_run(given.work / given.run)
    file = given.work / given.run / "reader.onnx"
    export(trained, file)
    dev: list[Encoded] = pickle.loads((given.work / "lessons.pickle").read_bytes())["dev"]
    figures = {
        "bytes": file.stat().st_size,
        **compare(trained, open_session(file), random.Random(1).sample(dev, min(CHECKED, len(dev)))),
        **measure_speed(
            file, given.work / "base" / "vocab.txt", read_set(given.data, "evouna_nq", "dev")[:SPEED_ROWS]
        ),
    }
    (given.work / given.run / "export.json").write_text(json.dumps(figures, indent=1))
    print(json.dumps(figures, indent=1))
