"""Memory does not grow with the input."""

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from karat.rows import Columns, open_sink, open_source

COLUMNS = Columns("reference", "answer", "question")
FIELDS = ["question", "reference", "answer"]
MEGABYTE = 2**20


def measure(work: Callable[[], object]) -> float:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / MEGABYTE
    finally:
        tracemalloc.stop()


def save(path: Path, rows: int) -> None:
    with open_sink(str(path), FIELDS) as sink:
        for number in range(rows):
            sink.write({"question": f"Question {number}?", "reference": "R" * 200, "answer": "A" * 200})


def count(path: Path) -> int:
    with open_source(str(path)) as source:
        return sum(1 for _ in source.rows(source.find_columns({})))


def test_reading_60_000_rows_stays_bounded(tmp_path: Path) -> None:
    save(tmp_path / "many.jsonl", 60_000)
    assert measure(lambda: count(tmp_path / "many.jsonl")) < 8


@pytest.mark.parametrize("ending", ["jsonl", "csv", "jsonl.gz", "parquet"])
def test_every_format_is_read_and_written_in_less_memory_than_its_text_has(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"many.{ending}"
    save(path, 1)
    count(path)
    assert measure(lambda: save(path, 40_000)) < 10
    assert measure(lambda: count(path)) < 10


@pytest.mark.parametrize(("ending", "header"), [("jsonl", b""), ("csv", b"reference,answer\n")])
def test_a_line_of_50_mb_never_needs_50_mb(tmp_path: Path, ending: str, header: bytes) -> None:
    path = tmp_path / f"long.{ending}"
    path.write_bytes(header + b"x" * (50 * MEGABYTE))
    assert measure(lambda: list(open_source(str(path)).rows(COLUMNS))) < 40


def test_a_process_that_reads_a_parquet_file_of_one_row_group_stays_bounded(tmp_path: Path) -> None:
    """What pyarrow holds is seen only from outside: the peak may not grow by what the file holds."""
    script = """
import resource, sys
import os, pyarrow as pa, pyarrow.parquet as pq
from karat.rows import Columns, open_source
rows, path = int(sys.argv[1]), sys.argv[2]
if os.fork() == 0:
    words = [os.urandom(500).hex() for _ in range(rows)]
    pq.write_table(pa.table({"reference": words, "answer": words}), path, row_group_size=rows)
    os._exit(0)
os.wait()
assert sum(1 for _ in open_source(path).rows(Columns("reference", "answer"))) == rows
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""

    def peak(rows: int) -> int:
        command = [sys.executable, "-c", script, str(rows), str(tmp_path / "one.parquet")]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    assert peak(100_000) - peak(1_000) < 100


def test_importing_rows_does_not_import_pyarrow() -> None:
    command = "import sys, karat.rows; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0
