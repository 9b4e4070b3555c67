"""Fit the weights of phrases around a mention, from wordings that state the reference and wordings that do not.

python -m training.talk --data DIR --target src/karat/embedded/weights/talk.json

Each group of wordings is first classified by weights fitted on all other groups. The judge's thresholds were chosen by that table.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from karat.embedded.phrases import PhraseWeights, list_phrases, read_context
from karat.text import normalise
from training.contrast import wordings
from training.texts import read_wordings as read_texts

COMMITTED = {"said": 1, "denied": 0, "mentioned": 0, "offered": 0, "taken_back": 0}
FAMILIES = (
    (wordings.PLAIN, 1), (wordings.CONTRASTED, 1), (wordings.CHOICE, 0), (wordings.NEGATED, 0), (wordings.MENTIONED, 0), (wordings.TAKEN_BACK, 0),
)  # fmt: skip
SETS = ("evouna_nq", "evouna_tq")
FILLED, LEAST, STRENGTH, SMALLEST = 4, 3, 0.5, 0.05
"""How often a wording is filled, the fewest wordings that have a phrase, the inverse regularisation, and the smallest weight that is kept."""
LONGEST = 6
SURE, VERY_SURE, UNSURE = 0.9, 0.97, 0.2


class Wording(NamedTuple):
    group: str
    text: str
    committed: int


class Filled(NamedTuple):
    """A wording with answers of real questions in it."""

    wording: Wording
    question: str
    reference: str
    answer: str


def read_wordings() -> list[Wording]:
    """Read the wordings of all groups, each once; {a} is the reference, {b} another answer."""
    found = [
        Wording("contrast", text.replace("{R}", "{a}").replace("{O}", "{b}"), committed)
        for family, committed in FAMILIES
        for part in ("train", "probe")
        for text in wordings.share(family, part, "who")
    ]
    found += [Wording(group, text, COMMITTED[kind]) for group, kind, text in read_texts()]
    return list({each.text: each for each in found if "{a}" in each.text}.values())


def read_answers(data: Path) -> list[tuple[str, str]]:
    """Read questions with a brief reference, from train parts."""
    found = set[tuple[str, str]]()
    for name in SETS:
        if not (data / f"{name}.train.jsonl.gz").exists():
            sys.exit(f"{data} has no {name}.train.jsonl.gz: --data takes the folder of NAME.SPLIT.jsonl.gz")
        with gzip.open(data / f"{name}.train.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                reference = row["references"][0] if row["references"] else ""
                if row["question"] and 0 < len(reference.split()) <= LONGEST:
                    found.add((row["question"], reference))
    return sorted(found)


def fill(found: list[Wording], answers: list[tuple[str, str]]) -> list[Filled]:
    """Put references into wordings, with other answers of the same form beside them."""
    chance = random.Random(1)
    looks: dict[str, list[str]] = {}
    for _, reference in answers:
        looks.setdefault(_look(reference), []).append(reference)
    filled = list[Filled]()
    for wording in found:
        for _ in range(FILLED):
            question, reference = chance.choice(answers)
            other = chance.choice(looks[_look(reference)])
            answer = wording.text.replace("{a}", reference).replace("{b}", other).replace("{Q}", question)
            filled.append(Filled(wording, question, reference, answer))
    return filled


def _look(reference: str) -> str:
    return "figure" if reference[0].isdigit() else "name" if reference[0].isupper() else "phrase"


def fit(filled: list[Filled]) -> PhraseWeights:
    """Fit the weights; each wording counts equally, and so do the two classes."""
    words = sorted({word for text in {each.wording.text for each in filled} for word in _list_words(text)})
    vocabulary = frozenset(words)
    seen = list[tuple[Filled, set[str]]]()
    for each in filled:
        around = read_context(each.question, [each.reference], each.answer, vocabulary)
        if around is not None:
            seen.append((each, set(list_phrases(around))))
    held = {(phrase, each.wording.text) for each, phrases in seen for phrase in phrases}
    known = {phrase for phrase, count in Counter(phrase for phrase, _ in held).items() if count >= LEAST}
    vectors = DictVectorizer(dtype=np.float32)
    table = vectors.fit_transform([dict.fromkeys(phrases & known, 1.0) for _, phrases in seen])
    model = LogisticRegression(C=STRENGTH, max_iter=3000, class_weight="balanced")
    model.fit(table, [each.wording.committed for each, _ in seen])
    weights = zip(vectors.feature_names_, model.coef_[0], strict=True)
    return PhraseWeights(
        " ".join(words),
        {phrase: round(float(weight), 3) for phrase, weight in weights if abs(weight) >= SMALLEST},
        round(float(model.intercept_[0]), 3),
    )


def _list_words(text: str) -> Iterable[str]:
    bare = text.replace("{a}", " ").replace("{b}", " ").replace("{Q}", " ")
    return (word for word in normalise(bare).split() if not any(map(str.isdigit, word)))


def show(group: str, told: list[tuple[float, int]]) -> str:
    """Return a line of the table."""
    said = np.array([share for share, committed in told if committed])
    not_said = np.array([share for share, committed in told if not committed])
    truth = [committed for _, committed in told]
    figures = (
        roc_auc_score(truth, [share for share, _ in told]),
        np.mean(said >= SURE), np.mean(not_said >= SURE), np.mean(said >= VERY_SURE), np.mean(not_said >= VERY_SURE),
        np.mean(said <= UNSURE), np.mean(not_said <= UNSURE),
    )  # fmt: skip
    return (
        f"| {group} | {len(said)} | {len(not_said)} | {' | '.join(f'{figure:.3f}' for figure in figures)} |"
    )


def main(data: Path, target: Path) -> None:
    """Print how well each group is classified by the weights of the others, and write the weights of all."""
    filled = fill(read_wordings(), read_answers(data))
    print(
        "| left out | commit | do not | AUC | commit, .9 | do not, .9 | commit, .97 | do not, .97 | commit, up to .2 | do not, up to .2 |"
    )
    every = list[tuple[float, int]]()
    for group in sorted({each.wording.group for each in filled} - {"contrast"}):
        talk = fit([each for each in filled if each.wording.group != group])
        shares = [
            (talk.weigh(each.question, [each.reference], each.answer), each.wording.committed)
            for each in filled
            if each.wording.group == group
        ]
        told = [(weighed.share, committed) for weighed, committed in shares if weighed is not None]
        print(show(group, told), flush=True)
        every += told
    print(show("all of these", every))
    talk = fit(filled)
    target.write_text(
        json.dumps(
            {name: getattr(talk, name) for name in talk.__struct_fields__}, ensure_ascii=False, indent=0
        )
        + "\n",
        encoding="utf-8",
    )
    print(f"{len(talk.phrases):,} phrases, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--target", type=Path, required=True, help="talk.json beside the exported weights")
    given = asked.parse_args()
    main(given.data, given.target)
