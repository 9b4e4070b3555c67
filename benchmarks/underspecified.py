"""Under-specified answers and their exact twins, made from human-labelled data, as rows that `karat grade` reads.

python benchmarks/underspecified.py --data DIR > underspecified.jsonl
python benchmarks/prompts.py --data DIR --judge URL#MODEL --sets underspecified --prompts first specific
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from prompting.labelled import MADE, read_set


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of NAME.SPLIT.jsonl.gz")
    parser.add_argument("--split", choices=("train", "dev", "test"), default="dev")
    parser.add_argument("--count", action="store_true", help="say how many there are of each kind instead")
    args = parser.parse_args()
    rows = read_set(args.data, MADE, args.split, "match")
    if args.count:
        for kind, count in Counter(row.id.partition("/")[0] for row in rows).items():
            print(f"{kind}: {count}")
        return
    for row in rows:
        item = row.item
        fields = {"question": item.question, "references": item.references, "answer": item.answer}
        print(json.dumps({"id": row.id, **fields, "label": bool(row.truth)}, ensure_ascii=False))


if __name__ == "__main__":
    main()
