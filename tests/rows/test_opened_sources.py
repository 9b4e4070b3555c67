"""What can be opened and what is refused."""

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

from karat.core.errors import UsageError
from karat.rows import open_source


def refuse(path: Path | str) -> str:
    with pytest.raises(UsageError) as caught:
        open_source(str(path))
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert refuse(tmp_path / "in.jsonl").endswith("in.jsonl: no such file")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").mkdir()
    assert refuse(tmp_path / "in.jsonl").endswith("is a folder, not a file")
    assert refuse(tmp_path).endswith("is a folder, not a file")


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "")

    (tmp_path / "in.jsonl").touch()
    # Root may read everything, so the refusal is staged.
    monkeypatch.setattr(Path, "open", deny)
    assert refuse(tmp_path / "in.jsonl").endswith("cannot be read: Permission denied")


def test_a_named_pipe_is_refused_with_the_remedy(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "in.jsonl")
    assert refuse(tmp_path / "in.jsonl").endswith("pipe it into karat as -")


@pytest.mark.parametrize(
    "name",
    [
        *("in", "in.txt", "in.gz", "in.parquet.gz", "in.jsonl.zip", ".jsonl", "a\nb.doc"),
        *("/dev/stdin", "/dev/fd/0", "/dev/null"),
    ],
)
def test_an_unknown_ending_is_refused_with_the_known_ones_and_the_pipe(name: str) -> None:
    known = ".jsonl .ndjson .json .csv .tsv (each also with .gz or .zst) and .parquet .xlsx .eval"
    assert refuse(name).endswith(f"unknown ending; karat knows {known}; text can be piped into karat as -")


def test_a_path_that_no_system_takes_is_refused() -> None:
    assert "no such file" in refuse("\0.jsonl")
    assert "cannot be read" in refuse("x" * 5000 + ".jsonl")


def test_a_file_that_vanishes_is_told(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.touch()
    source = open_source(str(path))
    path.unlink()
    with pytest.raises(UsageError, match="No such file"):
        source.find_columns({})
    with pytest.raises(UsageError, match="No such file"):
        source.digest()


def test_the_digest_knows_the_same_bytes_again(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"one")
    (tmp_path / "b.csv").write_bytes(b"one")
    (tmp_path / "c.csv").write_bytes(b"two")
    one, same, other = (open_source(str(tmp_path / name)).digest() for name in ("a.jsonl", "b.csv", "c.csv"))
    assert one == same != other
    assert len(bytes.fromhex(one)) == 16
