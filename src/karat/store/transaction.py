"""All or nothing."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager


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
