"""How much processor time a text may take."""

import time
from collections.abc import Generator
from contextlib import contextmanager

SECONDS = 20


@contextmanager
def bounded_effort() -> Generator[None]:
    """Fail where the block takes 20 s of processor time: linear work takes less than a hundredth of that anywhere, other work minutes."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < SECONDS
