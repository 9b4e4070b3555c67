"""Second stage: teach the reader to grade answers, from human, contrast and written rows.

python -m training.answers --work WORK --name RUN [--start WORK/entail/reader.pt] [--authors 13] [--no-measures]

It writes WORK/RUN/reader.pt. It can be stopped at any time; the same command goes on from the last checkpoint.
"""

import argparse
import json
import math
import pickle
import random
import sys
import time
from collections import Counter
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - torch's own name for it

from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS
from training.entail import entail_loss
from training.lessons import CURVE
from training.nli import Read, take_pass
from training.reader import LEVELS, Reader, pad_tokens, set_dropout, start
from training.rows import Encoded
from training.train import TOPICAL, is_equivalence, level_target, rename

TOKENS_PER_BATCH = 2000
SAVE_SECONDS, TELL_SECONDS = 150, 60
WARM_UP = 60
SETS = {"truthfulqa": 0.4, "saf_de": 0.7}
"""Weights of sets whose labels say something else than agreement with the reference, or whose language is another."""
PARTS = {"human": 1.0, "contrast": 0.6, "written": 1.3, "new": 1.3}
RENAMED = 0.3
SMOOTH = 0.02


def choose(lessons: dict[str, list[Encoded]], given: argparse.Namespace) -> list[tuple[str, Encoded]]:
    """Return the rows to learn from, each with the name of its part."""
    authors = set(CURVE[: given.authors]) - set(given.without)
    human = [each for each in lessons["human"] if is_equivalence(each)]
    return [
        *(("human", each) for each in random.Random(given.seed).sample(human, int(given.human * len(human)))),
        *(
            ("contrast", each)
            for each in random.Random(given.seed).sample(
                lessons["contrast"], int(given.contrast * len(lessons["contrast"]))
            )
        ),
        *(("written", each) for each in lessons["written"] if each.row.group in authors),
        *(("new", each) for each in lessons["new"] if given.new and each.row.group not in given.without),
    ]


def plan(rows: list[tuple[str, Encoded]], given: argparse.Namespace) -> list[list[int]]:
    """Return the batches of the run: several passes, of written rows --written times as many."""
    chance = random.Random(given.seed)
    steps: list[list[int]] = []
    lengths = [len(each.pairs[0].tokens) for _, each in rows]
    for number in range(given.passes):
        places: list[int] = []
        for place, (part, _) in enumerate(rows):
            times = given.written if part in ("written", "new") else 1.0
            places += [place] * (int(times) + (chance.random() < times - int(times)))
        places.sort(key=lambda place: lengths[place] + chance.random() * 8)
        dealt: list[list[int]] = [[]]
        for place in places:
            if dealt[-1] and (len(dealt[-1]) + 1) * lengths[place] > TOKENS_PER_BATCH:
                dealt.append([])
            dealt[-1].append(place)
        random.Random(f"{given.seed} {number}").shuffle(dealt)
        steps += dealt
    return steps


def weigh(rows: list[tuple[str, Encoded]]) -> dict[str, float]:
    """Return a weight for each human set, so that large ones count less than by their size."""
    sizes = Counter(each.row.kind for part, each in rows if part == "human")
    mean = sum(sizes.values()) / max(1, len(sizes))
    return {kind: math.sqrt(mean / size) * SETS.get(kind, 1.0) for kind, size in sizes.items()}


def loss_of(
    reader: Reader,
    rows: list[tuple[str, Encoded]],
    weights: dict[str, float],
    given: argparse.Namespace,
    chance: random.Random,
) -> Tensor:
    """Return the loss of a batch: the match, the levels where they are known, and coverage where it is known."""
    pairs = []
    for _, each in rows:
        pair = each.pairs[0]
        pairs.append(rename(pair, chance) if each.row.kind in TOPICAL and chance.random() < RENAMED else pair)
    tokens, kinds = pad_tokens([(pair.tokens, pair.kinds) for pair in pairs])
    measures = (
        torch.tensor([pair.features for pair in pairs], dtype=torch.float32) if given.measures else None
    )
    keep = (torch.rand(len(rows)) >= given.hidden).float()
    with torch.autocast("cpu", torch.bfloat16):
        match, levels, covered, _ = reader(tokens, kinds, measures, keep)
    match, levels, covered = match.float(), levels.float(), covered.float()
    weight = torch.tensor([PARTS[part] * weights.get(each.row.kind, 1.0) for part, each in rows])
    labels = torch.tensor([float(each.row.label if each.row.label is not None else -1) for _, each in rows])
    wanted = labels.clamp(0, 1) * (1 - 2 * SMOOTH) + SMOOTH
    loss = (
        F.binary_cross_entropy_with_logits(match, wanted, reduction="none") * weight * (labels >= 0)
    ).sum()
    targets = [level_target(each.row.score, each.row.label) for _, each in rows]
    scored = torch.tensor([float(target is not None) for target in targets])
    spread = torch.tensor([target or [0.0] * LEVELS for target in targets])
    loss = loss + 0.5 * (-(spread * levels.log_softmax(-1)).sum(-1) * weight * scored).sum()
    mean = levels.softmax(-1) @ torch.arange(LEVELS, dtype=torch.float32)
    exact = torch.tensor([float(each.row.score is not None) for _, each in rows])
    value = torch.tensor([each.row.score or 0.0 for _, each in rows])
    loss = loss + 0.1 * ((mean - value).square() * weight * exact).sum()
    inside = torch.tensor(
        [float(each.row.covered) if each.row.covered is not None else -1.0 for _, each in rows]
    )
    told = F.binary_cross_entropy_with_logits(covered, inside.clamp(0, 1), reduction="none")
    return (loss + 0.5 * (told * (inside >= 0)).sum()) / len(rows)


def rehearse(reader: Reader, pairs: list[Read]) -> Tensor:
    """Return the loss on a batch of sentence pairs, so that what the first stage taught is not lost."""
    with torch.autocast("cpu", torch.bfloat16):
        said = reader(*pad_tokens([(each.tokens, each.kinds) for each in pairs]))[3]
    return entail_loss(said.float(), torch.tensor([each.label for each in pairs]))


def build(given: argparse.Namespace, rows: list[tuple[str, Encoded]]) -> Reader:
    """Build the reader, from the first stage or from MiniLM, and scale its measures."""
    torch.manual_seed(given.seed)
    measures = len(FEATURE_NAMES) if given.measures else 0
    reader = start(KINDS, given.work / "base" / "model.safetensors", measures, given.inform)
    if given.start is not None:
        learnt = torch.load(given.start)
        own = {
            name: value
            for name, value in learnt.items()
            if not name.startswith(("heads", "measures", "centre", "spread", "steps"))
        }
        reader.load_state_dict({**reader.state_dict(), **own})
        # A match begins as entailment against the other two classes.
        entail = reader.entail.weight.detach()
        reader.heads.weight.data[0] = entail[0] - entail[1:].mean(0)
    if given.measures:
        measured = torch.tensor([each.pairs[0].features for _, each in rows], dtype=torch.float32)
        reader.fit_measures(measured)
    return reader


def train(given: argparse.Namespace) -> None:
    """Start or continue a run; a finished run of this name is kept."""
    torch.set_num_threads(given.threads)
    folder: Path = given.work / given.name
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "settings.json").exists():
        return
    lessons: dict[str, list[Encoded]] = pickle.loads((given.work / "lessons.pickle").read_bytes())
    rows = choose(lessons, given)
    reader = build(given, rows)
    set_dropout(reader, given.dropout)
    steps, weights = plan(rows, given), weigh(rows)
    known = recall(given, len(steps)) if given.rehearse else []
    trained = {name: value for name, value in reader.named_parameters() if value.requires_grad}
    body = [value for name, value in trained.items() if name.split(".")[0] in ("positions", "norm", "layers")]
    head = [
        value for name, value in trained.items() if name.split(".")[0] not in ("positions", "norm", "layers")
    ]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": given.rate}, {"params": head, "lr": given.head_rate}],
        weight_decay=0.01,
        fused=True,
    )
    rates = [group["lr"] for group in optimiser.param_groups]
    first, spent = 0, 0.0
    saved = folder / "checkpoint.pt"
    if saved.exists():
        kept = torch.load(saved, weights_only=False)
        if kept["steps"] != len(steps):
            sys.exit(f"{saved} is of other rows or settings: remove it to start again")
        reader.load_state_dict(kept["reader"])
        optimiser.load_state_dict(kept["optimiser"])
        first, spent = kept["step"], kept["spent"]
    print(f"{given.name}: {dict(Counter(part for part, _ in rows))}, {len(steps)} steps", flush=True)
    reader.train()
    begun = told = saved_at = time.monotonic()
    total, count = 0.0, 0
    for step in range(first, len(steps)):
        seed = given.seed * 1_000_003 + step
        torch.manual_seed(seed)
        factor = min((step + 1) / WARM_UP, max(0.02, (len(steps) - step) / len(steps)))
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * factor
        loss = loss_of(reader, [rows[place] for place in steps[step]], weights, given, random.Random(seed))
        if known and step % given.rehearse == 0:
            loss = loss + 0.5 * rehearse(reader, known[step // given.rehearse])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(trained.values()), 1.0)
        optimiser.step()
        total, count = total + loss.item(), count + 1
        now = time.monotonic()
        if now - told > TELL_SECONDS:
            taken = spent + now - begun
            print(
                f"{given.name} {step + 1}/{len(steps)} loss {total / count:.4f} {taken / 60:.1f} min",
                flush=True,
            )
            told, total, count = now, 0.0, 0
        if now - saved_at > SAVE_SECONDS:
            state = {
                "reader": reader.state_dict(),
                "optimiser": optimiser.state_dict(),
                "step": step + 1,
                "spent": spent + now - begun,
                "steps": len(steps),
            }
            torch.save(state, folder / "checkpoint.tmp")
            (folder / "checkpoint.tmp").rename(saved)
            saved_at = now
    torch.save(reader.state_dict(), folder / "reader.pt")
    settings = {key: str(value) for key, value in vars(given).items()}
    counts = dict(Counter(part for part, _ in rows))
    minutes = round((spent + time.monotonic() - begun) / 60, 1)
    (folder / "settings.json").write_text(
        json.dumps({"rows": counts, "steps": len(steps), "minutes": minutes, **settings}, indent=1)
    )
    saved.unlink(missing_ok=True)
    print(f"{given.name}: done in {minutes} min", flush=True)


def recall(given: argparse.Namespace, steps: int) -> list[list[Read]]:
    """Return batches of sentence pairs, one for each step that has one."""
    files: dict[str, list[Read]] = pickle.loads((given.work / "nli.pickle").read_bytes())[0]
    pairs = [each for name in sorted(files) for each in files[name]]
    places: dict[str, range] = {}
    begin = 0
    for name in sorted(files):
        places[name] = range(begin, begin + len(files[name]))
        begin += len(files[name])
    order = take_pass(places, 7, given.seed)
    size = 24
    wanted = steps // given.rehearse + 1
    return [
        [pairs[place] for place in order[(at * size) % (len(order) - size) :][:size]] for at in range(wanted)
    ]


def parse(words: list[str] | None = None) -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--name", required=True)
    asked.add_argument("--start", type=Path, help="weights of the first stage; without it, MiniLM's")
    asked.add_argument(
        "--authors", type=int, default=len(CURVE), help="how many authors of written rows to learn from"
    )
    asked.add_argument("--without", nargs="*", default=[], help="authors to leave out")
    asked.add_argument("--new", action="store_true", help="learn from the new written rows too")
    asked.add_argument("--passes", type=int, default=2)
    asked.add_argument("--written", type=float, default=2.0, help="how often a pass takes each written row")
    asked.add_argument("--human", type=float, default=0.5, help="share of the human rows")
    asked.add_argument("--contrast", type=float, default=0.3, help="share of the contrast rows")
    asked.add_argument("--no-measures", dest="measures", action="store_false")
    asked.add_argument(
        "--inform", choices=("add", "vote"), default="vote", help="how measures inform the network"
    )
    asked.add_argument(
        "--hidden", type=float, default=0.3, help="share of the rows whose measures are hidden"
    )
    asked.add_argument(
        "--rehearse", type=int, default=0, help="add a batch of sentence pairs every so many steps"
    )
    asked.add_argument("--dropout", type=float, default=0.1)
    asked.add_argument("--rate", type=float, default=6e-5)
    asked.add_argument("--head-rate", type=float, default=4e-4)
    asked.add_argument("--threads", type=int, default=2)
    asked.add_argument("--seed", type=int, default=1)
    return asked.parse_args(words)


if __name__ == "__main__":
    train(parse())
