"""Draws docs/pictures/summary.svg: what `karat grade examples/answers.jsonl` shows. Run it with `make picture`."""

import os
import re
import subprocess
import sys
import tempfile
import termios
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
START = "from karat.cli import main; main()"
WIDTH = 100


def main() -> None:
    """Grade the example without its labels, as a first run does, and save what the terminal shows as a picture."""
    shown = show_in_terminal(["grade", str(ROOT / "examples" / "answers.jsonl"), "--columns", "label="])
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, highlight=False)
        console.print(Text.from_ansi(shown))
    picture = console.export_svg(title="karat grade examples/answers.jsonl", unique_id="karat")
    local = re.sub(r"\s*@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    (ROOT / "docs" / "pictures" / "summary.svg").write_text(local, encoding="utf-8")


def show_in_terminal(words: list[str]) -> str:
    """Return what a command writes to a terminal."""
    reading, writing = os.openpty()
    termios.tcsetwinsize(writing, (50, WIDTH))
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
        [sys.executable, "-c", START, *words], cwd=folder, stdout=writing, stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": str(WIDTH)},
    ):  # fmt: skip
        os.close(writing)
        parts = list[bytes]()
        with suppress(OSError):  # how a terminal says that nobody writes to it any more
            while part := os.read(reading, 65536):
                parts.append(part)
    os.close(reading)
    return b"".join(parts).decode().replace("\r\n", "\n")


if __name__ == "__main__":
    main()
