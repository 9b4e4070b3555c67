"""Prompts and batch sizes measured on human-labelled answers, with any judge behind an endpoint.

python benchmarks/prompts.py --data DIR --judge http://127.0.0.1:8870/v1#MODEL --prompts first specific
python benchmarks/prompts.py --data DIR --judge http://127.0.0.1:8870/v1#MODEL --curve --balance --rows 160

Every prompt is asked at every size: 8 items per prompt, 8x3 in three permuted passes, auto as the run's own check finds.
Stopped, the same command goes on: what was asked is in .cache/prompts/karat.db, what was said of each row in .cache/prompts/said,
and a table is made of everything that was measured in the same way, so that several short runs add up.
benchmarks/local_model.py serves a model to measure with.
"""

import argparse
import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from page import MEASUREMENTS, PICTURES, write_part
from prompting.labelled import SETS, Row, draw, read_set
from prompting.pages import curve_part, prompts_part
from prompting.running import Asking, measure
from prompting.said import Kept, Shelf
from prompting.variants import SHIPPED, Variant, find_wording, parse_seating

from karat.core.errors import KaratError
from karat.judges.request import known_protocol
from karat.models import parse_endpoint
from karat.store import Store

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "prompts"
LOG = Path(__file__).with_name("TESTED.md")
CURVE = ("1", "2", "4", "8", "16", "8x3", "auto")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of NAME.SPLIT.jsonl.gz")
    parser.add_argument(
        "--judge", required=True, help="openai:MODEL, anthropic:MODEL or http://host/v1#MODEL"
    )
    parser.add_argument("--protocol", default="match")
    parser.add_argument(
        "--prompts", nargs="+", default=[SHIPPED], help="shipped, a name from benchmarks/prompts, or a file"
    )
    parser.add_argument(
        "--sizes", nargs="+", help="items per prompt: 1, 8, 8x3 (permuted), auto; 1 unless given"
    )
    parser.add_argument(
        "--curve", action="store_true", help=f"sizes {' '.join(CURVE)}, for docs/measurements/batch-size.md"
    )
    parser.add_argument("--sets", nargs="+", help="also underspecified, which is made from dev data")
    parser.add_argument("--rows", type=int, default=150, help="of each set")
    parser.add_argument("--balance", action="store_true", help="draw right and wrong answers evenly")
    parser.add_argument("--split", choices=("train", "dev", "test"), default="dev")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--logprobs", action="store_true", help="ask for P(Yes) as well")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=600.0)
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--write", action="store_true", help="write the measured parts and pictures of docs")
    return parser.parse_args()


def main() -> None:
    args = read_arguments()
    try:
        print(asyncio.run(run(args)))
    except KaratError as error:
        sys.exit(f"prompts: {error}")
    except KeyboardInterrupt:
        sys.exit("prompts: interrupted; the same command goes on")


async def run(args: argparse.Namespace) -> str:
    """Measure every variant, keep what was said, and make the part of the page that it belongs to."""
    protocol = known_protocol(args.protocol)
    seatings = [parse_seating(size) for size in args.sizes or (CURVE if args.curve else ("1",))]
    wordings = [find_wording(prompt, protocol) for prompt in args.prompts]
    sets = [
        draw(read_set(args.data, name, args.split, protocol), args.rows, args.seed, balance=args.balance)
        for name in args.sets or SETS[protocol]
    ]
    asking = Asking(args.judge, args.concurrency, args.timeout, args.logprobs)
    shelf = Shelf(args.cache / "said")
    first: Kept | None = None
    args.cache.mkdir(parents=True, exist_ok=True)
    with Store(str(args.cache / "karat.db")) as store:
        for name, wording in wordings:
            for seating in seatings:
                variant = Variant(name, wording, seating)
                if args.split == "test":
                    log_test(args, variant, sets)
                measured = await measure(store, asking, variant, sets)
                kept = shelf.add(
                    Kept(
                        model_name(args.judge),
                        protocol,
                        name,
                        wording.version,
                        seating.name,
                        args.split,
                        args.seed,
                        args.balance,
                        datetime.now(UTC).date().isoformat(),
                        tuple(measured.said),
                        tuple(measured.check),
                    )
                )
                first = first or kept
    assert first is not None  # noqa: S101 - there is at least one prompt and one size
    folder = PICTURES if args.write else args.cache
    part = (curve_part if args.curve else prompts_part)(list(shelf), first, folder)
    if args.write:
        page, place = ("batch-size.md", "curve") if args.curve else ("prompts.md", protocol)
        write_part(MEASUREMENTS / page, place, part)
    return part


def model_name(judge: str) -> str:
    endpoint = parse_endpoint(judge, {})
    return judge if endpoint is None else endpoint.model


def log_test(args: argparse.Namespace, variant: Variant, sets: list[list[Row]]) -> None:
    """Note in benchmarks/TESTED.md that test rows are about to be seen, once for each variant and draw."""
    rows = ", ".join(f"{rows[0].set} {len(rows)}" for rows in sets)
    what = f"{model_name(args.judge)}, {variant.wording.protocol}, {variant}, version {variant.wording.version[:12]}, seed {args.seed}, {rows}"
    known = LOG.read_text(encoding="utf-8")
    if what not in known:
        LOG.write_text(f"{known}- {datetime.now(UTC):%Y-%m-%d %H:%M} UTC: {what}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
