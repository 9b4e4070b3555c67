"""Export evals of the OpenAI API with their runs and output items: one JSON file for each eval, as karat reads it.

    OPENAI_API_KEY=... python examples/export_openai_evals.py

Needs Python 3.11 and nothing else. Evals that were exported before are left alone, so the same command continues
after an interruption; a file appears only when its eval is complete.
"""

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlencode

OPENAI = "https://api.openai.com/v1"
ATTEMPTS = 6
LONGEST_WAIT = 60
BUSY = {408, 409, 429, 500, 502, 503, 504}


class ExportError(Exception):
    """A failure that is reported in one line."""


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Never sends the key to another address."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Make an error of a redirect."""


class Api:
    """The evals of one account."""

    def __init__(self, base_url: str, key: str) -> None:
        self._base = base_url.rstrip("/")
        self._key = key
        self._opener = urllib.request.build_opener(NoRedirects)

    def get(self, path: str, **query: str | int) -> dict[str, Any]:
        """Return the object at a path; a busy server is asked again."""
        address = f"{self._base}/{path}" + (f"?{urlencode(query)}" if query else "")
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {self._key}"})  # noqa: S310 - the user's own address
        problem = ""
        for attempt in range(1, ATTEMPTS + 1):
            wait = ""
            try:
                with self._opener.open(request, timeout=120) as response:
                    return dict(json.load(response))
            except urllib.error.HTTPError as error:
                problem = explain(error, path, self._base)
                if error.code not in BUSY:
                    break
                wait = error.headers.get("Retry-After", "")
            except (ValueError, TypeError):
                problem = f"{self._base} does not answer with a JSON object; is the base URL right?"
                break
            except (OSError, HTTPException) as error:
                problem = f"{self._base} cannot be reached: {getattr(error, 'reason', error)}"
            if attempt < ATTEMPTS:
                seconds = min(int(wait) if wait.isdigit() else 2**attempt, LONGEST_WAIT)
                print(f"{problem}; asked again in {seconds} s", file=sys.stderr)
                time.sleep(seconds)
        raise ExportError(problem)

    def list(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield all objects of a list, page by page."""
        last = None
        while True:
            page = self.get(path, limit=100, **({"after": last} if last else {}))
            entries: list[dict[str, Any]] = page.get("data") or []
            yield from entries
            if not entries or not page.get("has_more"):
                return
            if entries[-1]["id"] == last:
                raise ExportError(f"{self._base}: {path} gives the same page again and again")
            last = entries[-1]["id"]


def explain(error: urllib.error.HTTPError, path: str, base: str) -> str:
    """Return in one line what the server refused, and why."""
    try:
        reason = json.load(error)["error"]["message"]
    except (ValueError, LookupError, TypeError, OSError):
        reason = error.reason
    what = {401: "the key is not accepted", 403: "the key may not read evals", 404: f"no {path}"}
    told = f"{base}: {what.get(error.code, f'{path} failed')} (status {error.code}: {reason})"
    return " ".join(told.split())


def write_eval(api: Api, found: dict[str, Any], file: IO[str]) -> tuple[int, int]:
    """Write an eval, its output items and its runs; return how many runs and items there are."""
    path = f"evals/{quote(found['id'], safe='')}/runs"
    runs = list(api.list(path))
    count = 0
    file.write(f'{{"eval": {json.dumps(found)},\n"output_items": [')
    for run in runs:
        for item in api.list(f"{path}/{quote(run['id'], safe='')}/output_items"):
            file.write((",\n" if count else "\n") + json.dumps(item))
            count += 1
    file.write(f'\n],\n"runs": {json.dumps(runs)}}}\n')
    return len(runs), count


def export(api: Api, found: dict[str, Any], folder: Path) -> None:
    """Write the file of an eval, unless it is there."""
    target = folder / f"{quote(found['id'], safe='')}.json"
    if target.exists():
        print(f"{target}: is there already")
        return
    folder.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    try:
        with part.open("w", encoding="utf-8") as file:
            runs, items = write_eval(api, found, file)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    print(f"{target}: {runs} runs, {items} output items of {found.get('name')!r}")


def main() -> None:
    """Export the evals that are named, or all."""
    parser = argparse.ArgumentParser(description="export evals of the OpenAI API as JSON files for karat")
    parser.add_argument("evals", nargs="*", metavar="EVAL", help="ids of evals; all evals if left out")
    parser.add_argument("-o", "--output", type=Path, default=Path("openai-evals"), metavar="FOLDER")
    parser.add_argument("--base-url", default=os.environ.get("OPENAI_BASE_URL") or OPENAI)
    parser.add_argument("--list", action="store_true", help="only list the evals")
    given = parser.parse_args()
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        sys.exit("export_openai_evals: the environment variable OPENAI_API_KEY is not set")
    if not given.base_url.startswith(("http://", "https://")):
        sys.exit(f"export_openai_evals: {given.base_url!r} is no address; give one such as {OPENAI}")
    api = Api(given.base_url, key)
    try:
        named = (api.get(f"evals/{quote(name, safe='')}") for name in given.evals)
        for found in named if given.evals else api.list("evals"):
            if given.list:
                print(f"{found['id']}  {found.get('name')}")
            else:
                export(api, found, given.output)
    except (ExportError, OSError) as error:
        sys.exit(f"export_openai_evals: {error}")
    except KeyboardInterrupt:
        sys.exit("export_openai_evals: stopped; the same command continues")


if __name__ == "__main__":
    main()
