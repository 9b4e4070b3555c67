"""Stored replies of models, so that none is paid for twice, and the ledger of provider batches."""

import time
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import msgspec

from karat.core.flow import Completion, Token
from karat.core.keys import hash_bytes
from karat.core.types import NOTHING, add_up
from karat.models.batch.types import BatchRecord, State
from karat.store.database import Database
from karat.store.records import Run

_encode = msgspec.json.Encoder().encode
_read_tokens = msgspec.json.Decoder(tuple[Token, ...]).decode
_KEEP_COMPLETION = "INSERT OR REPLACE INTO completions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KEEP_LOSS = """
    INSERT INTO losses VALUES (?, ?, ?)
    ON CONFLICT (run) DO UPDATE SET calls = calls + excluded.calls, most_usd = most_usd + excluded.most_usd
"""
_KEY_BYTES = 16
_read_groups = msgspec.json.Decoder(list[list[int]]).decode
_UNFINISHED = """
    SELECT id, marker, provider_id, keys FROM provider_batches
    WHERE run = ? AND state IN ('intended', 'submitted') ORDER BY id
"""


class RunCache:
    """Completions by key, for one run; those that another run paid for cost nothing."""

    def __init__(self, database: Database, run: Run) -> None:
        self._database = database
        self._run = run
        self._repeat = str(run.identity.get("repeat", "")).encode()
        self._opened = time.time()
        # If the store contained none when the run began, only those stored since then are looked up.
        self.held = bool(database.read("SELECT 1 FROM completions LIMIT 1"))
        self._kept = set[int]()

    def reopen(self) -> None:
        """Treat all completions stored so far as those of an earlier process."""
        self._opened = time.time()

    def find_completion(self, key: bytes) -> Completion | None:
        """Return the completion stored under this key; None if there is none."""
        if not self.held and hash(key) not in self._kept:
            return None
        query = "SELECT * FROM completions WHERE key = ?"
        found = self._database.read_as(partial(self._read, key), query, self._key(key))
        return found[0] if found else None

    def _read(self, key: bytes, fields: tuple[Any, ...]) -> Completion:
        _, run, text, finish, tokens, given, cached, made, cost, created, uncounted = fields
        # The cost of completions stored by this process is counted with their outcomes.
        left_over = run == self._run.id and created < self._opened
        spent = add_up(1, given, cached, made, cost, uncounted) if left_over else NOTHING
        alternatives = None if tokens is None else _read_tokens(tokens)
        return Completion(text, finish, tokens=alternatives, spent=spent, cached=True, key=key.hex())

    def keep_completion(self, key: bytes, completion: Completion) -> None:
        """Pass a completion to the writer, which writes in the order of the calls."""
        if not self.held:
            self._kept.add(hash(key))
        spent = completion.spent
        tokens = None if completion.tokens is None else _encode(completion.tokens)
        values = (
            self._key(key), self._run.id, completion.text, completion.finish, tokens,
            spent.input_tokens or 0, spent.cached_tokens, spent.output_tokens or 0, spent.cost_usd, time.time(),
            spent.uncounted,
        )  # fmt: skip
        self._database.write_unwatched(
            lambda connection: connection.execute(_KEEP_COMPLETION, values) and None
        )

    def keep_loss(self, most: float, *, answered: bool = False) -> None:
        """Record the maximum cost of a call without a reply, or with a reply without a token count."""
        values = (self._run.id, 0 if answered else 1, most)
        self._database.write_unwatched(lambda connection: connection.execute(_KEEP_LOSS, values) and None)

    def _key(self, key: bytes) -> bytes:
        """Return the key in the store; a repeat of another run has its own keys."""
        return hash_bytes(key, self._repeat) if self._repeat else key


class RunBatches:
    """The provider batches of one run; for a batch only the keys of its completions are stored."""

    def __init__(self, database: Database, run: Run) -> None:
        self._database = database
        self._run = run

    def unfinished(self) -> list[BatchRecord]:
        """Return the batches that were recorded and not collected yet."""
        found = self._database.read(_UNFINISHED, self._run.id)
        return [BatchRecord(number, marker, batch, _split(keys)) for number, marker, batch, keys in found]

    def intend(self, marker: str, keys: Sequence[bytes]) -> BatchRecord:
        """Record a batch before its submission; it is on disk when this returns."""
        values = (self._run.id, marker, b"".join(keys), time.time())
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO provider_batches VALUES (NULL, ?, ?, NULL, 'intended', ?, ?)", values
            )
        return BatchRecord(cursor.lastrowid or 0, marker, None, frozenset(keys))

    def note_submitted(self, record: BatchRecord, provider_id: str) -> None:
        """Record the provider's id; it is on disk when this returns."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE provider_batches SET provider_id = ?, state = 'submitted' WHERE id = ?",
                (provider_id, record.number),
            )

    def finish(self, record: BatchRecord, state: State) -> Future[None]:
        """Record that a batch is finished, after all earlier writes."""
        query = "UPDATE provider_batches SET state = ? WHERE id = ?"
        return self._database.write(
            lambda connection: connection.execute(query, (state, record.number)) and None
        )

    def find_round(self) -> list[list[int]] | None:
        """Return the groups of items that were being asked when the run was stopped."""
        query = "SELECT groups FROM waves WHERE run = ?"
        found = self._database.read_as(lambda fields: _read_groups(fields[0]), query, self._run.id)
        return found[0] if found else None

    def open_round(self, groups: list[list[int]]) -> None:
        """Record which items are asked together, so that the same groups can be asked again."""
        values = (self._run.id, msgspec.json.encode(groups).decode(), time.time())
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO waves VALUES (?, ?, ?)", values)

    def close_round(self) -> None:
        """Delete the record of the round; its outcomes are on disk."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM waves WHERE run = ?", (self._run.id,))


def _split(keys: bytes) -> frozenset[bytes]:
    return frozenset(keys[start : start + _KEY_BYTES] for start in range(0, len(keys), _KEY_BYTES))
