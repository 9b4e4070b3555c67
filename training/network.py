"""The network: MiniLM's encoder over the tokens of a pair, with the measures beside it; three outputs."""

import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - torch's own name for it

from karat.embedded.inputs import Pair

WIDTH, HEADS, INNER, VOCABULARY, POSITIONS = 384, 12, 1536, 30522, 512
LEVELS = 6
SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""The quantiles at which a measure is cut into steps."""
MARKS = (101, 102)
TILT, MIDDLE, MOST = 2.0, 0.45, 0.25
"""How far nearness alone moves the levels, from which value on, and at most. On sets that were left out, nearness orders answers better than fitted measures do."""
FEW, MANY = 3, 8
"""Tokens that a reference adds to the question: from FEW on nearness moves the levels, from MANY on in full."""


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.out_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.down_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Attend, then transform each place."""
        batch, length, _ = x.shape

        def split(y: Tensor) -> Tensor:
            return y.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        # Written out, as the fused function is three times as slow to train on short texts without a graphics card.
        scores = split(self.query(x)) @ split(self.key(x)).transpose(-1, -2) / math.sqrt(WIDTH // HEADS)
        attended = (scores + mask).softmax(-1).to(x.dtype) @ split(self.value(x)).to(x.dtype)
        attended = attended.transpose(1, 2).reshape(batch, length, WIDTH)
        x = self.out_norm(x + self.drop(self.out(attended)))
        return self.down_norm(x + self.drop(self.down(F.gelu(self.up(x)))))


class Steps(nn.Module):
    """Piecewise linear encoding of measures: for each measure and step, how far the value is through the step."""

    def __init__(self, measures: int) -> None:
        super().__init__()
        self.register_buffer("low", torch.zeros(measures, len(SHARES) - 1))
        self.register_buffer("wide", torch.ones(measures, len(SHARES) - 1))

    def fit(self, measured: Tensor) -> None:
        """Set the steps to the quantiles of the measures."""
        edges = torch.quantile(measured, torch.tensor(SHARES), dim=0).T
        self.low.copy_(edges[:, :-1])
        self.wide.copy_((edges[:, 1:] - edges[:, :-1]).clamp_min(1e-3))

    def forward(self, measures: Tensor) -> Tensor:
        """Return a value between 0 and 1 per measure and step."""
        return ((measures.unsqueeze(-1) - self.low) / self.wide).clamp(0, 1).flatten(1)


class Alignment(nn.Module):
    """How near each word of the reference is to a word of the answer, and the other way round, by the base's word vectors."""

    FIGURES = 9
    UNASKED = 3
    """Index of the value for words of the reference that are not in the question."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("middle", torch.zeros(WIDTH))
        self.register_buffer("rarity", torch.ones(VOCABULARY))

    def forward(self, words: Tensor, tokens: Tensor, kinds: Tensor) -> Tensor:
        """Compare word vectors; nothing here is trained."""
        near = F.normalize(words - self.middle, dim=-1)
        alike = near @ near.transpose(1, 2)
        real = (tokens != 0) & (tokens != MARKS[0]) & (tokens != MARKS[1])
        asked, wanted, given = real & (kinds == 0), real & (kinds > 0) & (kinds < 3), real & (kinds >= 3)
        weight = self.rarity[tokens]
        unasked = 1 - (_nearest(alike, asked) > 0.999).to(weight.dtype)
        found, meant = _nearest(alike, given), _nearest(alike, wanted)
        ours, theirs = wanted.to(weight.dtype), given.to(weight.dtype)
        alone = real.to(weight.dtype) * (kinds == 1).to(weight.dtype)
        return torch.stack(
            [
                _mean(found, weight * ours), _least(found, ours), _mean(meant, weight * theirs),
                _mean(found, weight * ours * unasked), _least(found, ours * unasked), _mean(meant, weight * theirs * unasked),
                _mean(found, weight * alone), _cosine(near, weight * ours, weight * theirs),
                _cosine(near, weight * ours * unasked, weight * theirs * unasked),
            ],
            -1,
        )  # fmt: skip


def _nearest(alike: Tensor, among: Tensor) -> Tensor:
    return torch.where(among.unsqueeze(1), alike, -1.0).amax(-1).clamp_min(0)


def _mean(values: Tensor, weight: Tensor) -> Tensor:
    """Return the weighted mean over the tokens; 1 where there are none."""
    total = weight.sum(-1)
    return torch.where(total > 0, (values * weight).sum(-1) / total.clamp_min(1e-6), 1.0)


def _least(values: Tensor, there: Tensor) -> Tensor:
    return torch.where(there > 0, values, 1.0).amin(-1)


def _cosine(near: Tensor, first: Tensor, second: Tensor) -> Tensor:
    one, two = (near * first.unsqueeze(-1)).sum(1), (near * second.unsqueeze(-1)).sum(1)
    return (one * two).sum(-1) / (one.norm(dim=-1) * two.norm(dim=-1)).clamp_min(1e-6)


class Network(nn.Module):
    """Reads tokens, kinds and measures; returns a match logit, six level logits and a coverage logit."""

    def __init__(
        self,
        measures: int,
        kinds: int,
        layers: int,
        *,
        use_tokens: bool = True,
        use_measures: bool = True,
        use_steps: bool = True,
        use_alignment: bool = True,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.kinds = nn.Embedding(kinds, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.register_buffer("centre", torch.zeros(measures))
        self.register_buffer("spread", torch.ones(measures))
        self.steps, self.alignment = Steps(measures), Alignment()
        seen = measures * len(SHARES) + Alignment.FIGURES
        self.measures = nn.Sequential(nn.Linear(seen, 128), nn.GELU(), nn.Linear(128, 64), nn.GELU())
        self.mix = nn.Sequential(nn.Linear(2 * WIDTH + 64, 192), nn.GELU())
        self.heads = nn.Linear(192, 1 + LEVELS + 1)
        self.drop = nn.Dropout(0.1)
        self.use_tokens, self.use_measures = use_tokens, use_measures
        self.use_steps, self.use_alignment = use_steps, use_alignment

    def forward(self, tokens: Tensor, kinds: Tensor, measures: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Read a batch of pairs; token 0 is padding."""
        return self.read(tokens, kinds, measures)[:3]

    def read(
        self, tokens: Tensor, kinds: Tensor, measures: Tensor, keep: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        """Read a batch; the measures of rows with `keep` 0 are hidden."""
        there = tokens != 0
        words = self.words(tokens)
        if self.use_tokens:
            places = torch.arange(tokens.shape[1], device=tokens.device)
            x = self.norm(words + self.positions(places) + self.kinds(kinds))
            mask = torch.where(there, 0.0, -1e4)[:, None, None, :]
            for layer in self.layers:
                x = layer(x, mask)
            weight = there.unsqueeze(-1).to(x.dtype)
            mean = (x * weight).sum(1) / weight.sum(1)
            pooled = torch.cat([x[:, 0], mean], -1)
        else:
            pooled = torch.zeros(tokens.shape[0], 2 * WIDTH)
        steps, aligned = self.steps(measures), self.alignment(words, tokens, kinds)
        seen = self.measures(
            torch.cat(
                [
                    (measures - self.centre) / self.spread,
                    steps if self.use_steps else steps * 0,
                    aligned if self.use_alignment else aligned * 0,
                ],
                -1,
            )
        )
        if not self.use_measures:
            seen = seen * 0
        if keep is not None:
            seen = seen * keep.unsqueeze(-1)
        mixed = self.mix(self.drop(torch.cat([pooled, seen], -1)))
        out = self.heads(self.drop(mixed))
        return out[:, 0], out[:, 1 : 1 + LEVELS], out[:, 1 + LEVELS], mixed


def tilt(levels: Tensor, aligned: Tensor, tokens: Tensor, kinds: Tensor, strength: float = TILT) -> Tensor:
    """Shift the level logits by how near the answer is to the reference's own words; this holds better on unseen subjects than what is fitted.

    References that add little to the question are left as they are: a distant word may be an alias there, and a near one a near miss.
    """
    real = (tokens != 0) & (tokens != MARKS[0]) & (tokens != MARKS[1])
    asked = (real & (kinds == 0)).to(levels.dtype)
    repeated = ((tokens.unsqueeze(2) == tokens.unsqueeze(1)).to(levels.dtype) * asked.unsqueeze(1)).amax(-1)
    added = ((real & (kinds > 0) & (kinds < 3)).to(levels.dtype) * (1 - repeated)).sum(-1)
    told = ((added - FEW) / (MANY - FEW)).clamp(0, 1)
    lean = strength * told * (aligned[:, Alignment.UNASKED] - MIDDLE).clamp(-MOST, MOST)
    return levels + lean.unsqueeze(-1) * torch.arange(LEVELS, dtype=levels.dtype)


def pad(pairs: list[Pair]) -> tuple[Tensor, Tensor, Tensor]:
    """Return tokens, kinds and measures of pairs as tensors; padding is token 0."""
    length = max(len(pair.tokens) for pair in pairs)
    tokens = torch.zeros(len(pairs), length, dtype=torch.long)
    kinds = torch.zeros(len(pairs), length, dtype=torch.long)
    for row, pair in enumerate(pairs):
        tokens[row, : len(pair.tokens)] = torch.tensor(pair.tokens)
        kinds[row, : len(pair.kinds)] = torch.tensor(pair.kinds)
    return tokens, kinds, torch.tensor([pair.features for pair in pairs], dtype=torch.float32)


NAMES = {
    "attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
    "attention.output.dense": "out", "attention.output.LayerNorm": "out_norm",
    "intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "down_norm",
}  # fmt: skip


def load_base(network: Network, path: Path, kept: list[int]) -> None:
    """Load MiniLM's weights into the network, for the layers that are kept."""
    load_encoder(network, path, kept)
    network.alignment.middle.copy_(network.words.weight.mean(0))


def load_encoder(network: nn.Module, path: Path, kept: list[int]) -> None:
    """Load MiniLM's embeddings and layers into a network that names its parts as this module does."""
    base = _read_safetensors(path)
    state = network.state_dict()
    state["words.weight"] = base["embeddings.word_embeddings.weight"]
    state["positions.weight"] = base["embeddings.position_embeddings.weight"]
    state["kinds.weight"] = base["embeddings.token_type_embeddings.weight"][:1].repeat(
        len(state["kinds.weight"]), 1
    )
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = base[f"embeddings.LayerNorm.{part}"]
        for place, layer in enumerate(kept):
            for theirs, ours in NAMES.items():
                state[f"layers.{place}.{ours}.{part}"] = base[f"encoder.layer.{layer}.{theirs}.{part}"]
    network.load_state_dict(state)


def _read_safetensors(path: Path) -> dict[str, Tensor]:
    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    tensors: dict[str, Tensor] = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = entry["data_offsets"]
        array = np.frombuffer(raw[8 + size + begin : 8 + size + end], dtype=np.float32).reshape(
            entry["shape"]
        )
        tensors[name] = torch.from_numpy(array.copy())
    return tensors
