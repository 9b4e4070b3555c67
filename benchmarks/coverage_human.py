"""How often karat's intervals hold the true rate of human-labelled answers; writes its part of docs/measurements/coverage.md.

The test part of a data set is the population and its human labels are the truth. Every draw shows 200 of the labels
and hides the others. Nothing is tuned on these rows. Exits with 1 where a demand of the page is missed.
"""

import argparse
import gzip
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from page import MEASUREMENTS, write_part
from tally import Tally

import karat
from karat.stats.corrected import corrected_mean

SETS = ("evouna_tq", "scientsbank")
LABELS = 200
RAW, ALONE, OURS, PLAIN = "judge alone", "labels alone", "PPI++", "PPI++, unclustered"
HEAD = (
    "| set | judge | rows | questions | unjudged | true rate | judge's rate | "
    + " | ".join(f"{name}: coverage | width" for name in (RAW, ALONE, OURS, PLAIN))
    + " |\n|"
    + "---|" * 15
)


class Population(NamedTuple):
    truths: list[float]
    verdicts: list[float | None]
    questions: list[str]


def read(path: Path, judge: str) -> Population:
    """The labelled rows of a part, judged."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        found: list[dict[str, Any]] = [json.loads(line) for line in lines]
    rows = [row for row in found if row["label"] is not None]
    grades = karat.grade(
        [karat.Item(row["question"], tuple(row["references"]), row["prediction"]) for row in rows],
        judge=judge,
    )
    verdicts = [float(outcome.value) if isinstance(outcome, karat.Verdict) else None for outcome in grades]
    return Population([float(row["label"]) for row in rows], verdicts, [row["question"] for row in rows])


def draw(population: Population, draws: int) -> Tally:
    """Show 200 labels at a time, and count how often the intervals hold the rate of all."""
    tally, random = Tally.start(), np.random.default_rng(200)
    truth = float(np.mean(population.truths))
    for _ in range(draws):
        chosen = set(random.choice(len(population.truths), LABELS, replace=False).tolist())
        labels = [label if row in chosen else None for row, label in enumerate(population.truths)]
        found = corrected_mean(population.verdicts, labels, clusters=population.questions)
        plain = corrected_mean(population.verdicts, labels)
        for name, number in (
            (RAW, found.raw),
            (ALONE, found.labels_only),
            (OURS, found.corrected),
            (PLAIN, plain.corrected),
        ):
            tally.add(name, number, truth)
    return tally


def describe(name: str, judge: str, population: Population, tally: Tally) -> str:
    judged = [verdict for verdict in population.verdicts if verdict is not None]
    cells = [
        name,
        judge,
        f"{len(population.truths):,}",
        f"{len(set(population.questions)):,}",
        f"{1 - len(judged) / len(population.truths):.1%}",
        f"{np.mean(population.truths):.3f}",
        f"{np.mean(judged):.3f}",
        *(tally.show(each) for each in (RAW, ALONE, OURS, PLAIN)),
    ]
    return f"| {' | '.join(cells)} |"


PART = """\
Printed by `python benchmarks/coverage_human.py --data DIR`. The test part of a human-labelled set is the population, and its labels are the truth. Each of {draws:,} seeded
draws reveals {labels} labels at random and hides the others. "Coverage" is how often the 95 % interval holds the true rate of all rows; "width" is its mean width in
points. PPI++ counts an unjudged row as one half; the judge's rate is of the rows that it judged.

{table}

- The judge alone gives the same interval in every draw, so its coverage is 100 % or 0 %.
- "PPI++" is the corrected share that karat prints. It is clustered by question, so its interval is for questions like these and not only for these.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of NAME.test.jsonl.gz")
    parser.add_argument(
        "--judges", nargs="*", default=["rules", "embedded"], help="judges to be had without a key"
    )
    parser.add_argument("--draws", type=int, default=1000)
    args = parser.parse_args()
    lines, missed = list[str](), list[str]()
    for name in SETS:
        for judge in args.judges:
            population = read(args.data / f"{name}.test.jsonl.gz", judge)
            tally = draw(population, args.draws)
            lines.append(describe(name, judge, population, tally))
            missed += [
                f"{name}, {judge}, {each}: {tally.coverage(each):.3f}"
                for each in (OURS, PLAIN)
                if tally.coverage(each) < 0.93
            ]
    part = PART.format(draws=args.draws, labels=LABELS, table="\n".join([HEAD, *lines]))
    write_part(MEASUREMENTS / "coverage.md", "human", part)
    print(part)
    if missed:
        sys.exit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
