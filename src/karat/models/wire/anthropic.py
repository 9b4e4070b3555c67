"""The wire format of Anthropic's messages: pure encoding and decoding."""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from karat.core.exchange import Ask, Completion, Message
from karat.models.endpoint import Endpoint
from karat.models.parameters import Parameters, Quirks
from karat.models.wire.common import Call, count, fold_opened, meter, read_body, read_usage

VERSION = "2023-06-01"


class _Block(Struct):
    type: str
    text: str | None = None


class _Usage(Struct):
    input_tokens: int | float | None = None
    output_tokens: int | float | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Reply(Struct):
    content: list[_Block]
    stop_reason: str | None = None
    usage: Raw = Raw(b"null")


_decoder = msgspec.json.Decoder(_Reply)
_usage = msgspec.json.Decoder(_Usage)


def encode(ask: Ask, endpoint: Endpoint, parameters: Parameters, quirks: Quirks) -> Call:
    """Write a request; what the endpoint is known to refuse is left out."""
    continues = ask.prompt.opened is not None and quirks.continues
    turns = ask.prompt.messages if continues else fold_opened(ask.prompt)
    system = [turn for turn in turns if turn.role == "system"]
    messages: list[dict[str, Any]] = [
        {"role": turn.role, "content": _content([turn])} for turn in turns if turn.role != "system"
    ]
    if continues:
        messages.append({"role": "assistant", "content": (ask.prompt.opened or "").rstrip()})
    body: dict[str, Any] = {
        "model": endpoint.model,
        "max_tokens": parameters.max_tokens * ask.room,
        "messages": messages,
    }
    if system:
        body["system"] = _content(system)
    sent = {"prefill"} if continues else set[str]()
    if parameters.temperature is not None and "temperature" not in quirks.refused:
        body["temperature"] = parameters.temperature
        sent.add("temperature")
    config: dict[str, Any] = {}
    if parameters.reasoning_effort is not None and "reasoning_effort" not in quirks.refused:
        config["effort"] = parameters.reasoning_effort
        sent.add("reasoning_effort")
    if ask.prompt.schema is not None and "structured" not in quirks.refused:
        config["format"] = {"type": "json_schema", "schema": ask.prompt.schema}
        sent.add("structured")
    if config:
        body["output_config"] = config
    return Call("/messages", body, frozenset(sent))


def _content(turns: list[Message]) -> str | list[dict[str, Any]]:
    """Plain text, or blocks where a stable part ends: that part is marked for the provider's prefix cache."""
    if not any(turn.stable for turn in turns):
        return "\n\n".join(turn.text for turn in turns)
    blocks: list[dict[str, Any]] = []
    for turn in turns:
        stable, rest = turn.text[: turn.stable], turn.text[turn.stable :]
        if stable.strip():
            blocks.append({"type": "text", "text": stable, "cache_control": {"type": "ephemeral"}})
        if rest.strip():
            blocks.append({"type": "text", "text": rest})
    return blocks


def decode(body: bytes) -> Completion:
    """Read a response; anything that is not one is `Unreadable`."""
    reply = read_body(_decoder, body)
    usage = read_usage(_usage, reply.usage) or _Usage()
    read, written = count(usage.cache_read_input_tokens), count(usage.cache_creation_input_tokens)
    text = "".join(block.text or "" for block in reply.content if block.type == "text")
    fresh = usage.input_tokens
    given = None if fresh is None or fresh < 0 else fresh + read + written
    spent = meter(given, usage.output_tokens, text, read)
    stop = reply.stop_reason
    finish = "refusal" if stop == "refusal" else "length" if stop == "max_tokens" else "stop"
    return Completion(text, finish, spent=spent, written_tokens=written)
