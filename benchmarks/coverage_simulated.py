"""How often karat's intervals hold the truth, by simulation; writes its part of docs/measurements/coverage.md and the plot.

The judge finds 97 % of the right answers and lets 29 % of the wrong ones pass (sensitivity .97, specificity .71).
Every draw makes 2,000 new rows and labels some of them at random; the truth is the rate the rows were made with.
Exits with 1 where the coverage or a width is off its target.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product, repeat

import numpy as np
from numpy.typing import NDArray
from page import MEASUREMENTS, PICTURES, write_part
from plot import Bar, bars, document
from tally import Tally

from karat.stats.corrected import Rows, corrected_difference, corrected_mean, rogan_gladen

ROWS, LABELS, RATES = 2000, (100, 200, 500), (0.64, 0.85, 0.93)
SENSITIVITY, SPECIFICITY = 0.97, 0.71
QUESTIONS, ANSWERS, ALIKE = 400, 5, 0.4
RAW, ALONE, OURS, THEIRS = "judge alone", "labels alone", "PPI++", "Rogan-Gladen"
Floats = NDArray[np.float64]
Draw = tuple[Floats, Floats]


def judge(
    truths: NDArray[np.bool_], random: np.random.Generator, specificity: float | Floats = SPECIFICITY
) -> Floats:
    """The judge's verdicts."""
    says = random.random(len(truths))
    return np.where(truths, says < SENSITIVITY, says > specificity).astype(np.float64)


def hide(truths: NDArray[np.bool_], chosen: NDArray[np.intp]) -> list[float | None]:
    """The labels: those of the chosen rows."""
    labels: list[float | None] = [None] * len(truths)
    for row in chosen:
        labels[row] = float(truths[row])
    return labels


def simulate(rate: float, labels: int, draws: int) -> Tally:
    """Independent rows, labels drawn at random."""
    tally, random = Tally.start(), np.random.default_rng([round(100 * rate), labels])
    for _ in range(draws):
        truths = random.random(ROWS) < rate
        verdicts = judge(truths, random)
        chosen = random.choice(ROWS, labels, replace=False)
        found = corrected_mean(verdicts.tolist(), hide(truths, chosen))
        yes, passed = truths[chosen], verdicts[chosen] == 1
        other = rogan_gladen(
            verdicts.sum(), ROWS, (yes & passed).sum(), yes.sum(), (~yes & ~passed).sum(), (~yes).sum()
        )
        for name, number in (
            (RAW, found.raw),
            (ALONE, found.labels_only),
            (OURS, found.corrected),
            (THEIRS, other),
        ):
            tally.add(name, number, rate)
    return tally


def draw_questions(rate: float, random: np.random.Generator) -> Draw:
    """Five answers to each of 400 questions: some questions are hard for all, and fool the judge more often than others."""
    size = (1 - ALIKE) / ALIKE
    ease = np.repeat(random.beta(rate * size, (1 - rate) * size, QUESTIONS), ANSWERS)
    strict = np.repeat(random.beta(SPECIFICITY * size, (1 - SPECIFICITY) * size, QUESTIONS), ANSWERS)
    truths = random.random(ROWS) < ease
    return truths, judge(truths, random, strict)


def choose_rows(random: np.random.Generator) -> NDArray[np.intp]:
    return random.choice(ROWS, 200, replace=False)


def choose_questions(random: np.random.Generator) -> NDArray[np.intp]:
    return (random.choice(QUESTIONS, 40, replace=False)[:, None] * ANSWERS + np.arange(ANSWERS)).ravel()


def simulate_questions(choose: Callable[[np.random.Generator], NDArray[np.intp]], draws: int) -> Tally:
    """Rows in clusters, with and without telling the statistics so; what is labelled in full is a share of all rows."""
    tally, random, rate = Tally.start(), np.random.default_rng([5, choose is choose_rows]), RATES[0]
    questions = np.repeat(np.arange(QUESTIONS), ANSWERS).tolist()
    for _ in range(draws):
        truths, verdicts = draw_questions(rate, random)
        labels = hide(truths, choose(random))
        for clusters, how in ((questions, "clustered"), (None, "unclustered")):
            found = corrected_mean(verdicts.tolist(), labels, clusters=clusters)
            everything = corrected_mean(truths.tolist(), [None] * ROWS, clusters=clusters).raw
            tally.add(f"{ALONE}, {how}", found.labels_only, rate)
            tally.add(f"{OURS}, {how}", found.corrected, rate)
            tally.add(f"share of all rows, {how}", everything, rate)
    return tally


def simulate_plan(draws: int) -> Tally:
    """Half of 200 labels where the judge says no, which is 27 % of the rows, with and without telling the chances."""
    tally, random, rate = Tally.start(), np.random.default_rng(7), RATES[0]
    for _ in range(draws):
        truths = random.random(ROWS) < rate
        verdicts = judge(truths, random)
        chances, chosen = np.zeros(ROWS), list[NDArray[np.intp]]()
        for value in (0, 1):
            rows = np.flatnonzero(verdicts == value)
            chances[rows] = 100 / len(rows)
            chosen.append(random.choice(rows, 100, replace=False))
        labels = hide(truths, np.concatenate(chosen))
        told = corrected_mean(verdicts.tolist(), labels, probabilities=chances.tolist())
        untold = corrected_mean(verdicts.tolist(), labels)
        tally.add("probabilities given", told.corrected, rate)
        tally.add("probabilities not given", untold.corrected, rate)
        tally.add("labels alone, probabilities given", told.labels_only, rate)
    return tally


def simulate_difference(draws: int) -> Tally:
    """Two systems on the same 1,000 questions, B better by 5 points; the judge lets more wrong answers of A pass. 100 questions are labelled."""
    tally, random = Tally.start(), np.random.default_rng(8)
    questions = list(range(1000))
    for _ in range(draws):
        luck = random.random(1000)
        mixed = [np.where(random.random(1000) < 0.6, luck, random.random(1000)) for _ in range(2)]
        truths = [mixed[0] < 0.60, mixed[1] < 0.65]
        verdicts = [judge(truths[0], random, 0.6), judge(truths[1], random, 0.85)]
        chosen = random.choice(1000, 100, replace=False)
        a, b = (
            Rows(said.tolist(), hide(truth, chosen), questions)
            for said, truth in zip(verdicts, truths, strict=True)
        )
        found = corrected_difference(a, b)
        for name, number in ((RAW, found.raw), (ALONE, found.labels_only), (OURS, found.corrected)):
            tally.add(name, number.estimate, 0.05)
    return tally


def check(tallies: dict[tuple[float, int], Tally], questions: dict[str, Tally]) -> Iterator[str]:
    """Yield each coverage and width that is off its target."""
    for labels in LABELS:
        tally = tallies[RATES[0], labels]
        if not 0.93 <= tally.coverage(OURS) <= 0.97:
            yield f"{labels} labels: PPI++ covers {tally.coverage(OURS):.3f}"
        if tally.width(OURS) >= tally.width(ALONE):
            yield f"{labels} labels: PPI++ is no narrower than labels alone"
    for name, tally in questions.items():
        for what in (ALONE, OURS, "share of all rows"):
            if not 0.93 <= tally.coverage(f"{what}, clustered") <= 0.97:
                yield f"{name}, {what}, clustered: {tally.coverage(f'{what}, clustered'):.3f}"
    whole = questions["40 whole questions"]
    if whole.coverage(f"{OURS}, unclustered") >= 0.93:
        yield f"whole questions, unclustered: {whole.coverage(f'{OURS}, unclustered'):.3f}"


def draw_picture(tallies: dict[tuple[float, int], Tally]) -> str:
    """The widths for a rate of .64."""
    parts = list[str]()
    for place, labels in enumerate(LABELS):
        tally = tallies[RATES[0], labels]
        rows = [
            Bar(f"{name} ({100 * tally.coverage(name):.0f} %)", 100 * tally.width(name), name == OURS)
            for name in (OURS, ALONE, THEIRS, RAW)
        ]
        parts += bars(20 + 400 * place, 390, f"{labels} labels: width, points (coverage)", rows)
    return document(1220, 200, "Mean width of 95 % intervals and how often they hold the truth", parts)


def make_part(
    tallies: dict[tuple[float, int], Tally],
    questions: dict[str, Tally],
    plan: Tally,
    difference: Tally,
    draws: int,
) -> str:
    lines = [
        f"| {rate} | {labels} | " + " | ".join(tally.show(name) for name in (RAW, ALONE, THEIRS, OURS)) + " |"
        for (rate, labels), tally in tallies.items()
    ]
    clustered = [
        f"| {name} | {what} | {tally.show(f'{what}, unclustered')} | {tally.show(f'{what}, clustered')} |"
        for name, tally in questions.items()
        for what in (ALONE, OURS, "share of all rows")
    ]
    return PART.format(
        draws=draws,
        main="\n".join(lines),
        clustered="\n".join(clustered),
        plan="\n".join(f"| {name} | {plan.show(name)} |" for name in plan.draws),
        difference="\n".join(f"| {name} | {difference.show(name)} |" for name in difference.draws),
    )


PART = """\
Printed by `python benchmarks/coverage_simulated.py`: {draws:,} seeded draws for each line. With so many draws a true 95.0 % comes out between 94.3 % and 95.7 %. Each
draw makes 2,000 new rows. The simulated judge accepts 97 % of the right answers and 29 % of the wrong ones (sensitivity .97, specificity .71), like a
judge of 7 to 13 billion parameters on short answers. "Coverage" is how often the 95 % interval holds the rate that the rows were made with; "width" is its
mean width in points.

![Width and coverage at 100, 200 and 500 labels](../pictures/coverage.svg)

| true rate | labels | judge alone: coverage | width | labels alone: coverage | width | Rogan-Gladen: coverage | width | PPI++: coverage | width |
|---|---|---|---|---|---|---|---|---|---|
{main}

- The judge alone is biased, so its interval is too narrow around a wrong number. At a rate of .64 it never holds the truth, and more rows do not help.
- PPI++ is the corrected share that karat prints. It covers at its nominal level and is narrower than the labels alone.
- Rogan-Gladen covers too, but with a lenient judge it can be wider than the labels alone. karat prints it where the labelled rows have
  another mix of verdicts than the data, because PPI++ does not hold there.

### Several answers to one question

Five answers to each of 400 questions. The rate of right answers and the judge's specificity vary between questions (correlation
{alike} within a question). 200 labels: on 200 rows drawn at random, or on all answers to 40 questions.

| labels on | estimate | unclustered: coverage | width | clustered: coverage | width |
|---|---|---|---|---|---|
{clustered}

### Labels drawn with unequal probabilities

Half of 200 labels are on rows that the judge rejects, about 27 % of all rows.

| estimate | coverage | width |
|---|---|---|
{plan}

### Two systems

System B is better than A by 5 points on the same 1,000 questions. The judge accepts 40 % of A's wrong answers and 15 % of B's. 100 questions are
labelled for both.

| difference by | coverage | width |
|---|---|---|
{difference}
""".replace("{alike}", f"{ALIKE:g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=4000)
    parser.add_argument("--jobs", type=int, default=None, help="processes [default: one for each core]")
    args = parser.parse_args()
    cells = list(product(RATES, LABELS))
    with ProcessPoolExecutor(args.jobs) as pool:
        simulated = pool.map(simulate, *zip(*cells, strict=True), repeat(args.draws))
        by_rows, by_questions = (
            pool.submit(simulate_questions, choose, args.draws) for choose in (choose_rows, choose_questions)
        )
        plan, difference = (pool.submit(each, args.draws) for each in (simulate_plan, simulate_difference))
        tallies = dict(zip(cells, simulated, strict=True))
        questions = {"200 rows": by_rows.result(), "40 whole questions": by_questions.result()}
        part = make_part(tallies, questions, plan.result(), difference.result(), args.draws)
    write_part(MEASUREMENTS / "coverage.md", "simulated", part)
    (PICTURES / "coverage.svg").write_text(draw_picture(tallies), encoding="utf-8")
    print(part)
    missed = list(check(tallies, questions))
    if missed:
        sys.exit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
