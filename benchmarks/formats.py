"""Time per row, per megabyte and peak memory of reading: plain JSONL against nested JSONL, a format of a peer and JSON arrays.

Rows are made in a temporary folder. Only reading is measured: the columns are found, and every row becomes an item.
Each file is held against plain JSONL: nested rows may take twice as long for each row, an array or a peer's file twice as long
for each megabyte, and memory may not grow with the file. Run it with `make bench-formats`, or
`python benchmarks/formats.py`; `--rows` are the rows of
the JSONL files, `--megabytes` the size of the large array.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from child import Cost, describe_machine, measure
from million import make_row

MOST_TIMES: Final = 2.0
MOST_MB: Final = 150
READ: Final = """
import sys
from karat.rows import Row, open_source
with open_source(sys.argv[1]) as source:
    layout = source.find_layout({})
    print(sum(isinstance(row, Row) for row in source.rows(layout.columns)))
"""
Make = Callable[[int], dict[str, Any]]


class Read(NamedTuple):
    name: str
    rows: int
    megabytes: float
    cost: Cost

    @property
    def per_row(self) -> float:
        """CPU microseconds per row, start-up included."""
        return self.cost.cpu / self.rows * 1e6

    @property
    def per_megabyte(self) -> float:
        """CPU milliseconds per megabyte, start-up included."""
        return self.cost.cpu / self.megabytes * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of each JSONL file")
    parser.add_argument("--megabytes", type=int, default=500, help="size of the large array")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(read_all(Path(folder), args.rows, args.megabytes))
    print(f"{describe_machine()}; rows and megabytes against plain JSONL")
    print(draw_table(found))
    sys.exit("\n".join(list_missed(found)) or 0)


def read_all(folder: Path, rows: int, megabytes: int) -> Iterator[Read]:
    """Make each file, read it and remove it."""
    for name, make in (
        ("plain JSONL", make_plain),
        ("nested JSONL, item and sample", make_nested),
        ("nested JSONL, three levels", make_deep),
        ("promptfoo results as JSONL", make_result),
    ):
        yield read(folder / "in.jsonl", name, lambda file, make=make: write_lines(file, make, rows))
    for size in (max(1, megabytes // 10), megabytes):
        for name, indent in (("JSON array", None), ("JSON array, indented", 1)):
            yield read(
                folder / "in.json",
                f"{name}, {size} MB",
                lambda file, indent=indent, size=size: write_array(file, make_plain, size, indent),
            )


def read(path: Path, name: str, write: Callable[[TextIO], int]) -> Read:
    with path.open("w", encoding="utf-8") as file:
        rows = write(file)
    megabytes = path.stat().st_size / 1e6
    cost = measure([sys.executable, "-c", READ, path], folder=path.parent, env=dict(os.environ))
    path.unlink()
    if int(cost.said) != rows:
        raise RuntimeError(f"{name}: {cost.said.strip()} of {rows} rows came out")
    print(f"{name}: {rows:,} rows, {cost.wall:.1f} s, {cost.peak_mb:.0f} MB", file=sys.stderr, flush=True)
    return Read(name, rows, megabytes, cost)


def write_lines(file: TextIO, make: Make, rows: int) -> int:
    file.writelines(json.dumps(make(number)) + "\n" for number in range(rows))
    return rows


def write_array(file: TextIO, make: Make, megabytes: int, indent: int | None) -> int:
    file.write("[")
    for number in count():
        if file.tell() >= megabytes * 1_000_000:
            file.write("]\n")
            return number
        file.write(
            ("," if number else "") + ("\n" if indent else " ") + json.dumps(make(number), indent=indent)
        )
    raise AssertionError


def make_plain(number: int) -> dict[str, Any]:
    return {"id": f"r{number}", **make_row(number)}


def make_nested(number: int) -> dict[str, Any]:
    row = make_row(number)
    return {
        "id": f"r{number}",
        "item": {"question": row["question"], "references": row["references"]},
        "sample": {"output_text": row["answer"]},
    }


def make_deep(number: int) -> dict[str, Any]:
    row = make_row(number)
    return {
        "id": f"r{number}",
        "item": {"input": {"question": row["question"]}, "expected": {"answer": row["references"]}},
        "sample": {"output": {"text": row["answer"]}},
    }


def make_result(number: int) -> dict[str, Any]:
    row = make_row(number)
    fields = {"question": row["question"], "reference": row["references"]}
    return {
        "promptIdx": 0, "testIdx": number, "vars": fields, "testCase": {"vars": fields, "assert": []},
        "provider": {"id": "model-a", "label": ""}, "response": {"output": row["answer"]}, "success": True, "score": 1,
    }  # fmt: skip


def draw_table(found: list[Read]) -> str:
    plain = found[0]
    head = (
        "| file | rows | MB | CPU s | µs per row | ms per MB | times per row | times per MB | peak MB |\n"
        "|---|---|---|---|---|---|---|---|---|"
    )
    lines = [
        f"| {one.name} | {one.rows:,} | {one.megabytes:.0f} | {one.cost.cpu:.1f} | {one.per_row:.1f} "
        f"| {one.per_megabyte:.1f} | {one.per_row / plain.per_row:.2f} | {one.per_megabyte / plain.per_megabyte:.2f} "
        f"| {one.cost.peak_mb:.0f} |"
        for one in found
    ]
    return "\n".join([head, *lines])


def list_missed(found: list[Read]) -> Iterator[str]:
    """Name each file that is read too slowly or with too much memory."""
    plain = found[0]
    for one in found:
        if "nested" in one.name and one.per_row > MOST_TIMES * plain.per_row:
            yield f"{one.name}: {one.per_row / plain.per_row:.2f} times plain JSONL per row"
        if "nested" not in one.name and one.per_megabyte > MOST_TIMES * plain.per_megabyte:
            yield f"{one.name}: {one.per_megabyte / plain.per_megabyte:.2f} times plain JSONL per MB"
        if one.cost.peak_mb > MOST_MB:
            yield f"{one.name}: {one.cost.peak_mb:.0f} MB"


if __name__ == "__main__":
    main()
