"""Judges behind an endpoint: the gate first, then a model by one of the protocols."""

from collections.abc import Sequence
from typing import Any

import msgspec

from karat.core.flow import Flow, adrive, adrive_together
from karat.core.types import Item, Outcome
from karat.embedded.decide import decide_by_gate, decide_by_rules
from karat.judges.request import Request
from karat.models import BatchClient, Client, Endpoint, Parameters, Transport
from karat.protocols.asking import ask_items
from karat.protocols.wording import Wording
from karat.text import GATE_VERSION, RULES_VERSION


def identify_llm(
    endpoint: Endpoint, wording: Wording, parameters: Parameters, *, rules_first: bool
) -> dict[str, Any]:
    """Return the identity of the judge: what the user requested, without negotiated parameters and batch sizes.

    Without `rules_first` a change of the rules does not change the identity: only the gate and unwrapping come before the model.
    """
    asked = msgspec.to_builtins(parameters)
    return {
        "judge": "llm",
        "protocol": wording.protocol,
        "prompt": wording.version,
        "model": endpoint.model,
        "base_url": endpoint.base_url,
        "parameters": {name: value for name, value in asked.items() if name != "prefill" or wording.opened},
        "rules": RULES_VERSION if rules_first else GATE_VERSION,
        "rules_first": rules_first,
    }


class LlmJudge:
    """Asks a model with a wording, `group` items per prompt."""

    shared = True

    def __init__(
        self, request: Request, wording: Wording, client: Client, transport: Transport, group: int
    ) -> None:
        self.name = request.judge
        self.group = group
        self.concurrency = request.concurrency
        self.identity = identify_llm(
            client.endpoint, wording, client.parameters, rules_first=request.rules_first
        )
        self._wording = wording
        self._client = client
        self._transport = transport
        self._attempts = request.attempts
        self._rules_first = request.rules_first

    def decide(self, item: Item) -> Outcome | None:
        """Reject junk by the gate and, with `--rules-first`, accept answers that certain rules decide."""
        by_rules = decide_by_rules if self._rules_first else decide_by_gate
        verdict = by_rules(item, self._wording.protocol)
        skips = verdict is not None and (
            verdict.value or decide_by_gate(item, self._wording.protocol) is not None
        )
        return verdict if skips else None

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Ask the model until every item has a verdict or a cause."""
        return await adrive(self._flow(items), self._client.answer)

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()

    def _flow(self, items: tuple[Item, ...]) -> Flow[tuple[Outcome, ...]]:
        return ask_items(
            self._wording,
            items,
            decided_by=f"llm:{self._client.endpoint.model}",
            attempts=self._attempts,
            structured=self._client.parameters.structured,
        )


class BatchJudge(LlmJudge):
    """An LLM judge that can also ask about many groups together, by provider batches."""

    def __init__(
        self, request: Request, wording: Wording, client: BatchClient, transport: Transport, group: int
    ) -> None:
        super().__init__(request, wording, client, transport, group)
        self._batches = client

    async def collect_unfinished(self) -> None:
        """Collect the batches that an earlier process submitted."""
        await self._batches.collect_unfinished()

    async def ask_together(self, groups: Sequence[tuple[Item, ...]]) -> list[tuple[Outcome, ...]]:
        """Ask about all groups by provider batches; one tuple of outcomes per group."""
        return await adrive_together([self._flow(group) for group in groups], self._batches.answer_together)
