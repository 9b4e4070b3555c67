"""First stage: teach the encoder natural language inference, before it learns to grade answers.

python -m training.entail --data DIR/nli --work WORK

It writes WORK/entail/reader.pt (averaged weights) every few minutes; it can be stopped at any time, the same command goes on from there,
and what it has written can be used as it is. The learning rate falls over the last quarter of --pairs.
"""

import argparse
import json
import pickle
import random
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from karat.embedded.inputs import KINDS, WordPieces
from training.nli import (
    LEFT_OUT,
    LONGEST,
    SYMMETRIC,
    Read,
    encode,
    leave_out,
    make_batches,
    read_pairs,
    take_pass,
)
from training.reader import Reader, pad_tokens, set_dropout, start

WARM_UP = 200
DECAY = 0.25
SAVE_SECONDS, SHOW_SECONDS, TELL_SECONDS = 200, 600, 60
KEPT = 0.995
"""The share of the old average that an update of the averaged weights keeps; one update in AVERAGED steps."""
AVERAGED = 4
MEASURED = 700
"""Pairs of each measured file during a run."""


def read_all(data: Path, vocabulary: Path, work: Path) -> tuple[dict[str, list[Read]], dict[str, list[Read]]]:
    """Encode the pairs to train on and those to measure on, by file; kept in the work folder for the next run."""
    kept = work / "nli.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    files = {
        path.name.removesuffix(".jsonl.gz"): read_pairs(path) for path in sorted(data.glob("*.jsonl.gz"))
    }
    held = {name: files.pop(name) for name in LEFT_OUT}
    measured = [each for pairs in held.values() for each in pairs]
    chosen = leave_out([each for pairs in files.values() for each in pairs], measured)
    by_file: dict[str, list[Any]] = {}
    for each in chosen:
        by_file.setdefault(each.source, []).append(each)
    with ProcessPoolExecutor(2, initializer=_start, initargs=(str(vocabulary),)) as pool:
        train = dict(zip(by_file, pool.map(_encode, by_file.values()), strict=True))
        dev = dict(zip(held, pool.map(_encode, held.values()), strict=True))
    train = {name: [each for each in pairs if len(each.tokens) <= LONGEST] for name, pairs in train.items()}
    kept.write_bytes(pickle.dumps((train, dev)))
    return train, dev


_pieces: WordPieces | None = None


def _start(path: str) -> None:
    global _pieces  # noqa: PLW0603 - one per process
    _pieces = WordPieces(Path(path).read_text(encoding="utf-8"))


def _encode(pairs: list[Any]) -> list[Read]:
    assert _pieces is not None
    chance = random.Random(1)
    return [
        encode(_pieces, each, turned=each.source in SYMMETRIC and chance.random() < 0.5) for each in pairs
    ]


def entail_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the loss of the three classes; -1 stands for neutral or contradiction together."""
    sure = logits.log_softmax(-1)
    known = sure.gather(1, labels.clamp_min(0).unsqueeze(1)).squeeze(1)
    either = sure[:, 1:].logsumexp(1)
    return -torch.where(labels >= 0, known, either).mean()


def measure(reader: Reader, dev: dict[str, list[Read]], most: int) -> dict[str, float]:
    """Return the share of pairs that are classified rightly, by file."""
    reader.eval()
    shares: dict[str, float] = {}
    with torch.no_grad():
        for name, pairs in dev.items():
            rows = sorted(
                random.Random(1).sample(pairs, min(most, len(pairs))), key=lambda each: len(each.tokens)
            )
            right = 0
            for begin in range(0, len(rows), 64):
                part = rows[begin : begin + 64]
                with torch.autocast("cpu", torch.bfloat16):
                    said = reader(*pad_tokens([(each.tokens, each.kinds) for each in part]))[3].float()
                best = said.argmax(-1)
                entailed = said.softmax(-1)[:, 0] > 0.5
                right += sum(
                    int(best[place]) == each.label if each.label >= 0 else not bool(entailed[place])
                    for place, each in enumerate(part)
                )
            shares[name] = round(right / len(rows), 4)
    reader.train()
    return shares


def train(given: argparse.Namespace) -> None:
    """Start or continue a run."""
    torch.set_num_threads(given.threads)
    folder: Path = given.work / given.name
    folder.mkdir(parents=True, exist_ok=True)
    files, dev = read_all(given.data, given.work / "base" / "vocab.txt", given.work)
    pairs = [each for name in sorted(files) for each in files[name]]
    places: dict[str, range] = {}
    for name in sorted(files):
        begin = sum(len(each) for each in places.values())
        places[name] = range(begin, begin + len(files[name]))
    lengths = [len(each.tokens) for each in pairs]
    torch.manual_seed(given.seed)
    reader = start(KINDS, given.work / "base" / "model.safetensors")
    set_dropout(
        reader, 0.0
    )  # one pass does not overfit, and drawing the hidden values takes a tenth of the time
    trained = {name: value for name, value in reader.named_parameters() if value.requires_grad}
    body = [value for name, value in trained.items() if name.split(".")[0] in ("positions", "norm", "layers")]
    head = [value for name, value in trained.items() if name.split(".")[0] in ("kinds", "mix", "entail")]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": given.rate}, {"params": head, "lr": given.head_rate}],
        weight_decay=0.01,
        fused=True,
    )
    rates = [group["lr"] for group in optimiser.param_groups]
    averaged = {name: value.detach().clone() for name, value in trained.items()}
    state: dict[str, Any] = {"seen": 0, "steps": 0, "number": 0, "batch": 0, "spent": 0.0, "shown": []}
    saved = folder / "checkpoint.pt"
    if saved.exists():
        kept = torch.load(saved, weights_only=False)
        reader.load_state_dict(kept["reader"])
        optimiser.load_state_dict(kept["optimiser"])
        averaged, state = kept["averaged"], kept["state"]

    def save() -> None:
        whole = {
            "reader": reader.state_dict(),
            "optimiser": optimiser.state_dict(),
            "averaged": averaged,
            "state": state,
        }
        torch.save(whole, folder / "checkpoint.tmp")
        (folder / "checkpoint.tmp").rename(saved)
        torch.save({**reader.state_dict(), **averaged}, folder / "reader.tmp")
        (folder / "reader.tmp").rename(folder / "reader.pt")
        (folder / "progress.json").write_text(json.dumps(state, indent=1))

    def show(most: int) -> None:
        now = {name: value.detach().clone() for name, value in trained.items()}
        reader.load_state_dict({**reader.state_dict(), **averaged})
        figures = measure(reader, dev, most)
        reader.load_state_dict({**reader.state_dict(), **now})
        state["shown"].append({"seen": state["seen"], "minutes": round(state["spent"] / 60, 1), **figures})
        print(f"held out after {state['seen']} pairs: {json.dumps(figures)}", flush=True)

    reader.train()
    last = told = saved_at = time.monotonic()
    shown_at = last
    total, count, begun = 0.0, 0, state["seen"]
    while state["seen"] < given.pairs:
        order = take_pass(places, state["number"], given.seed)
        batches = make_batches(lengths, order, random.Random(f"{given.seed} {state['number']} batches"))
        while state["batch"] < len(batches) and state["seen"] < given.pairs:
            rows = [pairs[place] for place in batches[state["batch"]]]
            left = (given.pairs - state["seen"]) / (DECAY * given.pairs)
            factor = min((state["steps"] + 1) / WARM_UP, max(0.02, min(1.0, left)))
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * factor
            with torch.autocast("cpu", torch.bfloat16):
                said = reader(*pad_tokens([(each.tokens, each.kinds) for each in rows]))[3]
            loss = entail_loss(said.float(), torch.tensor([each.label for each in rows]))
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(trained.values()), 1.0)
            optimiser.step()
            state["steps"] += 1
            state["batch"] += 1
            state["seen"] += len(rows)
            if state["steps"] % AVERAGED == 0:
                share = min(KEPT, state["steps"] / (state["steps"] + 40))
                for name, value in trained.items():
                    averaged[name].lerp_(value.detach(), 1 - share)
            total, count = total + loss.item(), count + 1
            now = time.monotonic()
            state["spent"] += now - last
            last = now
            if now - told > TELL_SECONDS:
                speed = (state["seen"] - begun) / (now - told)
                print(
                    f"{state['seen']}/{given.pairs} pairs, loss {total / count:.4f}, {speed:.0f} pairs/s, {state['spent'] / 60:.1f} min",
                    flush=True,
                )
                told, total, count, begun = now, 0.0, 0, state["seen"]
            if now - shown_at > SHOW_SECONDS:
                show(MEASURED)
                shown_at = last = time.monotonic()
            if now - saved_at > SAVE_SECONDS:
                save()
                saved_at = last = time.monotonic()
        if state["batch"] >= len(batches):
            state["number"], state["batch"] = state["number"] + 1, 0
    save()
    show(4000)
    save()


def parse() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True, help="folder of the files with sentence pairs")
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--name", default="entail")
    asked.add_argument("--pairs", type=int, default=300_000)
    asked.add_argument("--rate", type=float, default=1e-4)
    asked.add_argument("--head-rate", type=float, default=5e-4)
    asked.add_argument("--threads", type=int, default=2)
    asked.add_argument("--seed", type=int, default=1)
    return asked.parse_args()


if __name__ == "__main__":
    train(parse())
