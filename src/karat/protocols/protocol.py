"""What a protocol is: how items look in a prompt and how a reply is read, both pure."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct

from karat.core.types import Item, ProtocolName, Value

LEVELS = (0, 1, 2, 3, 4, 5)


class Aligned(Struct, frozen=True):
    """The reply speaks of the items one by one; None stands where a value is missing or not on the scale."""

    values: tuple[Value | None, ...]


class Misaligned(Struct, frozen=True):
    """The reply cannot be laid against the items, so none of its values counts."""

    why: str


Reading: TypeAlias = Aligned | Misaligned


def span_levels(levels: tuple[int, ...]) -> str:
    """Say in words which integers are on the scale."""
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
        """Write the items numbered, each fenced so that its text cannot pass for anything else, with ids where there are some."""

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
        """Read a reply about `count` items; `cut` says that the model ran out of room, `ids` how the items were named."""

    @abstractmethod
    def schema(self, count: int, levels: tuple[int, ...] = LEVELS, ids: Sequence[str] = ()) -> dict[str, Any]:
        """Describe the reply for endpoints that can be held to a JSON schema."""

    @abstractmethod
    def reminder(self, count: int, levels: tuple[int, ...] = LEVELS) -> str:
        """Repeat the reply contract in one line, for asking again."""

    @abstractmethod
    def example_reply(self, count: int, levels: tuple[int, ...] = LEVELS) -> str:
        """Write a reply about `count` items as the prompt asks for it, such as a forecast counts."""

    @abstractmethod
    def locate(self, text: str, count: int) -> tuple[int | None, ...]:
        """Find where each value starts in a reply that was read."""

    @abstractmethod
    def weigh(self, text: str, levels: tuple[int, ...] = LEVELS) -> int | None:
        """Say which value a single output token stands for: its place in the distribution."""

    def worth(self, value: Value) -> float:
        """Turn a value into a score from 0 to 1."""
        return float(value) if isinstance(value, bool) else value / 5

    @property
    def lowest(self) -> Value:
        """The value of an answer that the gate rejects."""
        return False if self.name == "match" else 0
