"""What a run would take, before its first call."""

from msgspec import Struct

from karat.core.spending import total
from karat.core.types import Item, Spent
from karat.judges import Judge, Plan
from karat.models import DISCOUNT
from karat.store import Run, Store

_RENDERED = 256
_CHARACTERS_PER_TOKEN = 4


class Forecast(Struct, frozen=True):
    """Counted rows and calls, estimated tokens and cost; `cost_usd` is None where no price is known."""

    rows: int
    known: int
    decided: int
    items_per_prompt: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


def forecast(store: Store, run: Run, judge: Judge, plan: Plan, *, retry: bool = False) -> Forecast:
    """Go through what is pending without asking anyone; prompts are rendered for a part and scaled up."""
    pending = decided = opened = characters = rendered = 0
    group = list[Item]()
    for chunk in store.pending(run, retry=retry):
        pending += len(chunk)
        for _, item in chunk:
            if judge.decide(item) is not None:
                decided += 1
                continue
            opened += 1
            group.append(item)
            if len(group) == judge.group:
                characters, rendered = _weigh(plan, group, characters, rendered)
                group.clear()
    if group:
        characters, rendered = _weigh(plan, group, characters, rendered)
    calls = -(-opened // judge.group)
    given = round(characters / max(1, rendered) * calls / _CHARACTERS_PER_TOKEN)
    made = opened * (8 if run.protocol == "match" else 2) if calls else 0
    payers = [member for member in plan.members or (plan,) if member.endpoint is not None]
    costs = [member.price.charge(Spent(calls, given, 0, made)) if member.price else None for member in payers]
    cost = total(Spent(cost_usd=None) if part is None else part for part in costs).cost_usd if calls else 0.0
    cost = None if cost is None else cost * (DISCOUNT if plan.request.via == "batch" else 1.0)
    calls, given, made = calls * len(payers), given * len(payers), made * len(payers)
    return Forecast(
        run.dataset.rows, run.dataset.rows - pending, decided, judge.group, calls, given, made, cost
    )


def _weigh(plan: Plan, group: list[Item], characters: int, rendered: int) -> tuple[int, int]:
    if plan.wording is None or rendered >= _RENDERED:
        return characters, rendered
    prompt = plan.wording.render(tuple(group))
    return characters + sum(len(message.text) for message in prompt.messages), rendered + 1
