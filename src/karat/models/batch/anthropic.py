"""Anthropic's message batches: requests go in as one body, results come out as lines."""

from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct

from karat.models.batch.types import JSON, UNDONE, Carry, Look, Request, Result, read_lines
from karat.models.wire.common import count, read_body

_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "overloaded_error": 529,
}


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


class AnthropicBatches:
    """Message batches; they carry no marker of ours, so that one without a known id cannot be found again."""

    finds = False

    def __init__(self, carry: Carry) -> None:
        self._carry = carry

    async def submit(self, requests: Sequence[Request], marker: str) -> str:  # noqa: ARG002 - no place for it
        """Hand all requests in at once."""
        listed = [{"custom_id": request.name, "params": Raw(request.body)} for request in requests]
        body = msgspec.json.encode({"requests": listed})
        return read_body(_batch, await self._carry("POST", "/messages/batches", body, JSON)).id

    async def find(self, marker: str) -> str | None:  # noqa: ARG002 - there is none to compare with
        """Nothing is found: the API keeps no marker."""
        return None

    async def look(self, batch: str) -> Look:
        """See how far a batch is."""
        found = read_body(_batch, await self._carry("GET", f"/messages/batches/{batch}", None, JSON))
        counts = found.request_counts or _Counts()
        done = sum(
            count(part) for part in (counts.succeeded, counts.errored, counts.canceled, counts.expired)
        )
        ended = found.processing_status == "ended"
        return Look(ended, done, done + count(counts.processing), places=(found.id,))

    async def collect(self, look: Look) -> list[Result]:
        """Read the results from the endpoint that was given the key, whatever `results_url` says."""
        lines = list[Result]()
        for batch in look.places:
            content = await self._carry("GET", f"/messages/batches/{batch}/results", None, JSON)
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
    said = {"error": {"message": f"the provider says {read.result.type}"}}
    return Result(read.custom_id, UNDONE, msgspec.json.encode(said))
