"""The interface of a protocol: how items are written in a prompt, and how a reply is read."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct

from karat.core.types import Item, ProtocolName, Value

LEVELS = (0, 1, 2, 3, 4, 5)


class Aligned(Struct, frozen=True):
    """The values of a reply, one per item; None if a value is missing or not on the scale."""

    values: tuple[Value | None, ...]


class Misaligned(Struct, frozen=True):
    """The reply cannot be matched with the items, so none of its values counts."""

    why: str


Reading: TypeAlias = Aligned | Misaligned


def span_levels(levels: tuple[int, ...]) -> str:
    """Describe in words which integers are on the scale."""
    if levels == tuple(range(levels[0], levels[-1] + 1)):
        return f"from {levels[0]} to {levels[-1]}"
    return f"out of {', '.join(map(str, levels))}"


class Protocol(ABC):
    """One way of grading: the default wording, the shape of the items and the reader of the replies."""

    name: ClassVar[ProtocolName]
    wording: ClassVar[str]
    most_items: ClassVar[int]

    @abstractmethod
    def show(self, items: Sequence[Item], ids: Sequence[str] = ()) -> str:
        """Write the items with numbers, quoted so that their text cannot act as instructions, with ids if given."""

    @abstractmethod
    def read(
        self,
        text: str,
        count: int,
        *,
        levels: tuple[int, ...] = LEVELS,
        cut: bool = False,
        ids: Sequence[str] = (),
    ) -> Reading:
        """Read a reply about `count` items; `cut` is true if it was cut off, `ids` are the ids of the items."""

    @abstractmethod
    def schema(self, count: int, levels: tuple[int, ...] = LEVELS, ids: Sequence[str] = ()) -> dict[str, Any]:
        """Return the JSON schema of a reply, for endpoints with structured output."""

    @abstractmethod
    def reminder(self, count: int, levels: tuple[int, ...] = LEVELS) -> str:
        """Return the reply form in one line, for asking again."""

    @abstractmethod
    def example_reply(self, count: int, levels: tuple[int, ...] = LEVELS) -> str:
        """Return a reply about `count` items in the requested form; forecasts count its tokens."""

    @abstractmethod
    def locate(self, text: str, count: int) -> tuple[int | None, ...]:
        """Return where each value starts in a reply that was read."""

    @abstractmethod
    def read_token(self, text: str, levels: tuple[int, ...] = LEVELS) -> int | None:
        """Return the value of an output token, as its index in the distribution."""

    def worth(self, value: Value) -> float:
        """Return a value as a score from 0 to 1."""
        return float(value) if isinstance(value, bool) else value / 5

    @property
    def lowest(self) -> Value:
        """The value of an answer that the gate rejects."""
        return False if self.name == "match" else 0
