"""Speed and memory of the embedded judge: rows per second on all rows and on those that rules decide, the time to the first verdict; token F1 beside it.

python benchmarks/embedded_speed.py --data DIR [--split test]
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from load import check_set

import judges
import karat
from karat.core.types import Item
from karat.embedded.decide import decide_by_rules

FIRST = (
    "import karat; print(karat.judge('Who wrote Hamlet?', 'William Shakespeare', 'The bard of Avon').value)"
)
ROUNDS = 3


def rate(work: Callable[[Sequence[Item]], object], items: Sequence[Item]) -> float:
    """Return rows a second, the best of three rounds."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work(items)
        taken.append(time.perf_counter() - begin)
    return len(items) / min(taken)


def grade(items: Sequence[Item]) -> object:
    return karat.grade(items, judge="embedded")


def score(items: Sequence[Item]) -> object:
    return [judges.token_f1(item) for item in items]


def first_verdict() -> float:
    """Return the seconds from starting a process to its first verdict, the median of five."""
    taken: list[float] = []
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", FIRST], check=True, capture_output=True)
        taken.append(time.perf_counter() - begin)
    return sorted(taken)[2]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--split", default="test", choices=("train", "dev", "test"))
    given = asked.parse_args()
    print("| rows | embedded, rows/s | token F1, rows/s |\n|---|---|---|")
    for name in ("evouna_nq", "evouna_tq", "efficientqa", "scientsbank"):
        check_set(given.data, name, given.split)
        items = [row.item for row in judges.read_rows(given.data, name, given.split)][:3000]
        ruled = [item for item in items if decide_by_rules(item, "match") is not None]
        for told, some in ((name, items), (f"{name}, what rules decide", ruled)):
            print(
                f"| {told}: {len(some):,} | {rate(grade, some):.0f} | {rate(score, some):.0f} |", flush=True
            )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nfirst verdict of a fresh process {first_verdict():.2f} s, memory at most {memory:.0f} MB")


if __name__ == "__main__":
    main()
