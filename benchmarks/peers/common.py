"""What the scripts of all peers share: rows in, a count of scores out."""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path

CONCURRENCY = 32
Row = dict[str, str]


async def limited(score: Callable[[Row], Awaitable[bool]], rows: list[Row]) -> list[bool]:
    """Score rows with a bound on how many are under way."""
    room = asyncio.Semaphore(CONCURRENCY)

    async def one(row: Row) -> bool:
        async with room:
            return await score(row)

    return await asyncio.gather(*(one(row) for row in rows))


def read_rows(path: Path) -> list[Row]:
    """Read rows; alternatives are joined, since peers take one reference."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        {"question": row["question"], "answer": row["answer"], "reference": " or ".join(row["references"])}
        for row in rows
    ]


def run(package: str, judge: Callable[[list[Row], str], int]) -> None:
    """Judge a file and print how many rows were scored by which version."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", type=Path)
    parser.add_argument("base_url")
    args = parser.parse_args()
    scored = judge(read_rows(args.rows), args.base_url)
    print(json.dumps({"scored": scored, "version": version(package)}))
