"""The network of the second design: one encoder reads question, reference and answer, and all outputs read the same place.

Measures of the pair inform it, and are hidden for a share of the rows in training. Either they are added to what the encoder found ("add"),
or they have a vote of at most MOST_VOTE on each logit, which cannot overrule a network that is sure ("vote").
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from training.network import LEVELS, POSITIONS, SHARES, VOCABULARY, WIDTH, Layer, Steps, load_encoder

CLASSES = 3
MOST_VOTE = 2.5
OUTPUTS = 1 + LEVELS + 1
LAYERS = 6


class Reader(nn.Module):
    """Reads tokens, kinds and measures; returns the match logit, six level logits, a coverage logit and three entailment logits."""

    def __init__(self, kinds: int, measures: int = 0, inform: str = "vote") -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.kinds = nn.Embedding(kinds, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.mix = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.GELU())
        self.entail = nn.Linear(WIDTH, CLASSES)
        self.heads = nn.Linear(WIDTH, OUTPUTS)
        self.drop = nn.Dropout(0.1)
        self.words.weight.requires_grad = False
        self.inform = inform if measures else ""
        if not measures:
            return
        self.register_buffer("centre", torch.zeros(measures))
        self.register_buffer("spread", torch.ones(measures))
        if inform == "add":
            self.measures = nn.Sequential(nn.Linear(measures, 96), nn.GELU(), nn.Linear(96, WIDTH))
            nn.init.zeros_(self.measures[2].weight)
            nn.init.zeros_(self.measures[2].bias)
        else:
            self.steps = Steps(measures)
            seen = measures * len(SHARES)
            self.measures = nn.Sequential(
                nn.Linear(seen, 128), nn.GELU(), nn.Linear(128, 64), nn.GELU(), nn.Linear(64, OUTPUTS)
            )

    def fit_measures(self, measured: Tensor) -> None:
        """Scale the measures as they are on the rows to learn from."""
        self.centre.copy_(measured.mean(0))
        self.spread.copy_(measured.std(0).clamp_min(0.05))
        if self.inform == "vote":
            self.steps.fit(measured)

    def encode(self, tokens: Tensor, kinds: Tensor) -> Tensor:
        """Return what the encoder found in each pair: its first place and the mean of all places."""
        there = tokens != 0
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.norm(self.words(tokens) + self.positions(places) + self.kinds(kinds))
        mask = torch.where(there, 0.0, -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        weight = there.unsqueeze(-1).to(x.dtype)
        return torch.cat([x[:, 0], (x * weight).sum(1) / weight.sum(1)], -1)

    def forward(
        self, tokens: Tensor, kinds: Tensor, measures: Tensor | None = None, keep: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Read a batch; token 0 is padding. The measures of rows with `keep` 0 are hidden."""
        found = self.mix(self.drop(self.encode(tokens, kinds)))
        entailed = self.entail(self.drop(found))
        if not self.inform or measures is None:
            out = self.heads(self.drop(found))
        else:
            shown = 1.0 if keep is None else keep.unsqueeze(-1)
            scaled = ((measures - self.centre) / self.spread).clamp(-4, 4)
            if self.inform == "add":
                out = self.heads(self.drop(found + self.measures(scaled) * shown))
            else:
                vote = self.measures(torch.cat([scaled, self.steps(measures)], -1))
                out = self.heads(self.drop(found)) + MOST_VOTE * torch.tanh(vote / MOST_VOTE) * shown
        return out[:, 0], out[:, 1 : 1 + LEVELS], out[:, 1 + LEVELS], entailed


def start(kinds: int, base: Path, measures: int = 0, inform: str = "vote") -> Reader:
    """Build a reader with MiniLM's weights; the vectors of words are not trained."""
    reader = Reader(kinds, measures, inform)
    load_encoder(reader, base, list(range(LAYERS)))
    return reader


def set_dropout(reader: Reader, share: float) -> None:
    """Set the share of values that training hides, in all parts."""
    for part in reader.modules():
        if isinstance(part, nn.Dropout):
            part.p = share


def pad_tokens(rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
    """Return tokens and kinds as tensors of one length."""
    length = max(len(tokens) for tokens, _ in rows)
    tokens = torch.zeros(len(rows), length, dtype=torch.long)
    kinds = torch.zeros(len(rows), length, dtype=torch.long)
    for place, (first, second) in enumerate(rows):
        tokens[place, : len(first)] = torch.tensor(first)
        kinds[place, : len(second)] = torch.tensor(second)
    return tokens, kinds
