"""Time of grading a DataFrame, compared with a list of the same rows, in the same process.

Run: python benchmarks/frames.py [ROWS]
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl

import karat

_ROUNDS = 2


def main() -> None:
    """Print the seconds for a list, a pandas frame and a polars frame; each is the best of two rounds, in turn."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rows = [
        {
            "question": f"What is {n}?",
            "reference": f"thing {n}",
            "answer": f"thing {n + n % 2}",
            "topic": n % 7,
        }
        for n in range(count)
    ]
    inputs: dict[str, Callable[[], Any]] = {
        "list": lambda: rows,
        "pandas": lambda: pd.DataFrame(rows),
        "polars": lambda: pl.DataFrame(rows),
    }
    best = dict.fromkeys(inputs, float("inf"))
    for _ in range(_ROUNDS):
        for name, make in inputs.items():
            given = make()
            started = time.perf_counter()
            karat.grade(given, judge="rules")
            best[name] = min(best[name], time.perf_counter() - started)
    for name, seconds in best.items():
        print(f"{name:7} {seconds:7.1f} s  {seconds / best['list'] - 1:+.1%}")


if __name__ == "__main__":
    main()
