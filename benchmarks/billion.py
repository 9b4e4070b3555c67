"""What a billion rows would take, projected from `karat grade --on ray --dry-run` on ten thousand: docs/measurements/billion.md.

Run it with `python benchmarks/billion.py`; nothing is sent to any endpoint.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from child import describe_machine, measure
from page import MEASUREMENTS, write_part

from on_ray import START, write_rows

ROWS, BILLION = 10_000, 1_000_000_000
CORES = 256
MODEL = "openai:gpt-5-nano"
CALLS_PER_SECOND = 500


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    machine = describe_machine()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_rows(place / "rows.parquet", ROWS)
        free = {judge: forecast(place, "--judge", judge) for judge in ("rules", "embedded")}
        paid = forecast(place, "--judge", MODEL, "--items-per-prompt", "8")
        run(place, "--judge", "rules", "-o", "verdicts")
        written = sum(file.stat().st_size for file in (place / "verdicts").glob("*.parquet"))
        read = (place / "rows.parquet").stat().st_size
    head = f"By `python benchmarks/billion.py` on {time.strftime('%Y-%m-%d')}; {machine}.\n\n"
    told = head + draw(free, paid, read / ROWS, written / ROWS)
    print(told)
    write_part(MEASUREMENTS / "billion.md", "billion", told)


def run(place: Path, *options: str) -> str:
    """Grade the rows on a cluster of this machine's cores."""
    command: list[str | Path] = [
        sys.executable,
        "-c",
        START,
        "grade",
        "rows.parquet",
        "--on",
        "ray",
        "--json",
        *options,
    ]
    return measure(command, folder=place, env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}).said


def forecast(place: Path, *options: str) -> dict[str, Any]:
    return json.loads(run(place, "--dry-run", *options))


def draw(free: dict[str, dict[str, Any]], paid: dict[str, Any], read: float, written: float) -> str:
    """The measured figures, and what follows from them."""
    lines = ["| measured on 10,000 rows | |", "|---|---|"]
    rates = {judge: found["rows_per_second"] / found["actors"] for judge, found in free.items()}
    lines += [
        f"| rows per core-second, `{judge}`, read and written | {rate:,.0f} |"
        for judge, rate in rates.items()
    ]
    million = 1_000_000 / ROWS
    cost = paid["cost_usd"]["expected"] * million
    lines += [
        f"| bytes per row as JSON, as Parquet in, as Parquet out | {paid['bytes_per_row']:,}, {read:,.0f}, {written:,.0f} |",
        f"| `{MODEL}`, 8 items per prompt: calls per million rows | {paid['calls']['expected'] * million:,.0f} |",
        f"| tokens in and out per million rows, estimated | {paid['input_tokens']['expected'] * million / 1e6:,.0f} M, {paid['output_tokens']['expected'] * million / 1e6:,.0f} M |",
        f"| cost per million rows, at list price without prefix caches | ${cost:,.2f} |",
        "",
        f"| projected for a billion rows | core-hours | hours on {CORES} cores | cost of calls |",
        "|---|---|---|---|",
    ]
    for judge, rate in rates.items():
        hours = BILLION / rate / 3600
        lines.append(f"| `{judge}` | {hours:,.0f} | {hours / CORES:,.1f} | none |")
    calls = paid["calls"]["expected"] * BILLION / ROWS
    hours = calls / CALLS_PER_SECOND / 3600
    lines.append(
        f"| `{MODEL}`, {CALLS_PER_SECOND} calls/s | few | {hours:,.0f}, by the pace of calls | ${cost * 1000:,.0f} |"
    )
    size = f"{read * BILLION / 1e9:,.0f} GB read, {written * BILLION / 1e9:,.0f} GB written"
    return "\n".join(
        [
            *lines,
            "",
            f"The files of a billion such rows: {size}; {BILLION // 100_000:,} blocks of 100,000 rows.",
        ]
    )


if __name__ == "__main__":
    main()
