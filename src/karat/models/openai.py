"""The wire format of OpenAI's chat completions, spoken by most servers: pure encoding and decoding."""

from typing import Any, cast

from karat.core.exchange import Ask, Completion, Token
from karat.core.types import Spent
from karat.models.endpoint import Endpoint
from karat.models.parameters import Parameters, Quirks
from karat.models.wire import Call, Unreadable, fold_opened

_TOP = 20


def encode(ask: Ask, endpoint: Endpoint, parameters: Parameters, quirks: Quirks) -> Call:
    """Write a request; what the endpoint is known to refuse is left out."""
    continues = ask.prompt.opened is not None and quirks.continues
    turns = ask.prompt.messages if continues else fold_opened(ask.prompt)
    messages = [{"role": turn.role, "content": turn.text} for turn in turns]
    body: dict[str, Any] = {"model": endpoint.model, "messages": messages}
    body[quirks.limit_name] = parameters.max_tokens * ask.room
    optional: dict[str, dict[str, Any]] = {}
    if parameters.temperature is not None:
        optional["temperature"] = {"temperature": parameters.temperature}
    if parameters.seed is not None:
        optional["seed"] = {"seed": parameters.seed}
    if parameters.reasoning_effort is not None:
        optional["reasoning_effort"] = {"reasoning_effort": parameters.reasoning_effort}
    if parameters.logprobs:
        optional["logprobs"] = {"logprobs": True, "top_logprobs": _TOP}
    if ask.prompt.schema is not None:
        form = {"name": "verdicts", "strict": True, "schema": ask.prompt.schema}
        optional["structured"] = {"response_format": {"type": "json_schema", "json_schema": form}}
    if continues:
        messages.append({"role": "assistant", "content": ask.prompt.opened or ""})
        optional["prefill"] = {"continue_final_message": True, "add_generation_prompt": False}
    kept = {name: fields for name, fields in optional.items() if name not in quirks.refused}
    for fields in kept.values():
        body |= fields
    return Call("/chat/completions", body, frozenset(kept))


def decode(body: Any) -> Completion:  # noqa: ANN401 - whatever an endpoint sends
    """Read a response; anything that is not one is `Unreadable`."""
    try:
        choice = body["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        finish = choice.get("finish_reason")
        usage = body.get("usage") or {}
        details = usage.get("prompt_tokens_details") or {}
        spent = Spent(
            calls=1,
            input_tokens=int(usage.get("prompt_tokens") or 0),
            cached_tokens=int(details.get("cached_tokens") or 0),
            output_tokens=int(usage.get("completion_tokens") or 0),
        )
        if refusal or finish == "content_filter":
            return Completion(str(refusal or text or ""), "refusal", spent=spent)
        tokens = _read_tokens(choice.get("logprobs"))
        return Completion(_join(text), "length" if finish == "length" else "stop", tokens=tokens, spent=spent)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise Unreadable(f"no chat completion in the reply ({type(error).__name__}: {error})") from error


def _join(content: object) -> str:
    """Content is text, nothing, or a list of parts with text in them."""
    if isinstance(content, list):
        parts = cast("list[Any]", content)
        return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return content if isinstance(content, str) else ""


def _read_tokens(logprobs: Any) -> tuple[Token, ...] | None:  # noqa: ANN401 - whatever an endpoint sends
    if not logprobs or not logprobs.get("content"):
        return None
    return tuple(
        Token(
            str(entry["token"]),
            {str(top["token"]): float(top["logprob"]) for top in entry.get("top_logprobs") or [entry]},
        )
        for entry in logprobs["content"]
    )
