"""Anthropic's format: messages and message batches."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from karat.core.flow import Ask, Completion, Message
from karat.models.batch.types import JSON, UNDONE, BatchStatus, Request, Result, SendRequest, read_lines
from karat.models.endpoint import Endpoint, Parameters, Quirks
from karat.models.wire.common import BASE_HEADERS, Call, count, fold_opened, meter, read_body, read_usage

_VERSION = "2023-06-01"
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "overloaded_error": 529,
}  # the HTTP status that a single call would have returned


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


def make_headers(key: str | None) -> dict[str, str]:
    """Return the headers for all requests."""
    return BASE_HEADERS | {"x-api-key": key or "", "anthropic-version": _VERSION}


def encode(ask: Ask, endpoint: Endpoint, parameters: Parameters, quirks: Quirks) -> Call:
    """Encode a request; parameters that the endpoint is known to refuse are left out."""
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
    """Return plain text, or blocks with the stable part marked for the provider's prefix cache."""
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
    """Read a response; anything else is `Unreadable`."""
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


class _Counts(Struct):
    processing: int | None = None
    succeeded: int | None = None
    errored: int | None = None
    canceled: int | None = None
    expired: int | None = None


class _Batch(Struct):
    id: str
    processing_status: str
    request_counts: _Counts | None = None


class _Detail(Struct):
    type: str = ""
    message: str = ""


class _Error(Struct):
    type: str = ""
    message: str = ""
    error: _Detail | None = None


class _Result(Struct):
    type: str
    message: Raw = Raw(b"null")
    error: _Error | None = None


class _Line(Struct):
    custom_id: str
    result: _Result


_batch = msgspec.json.Decoder(_Batch)
_line = msgspec.json.Decoder(_Line)


class Batches:
    """The batch API; it stores no markers, so a batch without a known id cannot be found again."""

    finds = False

    def __init__(self, send: SendRequest) -> None:
        self._send = send

    async def submit(self, requests: Sequence[Request], marker: str) -> str:  # noqa: ARG002 - the API has no field for it
        """Submit all requests in one body and return the id of the batch."""
        listed = [{"custom_id": request.name, "params": Raw(request.body)} for request in requests]
        body = msgspec.json.encode({"requests": listed})
        return read_body(_batch, await self._send("POST", "/messages/batches", body, JSON)).id

    async def find(self, marker: str) -> str | None:  # noqa: ARG002 - the API stores no markers
        """Return None: the API stores no markers."""
        return None

    async def fetch_status(self, batch: str) -> BatchStatus:
        """Return the progress of a batch."""
        found = read_body(_batch, await self._send("GET", f"/messages/batches/{batch}", None, JSON))
        counts = found.request_counts or _Counts()
        done = sum(
            count(part) for part in (counts.succeeded, counts.errored, counts.canceled, counts.expired)
        )
        ended = found.processing_status == "ended"
        return BatchStatus(ended, done, done + count(counts.processing), outputs=(found.id,))

    async def collect(self, status: BatchStatus) -> list[Result]:
        """Return the results, read only from the configured endpoint, never from `results_url`, which would get the key."""
        lines = list[Result]()
        for batch in status.outputs:
            content = await self._send("GET", f"/messages/batches/{batch}/results", None, JSON)
            lines += read_lines(content, _read_line)
        return lines


def _read_line(line: bytes) -> Result:
    read = read_body(_line, line)
    if read.result.type == "succeeded":
        return Result(read.custom_id, 200, bytes(read.result.message))
    if read.result.type == "errored":
        error = read.result.error or _Error()
        detail = error.error or _Detail(error.type, error.message)
        return Result(read.custom_id, _STATUS.get(detail.type, 500), msgspec.json.encode({"error": detail}))
    said = {"error": {"message": f"the provider returned {read.result.type}"}}
    return Result(read.custom_id, UNDONE, msgspec.json.encode(said))
