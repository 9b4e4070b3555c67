"""Measure runs of the second design on rows that they did not learn from, beside the judge that ships.

python -m training.second --work WORK [--runs NAME ...] [--shipped]

It prints one table and writes WORK/figures.json. What the shipped judge says of the same rows is kept in WORK/shipped.pickle.
"""

import argparse
import hashlib
import json
import math
import os
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, f1_score, roc_auc_score
from sklearn.preprocessing import StandardScaler

from karat.core.types import Item, Unjudged, Verdict
from karat.embedded import decide
from karat.embedded.confidence import Reading
from karat.embedded.features import FEATURE_NAMES
from karat.embedded.inputs import KINDS, Pair, Texts, WordPieces
from training import lessons
from training.measure import ece
from training.reader import LEVELS, Reader, pad_tokens
from training.rows import Encoded

PARTS = ("dev_written", "dev", "model", "probes", "written")
SURE = 0.9
EDGE = 1e-4
HIDDEN, BEHIND = ":hidden", ":rules"
FIGURES = ("finance", "filings", "quantities", "numbers", "amounts", "measures")
HIGH, LOW = 4, 1
"""A level that calls an answer right, and one that calls it contradicting or empty."""
LONG = 5
"""Answers of at most so many words are left out of correlations, as overlap nearly decides them."""
MEASURES = ("f1", "recall", "soft_recall", "number_recall", "reference_length", "answer_length", "new_recall")


class Said(NamedTuple):
    """What a judge says of rows: P(match), the expected level, and what tells how sure it is."""

    match: np.ndarray
    level: np.ndarray
    signs: np.ndarray


def read_run(folder: Path) -> Reader:
    """Load a finished run."""
    settings = json.loads((folder / "settings.json").read_text())
    measures = len(FEATURE_NAMES) if settings["measures"] == "True" else 0
    reader = Reader(KINDS, measures, settings.get("inform", "add"))
    reader.load_state_dict(torch.load(folder / "reader.pt"))
    return reader.eval()


def say(reader: Reader, rows: Sequence[Encoded], *, measured: bool = True) -> Said:
    """Let a reader read the likest references of each row; the best one counts. Without measures they are hidden, as in a share of training."""
    if not rows:
        return Said(np.zeros(0), np.zeros(0), np.zeros((0, 7 + 2 * len(MEASURES))))
    pairs = [pair for each in rows for pair in each.pairs]
    logits, levels, entailed = _read(reader, pairs, measured=measured)
    ends = np.cumsum([len(each.pairs) for each in rows])
    best = [
        end - len(each.pairs) + int(np.argmax(logits[end - len(each.pairs) : end]))
        for each, end in zip(rows, ends, strict=True)
    ]
    level = np.array(
        [levels[end - len(each.pairs) : end].max() for each, end in zip(rows, ends, strict=True)]
    )
    match = 1 / (1 + np.exp(-logits[best]))
    features = np.array(
        [[pairs[place].features[FEATURE_NAMES.index(name)] for name in MEASURES] for place in best]
    )
    yes = (match >= 0.5).astype(float)
    sure = np.abs(logits[best])
    apart = np.abs(level / 5 - yes)
    signs = np.column_stack([sure, yes, sure * yes, np.minimum(sure, 2), apart, entailed[best] * yes[:, None], entailed[best] * (1 - yes[:, None]),
                             features, features * yes[:, None]])  # fmt: skip
    return Said(match, level, signs)


def _read(reader: Reader, pairs: list[Pair], *, measured: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    order = sorted(range(len(pairs)), key=lambda place: len(pairs[place].tokens))
    logits, levels, entailed = np.zeros(len(pairs)), np.zeros(len(pairs)), np.zeros((len(pairs), 2))
    with torch.no_grad():
        for begin in range(0, len(order), 48):
            places = order[begin : begin + 48]
            tokens, kinds = pad_tokens([(pairs[place].tokens, pairs[place].kinds) for place in places])
            measures = torch.tensor([pairs[place].features for place in places], dtype=torch.float32)
            with torch.autocast("cpu", torch.bfloat16):
                match, level, _, three = reader(tokens, kinds, measures if measured else None)
            logits[places] = match.float().numpy()
            levels[places] = (level.float().softmax(-1) @ torch.arange(LEVELS, dtype=torch.float32)).numpy()
            sure = three.float().log_softmax(-1)
            entailed[places] = torch.stack([sure[:, 0], sure[:, 2]], -1).clamp_min(-6).numpy()
    return logits, levels, entailed


# The reader in place of the shipped network, with all rules of today around it.


_reader: Reader | None = None


def _start(folder: Path, vocabulary: Path) -> None:
    global _reader  # noqa: PLW0603 - one per process
    torch.set_num_threads(1)
    _reader = read_run(folder)
    lessons.load_pieces(WordPieces(vocabulary.read_text(encoding="utf-8")))
    decide.read_match = _read_match


def _read_match(texts: Texts) -> Reading:
    assert _reader is not None
    pair = lessons.encode_texts(texts.focus())
    with torch.no_grad():
        said = _reader(
            torch.tensor([pair.tokens]),
            torch.tensor([pair.kinds]),
            torch.tensor([pair.features], dtype=torch.float32),
        )
    return Reading(float(torch.sigmoid(said[0])), pair.features, read=True)


def _judge_behind(rows: list[tuple[str | None, list[str], str]]) -> list[tuple[float, bool]]:
    found: list[tuple[float, bool]] = []
    for question, references, answer in rows:
        item = Item(question, tuple(references), answer)
        outcome: Verdict | Unjudged | None = decide.decide_by_rules(item, "match")
        probability = 0.5
        if outcome is None:
            outcome, evidence = decide.decide_match(decide.prepare_item(item))
            probability = evidence.reading.probability if evidence.reading else 0.5
        decided = isinstance(outcome, Verdict)
        yes = bool(outcome.value) if isinstance(outcome, Verdict) else probability >= 0.5
        # A verdict that a rule turned is put on its side of one half.
        sure = max(probability if yes else 1 - probability, 0.5 + EDGE)
        found.append((sure if yes else 1 - sure, decided))
    return found


def judge_behind(work: Path, folder: Path, rows: Sequence[Encoded]) -> tuple[np.ndarray, np.ndarray]:
    """Return P(match) with all rules of today around the reader, and which rows are decided."""
    texts = [(each.row.question, each.row.references, each.row.answer) for each in rows]
    jobs = [texts[start : start + 100] for start in range(0, len(texts), 100)]
    with ProcessPoolExecutor(2, initializer=_start, initargs=(folder, work / "base" / "vocab.txt")) as pool:
        found = [each for chunk in pool.map(_judge_behind, jobs) for each in chunk]
    return np.array([each[0] for each in found]), np.array([each[1] for each in found])


# The judge that ships.


def _ask_shipped(rows: list[tuple[str | None, list[str], str]]) -> list[tuple[float, float, bool]]:
    os.environ["OMP_NUM_THREADS"] = "1"
    import karat
    from karat.embedded.decide import decide_match, prepare_item

    items = [Item(question, tuple(references), answer) for question, references, answer in rows]
    outcomes = karat.grade(items, judge="embedded")
    scores = karat.grade(items, judge="embedded", protocol="equivalence")
    found: list[tuple[float, float, bool]] = []
    for item, outcome, score in zip(items, outcomes, scores, strict=True):
        level = 5 * score.score if isinstance(score, Verdict) else 2.5
        if isinstance(outcome, Unjudged):
            reading = decide_match(prepare_item(item))[1].reading
            found.append((reading.probability if reading else 0.5, level, False))
        else:
            # A verdict stays what it is, however unsure: at least on its side of one half.
            sure = max(outcome.confidence or 0.0, 0.5 + EDGE)
            found.append((sure if outcome.value else 1 - sure, level, True))
    return found


def ask_shipped(work: Path, rows: Sequence[Encoded]) -> tuple[Said, np.ndarray]:
    """Return what the shipped judge says, an undecided row as its network says, and which rows it decides; kept for the next time."""
    kept = work / "shipped.pickle"
    known: dict[str, tuple[float, float, bool]] = pickle.loads(kept.read_bytes()) if kept.exists() else {}
    keys = [
        hashlib.sha256(
            json.dumps([each.row.question, each.row.references, each.row.answer]).encode()
        ).hexdigest()
        for each in rows
    ]
    asked = {key: each for key, each in zip(keys, rows, strict=True) if key not in known}
    jobs = [list(asked)[start : start + 150] for start in range(0, len(asked), 150)]
    with ProcessPoolExecutor(2) as pool:
        texts = [
            [(asked[key].row.question, asked[key].row.references, asked[key].row.answer) for key in job]
            for job in jobs
        ]
        for job, found in zip(jobs, pool.map(_ask_shipped, texts), strict=True):
            known.update(zip(job, found, strict=True))
            kept.with_suffix(".tmp").write_bytes(pickle.dumps(known))
            kept.with_suffix(".tmp").rename(kept)
    found = [known[key] for key in keys]
    return Said(
        np.array([each[0] for each in found]),
        np.array([each[1] for each in found]),
        np.zeros((len(found), 0)),
    ), np.array([each[2] for each in found])


# Confidence.


def rate(said: Said, truth: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the probability that each verdict is right, fitted on all other groups; every group counts the same."""
    right = ((said.match >= 0.5) == (truth == 1)).astype(int)
    sure = np.full(len(truth), 0.5)
    for group in sorted(set(groups)):
        here, there = groups == group, groups != group
        sizes = {name: (groups == name).sum() for name in set(groups)}
        weight = np.array([1 / sizes[name] for name in groups[there]])
        scale = StandardScaler().fit(said.signs[there])
        line = LogisticRegression(C=0.03, max_iter=2000).fit(
            scale.transform(said.signs[there]),
            right[there],
            sample_weight=weight * there.sum() / weight.sum(),
        )
        sure[here] = line.predict_proba(scale.transform(said.signs[here]))[:, 1]
    return sure


# Figures.


class Measured(NamedTuple):
    """Rows of one part with what is said of them."""

    rows: list[Encoded]
    said: Said

    @property
    def truth(self) -> np.ndarray:
        return np.array([each.row.label if each.row.label is not None else -1 for each in self.rows])

    def cut(self, keep: Callable[[Encoded], bool]) -> "Measured":
        places = [place for place, each in enumerate(self.rows) if keep(each)]
        return Measured(
            [self.rows[place] for place in places],
            Said(self.said.match[places], self.said.level[places], self.said.signs[places]),
        )

    def accuracy(self) -> float:
        return float(((self.said.match >= 0.5) == (self.truth == 1)).mean())

    def auc(self) -> float:
        return float(roc_auc_score(self.truth, self.said.match)) if len(set(self.truth)) > 1 else math.nan

    def kappa(self) -> float:
        return float(cohen_kappa_score(self.truth, self.said.match >= 0.5))

    def macro(self) -> float:
        return float(f1_score(self.truth, self.said.match >= 0.5, average="macro"))


def measure(parts: dict[str, Measured], authors: tuple[str, ...] = ()) -> dict[str, float]:
    """Return the figures of a run; `authors` are the written groups of the training part that it left out."""
    figures: dict[str, float] = {}
    written = parts["dev_written"]
    figures["written acc"], figures["written auc"] = written.accuracy(), written.auc()
    for author in sorted({each.row.group for each in written.rows}):
        figures[f"{author} acc"] = written.cut(
            lambda each, author=author: each.row.group == author
        ).accuracy()
    dev = parts["dev"]
    for name in ("evouna_nq", "evouna_tq", "efficientqa"):
        here = dev.cut(lambda each, name=name: each.row.kind == name and each.row.label is not None)
        figures[f"{name} kappa"], figures[f"{name} auc"] = here.kappa(), here.auc()
    for name in ("beetle", "scientsbank", "saf_en"):
        figures[f"{name} f1"] = dev.cut(
            lambda each, name=name: each.row.kind == name and each.row.label is not None
        ).macro()
    for name in ("saf_en", "mohler"):
        here = dev.cut(
            lambda each, name=name: (
                each.row.kind == name and each.row.score is not None and len(each.row.answer.split()) > LONG
            )
        )
        figures[f"{name} r"] = float(
            np.corrcoef([each.row.score or 0 for each in here.rows], here.said.level)[0, 1]
        )
    for name in FIGURES:
        figures[f"{name} acc"] = parts["model"].cut(lambda each, name=name: each.row.group == name).accuracy()
    figures["figures acc"] = parts["model"].cut(lambda each: each.row.group in FIGURES).accuracy()
    figures["other model rows acc"] = (
        parts["model"].cut(lambda each: each.row.group not in FIGURES).accuracy()
    )
    figures["edges acc"] = parts["model"].cut(lambda each: each.row.group == "edges").accuracy()
    for name in (
        "choice",
        "negated",
        "mentioned",
        "contrasted",
        "swap",
        "guesses",
        "inside",
        "date_underspecified",
        "plain",
        "padded",
        "alias",
        "restate",
    ):
        for label in (0, 1):
            here = parts["probes"].cut(
                lambda each, name=name, label=label: (
                    each.row.kind == f"contrast:{name}" and each.row.label == label
                )
            )
            if len(here.rows) >= 10:
                figures[f"probe {name}={label} wrong"] = 1 - here.accuracy()
    low = written.cut(lambda each: each.row.score is not None and each.row.score <= LOW)
    figures["written: contradicting at level >= 4"] = float((np.round(low.said.level) >= HIGH).mean())
    gap = [
        abs(float(each.row.score or 0) - level)
        for each, level in zip(written.rows, written.said.level, strict=True)
    ]
    figures["written: level error"] = float(np.mean(gap))
    figures["written: level r"] = float(
        np.corrcoef([each.row.score or 0 for each in written.rows], written.said.level)[0, 1]
    )
    if authors:
        held = parts["written"].cut(lambda each: each.row.group in authors)
        figures["left out authors acc"], figures["left out authors auc"] = held.accuracy(), held.auc()
    if "explanations" in authors:
        held = parts["written"].cut(lambda each: each.row.group == "explanations")
        low = held.cut(lambda each: each.row.score is not None and each.row.score <= LOW)
        figures["explanations: level r"] = float(
            np.corrcoef([each.row.score or 0 for each in held.rows], held.said.level)[0, 1]
        )
        figures["explanations: contradicting at level >= 4"] = float(
            (np.round(low.said.level) >= HIGH).mean()
        )
    return figures


def measure_confidence(parts: dict[str, Measured], authors: tuple[str, ...] = ()) -> dict[str, float]:
    """Return how often verdicts of a confidence of .9 or more are right; the confidence is fitted without the group."""
    chosen = [
        *((f"written:{each.row.group}", part, place) for part in ("dev_written", "written") for place, each in enumerate(parts[part].rows)
          if part == "dev_written" or each.row.group in authors),
        *((f"model:{each.row.group}", "model", place) for place, each in enumerate(parts["model"].rows)),
        *((each.row.kind, "dev", place) for place, each in enumerate(parts["dev"].rows)
          if each.row.label is not None and each.row.kind not in ("mohler", "saf_de")),
    ]  # fmt: skip
    groups = np.array([name for name, _, _ in chosen])
    truth = np.array([parts[part].truth[place] for _, part, place in chosen])
    said = Said(
        *(
            np.array([getattr(parts[part].said, field)[place] for _, part, place in chosen])
            for field in ("match", "level", "signs")
        )
    )
    sure = rate(said, truth, groups) if said.signs.shape[1] else np.maximum(said.match, 1 - said.match)
    right = (said.match >= 0.5) == (truth == 1)
    figures: dict[str, float] = {}
    kinds = {
        "written": np.char.startswith(groups, "written:"), "human": np.array([":" not in name for name in groups]),
        "model": np.char.startswith(groups, "model:"),
    }  # fmt: skip
    for name, here in kinds.items():
        high = here & (sure >= SURE)
        figures[f"{name}: share at >= .9"] = float(high.sum() / here.sum())
        figures[f"{name}: right at >= .9"] = float(right[high].mean()) if high.any() else math.nan
        figures[f"{name}: calibration error"] = ece(right[here].astype(float), sure[here])
        order = np.argsort(-sure[here])
        for share in (0.25, 0.5):
            figures[f"{name}: right of the surest {share:.0%}"] = float(
                right[here][order[: int(share * here.sum())]].mean()
            )
    return figures


def left_out(folder: Path) -> tuple[str, ...]:
    """Return the authors of the training part that a run did not learn from."""
    settings = json.loads((folder / "settings.json").read_text())
    return tuple(
        name
        for place, name in enumerate(lessons.CURVE)
        if place >= int(settings["authors"]) or name in settings["without"]
    )


def measure_run(rows: dict[str, list[Encoded]], work: Path, name: str) -> dict[str, float]:
    """Read all rows with a run and return its figures."""
    folder = work / name.removesuffix(HIDDEN).removesuffix(BEHIND)
    reader = read_run(folder)
    authors = left_out(folder)
    rows = {**rows, "written": [each for each in rows["written"] if each.row.group in authors]}
    parts: dict[str, Measured] = {}
    for part in PARTS:
        said = say(reader, rows[part], measured=not name.endswith(HIDDEN))
        if name.endswith(BEHIND):
            match, decided = judge_behind(work, folder, rows[part])
            if part == "probes":  # what is left undecided is not accepted
                match = np.where(decided, match, 0.5 - EDGE)
            said = said._replace(match=match)
        parts[part] = Measured(rows[part], said)
    figures = measure(parts, authors)
    return figures if name.endswith(BEHIND) else {**figures, **measure_confidence(parts, authors=authors)}


def measure_shipped(rows: dict[str, list[Encoded]], work: Path) -> dict[str, float]:
    parts: dict[str, Measured] = {}
    decided: list[np.ndarray] = []
    for name in PARTS:
        said, sure = ask_shipped(work, rows[name])
        if name == "probes":  # what is left undecided is not accepted
            said = said._replace(match=np.where(sure, said.match, 0.5 - EDGE))
        parts[name] = Measured(rows[name], said)
        decided.append(sure)
    authors = tuple(sorted({each.row.group for each in rows["written"]}))
    return {
        **measure(parts, authors),
        **measure_confidence(parts, authors=()),
        "undecided": 1 - float(np.concatenate(decided).mean()),
    }


def show(table: dict[str, dict[str, float]]) -> None:
    """Print the figures as one table, a line for each figure."""
    names = list(dict.fromkeys(name for figures in table.values() for name in figures))
    print("| figure | " + " | ".join(table) + " |")
    print("|---" * (1 + len(table)) + "|")
    for name in names:
        print(
            f"| {name} | "
            + " | ".join(f"{figures[name]:.3f}" if name in figures else "" for figures in table.values())
            + " |"
        )


def main(given: argparse.Namespace) -> None:
    torch.set_num_threads(2)
    rows: dict[str, list[Encoded]] = pickle.loads((given.work / "lessons.pickle").read_bytes())
    kept = given.work / "figures.json"

    def read() -> dict[str, dict[str, float]]:
        return json.loads(kept.read_text()) if kept.exists() else {}

    for name in (["shipped"] if given.shipped else []) + given.runs:
        if name in read() and not given.again:
            continue
        figures = (
            measure_shipped(rows, given.work) if name == "shipped" else measure_run(rows, given.work, name)
        )
        # Read again, as another process may have added its runs in the meantime.
        kept.write_text(json.dumps({**read(), name: figures}, indent=1))
    table = read()
    shown = (["shipped"] if "shipped" in table else []) + (
        given.runs or [name for name in table if name != "shipped"]
    )
    show({name: table[name] for name in shown})


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument(
        "--runs",
        nargs="*",
        default=[],
        help="names of runs; NAME:hidden is the run with its measures hidden, NAME:rules with the rules of today around it",
    )
    asked.add_argument("--shipped", action="store_true", help="measure the judge that ships too")
    asked.add_argument("--again", action="store_true", help="measure again what is already measured")
    main(asked.parse_args())
