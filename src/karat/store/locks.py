"""Holding something among processes; the hold ends with the process, however it ends."""

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def hold(path: Path) -> Generator[bool]:
    """Try to hold a file; False where another process does, True also where the system has no such locks."""
    try:
        import fcntl
    except ImportError:
        yield True
        return
    path.parent.mkdir(exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        yield False
        return
    try:
        yield True
    finally:
        os.close(handle)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """Keep what the block writes if it comes to its end, and nothing of it otherwise."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself rolls back after some faults, such as a full disk
            connection.execute("ROLLBACK")
        raise
