"""Judges against people: karat's own beside exact match, containment and token F1, on the same human-judged rows.

python benchmarks/judges.py --data DIR --split test [--judge embedded] [--plot docs/pictures/embedded-agreement.svg] [--pedants DIR]

PEDANTS runs in an environment of its own (.cache/peers/qa-metrics), with the four .pkl files of its models and the folders of nltk in DIR; without
--pedants its figures are those of data/README.md, and marked so.
"""

import argparse
import gzip
import json
import os
import re
import string
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import plot

import karat
from karat.core.types import Item, Verdict
from karat.embedded.decide import decide_match, prepare_item
from karat.stats import Estimate, Number

SETS = (
    "evouna_nq",
    "evouna_tq",
    "efficientqa",
    "beetle",
    "scientsbank",
    "saf_en",
    "saf_de",
    "sas_squad",
    "sas_germanquad",
)
SCORED = ("mohler", "saf_en", "saf_de")
# accuracy, macro-F1 and kappa of PEDANTS (qa-metrics 0.2.42) as data/README.md gives them: not measured by this command
PEDANTS = {
    "evouna_nq": (".905", ".875", ".750"), "evouna_tq": (".939", ".870", ".740"), "efficientqa": (".864", ".691", ".383"), "scientsbank": (".635", ".635", ".284"),
    "beetle": (".616", ".609", ".287"), "saf_en": (".602", ".570", ".206"), "sas_squad": (".778", ".652", ".326"),
}  # fmt: skip
PEDANTS_PACKAGES = ("qa-metrics==0.2.42", "nltk", "regex", "tqdm")  # it imports more than it asks for
AS_NETWORK = ", undecided as the network says"
_ACROSS = 3
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Row(NamedTuple):
    item: Item
    label: int | None
    score: float | None
    part: str


def read_rows(data: Path, name: str, split: str) -> list[Row]:
    """Read a set; the official parts of a test set (unseen answers, questions, domains) are told apart."""
    rows: list[Row] = []
    path = data / f"{name}.{split}.jsonl.gz"
    if not path.exists():
        return rows
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            raw: dict[str, Any] = json.loads(line)
            item = Item(raw["question"], tuple(raw["references"]), raw["prediction"])
            score = None
            if raw["score"] is not None:
                low, high = raw["score_range"]
                score = 5 * (raw["score"] - low) / (high - low)
            rows.append(Row(item, raw["label"], score, raw["source"] or name))
    return rows


def squad(text: str) -> str:
    """Normalise as the SQuAD script does: small letters, no punctuation, no articles."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact(item: Item) -> float:
    return float(squad(item.answer) in {squad(each) for each in item.references})


def contains(item: Item) -> float:
    answer = squad(item.answer)
    return float(any(squad(each) in answer for each in item.references))


def token_f1(item: Item) -> float:
    given = squad(item.answer).split()
    best = 0.0
    for each in item.references:
        wanted = squad(each).split()
        common = sum((Counter(given) & Counter(wanted)).values())
        if common:
            best = max(best, 2 * common / (len(given) + len(wanted)))
    return best


class Column(NamedTuple):
    """What one judge said about the rows of a set, and how fast."""

    name: str
    said: list[float]
    rate: float
    confidences: tuple[float | None, ...] = ()
    """Those that verdicts came with; what is undecided has none."""

    def cut(self, places: Sequence[int]) -> "Column":
        """Return what was said about some of the rows."""
        kept = tuple(self.confidences[place] for place in places) if self.confidences else ()
        return self._replace(said=[self.said[place] for place in places], confidences=kept)


def run_plain(name: str, judge: Callable[[Item], float], rows: Sequence[Row]) -> Column:
    begin = time.perf_counter()
    said = [judge(row.item) for row in rows]
    return Column(name, said, len(rows) / (time.perf_counter() - begin))


def run_karat(judge: str, rows: Sequence[Row], protocol: str) -> Column:
    """Let a karat judge grade the rows; one that is undecided counts as a No."""
    begin = time.perf_counter()
    outcomes = karat.grade([row.item for row in rows], judge=judge, protocol=protocol)  # pyright: ignore[reportArgumentType]
    rate = len(rows) / (time.perf_counter() - begin)
    said = [outcome.score if isinstance(outcome, Verdict) else 0.0 for outcome in outcomes]
    confidences = tuple(outcome.confidence if isinstance(outcome, Verdict) else None for outcome in outcomes)
    return Column(judge, said, rate, confidences)


def ask_network(column: Column, rows: Sequence[Row]) -> Column:
    """Return what the embedded judge says where an undecided row counts as the network's own verdict instead of as a No."""
    said = [
        decide_match(prepare_item(row.item))[1].reading.probability if confidence is None else mark  # pyright: ignore[reportOptionalMemberAccess]
        for row, mark, confidence in zip(rows, column.said, column.confidences, strict=True)
    ]
    return Column(f"{column.name}{AS_NETWORK}", said, column.rate)


def run_pedants(models: Path, rows: Sequence[Row]) -> Column:
    """Let PEDANTS judge the rows, in an environment that holds it and what it pins."""
    home = Path(".cache/peers/qa-metrics")
    if not (home / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python = home / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", *PEDANTS_PACKAGES],
        check=True,
    )
    given = "\n".join(
        json.dumps(
            {
                "question": row.item.question or "",
                "references": row.item.references,
                "answer": row.item.answer,
            }
        )
        for row in rows
    )
    script = Path(__file__).parent / "peers" / "with_pedants.py"
    environment = {**os.environ, "NLTK_DATA": str(models)}
    done = subprocess.run(
        [python, script, models], input=given, capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        sys.exit(f"PEDANTS did not run with the models of {models}: {last}")
    told = json.loads(done.stdout)
    return Column("PEDANTS", told["said"], told["rate"])


def threshold(data: Path, name: str) -> float:
    """Choose token F1's threshold by kappa on the train and dev parts, as a careful user would."""
    rows = [
        row for split in ("train", "dev") for row in read_rows(data, name, split) if row.label is not None
    ]
    if not rows:
        return 0.5
    marks = [(token_f1(row.item), int(row.label or 0)) for row in rows]
    return max(
        (each / 20 for each in range(1, 20)),
        key=lambda at: _kappa([(label, int(mark >= at)) for mark, label in marks]) or 0.0,
    )


def show(number: Number) -> str:
    if not isinstance(number, Estimate):
        return "–"
    return f"{number.value:.3f} [{number.low:.3f}, {number.high:.3f}]"


def show_part(
    name: str, part: str, rows: list[Row], columns: list[tuple[Column, float]]
) -> list[dict[str, Any]]:
    """Print the lines of a set or of one of its parts; the difference in kappa is paired by row and drawn by question."""
    from karat.stats.agreement import agree
    from karat.stats.clustered import bootstrap

    truth = [int(row.label or 0) for row in rows]
    clusters = [row.item.question or str(place) for place, row in enumerate(rows)]
    ours = [int(mark >= columns[0][1]) for mark in columns[0][0].said]
    lines: list[dict[str, Any]] = []
    for column, at in columns:
        said = [int(mark >= at) for mark in column.said]
        found = agree(truth, said, clusters=clusters)
        line: dict[str, Any] = {"set": name, "part": part, "rows": len(rows), "judge": column.name, "accuracy": show(found.accuracy), "macro_f1": show(found.macro_f1),
                "kappa": show(found.kappa), "rate": round(column.rate)}  # fmt: skip
        if isinstance(found.kappa, Estimate):
            line["ends"] = (found.kappa.value, found.kappa.low, found.kappa.high)
        if column.name == columns[0][0].name:
            sure = [
                (confidence, int(a == b), cluster)
                for confidence, a, b, cluster in zip(column.confidences, said, truth, clusters, strict=True)
                if confidence is not None
            ]
            line["sure"], line["ece"] = sure, show_calibration(sure)
        else:
            pairs = list(zip(truth, ours, said, strict=True))
            line["difference"] = show(
                bootstrap(
                    lambda places, pairs=pairs: _kappa_gap([pairs[place] for place in places]),
                    len(rows),
                    clusters,
                    seed=1,
                    draws=500,
                )
            )
        lines.append(line)
        print(
            f"| {name} {part} | {len(rows)} | {line['judge']} | {line['accuracy']} | {line['macro_f1']} | {line['kappa']} | {line.get('difference', line.get('ece', ''))} | {line['rate']} |",
            flush=True,
        )
    return lines


def show_calibration(sure: Sequence[tuple[float, int, str]]) -> str:
    """Show the calibration error of confidences, whether each verdict was right, and its question."""
    from karat.stats.calibration import expected_calibration_error

    if not sure:
        return ""
    error, chance = (
        expected_calibration_error(*zip(*sure, strict=True)),
        by_chance([each for each, _, _ in sure]),
    )
    return f"{show(error)}, {len(sure)} rows, {chance:.3f} by chance"


def by_chance(confidences: Sequence[float], draws: int = 200) -> float:
    """Return the calibration error that a judge with these confidences shows on so many rows though each is exactly right, in the mean."""
    from karat.stats.calibration import expected_calibration_error

    chance = Random(1)
    errors = [
        expected_calibration_error(confidences, [int(chance.random() < each) for each in confidences])
        for _ in range(draws)
    ]
    known = [error.value for error in errors if isinstance(error, Estimate)]
    return sum(known) / len(known) if known else float("nan")


def _kappa_gap(triples: list[tuple[int, int, int]]) -> float | None:
    first = _kappa([(truth, ours) for truth, ours, _ in triples])
    second = _kappa([(truth, theirs) for truth, _, theirs in triples])
    return None if first is None or second is None else first - second


def _kappa(pairs: list[tuple[int, int]]) -> float | None:
    n = len(pairs)
    agreed = sum(a == b for a, b in pairs) / n
    first, second = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def measure_labels(
    data: Path, split: str, judge: str, sets: Sequence[str], pedants: Path | None
) -> list[dict[str, Any]]:
    """Measure Yes/No agreement."""
    lines: list[dict[str, Any]] = []
    print(
        "| set | rows | judge | accuracy | macro-F1 | kappa | ECE, of it by chance / κ of the first − κ | rows/s |\n|---|---|---|---|---|---|---|---|"
    )
    for name in sets:
        rows = [row for row in read_rows(data, name, split) if row.label is not None]
        if not rows:
            continue
        at = threshold(data, name)
        ours = run_karat(judge, rows, "match")
        columns = [
            (ours, 0.5),
            *([(ask_network(ours, rows), 0.5)] if judge == "embedded" else []),
            (run_plain("exact match", exact, rows), 0.5),
            (run_plain("contains", contains, rows), 0.5),
            (run_plain(f"token F1 ≥ {at:.2f}", token_f1, rows), at),
        ]
        columns += [(run_pedants(pedants, rows), 0.5)] if pedants else []
        parts = list(dict.fromkeys(row.part for row in rows))
        for part in ["", *parts] if len(parts) > 1 else [""]:
            places = [place for place, row in enumerate(rows) if part in ("", row.part)]
            cut = [(each.cut(places), limit) for each, limit in columns]
            lines += show_part(name, part, [rows[place] for place in places], cut)
        if name in PEDANTS and split == "test" and not pedants:
            print(f"| {name} | | PEDANTS, from data/README | {' | '.join(PEDANTS[name])} | | |")
    sure = [(line["part"], line.pop("sure", [])) for line in lines]
    together = [each for part, some in sure if part == "" for each in some]
    print(f"| all sets together | | {judge} | | | | {show_calibration(together)} | |")
    return lines


def measure_scores(data: Path, split: str, judge: str) -> list[dict[str, Any]]:
    """Measure 0-5 agreement, over all answers and over those of more than five words."""
    from karat.stats.scores import mean_absolute_error, pearson, spearman

    lines: list[dict[str, Any]] = []
    print("\n| set | rows | judge | Pearson | Spearman | mean absolute error |\n|---|---|---|---|---|---|")
    for name in SCORED:
        rows = [row for row in read_rows(data, name, split) if row.score is not None]
        if not rows:
            continue
        columns = [run_karat(judge, rows, protocol) for protocol in ("equivalence", "keypoints")]
        columns = [
            Column(f"{judge} {protocol}", each.said, each.rate)
            for protocol, each in zip(("equivalence", "keypoints"), columns, strict=True)
        ]
        columns.append(run_plain("token F1", token_f1, rows))
        for words in (0, 5):
            places = [place for place, row in enumerate(rows) if len(row.item.answer.split()) > words]
            truth = [rows[place].score or 0.0 for place in places]
            clusters = [rows[place].item.question for place in places]
            for column in columns:
                said = [5 * column.said[place] for place in places]
                line = {"set": name, "words": words, "rows": len(places), "judge": column.name, "pearson": show(pearson(truth, said, clusters)),
                        "spearman": show(spearman(truth, said, clusters)), "mae": show(mean_absolute_error(truth, said, clusters))}  # fmt: skip
                lines.append(line)
                label = f"{name}{f', over {words} words' if words else ''}"
                print(
                    f"| {label} | {len(places)} | {column.name} | {line['pearson']} | {line['spearman']} | {line['mae']} |",
                    flush=True,
                )
    return lines


def draw_plot(lines: Sequence[dict[str, Any]]) -> str:
    """Draw kappa by set and judge, three panels in a row."""
    panels: dict[str, list[plot.Span]] = {}
    first = lines[0]["judge"]
    parted = {line["set"] for line in lines if line["part"]}
    for line in lines:
        if "ends" not in line or (line["set"] in parted and not line["part"]) or AS_NETWORK in line["judge"]:
            continue
        part = line["part"].split("/")[-1].removeprefix("test-").replace("_", " ").replace("-", " ")
        title = ", ".join(filter(None, (line["set"], part, f"{line['rows']:,} rows")))
        panels.setdefault(title, []).append(plot.Span(line["judge"], *line["ends"], line["judge"] == first))
    parts = list[str]()
    high = 90 + 34 * max(map(len, panels.values()))
    for at, (title, spans) in enumerate(panels.items()):
        below, beside = divmod(at, _ACROSS)
        drawn = "\n".join(plot.spans(20 + 440 * beside, 430, title, spans))
        parts.append(f'<g transform="translate(0, {30 + high * below})">{drawn}</g>')
    heading = plot.text(20, 24, "Agreement with people (kappa, 95 % intervals by question)", size=16)
    height = 40 + high * -(-len(panels) // _ACROSS)
    return plot.document(20 + 440 * _ACROSS, height, "Agreement of judges with people", [heading, *parts])


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--split", default="dev", choices=("train", "dev", "test"))
    asked.add_argument("--judge", default="embedded")
    asked.add_argument("--sets", nargs="*", help="all that are there unless said")
    asked.add_argument("--pedants", type=Path, help="folder with the model files of PEDANTS")
    asked.add_argument("--no-scores", action="store_true")
    asked.add_argument("--json", type=Path, help="write the figures here as well")
    asked.add_argument("--plot", type=Path, help="draw kappa here as SVG")
    given = asked.parse_args()
    if not any(given.data.glob(f"*.{given.split}.jsonl.gz")):
        sys.exit(
            f"{given.data} holds no NAME.{given.split}.jsonl.gz: say where the human-judged answers are with --data"
        )
    missing = [
        name for name in given.sets or () if not (given.data / f"{name}.{given.split}.jsonl.gz").exists()
    ]
    if missing:
        known = sorted(path.name.partition(".")[0] for path in given.data.glob(f"*.{given.split}.jsonl.gz"))
        sys.exit(f"{given.data} has no {missing[0]}.{given.split}.jsonl.gz; it has {', '.join(known)}")
    labels = measure_labels(given.data, given.split, given.judge, given.sets or SETS, given.pedants)
    scores = [] if given.no_scores else measure_scores(given.data, given.split, given.judge)
    if given.plot:
        given.plot.write_text(draw_plot(labels), encoding="utf-8")
    if given.json:
        given.json.write_text(
            json.dumps(
                {"split": given.split, "judge": given.judge, "labels": labels, "scores": scores}, indent=1
            )
            + "\n"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
