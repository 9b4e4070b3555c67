"""The network: MiniLM's encoder over a pair's tokens, the measures beside it, three answers out."""

import json
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - torch's own name for it

WIDTH, HEADS, INNER, VOCABULARY, POSITIONS = 384, 12, 1536, 30522, 512
LEVELS = 6


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

        attended = F.scaled_dot_product_attention(
            split(self.query(x)), split(self.key(x)), split(self.value(x)), mask
        )
        attended = attended.transpose(1, 2).reshape(batch, length, WIDTH)
        x = self.out_norm(x + self.drop(self.out(attended)))
        return self.down_norm(x + self.drop(self.down(F.gelu(self.up(x)))))


class Network(nn.Module):
    """Tokens, kinds and measures in; a match logit, six level logits and a coverage logit out."""

    def __init__(
        self, measures: int, kinds: int, layers: int, *, use_tokens: bool = True, use_measures: bool = True
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.kinds = nn.Embedding(kinds, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.register_buffer("centre", torch.zeros(measures))
        self.register_buffer("spread", torch.ones(measures))
        self.measures = nn.Sequential(nn.Linear(measures, 96), nn.GELU(), nn.Linear(96, 64), nn.GELU())
        self.mix = nn.Sequential(nn.Linear(2 * WIDTH + 64, 192), nn.GELU())
        self.heads = nn.Linear(192, 1 + LEVELS + 1)
        self.drop = nn.Dropout(0.1)
        self.use_tokens, self.use_measures = use_tokens, use_measures

    def forward(self, tokens: Tensor, kinds: Tensor, measures: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Read a batch of pairs; token 0 is padding."""
        return self.read(tokens, kinds, measures)[:3]

    def read(
        self, tokens: Tensor, kinds: Tensor, measures: Tensor, keep: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        """Read a batch; `keep` says which rows may see their measures."""
        there = tokens != 0
        if self.use_tokens:
            places = torch.arange(tokens.shape[1], device=tokens.device)
            x = self.norm(self.words(tokens) + self.positions(places) + self.kinds(kinds))
            mask = torch.where(there, 0.0, -1e4)[:, None, None, :]
            for layer in self.layers:
                x = layer(x, mask)
            weight = there.unsqueeze(-1).to(x.dtype)
            mean = (x * weight).sum(1) / weight.sum(1)
            pooled = torch.cat([x[:, 0], mean], -1)
        else:
            pooled = torch.zeros(tokens.shape[0], 2 * WIDTH)
        seen = self.measures((measures - self.centre) / self.spread)
        if not self.use_measures:
            seen = seen * 0
        if keep is not None:
            seen = seen * keep.unsqueeze(-1)
        mixed = self.mix(self.drop(torch.cat([pooled, seen], -1)))
        out = self.heads(self.drop(mixed))
        return out[:, 0], out[:, 1 : 1 + LEVELS], out[:, 1 + LEVELS], mixed


NAMES = {
    "attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
    "attention.output.dense": "out", "attention.output.LayerNorm": "out_norm",
    "intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "down_norm",
}  # fmt: skip


def load_base(network: Network, path: Path, kept: list[int]) -> None:
    """Fill the network with MiniLM's weights, of the layers that are kept."""
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
