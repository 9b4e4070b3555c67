"""A simulated provider that limits calls and tokens per minute, as a transport."""

import asyncio
import json
import random
from collections import deque
from typing import Any, Literal, TypeAlias

from karat.models.transport import Response
from simulated import now

Kind: TypeAlias = Literal["bucket", "window"]


class Bucket:
    """Fills up evenly; it is renewed when it is full again."""

    def __init__(self, per_minute: float) -> None:
        self.per_minute = per_minute
        self._level, self._at = per_minute, 0.0

    def left(self) -> float:
        self._level = min(self.per_minute, self._level + (now() - self._at) * self.per_minute / 60)
        self._at = now()
        return self._level

    def take(self, amount: float) -> None:
        self._level = self.left() - amount

    def reset(self) -> float:
        return (self.per_minute - self.left()) * 60 / self.per_minute

    def wait(self, amount: float) -> float:
        return max(0.0, (amount - self.left()) * 60 / self.per_minute)


class Window:
    """Counts the last sixty seconds; it is renewed when the oldest leaves them."""

    def __init__(self, per_minute: float) -> None:
        self.per_minute = per_minute
        self._taken = deque[tuple[float, float]]()
        self._sum = 0.0

    def left(self) -> float:
        while self._taken and self._taken[0][0] <= now() - 60:
            self._sum -= self._taken.popleft()[1]
        return self.per_minute - self._sum

    def take(self, amount: float) -> None:
        self._taken.append((now(), amount))
        self._sum += amount

    def reset(self) -> float:
        self.left()
        return self._taken[0][0] + 60 - now() if self._taken else 0.0

    def wait(self, amount: float) -> float:
        return self.reset() if self.left() < amount else 0.0


class LimitedProvider:
    """Answers 429 with Retry-After beyond its limits, and says what is left where `headers` is on."""

    def __init__(self, kind: Kind, *, rpm: float, tpm: float, output: int, headers: bool) -> None:
        limit = Bucket if kind == "bucket" else Window
        self.requests, self.tokens = limit(rpm), limit(tpm)
        self.answered = list[tuple[float, int, int]]()
        self._output = output
        self._headers = headers
        self._dice = random.Random(7)

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        await asyncio.sleep(self._dice.uniform(0.01, 0.1))
        asked = json.loads(body or b"")
        used = len(asked["messages"][0]["content"]) // 4 + self._output
        wait = max(self.requests.wait(1), self.tokens.wait(used))
        status = 429 if wait > 0 else 200
        self.answered.append((now(), status, used))
        if status == 429:
            return Response(429, {"retry-after": f"{wait:.3f}", **self._tell()}, b"{}")
        self.requests.take(1)
        self.tokens.take(used)
        told = self._tell()
        await asyncio.sleep(self._dice.lognormvariate(0.5, 0.4))
        return Response(200, told, _reply(used, self._output))

    async def close(self) -> None: ...

    def _tell(self) -> dict[str, str]:
        if not self._headers:
            return {}
        return {
            "x-ratelimit-remaining-requests": str(int(self.requests.left())),
            "x-ratelimit-reset-requests": f"{self.requests.reset():.3f}s",
            "x-ratelimit-remaining-tokens": str(int(self.tokens.left())),
            "x-ratelimit-reset-tokens": f"{self.tokens.reset():.3f}s",
        }


def _reply(used: int, output: int) -> bytes:
    usage = {"prompt_tokens": used - output, "completion_tokens": output}
    reply: dict[str, Any] = {"choices": [{"message": {"content": "ok"}}], "usage": usage}
    return json.dumps(reply).encode()
