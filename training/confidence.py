"""Fit the confidence of verdicts, and check it on groups of rows that were left out of the fit.

python -m training.confidence --data DIR [--plot docs/pictures/risk-coverage.svg] [--write]

A group is a human-judged set (its dev part) or a file of model-written rows. Each is once left out: lines fitted on all
other groups rate its verdicts, and the ratings are held against its labels. `--write` puts the lines that are fitted on
all groups, with what they came to on left-out groups, beside the weights.
"""

import argparse
import gzip
import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec import json as encoder
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from karat.core.types import Item, Unjudged, Verdict
from karat.embedded import UNSURE, Evidence, LeftOut, gather_evidence
from karat.embedded.confidence import Confidence, Line
from karat.embedded.decide import decide_by_rules, decide_match, prepare_item

HUMAN = ("evouna_nq", "evouna_tq", "efficientqa", "beetle", "scientsbank", "saf_en", "saf_de")
ELSEWHERE = ("truthfulqa",)
"""Human-judged, but for being true and not for saying what the reference says: shown, never fitted on, in no total."""
STRENGTH = 0.03
"""How far weights may go (C of scikit-learn): the one with the least log loss on left-out groups among .003, .03, .06 and .3."""
SURE = 0.9
BINS = 10
DRAWS = 500
TARGET = Path(__file__).parents[1] / "src/karat/embedded/weights/confidence.json"
Kind = Literal["human", "written", "elsewhere"]


class Labelled(NamedTuple):
    item: Item
    label: bool


class Row(NamedTuple):
    """A verdict with what is known of it, and whether people (or the author) say the same."""

    group: str
    kind: Kind
    evidence: Evidence
    right: bool


class Rated(NamedTuple):
    """Confidences of verdicts, and whether each is right."""

    sure: np.ndarray
    right: np.ndarray

    def cut(self, kept: np.ndarray) -> "Rated":
        return Rated(self.sure[kept], self.right[kept])


def read_groups(data: Path) -> dict[tuple[str, Kind], list[Labelled]]:
    """Read all groups; rows without a label are left out."""
    groups: dict[tuple[str, Kind], list[Labelled]] = {}
    for name in (*HUMAN, *ELSEWHERE):
        kind: Kind = "human" if name in HUMAN else "elsewhere"
        groups[name, kind] = read_rows(data / f"{name}.dev.jsonl.gz")
    for path in sorted((data / "written").glob("*.jsonl.gz")):
        groups[path.name.partition(".")[0], "written"] = read_rows(path)
    return groups


def read_rows(path: Path) -> list[Labelled]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return [
        Labelled(Item(row["question"], tuple(row["references"]), row["prediction"]), bool(row["label"]))
        for row in rows
        if row["label"] is not None
    ]


def collect(data: Path) -> list[Row]:
    """Judge the rows of all groups; those without a verdict have no confidence and are left out."""
    groups = read_groups(data)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = pool.map(weigh, (row for rows in groups.values() for row in rows), chunksize=50)
        return [
            Row(group, kind, *weighed)
            for (group, kind), rows in groups.items()
            for _, weighed in zip(rows, found, strict=False)
            if weighed is not None
        ]


def weigh(row: Labelled) -> tuple[Evidence, bool] | None:
    """Judge one row as the embedded judge does; None where it is undecided."""
    outcome: Verdict | Unjudged | None = decide_by_rules(row.item, "match")
    if outcome is None:
        outcome, evidence = decide_match(prepare_item(row.item))
    else:
        evidence = gather_evidence(
            prepare_item(row.item),
            accepts=bool(outcome.value),
            rule=outcome.decided_by.removeprefix("rule:"),
            place=outcome.matched_reference,
        )
    if not isinstance(outcome, Verdict):
        return None
    return evidence, bool(outcome.value) is row.label


def fit(rows: Sequence[Row], left_out: tuple[LeftOut, ...] = ()) -> Confidence:
    """Fit the four lines, every row counted alike."""

    def fit_line(decider: str, accepts: bool) -> Line:  # noqa: FBT001
        mine = [row for row in rows if row.evidence.decider == decider and row.evidence.accepts is accepts]
        facts = [row.evidence.facts() for row in mine]
        names, scale = list(facts[0]), StandardScaler()
        seen = scale.fit_transform([[each[name] for name in names] for each in facts])
        model = LogisticRegression(C=STRENGTH, max_iter=5000).fit(seen, [row.right for row in mine])
        weights = model.coef_[0] / scale.scale_
        bias = float(model.intercept_[0] - weights @ scale.mean_)
        named = zip(names, weights, strict=True)
        return Line(round(bias, 5), {name: round(float(each), 5) for name, each in named if abs(each) > 1e-9})

    return Confidence(
        network={"accept": fit_line("network", True), "reject": fit_line("network", False)},
        rules={"accept": fit_line("rules", True), "reject": fit_line("rules", False)},
        left_out=left_out,
    )


def rate_left_out(rows: Sequence[Row]) -> np.ndarray:
    """Rate the verdicts of each group by lines that were fitted without it."""
    sure = np.zeros(len(rows))
    for group in dict.fromkeys(row.group for row in rows):
        lines = fit([row for row in rows if row.group != group and row.kind != "elsewhere"])
        for place, row in enumerate(rows):
            if row.group == group:
                sure[place] = lines.rate(row.evidence)
    return sure


def calibration_error(rated: Rated) -> float:
    """Return the expected calibration error over ten bins of equal width."""
    places = np.minimum((rated.sure * BINS).astype(int), BINS - 1)
    gaps = [abs((rated.sure - rated.right)[places == place].sum()) for place in range(BINS)]
    return float(sum(gaps) / len(rated.sure))


def error_by_chance(sure: np.ndarray) -> float:
    """Return the calibration error that a perfectly calibrated judge with these confidences stays under in 95 of 100 draws."""
    chance = np.random.default_rng(1)
    errors = [calibration_error(Rated(sure, chance.random(len(sure)) < sure)) for _ in range(DRAWS)]
    return float(np.quantile(errors, 0.95))


def show(rows: Sequence[Row], sure: np.ndarray) -> None:
    """Print a line for each group, and totals; human-judged and model-written rows are never added up."""
    rated = Rated(sure, np.array([row.right for row in rows]))
    print(
        f"| left-out group | verdicts | right | expected | calibration error | 95 % of perfect judges stay under | | confidence ≥ {SURE} | right of these | below {UNSURE} |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for kind in ("human", "written", "elsewhere"):
        names = list(dict.fromkeys(row.group for row in rows if row.kind == kind))
        for name in names:
            show_line(name, rated.cut(np.array([row.group == name for row in rows])))
        if len(names) > 1:
            show_line(f"**all {kind}**", rated.cut(np.array([row.kind == kind for row in rows])), total=True)
    evouna = rated.cut(np.array([row.group.startswith("evouna") for row in rows]))
    print(f"\nconfidence ≥ {SURE} on {share(evouna.sure >= SURE)} of the evouna dev verdicts")
    both = rated.cut(np.array([row.kind != "elsewhere" for row in rows]))
    print(
        f"calibration error over both kinds, in which their opposite errors cancel: {calibration_error(both):.3f}; "
        f"confidence ≥ {SURE}: {share(both.sure >= SURE)}, right of these {share(both.right[both.sure >= SURE])}"
    )


def show_line(name: str, rated: Rated, *, total: bool = False) -> None:
    error, chance, high = calibration_error(rated), error_by_chance(rated.sure), rated.sure >= SURE
    place = "" if total else "inside" if error <= chance else "**outside**"
    print(
        f"| {name} | {len(rated.sure)} | {share(rated.right)} | {share(rated.sure)} | {error:.3f} | {chance:.3f} | {place} "
        f"| {share(high)} | {share(rated.right[high])} | {share(rated.sure < UNSURE)} |"
    )


def share(values: np.ndarray) -> str:
    return f"{100 * values.mean():.1f} %" if len(values) else "–"


def summarise(rows: Sequence[Row], sure: np.ndarray) -> Iterator[LeftOut]:
    """Say of each left-out group what was expected and what was right."""
    for group, kind in dict.fromkeys((row.group, row.kind) for row in rows):
        if kind != "elsewhere":
            here = np.array([row.group == group and row.kind == kind for row in rows])
            right = np.array([row.right for row in rows])[here]
            yield LeftOut(
                group, kind, len(right), round(float(right.mean()), 4), round(float(sure[here].mean()), 4)
            )


def draw(rows: Sequence[Row], sure: np.ndarray) -> str:
    """Draw risk against coverage: of the surest verdicts of each left-out group, how many are wrong."""
    curves: dict[Kind, list[tuple[str, list[tuple[float, float]]]]] = {"human": [], "written": []}
    for group, kind in dict.fromkeys((row.group, row.kind) for row in rows if row.kind != "elsewhere"):
        here = np.array([row.group == group and row.kind == kind for row in rows])
        order = np.argsort(-sure[here], kind="stable")
        wrong = ~np.array([row.right for row in rows])[here][order]
        counts = np.arange(1, len(wrong) + 1)
        points = zip(counts / len(wrong), np.cumsum(wrong) / counts, strict=True)
        first = max(10, len(wrong) // 20)  # below so few verdicts a share says nothing
        curves[kind].append((group, list(points)[first - 1 :]))
    titles = {"human": "human-judged sets", "written": "model-written files"}
    panels = [panel(titles[kind], some, 20 + 430 * at) for at, (kind, some) in enumerate(curves.items())]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 420" font-family="system-ui, sans-serif" font-size="11">'
        '<rect width="880" height="420" fill="#fff"/>' + "".join(panels) + "</svg>\n"
    )


def panel(title: str, curves: Sequence[tuple[str, list[tuple[float, float]]]], left: float) -> str:
    """One panel: the share of verdicts that is kept, surest first, and the share of these that is wrong."""
    wide, high, top, most = 290, 320, 50, 0.7

    def at(point: tuple[float, float]) -> str:
        return f"{left + 40 + wide * point[0]:.1f},{top + high * (1 - min(point[1], most) / most):.1f}"

    parts = [f'<text x="{left + 40}" y="28" font-size="14" font-weight="600">{title}</text>']
    for tick in range(8):
        y = top + high * (1 - tick / 7)
        parts.append(
            f'<line x1="{left + 40}" x2="{left + 40 + wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        )
        parts.append(
            f'<text x="{left + 34}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{10 * tick} %</text>'
        )
    for tick in range(5):
        x = left + 40 + wide * tick / 4
        parts.append(
            f'<text x="{x:.1f}" y="{top + high + 16}" text-anchor="middle" fill="#555">{25 * tick} %</text>'
        )
    parts.append(
        f'<text x="{left + 40 + wide / 2}" y="{top + high + 34}" text-anchor="middle" fill="#333">verdicts kept, surest first; up: share of them that is wrong</text>'
    )
    ends = sorted((points[-1][1], name, points) for name, points in curves)
    heights = spread([top + high * (1 - min(end, most) / most) for end, _, _ in reversed(ends)])
    for place, ((_, name, points), y) in enumerate(zip(reversed(ends), heights, strict=True)):
        colour = f"hsl({360 * place / len(ends):.0f} 60% 40%)"
        line = " ".join(map(at, points[:: max(1, len(points) // 150)] + points[-1:]))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="{left + 44 + wide}" y="{y + 4:.1f}" fill="{colour}">{name}</text>')
    return "".join(parts)


def spread(heights: Sequence[float], gap: float = 13.0) -> list[float]:
    """Move labels down so far that none covers another."""
    found: list[float] = []
    for height in heights:
        found.append(max(height, found[-1] + gap) if found else height)
    return found


def main(
    data: Path, plot: Path | None, *, write: bool, gather: Callable[[Path], list[Row]] = collect
) -> None:
    rows = gather(data)
    sure = rate_left_out(rows)
    show(rows, sure)
    if plot is not None:
        plot.write_text(draw(rows, sure), encoding="utf-8")
    if write:
        fitted = [row for row in rows if row.kind != "elsewhere"]
        found = fit(fitted, tuple(summarise(rows, sure)))
        TARGET.write_bytes(encoder.format(encoder.encode(found), indent=1) + b"\n")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True, help="folder of the labelled rows")
    asked.add_argument("--plot", type=Path, help="write the plot of risk against coverage here (.svg)")
    asked.add_argument("--write", action="store_true", help="write the lines beside the weights")
    given = asked.parse_args()
    if not (given.data / "written").is_dir():
        asked.error(f"{given.data} has no folder `written`: say where the labelled rows are with --data")
    main(given.data, given.plot, write=given.write)
