"""Optional requirements of tests: tests that need one are skipped and counted, or failed on demand."""

import os
import re
from collections import Counter
from collections.abc import Iterable
from typing import NoReturn

import pytest


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
