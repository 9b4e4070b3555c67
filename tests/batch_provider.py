"""The batch APIs of both providers on the loopback; the result of each batch can be scripted."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from aiohttp import web

AnswerOne: TypeAlias = Callable[[str, dict[str, Any], Mapping[str, str]], tuple[int, dict[str, Any]]]


@dataclass(frozen=True)
class Fate:
    """What becomes of a batch: how it ends, after how many looks in vain, and how many of its requests are done."""

    ends: Literal["completed", "failed", "expired", "cancelled"] = "completed"
    looks: float = 0
    done: int | None = None
    drop_reply: bool = False


def prompt_fate(_: int) -> Fate:
    """Every batch is done at once."""
    return Fate()


@dataclass
class Batch:
    """A batch as the provider keeps it."""

    id: str
    fate: Fate
    names: list[str]
    results: dict[str, tuple[int, dict[str, Any]]]
    metadata: dict[str, Any]
    looked_at: int = 0

    @property
    def ended(self) -> bool:
        return self.looked_at > self.fate.looks


class Batches:
    """Files and batches of one provider; what is submitted is answered at once and shown once it was looked for often enough."""

    def __init__(self, answer: AnswerOne, fate: Callable[[int], Fate]) -> None:
        self.made: list[Batch] = []
        self.names: list[str] = []
        self._answer = answer
        self._fate = fate
        self._files: dict[str, bytes] = {}

    def add_to(self, app: web.Application) -> None:
        """Serve both APIs."""
        add_post, add_get = app.router.add_post, app.router.add_get
        add_post("/v1/files", self._upload)
        add_get("/v1/files/{id}/content", self._content)
        add_post("/v1/batches", self._create_openai)
        add_get("/v1/batches", self._list)
        add_get("/v1/batches/{id}", self._look_openai)
        add_post("/v1/messages/batches", self._create_anthropic)
        add_get("/v1/messages/batches/{id}", self._look_anthropic)
        add_get("/v1/messages/batches/{id}/results", self._results)

    def release(self) -> None:
        """End all batches that did not end yet."""
        for batch in self.made:
            batch.fate = replace(batch.fate, looks=0)

    def _make(self, path: str, listed: list[tuple[str, dict[str, Any]]], metadata: dict[str, Any]) -> Batch:
        names = [name for name, _ in listed]
        assert len(set(names)) == len(names), "custom_ids must differ"
        fate = self._fate(len(self.made))
        done = 0 if fate.ends == "failed" else len(listed) if fate.done is None else fate.done
        batch = Batch(f"batch_{len(self.made)}", fate, names, {}, metadata)
        self.made.append(batch)
        self.names += names
        headers = {"x-batch": batch.id}
        batch.results = {name: self._answer(path, body, headers) for name, body in listed[:done]}
        return batch

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        assert form["purpose"] == "batch"
        upload = form["file"]
        assert isinstance(upload, web.FileField)
        name = f"file-{len(self._files)}"
        self._files[name] = upload.file.read()
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def _content(self, request: web.Request) -> web.Response:
        return web.Response(body=self._files[request.match_info["id"]])

    async def _create_openai(self, request: web.Request) -> web.Response:
        asked = await request.json()
        assert asked["completion_window"] == "24h"
        lines = [json.loads(line) for line in self._files[asked["input_file_id"]].splitlines()]
        assert all(line["method"] == "POST" and line["url"] == asked["endpoint"] for line in lines)
        listed = [(line["custom_id"], line["body"]) for line in lines]
        batch = self._make(asked["endpoint"], listed, asked.get("metadata") or {})
        if batch.fate.drop_reply and request.transport is not None:
            request.transport.abort()
        return web.json_response(self._openai(batch))

    async def _list(self, _: web.Request) -> web.Response:
        return web.json_response(
            {"object": "list", "data": [self._openai(batch) for batch in self.made[::-1]], "has_more": False}
        )

    async def _look_openai(self, request: web.Request) -> web.Response:
        batch = self._find(request)
        return web.json_response(self._openai(batch)) if batch else _unknown()

    def _openai(self, batch: Batch) -> dict[str, Any]:
        good = {name: reply for name, reply in batch.results.items() if reply[0] == 200}
        told: dict[str, Any] = {
            "id": batch.id, "object": "batch", "status": "in_progress", "metadata": batch.metadata,
            "request_counts": {"total": len(batch.names), "completed": len(good) // 2, "failed": 0},
        }  # fmt: skip
        if not batch.ended:
            return told
        told["status"] = batch.fate.ends
        if batch.fate.ends == "failed":
            told["errors"] = {"data": [{"code": "token_limit_exceeded", "message": "Enqueued token limit"}]}
            return told
        self._files[f"{batch.id}-out"] = _lines(_openai_line(name, reply) for name, reply in good.items())
        bad = [_openai_line(name, batch.results.get(name)) for name in batch.names if name not in good]
        self._files[f"{batch.id}-errors"] = _lines(bad)
        return told | {"output_file_id": f"{batch.id}-out", "error_file_id": f"{batch.id}-errors"}

    async def _create_anthropic(self, request: web.Request) -> web.Response:
        listed = [(entry["custom_id"], entry["params"]) for entry in (await request.json())["requests"]]
        batch = self._make("/v1/messages", listed, {})
        if batch.fate.drop_reply and request.transport is not None:
            request.transport.abort()
        return web.json_response(self._anthropic(batch))

    async def _look_anthropic(self, request: web.Request) -> web.Response:
        batch = self._find(request)
        return web.json_response(self._anthropic(batch)) if batch else _unknown()

    def _anthropic(self, batch: Batch) -> dict[str, Any]:
        done = len(batch.results) if batch.ended else 0
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if batch.ended else "in_progress",
            "request_counts": {"processing": len(batch.names) - done, "succeeded": done},
            "results_url": "http://elsewhere.invalid/results" if batch.ended else None,
        }

    async def _results(self, request: web.Request) -> web.Response:
        batch = self._find(request)
        if batch is None:
            return _unknown()
        lines = [_anthropic_line(name, batch.results.get(name), batch.fate) for name in batch.names]
        return web.Response(body=_lines(lines))

    def _find(self, request: web.Request) -> Batch | None:
        found = next((batch for batch in self.made if batch.id == request.match_info["id"]), None)
        if found:
            found.looked_at += 1
        return found


def _openai_line(name: str, reply: tuple[int, dict[str, Any]] | None) -> dict[str, Any]:
    if reply is None:
        error = {"code": "batch_expired", "message": "This request could not be executed before it expired."}
        return {"custom_id": name, "response": None, "error": error}
    return {"custom_id": name, "response": {"status_code": reply[0], "body": reply[1]}, "error": None}


def _anthropic_line(name: str, reply: tuple[int, dict[str, Any]] | None, fate: Fate) -> dict[str, Any]:
    if reply is None:
        return {"custom_id": name, "result": {"type": "canceled" if fate.ends == "cancelled" else "expired"}}
    if reply[0] == 200:
        return {"custom_id": name, "result": {"type": "succeeded", "message": reply[1]}}
    return {"custom_id": name, "result": {"type": "errored", "error": reply[1]}}


def _lines(lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _unknown() -> web.Response:
    return web.json_response({"error": {"message": "no such batch"}}, status=404)
