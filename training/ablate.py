"""Ablations: short runs on a share of the rows, each without one part of the design.

python -m training.ablate --work WORK --base WORK/base/model.safetensors --ranks 1

It can be stopped at any time; the same command continues the run that was interrupted.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

RUNS: dict[str, list[str]] = {
    "whole": [],
    "without token kinds": ["--no-kinds"],
    "without contrast rows": ["--no-contrast"],
    "without measures": ["--no-measures"],
    "without alignment": ["--no-alignment"],
    "measures not in steps": ["--no-steps"],
    "no words renamed": ["--rename", "0"],
    "whole, another seed": ["--seed", "2"],
    "three layers": ["--layers", "3"],
}
KAPPA, MACRO_F1 = ("evouna_nq", "evouna_tq"), ("efficientqa", "scientsbank", "beetle", "saf_en")
PEARSON = ("mohler", "saf_en")
HELD_OUT = ("choice=0", "negated=0", "mentioned=0", "number_changed=0")


def run(work: Path, base: Path, part: float, ranks: int, layers: int, names: list[str]) -> None:
    """Train what is not trained yet, and print a line for each run."""
    heads = [
        *(f"{name} K" for name in KAPPA),
        *(f"{name} F" for name in MACRO_F1),
        *(f"{name} r" for name in PEARSON),
        *(f"{name[:-2]} accepted" for name in HELD_OUT),
    ]
    print("| run |", " | ".join(heads), "|", flush=True)
    for name in names:
        folder = f"ablated-{part:g}-{base.stem}-{layers}-{name.replace(' ', '-').replace(',', '')}"
        with (work / f"{folder}.log").open("a") as log:
            subprocess.run(  # noqa: S603 - our own module, with options of this list
                [sys.executable, "-m", "training.train", "--work", str(work), "--base", str(base), "--part", str(part), "--ranks", str(ranks), "--half", "--layers", str(layers), "--name", folder, *RUNS[name]],
                check=True, stdout=log, stderr=log,
            )  # fmt: skip
        print(
            f"| {name} |",
            " | ".join(show(json.loads((work / folder / "dev.json").read_text()))),
            "|",
            flush=True,
        )


def show(figures: dict) -> list[str]:
    """Return the figures of one run: gate, rules and network on human rows, the network alone on held-out wordings."""
    probes = figures["probes wrong, alone/behind"]
    return [
        *(f"{figures[name]['kappa_rules']:.3f}" for name in KAPPA),
        *(f"{figures[name]['f1_rules']:.3f}" for name in MACRO_F1),
        *(f"{figures[f'{name} pearson']:.3f}" for name in PEARSON),
        *(probes[name].split("/")[0] if name in probes else "–" for name in HELD_OUT),
    ]


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--base", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    asked.add_argument("--part", type=float, default=0.12, help="share of the rows")
    asked.add_argument("--ranks", type=int, default=2, help="processes, one core each")
    asked.add_argument("--layers", type=int, default=6, help="layers of the base")
    asked.add_argument("--runs", nargs="*", default=list(RUNS), choices=list(RUNS))
    given = asked.parse_args()
    run(given.work, given.base, given.part, given.ranks, given.layers, given.runs)
