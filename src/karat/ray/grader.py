"""Judge a block on a worker, without a store: writes one verdict file and one manifest."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from karat.core.keys import item_key
from karat.core.scored_row import Group
from karat.core.types import NOTHING, Item, Outcome, Spent, Verdict, total
from karat.judges import Judge, make_judge
from karat.ray.blocks import Block
from karat.ray.job import Job, Scan
from karat.ray.limits import Leases
from karat.ray.output import Known, Manifest, Parts, is_final, open_verdicts, read_manifest, write_manifest
from karat.rows import Row
from karat.run.local import judge_pieces

_CHUNK = 2_000
_PAID_CHUNK = 5_000
_NO_PAYERS: Mapping[bytes, str] = {}


class Tally:
    """Counts the rows of a block by system, value, cause and origin."""

    def __init__(self) -> None:
        self.rows = 0
        self._rows = Counter[tuple[str | None, int | None, str | None, str | None]]()
        self._scores = Counter[tuple[str | None, int | None, str | None, str | None]]()
        self._reasons = dict[str, str]()
        self._spent = NOTHING

    def note(self, system: str | None, outcome: Outcome, spent: Spent) -> None:
        """Count a row."""
        self.rows += 1
        if isinstance(outcome, Verdict):
            key = (system, int(outcome.value), None, outcome.decided_by)
            self._scores[key] += outcome.score  # pyright: ignore[reportArgumentType] - sums of scores
        else:
            key = (system, None, outcome.cause, None)
            if outcome.reason is not None:
                known = self._reasons.get(outcome.cause, outcome.reason)
                self._reasons[outcome.cause] = min(known, outcome.reason)
        self._rows[key] += 1
        if spent is not NOTHING:
            self._spent = total((self._spent, spent))

    def close(self, block: Block, skipped: int) -> Manifest:
        """Return the manifest of the block."""
        groups = tuple(
            Group(*key, rows, self._scores[key] if key[1] is not None else None)
            for key, rows in self._rows.items()
        )
        return Manifest(block.name, block.identity, self.rows, skipped, groups, self._reasons, self._spent)


class Grader:
    """Grades one block after the other with a judge that is loaded once."""

    def __init__(self, job: Job, leases: Leases | None = None, notice: Callable[[str], None] = print) -> None:
        self._job = job
        self._leases = leases
        self._notice = notice
        self._runner = asyncio.Runner()
        self._judge: Judge | None = None

    def grade(self, block: Block) -> Manifest:
        """Judge a block and return its manifest; a block with a valid manifest is not judged again."""
        done = read_manifest(self._job.folder, block.name)
        if done is not None and is_done(done, block, self._job):
            return done
        return self._runner.run(self._grade(block))

    def judge(self, name: str, items: dict[bytes, Item]) -> Known:
        """Judge items that belong to no block; paid outcomes are stored under `name`."""
        return self.judge_shared(name, items, {})[0]

    def judge_shared(
        self, name: str, items: dict[bytes, Item], payers: dict[bytes, str]
    ) -> tuple[Known, dict[bytes, str]]:
        """Judge items of many blocks and return which block pays for each; earlier verdicts keep their payer."""
        return self._runner.run(self._judge_items(name, items, payers))

    def close(self) -> None:
        """Close connections."""
        if self._judge is not None:
            self._runner.run(self._judge.close())
        self._runner.close()

    async def _grade(self, block: Block) -> Manifest:
        scan, tally = Scan(block, self._job), Tally()
        parts = Parts(self._job.folder, block.name)
        known = parts.read(retry=self._job.retry) if self._job.pays else Known()
        seen, final = set[bytes](), True
        with open_verdicts(block, self._job, scan.fields) as verdicts:
            for rows in self._divide(scan):
                keys = [item_key(row.item) for row in rows]
                await self._judge_new(dict(zip(keys, (row.item for row in rows), strict=True)), known, parts)
                for key, row in zip(keys, rows, strict=True):
                    outcome, first = known[key], key not in seen
                    seen.add(key)
                    spent = outcome.spent if first else NOTHING
                    verdicts.write(row, outcome, spent, cached=not first)
                    tally.note(row.system, outcome, spent)
                    final = final and is_final(outcome)
        manifest = tally.close(block, scan.skipped)
        write_manifest(self._job.folder, manifest)
        if final:
            parts.clear()
        return manifest

    async def _judge_items(
        self, name: str, items: dict[bytes, Item], payers: dict[bytes, str]
    ) -> tuple[Known, dict[bytes, str]]:
        parts = Parts(self._job.folder, name)
        known = parts.read(retry=self._job.retry) if self._job.pays else Known()
        before = {key: parts.payers[key] for key in known if parts.payers[key]}
        await self._judge_new(items, known, parts, payers)
        return known, {**payers, **before}

    async def _judge_new(
        self, items: dict[bytes, Item], known: Known, parts: Parts, payers: Mapping[bytes, str] = _NO_PAYERS
    ) -> None:
        """Judge items that are not known yet; paid outcomes are stored even if an error follows."""
        fresh = [(key, item) for key, item in items.items() if key not in known]

        async def keep(outcomes: list[tuple[int, Outcome]]) -> None:
            for number, outcome in outcomes:
                known[fresh[number][0]] = outcome
                if outcome.spent.calls:
                    parts.add(fresh[number][0], outcome, payers.get(fresh[number][0], ""))

        pieces = [(number, item) for number, (_, item) in enumerate(fresh)]
        if not pieces:
            return
        judge = self._open_judge()
        try:
            await judge_pieces(
                [pieces],
                judge,
                keep,
                seed=self._job.plan.fingerprint,
                concurrency=None if self._job.pays else 1,  # each worker has its own core
                notice=self._notice,
            )
        finally:
            parts.flush()
            if self._leases:
                await self._leases.flush()

    def _open_judge(self) -> Judge:
        """Return the judge, which is built inside the event loop that it uses."""
        if self._judge is None:
            self._judge = make_judge(self._job.plan, notice=self._notice, limits=self._leases)
        return self._judge

    def _divide(self, scan: Scan) -> Iterator[list[Row]]:
        rows = iter(scan)
        while chunk := list(islice(rows, _PAID_CHUNK if self._job.pays else _CHUNK)):
            yield chunk


def is_done(manifest: Manifest, block: Block, job: Job) -> bool:
    """Return whether a block is done: no row is left that another attempt may change."""
    causes = ("unavailable", "over_budget")
    left = manifest.unjudged if job.retry else manifest.count(*causes)
    return manifest.identity == block.identity and not left
