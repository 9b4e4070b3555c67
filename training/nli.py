"""Sentence pairs of natural language inference, in the layout of the judge: the answer is the premise, the reference the hypothesis.

A file holds pairs of one source. Files are mixed by the shares below, so that those made by templates or by language models do not dominate.
"""

import gzip
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from karat.embedded.inputs import Texts, WordPieces, encode_pair

LABELS = ("entailment", "neutral", "contradiction")
NOT_ENTAILED = "not_entailment"
"""A label that says neutral or contradiction, without telling which."""
LEFT_OUT = ("mnli_dev", "snli_dev", "qnli_dev")
"""Files that are only measured on."""
MOST_PER_PASS = {
    "cannot_negation_wikifactcheck": 9_000, "hans_regenerated": 4_000, "impli_figurative": 6_000, "pawsx_de": 2_000,
    "snli_train_subsets_cnli": 24_000, "snli_via_natural_instructions": 30_000, "synthetic_fewgen": 16_000,
}  # fmt: skip
"""Pairs of a file in one pass; of files that are not named here, all. The next pass takes the pairs that come after them."""
QUESTION_FIRST = ("glue_sample_qnli", "qnli_dev")
"""Files whose `a` is a question and whose `b` is the sentence that may answer it: the sentence is the premise."""
SYMMETRIC = ("paws_part", "pawsx_de", "pawsx_en")
"""Files of paraphrases: both directions have the same label, and either is drawn."""
LONGEST = 110
"""Pairs with more tokens are left out of training, as they cost most of the time."""
TOKENS_PER_BATCH = 2400
POOL = 40
"""Batches whose pairs are sorted by length together."""


class Inference(Struct, frozen=True):
    """A premise, a hypothesis, and what the first says of the second."""

    premise: str
    hypothesis: str
    label: str
    source: str


class Read(Struct, frozen=True):
    """An encoded pair; the label is a place in LABELS, or -1 where the pair is only known not to be entailed."""

    tokens: list[int]
    kinds: list[int]
    label: int


def read_pairs(path: Path) -> list[Inference]:
    """Read the pairs of a file. Pairs with an unknown label or an empty side are left out."""
    source = path.name.removesuffix(".jsonl.gz")
    turned = source in QUESTION_FIRST
    pairs: list[Inference] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            raw = json.loads(line)
            first, second = str(raw["a"] or "").strip(), str(raw["b"] or "").strip()
            if first and second and raw["label"] in (*LABELS, NOT_ENTAILED):
                premise, hypothesis = (second, first) if turned else (first, second)
                pairs.append(Inference(premise, hypothesis, raw["label"], source))
    return pairs


def leave_out(pairs: Iterable[Inference], measured: Iterable[Inference]) -> list[Inference]:
    """Leave out pairs whose two texts also stand in the measured pairs, and repeated ones."""
    seen = {_key(each) for each in measured}
    kept: list[Inference] = []
    for each in pairs:
        key = _key(each)
        if key not in seen:
            seen.add(key)
            kept.append(each)
    return kept


def _key(pair: Inference) -> tuple[str, str]:
    return " ".join(pair.premise.lower().split()), " ".join(pair.hypothesis.lower().split())


def take_pass(files: Mapping[str, Sequence[int]], number: int, seed: int) -> list[int]:
    """Return the pairs of one pass over the files, each file by its share and in an order of its own."""
    taken: list[int] = []
    for name, places in sorted(files.items()):
        shuffled = random.Random(f"{seed} {name}").sample(list(places), len(places))
        most = min(MOST_PER_PASS.get(name, len(shuffled)), len(shuffled))
        start = number * most
        taken += [shuffled[(start + step) % len(shuffled)] for step in range(most)]
    random.Random(f"{seed} {number}").shuffle(taken)
    return taken


def make_batches(lengths: Sequence[int], order: Sequence[int], chance: random.Random) -> list[list[int]]:
    """Cut an order into batches of about the same number of padded tokens; pairs of similar length stand together."""
    pool = max(1, POOL * TOKENS_PER_BATCH // 40)
    dealt: list[list[int]] = []
    for start in range(0, len(order), pool):
        part = sorted(order[start : start + pool], key=lambda place: lengths[place])
        cut: list[list[int]] = [[]]
        for place in part:
            if cut[-1] and (len(cut[-1]) + 1) * lengths[place] > TOKENS_PER_BATCH:
                cut.append([])
            cut[-1].append(place)
        chance.shuffle(cut)
        dealt += cut
    return dealt


def encode(pieces: WordPieces, pair: Inference, *, turned: bool = False) -> Read:
    """Encode a pair without a question; `turned` takes the hypothesis for the premise."""
    premise, hypothesis = (pair.hypothesis, pair.premise) if turned else (pair.premise, pair.hypothesis)
    found = encode_pair(pieces, Texts(None, hypothesis, premise), [])
    return Read(found.tokens, found.kinds, LABELS.index(pair.label) if pair.label in LABELS else -1)
