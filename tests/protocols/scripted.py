"""A model that gives scripted replies and records its asks."""

import json
from collections.abc import Callable, Iterable

from prompt_reading import read_prompt_items

from karat.core.flow import Ask, Completion, Failed, Reply, drive
from karat.core.types import Item, Outcome, ProtocolName, Spent
from karat.protocols.asking import ask_items
from karat.protocols.promptfile import builtin_wording
from karat.protocols.wording import Wording


def make_items(count: int) -> tuple[Item, ...]:
    """Items that can be told apart by their answers: a0, a1, a2 and so on."""
    return tuple(Item(f"q{number}", (f"r{number}",), f"a{number}") for number in range(count))


class Model:
    """Answers asks from a list or by a function; `groups` are the answers of the items of each ask."""

    def __init__(
        self, protocol: ProtocolName, script: Iterable[Reply | str] | Callable[[Ask], Reply | str]
    ) -> None:
        self.protocol: ProtocolName = protocol
        self.asks = list[Ask]()
        self.groups = list[list[str]]()
        self.replies = list[Reply]()
        self._answer = script if callable(script) else _follow(script)

    def __call__(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        self.groups.append([shown.answer for shown in read_prompt_items(self.protocol, ask.prompt)])
        reply = self._answer(ask)
        self.replies.append(Completion(reply) if isinstance(reply, str) else reply)
        return self.replies[-1]

    def judge(
        self,
        items: tuple[Item, ...],
        *,
        attempts: int = 5,
        wording: Wording | None = None,
        structured: bool = False,
    ) -> tuple[Outcome, ...]:
        """Drive the flow with this model to its outcomes, one per item."""
        wording = wording or builtin_wording(self.protocol)
        flow = ask_items(wording, items, decided_by="llm:m", attempts=attempts, structured=structured)
        outcomes = drive(flow, self)
        assert len(outcomes) == len(items)
        return outcomes

    @property
    def sizes(self) -> list[int]:
        """How many items stood in each ask."""
        return [ask.items for ask in self.asks]


def _follow(script: Iterable[Reply | str]) -> Callable[[Ask], Reply | str]:
    replies = iter(script)
    return lambda _: next(replies)


def say(protocol: ProtocolName, values: Iterable[int]) -> str:
    """Write the reply that the contract asks for."""
    if protocol == "match":
        return json.dumps({f"Answer {k}": "Yes" if value else "No" for k, value in enumerate(values, 1)})
    return ", ".join(map(str, values))


def refusal() -> Completion:
    """Decline as an endpoint does that flags refusals."""
    return Completion("", "refusal", spent=Spent(1, 10, 0, 1, 0.5))


def rejected() -> Failed:
    """Complain about the request."""
    return Failed("rejected", "status 400: flagged")
