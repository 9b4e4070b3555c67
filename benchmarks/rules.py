"""How often the rules decide, and how often they are right, on human-judged answers.

python benchmarks/rules.py --data DIR --split test [--errors 5]
"""

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from load import check_set, read_set

from karat.core.types import Item
from karat.stats import Undefined, wilson
from karat.text import Ruling, apply_rules, check_gate, unwrap_answer

SETS = ("evouna_nq", "evouna_tq", "efficientqa", "beetle", "scientsbank", "saf_en")
HEAD = (
    "| set | rows | accepted | of those right | rejected | of those right | gated | of those right | µs a row |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def read_rows(data: Path, name: str, split: str) -> Iterator[tuple[Item, bool]]:
    check_set(data, name, split)
    for row in read_set(data, name, split):
        if row["label"] is not None:
            yield Item(row["question"], tuple(row["references"]), row["prediction"]), bool(row["label"])


def decide(item: Item) -> tuple[str, Ruling | None]:
    item = unwrap_answer(item)
    gated = check_gate(item)
    if gated is not None:
        return "gate", gated
    ruling = apply_rules(item)
    if ruling is None:
        return "none", None
    return ("accept" if ruling.accept else "reject"), ruling


def measure(name: str, rows: list[tuple[Item, bool]], errors: int) -> str:
    counts: dict[tuple[str, bool], int] = defaultdict(int)
    names: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    wrong: dict[str, list[Item]] = defaultdict(list)
    micros: list[float] = []
    for item, label in rows:
        begin = time.perf_counter()
        which, ruling = decide(item)
        micros.append((time.perf_counter() - begin) * 1e6)
        if ruling is not None:
            right = ruling.accept == label
            counts[which, right] += 1
            names[ruling.name][right] += 1
            if not right:
                wrong[ruling.name].append(item)
    show_details(names, wrong, errors)
    cells = " | ".join(show_share(counts, which, len(rows)) for which in ("accept", "reject", "gate"))
    return f"| {name} | {len(rows):,} | {cells} | {statistics.median(micros):.0f} |"


def show_share(counts: dict[tuple[str, bool], int], which: str, rows: int) -> str:
    right = counts[which, True]
    total = right + counts[which, False]
    estimate = wilson(right, total)
    if isinstance(estimate, Undefined):
        return f"{total / rows:.1%} | –"
    precision = f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{total / rows:.1%} | {precision}"


def show_details(names: dict[str, list[int]], wrong: dict[str, list[Item]], errors: int) -> None:
    if not errors:
        return
    for name, (bad, good) in sorted(names.items()):
        print(f"  {name}: {good} right, {bad} wrong")
        for item in wrong[name][:errors]:
            print(f"    {item.question!r}\n      {list(item.references)[:4]} <- {item.answer[:300]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of NAME.SPLIT.jsonl.gz")
    parser.add_argument("--split", choices=("train", "dev", "test"), default="dev")
    parser.add_argument("--errors", type=int, default=0, help="wrong decisions to print per rule")
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    args = parser.parse_args()
    lines = [measure(name, list(read_rows(args.data, name, args.split)), args.errors) for name in args.sets]
    print("\n".join([HEAD, *lines]))


if __name__ == "__main__":
    main()
