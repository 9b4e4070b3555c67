"""Rows per second and the driver's memory: `karat grade` here against `--on ray`, on the same cores.

Rows are those of benchmarks/million.py, in Parquet files with row groups of 10,000, judged by the rules. The rate is
the slope between the two sizes, so that start-up does not count. Run it with `make bench-ray`, or
`python benchmarks/on_ray.py`; `--rows` is the larger size, the smaller one is a tenth of it.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from child import Cost, describe_machine, measure
from million import make_row
from page import MEASUREMENTS, write_part

START = "from karat.cli import main; main()"
GROUP = 10_000
LEAST_SHARE = 0.8
MOST_MB = 1024


class Measured(NamedTuple):
    path: str
    rows: int
    cost: Cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="the larger size")
    parser.add_argument("--judge", default="rules", help="a judge that costs nothing")
    parser.add_argument("--dry", action="store_true", help="print the table and leave the page as it is")
    args = parser.parse_args()
    machine = describe_machine()
    with tempfile.TemporaryDirectory() as folder:
        found = list(measure_all(Path(folder), args.rows, args.judge))
    rates = {path: slope([each for each in found if each.path == path]) for path in ("here", "on Ray")}
    table = draw_table(found, rates)
    told = f"By `{command()}` on {time.strftime('%Y-%m-%d')}; {machine} before, {os.getloadavg()[0]:.1f} after.\n\n{table}"
    print(told)
    if not args.dry:
        write_part(MEASUREMENTS / "speed.md", "ray", told)
    share = rates["on Ray"] / rates["here"]
    peak = max(each.cost.peak_mb for each in found if each.path == "on Ray")
    print(f"Ray has {100 * share:.0f} % of the local rate; its driver takes {peak:.0f} MB at most")
    sys.exit(0 if share >= LEAST_SHARE and peak <= MOST_MB else 1)


def command() -> str:
    return " ".join(["python benchmarks/on_ray.py", *sys.argv[1:]])


def measure_all(folder: Path, most: int, judge: str) -> Iterator[Measured]:
    """Take both sizes through both paths."""
    for size in (most // 10, most):
        rows = folder / f"{size}.parquet"
        write_rows(rows, size)
        for path, options in (
            ("here", ["--store", "karat.db", "-o", "verdicts.parquet"]),
            ("on Ray", ["--on", "ray", "-o", "verdicts"]),
        ):
            yield grade(path, rows, size, ["--judge", judge, *options])


def grade(path: str, rows: Path, size: int, options: list[str]) -> Measured:
    """Grade a file from an empty folder by the command line."""
    command: list[str | Path] = [sys.executable, "-c", START, "grade", rows, "--json", *options]
    with tempfile.TemporaryDirectory(dir=rows.parent) as folder:
        cost = measure(command, folder=Path(folder), env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"})
    counted = json.loads(cost.said)["rows"]
    if counted != size:
        raise RuntimeError(f"{counted} of {size} rows came out")
    print(f"{path}, {size:,} rows: {cost.wall:.1f} s, {cost.peak_mb:.0f} MB", file=sys.stderr, flush=True)
    return Measured(path, size, cost._replace(said=""))


def write_rows(path: Path, size: int) -> None:
    """Write rows group by group; every tenth repeats the one before."""
    writer: Any = None
    for start in range(0, size, GROUP):
        made = [make_row(at - at % 10 // 9) for at in range(start, min(start + GROUP, size))]
        table: Any = pa.Table.from_pylist(made)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=GROUP)
    writer.close()


def slope(found: list[Measured]) -> float:
    """Rows per second once running: what the larger size took more."""
    small, large = found
    return (large.rows - small.rows) / (large.cost.wall - small.cost.wall)


def draw_table(found: list[Measured], rates: dict[str, float]) -> str:
    head = "| where | rows | wall, s | driver's peak RSS, MB | rows/s once running | of local |\n|---|---|---|---|---|---|"
    lines = list[str]()
    for each in sorted(found, key=lambda each: each.path):
        last = each.rows == max(one.rows for one in found)
        rate = f"{rates[each.path]:,.0f} | {100 * rates[each.path] / rates['here']:.0f} %" if last else "|"
        lines.append(
            f"| {each.path} | {each.rows:,} | {each.cost.wall:.1f} | {each.cost.peak_mb:.0f} | {rate} |"
        )
    return "\n".join([head, *lines])


if __name__ == "__main__":
    main()
