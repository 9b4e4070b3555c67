"""Run the network, one pair at a time, after a cheap prefilter. It is loaded once per process on first use."""

import math
import os
from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from threading import Lock
from typing import Any

import msgspec
from msgspec import Struct

from karat.core.errors import SetupError
from karat.embedded.confidence import Familiarity, Reading
from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import Texts, WordPieces, encode_pair
from karat.embedded.phrases import FITTED

_BRIEF = math.log1p(5) / 3  # the measure of a reference of five words
_LENGTH, _FOUND = FEATURE_NAMES.index("reference_length"), FEATURE_NAMES.index("new_recall")


def may_skip(features: Sequence[float]) -> bool:
    """Return whether the network need not read a pair: the reference is brief, and the answer has none of its words that are not in the question."""
    return features[_LENGTH] <= _BRIEF and features[_FOUND] == 0


class Prefilter(Struct, frozen=True):
    """A logistic line over the features, its threshold and its calibration."""

    weights: tuple[float, ...]
    bias: float
    bound: float
    slope: float
    shift: float

    def find_hopeless(self, features: Sequence[float]) -> float | None:
        """Return P(match) of a pair that the network need not read, or None."""
        if not may_skip(features):
            return None
        logit = sum(map(mul, self.weights, features), self.bias)
        return 1 / (1 + math.exp(-(self.slope * logit + self.shift))) if logit < self.bound else None


# The network: loaded once per process on first use.


class Card(Struct, frozen=True):
    """The description of the shipped weights; their hash is part of the judge's identity."""

    version: int
    sha256: str
    measures: tuple[str, ...]
    trained_on: tuple[str, ...]
    slope: float
    glance: Prefilter
    familiar: Familiarity


class Levels(Struct, frozen=True):
    """What the network returns for one pair: P(match), lowered on out-of-domain text, and the probability of each level."""

    match: float
    levels: tuple[float, ...]


class _Network:
    """The loaded files, and the lock under which a process loads them once."""

    loading = Lock()
    process: int | None = None
    loaded: "_Network | None" = None

    def __init__(self) -> None:
        # From 1.29 on it reports models to its maker and writes to the home folder, unless told before it is loaded.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        import onnxruntime

        runtime: Any = onnxruntime
        options = runtime.SessionOptions()
        # One thread per pair; both cores are used by judging two pairs at a time.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        weights = (FITTED / "judge.onnx").read_bytes()
        self.session = runtime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self.pieces = WordPieces((FITTED / "vocabulary.txt").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def read_card() -> Card:
    """Read the description of the weights without loading them."""
    card = msgspec.json.decode((FITTED / "card.json").read_bytes(), type=Card)
    if card.measures != FEATURE_NAMES:
        raise SetupError(
            "the embedded judge's weights were trained on other measures than this code takes; install karat again"
        )
    return card


def read_texts(texts: Sequence[Texts]) -> list[Levels]:
    """Run the network on texts, one by one; safe in threads and in forked processes."""
    network = _load()
    focused = [each.focus() for each in texts]
    return [_read(network, each, each.measure()) for each in focused]


def read_match(texts: Texts) -> Reading:
    """Return P(match), by the prefilter where it suffices, else by the network."""
    texts = texts.focus()
    features = texts.measure()
    hopeless = read_card().glance.find_hopeless(features)
    if hopeless is not None:
        return Reading(hopeless, features, read=False)
    return Reading(_read(_load(), texts, features).match, features, read=True)


def _load() -> _Network:
    with _Network.loading:
        if _Network.loaded is None or _Network.process != os.getpid():  # a forked process loads its own
            read_card()
            _Network.loaded, _Network.process = _Network(), os.getpid()
        return _Network.loaded


def _unlock() -> None:
    """Replace the lock in a forked process, because a thread of the parent may have held it."""
    _Network.loading = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock)


def _read(network: _Network, texts: Texts, features: list[float]) -> Levels:
    import numpy as np

    pair = encode_pair(network.pieces, texts, features)
    match, levels = network.session.run(
        ["match", "levels"],
        {
            "tokens": np.array([pair.tokens], np.int64),
            "kinds": np.array([pair.kinds], np.int64),
            "measures": np.array([pair.features], np.float32),
        },
    )
    return Levels(read_card().familiar.temper(texts, float(match[0])), tuple(levels[0].tolist()))
