"""The commands and Python blocks of README and docs, and how they are run."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from karat.cli import main
from oracle import PERFECT
from provider import Call, Provider

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(console|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
STAND_IN = "localhost:8000"


def blocks(language: str, *, on_ray: bool) -> list[object]:
    """The fenced blocks of a language that need a Ray cluster, or need none, each under the name of its page."""
    return [
        pytest.param(text, id=f"{page.name}-{number}")
        for page in PAGES
        for number, (found, text) in enumerate(FENCE.findall(page.read_text(encoding="utf-8")), 1)
        if found == language and ("--on ray" in text or "karat.ray" in text) == on_ray
    ]


def read_commands(text: str) -> list[str]:
    """The commands of a console block, without the comments behind them."""
    return [re.sub(r"\s# .*", "", line[2:]) for line in text.splitlines() if line.startswith("$ karat ")]


def run_commands(text: str, provider: Provider) -> None:
    """Run the commands of a console block; each must end well."""
    for command in read_commands(text):
        words = shlex.split(command.replace(STAND_IN, f"127.0.0.1:{provider.port}"))
        with pytest.raises(SystemExit) as left:
            main(words[1:])
        assert left.value.code == 0, command


def run_block(text: str, provider: Provider) -> None:
    """Run a Python block; it must print something."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text.replace(STAND_IN, f"127.0.0.1:{provider.port}"), "docs", "exec"), {})  # noqa: S102 - our own docs
    assert printed.getvalue()


def answer_anything(call: Call) -> str:
    """Answer by the contract of whichever protocol the prompt is for."""
    if "### Item 1" in call.prompt:
        count = len(re.findall(r"^### Item \d+$", call.prompt.rsplit("Your batch", 1)[-1], re.MULTILINE))
        return "{" + ", ".join(f'"Answer {number}": "Yes"' for number in range(1, count + 1)) + "}"
    protocol = "keypoints" if re.search(r"^Question 1: ", call.prompt, re.MULTILINE) else "equivalence"
    return PERFECT[protocol](lambda _: 4)(call)
