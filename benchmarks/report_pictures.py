"""Draws the pictures of docs/guides/read-the-report.md from answers with human labels.

The rows are EVOUNA's answers to NaturalQuestions (dev part), of which a seeded choice of 300 keep their label. Run it with
`python benchmarks/report_pictures.py --data DIR`; `--judge` names another judge than the embedded one.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
START = "from karat.cli import main; main()"
LABELLED = 300
SEED = 5
SIZE = {"width": 1240, "height": 820}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with evouna_nq.dev.jsonl.gz")
    parser.add_argument("--judge", default="embedded")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = read_rows(args.data / "evouna_nq.dev.jsonl.gz")
        labelled = set(Random(SEED).sample(range(len(rows)), LABELLED))
        with (folder / "evouna_nq.jsonl").open("w", encoding="utf-8") as out:
            for at, row in enumerate(rows):
                hidden = {} if at in labelled else {"label": None}
                out.write(json.dumps({**row, **hidden}) + "\n")
        karat(folder, "grade", "evouna_nq.jsonl", "--judge", args.judge)
        karat(folder, "report", "-o", "report.html")
        take_pictures(folder / "report.html", ROOT / "docs" / "pictures")


def karat(folder: Path, *arguments: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", START, *arguments], cwd=folder, env=env, check=True)


def read_rows(source: Path) -> list[dict[str, Any]]:
    """The rows with what their question asks for as a tag."""
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    names = ("id", "question", "references", "prediction", "system", "label")
    return [{**{name: row[name] for name in names}, "asks": asked(row["question"])} for row in found]


def asked(question: str) -> str:
    words = question.lower().split()
    return next((word for word in ("who", "when", "where", "how", "what", "which") if word in words), "other")


def take_pictures(page: Path, folder: Path) -> None:
    """The top, then agreement, confidence, and the rows on which people and judge differ."""
    sys.path.append(str(ROOT / "tests" / "report"))
    from browsing import start_browser

    with start_browser() as context:
        opened = context.new_page()
        opened.set_viewport_size(SIZE)
        opened.emulate_media(color_scheme="light", reduced_motion="reduce")
        open_page(opened, page)
        opened.screenshot(path=folder / "report-light.png")
        look_at(opened, "agreement", folder / "report-agreement.png")
        look_at(opened, "confidence", folder / "report-confidence.png")
        opened.evaluate("location.hash = '#items?agreement=disagree'")
        opened.set_viewport_size({**SIZE, "height": 1080})
        look_at(opened, "items", folder / "report-items.png")


def open_page(opened: Any, page: Path) -> None:  # noqa: ANN401 - the browser's own
    opened.goto(page.as_uri())
    opened.wait_for_selector("html[data-ready]", state="attached")


def look_at(opened: Any, name: str, path: Path) -> None:  # noqa: ANN401 - the browser's own
    opened.evaluate("name => document.getElementById(name).scrollIntoView()", name)
    opened.wait_for_timeout(300)
    opened.screenshot(path=path)


if __name__ == "__main__":
    main()
