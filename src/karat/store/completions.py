"""The replies of models, so that none is paid for twice."""

import time
from functools import partial
from typing import Any

import msgspec

from karat.core.exchange import Completion, Token
from karat.core.keys import hash_bytes
from karat.core.spending import add_up
from karat.core.types import NOTHING
from karat.store.database import Database
from karat.store.records import Run

_encode = msgspec.json.Encoder().encode
_read_tokens = msgspec.json.Decoder(tuple[Token, ...]).decode
_KEEP_COMPLETION = "INSERT OR REPLACE INTO completions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KEEP_LOSS = """
    INSERT INTO losses VALUES (?, ?, ?)
    ON CONFLICT (run) DO UPDATE SET calls = calls + excluded.calls, most_usd = most_usd + excluded.most_usd
"""


class RunCache:
    """Completions by key; one that another run paid for costs this run nothing."""

    def __init__(self, database: Database, run: Run) -> None:
        self._database = database
        self._run = run
        self._repeat = str(run.identity.get("repeat", "")).encode()
        self._opened = time.time()
        # A store that held none when the run began need only be asked for what was kept since then.
        self.held = bool(database.read("SELECT 1 FROM completions LIMIT 1"))
        self._kept = set[int]()

    def reopen(self) -> None:
        """Count what was kept so far as left over from before."""
        self._opened = time.time()

    def find_completion(self, key: bytes) -> Completion | None:
        """The completion that was kept under this key."""
        if not self.held and hash(key) not in self._kept:
            return None
        query = "SELECT * FROM completions WHERE key = ?"
        found = self._database.read_as(partial(self._read, key), query, self._key(key))
        return found[0] if found else None

    def _read(self, key: bytes, fields: tuple[Any, ...]) -> Completion:
        _, run, text, finish, tokens, given, cached, made, cost, created, uncounted = fields
        # What was kept since then is counted by the outcome that it was kept for.
        left_over = run == self._run.id and created < self._opened
        spent = add_up(1, given, cached, made, cost, uncounted) if left_over else NOTHING
        alternatives = None if tokens is None else _read_tokens(tokens)
        return Completion(text, finish, tokens=alternatives, spent=spent, cached=True, key=key.hex())

    def keep_completion(self, key: bytes, completion: Completion) -> None:
        """Hand a completion to the writer, which keeps the order of what it is given."""
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
        """Note that a call was sent and not answered, or answered without a count, which may have cost this much."""
        values = (self._run.id, 0 if answered else 1, most)
        self._database.write_unwatched(lambda connection: connection.execute(_KEEP_LOSS, values) and None)

    def _key(self, key: bytes) -> bytes:
        """A judge that is asked the same once more is not answered by what it said before."""
        return hash_bytes(key, self._repeat) if self._repeat else key
