"""Wrong dates and numbers: how often a judge accepts them, on the references of human-judged sets.

python benchmarks/values.py --data DIR [--judge embedded] [--sets evouna_nq] [--show 20]

Every first reference that is a date or a number is changed by a step, by a magnitude or to another unit, and put into three
sentences. A changed value that equals another reference is left out.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from load import check_set

import judges
import karat
from karat.audit.probes import dates, numbers
from karat.core.types import Item, Verdict
from karat.text import normalise

SETS = ("evouna_nq", "evouna_tq", "efficientqa")
WORDINGS = ("{}", "It is {}.", "The answer is {}.")


def move(reference: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of values near a reference that differ from it."""
    date, amount = dates.parse_date(reference), numbers.parse_amount(reference)
    if date is not None:
        moved = [*dates.shift(date), *dates.shift_far(date)]
        yield from (("date", each.write()) for each in moved)
    elif amount is not None:
        yield from (("step", each.write()) for each in numbers.shift(amount))
        yield from (("magnitude", each.write()) for each in numbers.scale(amount))
        yield from (("unit", each.write()) for each in numbers.exchange(amount))


def probe(data: Path, name: str, split: str) -> Iterator[tuple[str, Item]]:
    """Make the probes of one part of a set, each question once."""
    asked = set[str | None]()
    for row in judges.read_rows(data, name, split):
        item = row.item
        if item.question in asked:
            continue
        asked.add(item.question)
        for kind, text in move(item.references[0]):
            if any(normalise(text) == normalise(reference) for reference in item.references):
                continue
            for wording in WORDINGS:
                yield kind, Item(item.question, item.references, wording.format(text))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True, help="folder of NAME.SPLIT.jsonl.gz")
    asked.add_argument("--sets", nargs="*", default=list(SETS))
    asked.add_argument("--splits", nargs="*", default=["train", "dev"], choices=("train", "dev", "test"))
    asked.add_argument("--judge", default="embedded")
    asked.add_argument("--show", type=int, default=0, help="accepted ones to print of each set")
    given = asked.parse_args()
    print("| set | kind | accepted | undecided | of |\n|---|---|---|---|---|")
    for name in given.sets:
        probes: list[tuple[str, Item]] = []
        for split in given.splits:
            check_set(given.data, name, split)
            probes += probe(given.data, name, split)
        counts, shown = Counter[tuple[str, str]](), list[str]()
        outcomes = karat.grade([item for _, item in probes], judge=given.judge) if probes else []
        for (kind, item), outcome in zip(probes, outcomes, strict=True):
            counts[kind, "of"] += 1
            if not isinstance(outcome, Verdict):
                counts[kind, "undecided"] += 1
            elif outcome.value:
                counts[kind, "accepted"] += 1
                shown.append(
                    f"  {item.question!r} {item.references[:3]} {item.answer!r} by {outcome.decided_by}"
                )
        for kind in ("date", "step", "magnitude", "unit"):
            print(
                f"| {name} | {kind} | {counts[kind, 'accepted']} | {counts[kind, 'undecided']} | {counts[kind, 'of']} |"
            )
        print(*shown[: given.show], sep="\n", end="\n" if shown[: given.show] else "")


if __name__ == "__main__":
    main()
