"""Open the file of a store for writing, or for reading in a read-only place; another program's database is refused."""

import os
import sqlite3
import time
from pathlib import Path

from karat.core.errors import KaratError, SetupError, UsageError, option
from karat.store.migrations import find_missing, is_foreign, migrate

PAUSE = 0.015  # seconds between two tries
_PATIENCE = 60  # seconds to wait for the lock of another process
_COPY = "copy it to a writable folder, and name the copy with "


def can_write(path: str) -> bool:
    """Return whether a store can be changed or created at a path."""
    place = Path(path).resolve()
    return not place.exists() or (os.access(place, os.W_OK) and os.access(place.parent, os.W_OK))


def open_for_writing(path: str | None) -> sqlite3.Connection:
    """Open a store, migrate it, and create it if there is none; in memory without a path."""
    try:
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(path or ":memory:")
    except (sqlite3.Error, OSError) as error:
        raise explain(error, "open", path) from error
    try:
        _refuse_foreign(connection, path)
        _turn_on_journal(connection)
        for setting in ("synchronous=FULL", "cache_size=-32000"):
            connection.execute(f"PRAGMA {setting}")
        known = migrate(connection)
    except sqlite3.Error as error:
        connection.close()
        raise explain(error, "open", path) from error
    except BaseException:
        connection.close()
        raise
    if not known:
        connection.close()
        raise _newer(path)
    return connection


def open_for_reading(path: str) -> sqlite3.Connection:
    """Open a store in a read-only place; it has to be up to date.

    SQLite cannot read a write-ahead journal there. If there is no journal and no process has the store open, the
    file is opened as immutable. Otherwise the journal may contain verdicts, and the store is refused.
    """
    place = Path(path).resolve()
    left = _has_journal(place)
    connection = None
    try:
        connection = _connect(f"{place.as_uri()}?mode=ro{'' if left else '&immutable=1'}", uri=True)
        _refuse_foreign(connection, path)
        missing, known = find_missing(connection)
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        if left:
            raise UsageError(
                f"cannot open the store {path}: its latest verdicts are in {path}-wal, which SQLite cannot read in a read-only"
                " folder; copy both files to a writable folder, and name the copy with ",
                option("store"),
            ) from error
        raise explain(error, "open", path) from error
    except BaseException:
        if connection is not None:
            connection.close()
        raise
    if known and not missing:
        return connection
    connection.close()
    if not known:
        raise _newer(path)
    raise UsageError(
        f"the store {path} was written by an older version of karat and cannot be upgraded in a read-only folder; {_COPY}",
        option("store"),
    )


def explain(error: Exception, what: str, path: str | None) -> KaratError:
    """Convert an error of SQLite or of the system into an error for the user."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_CORRUPT:
        return damaged(path, error)
    if what == "open":
        return UsageError(f"cannot open the store {path}: {error}; choose another with ", option("store"))
    return SetupError(f"cannot {what} the store {path}: {error}")


def damaged(path: str | None, error: Exception) -> SetupError:
    """Return the error for stored data that cannot be read."""
    found = " ".join(str(error).split())
    return SetupError(
        f"the store {path} is damaged ({found}); restore it from a copy, or choose another with ",
        option("store"),
    )


def read_only(path: str | None) -> UsageError:
    """Return the error for a store that can only be read."""
    return UsageError(f"the store {path} is in a read-only folder; {_COPY}", option("store"))


def _connect(database: str, *, uri: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(
        database, isolation_level=None, check_same_thread=False, timeout=_PATIENCE, uri=uri
    )


def _refuse_foreign(connection: sqlite3.Connection, path: str | None) -> None:
    """Refuse the database of another program, before anything is written to it."""
    if is_foreign(connection):
        raise UsageError(
            f"{path} is a database of another program; choose another path with ", option("store")
        )


def _newer(path: str | None) -> SetupError:
    return SetupError(
        f"the store {path} was written by a newer version of karat; upgrade karat, or choose another with ",
        option("store"),
    )


def _has_journal(place: Path) -> bool:
    """Check whether a store has a journal, or is in use by a process that may write."""
    sizes = {ending: _size(Path(f"{place}{ending}")) for ending in ("-wal", "-journal", "-shm")}
    in_use = sizes["-wal"] is not None and sizes["-shm"] is not None
    return bool(sizes["-wal"] or sizes["-journal"]) or in_use


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.exists() else None


def _turn_on_journal(connection: sqlite3.Connection) -> None:
    """Turn the write-ahead journal on, and wait for other processes, because SQLite does not wait here."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(PAUSE)
        else:
            return
