"""Prompts to a model, and its replies."""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from karat.core.types import NOTHING, Cause, Spent

Role: TypeAlias = Literal["system", "user", "assistant"]


class Message(Struct, frozen=True):
    """One turn; its first `stable` characters are the same in every call of a judge."""

    role: Role
    text: str
    stable: int = 0


class Prompt(Struct, frozen=True):
    """The turns, the beginning of the assistant's turn if given, and the schema of a structured reply."""

    messages: tuple[Message, ...]
    opened: str | None = None
    schema: dict[str, Any] | None = None


class Ask(Struct, frozen=True):
    """A prompt to be answered once; `attempt` distinguishes repeats, `room` multiplies the output limit."""

    prompt: Prompt
    items: int = 1
    attempt: int = 1
    room: int = 1


class Token(Struct, frozen=True):
    """An output token, and the likeliest tokens at its place with their log-probabilities."""

    text: str
    alternatives: dict[str, float]


class Completion(Struct, frozen=True, tag="completion"):
    """The text of a reply, why it ended and what it cost; `key` is the one it is kept under.

    `written_tokens` of the input were written to a provider's prefix cache, which may cost extra.
    """

    text: str
    finish: Literal["stop", "length", "refusal"] = "stop"
    cached: bool = False
    tokens: tuple[Token, ...] | None = None
    spent: Spent = NOTHING
    written_tokens: int = 0
    key: str | None = None


class Failed(Struct, frozen=True, tag="failed"):
    """Why no completion came."""

    cause: Cause
    reason: str
    spent: Spent = NOTHING


Reply: TypeAlias = Completion | Failed
