"""Train the network: one pass over contrast rows mixed with human rows, then human rows with a share of contrast rows.

python -m training.train --work WORK --base WORK/base/model.safetensors

The run can be stopped at any time; the same command continues from the last checkpoint in WORK.
"""

import argparse
import hashlib
import json
import math
import os
import pickle
import random
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
import torch.distributed as dist
from torch import multiprocessing
from torch.nn import functional as F  # noqa: N812 - torch's own name for it

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS, Pair
from training.measure import show_dev
from training.network import LEVELS, MARKS, VOCABULARY, Network, load_base, pad
from training.rows import Encoded

TOKENS_PER_BATCH = 3000
SAVE_SECONDS = 240
WEIGHTS = {"truthfulqa": 0.4, "saf_de": 0.7}
LAYERS = {12: list(range(12)), 6: [0, 1, 2, 3, 4, 5], 5: [0, 1, 2, 3, 5], 4: [0, 1, 3, 5], 3: [0, 2, 5]}
SOFT_WRONG = (0.45, 0.25, 0.15, 0.1, 0.05, 0.0)
TOPICAL = ("beetle", "scientsbank", "saf_en", "contrast:peer", "contrast:roughened", "contrast:flipped", "contrast:swapped", "contrast:among",
           "contrast:lacking", "contrast:deleted")  # fmt: skip
"""Sets with few questions, whose topics the network could memorise."""
TEXT_OF = (0, 1, 1, 2, 2, 2)
FIRST_WORD = 2000
"""Tokens below it are marks, letters and the commonest words, which are not renamed."""


def read(work: Path, name: str) -> list[Encoded]:
    """Read encoded rows."""
    return pickle.loads((work / f"{name}.pickle").read_bytes())


def level_target(score: float | None, label: int | None) -> list[float] | None:
    """Spread a score over its two neighbouring levels; a No without a score is spread over the low levels."""
    if score is None:
        return list(SOFT_WRONG) if label == 0 else None
    target = [0.0] * LEVELS
    low = min(int(score), LEVELS - 2)
    target[low] = 1 - (score - low)
    target[low + 1] = score - low
    return target


def is_equivalence(each: Encoded) -> bool:
    """Leave out answers that are labelled true but differ from the reference: the judge compares with the reference, not with the truth."""
    if each.row.kind != "truthfulqa" or not each.row.label:
        return True
    features = dict(zip(FEATURE_NAMES, each.pairs[0].features, strict=True))
    return features["f1"] >= 0.4 or features["token_set"] >= 0.65


def apart(contrast: list[Encoded], without: list[Encoded]) -> list[Encoded]:
    """Leave out contrast rows that were made from a set which is left out."""
    asked = {each.row.question for each in without if each.row.question}
    given = {reference for each in without for reference in each.row.references}
    return [
        each for each in contrast if each.row.question not in asked and given.isdisjoint(each.row.references)
    ]


def rename(pair: Pair, chance: random.Random) -> Pair:
    """Replace words that two of the texts share by random ones, the same everywhere, so that the network does not memorise topics."""
    seen: dict[int, set[int]] = {}
    for token, kind in zip(pair.tokens, pair.kinds, strict=True):
        if token not in MARKS:
            seen.setdefault(token, set()).add(TEXT_OF[kind])
    shared = sorted(token for token, texts in seen.items() if len(texts) > 1 and token >= FIRST_WORD)
    names = {token: chance.randrange(FIRST_WORD, VOCABULARY) for token in shared if chance.random() < 0.7}
    return msgspec.structs.replace(pair, tokens=[names.get(token, token) for token in pair.tokens])


def collate(
    rows: list[Encoded], renamed: float, chance: random.Random
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Pad the pairs to one length; in a share of the topical rows words are renamed."""
    return pad(
        [
            rename(each.pairs[0], chance)
            if each.row.kind in TOPICAL and chance.random() < renamed
            else each.pairs[0]
            for each in rows
        ]
    )


def batches(rows: list[Encoded], chance: random.Random) -> list[list[Encoded]]:
    """Sort rows into batches of similar length and about the same number of tokens."""
    shuffled = sorted(rows, key=lambda each: len(each.pairs[0].tokens) + chance.random() * 6)
    dealt: list[list[Encoded]] = []
    current: list[Encoded] = []
    for row in shuffled:
        current.append(row)
        if len(current) * len(row.pairs[0].tokens) >= TOKENS_PER_BATCH:
            dealt.append(current)
            current = []
    dealt += [current] if current else []
    chance.shuffle(dealt)
    return dealt


def plan(train: list[Encoded], contrast: list[Encoded], given: argparse.Namespace) -> list[list[Encoded]]:
    """Return all batches of the run, contrast rows first; seeded, so that a resumed run continues where it stopped."""
    chance = random.Random(given.seed)
    train = chance.sample(train, int(given.part * len(train)))
    contrast = chance.sample(contrast, int(given.part * given.contrast * len(contrast)))
    steps = batches(contrast + chance.sample(train, len(train) // 6), chance)
    for _ in range(given.epochs):
        steps += batches(train + chance.sample(contrast, len(contrast) // 6), chance)
    return steps


def weigh(train: list[Encoded]) -> dict[str, float]:
    """Return a weight for each set, so that large sets count less than by their size."""
    sizes: dict[str, int] = {}
    for each in train:
        sizes[each.row.kind] = sizes.get(each.row.kind, 0) + 1
    mean = sum(sizes.values()) / len(sizes)
    return {kind: math.sqrt(mean / size) * WEIGHTS.get(kind, 1.0) for kind, size in sizes.items()}


def loss_of(
    network: Network, rows: list[Encoded], weights: dict[str, float], given: argparse.Namespace, seed: int
) -> torch.Tensor:
    """Return the loss of a batch: match, levels where a score or a No is known, and coverage where it is known."""
    keep = (torch.rand(len(rows)) >= given.drop).float()
    with torch.autocast("cpu", torch.bfloat16, enabled=given.half):
        match, levels, covered, _ = network.read(*collate(rows, given.rename, random.Random(seed)), keep)
    match, levels, covered = match.float(), levels.float(), covered.float()
    weight = torch.tensor([weights.get(each.row.kind, 0.7) for each in rows])
    labels = torch.tensor([float(each.row.label) if each.row.label is not None else -1.0 for each in rows])
    known = labels >= 0
    smooth = labels.clamp(0, 1) * 0.96 + 0.02
    loss = (F.binary_cross_entropy_with_logits(match, smooth, reduction="none") * weight * known).sum()
    targets = [level_target(each.row.score, each.row.label) for each in rows]
    scored = torch.tensor([float(target is not None) for target in targets])
    wanted = torch.tensor([target or [0.0] * LEVELS for target in targets])
    loss = loss + 0.5 * (-(wanted * levels.log_softmax(-1)).sum(-1) * weight * scored).sum()
    # The mean level matters more than the shape of the distribution.
    mean = levels.softmax(-1) @ torch.arange(LEVELS, dtype=torch.float32)
    exact = torch.tensor([float(each.row.score is not None) for each in rows])
    value = torch.tensor([each.row.score or 0.0 for each in rows])
    loss = loss + 0.1 * ((mean - value).square() * weight * exact * scored).sum()
    inside = torch.tensor(
        [
            float(each.row.covered)
            if each.row.covered is not None
            else (
                float(each.row.label)
                if each.row.kind in ("beetle", "scientsbank") and each.row.label
                else -1.0
            )
            for each in rows
        ]
    )
    loss = (
        loss
        + 0.5
        * (
            F.binary_cross_entropy_with_logits(covered, inside.clamp(0, 1), reduction="none") * (inside >= 0)
        ).sum()
    )
    return loss / len(rows)


def train(rank: int, given: argparse.Namespace) -> None:
    """Start or continue a run; each rank is one thread on one core and takes its share of every batch."""
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    if given.ranks > 1:
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[rank]})
        meeting = given.work / given.name / "meeting"
        dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=given.ranks)
    folder: Path = given.work / given.name
    rows, contrast = read(given.work, "train"), read(given.work, "contrast")
    rows = [each for each in rows if each.row.kind not in given.without and is_equivalence(each)]
    if given.no_contrast:
        contrast = contrast[:8]
    contrast = apart(contrast, [each for each in read(given.work, "train") if each.row.kind in given.without])
    network = begin(given, rows + contrast)
    head = select(network, ("measures", "mix", "heads", "kinds"))
    body = select(network, ("positions", "norm", "layers"))
    groups = [{"params": body, "lr": given.rate}, {"params": head, "lr": given.head_rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    steps = plan(rows, contrast, given)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / 100, max(0.02, (len(steps) - step) / len(steps)))
    )
    weights = weigh(rows)
    averaged: dict[str, Any] = {}
    first, spent = 0, 0.0
    saved = folder / "checkpoint.pt"
    made = name_run(given, rows + contrast)
    done = folder / "settings.json"
    if done.exists() and not saved.exists() and json.loads(done.read_text())["made"] == made:
        return  # a finished run of the same settings and rows
    if saved.exists():
        state = torch.load(saved)
        if state["made"] != made:
            sys.exit(f"{saved} has other settings or rows: remove it to start again")
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        averaged, first, spent = state["averaged"], state["step"], state["spent"]
    begun = last = time.monotonic()
    network.train()
    total = 0.0
    late = int(len(steps) * 0.75)
    trained = [value for value in network.parameters() if value.requires_grad]
    for step in range(first, len(steps)):
        # The seed depends only on the step and the rank, so that a resumed run draws the same.
        seed = given.seed * 1_000_003 + step * given.ranks + rank
        torch.manual_seed(seed)
        mine = steps[step][rank :: given.ranks]
        loss = loss_of(network, mine, weights, given, seed) if mine else torch.zeros((), requires_grad=True)
        optimiser.zero_grad(set_to_none=False)
        loss.backward()
        share(trained, given.ranks)
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step >= late and step % 10 == 0:
            average(averaged, network)
        if rank == 0 and step % 50 == 49:
            taken = spent + time.monotonic() - begun
            done = (step + 1) / len(steps)
            left = taken / done / 60 * (1 - done)
            print(
                f"{given.name} {step + 1}/{len(steps)} loss {total / 50:.4f} {taken / 60:.1f} min, {left:.1f} left",
                flush=True,
            )
            total = 0.0
        if rank == 0 and time.monotonic() - last > SAVE_SECONDS:
            last = time.monotonic()
            state = {
                "network": network.state_dict(), "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict(),
                "made": made, "averaged": averaged, "step": step + 1, "spent": spent + last - begun,
            }  # fmt: skip
            torch.save(state, folder / "checkpoint.tmp")
            (folder / "checkpoint.tmp").rename(saved)
    if rank == 0:
        averaged.pop("count", None)
        network.load_state_dict(averaged)
        torch.save(network.state_dict(), folder / "network.pt")
        (folder / "settings.json").write_text(
            json.dumps({"made": made, **{key: str(value) for key, value in vars(given).items()}})
        )
        saved.unlink(missing_ok=True)
        show_dev(network, given.work, folder)
    if given.ranks > 1:
        dist.barrier()
        dist.destroy_process_group()


def name_run(given: argparse.Namespace, rows: list[Encoded]) -> str:
    """Return a hash of the settings and rows of a run."""
    told = [
        *map(str, sorted(vars(given).items())),
        *(f"{each.row.label} {each.row.score} {each.row.references} {each.row.answer}" for each in rows),
    ]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def begin(given: argparse.Namespace, rows: list[Encoded]) -> Network:
    """Build the network from the base weights; the word embeddings are not trained."""
    network = Network(
        len(FEATURE_NAMES), KINDS, given.layers, use_tokens=not given.no_tokens, use_measures=not given.no_measures,
        use_steps=not given.no_steps, use_alignment=not given.no_alignment,
    )  # fmt: skip
    load_base(network, given.base, LAYERS[given.layers])
    measured = torch.tensor([each.pairs[0].features for each in rows], dtype=torch.float32)
    network.centre.copy_(measured.mean(0))
    network.spread.copy_(measured.std(0).clamp_min(0.05))
    network.steps.fit(measured)
    network.alignment.rarity.copy_(rarity(rows))
    network.words.weight.requires_grad = False
    network.kinds.weight.requires_grad = not given.no_kinds
    return network


def rarity(rows: list[Encoded]) -> torch.Tensor:
    """Return the rarity of each token, from 0 (in every row) to 1 (in none)."""
    seen = np.zeros(VOCABULARY)
    for each in rows:
        seen[sorted(set(each.pairs[0].tokens))] += 1
    return torch.tensor(np.log((len(rows) + 1) / (seen + 1)) / np.log(len(rows) + 1), dtype=torch.float32)


def select(network: Network, parts: tuple[str, ...]) -> list[torch.nn.Parameter]:
    """Return the trainable parameters of these parts."""
    return [
        value
        for name, value in network.named_parameters()
        if name.split(".")[0] in parts and value.requires_grad
    ]


def share(trained: list[torch.nn.Parameter], ranks: int) -> None:
    """Average the gradients over the ranks."""
    if ranks == 1:
        return
    for value in trained:
        if value.grad is None:
            value.grad = torch.zeros_like(value)
    flat = torch.cat([value.grad.view(-1) for value in trained])
    dist.all_reduce(flat)
    flat /= ranks
    at = 0
    for value in trained:
        value.grad.copy_(flat[at : at + value.numel()].view_as(value))
        at += value.numel()


def average(averaged: dict[str, Any], network: Network) -> None:
    """Add the present weights to the running mean."""
    count = averaged.get("count", 0)
    for name, value in network.state_dict().items():
        averaged[name] = (
            value.clone() if not count else averaged[name] + (value - averaged[name]) / (count + 1)
        )
    averaged["count"] = count + 1


def parse() -> argparse.Namespace:
    """Read the command line."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--base", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    asked.add_argument("--name", default="final")
    asked.add_argument("--layers", type=int, default=6)
    asked.add_argument("--epochs", type=int, default=3)
    asked.add_argument("--part", type=float, default=1.0, help="share of the rows, for short runs")
    asked.add_argument("--rate", type=float, default=6e-5)
    asked.add_argument("--head-rate", type=float, default=6e-4)
    asked.add_argument("--drop", type=float, default=0.2, help="share of rows whose measures are hidden")
    asked.add_argument(
        "--contrast", type=float, default=0.6, help="share of the contrast rows in the first pass"
    )
    asked.add_argument("--ranks", type=int, default=2, help="processes, one core each")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument(
        "--half",
        action="store_true",
        help="bfloat16: about 1.5 times as fast where the processor supports it",
    )
    asked.add_argument(
        "--rename", type=float, default=0.3, help="share of students' answers in which words are renamed"
    )
    asked.add_argument("--no-steps", action="store_true")
    asked.add_argument("--no-alignment", action="store_true")
    asked.add_argument("--no-contrast", action="store_true")
    asked.add_argument("--no-kinds", action="store_true")
    asked.add_argument("--no-measures", action="store_true")
    asked.add_argument("--no-tokens", action="store_true")
    asked.add_argument("--without", nargs="*", default=[], help="sets to leave out")
    return asked.parse_args()


if __name__ == "__main__":
    settings = parse()
    (settings.work / settings.name).mkdir(parents=True, exist_ok=True)
    (settings.work / settings.name / "meeting").unlink(missing_ok=True)
    if settings.ranks == 1:
        train(0, settings)
    else:
        multiprocessing.spawn(train, (settings,), settings.ranks)
