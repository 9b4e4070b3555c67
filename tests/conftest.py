"""What all tests share: things that not every machine has, and how their absence is told."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, settings

from absence import absent, count_absent
from local_llm import LocalLLMUnavailable, start_local_llm

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")  # a busy machine fails no test


@pytest.fixture(scope="session")
def local_llm() -> Iterator[str]:
    """Yield the base URL of a real local LLM; tests that use it share one server per worker."""
    with ExitStack() as stack:
        try:
            base_url = stack.enter_context(start_local_llm())
        except LocalLLMUnavailable as error:
            absent("local LLM", "llm", str(error))
        yield base_url


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """End the output with a line for each thing that tests went without."""
    skipped = terminalreporter.stats.get("skipped", [])
    for line in count_absent(report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple)):
        terminalreporter.write_line(line, yellow=True)
