"""Forecast calls, tokens and cost of a run before its first call: at least, expected and at most.

The forecast runs the judge with a client that sends nothing, replies at once and counts calls and tokens. So it
groups, shuffles, repeats and reuses stored replies exactly as the run will.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations

import msgspec
from msgspec import Struct, structs

from karat.core.flow import Ask, Completion, Prompt, Reply
from karat.core.types import Item, Outcome, Spent, Verdict
from karat.judges import Judge, Plan, make_judge
from karat.models import DISCOUNT, Cache, Client, HttpTransport, Quirks
from karat.protocols import PROTOCOLS
from karat.protocols.asking import MOST_ROOM, ask_items, rooms_of
from karat.protocols.wording import Wording
from karat.run.batch_check import ask_in_groups, draw_sample, sizes_of
from karat.run.local import Piece, judge_pieces
from karat.run.provider_batches import ROUND_ITEMS, group_round
from karat.store import Run, Store

_TOKEN = re.compile(
    r"[A-Za-z]{1,10}|[0-9]{1,2}| (?=[0-9])|[!-/:-@\[-`{-~]{1,3}|[\t-\r]\s*|  +|[\x80-\u07ff]{1,2}|[^\x00-\u07ff]"
)
_PER_MESSAGE, _PER_CALL = 4, 3  # tokens that chat formats add around a message and before the reply
_MOST_PER_MESSAGE, _MOST_PER_CALL = 16, 64
_LEAST_SHARE = 2 / 3  # of the estimate, because a model's tokens may be longer
_EMPTY = Item("", ("",), "")


class Range(Struct, frozen=True):
    """A number of a forecast: at least, as expected, and at most."""

    least: float
    expected: float
    most: float

    def scale(self, factor: float, most: float | None = None) -> "Range":
        """Return the range for `factor` times as much work; `most` is another factor for the maximum."""
        return Range(self.least * factor, self.expected * factor, self.most * (most or factor))

    def round(self) -> "Range":
        """Return the range in whole numbers."""
        return Range(int(self.least), round(self.expected), -int(-self.most // 1))


NONE = Range(0, 0, 0)


class Takes(Struct, frozen=True):
    """Calls with replies, their tokens and their cost, which is None if no price is known."""

    calls: Range = NONE
    input_tokens: Range = NONE
    output_tokens: Range = NONE
    cost_usd: Range | None = NONE

    def scale(self, factor: float, most: float | None = None) -> "Takes":
        """Return the totals for `factor` times as much work."""
        return Takes(
            self.calls.scale(factor, most).round(),
            self.input_tokens.scale(factor, most).round(),
            self.output_tokens.scale(factor, most).round(),
            None if self.cost_usd is None else self.cost_usd.scale(factor, most),
        )


def add_up(parts: Iterable[Takes]) -> Takes:
    """Return the sum; a cost that is unknown in one part is unknown in the sum."""
    listed = list(parts)
    costs = [part.cost_usd for part in listed]
    return Takes(
        _sum(part.calls for part in listed),
        _sum(part.input_tokens for part in listed),
        _sum(part.output_tokens for part in listed),
        None if None in costs else _sum(cost for cost in costs if cost is not None),
    )


def _sum(ranges: Iterable[Range]) -> Range:
    listed = list(ranges)
    return Range(
        sum(one.least for one in listed),
        sum(one.expected for one in listed),
        sum(one.most for one in listed),
    )


class Forecast(Struct, frozen=True):
    """Row counts, and ranges of calls, tokens and cost; `cost_usd` is None if no price is known.

    `checks` is true if a batch check comes first; `items_per_prompt` is then the size that it is expected to choose.
    """

    rows: int
    known: int
    decided: int
    items_per_prompt: int
    checks: bool
    calls: Range
    input_tokens: Range
    output_tokens: Range
    cost_usd: Range | None
    budget_left_usd: float | None = None

    @property
    def takes(self) -> Takes:
        """The four ranges."""
        return Takes(self.calls, self.input_tokens, self.output_tokens, self.cost_usd)


class Rehearsed:
    """A judge whose calls are only counted, and the `size` of its groups."""

    def __init__(self, plan: Plan, group: int, cache: Cache | None = None, *, remembers: bool = True) -> None:
        self._rehearsals = list[Rehearsal]()
        self._make = partial(Rehearsal, cache=cache, remembers=remembers)
        members = tuple(member for member in plan.members if member.endpoint is not None)
        self.judge: Judge = make_judge(structs.replace(plan, members=members), client_of=self._client_of)
        self.size = group
        self.decided = 0

    def _client_of(self, plan: Plan) -> "Rehearsal":
        self._rehearsals.append(self._make(plan))
        return self._rehearsals[-1]

    async def keep(self, outcomes: Sequence[tuple[int, Outcome]]) -> None:
        """Store nothing; count the items that were decided without a call."""
        self.decided += sum(
            isinstance(outcome, Verdict) and outcome.decided_by.startswith("rule:") for _, outcome in outcomes
        )

    async def check(self, sample: list[Piece], most: int) -> None:
        """Simulate a batch check that accepts the largest size; at most it tries all sizes, and the sample is asked once more."""
        before = [(one.asked, one.weight) for one in self._rehearsals]
        await ask_in_groups(self.judge, sample, 1)
        alone = [
            (one.asked - asked, one.weight - weight)
            for one, (asked, weight) in zip(self._rehearsals, before, strict=True)
        ]
        best, *others = sizes_of(most)
        await ask_in_groups(self.judge, sample, best)
        for one, (asked, weight) in zip(self._rehearsals, alone, strict=True):
            one.repeat(asked, weight, len(others) + 1)
        self.size = best

    def count(self) -> Takes:
        """Return the totals of the asks so far."""
        return add_up(one.count() for one in self._rehearsals)


async def forecast(store: Store, run: Run, plan: Plan, group: int, *, retry: bool = False) -> Forecast:
    """Simulate the pending work: no call is made and nothing is stored."""
    pending = store.count_pending(run, retry=retry)
    budget = plan.request.budget
    left = None if budget is None else max(0.0, budget - _spent(store, run, plan))
    cache = store.completions_of(run)
    rehearsed = Rehearsed(plan, group, cache if cache.held else None)
    sample = list[Piece]()
    if plan.endpoint is not None:
        if plan.items_per_prompt == "auto" and plan.wording is not None and plan.request.via == "calls":
            most = plan.wording.most_items
            sample = [] if store.find_batch_check(run) else draw_sample(store, run, rehearsed.judge, most)
            if sample:
                await rehearsed.check(sample, most)
        await _rehearse(store, run, plan, rehearsed, {number for number, _ in sample}, retry=retry)
    else:
        rehearsed.decided = pending
    takes = rehearsed.count()
    return Forecast(
        rows=run.dataset.rows,
        known=run.dataset.rows - pending,
        decided=rehearsed.decided,
        items_per_prompt=rehearsed.size
        if plan.items_per_prompt == "auto"
        else min(plan.items_per_prompt, rehearsed.size),
        checks=bool(sample),
        calls=takes.calls,
        input_tokens=takes.input_tokens,
        output_tokens=takes.output_tokens,
        cost_usd=takes.cost_usd,
        budget_left_usd=left,
    )


async def _rehearse(
    store: Store, run: Run, plan: Plan, rehearsed: Rehearsed, done: set[int], *, retry: bool
) -> None:
    chunks = store.pending(run, retry=retry)
    if plan.request.via == "batch":
        await _rehearse_rounds(store, run, rehearsed, chunks)
        return
    left = ([piece for piece in chunk if piece[0] not in done] for chunk in chunks)
    await judge_pieces(
        (chunk for chunk in left if chunk),
        rehearsed.judge,
        rehearsed.keep,
        seed=run.fingerprint,
        size=rehearsed.size,
    )


async def _rehearse_rounds(
    store: Store, run: Run, rehearsed: Rehearsed, chunks: Iterable[list[Piece]]
) -> None:
    """Group as provider batches do; the round in which an earlier process was stopped keeps its groups."""
    judge = rehearsed.judge
    groups = [
        list(zip(numbers, store.find_items(numbers), strict=True))
        for numbers in store.batches_of(run).find_round() or []
    ]
    begun = {number for group in groups for number, _ in group}
    waiting = list[Piece]()
    for chunk in chunks:
        for number, item in chunk:
            outcome = judge.decide(item)
            if outcome is not None:
                await rehearsed.keep([(number, outcome)])
            elif number not in begun:
                waiting.append((number, item))
        while len(waiting) >= ROUND_ITEMS:
            groups += group_round(waiting[:ROUND_ITEMS], rehearsed.size, run.fingerprint)
            waiting = waiting[ROUND_ITEMS:]
        await _ask(judge, groups)
    groups += group_round(waiting, rehearsed.size, run.fingerprint)
    await _ask(judge, groups)


async def _ask(judge: Judge, groups: list[list[Piece]]) -> None:
    for group in groups:
        await judge.ask(tuple(item for _, item in group))
    groups.clear()


def _spent(store: Store, run: Run, plan: Plan) -> float:
    """Return the dollars that already count against the budget."""
    spent = store.spent(run)
    if spent.cost_usd is None and plan.price is not None:
        spent = plan.price.charge(spent)
    return (spent.cost_usd or 0.0) + store.losses(run).most_usd


class Rehearsal(Client):
    """A client that replies in the form that the prompt requests, or with a stored reply, and counts calls, tokens and cost."""

    def __init__(self, plan: Plan, cache: Cache | None = None, *, remembers: bool = True) -> None:
        """`cache` is used only if it contains anything; `remembers` means that a repeated prompt is not paid again."""
        if plan.endpoint is None or plan.wording is None:
            raise ValueError(f"{plan.name} makes no calls, so there is nothing to forecast")
        super().__init__(plan.endpoint, plan.request.parameters, HttpTransport(timeout=1), cache=cache)
        self._plan = plan
        self._wording: Wording = plan.wording
        self._remembers = remembers and plan.request.permute > 1
        self._seen = set[int]()
        self._forms = list(self._find_forms())
        self._replays = cache is not None or self._remembers
        self._frame: int | None = None
        self._longest = 0
        self.calls = 0
        self.given = 0
        self.made = 0
        self.values = 0
        self.asked = 0
        """Items, each counted once per first ask."""
        self.weight = 0
        """The bytes of the prompts that would ask about each of these items alone."""

    async def answer(self, asks: tuple[Ask, ...]) -> tuple[Reply, ...]:
        """Answer asks and count them."""
        return tuple(self._reply(ask) for ask in asks)

    def repeat(self, asked: int, weight: int, times: int) -> None:
        """Count items that may be asked again `times` times; this raises only the maximum."""
        self.asked += asked * times
        self.weight += weight * times
        self._replays = True

    def count(self) -> Takes:
        """Return what the asks so far take."""
        request = self._plan.request
        attempts, passes = request.attempts, request.permute
        asked, weight = (part * passes // (passes // 2 + 1) for part in (self.asked, self.weight))
        reminder = len(PROTOCOLS[self._wording.protocol].reminder(99, self._wording.levels).encode()) + 2
        rooms = [MOST_ROOM] * attempts if self._replays else rooms_of(attempts)
        tokens_in = weight * attempts + asked * (attempts - 1) * reminder
        tokens_out = asked * sum(rooms) * request.parameters.max_tokens
        return Takes(
            Range(self.calls, self.calls, asked * attempts),
            Range(int(self.given * _LEAST_SHARE), self.given, tokens_in),
            Range(min(self.values, self.made), self.made, tokens_out),
            self._charge(tokens_in, tokens_out),
        )

    def _charge(self, tokens_in: int, tokens_out: int) -> Range | None:
        price = self._plan.price
        if price is None:
            return None if self.asked else NONE
        least_in = int(self.given * _LEAST_SHARE)
        cached = least_in if price.cached < price.input else 0
        least = price.charge(Spent(0, least_in, cached, min(self.values, self.made))).cost_usd or 0.0
        expected = price.charge(Spent(0, self.given, 0, self.made)).cost_usd or 0.0
        dear = tokens_in if price.cached > price.input else 0
        most = (
            price.charge(Spent(0, tokens_in, dear, tokens_out), self._cache_writes(tokens_in)).cost_usd or 0.0
        )
        if self._plan.request.via == "calls" or not self.asked:
            return Range(least, expected, most)
        ahead = expected / max(1, self.calls)  # one call is sent before the batches, at full price
        room = MOST_ROOM * self.parameters.max_tokens
        longest = (
            price.charge(Spent(0, self._longest, 0, room), self._cache_writes(self._longest)).cost_usd or 0.0
        )
        return Range(
            least * DISCOUNT,
            expected * DISCOUNT + ahead * (1 - DISCOUNT),
            most * DISCOUNT + longest * (1 - DISCOUNT),
        )

    def _cache_writes(self, tokens: int) -> int:
        """Return the tokens that the provider may charge for writing them to its cache."""
        return tokens if self.endpoint.kind == "anthropic" else 0

    def _reply(self, ask: Ask) -> Completion:
        if ask.attempt == 1:
            self._count_bytes(ask)
        stored = self._find_stored(ask)
        if stored is not None:
            return stored
        text = self._make_reply(ask)
        if self._remembers:
            mark = hash((*(message.text for message in ask.prompt.messages), ask.attempt, ask.room))
            if mark in self._seen:
                return Completion(text, cached=True)
            self._seen.add(mark)
        self.calls += 1
        self.given += self._estimate(ask.prompt)
        self.made += estimate_tokens(text)
        self.values += ask.items
        return Completion(text)

    def _count_bytes(self, ask: Ask) -> None:
        """Count the bytes of the prompts that would ask about each item alone: each repeats the frame of the prompt."""
        size = _measure(ask.prompt)
        if ask.items > 1:
            if self._frame is None:
                structured = self.parameters.structured
                self._frame = _measure(
                    next(ask_items(self._wording, (_EMPTY,), decided_by="", structured=structured))[0].prompt
                )
            size += (ask.items - 1) * self._frame
        self._longest = max(self._longest, size)
        self.asked += ask.items
        self.weight += size

    def _find_stored(self, ask: Ask) -> Completion | None:
        """Return the stored reply of an earlier run, with any parameters that the endpoint accepts."""
        if self._cache is None:
            return None
        for form in self._forms:
            found = self._cache.find_completion(self._encode(ask, form).key)
            if found is not None:
                self._forms = [form]
                return found
        return None

    def _find_forms(self) -> Iterator[Quirks]:
        """Yield the parameter sets with which a prompt may have been sent, the likeliest first."""
        sample = next(
            ask_items(self._wording, (_EMPTY,), decided_by="", structured=self.parameters.structured)
        )[0]
        opened = sample.prompt.opened is not None
        sent = sorted(
            self._encode(sample, structs.replace(self.quirks, continues=opened)).call.sent - {"prefill"}
        )
        for refused in chain.from_iterable(combinations(sent, count) for count in range(len(sent) + 1)):
            for continues in dict.fromkeys((self.quirks.continues, opened, False)):
                for name in ("max_tokens", "max_completion_tokens"):
                    yield Quirks(frozenset(refused), name, continues=continues)

    def _estimate(self, prompt: Prompt) -> int:
        tokens = _PER_CALL
        for message in prompt.messages:
            stable, rest = message.text[: message.stable], message.text[message.stable :]
            tokens += _PER_MESSAGE + _estimate_stable(stable) + estimate_tokens(rest)
        if prompt.opened is not None:
            tokens += estimate_tokens(prompt.opened)
        if prompt.schema is not None and self.endpoint.kind != "compatible":
            tokens += estimate_tokens(msgspec.json.encode(prompt.schema).decode())
        return tokens

    def _make_reply(self, ask: Ask) -> str:
        """Return a reply in the form that the prompt requests."""
        if ask.prompt.schema is None:
            return PROTOCOLS[self._wording.protocol].example_reply(ask.items, self._wording.levels)
        filled = {
            name: [form["items"]["enum"][-1]] * form["minItems"]
            if form["type"] == "array"
            else form["enum"][-1]
            for name, form in ask.prompt.schema["properties"].items()
        }
        return json.dumps(filled)


def _measure(prompt: Prompt) -> int:
    """Return the bytes of a prompt, with room for what chat formats add; no token is shorter than a byte."""
    texts = sum(len(message.text.encode()) + _MOST_PER_MESSAGE for message in prompt.messages)
    opened = len((prompt.opened or "").encode()) + _MOST_PER_MESSAGE
    return texts + opened + len(msgspec.json.encode(prompt.schema)) + _MOST_PER_CALL


def estimate_tokens(text: str) -> int:
    """Estimate the number of tokens in a text.

    A token is up to ten letters with the space before them, two digits, three signs, or a line break; two letters of
    scripts with two bytes per letter, such as Cyrillic or Arabic; one character of all others, such as Chinese.
    """
    return len(_TOKEN.findall(text))


_estimate_stable = lru_cache(maxsize=64)(estimate_tokens)
