"""SQLite behind two locks, one for reading and one for writing, and one thread that writes in batches, durably."""

import sqlite3
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Any, Self

from karat.core.errors import SetupError, UsageError
from karat.store.migrations import migrate
from karat.store.transaction import transaction

Work = Callable[[sqlite3.Connection], None]
Entry = tuple[Work, Future[None] | None]
_PAUSE = 0.015  # seconds between two commits; what comes meanwhile shares the next one
_PATIENCE = 60  # seconds for another process to let go of the file


class Database:
    """A database file, or one in memory where `path` is None."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self._lock = RLock()
        self._connection = _connect(path)
        # A reader of its own does not wait for the disk; a database in memory has one connection only.
        self._reader = self._connection if path is None else _connect(path)
        self._reading = self._lock if path is None else RLock()
        self._queue: SimpleQueue[Entry | None] = SimpleQueue()
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is waiting, then let go of the file."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None
        self._reader.close()
        self._connection.close()

    def read(self, sql: str, *values: Any) -> list[Any]:  # noqa: ANN401 - what SQLite holds
        """Fetch the rows of a query."""
        with self._reading:
            try:
                return self._reader.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise self._explain(error, "read") from error

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Write now, all or nothing."""
        with self._lock:
            try:
                with transaction(self._connection):
                    yield self._connection
            except sqlite3.Error as error:
                raise self._explain(error, "write to") from error

    def _explain(self, error: sqlite3.Error, what: str) -> SetupError:
        return SetupError(f"cannot {what} the store {self.path}: {error}")

    def write(self, work: Work) -> Future[None]:
        """Have the writer do this after all that was asked before; done means on disk."""
        future: Future[None] = Future()
        future.set_running_or_notify_cancel()  # whoever stops waiting for it does not stop the writing
        self._put((work, future))
        return future

    def write_unwatched(self, work: Work) -> None:
        """Have the writer do this after all that was asked before, for one who does not wait for it."""
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
        except Exception as error:  # noqa: BLE001 - handed on to those who wait
            if len(batch) == 1 or isinstance(error, SetupError):
                for _, future in batch:
                    if future:
                        future.set_exception(error)
            else:  # one of them holds what cannot be stored; the others are none the worse for it
                for entry in batch:
                    self._write_batch([entry])
        else:
            for _, future in batch:
                if future:
                    future.set_result(None)


def _connect(path: str | None) -> sqlite3.Connection:
    try:
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            path or ":memory:", isolation_level=None, check_same_thread=False, timeout=_PATIENCE
        )
    except (sqlite3.Error, OSError) as error:
        raise _cannot_open(path, error) from error
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: str | None) -> None:
    try:
        _keep_journal(connection)
        for setting in ("synchronous=FULL", "cache_size=-32000"):
            connection.execute(f"PRAGMA {setting}")
        known = migrate(connection)
    except sqlite3.Error as error:
        raise _cannot_open(path, error) from error
    if not known:
        raise SetupError(
            f"the store {path} was written by a newer karat; upgrade karat or choose another with --store"
        )


def _keep_journal(connection: sqlite3.Connection) -> None:
    """Turn the write-ahead journal on; where another process is about to write SQLite does not wait for it by itself."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _cannot_open(path: str | None, error: Exception) -> UsageError:
    return UsageError(f"cannot open the store {path}: {error}; choose another with --store")
