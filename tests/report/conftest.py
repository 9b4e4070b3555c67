"""Shared fixtures of the page tests: a browser, a store, and a page of a run."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browsing import BrowserUnavailableError, start_browser
from making import Make, write_page

from absence import absent
from karat.store import Run, Store


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser per module: as long as it lives, an event loop runs, and no other test could have its own."""
    with ExitStack() as stack:
        try:
            context = stack.enter_context(start_browser())
        except BrowserUnavailableError as error:
            absent("browser", "browser", str(error))
        yield context


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "karat.db")) as opened:
        yield opened


@pytest.fixture
def make(store: Store, tmp_path: Path) -> Make:
    """Write the page of some runs."""

    def write(*runs: Run, most: int = 50_000, passing: int = 4) -> Path:
        return write_page(store, runs, tmp_path / "report.html", most=most, passing=passing)

    return write
