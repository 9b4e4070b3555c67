from pathlib import Path

import pytest
from command import Command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and an environment without keys or a store."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "KARAT_API_KEY", "KARAT_STORE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def karat(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)
