"""The judge behind an endpoint: the gate first, then a model by one of the protocols."""

from typing import Any

import msgspec

from karat.core.flow import Flow, adrive
from karat.core.types import Item, Outcome
from karat.embedded.decide import decide_by_gate, decide_by_rules
from karat.models import Client, Endpoint, Parameters, Transport
from karat.protocols.asking import ask_items
from karat.protocols.wording import Wording
from karat.text import RULES_VERSION


def identify_llm(
    endpoint: Endpoint, wording: Wording, parameters: Parameters, *, rules_first: bool
) -> dict[str, Any]:
    """What the user asked for, and nothing that was negotiated or that only groups the work."""
    asked = msgspec.to_builtins(parameters)
    return {
        "judge": "llm",
        "protocol": wording.protocol,
        "prompt": wording.version,
        "model": endpoint.model,
        "base_url": endpoint.base_url,
        "parameters": {name: value for name, value in asked.items() if name != "prefill" or wording.opened},
        "rules": RULES_VERSION,
        "rules_first": rules_first,
    }


class LlmJudge:
    """A model that is asked by a wording, several items per prompt where that was wished."""

    def __init__(
        self,
        name: str,
        wording: Wording,
        client: Client,
        transport: Transport,
        *,
        items_per_prompt: int,
        attempts: int,
        rules_first: bool,
        concurrency: int,
    ) -> None:
        self.name = name
        self.shared = True
        self.group = items_per_prompt
        self.concurrency = concurrency
        self.identity = identify_llm(client.endpoint, wording, client.parameters, rules_first=rules_first)
        self._wording = wording
        self.client = client
        self._transport = transport
        self._attempts = attempts
        self._rules_first = rules_first

    def decide(self, item: Item) -> Outcome | None:
        """Let the gate reject junk and, if wished, the sure rules accept what needs no call."""
        by_rules = decide_by_rules if self._rules_first else decide_by_gate
        verdict = by_rules(item, self._wording.protocol)
        skips = verdict is not None and (
            verdict.value or decide_by_gate(item, self._wording.protocol) is not None
        )
        return verdict if skips else None

    async def ask(self, items: tuple[Item, ...]) -> tuple[Outcome, ...]:
        """Ask the model until every item has a verdict or a cause."""
        return await adrive(self.flow(items), self.client.answer)

    def flow(self, items: tuple[Item, ...]) -> Flow[tuple[Outcome, ...]]:
        """The asking itself, for whoever answers."""
        return ask_items(
            self._wording,
            items,
            decided_by=f"llm:{self.client.endpoint.model}",
            attempts=self._attempts,
            structured=self.client.parameters.structured,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()
