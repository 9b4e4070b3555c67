"""Benchmarks are scripts that import each other by name, so their folder is on the path as it is when one runs."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    """No test asks how wide an interval is, so that few resamples do."""
    from prompting import figures

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "DRAWS", 40)
        yield
