"""What the two wire formats have in common: the encoded call and the faults of a reply."""

from typing import Any

from msgspec import Struct

from karat.core.exchange import Message, Prompt


class Call(Struct, frozen=True):
    """A request body with the names of the optional things that are in it."""

    path: str
    body: dict[str, Any]
    sent: frozenset[str]


class Unreadable(Exception):  # noqa: N818 - not the user's error, and never leaves this room
    """The endpoint answered, but not in its own format."""


def fold_opened(prompt: Prompt) -> tuple[Message, ...]:
    """Put an opened assistant turn at the end of the last turn, for endpoints that do not continue it."""
    if prompt.opened is None:
        return prompt.messages
    *before, last = prompt.messages
    return (*before, Message(last.role, f"{last.text}\n\n{prompt.opened}", last.stable))


def find_complaint(body: Any) -> str:  # noqa: ANN401 - whatever an endpoint sends
    """The endpoint's own words about what went wrong, on one line."""
    error = body.get("error", body) if isinstance(body, dict) else body  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if isinstance(error, dict):
        parts = [error.get(key) for key in ("message", "detail", "param", "code")]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        error = " ".join(str(part) for part in parts if part and part != "null")  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return " ".join(str(error).split())[:500]  # pyright: ignore[reportUnknownArgumentType]
