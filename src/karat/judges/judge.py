"""What a judge is: items in, outcomes out."""

from typing import Any, Protocol

from karat.core.types import Item, Outcome


class Judge(Protocol):
    """Decides what it can for nothing, and is asked the rest in groups of at most `group` items."""

    name: str
    identity: dict[str, Any]
    shared: bool
    """Whether the items of a group see each other, as those of one prompt do."""
    group: int
    concurrency: int

    def decide(self, item: Item) -> Outcome | None:
        """Decide without asking anyone, or leave it open."""
        ...

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Judge what could not be decided, one outcome per item."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
