"""What a run would take, before its first call."""

from msgspec import Struct

from karat.core.spending import total
from karat.core.types import Item, Spent
from karat.judges import Judge, Plan
from karat.models import DISCOUNT
from karat.run.prompting import prompt_with
from karat.store import Run, Store
from karat.text import is_suspicious

_RENDERED = 256
_CHARACTERS_PER_TOKEN = 4


class Forecast(Struct, frozen=True):
    """Counted rows and calls, estimated tokens and cost; `cost_usd` is None where no price is known.

    With `--permute` an item is asked until most passes agree: `calls`, tokens and cost are the most that may be, `least_calls` are certain.
    """

    rows: int
    known: int
    decided: int
    items_per_prompt: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    least_calls: int = 0


def forecast(store: Store, run: Run, judge: Judge, plan: Plan, *, retry: bool = False) -> Forecast:
    """Go through what is pending without asking anyone; prompts are rendered for a part and scaled up."""
    prompting = prompt_with(judge, plan)
    pending = decided = alone = together = characters = rendered = 0
    group = list[Item]()
    for chunk in store.pending(run, retry=retry):
        pending += len(chunk)
        for _, item in chunk:
            if judge.decide(item) is not None:
                decided += 1
                continue
            if judge.shared and judge.group > 1 and is_suspicious(item):
                alone += 1
                characters, rendered = _weigh(plan, [item], characters, rendered)
                continue
            together += 1
            group.append(item)
            if len(group) == prompting.size:
                characters, rendered = _weigh(plan, group, characters, rendered)
                group.clear()
    if group:
        characters, rendered = _weigh(plan, group, characters, rendered)
    prompts = alone + prompting.count(together)
    calls = prompts * prompting.most
    given = round(characters / max(1, rendered) * calls / _CHARACTERS_PER_TOKEN)
    made = (alone + together) * prompting.most * (8 if run.protocol == "match" else 2)
    payers = [member for member in plan.members or (plan,) if member.endpoint is not None]
    costs = [member.price.charge(Spent(calls, given, 0, made)) if member.price else None for member in payers]
    cost = total(Spent(cost_usd=None) if part is None else part for part in costs).cost_usd if calls else 0.0
    cost = None if cost is None else cost * (DISCOUNT if plan.request.via == "batch" else 1.0)
    return Forecast(
        rows=run.dataset.rows,
        known=run.dataset.rows - pending,
        decided=decided,
        items_per_prompt=prompting.size,
        calls=calls * len(payers),
        input_tokens=given * len(payers),
        output_tokens=made * len(payers),
        cost_usd=cost,
        least_calls=prompts * prompting.least * len(payers),
    )


def _weigh(plan: Plan, group: list[Item], characters: int, rendered: int) -> tuple[int, int]:
    if plan.wording is None or rendered >= _RENDERED:
        return characters, rendered
    prompt = plan.wording.render(tuple(group))
    return characters + sum(len(message.text) for message in prompt.messages), rendered + 1
