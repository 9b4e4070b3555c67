"""One SQLite connection behind one lock, and one thread that writes in batches, durably."""

import sqlite3
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Any, Self

from karat.core.errors import SetupError, UsageError
from karat.store.migrations import MIGRATIONS, migrate

Work = Callable[[sqlite3.Connection], None]


class Database:
    """A database file, or one in memory where `path` is None."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self._lock = RLock()
        self._connection = _connect(path)
        self._queue: SimpleQueue[tuple[Work, Future[None]] | None] = SimpleQueue()
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
        self._connection.close()

    def read(self, sql: str, *values: Any) -> list[Any]:  # noqa: ANN401 - what SQLite holds
        """Fetch the rows of a query."""
        with self._lock:
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Write now, all or nothing."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def write(self, work: Work) -> Future[None]:
        """Have the writer do this after all that was asked before; done means on disk."""
        if self._thread is None:
            self._thread = Thread(target=self._write_batches, name="karat-writer", daemon=True)
            self._thread.start()
        future: Future[None] = Future()
        self._queue.put((work, future))
        return future

    def _write_batches(self) -> None:
        while True:
            batch = [self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get())
            self._write_batch([entry for entry in batch if entry is not None])
            if None in batch:
                return

    def _write_batch(self, batch: list[tuple[Work, Future[None]]]) -> None:
        try:
            with self.transaction() as connection:
                for work, _ in batch:
                    work(connection)
        except sqlite3.Error as error:
            for _, future in batch:
                future.set_exception(SetupError(f"cannot write to the store {self.path}: {error}"))
        else:
            for _, future in batch:
                future.set_result(None)


def _connect(path: str | None) -> sqlite3.Connection:
    try:
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            path or ":memory:", isolation_level=None, check_same_thread=False, timeout=60
        )
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute("PRAGMA cache_size=-32000")
        migrate(connection)
    except (sqlite3.Error, OSError) as error:
        raise UsageError(f"cannot open the store {path}: {error}; choose another with --store") from error
    _refuse_newer(connection, path)
    return connection


def _refuse_newer(connection: sqlite3.Connection, path: str | None) -> None:
    known = {name for name, _ in MIGRATIONS}
    if any(name not in known for (name,) in connection.execute("SELECT name FROM migrations")):
        connection.close()
        raise SetupError(
            f"the store {path} was written by a newer karat; upgrade karat or choose another with --store"
        )
