"""How large the page of a run is, and how quickly it opens and answers a search in a browser.

Makes a run of 50,000 rows whose texts are as long as those of EVOUNA, judged by a seeded, fallible judge, writes its page
by `karat report` and opens it from disk in Chromium. Run it with `python benchmarks/report.py`.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from child import Cost, describe_machine, measure
from simulated_run import make_rows, make_run

from karat.store import Store

ROOT = Path(__file__).resolve().parent.parent
START = "from karat.cli import main; main()"
MOST_MB, MOST_SECONDS = 40, 1.0
SEED = 20_261_116
# From typing to the rows on the screen, as the page itself sees it: the best and the worst of five.
SEARCH = """
async (words) => {
  const field = document.querySelector("#filters input");
  const times = [];
  for (let turn = 0; turn < 5; turn++) {
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    const begin = performance.now();
    field.value = words;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    times.push(performance.now() - begin);
  }
  return [Math.min(...times), Math.max(...times), document.getElementById("status").textContent];
}
"""


class Search(NamedTuple):
    words: str
    best: float
    worst: float
    found: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--keep", type=Path, help="keep the page under this name")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        raw = make(folder / "karat.db", args.rows)
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        page = folder / "report.html"
        command = [
            sys.executable,
            "-c",
            START,
            "report",
            "--store",
            "karat.db",
            "-o",
            page.name,
            "--items",
            str(args.rows),
        ]
        cost = measure(command, folder=folder, env=env)
        searches, shown, ready = browse(page)
        size = page.stat().st_size / 1e6
        if args.keep:
            page.rename(args.keep)
    print(draw_table(args.rows, raw, size, cost, shown, ready, searches))
    slowest = max(search.worst for search in searches) / 1000
    if size > MOST_MB or slowest > MOST_SECONDS:
        sys.exit(
            f"{size:.1f} MB (at most {MOST_MB}), slowest search {slowest:.2f} s (at most {MOST_SECONDS})"
        )


def make(path: Path, count: int) -> float:
    """Make the run; gives the size of its texts in megabytes."""
    rows = list(make_rows(count, SEED))
    with Store(str(path)) as store:
        make_run(store, rows, SEED)
    return (
        sum(len(row.item.question or "") + len(row.item.references[0]) + len(row.item.answer) for row in rows)
        / 1e6
    )


def browse(page: Path) -> tuple[list[Search], float, float]:
    """Open the page: the searches, and the seconds until the first rows and until all rows are there."""
    sys.path.append(str(ROOT / "tests" / "report"))
    from browsing import start_browser

    with start_browser() as context:
        opened = context.new_page()
        problems = list[str]()
        opened.on("console", lambda message: problems.append(message.text))
        opened.on(
            "request",
            lambda request: problems.append(request.url) if not request.url.startswith("file:") else None,
        )
        begin = time.perf_counter()
        opened.goto(page.as_uri(), wait_until="commit")
        opened.wait_for_selector("#list [role=option]")
        shown = time.perf_counter() - begin
        opened.wait_for_selector("html[data-ready]", state="attached")
        ready = time.perf_counter() - begin
        searches = [find(opened, words) for words in ("row-49999", "a", "no such words", '"sta ki"', "ba de")]
        if problems:
            raise RuntimeError(f"the page is not quiet: {problems[:3]}")
    return searches, shown, ready


def find(opened: Any, words: str) -> Search:  # noqa: ANN401 - the browser's own
    best, worst, found = opened.evaluate(SEARCH, words)
    return Search(words, best, worst, found)


def draw_table(
    rows: int, raw: float, size: float, cost: Cost, shown: float, ready: float, searches: list[Search]
) -> str:
    """Say everything that was measured, and on what."""
    lines = [
        f"{rows:,} rows, {raw:.1f} MB of text, on {describe_machine()}",
        "",
        "| | |",
        "|---|---|",
        f"| size of the page | {size:.1f} MB |",
        f"| made in | {cost.cpu:.1f} CPU s, {cost.peak_mb:.0f} MB of memory at most |",
        f"| first rows on the screen | {shown:.2f} s after opening |",
        f"| all rows read | {ready:.2f} s after opening |",
        *(
            f"| search for `{search.words}` ({search.found}) | {search.best:.0f} to {search.worst:.0f} ms |"
            for search in searches
        ),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
