"""The wire format of OpenAI's chat completions, spoken by most servers: pure encoding and decoding."""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from karat.core.exchange import Ask, Completion, Token
from karat.core.keys import hash_content
from karat.models.endpoint import Endpoint
from karat.models.parameters import Parameters, Quirks
from karat.models.wire.common import Call, Unreadable, fold_opened, meter, read_body, read_usage

_TOP = 20


class _Part(Struct):
    text: str | None = None


class _Message(Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Top(Struct):
    token: str
    logprob: float


class _Entry(_Top):
    top_logprobs: list[_Top] | None = None


class _Logprobs(Struct):
    content: list[_Entry] | None = None


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Details(Struct):
    cached_tokens: int | float | None = None


class _Usage(Struct):
    prompt_tokens: int | float | None = None
    completion_tokens: int | float | None = None
    prompt_tokens_details: _Details | None = None


class _Reply(Struct):
    choices: list[_Choice]
    usage: Raw = Raw(b"null")


_decoder = msgspec.json.Decoder(_Reply)
_usage = msgspec.json.Decoder(_Usage)


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
    if endpoint.kind == "openai":
        optional["cache_key"] = {"prompt_cache_key": _cache_key(ask)}
    if continues:
        messages.append({"role": "assistant", "content": ask.prompt.opened or ""})
        optional["prefill"] = {"continue_final_message": True, "add_generation_prompt": False}
    kept = {name: fields for name, fields in optional.items() if name not in quirks.refused}
    for fields in kept.values():
        body |= fields
    return Call("/chat/completions", body, frozenset(kept))


def _cache_key(ask: Ask) -> str:
    """One key for all prompts with the same stable part, so that they meet the same prefix cache."""
    return "karat-" + hash_content([message.text[: message.stable] for message in ask.prompt.messages])[:16]


def decode(body: bytes) -> Completion:
    """Read a response; anything that is not one is `Unreadable`."""
    reply = read_body(_decoder, body)
    if not reply.choices:
        raise Unreadable("the body holds no choice")
    choice, usage = reply.choices[0], read_usage(_usage, reply.usage) or _Usage()
    message = choice.message
    refused = message.refusal or choice.finish_reason == "content_filter"
    text = (message.refusal if refused else None) or _join(message.content)
    cached = (usage.prompt_tokens_details or _Details()).cached_tokens
    spent = meter(usage.prompt_tokens, usage.completion_tokens, text, cached)
    if refused:
        return Completion(text, "refusal", spent=spent)
    finish = "length" if choice.finish_reason == "length" else "stop"
    return Completion(text, finish, tokens=_read_tokens(choice.logprobs), spent=spent)


def _join(content: str | list[_Part] | None) -> str:
    """Content is text, nothing, or a list of parts with text in them."""
    if isinstance(content, list):
        return "".join(part.text or "" for part in content)
    return content or ""


def _read_tokens(logprobs: _Logprobs | None) -> tuple[Token, ...] | None:
    if logprobs is None or not logprobs.content:
        return None
    return tuple(
        Token(entry.token, {top.token: min(0.0, top.logprob) for top in entry.top_logprobs or [entry]})
        for entry in logprobs.content
    )
