"""Encode the human rows of the train and dev parts, contrast rows and probes as pairs of token lists.

python -m training.prepare --data DIR --vocabulary WORK/base/vocab.txt --work WORK
"""

import argparse
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from karat.core.types import Item
from karat.embedded.inputs import Texts, WordPieces, choose_references, encode_pair
from karat.text import apply_rules, check_gate, clean, set_full_stop, strip_politeness
from karat.text.gate.refusal import resembles_refusal
from training.contrast.build import make_inside, make_long, make_peers, make_short, make_values
from training.rows import TRAINED, Encoded, Row, read_set

KEPT_EASY = 0.35
MEASURED = ("mohler",)
SHORT_SETS = ("evouna_nq", "evouna_tq", "efficientqa")
PEER_SETS = ("evouna_nq", "evouna_tq", "efficientqa", "beetle", "scientsbank")
LONG_SETS = ("beetle", "scientsbank", "saf_en")


_pieces: WordPieces | None = None


def _start(path: str) -> None:
    global _pieces  # noqa: PLW0603 - one per process
    _pieces = WordPieces(Path(path).read_text(encoding="utf-8"))


def _encode(job: tuple[list[Row], bool]) -> list[Encoded]:
    rows, measured = job
    assert _pieces is not None
    done: list[Encoded] = []
    for row in rows:
        answer = set_full_stop(clean(strip_politeness(row.question or "", row.answer)))
        places = choose_references(tuple(row.references), answer, 2 if measured else 1)
        texts = [Texts(row.question, row.references[place], answer).focus() for place in places]
        done.append(Encoded(row, [encode_pair(_pieces, each, each.measure()) for each in texts], _rule(row)))
    return done


def _rule(row: Row) -> int | None:
    item = Item(question=row.question, references=tuple(row.references), answer=row.answer)
    ruling = check_gate(item) or apply_rules(item)
    return None if ruling is None else int(ruling.accept)


def encode_rows(rows: list[Row], vocabulary: Path, *, measured: bool) -> list[Encoded]:
    """Encode rows in two processes as the judge reads them; rows to measure on with their two most similar references."""
    jobs = [(rows[start : start + 500], measured) for start in range(0, len(rows), 500)]
    with ProcessPoolExecutor(2, initializer=_start, initargs=(str(vocabulary),)) as pool:
        return [each for chunk in pool.map(_encode, jobs) for each in chunk]


def keep(row: Row) -> bool:
    """Leave out refusals that are labelled right."""
    return not (row.kind == "truthfulqa" and resembles_refusal(row.answer))


COUNTS = {"short": 60_000, "values": 12_000, "inside": 12_000, "peers": 18_000, "long": 10_000}
"""How many contrast rows of each kind are tried for training."""
PROBES = {"short": 4800, "values": 1000, "inside": 600, "peers": 600, "long": 600}


def prepare(data: Path, vocabulary: Path, work: Path, seed: int) -> None:
    """Write train, contrast, dev and probe pairs into the work folder."""
    work.mkdir(parents=True, exist_ok=True)
    train = [row for name in TRAINED for row in read_set(data, name, "train") if keep(row)]
    dev = [row for name in (*TRAINED, *MEASURED) for row in read_set(data, name, "dev")]
    contrast = make_contrast(train, "train", COUNTS, seed)
    probes = make_contrast([row for row in dev if row.kind not in MEASURED], "probe", PROBES, seed + 1)
    parts = {"train": train, "contrast": contrast, "dev": dev, "probes": probes}
    for name, rows in parts.items():
        encoded = encode_rows(rows, vocabulary, measured=name in ("dev", "probes"))
        if name == "train":
            chance = random.Random(seed)
            encoded = [
                each for each in encoded
                if each.ruled is None or each.row.kind not in SHORT_SETS or chance.random() < KEPT_EASY
            ]  # fmt: skip
        (work / f"{name}.pickle").write_bytes(pickle.dumps(encoded))
        tokens = sum(len(each.pairs[0].tokens) for each in encoded)
        print(f"{name}: {len(encoded)} rows, {tokens} tokens", flush=True)


def make_contrast(rows: list[Row], part: str, counts: dict[str, int], seed: int) -> list[Row]:
    """Make rows of all families from human rows of one part."""
    short = [row for row in rows if row.kind in SHORT_SETS]
    made = [
        *make_short(short, part, counts["short"], seed),
        *make_values(counts["values"], part, seed + 1),
        *make_inside(short, counts["inside"], seed + 4),
        *make_peers([row for row in rows if row.kind in PEER_SETS], counts["peers"], seed + 3),
        *make_long([row for row in rows if row.kind in LONG_SETS], counts["long"], seed + 2),
    ]
    return [row for row in made if row.answer.strip()]


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--vocabulary", type=Path, required=True)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    prepare(given.data, given.vocabulary, given.work, given.seed)
