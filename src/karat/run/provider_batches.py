"""A run in waves: the items of a wave are asked together, and what is left open goes into the next batch.

A wave is on disk before anything is submitted and its outcomes are kept together at its end. A process that is
killed in between leaves replies in the cache; the next start plays the same wave again and finds them there.
"""

from collections.abc import Callable, Iterator
from random import Random

from karat.core.flow import adrive_together
from karat.judges import LlmJudge
from karat.models import BatchClient
from karat.run.local import Keeper, Piece, Step
from karat.store import Run, Store
from karat.text import is_suspicious

WAVE = 5_000


async def run_in_waves(
    store: Store,
    run: Run,
    judge: LlmJudge,
    client: BatchClient,
    *,
    retry: bool = False,
    watch: Callable[[Step], None] = lambda _: None,
) -> None:
    """Bring every pending item to an outcome by provider batches; one wave is in memory at any time."""
    waves = _Waves(store, run, judge, client, watch)
    await waves.go_on()
    wave = list[Piece]()
    for chunk in store.pending(run, retry=retry):
        wave += await waves.decide(chunk)
        while len(wave) >= WAVE:
            await waves.play(wave[:WAVE])
            wave = wave[WAVE:]
    if wave:
        await waves.play(wave)
    store.finish_run(run)


class _Waves:
    """The waves of a run, one after the other."""

    def __init__(
        self, store: Store, run: Run, judge: LlmJudge, client: BatchClient, watch: Callable[[Step], None]
    ) -> None:
        self._store = store
        self._run = run
        self._judge = judge
        self._client = client
        self._keep = Keeper(store, run, watch).keep
        self._batches = store.batches_of(run)

    async def go_on(self) -> None:
        """Play the wave in which an earlier process was stopped, with the same groups."""
        left = self._batches.find_wave()
        if left is not None:
            await self._play(
                [list(zip(numbers, self._store.find_items(numbers), strict=True)) for numbers in left]
            )

    async def decide(self, chunk: list[Piece]) -> list[Piece]:
        """Keep what needs no asking and give back the rest."""
        decided = [(piece, self._judge.decide(piece[1])) for piece in chunk]
        await self._keep([(number, outcome) for (number, _), outcome in decided if outcome is not None])
        return [piece for piece, outcome in decided if outcome is None]

    async def play(self, pieces: list[Piece]) -> None:
        """Group pieces, note the groups, and ask them."""
        groups = list(group_wave(pieces, self._judge.group, self._run.fingerprint))
        self._batches.open_wave([[number for number, _ in group] for group in groups])
        await self._play(groups)

    async def _play(self, groups: list[list[Piece]]) -> None:
        flows = [self._judge.flow(tuple(item for _, item in group)) for group in groups]
        results = await adrive_together(flows, self._client.answer_together)
        numbers = (number for group in groups for number, _ in group)
        outcomes = (outcome for result in results for outcome in result)
        await self._keep(list(zip(numbers, outcomes, strict=True)))
        self._batches.close_wave()


def group_wave(pieces: list[Piece], size: int, seed: str) -> Iterator[list[Piece]]:
    """Suspicious items alone, the others shuffled by a seed so that neighbours differ."""
    if size > 1:
        yield from ([piece] for piece in pieces if is_suspicious(piece[1]))
        pieces = [piece for piece in pieces if not is_suspicious(piece[1])]
        if len(pieces) > size:
            Random(f"{seed} {pieces[0][0]}").shuffle(pieces)
    for start in range(0, len(pieces), size):
        yield pieces[start : start + size]
