"""Human-judged answers that the embedded judge leaves undecided: how many are right and wrong, by the reason of the judge.

python benchmarks/undecided.py --data DIR [--splits train dev] [--sets evouna_nq evouna_tq] [--show 20]
"""

import argparse
from collections import Counter
from pathlib import Path

from load import check_set

import judges
import karat
from karat.core.types import Verdict

SETS = ("evouna_nq", "evouna_tq", "efficientqa", "beetle", "scientsbank")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True, help="folder of NAME.SPLIT.jsonl.gz")
    asked.add_argument("--sets", nargs="*", default=list(SETS))
    asked.add_argument("--splits", nargs="*", default=["train", "dev"], choices=("train", "dev"))
    asked.add_argument("--show", type=int, default=0, help="right answers to print of each set")
    given = asked.parse_args()
    print("| set | why it is undecided | right | wrong |\n|---|---|---|---|")
    for name in given.sets:
        counts, shown = Counter[tuple[str, bool]](), list[str]()
        for split in given.splits:
            check_set(given.data, name, split)
            rows = [row for row in judges.read_rows(given.data, name, split) if row.label is not None]
            for row, outcome in zip(rows, karat.grade([row.item for row in rows]), strict=True):
                if isinstance(outcome, Verdict):
                    continue
                counts[outcome.reason or "", bool(row.label)] += 1
                if row.label:
                    shown.append(
                        f"  {outcome.reason}\n    {row.item.question} {row.item.references[:3]}\n    {row.item.answer!r}"
                    )
        for reason in sorted({reason for reason, _ in counts}):
            print(f"| {name} | {reason} | {counts[reason, True]} | {counts[reason, False]} |", flush=True)
        print("\n".join(shown[: given.show]), end="\n" if shown[: given.show] else "")


if __name__ == "__main__":
    main()
