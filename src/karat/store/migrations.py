"""The schema of the database as a list of migrations; steps are only ever appended."""

import sqlite3

from karat.store.locks import transaction

APPLICATION = int.from_bytes(b"kara", "big")  # the application id in the header of a store, from step 9 on
_FOUNDATION = {"items", "datasets", "rows", "judges", "runs", "outcomes", "completions"}
MIGRATIONS: tuple[tuple[str, str], ...] = (
    (
        "0001_foundation",
        """
        CREATE TABLE items (
            id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, question TEXT, refs TEXT NOT NULL, answer TEXT NOT NULL
        ) STRICT;
        CREATE TABLE datasets (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, columns TEXT NOT NULL,
            fields TEXT NOT NULL, rows INTEGER NOT NULL, skipped INTEGER NOT NULL, created REAL NOT NULL
        ) STRICT;
        CREATE TABLE rows (
            dataset INTEGER NOT NULL REFERENCES datasets(id), position INTEGER NOT NULL, line INTEGER NOT NULL,
            id TEXT NOT NULL, item INTEGER NOT NULL REFERENCES items(id), first INTEGER NOT NULL, system TEXT,
            columns BLOB NOT NULL, PRIMARY KEY (dataset, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX rows_by_item ON rows (dataset, item);
        CREATE TABLE judges (
            id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, name TEXT NOT NULL, protocol TEXT NOT NULL,
            identity TEXT NOT NULL
        ) STRICT;
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES datasets(id),
            judge INTEGER NOT NULL REFERENCES judges(id), started REAL NOT NULL, finished REAL,
            UNIQUE (dataset, judge)
        ) STRICT;
        CREATE TABLE outcomes (
            item INTEGER NOT NULL REFERENCES items(id), judge INTEGER NOT NULL REFERENCES judges(id),
            run INTEGER NOT NULL, value INTEGER, score REAL, confidence REAL, decided_by TEXT,
            matched_reference INTEGER, reason TEXT, distribution TEXT, items_per_prompt INTEGER, votes TEXT, cause TEXT,
            calls INTEGER NOT NULL,
            input_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
            cost_usd REAL, created REAL NOT NULL, PRIMARY KEY (item, judge)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE completions (
            key BLOB PRIMARY KEY, run INTEGER NOT NULL, text TEXT NOT NULL, finish TEXT NOT NULL, tokens BLOB,
            input_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
            cost_usd REAL, created REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX completions_by_run ON completions (run);
        CREATE TABLE batch_checks (
            judge INTEGER PRIMARY KEY REFERENCES judges(id), size INTEGER NOT NULL, found TEXT NOT NULL,
            created REAL NOT NULL
        ) STRICT;
        """,
    ),
    (
        "0002_provider_batches",
        """
        CREATE TABLE provider_batches (
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), marker TEXT NOT NULL UNIQUE,
            provider_id TEXT, state TEXT NOT NULL, keys BLOB NOT NULL, created REAL NOT NULL
        ) STRICT;
        CREATE INDEX provider_batches_by_run ON provider_batches (run);
        CREATE TABLE waves (
            run INTEGER PRIMARY KEY REFERENCES runs(id), groups TEXT NOT NULL, created REAL NOT NULL
        ) STRICT;
        """,
    ),
    (
        "0003_labels",
        """
        ALTER TABLE rows ADD COLUMN label TEXT;
        ALTER TABLE datasets ADD COLUMN label_scale TEXT;
        CREATE TABLE labels (
            id INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES items(id), author TEXT NOT NULL,
            value REAL NOT NULL, scale TEXT NOT NULL, source TEXT NOT NULL, created REAL NOT NULL, replaced REAL
        ) STRICT;
        CREATE INDEX labels_by_item ON labels (item);
        CREATE TABLE label_plans (
            dataset INTEGER PRIMARY KEY REFERENCES datasets(id), run INTEGER NOT NULL REFERENCES runs(id),
            detail INTEGER NOT NULL, created REAL NOT NULL
        ) STRICT;
        CREATE TABLE planned (
            dataset INTEGER NOT NULL REFERENCES datasets(id), item INTEGER NOT NULL REFERENCES items(id),
            draw INTEGER NOT NULL, stratum TEXT, chance REAL NOT NULL, PRIMARY KEY (dataset, item)
        ) STRICT, WITHOUT ROWID
        """,
    ),
    ("0004_replies", "ALTER TABLE outcomes ADD COLUMN replies TEXT"),
    ("0005_points", "ALTER TABLE outcomes ADD COLUMN points TEXT"),
    (
        "0006_losses",
        """
        CREATE TABLE losses (
            run INTEGER PRIMARY KEY REFERENCES runs(id), calls INTEGER NOT NULL, most_usd REAL NOT NULL
        ) STRICT;
        """,
    ),
    (
        "0007_label_uses",
        """
        CREATE TABLE label_uses (
            dataset INTEGER NOT NULL REFERENCES datasets(id), label INTEGER NOT NULL REFERENCES labels(id),
            origin INTEGER REFERENCES datasets(id), PRIMARY KEY (dataset, label)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX label_uses_by_label ON label_uses (label);
        INSERT INTO label_uses SELECT DISTINCT r.dataset, l.id, NULL
            FROM rows r CROSS JOIN labels l ON l.item = r.item WHERE l.replaced IS NULL
        """,
    ),
    (
        "0008_uncounted_calls",
        """
        ALTER TABLE outcomes ADD COLUMN uncounted INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE completions ADD COLUMN uncounted INTEGER NOT NULL DEFAULT 0;
        UPDATE outcomes SET uncounted = calls WHERE calls > 0 AND input_tokens = 0 AND output_tokens = 0;
        UPDATE completions SET uncounted = 1 WHERE input_tokens = 0 AND output_tokens = 0 AND text <> ''
        """,
    ),
    ("0009_application", f"PRAGMA application_id = {APPLICATION}"),
)


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Check whether a database belongs to another program, by its application id or, if it has none, by its tables."""
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    if mark:
        return mark != APPLICATION
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables == {"migrations"}:
        columns = [column[1] for column in connection.execute("PRAGMA table_info(migrations)")]
        return columns != ["name"]
    return bool(tables) and not tables >= _FOUNDATION


def find_missing(connection: sqlite3.Connection) -> tuple[set[str], bool]:
    """Return the migrations that a database lacks, and whether all applied ones are known."""
    known, taken = {name for name, _ in MIGRATIONS}, _taken(connection)
    return known - taken, taken <= known


def migrate(connection: sqlite3.Connection) -> bool:
    """Apply the missing migrations, all or none; False if the database has migrations unknown to this version."""
    known = [name for name, _ in MIGRATIONS]
    if (taken := _taken(connection)) != set(known):
        with transaction(connection):
            connection.execute(
                "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID"
            )
            taken = _taken(connection)
            for name, script in MIGRATIONS if taken <= set(known) else ():
                if name not in taken:
                    _apply(connection, name, script)
    return taken <= set(known)


def _taken(connection: sqlite3.Connection) -> set[str]:
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
    return {name for (name,) in connection.execute("SELECT name FROM migrations")} if there else set()


def _apply(connection: sqlite3.Connection, name: str, script: str) -> None:
    for statement in script.split(";"):
        connection.execute(statement)
    connection.execute("INSERT INTO migrations VALUES (?)", (name,))
