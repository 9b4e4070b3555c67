"""The interface of a judge: items in, outcomes out."""

from typing import Any, Protocol

from karat.core.types import Item, Outcome


class Judge(Protocol):
    """Decides what it can without a call; the rest is asked in groups of items.

    A caller may ask about any number of items at a time. `group` is the best number, `shared` says whether the items of a
    group see each other, as those of one prompt do, and `concurrency` is how many groups may be asked at the same time.
    """

    name: str
    identity: dict[str, Any]
    shared: bool
    group: int
    concurrency: int

    def decide(self, item: Item) -> Outcome | None:
        """Decide without a call; None if the item has to be asked."""
        ...

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Judge items that could not be decided; one outcome per item."""
        ...

    async def close(self) -> None:
        """Close connections."""
        ...
