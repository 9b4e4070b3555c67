"""What a run has out at a provider, and the wave of work that it belongs to."""

import time
from collections.abc import Sequence
from concurrent.futures import Future

import msgspec

from karat.models.batches import Entry, State
from karat.store.database import Database
from karat.store.records import Run

_KEY = 16
_read_groups = msgspec.json.Decoder(list[list[int]]).decode
_UNFINISHED = """
    SELECT id, marker, provider_id, keys FROM provider_batches
    WHERE run = ? AND state IN ('intended', 'submitted') ORDER BY id
"""


class RunBatches:
    """The provider batches of one run; a batch is its completion keys, never a secret and never a text."""

    def __init__(self, database: Database, run: Run) -> None:
        self._database = database
        self._run = run

    def unfinished(self) -> list[Entry]:
        """The batches that were meant to be submitted and were not collected yet."""
        found = self._database.read(_UNFINISHED, self._run.id)
        return [Entry(number, marker, batch, _split(keys)) for number, marker, batch, keys in found]

    def intend(self, marker: str, keys: Sequence[bytes]) -> Entry:
        """Note a batch that is about to be submitted; it is on disk when this returns."""
        values = (self._run.id, marker, b"".join(keys), time.time())
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO provider_batches VALUES (NULL, ?, ?, NULL, 'intended', ?, ?)", values
            )
        return Entry(cursor.lastrowid or 0, marker, None, frozenset(keys))

    def note_submitted(self, entry: Entry, provider_id: str) -> None:
        """Note the provider's id; it is on disk when this returns."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE provider_batches SET provider_id = ?, state = 'submitted' WHERE id = ?",
                (provider_id, entry.number),
            )

    def finish(self, entry: Entry, state: State) -> Future[None]:
        """Note that nothing more comes from a batch, after all that was handed to the writer before."""
        query = "UPDATE provider_batches SET state = ? WHERE id = ?"
        return self._database.write(
            lambda connection: connection.execute(query, (state, entry.number)) and None
        )

    def find_wave(self) -> list[list[int]] | None:
        """The groups of items that were being asked when the run was stopped."""
        query = "SELECT groups FROM waves WHERE run = ?"
        found = self._database.read_as(lambda fields: _read_groups(fields[0]), query, self._run.id)
        return found[0] if found else None

    def open_wave(self, groups: list[list[int]]) -> None:
        """Note which items are asked together, so that the same asks can be made again."""
        values = (self._run.id, msgspec.json.encode(groups).decode(), time.time())
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO waves VALUES (?, ?, ?)", values)

    def close_wave(self) -> None:
        """Forget the wave; its outcomes are on disk."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM waves WHERE run = ?", (self._run.id,))


def _split(keys: bytes) -> frozenset[bytes]:
    return frozenset(keys[start : start + _KEY] for start in range(0, len(keys), _KEY))
