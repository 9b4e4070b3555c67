"""Rows that the second stage learns from and is measured on: human answers, contrast rows, and rows written by language models.

python -m training.lessons --data DIR --work WORK [--new DIR]

It writes WORK/lessons.pickle. The rows of a file of written rows are one group: a group is either learnt from or measured on.
"""

import argparse
import gzip
import json
import os
import pickle
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from karat.core.types import Item
from karat.embedded.decide import prepare_item
from karat.embedded.inputs import Pair, Texts, WordPieces, choose_references, encode_pair
from karat.text import apply_rules, check_gate, clean, set_full_stop, strip_politeness
from training.rows import Encoded, Row, read_set

DEV_AUTHORS = ("factoid", "enterprise", "students")
CURVE = (
    "code", "figures", "lists", "why", "paraphrase", "yesno", "support", "reading", "talk", "verbose", "medlaw", "lingual",
    "explanations",
)  # fmt: skip
"""The authors to learn from, in the order in which the learning curve takes them."""
HUMAN = {
    "evouna_nq": 1500, "evouna_tq": 1000, "efficientqa": 1500, "truthfulqa": 700, "beetle": 1400, "scientsbank": 1500,
    "saf_en": 1000, "saf_de": 400,
}  # fmt: skip
"""Rows of each human set to learn from, drawn by chance."""
MEASURED = {
    "evouna_nq": 800, "evouna_tq": 500, "efficientqa": 534, "beetle": 440, "scientsbank": 930, "saf_en": 199, "saf_de": 183,
    "mohler": 392,
}  # fmt: skip
"""Rows of each dev part to measure on."""
COUNTS = {"short": 7_000, "values": 1_500, "inside": 1_500, "peers": 1_500, "long": 1_500}
PROBES = {"short": 1_000, "values": 200, "inside": 200, "peers": 0, "long": 0}
MODEL_ROWS = 150
"""Rows of each set of benchmarks/data to measure on."""
MOST_QUESTION = 52
"""Pieces of a question: with those of a reference and an answer at their longest, as many as the encoder has places."""
LEVELS = range(6)
LOWEST_RIGHT, HIGHEST_WRONG = 4, 4
MOST_REFERENCES = 2


def read_written(path: Path) -> list[Row]:
    """Read a file of written rows in the format of the human sets."""
    author = path.name.removesuffix(".jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        raws = [json.loads(line) for line in lines]
    return [
        Row(
            raw["question"], raw["references"], raw["prediction"], int(raw["label"]), "written", author,
            score=float(raw["score"]), source=str((raw.get("meta") or {}).get("kind") or ""),
        )
        for raw in raws
    ]  # fmt: skip


def read_new(path: Path) -> tuple[list[Row], int]:
    """Read a file of rows as the brief asks for them; return those that keep it and how many do not."""
    rows: list[Row] = []
    bad = 0
    seen: set[tuple[str, str]] = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        row = parse_new(line, path.name.removesuffix(".jsonl"))
        key = (row.question or "", row.answer) if row else ("", "")
        if row is None or key in seen:
            bad += 1
            continue
        seen.add(key)
        rows.append(row)
    return rows, bad


def parse_new(line: str, author: str) -> Row | None:
    """Return the row of a line, or None where a field is missing or label and level disagree."""
    try:
        raw: Any = json.loads(line)
    except json.JSONDecodeError:
        return None
    if not isinstance(raw, dict):
        return None
    question, references, answer = raw.get("question"), raw.get("references"), raw.get("answer")
    label, level = raw.get("label"), raw.get("level")
    well_formed = (
        (question is None or isinstance(question, str))
        and isinstance(references, list) and references and all(isinstance(each, str) and each.strip() for each in references)
        and isinstance(answer, str) and isinstance(label, bool) and level in LEVELS
    )  # fmt: skip
    if not well_formed or (label and level < LOWEST_RIGHT) or (not label and level > HIGHEST_WRONG):
        return None
    return Row(
        question,
        references,
        answer,
        int(label),
        "written",
        author,
        score=float(level),
        source=str(raw.get("kind") or ""),
    )


def read_model_rows(path: Path) -> list[Row]:
    """Read benchmarks/data/rows.dev.jsonl.gz."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        raws = [json.loads(line) for line in lines]
    return [
        Row(raw["question"], raw["references"], raw["prediction"], raw["label"], "model", raw["set"])
        for raw in raws
        if raw["label"] is not None
    ]


def draw(rows: Iterable[Row], most: dict[str, int], default: int, seed: int) -> list[Row]:
    """Draw at most so many rows of each set."""
    by_name: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_name[row.group if row.kind == "model" else row.kind].append(row)
    drawn: list[Row] = []
    for name, found in sorted(by_name.items()):
        drawn += random.Random(f"{seed} {name}").sample(found, min(most.get(name, default), len(found)))
    return drawn


# Encoding.

_pieces: WordPieces | None = None


def _start(path: str) -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    load_pieces(WordPieces(Path(path).read_text(encoding="utf-8")))


def load_pieces(pieces: WordPieces) -> None:
    """Set the word pieces that this process encodes with."""
    global _pieces  # noqa: PLW0603 - one per process
    _pieces = pieces


def encode_row(row: Row) -> Encoded:
    """Encode a row as the judge reads it: what is judged of the answer, beside the likest references."""
    item = prepare_item(Item(question=row.question, references=tuple(row.references), answer=row.answer))
    ruling = check_gate(item) or apply_rules(item)
    answer = set_full_stop(clean(strip_politeness(row.question or "", item.answer)))
    places = choose_references(item.references, answer, MOST_REFERENCES)
    texts = [Texts(row.question, item.references[place], answer).focus() for place in places]
    pairs = [encode_texts(each) for each in texts]
    return Encoded(row, pairs, None if ruling is None else int(ruling.accept))


def encode_texts(texts: Texts) -> Pair:
    """Encode texts of which the passages to be read are already chosen."""
    assert _pieces is not None
    return encode_pair(_pieces, texts, texts.measure(), MOST_QUESTION)


def _encode(rows: list[Row]) -> list[Encoded]:
    return [encode_row(row) for row in rows]


def encode(rows: list[Row], vocabulary: Path) -> list[Encoded]:
    """Encode rows as the judge reads them, in two processes."""
    rows = [row for row in rows if row.answer.strip() and row.references]
    jobs = [rows[start : start + 100] for start in range(0, len(rows), 100)]
    with ProcessPoolExecutor(2, initializer=_start, initargs=(str(vocabulary),)) as pool:
        return [each for chunk in pool.map(_encode, jobs) for each in chunk]


def gather(data: Path, new: Path | None, seed: int) -> dict[str, list[Row]]:
    """Read all rows, by part."""
    from training.prepare import keep, make_contrast

    train = [
        row for name in HUMAN for row in read_set(data, name, "train") if keep(row) and row.label is not None
    ]
    dev = [row for name in MEASURED for row in read_set(data, name, "dev")]
    written = {
        path.name.removesuffix(".jsonl.gz"): read_written(path)
        for path in sorted((data / "written").glob("*.jsonl.gz"))
    }
    parts = {
        "human": draw(train, HUMAN, 0, seed),
        "contrast": make_contrast(train, "train", COUNTS, seed),
        "written": [row for name in CURVE for row in written[name]],
        "dev_written": [row for name in DEV_AUTHORS for row in written[name]],
        "dev": draw(dev, MEASURED, 0, seed),
        "probes": make_contrast([row for row in dev if row.kind != "mohler"], "probe", PROBES, seed + 1),
        "model": draw(read_model_rows(Path("benchmarks/data/rows.dev.jsonl.gz")), {}, MODEL_ROWS, seed),
        "new": [],
    }
    if new is not None:
        asked = {row.question for part in ("dev_written", "dev", "model") for row in parts[part]}
        for path in sorted(new.glob("*.jsonl")):
            rows, bad = read_new(path)
            apart = [row for row in rows if row.question not in asked]
            print(
                f"{path.name}: {len(rows)} rows, {bad} that do not keep the brief, {len(rows) - len(apart)} whose question is measured on"
            )
            parts["new"] += apart
    return parts


def prepare(data: Path, new: Path | None, work: Path, only: tuple[str, ...], seed: int) -> None:
    """Write all parts, or only some anew, into the work folder."""
    target = work / "lessons.pickle"
    done: dict[str, list[Encoded]] = pickle.loads(target.read_bytes()) if target.exists() else {}
    for name, rows in gather(data, new, seed).items():
        if name in done and name not in only:
            continue
        done[name] = encode(rows, work / "base" / "vocab.txt")
        tokens = sum(len(each.pairs[0].tokens) for each in done[name])
        print(
            f"{name}: {len(done[name])} rows, {tokens} tokens, {dict(Counter(each.row.group if each.row.kind in ('written', 'model') else each.row.kind for each in done[name]))}",
            flush=True,
        )
        target.with_suffix(".tmp").write_bytes(pickle.dumps(done))
        target.with_suffix(".tmp").rename(target)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--new", type=Path)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--only", nargs="*", default=[], help="parts to encode again")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    if not (given.work / "base" / "vocab.txt").exists():
        sys.exit(f"{given.work}/base has no vocab.txt: run training.base first")
    prepare(given.data, given.new, given.work, tuple(given.only), given.seed)
