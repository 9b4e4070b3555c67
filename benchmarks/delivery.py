"""How often the verdict changes when an answer has sources, JSON, reasoning, tokens or notes around it.

python benchmarks/delivery.py --data DIR [--part sixth] [--rows 20] [--errors 10]

The forms are model-written (benchmarks/data/README.md). The first five parts were used for development; the sixth is held out.
"""

import argparse
import random
from collections import Counter, defaultdict
from pathlib import Path

from load import FORMS, check_set, read_forms

import judges
import karat
from karat.core.types import Item, Verdict

SETS = ("evouna_nq", "evouna_tq")
LONGEST = 160
AWKWARD = frozenset("\"'\\\n\t{}<>[]|`*_")


def draw_bare(data: Path, split: str) -> dict[bool, list[Item]]:
    """Draw brief answers whose verdict agrees with the label, by label; none has a character that would break a form."""
    found: dict[bool, list[Item]] = {True: [], False: []}
    for name in SETS:
        check_set(data, name, split)
        rows = [
            row
            for row in judges.read_rows(data, name, split)
            if row.label is not None
            and len(row.item.answer) <= LONGEST
            and AWKWARD.isdisjoint(row.item.answer + (row.item.question or ""))
            and not row.item.answer.rstrip(".")[-1:].isdigit()
        ]
        for row, outcome in zip(rows, karat.grade([row.item for row in rows]), strict=True):
            if isinstance(outcome, Verdict) and outcome.value is bool(row.label):
                found[bool(row.label)].append(row.item)
    return found


def fill(form: str, item: Item) -> Item:
    """Return the item with its answer in a form."""
    answer = form.replace("{q}", item.question or "").replace("{a}", item.answer)
    return Item(item.question, item.references, answer)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True, help="folder of NAME.SPLIT.jsonl.gz")
    asked.add_argument("--part", choices=FORMS, default="sixth")
    asked.add_argument("--split", choices=("train", "dev", "test"), default="dev")
    asked.add_argument("--judge", choices=("embedded", "rules"), default="embedded")
    asked.add_argument("--rows", type=int, default=20, help="right answers, and wrong ones, in each form")
    asked.add_argument("--errors", type=int, default=0, help="forms to print in which most fails")
    given = asked.parse_args()
    bare, chance = draw_bare(given.data, given.split), random.Random(1)
    counts: dict[str, Counter[tuple[bool, bool | None]]] = defaultdict(Counter)
    failed = Counter[str]()
    for kind, form in read_forms(given.part):
        for label, items in bare.items():
            drawn = [fill(form, item) for item in chance.sample(items, min(given.rows, len(items)))]
            for outcome in karat.grade(drawn, judge=given.judge):
                value = outcome.value if isinstance(outcome, Verdict) else None
                counts[kind][label, None if value is None else bool(value)] += 1
                failed[form] += value is not label
    print(
        f"{given.part} forms, {given.split} parts, {given.judge}: the bare answers are judged as people did\n"
    )
    print(
        "| kind | right ones | accepted | rejected | undecided | wrong ones | accepted |\n|---|---|---|---|---|---|---|"
    )
    total = sum(counts.values(), Counter[tuple[bool, bool | None]]())
    for kind, count in [*sorted(counts.items()), ("**all**", total)]:
        right = sum(count[True, value] for value in (True, False, None))
        wrong = sum(count[False, value] for value in (True, False, None))
        cells = [f"{count[True, value] / right:.1%}" for value in (True, False, None)]
        print(f"| {kind} | {right:,} | {' | '.join(cells)} | {wrong:,} | {count[False, True] / wrong:.1%} |")
    for form, count in failed.most_common(given.errors):
        print(f"{count:3} {form!r}")


if __name__ == "__main__":
    main()
