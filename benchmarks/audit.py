"""Audits of judges on human-judged answers: how often each family of probes succeeds, as markdown tables.

python benchmarks/audit.py --data DIR --split test --judges rules embedded --kinds
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from load import check_set, read_set

import karat
from karat.audit.rates import Audit, Rate
from karat.stats import Estimate

SETS = ("evouna_nq", "evouna_tq")


def read_items(data: Path, name: str, split: str) -> Iterator[dict[str, Any]]:
    check_set(data, name, split)
    for row in read_set(data, name, split):
        yield {
            "id": row["id"],
            "question": row["question"],
            "references": row["references"],
            "answer": row["prediction"],
            "label": row["label"],
        }


def show(rate: Rate | None) -> str:
    if rate is None or not isinstance(rate.rate, Estimate):
        return "–"
    return f"{100 * rate.rate.value:.2f} % [{100 * rate.rate.low:.2f}, {100 * rate.rate.high:.2f}]"


def compare(audits: list[Audit], *, kinds: bool) -> str:
    """One line for each family or kind: probes tried and without a verdict, and the share that succeeded, for every judge."""
    found = [{rate.name: rate for rate in (audit.kinds if kinds else audit.families)} for audit in audits]
    heads = [part for audit in audits for part in (f"{audit.judge}: succeeded [95 %]", "tried", "no verdict")]
    lines = [f"| {'kind' if kinds else 'family'} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for name in dict.fromkeys(name for rates in found for name in rates):
        cells = [name]
        for rates in found:
            rate = rates.get(name)
            cells += [
                show(rate),
                f"{rate.tried:,}" if rate else "–",
                f"{rate.no_verdict:,}" if rate else "–",
            ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def tell(audits: list[Audit], errors: int) -> None:
    for audit in audits:
        for example in audit.examples[: errors or None] if errors else ():
            print(
                f"  {audit.judge} {example.family}/{example.kind}: {example.question!r} {example.references[0]!r}"
            )
            print(f"    {example.answer!r} -> {example.value} by {example.decided_by}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of NAME.SPLIT.jsonl.gz")
    parser.add_argument("--split", choices=("train", "dev", "test"), default="dev")
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--judges", nargs="*", default=["rules"])
    parser.add_argument("--rows", type=int, default=500, help="questions of each set")
    parser.add_argument("--kinds", action="store_true", help="a second table with the kinds of each family")
    parser.add_argument("--errors", type=int, default=0, help="examples to print of what succeeded")
    parser.add_argument("--draw", type=int, default=0, help="which wordings are drawn")
    args = parser.parse_args()
    for name in args.sets:
        items = list(read_items(args.data, name, args.split))
        audits = [
            karat.audit_judge(judge, items=items, limit=args.rows, draw=args.draw) for judge in args.judges
        ]
        print(
            f"\n{name}.{args.split}, {audits[0].rows:,} questions, bank {audits[0].bank}, draw {args.draw}\n"
        )
        print(compare(audits, kinds=False))
        if args.kinds:
            print(f"\n{compare(audits, kinds=True)}")
        tell(audits, args.errors)


if __name__ == "__main__":
    main()
