"""What the measures of the embedded judge cost: CPU µs per row that gate and rules leave open, short answers (20 words) and all."""

import argparse
import gzip
import json
import statistics
import time
from pathlib import Path
from typing import Any

from karat.core.types import Item
from karat.embedded.features import measure_features
from karat.embedded.inputs import choose_references
from karat.text import apply_rules, check_gate


def is_open(row: dict[str, Any]) -> bool:
    item = Item(row["question"], tuple(row["references"]), row["prediction"])
    return check_gate(item) is None and apply_rules(item) is None


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, required=True)
    given = asked.parse_args()
    for name in ("evouna_nq", "evouna_tq", "efficientqa"):
        with gzip.open(given.data / f"{name}.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if is_open(row)]
        taken: list[tuple[float, int]] = []
        for row in rows:
            begin = time.thread_time()
            place = choose_references(tuple(row["references"]), row["prediction"])[0]
            measure_features(row["question"], row["references"][place], row["prediction"])
            taken.append(((time.thread_time() - begin) * 1e6, len(row["prediction"].split())))
        short = [micros for micros, words in taken if words <= 20]
        print(
            f"{name}: median {statistics.median(short):.0f} µs for {len(short)} short answers, "
            f"{statistics.median(micros for micros, _ in taken):.0f} µs for all {len(taken)}"
        )


if __name__ == "__main__":
    main()
