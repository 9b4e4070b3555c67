"""OpenAI's format, which most servers support: chat completions and batches."""

from collections.abc import Sequence
from secrets import token_hex
from typing import Any

import msgspec
from msgspec import Raw, Struct

from karat.core.flow import Ask, Completion, Token
from karat.core.keys import hash_content
from karat.models.batch.types import (
    JSON,
    UNDONE,
    BatchStatus,
    NotFound,
    Request,
    Result,
    SendRequest,
    read_lines,
)
from karat.models.endpoint import Endpoint, Parameters, Quirks
from karat.models.wire.common import (
    BASE_HEADERS,
    Call,
    Unreadable,
    count,
    fold_opened,
    meter,
    read_body,
    read_usage,
)

_TOP = 20  # requested alternatives per token
_PAGES = 10  # of the list of batches to search
_ENDED = ("completed", "failed", "expired", "cancelled")


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


def make_headers(key: str | None) -> dict[str, str]:
    """Return the headers for all requests."""
    return BASE_HEADERS | ({"authorization": f"Bearer {key}"} if key else {})


def encode(ask: Ask, endpoint: Endpoint, parameters: Parameters, quirks: Quirks) -> Call:
    """Encode a request; parameters that the endpoint is known to refuse are left out."""
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
    """Return one key for all prompts with the same stable part, so that they share a prefix cache."""
    return "karat-" + hash_content([message.text[: message.stable] for message in ask.prompt.messages])[:16]


def decode(body: bytes) -> Completion:
    """Read a response; anything else is `Unreadable`."""
    reply = read_body(_decoder, body)
    if not reply.choices:
        raise Unreadable("the body contains no choices")
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
    """Return the text of a content, which is text, null, or a list of parts."""
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


class _File(Struct):
    id: str


class _Error(Struct):
    message: str | None = None
    code: str | None = None


class _Errors(Struct):
    data: list[_Error] | None = None


class _Counts(Struct):
    total: int | None = None
    completed: int | None = None
    failed: int | None = None


class _Batch(Struct):
    id: str
    status: str
    output_file_id: str | None = None
    error_file_id: str | None = None
    errors: _Errors | None = None
    request_counts: _Counts | None = None
    metadata: dict[str, object] | None = None


class _Page(Struct):
    data: list[_Batch]
    has_more: bool = False


class _Response(Struct):
    status_code: int
    body: Raw = Raw(b"null")


class _Line(Struct):
    custom_id: str
    response: _Response | None = None
    error: _Error | None = None


_file = msgspec.json.Decoder(_File)
_batch = msgspec.json.Decoder(_Batch)
_page = msgspec.json.Decoder(_Page)
_line = msgspec.json.Decoder(_Line)


class Batches:
    """The batch API: upload a file of requests, download files of results and errors; the marker is stored in the metadata."""

    finds = True

    def __init__(self, send: SendRequest) -> None:
        self._send = send

    async def submit(self, requests: Sequence[Request], marker: str) -> str:
        """Upload the requests as a file, create a batch of it, and return its id."""
        boundary = f"karat-{token_hex(16)}"
        form = _write_form(boundary, b"\n".join(_write_line(request) for request in requests))
        content = f"multipart/form-data; boundary={boundary}"
        uploaded = read_body(_file, await self._send("POST", "/files", form, content))
        body = {
            "input_file_id": uploaded.id,
            "endpoint": f"/v1{requests[0].path}",
            "completion_window": "24h",
            "metadata": {"karat": marker},
        }
        made = await self._send("POST", "/batches", msgspec.json.encode(body), JSON)
        return read_body(_batch, made).id

    async def find(self, marker: str) -> str | None:
        """Search the latest batches for the one with the marker; None if there is none."""
        after = ""
        for _ in range(_PAGES):
            try:
                page = read_body(_page, await self._send("GET", f"/batches?limit=100{after}", None, JSON))
            except NotFound:
                return None
            for batch in page.data:
                if (batch.metadata or {}).get("karat") == marker:
                    return batch.id
            if not page.has_more or not page.data:
                break
            after = f"&after={page.data[-1].id}"
        return None

    async def fetch_status(self, batch: str) -> BatchStatus:
        """Return the progress of a batch."""
        found = read_body(_batch, await self._send("GET", f"/batches/{batch}", None, JSON))
        counts = found.request_counts or _Counts()
        return BatchStatus(
            found.status in _ENDED,
            count(counts.completed) + count(counts.failed),
            count(counts.total),
            _why_failed(found) if found.status == "failed" else None,
            tuple(file for file in (found.output_file_id, found.error_file_id) if file),
        )

    async def collect(self, status: BatchStatus) -> list[Result]:
        """Return the lines of the files of results and errors."""
        lines = list[Result]()
        for file in status.outputs:
            content = await self._send("GET", f"/files/{file}/content", None, JSON)
            lines += read_lines(content, _read_line)
        return lines


def _write_line(request: Request) -> bytes:
    line = {
        "custom_id": request.name,
        "method": "POST",
        "url": f"/v1{request.path}",
        "body": Raw(request.body),
    }
    return msgspec.json.encode(line)


def _write_form(boundary: str, lines: bytes) -> bytes:
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="karat.jsonl"\r\n'
        "Content-Type: application/jsonl\r\n\r\n"
    )
    return b"".join((head.encode(), lines, f"\r\n--{boundary}--\r\n".encode()))


def _read_line(line: bytes) -> Result:
    read = read_body(_line, line)
    if read.response is None:
        return Result(read.custom_id, UNDONE, msgspec.json.encode({"error": read.error}))
    return Result(read.custom_id, read.response.status_code, bytes(read.response.body))


def _why_failed(batch: _Batch) -> str:
    errors = (batch.errors.data if batch.errors else None) or []
    return "; ".join(error.message or error.code or "" for error in errors[:3]) or "no reason given"
