"""The first look: which answers to a brief reference are hopeless, told from the measures before the network reads anything.

Reading is a hundred times dearer than measuring. A line over the measures, fitted so that it stops well before the network would
have accepted, spares the reading of most wrong answers to short questions; it never accepts (training/glance.py).
"""

import math
from collections.abc import Sequence
from operator import mul

from msgspec import Struct

from karat.likeness import NAMES

_BRIEF = math.log1p(5) / 3  # the measure of a reference of five words
_LENGTH, _FOUND = NAMES.index("reference_length"), NAMES.index("new_recall")


def may_be_hopeless(features: Sequence[float]) -> bool:
    """Tell whether the reference is brief and its own words, those that the question lacks, are nowhere in the answer: all else is read."""
    return features[_LENGTH] <= _BRIEF and features[_FOUND] == 0


class Glance(Struct, frozen=True):
    """A line over the measures, and what its logits mean."""

    weights: tuple[float, ...]
    bias: float
    bound: float
    slope: float
    shift: float

    def find_hopeless(self, features: Sequence[float]) -> float | None:
        """Return P(match) of a pair that need not be read, or None."""
        if not may_be_hopeless(features):
            return None
        logit = sum(map(mul, self.weights, features), self.bias)
        return 1 / (1 + math.exp(-(self.slope * logit + self.shift))) if logit < self.bound else None
