"""Check a request, and build the judge."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, structs

from karat.core.errors import UsageError, option
from karat.core.keys import hash_content
from karat.core.types import NOTHING, Spent
from karat.embedded.judge import EmbeddedJudge, identify_embedded
from karat.judges.judge import Judge
from karat.judges.llm import BatchJudge, LlmJudge, identify_llm
from karat.judges.panel import PanelJudge, identify_panel
from karat.judges.permuted import PermutedJudge, permuted_group
from karat.judges.request import Request, refuse_misfits, refuse_what_no_model_needs
from karat.judges.rules import RulesJudge, identify_rules
from karat.models import (
    MOST_BYTES,
    MOST_RESULT_BYTES,
    BatchClient,
    Budget,
    Cache,
    CallSettings,
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

LOCAL = ("embedded", "rules")
FORMS = "embedded, rules, openai:MODEL, anthropic:MODEL, http://host:port/v1#MODEL"
_BATCH_SECONDS = 600.0  # uploading and downloading files of many requests takes longer than a call


class Plan(Struct, frozen=True):
    """A request that was checked, with what follows from it; a panel has a plan for each member."""

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
        """The name of the judge, as the user gave it."""
        return ",".join(self.request.panel) or self.request.judge

    @property
    def fingerprint(self) -> str:
        """The judge's identity as one hash."""
        return hash_content(self.identity)

    @property
    def group(self) -> int:
        """How many items the judge is asked about at a time, unless a batch check chooses another number."""
        if self.members:
            return min(member.group for member in self.members)
        if self.endpoint is None:
            return RulesJudge.group if self.request.judge == "rules" else EmbeddedJudge.group
        size = self.prompt_size
        return permuted_group(size) if self.request.permute > 1 else size

    @property
    def prompt_size(self) -> int:
        """How many items share one prompt, unless a batch check chooses another number."""
        return 1 if self.items_per_prompt == "auto" else self.items_per_prompt


def plan_judge(request: Request, environment: Mapping[str, str], *, paying: bool = True) -> Plan:
    """Check a request before anything is read or any call is made; a key is needed only if `paying`."""
    refuse_misfits(request)
    plan = _plan_panel if request.panel else _plan_one
    return plan(request, environment, paying=paying)


def for_member(request: Request, judge: str) -> Request:
    """Return the request for one judge among several; a local judge takes no call options."""
    if judge in LOCAL:
        return Request(judge=judge, protocol=request.protocol)
    return structs.replace(request, judge=judge, panel=())


def _plan_panel(request: Request, environment: Mapping[str, str], *, paying: bool) -> Plan:
    """Plan a panel; it has one item per prompt unless the user sets a number, because a batch check applies to one judge."""
    if len(request.panel) < 2 or len(set(request.panel)) < len(request.panel):  # noqa: PLR2004 - a panel
        raise UsageError(
            option("panel"), f" {','.join(request.panel)}: a panel needs two or more different judges"
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


def _plan_one(request: Request, environment: Mapping[str, str], *, paying: bool) -> Plan:
    endpoint = parse_endpoint(request.judge, environment)
    if endpoint is None and request.judge not in LOCAL:
        raise UsageError(f"unknown judge {request.judge!r}; use one of {FORMS}")
    if request.abstain is not None and (request.judge != "embedded" or request.protocol != "match"):
        raise UsageError(
            option("abstain"), " applies only to the embedded judge and the match protocol; leave it out"
        )
    if endpoint is None:
        refuse_what_no_model_needs(request, f"{request.judge} is not an LLM judge")
        return Plan(request, None, None, 1, None, None, _identify_local(request))
    if request.ca_file is not None:
        check_ca_file(request.ca_file)
        whole = str(Path(request.ca_file).absolute())  # actors on a cluster run in other folders
        request = structs.replace(request, ca_file=whole)
    wording = request.wording or builtin_wording(request.protocol)
    if request.parameters.logprobs and endpoint.kind == "anthropic":
        raise UsageError(
            option("logprobs"),
            ": Anthropic's API gives no token probabilities; leave it out, or choose another judge",
        )
    identity = identify_llm(endpoint, wording, request.parameters, rules_first=request.rules_first)
    count = _items_per_prompt(request, wording)
    key, price = endpoint.find_key(environment) if paying else None, find_price(endpoint, request.price)
    if request.budget is not None and price is None:
        needed = f" needs the price of {endpoint.model}; give it with "
        raise UsageError(option("budget"), needed, option("price"), " IN/OUT")
    if request.permute > 1:
        if count in (1, "auto"):
            missing = " judges items in several batches; set the batch size with "
            raise UsageError(option("permute"), missing, option("items_per_prompt"), ", 2 or more")
        identity["permute"] = request.permute
    return Plan(request, endpoint, wording, count, key, price, identity)


def _identify_local(request: Request) -> dict[str, Any]:
    if request.judge == "rules":
        return identify_rules(request.protocol)
    return identify_embedded(request.protocol, request.abstain)


def _items_per_prompt(request: Request, wording: Wording) -> int | Literal["auto"]:
    count = (
        wording.items_per_prompt or "auto" if request.items_per_prompt is None else request.items_per_prompt
    )
    if count == "auto":
        return "auto" if wording.most_items > 1 else 1
    if not 1 <= count <= wording.most_items:
        most = "one item" if wording.most_items == 1 else f"1 to {wording.most_items} items"
        raise UsageError(
            option("items_per_prompt"), f" {count}: this {wording.protocol} prompt allows {most}"
        )
    return count


def make_judge(
    plan: Plan,
    cache: Cache | None = None,
    notice: Callable[[str], None] = lambda _: None,
    spent: Spent = NOTHING,
    *,
    lost_usd: float = 0.0,
    limits: Limits | None = None,
    client_of: Callable[[Plan], Client] | None = None,
) -> Judge:
    """Build the planned judge; what its run has already spent, or may have spent on lost replies, counts against the budget.

    `limits` are shared with other processes instead of the judge's own; `client_of` returns another client for a plan.
    """
    budget = _make_budget(plan, spent, lost_usd) if limits is None else limits.budget()
    if plan.members:
        members = [_make_one(member, cache, notice, budget, limits, client_of) for member in plan.members]
        return PanelJudge(members, plan.request.combine, plan.request.protocol)
    return _make_one(plan, cache, notice, budget, limits, client_of)


def make_batch_judge(
    plan: Plan,
    ledger: Ledger,
    cache: Cache | None = None,
    notice: Callable[[str], None] = lambda _: None,
    spent: Spent = NOTHING,
    *,
    lost_usd: float = 0.0,
) -> BatchJudge:
    """Build a judge that uses provider batches, recorded in the ledger."""
    if plan.endpoint is None or plan.wording is None:
        raise ValueError(f"{plan.name} makes no calls, so it has no batches")
    request, settings = plan.request, _make_settings(plan, _make_budget(plan, spent, lost_usd))
    settings = structs.replace(settings, timeout=max(request.timeout, _BATCH_SECONDS))
    transport = HttpTransport(timeout=settings.timeout, max_body=MOST_RESULT_BYTES, ca_file=request.ca_file)
    client = BatchClient(
        plan.endpoint,
        request.parameters,
        transport,
        settings,
        ledger=ledger,
        polling=request.polling,
        cache=cache,
        notice=notice,
    )
    return BatchJudge(request, plan.wording, client, transport, plan.prompt_size)


def _make_one(
    plan: Plan,
    cache: Cache | None,
    notice: Callable[[str], None],
    budget: Budget,
    limits: Limits | None,
    client_of: Callable[[Plan], Client] | None,
) -> Judge:
    request = plan.request
    if plan.endpoint is None or plan.wording is None:
        return (
            RulesJudge(request.protocol)
            if request.judge == "rules"
            else EmbeddedJudge(request.protocol, request.abstain)
        )
    transport = HttpTransport(timeout=request.timeout, max_body=MOST_BYTES, ca_file=request.ca_file)
    if client_of is None:
        settings = _make_settings(plan, budget, limits)
        client = Client(plan.endpoint, request.parameters, transport, settings, cache=cache, notice=notice)
    else:
        client = client_of(plan)
    judge = LlmJudge(request, plan.wording, client, transport, plan.prompt_size)
    return PermutedJudge(judge, request.permute, request.protocol) if request.permute > 1 else judge


def _make_settings(plan: Plan, budget: Budget, limits: Limits | None = None) -> CallSettings:
    request = plan.request
    return CallSettings(
        key=plan.key,
        price=plan.price,
        budget=budget,
        throttle=None if limits is None else limits.throttle(request.judge, request.concurrency),
        concurrency=request.concurrency,
        rpm=request.rpm,
        tpm=request.tpm,
        timeout=request.timeout,
        patience=request.patience,
        hedge=request.hedge,
    )


def _make_budget(plan: Plan, spent: Spent, lost_usd: float) -> Budget:
    ceiling = plan.request.budget
    if ceiling is None or plan.price is None:
        return Budget()
    known = spent if spent.cost_usd is not None else plan.price.charge(spent)
    return Budget(ceiling, (known.cost_usd or 0.0) + lost_usd)
