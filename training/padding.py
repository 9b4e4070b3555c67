"""Pairs of unlike length as tensors."""

import torch
from torch import Tensor

from karat.embedded.inputs import Pair


def pad(pairs: list[Pair]) -> tuple[Tensor, Tensor, Tensor]:
    """Return tokens, kinds and measures; what is filled up has token 0."""
    length = max(len(pair.tokens) for pair in pairs)
    tokens = torch.zeros(len(pairs), length, dtype=torch.long)
    kinds = torch.zeros(len(pairs), length, dtype=torch.long)
    for row, pair in enumerate(pairs):
        tokens[row, : len(pair.tokens)] = torch.tensor(pair.tokens)
        kinds[row, : len(pair.kinds)] = torch.tensor(pair.kinds)
    return tokens, kinds, torch.tensor([pair.features for pair in pairs], dtype=torch.float32)
