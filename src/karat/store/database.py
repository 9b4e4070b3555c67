"""SQLite with one connection for reading, one for writing, and a thread that commits writes in batches."""

import os
import sqlite3
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Any, Self, TypeVar

import msgspec

from karat.core.errors import KaratError, StoreLostError
from karat.store.locks import transaction
from karat.store.opening import can_write, damaged, explain, open_for_reading, open_for_writing, read_only

Work = Callable[[sqlite3.Connection], None]
Entry = tuple[Work, Future[None] | None]
Shaped = TypeVar("Shaped")
_PAUSE = 0.015  # seconds between two commits; writes in between share the next one


class Database:
    """A database file, or one in memory if `path` is None; a read-only file can be read."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self._lock = RLock()
        self._can_write = path is None or can_write(path)
        if path is None or self._can_write:
            self._connection = open_for_writing(path)
        else:
            self._connection = open_for_reading(path)
        # A second connection for reading does not wait for writes; a database in memory has only one.
        alone = path is None or not self._can_write
        self._reader = self._connection if alone else open_for_writing(path)
        self._reading = self._lock if alone else RLock()
        self._place = None if path is None else Path(path).absolute()
        self._file = _identify(self._place)
        self._lost: StoreLostError | None = None
        self._queue: SimpleQueue[Entry | None] = SimpleQueue()
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is waiting, then close the file."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None
        self._reader.close()
        self._connection.close()

    def read(self, sql: str, *values: Any) -> list[Any]:  # noqa: ANN401 - what SQLite holds
        """Return the rows of a query."""
        with self._reading:
            try:
                return self._reader.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise explain(error, "read", self.path) from error

    def read_as(self, shape: Callable[[tuple[Any, ...]], Shaped], sql: str, *values: Any) -> list[Shaped]:  # noqa: ANN401 - as above
        """Return the rows of a query, each converted by `shape`; data that cannot be converted means that the store is damaged."""
        found = self.read(sql, *values)
        try:
            return [shape(fields) for fields in found]
        except (msgspec.MsgspecError, ValueError) as error:
            raise damaged(self.path, error) from error

    def check_rows(self, found: int, expected: int) -> None:
        """Raise if rows of a dataset, or their items, are missing."""
        if found != expected:
            raise damaged(self.path, ValueError(f"only {found:,} of {expected:,} rows exist"))

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Run a transaction; also check that the file is still at its path."""
        with self._lock:
            if not self._can_write:
                raise read_only(self.path)
            if self._lost:
                raise self._lost
            try:
                with transaction(self._connection):
                    yield self._connection
            except sqlite3.Error as error:
                raise explain(error, "write to", self.path) from error
            if self._place is not None and _identify(self._place) != self._file:
                self._lost = StoreLostError(self._save(self._place))
                raise self._lost

    def _save(self, place: Path) -> str:
        """Save the content of a file that was deleted while open, and return a message about it."""
        lost = f"the store {self.path} was deleted or replaced while karat was writing to it"
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            saved = _make_file(f"{place}.saved")
            with closing(sqlite3.connect(saved)) as copy:
                self._connection.backup(copy)
        except (sqlite3.Error, OSError) as error:
            return f"{lost}, and could not be saved: {error}"
        return f"{lost}; its content was saved to {saved}; move that file to {self.path} and run the same command again to continue"

    def write(self, work: Work) -> Future[None]:
        """Queue a write after all earlier ones; when the future is done it is on disk."""
        future: Future[None] = Future()
        future.set_running_or_notify_cancel()  # a caller that stops waiting must not cancel the write
        self._put((work, future))
        return future

    def write_unwatched(self, work: Work) -> None:
        """Queue a write after all earlier ones, without a future to wait for."""
        self._put((work, None))

    def _put(self, entry: Entry) -> None:
        if self._thread is None:
            self._thread = Thread(target=self._write_batches, name="karat-writer", daemon=True)
            self._thread.start()
        self._queue.put(entry)

    def _write_batches(self) -> None:
        written = 0.0
        while True:
            batch = [self._queue.get()]
            time.sleep(max(0.0, written + _PAUSE - time.monotonic()))
            while not self._queue.empty():
                batch.append(self._queue.get())
            self._write_batch([entry for entry in batch if entry is not None])
            if None in batch:
                return
            written = time.monotonic()

    def _write_batch(self, batch: list[Entry]) -> None:
        try:
            with self.transaction() as connection:
                for work, _ in batch:
                    work(connection)
        except Exception as error:  # noqa: BLE001 - passed on to the callers that wait
            if len(batch) == 1 or isinstance(error, KaratError):
                for _, future in batch:
                    if future:
                        future.set_exception(error)
            else:  # one of them cannot be stored; write them one by one
                for entry in batch:
                    self._write_batch([entry])
        else:
            for _, future in batch:
                if future:
                    future.set_result(None)


def _identify(place: Path | None) -> tuple[int, int] | None:
    """Return what distinguishes a file from another of the same name; None if there is none."""
    try:
        found = None if place is None else place.stat()
    except OSError:
        return None
    return None if found is None else (found.st_dev, found.st_ino)


def _make_file(name: str) -> str:
    """Create an empty file under this name, or under the first free name like it."""
    for number in count(1):
        path = name if number == 1 else f"{name}-{number}"
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
            return path
    raise AssertionError  # numbers do not end
