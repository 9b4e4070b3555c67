"""From what the user asked for to a judge."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from karat.core.errors import UsageError, option
from karat.core.keys import hash_content
from karat.core.types import NOTHING, Spent
from karat.embedded.judge import EmbeddedJudge
from karat.judges.judge import Judge
from karat.judges.llm import LlmJudge, identify_llm
from karat.judges.panel import PanelJudge, identify_panel
from karat.judges.permuted import PermutedJudge
from karat.judges.request import Request, refuse_misfits, refuse_what_no_model_needs
from karat.judges.rules import RulesJudge
from karat.models import (
    MOST_BYTES,
    MOST_RESULT_BYTES,
    BatchClient,
    Budget,
    Cache,
    Client,
    Endpoint,
    HttpTransport,
    Ledger,
    Limits,
    Price,
    check_ca_file,
    find_price,
    parse_endpoint,
)
from karat.protocols.promptfile import builtin_wording
from karat.protocols.wording import Wording

_BATCH_SECONDS = 600.0  # files of many requests take longer than a call
LOCAL = ("embedded", "rules")
FORMS = "embedded, rules, openai:MODEL, anthropic:MODEL, http://host:port/v1#MODEL"


class Plan(Struct, frozen=True):
    """A request that was checked, with what follows from it."""

    request: Request
    endpoint: Endpoint | None
    wording: Wording | None
    items_per_prompt: int | Literal["auto"]
    key: str | None
    price: Price | None
    identity: dict[str, object]
    members: tuple["Plan", ...] = ()

    @property
    def name(self) -> str:
        """The judge as the user wrote it."""
        return ",".join(self.request.panel) or self.request.judge

    @property
    def fingerprint(self) -> str:
        """The judge's identity as one hash."""
        return hash_content(self.identity)


def plan_judge(request: Request, environment: Mapping[str, str], *, paying: bool = True) -> Plan:
    """Check a request before anything is read or paid for; who will not pay needs no key."""
    refuse_misfits(request)
    plan = _plan_panel if request.panel else _plan_one
    return plan(request, environment, paying=paying)


def _plan_panel(request: Request, environment: Mapping[str, str], *, paying: bool) -> Plan:
    """A panel asks one item per prompt unless the user fixes another number: no check would fit all members."""
    if len(request.panel) < 2 or len(set(request.panel)) < len(request.panel):  # noqa: PLR2004 - a panel
        raise UsageError(
            option("panel"), f" {','.join(request.panel)}: a panel has two or more different judges"
        )
    if all(judge in LOCAL for judge in request.panel):
        refuse_what_no_model_needs(request, f"no member of {','.join(request.panel)} is one")
    members = tuple(
        _plan_one(for_member(request, judge), environment, paying=paying) for judge in request.panel
    )
    identity = identify_panel([member.identity for member in members], request.combine, request.protocol)
    counts = [member.items_per_prompt for member in members if member.items_per_prompt != "auto"]
    first = next((member for member in members if member.endpoint is not None), members[0])
    count = min(counts, default=1)
    return Plan(request, first.endpoint, first.wording, count, None, first.price, identity, members)


def for_member(request: Request, judge: str) -> Request:
    """What is asked of one judge among several: one that makes no calls takes no options of calls."""
    if judge in LOCAL:
        return Request(judge=judge, protocol=request.protocol)
    return structs.replace(request, judge=judge, panel=())


def _plan_one(request: Request, environment: Mapping[str, str], *, paying: bool) -> Plan:
    endpoint = parse_endpoint(request.judge, environment)
    if endpoint is None and request.judge not in LOCAL:
        raise UsageError(f"unknown judge {request.judge!r}; there are {FORMS}")
    if request.abstain is not None and (request.judge != "embedded" or request.protocol != "match"):
        raise UsageError(option("abstain"), " is for the embedded judge and the match protocol")
    if endpoint is None:
        refuse_what_no_model_needs(request, f"{request.judge} is none")
        return Plan(request, None, None, 1, None, None, _make_local(request).identity)
    if request.ca_file is not None:
        check_ca_file(request.ca_file)
        whole = str(Path(request.ca_file).absolute())  # actors on a cluster work in other folders
        request = structs.replace(request, ca_file=whole)
    wording = request.wording or builtin_wording(request.protocol)
    if request.parameters.logprobs and endpoint.kind == "anthropic":
        raise UsageError(
            option("logprobs"),
            ": Anthropic's API gives no token probabilities; leave it out or take another judge",
        )
    identity = identify_llm(endpoint, wording, request.parameters, rules_first=request.rules_first)
    count = _items_per_prompt(request, wording)
    key, price = endpoint.find_key(environment) if paying else None, find_price(endpoint, request.price)
    if request.budget is not None and price is None:
        told = f" needs to know what {endpoint.model} costs; say it with "
        raise UsageError(option("budget"), told, option("price"), " IN/OUT")
    if request.permute > 1:
        if count in (1, "auto"):
            told = " deals items over batches: say how large with "
            raise UsageError(option("permute"), told, option("items_per_prompt"), ", 2 or more")
        identity["permute"] = request.permute
    return Plan(request, endpoint, wording, count, key, price, identity)


def make_judge(
    plan: Plan,
    cache: Cache | None = None,
    notice: Callable[[str], None] = lambda _: None,
    spent: Spent = NOTHING,
    ledger: Ledger | None = None,
    *,
    lost_usd: float = 0.0,
    limits: Limits | None = None,
    client_of: Callable[[Plan], Client] | None = None,
) -> Judge:
    """Build the judge that was planned; what its run has spent, or may have lost, counts against the budget.

    With a ledger its client can also send provider batches; with limits it shares those of others instead of its own;
    `client_of` gives it a client of the caller's.
    """
    budget = _budget(plan, spent, lost_usd) if limits is None else limits.budget()
    if plan.members:
        members = [
            _make_one(member, cache, notice, budget, limits=limits, client_of=client_of)
            for member in plan.members
        ]
        return PanelJudge(members, plan.request.combine, plan.request.protocol)
    return _make_one(plan, cache, notice, budget, ledger, limits, client_of)


def _make_one(
    plan: Plan,
    cache: Cache | None,
    notice: Callable[[str], None],
    budget: Budget,
    ledger: Ledger | None = None,
    limits: Limits | None = None,
    client_of: Callable[[Plan], Client] | None = None,
) -> Judge:
    request = plan.request
    if plan.endpoint is None or plan.wording is None:
        return _make_local(request)
    timeout = request.timeout if ledger is None else max(request.timeout, _BATCH_SECONDS)
    transport = HttpTransport(
        timeout=timeout, max_body=MOST_BYTES if ledger is None else MOST_RESULT_BYTES, ca_file=request.ca_file
    )
    client = (
        client_of(plan)
        if client_of
        else _client_maker(request, ledger)(
            plan.endpoint,
            request.parameters,
            transport=transport,
            cache=cache,
            key=plan.key,
            price=plan.price,
            budget=budget,
            throttle=None if limits is None else limits.throttle(request.judge, request.concurrency),
            concurrency=request.concurrency,
            rpm=request.rpm,
            tpm=request.tpm,
            timeout=timeout,
            patience=request.patience,
            hedge=request.hedge,
            notice=notice,
        )
    )
    judge = LlmJudge(
        request.judge,
        plan.wording,
        client,
        transport,
        items_per_prompt=1 if plan.items_per_prompt == "auto" else plan.items_per_prompt,
        attempts=request.attempts,
        rules_first=request.rules_first,
        concurrency=request.concurrency,
    )
    return PermutedJudge(judge, request.permute, request.protocol) if request.permute > 1 else judge


def _make_local(request: Request) -> Judge:
    if request.judge == "rules":
        return RulesJudge(request.protocol)
    return EmbeddedJudge(request.protocol, request.abstain)


def _client_maker(request: Request, ledger: Ledger | None) -> Callable[..., Client]:
    return Client if ledger is None else partial(BatchClient, ledger=ledger, polling=request.polling)


def _budget(plan: Plan, spent: Spent, lost_usd: float) -> Budget:
    ceiling = plan.request.budget
    if ceiling is None or plan.price is None:
        return Budget()
    known = spent if spent.cost_usd is not None else plan.price.charge(spent)
    return Budget(ceiling, (known.cost_usd or 0.0) + lost_usd)


def _items_per_prompt(request: Request, wording: Wording) -> int | Literal["auto"]:
    count = (
        wording.items_per_prompt or "auto" if request.items_per_prompt is None else request.items_per_prompt
    )
    if count == "auto":
        return "auto" if wording.most_items > 1 else 1
    if not 1 <= count <= wording.most_items:
        most = "one item" if wording.most_items == 1 else f"1 to {wording.most_items} items"
        raise UsageError(option("items_per_prompt"), f" {count}: this {wording.protocol} prompt takes {most}")
    return count
