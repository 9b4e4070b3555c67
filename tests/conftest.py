"""Shared fixtures: optional requirements of tests, and reports of their absence."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from absence import absent, count_absent
from docs import ROOT, answer_anything, write_shown_files
from docs_files import copy_files
from local_llm import LocalLLMUnavailable, start_local_llm
from provider import Provider

LONGEST = (
    "test_cluster.py",
    "test_static_checks.py",
    "test_release.py",
    "test_end_to_end.py",
    "test_killed_runs.py",
    "test_page.py",
)

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands that tests start would compile karat every time
sys.dont_write_bytecode = False
settings.register_profile("whole", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", settings.get_profile("whole"), max_examples=30)
settings.load_profile("whole")  # without a deadline: a busy machine fails no test


@pytest.fixture(scope="session")
def local_llm() -> Iterator[str]:
    """Yield the base URL of a real local LLM; tests that use it share one server per worker."""
    with ExitStack() as stack:
        try:
            base_url = stack.enter_context(start_local_llm())
        except LocalLLMUnavailable as error:
            absent("local LLM", "llm", str(error))
        yield base_url


@pytest.fixture
def docs_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A working directory with the examples and the files that pages show, and a provider that stands in for all endpoints."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    write_shown_files(tmp_path)
    copy_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KARAT_STORE", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    with Provider(answer_anything) as provider:
        for maker in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{maker}_BASE_URL", provider.base_url)
            monkeypatch.setenv(f"{maker}_API_KEY", "not-a-real-key")
        yield provider


def pytest_configure(config: pytest.Config) -> None:
    """Without the slow tests, try fewer examples of each property too."""
    if config.getoption("markexpr") == "not slow":
        settings.load_profile("short")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that no core is idle at the end."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """End the output with a line for each thing that tests went without."""
    skipped = terminalreporter.stats.get("skipped", [])
    for line in count_absent(report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple)):
        terminalreporter.write_line(line, yellow=True)
