"""The commands, shown output, Python blocks and links of README and docs, and how they are checked."""

import contextlib
import difflib
import functools
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from evals_api import KEY, EvalsApi
from karat.cli import main
from oracle import PERFECT
from provider import Call, Provider

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
FENCE = re.compile(r"^```(console|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
ANY_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
SCRIPT = "$ python examples/export_openai_evals.py"
STAND_IN = "localhost:8000"
LEFT_OUT = "…"


def blocks(language: str, *, on_ray: bool) -> list[object]:
    """The fenced blocks of a language that need a Ray cluster, or need none, each under the path of its page."""
    return [
        pytest.param(text, id=f"{page.relative_to(ROOT)}-{number}")
        for page in PAGES
        for number, (found, text) in enumerate(FENCE.findall(page.read_text(encoding="utf-8")), 1)
        if found == language and ("--on ray" in text or "karat.ray" in text) == on_ray
    ]


def write_shown_files(folder: Path) -> None:
    """Write the files that the pages show (```` ```csv my.csv ````), so that commands can read them."""
    shown = dict[str, str]()
    for page in PAGES:
        for name, content in FILE.findall(page.read_text(encoding="utf-8")):
            assert shown.setdefault(name, content) == content, f"{page} shows another {name}"
    for name, content in shown.items():
        folder.joinpath(name).write_text(content, encoding="utf-8")


class Step(NamedTuple):
    """A command of a console block, the output shown below it, and how it must end (`# exit code N`, else 0)."""

    command: str
    shown: list[str]
    code: int


def read_steps(text: str) -> list[Step]:
    """The commands of a console block without the comments behind them."""
    steps = list[Step]()
    for line in text.splitlines():
        if line.startswith(("$ karat ", SCRIPT)):
            command, _, comment = line[2:].partition(" # ")
            code = re.match(r"exit code (\d+)", comment)
            steps.append(Step(command, [], int(code[1]) if code else 0))
        elif steps:
            steps[-1].shown.append(line)
    return steps


def run_commands(text: str, provider: Provider) -> None:
    """Run the commands of a console block; each must end as it should and print what is shown below it."""
    for command, shown, code in read_steps(text):
        words = shlex.split(command.replace(STAND_IN, f"127.0.0.1:{provider.port}"))
        if words[0] != "karat":
            check_shown(command, shown, run_example(words, code))
            continue
        printed = io.StringIO()
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            pytest.raises(SystemExit) as left,
        ):
            main(words[1:])
        assert left.value.code == code, f"{command}\n{printed.getvalue()}"
        check_shown(command, shown, printed.getvalue())


def run_example(words: list[str], code: int) -> str:
    """Run an example that speaks to the evals of the OpenAI API; return what it prints."""
    with EvalsApi() as api:
        variables = os.environ | {
            "OPENAI_BASE_URL": api.base_url,
            "OPENAI_API_KEY": KEY,
            "no_proxy": "127.0.0.1",
        }
        ended = subprocess.run(
            [sys.executable, *words[1:]], env=variables, capture_output=True, text=True, check=False
        )
    assert ended.returncode == code, ended.stderr
    return ended.stdout + ended.stderr


def check_shown(command: str, shown: list[str], printed: str) -> None:
    """Every shown line must be printed, in this order; blanks do not count, `…` stands for text that is left out."""
    lines = [squeeze(line) for line in printed.splitlines()]
    at = 0
    for line in map(squeeze, shown):
        if line in {"", LEFT_OUT}:
            continue
        found = (n for n in range(at, len(lines)) if fits(line, lines[n]))
        at = next(found, -1) + 1
        assert at, (
            f"{command} does not print {line!r}; nearest: {difflib.get_close_matches(line, lines, 1, 0)}"
        )


def squeeze(line: str) -> str:
    return " ".join(line.split())


def fits(shown: str, printed: str) -> bool:
    """Whether a shown line is the printed one, or its beginning where it ends in `…`."""
    return printed == shown or (shown.endswith(LEFT_OUT) and printed.startswith(shown.removesuffix(LEFT_OUT)))


def run_block(text: str, provider: Provider) -> None:
    """Run a Python block; it must print something, and what it shows in `# ` lines at its end."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text.replace(STAND_IN, f"127.0.0.1:{provider.port}"), "docs", "exec"), {})  # noqa: S102 - our own docs
    assert printed.getvalue()
    shown = re.findall(r"^# (.*)$", text, re.MULTILINE)
    check_shown("the block", shown, printed.getvalue())


def read_mentions(page: Path) -> Iterator[str]:
    """What a page writes as code outside of the blocks that are run: inline code, and lines of plain blocks."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for block in read_plain_blocks(page):
        yield from block.splitlines()
    yield from re.findall(r"`([^`\n]+)`", ANY_FENCE.sub("", text))


def read_plain_blocks(page: Path) -> Iterator[str]:
    """The blocks of a page that are not run."""
    for block in ANY_FENCE.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        yield "\n".join(block.splitlines()[1:-1])


@functools.cache
def read_help(*command: str) -> str:
    """What `--help` prints for a command."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit) as left:
        main([*command, "--help"])
    assert left.value.code == 0, f"karat {' '.join(command)} is no command"
    return printed.getvalue()


def list_commands(*group: str) -> list[str]:
    """The commands of a group, or those of karat itself; none for a command that has none."""
    found = read_help(*group)
    return re.findall(r"^│ ([a-z]+) ", found, re.MULTILINE) if "COMMAND" in found.split("\n\n", 1)[0] else []


def list_options(*command: str) -> set[str]:
    """The options of a command, as its help names them."""
    return set(OPTION.findall(read_help(*command)))


def find_links(page: Path) -> Iterator[tuple[str, str]]:
    """The links of a page to files, each as path and anchor; the path is empty for the page itself."""
    yield from LINK.findall(ANY_FENCE.sub("", page.read_text(encoding="utf-8")))


def find_anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = ANY_FENCE.sub("", page.read_text(encoding="utf-8"))
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for heading in HEADING.findall(text)
    }


def answer_anything(call: Call) -> str:
    """Answer by the contract of whichever protocol the prompt is for."""
    if "### Item 1" in call.prompt:
        count = len(re.findall(r"^### Item \d+$", call.prompt.rsplit("Your batch", 1)[-1], re.MULTILINE))
        return "{" + ", ".join(f'"Answer {number}": "Yes"' for number in range(1, count + 1)) + "}"
    protocol = "keypoints" if re.search(r"^Question 1: ", call.prompt, re.MULTILINE) else "equivalence"
    return PERFECT[protocol](lambda _: 4)(call)
