"""Parameters that the user asks for, and the ones that an endpoint refuses."""

from typing import Literal

from msgspec import Struct, structs


class Parameters(Struct, frozen=True):
    """Requested parameters; they are part of a judge's identity, whatever the endpoint accepts."""

    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int = 1024
    reasoning_effort: str | None = None
    logprobs: bool = False
    structured: bool = False
    prefill: Literal["on", "off", "auto"] = "auto"


class Quirks(Struct, frozen=True):
    """What an endpoint refused so far, and how it takes the output limit; never part of an identity."""

    refused: frozenset[str] = frozenset()
    limit_name: str = "max_tokens"
    continues: bool = False


_PREFILL_WORDS = (
    "prefill",
    "must end with a user",
    "last message",
    "final message",
    "continue_final_message",
)
_OPTIONAL = {
    "temperature": ("temperature",),
    "seed": ("seed",),
    "reasoning_effort": ("reasoning_effort", "reasoning effort", "effort"),
    "logprobs": ("logprobs",),
    "cache_key": ("prompt_cache_key",),
    "structured": (
        "response_format",
        "json_schema",
        "structured output",
        "output_config",
        "guided",
        "grammar",
    ),
}


def learn(quirks: Quirks, sent: frozenset[str], complaint: str) -> tuple[Quirks, str] | None:
    """Return new quirks and a notice after a refusal; None if the complaint names no parameter that was sent."""
    said = complaint.lower()
    if "max_completion_tokens" in said and "limit" not in quirks.refused:
        other = "max_tokens" if quirks.limit_name == "max_completion_tokens" else "max_completion_tokens"
        renamed = structs.replace(quirks, limit_name=other, refused=quirks.refused | {"limit"})
        return renamed, f"the output limit is sent as {other}"
    if "prefill" in sent and any(word in said for word in _PREFILL_WORDS):
        return structs.replace(
            quirks, continues=False, refused=quirks.refused | {"prefill"}
        ), "the opened turn is folded into the user turn"
    for name, words in _OPTIONAL.items():
        if name in sent and name not in quirks.refused and any(word in said for word in words):
            return structs.replace(
                quirks, refused=quirks.refused | {name}
            ), f"{name} was refused and is left out"
    return None
