"""The library's verb about attacking a judge."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, Unpack

from karat._api import GivenRows, ItemLike, wait_for
from karat._arguments import public, refuse_at_exit
from karat.core.options import Options
from karat.core.types import ProtocolName

if TYPE_CHECKING:
    from karat.audit.probe import Row
    from karat.audit.rates import Audit

Place: TypeAlias = str | os.PathLike[str]


@public
def audit_judge(
    judge: str = "embedded",
    *,
    protocol: ProtocolName | None = None,
    items: Iterable[ItemLike] | None = None,
    limit: int | None = None,
    families: Sequence[str] | None = None,
    probes: Sequence[Place] = (),
    max_rate: Mapping[str, float] | None = None,
    max_no_verdict: Mapping[str, float] | None = None,
    draw: int = 0,
    store: Place | None = None,
    **options: Unpack[Options],
) -> "Audit":
    """Attack a judge and test its consistency, on probes made from `items` or from the bundled rows.

    A `label` among the items says which answers are right and which are wrong.
    """
    return wait_for(
        aaudit_judge(
            judge,
            protocol=protocol,
            items=items,
            limit=limit,
            families=families,
            probes=probes,
            max_rate=max_rate,
            max_no_verdict=max_no_verdict,
            draw=draw,
            store=store,
            **options,
        )
    )


@public
async def aaudit_judge(
    judge: str = "embedded",
    *,
    protocol: ProtocolName | None = None,
    items: Iterable[ItemLike] | None = None,
    limit: int | None = None,
    families: Sequence[str] | None = None,
    probes: Sequence[Place] = (),
    max_rate: Mapping[str, float] | None = None,
    max_no_verdict: Mapping[str, float] | None = None,
    draw: int = 0,
    store: Place | None = None,
    **options: Unpack[Options],
) -> "Audit":
    """The same as `audit_judge`, to be awaited."""
    from karat.audit.bank import gather_bank, parse_families
    from karat.audit.rates import parse_limits
    from karat.audit.run import audit_judge as audit
    from karat.judges import build_request, named, plan_judge
    from karat.store import Store

    refuse_at_exit()
    limits = parse_limits(_pair(max_rate), _pair(max_no_verdict))
    plan = plan_judge(build_request(named(judge), protocol, options), os.environ)
    wanted = None if families is None else parse_families(",".join(families))
    bank = gather_bank(_rows(items, limit, draw), wanted, [os.fspath(path) for path in probes], draw)
    with Store(None if store is None else os.fspath(store)) as opened:
        return await audit(opened, plan, bank, limits, families=wanted)


def _pair(limits: Mapping[str, float] | None) -> list[str]:
    return [f"{name}={rate}" for name, rate in (limits or {}).items()]


def _rows(items: Iterable[ItemLike] | None, limit: int | None, draw: int) -> "Sequence[Row]":
    from karat.audit.rows import Given, bundled_rows, gather_rows, read_label

    if items is None:
        return bundled_rows()[:limit]
    given = (Given(row.id, row.item, read_label(row.columns.get("label"))) for row in GivenRows(items))
    return gather_rows(given, limit=limit, seed=draw)
