"""Locks between processes, and transactions of SQLite."""

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def hold(path: Path) -> Generator[bool]:
    """Try to lock a file until the block or the process ends; False if another process holds it.

    On systems without such locks this is always True.
    """
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
    """Commit what the block writes; roll back if it raises."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself rolls back after some errors, such as a full disk
            connection.execute("ROLLBACK")
        raise
