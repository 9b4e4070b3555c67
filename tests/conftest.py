"""What all tests share: things that not every machine has, and how their absence is told."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import NoReturn

import pytest

from local_llm import LocalLLMUnavailable, start_local_llm


@pytest.fixture(scope="session")
def local_llm() -> Iterator[str]:
    """Yield the base URL of a real local LLM; tests that use it belong to the xdist group `local-llm`."""
    with ExitStack() as stack:
        try:
            base_url = stack.enter_context(start_local_llm())
        except LocalLLMUnavailable as error:
            absent("local LLM", "llm", str(error))
        yield base_url


def absent(what: str, name: str, why: str) -> NoReturn:
    """Skip the test, or fail it where KARAT_TEST_REQUIRE names the thing or says `all`."""
    required = re.split(r"[,\s]+", os.environ.get("KARAT_TEST_REQUIRE", ""))
    if {"all", name} & set(required):
        pytest.fail(f"{what} not available: {why}", pytrace=False)
    pytest.skip(f"{what} not available: {why}; set KARAT_TEST_REQUIRE=all to make this a failure")


def count_absent(reasons: Iterable[str]) -> list[str]:
    """Say for each absent thing how many tests were skipped for it; other skips are not counted."""
    found = (
        re.match(r"(?:Skipped: )?(.+?) not available: .*KARAT_TEST_REQUIRE", reason) for reason in reasons
    )
    counts = Counter(match[1] for match in found if match)
    return [
        f"karat: {n} test{'s' if n > 1 else ''} skipped because the {what} is absent"
        for what, n in counts.items()
    ]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """End the output with a line for each thing that tests went without."""
    skipped = terminalreporter.stats.get("skipped", [])
    for line in count_absent(report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple)):
        terminalreporter.write_line(line, yellow=True)
