"""The evals of the OpenAI API on the loopback: what an export holds, served page by page as the API documents it."""

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

EXPORT = Path(__file__).parent / "rows" / "formats" / "documented" / "openai-evals-api" / "export.json"
KEY = "not-a-real-key"


def make_error(message: str) -> dict[str, Any]:
    """The body of a refusal."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


class EvalsApi:
    """Serves evals, runs and output items in pages of `largest` at most.

    `scripted` answers the requests of a path, one after the other, with a status and headers before the real answer comes.
    """

    def __init__(
        self,
        exports: Mapping[str, Any] | None = None,
        *,
        largest: int = 2,
        scripted: Mapping[str, list[tuple[int, dict[str, str]]]] | None = None,
    ) -> None:
        self.largest = largest
        self.scripted = {path: list(replies) for path, replies in (scripted or {}).items()}
        self.requests: list[str] = []
        exports = exports or {"": json.loads(EXPORT.read_text(encoding="utf-8"))}
        self.lists: dict[str, list[Any]] = {"evals": [one["eval"] for one in exports.values()]}
        self.objects: dict[str, Any] = {}
        for one in exports.values():
            name = f"evals/{one['eval']['id']}"
            self.objects[name] = one["eval"]
            self.lists[f"{name}/runs"] = [{**run, "output_items": None} for run in one["runs"]]
            for run in self.lists[f"{name}/runs"]:
                del run["output_items"]
            for run in one["runs"]:
                self.lists[f"{name}/runs/{run['id']}/output_items"] = run["output_items"]
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, headers, body = api.answer(self.path, self.headers.get("Authorization", ""))
                content = json.dumps(body).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
                """Print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        """What a client of the API is given."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def answer(self, target: str, authorization: str) -> tuple[int, dict[str, str], Any]:
        """Return status, headers and body."""
        address = urlsplit(target)
        path, query = address.path.removeprefix("/v1/"), parse_qs(address.query)
        self.requests.append(target)
        if authorization != f"Bearer {KEY}":
            return 401, {}, make_error("Incorrect API key provided.")
        if self.scripted.get(path):
            status, headers = self.scripted[path].pop(0)
            return status, headers, make_error("Try again later.")
        if path in self.objects:
            return 200, {}, self.objects[path]
        if path not in self.lists:
            return 404, {}, make_error(f"No such object:\n{path}")
        return 200, {}, self._cut_page(self.lists[path], query)

    def _cut_page(self, entries: list[Any], query: Mapping[str, list[str]]) -> dict[str, Any]:
        after = query.get("after", [None])[0]
        start = 0 if after is None else [one["id"] for one in entries].index(after) + 1
        size = min(int(query.get("limit", ["20"])[0]), self.largest)
        page = entries[start : start + size]
        return {
            "object": "list",
            "data": page,
            "first_id": page[0]["id"] if page else None,
            "last_id": page[-1]["id"] if page else None,
            "has_more": start + size < len(entries),
        }
