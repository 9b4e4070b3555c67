"""Choose from where on the first look may reject without the network, by groups of rows that were left out of the choice.

python -m training.first_look --data DIR [--before -1.81529] [--write]

The first look agrees with the network on a row if the row is accepted with it and without it, or neither. The bound lies `MARGIN`
below the lowest logit at which they disagree on any row of the other groups; what that comes to on the left-out group is
printed, and every verdict that is another than with the bound `--before` is listed with its label.
"""

import argparse
import json
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import inf
from operator import mul
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from msgspec import structs

from karat.core.types import Verdict
from karat.embedded import Reading, Texts, decide, network, read_card, read_texts
from karat.embedded.decide import decide_by_rules, decide_match, prepare_item
from karat.embedded.network import may_skip
from karat.stats import upper_bound
from training.confidence import Labelled, read_groups

MARGIN = 0.3
EVEN = 0.5
CARD = Path(__file__).parents[1] / "src/karat/embedded/weights/card.json"


class Look(NamedTuple):
    """The pairs of one row: the logit of the first look, infinite where it may not skip, and whether the network accepts; and the row's verdict with the bound before and without a first look."""

    pairs: tuple[tuple[float, bool], ...]
    before: bool | None
    read: bool | None

    def skips(self, bound: float) -> bool:
        return any(logit < bound for logit, _ in self.pairs)

    def disagrees(self, bound: float) -> bool:
        """Whether the network accepts a pair of the row, and none of those that it would still read."""
        return any(accepts for _, accepts in self.pairs) and not any(
            accepts and logit >= bound for logit, accepts in self.pairs
        )

    def allowed(self) -> float:
        """Up to which bound the first look agrees with the network on this row."""
        return max((logit for logit, accepts in self.pairs if accepts), default=inf)


def look(row: Labelled, before: float) -> Look | None:
    """Judge one row with and without the first look; None where rules decide."""
    if decide_by_rules(row.item, "match") is not None:
        return None
    item, glance, pairs = prepare_item(row.item), read_card().glance, list[tuple[float, bool]]()

    def read_all(texts: Texts) -> Reading:
        texts = texts.focus()
        features = texts.measure()
        [found] = read_texts([texts])
        logit = sum(map(mul, glance.weights, features), glance.bias) if may_skip(features) else inf
        pairs.append((logit, found.match >= EVEN))
        return Reading(0.0, features, read=True)  # so that the next pair is read too

    def read_each(texts: Texts) -> Reading:
        [found] = read_texts([texts])
        return Reading(found.match, (), read=True)

    with patch.object(decide, "read_match", read_all):
        decide_match(item)
    with patch.object(decide, "read_match", read_each):
        read = value(decide_match(item)[0])
    card = structs.replace(read_card(), glance=structs.replace(glance, bound=before))
    with patch.object(network, "read_card", lambda: card):
        return Look(tuple(pairs), value(decide_match(item)[0]), read)


def value(outcome: object) -> bool | None:
    return bool(outcome.value) if isinstance(outcome, Verdict) else None


def choose_bound(looks: Sequence[Look]) -> float:
    """Return the bound that these rows allow."""
    return round(min(each.allowed() for each in looks) - MARGIN, 3)


def main(data: Path, before: float, *, write: bool) -> None:
    groups = read_groups(data)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = pool.map(
            partial(look, before=before), (row for rows in groups.values() for row in rows), chunksize=50
        )
        looks = {
            group: [(row, each) for row, each in zip(rows, found, strict=False) if each is not None]
            for group, rows in groups.items()
        }
    print("| left-out group | bound by the others | rows skipped | network accepts |\n|---|---|---|---|")
    totals: dict[str, list[int]] = {}
    for (name, kind), rows in looks.items():
        others = [each for group, some in looks.items() if group != (name, kind) for _, each in some]
        bound = choose_bound(others)
        skipped = [each for _, each in rows if each.skips(bound)]
        wrong = sum(each.disagrees(bound) for each in skipped)
        total = totals.setdefault(kind, [0, 0])
        total[0], total[1] = total[0] + len(skipped), total[1] + wrong
        print(f"| {name} ({kind}) | {bound} | {len(skipped)} | {wrong} |")
    for kind, (skipped, wrong) in totals.items():
        print(
            f"| **all {kind}** | | {skipped} | {wrong} (at most {100 * upper_bound(wrong, skipped):.2f} %) |"
        )
    bound = choose_bound([each for rows in looks.values() for _, each in rows])
    print(
        f"\nbound {before} before, {bound} now; verdicts that change where the first look no longer decides:\n"
    )
    print("| group | question | references | answer | before | now | label |\n|---|---|---|---|---|---|---|")
    for (name, _), rows in looks.items():
        for row, each in rows:
            if each.before != each.read and not each.skips(bound):
                texts = (row.item.question or "", " / ".join(row.item.references), row.item.answer)
                print(
                    f"| {name} | {' | '.join(shorten(text) for text in texts)} | {each.before} | {each.read} | {row.label} |"
                )
    if write:
        card = json.loads(CARD.read_text(encoding="utf-8"))
        card["glance"]["bound"] = bound
        CARD.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def shorten(text: str, most: int = 100) -> str:
    plain = " ".join(text.replace("|", "/").split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True, help="folder of the labelled rows")
    asked.add_argument(
        "--write", action="store_true", help="write the bound into the card beside the weights"
    )
    asked.add_argument("--before", type=float, default=-1.81529, help="the bound to list changes against")
    given = asked.parse_args()
    main(given.data, given.before, write=given.write)
