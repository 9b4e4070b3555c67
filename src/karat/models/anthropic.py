"""The wire format of Anthropic's messages: pure encoding and decoding."""

from typing import Any

from karat.core.exchange import Ask, Completion
from karat.core.types import Spent
from karat.models.endpoint import Endpoint
from karat.models.parameters import Parameters, Quirks
from karat.models.wire import Call, Unreadable, fold_opened

VERSION = "2023-06-01"


def encode(ask: Ask, endpoint: Endpoint, parameters: Parameters, quirks: Quirks) -> Call:
    """Write a request; what the endpoint is known to refuse is left out."""
    continues = ask.prompt.opened is not None and quirks.continues
    turns = ask.prompt.messages if continues else fold_opened(ask.prompt)
    system = "\n\n".join(turn.text for turn in turns if turn.role == "system")
    messages = [{"role": turn.role, "content": turn.text} for turn in turns if turn.role != "system"]
    if continues:
        messages.append({"role": "assistant", "content": (ask.prompt.opened or "").rstrip()})
    body: dict[str, Any] = {"model": endpoint.model, "max_tokens": parameters.max_tokens * ask.room, "messages": messages}
    if system:
        body["system"] = system
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


def decode(body: Any) -> Completion:  # noqa: ANN401 - whatever an endpoint sends
    """Read a response; anything that is not one is `Unreadable`."""
    try:
        text = "".join(str(block["text"]) for block in body["content"] if block.get("type") == "text")
        stop, usage = body.get("stop_reason"), body.get("usage") or {}
        read = int(usage.get("cache_read_input_tokens") or 0)
        written = int(usage.get("cache_creation_input_tokens") or 0)
        spent = Spent(
            calls=1,
            input_tokens=int(usage.get("input_tokens") or 0) + read + written,
            cached_tokens=read,
            output_tokens=int(usage.get("output_tokens") or 0),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise Unreadable(f"no message in the reply ({type(error).__name__}: {error})") from error
    finish = "refusal" if stop == "refusal" else "length" if stop == "max_tokens" else "stop"
    return Completion(text, finish, spent=spent)
