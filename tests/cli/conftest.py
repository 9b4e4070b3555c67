from pathlib import Path

import pytest
from command import Command

from karat.models import PROVIDERS


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and an environment without keys or a store."""
    monkeypatch.chdir(tmp_path)
    for name in ("KARAT_API_KEY", "KARAT_STORE"):
        monkeypatch.delenv(name, raising=False)
    for known in PROVIDERS.values():
        for name in (
            *known.keys,
            known.override,
            *(one for part in known.places.values() for one in part.variables),
        ):
            monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def karat(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)
