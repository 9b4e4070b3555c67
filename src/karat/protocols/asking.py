"""Ask until every item has a verdict or a cause: which items are asked again, together with which, and when to stop."""

from collections.abc import Iterator

import msgspec

from karat.core.flow import Ask, Completion, Failed, Flow, Message, Prompt, Reply
from karat.core.types import Cause, Heard, Item, Outcome, Spent, Unjudged, Value, Verdict, share, total
from karat.protocols import PROTOCOLS
from karat.protocols.items import draw_ids
from karat.protocols.protocol import Misaligned
from karat.protocols.replies import Distribution, is_refusal, read_distributions
from karat.protocols.wording import Wording

_MORE_ROOM = 4
MOST_ROOM = 16


def rooms_of(attempts: int) -> list[int]:
    """Return the factor of the output limit for each attempt, if all replies are cut off."""
    return [min(MOST_ROOM, _MORE_ROOM**attempt) for attempt in range(attempts)]


class _Case:
    """One item without a final outcome yet; `asked` counts its asks, `answered` the paid replies."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.asked = 0
        self.answered = 0
        self.spent: list[Spent] = []
        self.replies: list[Heard] = []
        self.outcome: Outcome | None = None

    def conclude(self) -> Outcome:
        """Return the outcome with the replies that led to it."""
        outcome = self.outcome or Unjudged("unparseable")
        return msgspec.structs.replace(outcome, replies=tuple(self.replies)) if self.replies else outcome


class _Group:
    """The items of one prompt."""

    def __init__(self, cases: list[_Case], room: int) -> None:
        self.cases = cases
        self.room = room


class _Problem(msgspec.Struct, frozen=True):
    cause: Cause
    why: str


def ask_items(
    wording: Wording, items: tuple[Item, ...], *, decided_by: str, attempts: int = 5, structured: bool = False
) -> Flow[tuple[Outcome, ...]]:
    """Judge items, as many in one prompt as it can hold; only items without a valid value are asked again."""
    asking = _Asking(wording, decided_by, attempts, structured=structured)
    cases = [_Case(item) for item in items]
    groups = list(_split(cases, wording.most_items))
    while groups:
        replies = yield tuple(asking.put(group) for group in groups)
        groups = [
            again
            for group, reply in zip(groups, replies, strict=True)
            for again in asking.settle(group, reply)
        ]
    return tuple(case.conclude() for case in cases)


class _Asking:
    """The rules for one judge: how a group is asked, and what follows from the reply."""

    def __init__(self, wording: Wording, decided_by: str, attempts: int, *, structured: bool) -> None:
        self.wording = wording
        self.protocol = PROTOCOLS[wording.protocol]
        self.decided_by = decided_by
        self.attempts = attempts
        self.structured = structured

    def put(self, group: _Group) -> Ask:
        """Return the prompt of a group; from the second attempt on it ends with a reminder of the reply form."""
        count, ids = len(group.cases), self._ids(group)
        prompt = self.wording.render(tuple(case.item for case in group.cases), ids)
        if self.structured:
            schema = self.protocol.schema(count, self.wording.levels, ids)
            prompt = msgspec.structs.replace(prompt, schema=schema, opened=None)
        for case in group.cases:
            case.asked += 1
        attempt = max(case.asked for case in group.cases)
        if attempt > 1:
            prompt = _remind(prompt, self.protocol.reminder(count, self.wording.levels))
        return Ask(prompt, items=count, attempt=attempt, room=group.room)

    def _ids(self, group: _Group) -> tuple[str, ...]:
        """Return ids that name the items in a structured reply; no item can predict those of the others."""
        if not self.structured or len(group.cases) == 1:
            return ()
        return draw_ids([case.item for case in group.cases])

    def settle(self, group: _Group, reply: Reply) -> Iterator[_Group]:
        """Set outcomes from a reply, and yield new groups of the items that are left."""
        for case, part in zip(group.cases, share(reply.spent, len(group.cases)), strict=True):
            case.spent.append(part)
        if isinstance(reply, Failed):
            yield from self._settle_failure(group, reply)
            return
        for place, case in enumerate(group.cases, 1):
            case.answered += not reply.cached
            if reply.key is not None:
                case.replies.append(Heard(reply.key, place, len(group.cases)))
        problem = self._read_values(group, reply)
        if problem is not None:
            yield from self._again(group, problem)

    def _settle_failure(self, group: _Group, reply: Failed) -> Iterator[_Group]:
        if reply.cause == "rejected" and len(group.cases) > 1:
            yield from _split(group.cases, _half(group), group.room)
            return
        if reply.cause == "unparseable":  # the reply was too large to read; another may be smaller
            for case in group.cases:
                case.answered += 1
            yield from self._again(group, _Problem(reply.cause, reply.reason))
            return
        for case in group.cases:
            case.outcome = Unjudged(reply.cause, reply.reason, total(case.spent))

    def _read_values(self, group: _Group, reply: Completion) -> _Problem | None:
        """Set the outcomes of an aligned reply; return what is wrong with the rest."""
        if reply.finish == "refusal":
            return _Problem("refused", _quote(reply.text) or "the model refused to answer")
        cut = reply.finish == "length"
        count = len(group.cases)
        reading = self.protocol.read(
            reply.text, count, levels=self.wording.levels, cut=cut, ids=self._ids(group)
        )
        if isinstance(reading, Misaligned):
            return _Problem(
                "truncated" if cut else _find_cause(reply.text), f"{reading.why}: {_quote(reply.text)}"
            )
        distributions = self._distributions(reply, reading.values)
        for case, value, distribution in zip(group.cases, reading.values, distributions, strict=True):
            if value is not None:
                case.outcome = self._verdict(case, value, distribution, len(group.cases))
        if all(value is not None for value in reading.values):
            return None
        return _Problem(
            "truncated" if cut else _find_cause(reply.text), _quote(reply.text) or "the reply was empty"
        )

    def _distributions(
        self, reply: Completion, values: tuple[Value | None, ...]
    ) -> tuple[Distribution | None, ...]:
        if reply.tokens is None:
            return (None,) * len(values)
        return read_distributions(self.protocol, reply.tokens, values, self.wording.levels)

    def _verdict(self, case: _Case, value: Value, distribution: Distribution | None, company: int) -> Verdict:
        score, confidence = self.protocol.worth(value), None
        if distribution is not None and isinstance(value, bool):
            score, confidence = distribution[0], distribution[0] if value else distribution[1]
        elif distribution is not None:
            score = sum(level * part for level, part in enumerate(distribution)) / 5
            confidence = distribution[value]
        return Verdict(
            value=value,
            score=score,
            decided_by=self.decided_by,
            confidence=confidence,
            matched_reference=0 if value and len(case.item.references) == 1 else None,
            distribution=distribution,
            items_per_prompt=company,
            spent=total(case.spent),
        )

    def _again(self, group: _Group, problem: _Problem) -> Iterator[_Group]:
        """Yield groups to ask again: refusals and last attempts alone, cut replies with a larger limit, others in halves."""
        left = list[_Case]()
        for case in group.cases:
            if case.outcome is None and case.answered >= self.attempts:
                reason = f"no readable reply in {case.answered} attempts; last attempt: {problem.why}"
                case.outcome = Unjudged(problem.cause, reason, total(case.spent))
            elif case.outcome is None:
                left.append(case)
        if problem.cause == "truncated" and group.room < MOST_ROOM:
            yield from _split(left, len(left), group.room * _MORE_ROOM)
        elif problem.cause == "refused" or any(case.asked + 1 >= self.attempts for case in left):
            yield from _split(left, 1, group.room)
        else:
            yield from _split(left, _half(group), group.room)


def _half(group: _Group) -> int:
    return (len(group.cases) + 1) // 2


def _split(cases: list[_Case], size: int, room: int = 1) -> Iterator[_Group]:
    size = max(1, size)
    for start in range(0, len(cases), size):
        yield _Group(cases[start : start + size], room)


def _find_cause(text: str) -> Cause:
    return "refused" if is_refusal(text) else "unparseable"


def _quote(text: str) -> str:
    short = " ".join(text.split())
    return repr(short if len(short) <= 120 else short[:117] + "...") if short else ""  # noqa: PLR2004 - a line


def _remind(prompt: Prompt, reminder: str) -> Prompt:
    """Append the reminder to the last turn, so that the stable part does not change."""
    *before, last = prompt.messages
    reminded = Message(last.role, f"{last.text}\n\n{reminder}", last.stable)
    return msgspec.structs.replace(prompt, messages=(*before, reminded))
