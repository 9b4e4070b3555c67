"""OpenAI's batch API: a file of requests goes in, files of results and errors come out."""

from collections.abc import Sequence
from secrets import token_hex

import msgspec
from msgspec import Raw, Struct

from karat.models.batch.types import JSON, UNDONE, Carry, Gone, Look, Request, Result, read_lines
from karat.models.wire.common import count, read_body

_PAGES = 10
_ENDED = ("completed", "failed", "expired", "cancelled")


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


class OpenAIBatches:
    """Batches at an endpoint that speaks OpenAI's format; their metadata hold our marker."""

    finds = True

    def __init__(self, carry: Carry) -> None:
        self._carry = carry

    async def submit(self, requests: Sequence[Request], marker: str) -> str:
        """Upload the requests as a file, then make a batch of it."""
        boundary = f"karat-{token_hex(16)}"
        form = _write_form(boundary, b"\n".join(_write_line(request) for request in requests))
        content = f"multipart/form-data; boundary={boundary}"
        uploaded = read_body(_file, await self._carry("POST", "/files", form, content))
        body = {
            "input_file_id": uploaded.id,
            "endpoint": f"/v1{requests[0].path}",
            "completion_window": "24h",
            "metadata": {"karat": marker},
        }
        made = await self._carry("POST", "/batches", msgspec.json.encode(body), JSON)
        return read_body(_batch, made).id

    async def find(self, marker: str) -> str | None:
        """Go through the latest batches for the one with our marker."""
        after = ""
        for _ in range(_PAGES):
            try:
                page = read_body(_page, await self._carry("GET", f"/batches?limit=100{after}", None, JSON))
            except Gone:
                return None
            for batch in page.data:
                if (batch.metadata or {}).get("karat") == marker:
                    return batch.id
            if not page.has_more or not page.data:
                break
            after = f"&after={page.data[-1].id}"
        return None

    async def look(self, batch: str) -> Look:
        """See how far a batch is."""
        found = read_body(_batch, await self._carry("GET", f"/batches/{batch}", None, JSON))
        counts = found.request_counts or _Counts()
        return Look(
            found.status in _ENDED,
            count(counts.completed) + count(counts.failed),
            count(counts.total),
            _why_failed(found) if found.status == "failed" else None,
            tuple(place for place in (found.output_file_id, found.error_file_id) if place),
        )

    async def collect(self, look: Look) -> list[Result]:
        """Read the files of results and of errors."""
        lines = list[Result]()
        for place in look.places:
            content = await self._carry("GET", f"/files/{place}/content", None, JSON)
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
