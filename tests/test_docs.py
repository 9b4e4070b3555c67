"""Every command and every Python block in README and docs runs as it is written."""

import contextlib
import importlib.util
import io
import re
import shlex
import shutil
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from absence import absent
from karat.cli import main
from oracle import PERFECT
from provider import Call, Provider

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(console|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
STAND_IN = "localhost:8000"


def answer_anything(call: Call) -> str:
    """Answer by the contract of whichever protocol the prompt is for."""
    if "### Item 1" in call.prompt:
        count = len(re.findall(r"^### Item \d+$", call.prompt.rsplit("Your batch", 1)[-1], re.MULTILINE))
        return "{" + ", ".join(f'"Answer {number}": "Yes"' for number in range(1, count + 1)) + "}"
    protocol = "keypoints" if re.search(r"^Question 1: ", call.prompt, re.MULTILINE) else "equivalence"
    return PERFECT[protocol](lambda _: 4)(call)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A copy of the examples, and a provider that stands in for all endpoints."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KARAT_STORE", raising=False)
    with Provider(answer_anything) as provider:
        for maker in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{maker}_BASE_URL", provider.base_url)
            monkeypatch.setenv(f"{maker}_API_KEY", "not-a-real-key")
        yield provider


def blocks(language: str) -> list[object]:
    """The fenced blocks of a language, each under the name of its page."""
    return [
        pytest.param(text, id=f"{page.name}-{number}")
        for page in PAGES
        for number, (found, text) in enumerate(FENCE.findall(page.read_text(encoding="utf-8")), 1)
        if found == language
    ]


def read_commands(text: str) -> list[str]:
    """The commands of a console block, without the comments behind them."""
    return [re.sub(r"\s# .*", "", line[2:]) for line in text.splitlines() if line.startswith("$ karat ")]


@pytest.mark.parametrize("text", blocks("console"))
def test_every_karat_command_in_the_docs_works(text: str, place: Provider) -> None:
    commands = read_commands(text)
    for command in commands:
        words = shlex.split(command.replace(STAND_IN, f"127.0.0.1:{place.port}"))
        with cluster_for(text), pytest.raises(SystemExit) as left:
            main(words[1:])
        assert left.value.code == 0, command


@pytest.mark.parametrize("text", blocks("python"))
def test_every_python_block_in_the_docs_runs(text: str, place: Provider) -> None:
    printed = io.StringIO()
    with cluster_for(text), contextlib.redirect_stdout(printed):
        exec(compile(text.replace(STAND_IN, f"127.0.0.1:{place.port}"), "docs", "exec"), {})  # noqa: S102 - our own docs
    assert printed.getvalue()


@contextlib.contextmanager
def cluster_for(text: str) -> Generator[None]:
    """Start a cluster of its own for a block, and stop it: another worker's, which Ray would find, may be about to end. Skip the block where Ray is absent; Ray's own warnings are not ours."""
    if "--on ray" not in text and "karat.ray" not in text:
        yield
        return
    if importlib.util.find_spec("ray") is None:
        absent("Ray", "ray", "the extra karat[ray] is not installed")
    warnings.simplefilter("ignore")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ADDRESS", "local")
        yield
        importlib.import_module("ray").shutdown()


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
