"""Run the complete audit of one judge, as ordinary runs."""

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from msgspec import structs

from karat.audit.bank import BANK_VERSION
from karat.audit.probe import Probe
from karat.audit.probes.order import (
    ARRANGED_KINDS,
    ORDINARY,
    Arrangement,
    Check,
    Place,
    Sitting,
    arrange_attacks,
    arrange_neighbours,
    arrange_ordinary,
    arrange_repeats,
)
from karat.audit.rates import Audit, Judged, Limits, count_bases, count_unjudged, find_examples, measure
from karat.core.keys import hash_content, item_key
from karat.core.types import Outcome, total
from karat.judges import Plan
from karat.report.figures.summary import PASS
from karat.run import Step, grade_run, group_size, open_run
from karat.store import Dataset, NewRow, Run, Store

MOST_ITEMS = 8
Watch = Callable[[int], AbstractContextManager[Callable[[Step], None]]]


@contextmanager
def _unwatched(_: int) -> Generator[Callable[[Step], None]]:
    yield lambda _: None


async def audit_judge(
    store: Store,
    plan: Plan,
    probes: Sequence[Probe],
    limits: Limits,
    *,
    families: Collection[str] | None = None,
    passing: int = PASS,
    watch: Watch = _unwatched,
    notice: Callable[[str], None] = lambda _: None,
) -> Audit:
    """Judge all probes, then those in a fixed order, and compare the outcomes.

    Of the selected `families`, "order" needs no probes of its own. A judge without prompts is not tested for the
    influence of neighbours. The same call continues an interrupted one, without repeating calls.
    """
    known = (name for probe in probes for name in (probe.family, f"{probe.family}/{probe.kind}"))
    limits.check((*known, *ARRANGED_KINDS))
    prompted = has_prompts(plan)
    if not prompted:
        probes = [probe for probe in probes if probe.aim is None]
    sessions = _Sessions(store, plan, watch, notice)
    checks = await sessions.hold(arrange_ordinary(probes))
    size = min(MOST_ITEMS, group_size(store, sessions.runs[0], plan)) if prompted else 1
    if families is None or "order" in families:
        checks += await sessions.hold(arrange_repeats(probes))
        if size > 1:
            checks += await sessions.hold(arrange_neighbours(probes, size))
    if size > 1:
        checks += await sessions.hold(arrange_attacks(probes, size))
    return _conclude(plan, probes, checks, sessions, limits, size if prompted else None, passing)


def has_prompts(plan: Plan) -> bool:
    """Return whether the judge sends prompts to a model."""
    return any(member.endpoint is not None for member in (plan, *plan.members))


class _Sessions:
    """The sittings of an audit, one run each; they share one budget."""

    def __init__(self, store: Store, plan: Plan, watch: Watch, notice: Callable[[str], None]) -> None:
        self.runs: list[Run] = []
        self.outcomes: dict[Place, Outcome | None] = {}
        self.store = store
        self._plan = plan
        self._watch = watch
        self._notice = notice

    async def hold(self, arranged: Arrangement) -> list[Check]:
        """Judge all sittings, and return the comparisons to make."""
        sittings, checks = arranged
        for sitting in sittings:
            await self._hold(sitting)
        return checks

    async def _hold(self, sitting: Sitting) -> None:
        plan = self._identify(sitting)
        run = open_run(self.store, self._load(sitting), plan)
        self.runs.append(run)
        with self._watch(self.store.count_pending(run)) as note:
            await grade_run(
                self.store,
                run,
                plan,
                fixed_size=sitting.size,
                budget_runs=self.runs,
                watch=note,
                notice=self._notice,
            )
        for graded in self.store.graded(run):
            self.outcomes[Place(sitting.name, graded.id)] = graded.outcome

    def _identify(self, sitting: Sitting) -> Plan:
        """Return the plan with an identity of this sitting, so that its verdicts are kept apart from ordinary runs."""
        if sitting.name == ORDINARY:
            return self._plan
        identity = {**self._plan.identity, "sitting": sitting.name}
        if sitting.repeat:
            identity["repeat"] = sitting.repeat
        return structs.replace(self._plan, identity=identity)

    def _load(self, sitting: Sitting) -> Dataset:
        content = [[probe.id, item_key(probe.item).hex()] for probe in sitting.probes]
        key = hash_content(["audit", sitting.name, content])
        name = f"audit: {sitting.name}"
        return self.store.find_dataset(key) or self.store.load_dataset(
            key, name, "id=id", _Intake(sitting.probes), named=True
        )


class _Intake:
    """Probes as rows of a dataset."""

    def __init__(self, probes: Sequence[Probe]) -> None:
        self.fields: dict[str, None] = {}
        self.skipped = 0
        self._probes = probes

    def __iter__(self) -> Iterator[NewRow]:
        for number, probe in enumerate(self._probes, 1):
            yield NewRow(number, probe.id, probe.item, None, {})


def _conclude(
    plan: Plan,
    probes: Sequence[Probe],
    checks: Sequence[Check],
    sessions: _Sessions,
    limits: Limits,
    size: int | None,
    passing: int,
) -> Audit:
    judged = Judged({probe.id: probe for probe in probes}, sessions.outcomes)
    families, kinds = measure(checks, judged, limits)
    spent = total(sessions.store.spent(run) for run in sessions.runs)
    if spent.cost_usd is None and plan.price is not None:
        spent = plan.price.charge(spent)
    return Audit(
        judge=plan.name,
        protocol=plan.request.protocol,
        bank=BANK_VERSION,
        rows=len({probe.row for probe in probes}),
        probes=len(checks),
        items_per_prompt=size,
        bases=count_bases(probes, judged, ORDINARY, passing),
        families=families,
        kinds=kinds,
        examples=find_examples(checks, judged),
        spent=spent,
        unjudged=count_unjudged(judged),
    )
