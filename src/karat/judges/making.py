"""From what the user asked for to a judge."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.keys import hash_content
from karat.core.types import NOTHING, ProtocolName, Spent
from karat.judges.judge import Judge
from karat.judges.llm import LlmJudge, identify_llm
from karat.judges.rules import RulesJudge
from karat.models import (
    BatchClient,
    Budget,
    Cache,
    Client,
    Endpoint,
    HttpTransport,
    Ledger,
    Parameters,
    Patience,
    Polling,
    Price,
    find_price,
    parse_endpoint,
)
from karat.protocols.promptfile import builtin_wording
from karat.protocols.wording import Wording

_BATCH_SECONDS = 600.0  # files of many requests take longer than a call
FORMS = "rules, openai:MODEL, anthropic:MODEL, http://host:port/v1#MODEL"


class Request(Struct, frozen=True, kw_only=True):
    """Everything that a user may say about a judge."""

    judge: str = "rules"
    protocol: ProtocolName = "match"
    wording: Wording | None = None
    items_per_prompt: int | Literal["auto"] | None = None
    parameters: Parameters = Parameters()
    attempts: int = 5
    rules_first: bool = False
    concurrency: int = 16
    timeout: float = 120.0
    patience: Patience = Patience()
    price: Price | None = None
    budget: float | None = None
    via: Literal["calls", "batch"] = "calls"
    polling: Polling = Polling()


class Plan(Struct, frozen=True):
    """A request that was checked, with what follows from it."""

    request: Request
    endpoint: Endpoint | None
    wording: Wording | None
    items_per_prompt: int | Literal["auto"]
    key: str | None
    price: Price | None
    identity: dict[str, object]

    @property
    def fingerprint(self) -> str:
        """The judge's identity as one hash."""
        return hash_content(self.identity)


def plan_judge(request: Request, environment: Mapping[str, str]) -> Plan:
    """Check a request before anything is read or paid for."""
    endpoint = parse_endpoint(request.judge, environment)
    if endpoint is None and request.judge != "rules":
        raise UsageError(f"unknown judge {request.judge!r}; there are {FORMS}")
    if endpoint is None and request.wording is not None:
        raise UsageError("--prompt is for LLM judges; name one with --judge, such as openai:MODEL")
    if endpoint is None and request.via == "batch":
        raise UsageError("--via batch is for LLM judges; name one with --judge, such as openai:MODEL")
    if endpoint is None:
        return Plan(request, None, None, 1, None, None, RulesJudge(request.protocol).identity)
    wording = request.wording or builtin_wording(request.protocol)
    if request.parameters.logprobs and endpoint.kind == "anthropic":
        raise UsageError(
            "--logprobs: Anthropic's API gives no token probabilities; leave it out or take another judge"
        )
    identity = identify_llm(endpoint, wording, request.parameters, rules_first=request.rules_first)
    count = _items_per_prompt(request, wording)
    key, price = endpoint.find_key(environment), find_price(endpoint, request.price)
    if request.budget is not None and price is None:
        raise UsageError(f"--budget needs to know what {endpoint.model} costs; say it with --price IN/OUT")
    return Plan(request, endpoint, wording, count, key, price, identity)


def make_judge(
    plan: Plan,
    cache: Cache | None = None,
    notice: Callable[[str], None] = lambda _: None,
    spent: Spent = NOTHING,
    ledger: Ledger | None = None,
) -> Judge:
    """Build the judge that was planned; with a ledger its client can also send provider batches."""
    request = plan.request
    if plan.endpoint is None or plan.wording is None:
        return RulesJudge(request.protocol)
    timeout = request.timeout if ledger is None else max(request.timeout, _BATCH_SECONDS)
    transport = HttpTransport(timeout=timeout, connections=request.concurrency)
    client = _client_maker(request, ledger)(
        plan.endpoint,
        request.parameters,
        transport=transport,
        cache=cache,
        key=plan.key,
        price=plan.price,
        budget=_budget(plan, spent),
        concurrency=request.concurrency,
        patience=request.patience,
        notice=notice,
    )
    return LlmJudge(
        request.judge,
        plan.wording,
        client,
        transport,
        items_per_prompt=1 if plan.items_per_prompt == "auto" else plan.items_per_prompt,
        attempts=request.attempts,
        rules_first=request.rules_first,
        concurrency=request.concurrency,
    )


def _client_maker(request: Request, ledger: Ledger | None) -> Callable[..., Client]:
    return Client if ledger is None else partial(BatchClient, ledger=ledger, polling=request.polling)


def _budget(plan: Plan, spent: Spent) -> Budget:
    ceiling = plan.request.budget
    if ceiling is None or plan.price is None:
        return Budget()
    known = spent if spent.cost_usd is not None else plan.price.charge(spent)
    return Budget(ceiling, known.cost_usd or 0.0)


def _items_per_prompt(request: Request, wording: Wording) -> int | Literal["auto"]:
    count = (
        wording.items_per_prompt or "auto" if request.items_per_prompt is None else request.items_per_prompt
    )
    if count == "auto":
        return "auto" if wording.most_items > 1 else 1
    if not 1 <= count <= wording.most_items:
        most = "one item" if wording.most_items == 1 else f"1 to {wording.most_items} items"
        raise UsageError(f"--items-per-prompt {count}: this {wording.protocol} prompt takes {most}")
    return count
