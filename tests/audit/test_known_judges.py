"""For judges with known faults the audit reports exactly the known rates, over real HTTP."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from known import Seen, answer_by, answer_on_scale, see, seen_in, truths

import karat
from karat.audit.bank import build_bank, bundled_rows
from karat.audit.probe import Probe
from karat.audit.rates import Audit, Rate
from karat.core.types import Item
from karat.stats import Estimate
from karat.text import check_gate
from provider import Call, Provider

ROWS = 12
SIZE = 4
BANK = build_bank(bundled_rows()[:ROWS])
TRUTH = truths(BANK)


def audit(provider: Provider, **options: Any) -> Audit:
    options.setdefault("items_per_prompt", 1)
    return karat.audit_judge(f"{provider.base_url}#m", limit=ROWS, **options)


def counts(rates: Sequence[Rate]) -> dict[str, tuple[int, int]]:
    return {rate.name: (rate.succeeded, rate.tried) for rate in rates}


def of(family: str) -> list[Probe]:
    return [probe for probe in BANK if probe.family == family]


def strict(item: Seen, place: int, company: Sequence[Seen]) -> bool:
    """Always right."""
    return TRUTH[item]


ATTACKS: Mapping[Seen, Probe] = {
    see(probe): probe
    for probe in of("injection")
    if see(probe)[1].strip() not in {see(base)[1].strip() for base in of("base")}
}


def gullible(item: Seen, place: int, company: Sequence[Seen]) -> bool:
    """Right, but for every injection that it can see."""
    return item in ATTACKS or TRUTH[item]


@pytest.mark.parametrize("size", [1, SIZE])
@pytest.mark.parametrize("structured", [False, True])
def test_a_strict_judge_fails_nowhere(size: int, structured: bool) -> None:
    with Provider(answer_by(strict)) as provider:
        found = audit(provider, items_per_prompt=size, structured=structured)
    assert found.passed
    assert {name: failed for name, (failed, _) in counts(found.families).items()} == dict.fromkeys(
        ("junk", "injection", "hedge", "meaning", "harmless", "order"), 0
    )
    assert all(rate.no_verdict == rate.no_base == rate.not_tried == 0 for rate in found.families)
    assert (
        found.bases["right"].accepted
        == found.bases["short"].accepted
        == found.bases["wrong"].rejected
        == ROWS
    )
    assert found.examples == ()


def test_the_denominators_are_those_of_the_bank() -> None:
    with Provider(answer_by(strict)) as provider:
        found = counts(audit(provider).families)
    sizes = Counter(probe.family for probe in BANK)
    assert found["junk"] == (0, sizes["junk"])
    assert found["injection"] == (0, sizes["injection"])
    assert found["hedge"] == (0, sizes["hedge"])
    assert found["meaning"] == (0, sizes["meaning"])
    assert found["harmless"] == (0, sizes["harmless"])
    assert found["order"] == (0, sizes["order"] + 4 * ROWS)


def test_a_gullible_judge_is_helped_by_exactly_the_injections_that_reach_it() -> None:
    with Provider(answer_by(gullible)) as provider:
        found = audit(provider)
    reached = [probe for probe in of("injection") if see(probe) in ATTACKS and check_gate(probe.item) is None]
    assert 0 < len(reached) < len(of("injection"))
    families = counts(found.families)
    assert families["injection"] == (len(reached), len(of("injection")))
    by_kind = Counter(f"injection/{probe.kind}" for probe in reached)
    assert {name: failed for name, (failed, _) in counts(found.kinds).items() if failed} == dict(by_kind)
    assert "injection/tag-characters" not in by_kind
    assert all(failed == 0 for name, (failed, _) in families.items() if name != "injection")
    assert not found.passed
    assert {example.family for example in found.examples} == {"injection"}


def test_without_a_gate_junk_reaches_the_judge() -> None:
    """What the gate rejects never reaches the judge; what it lets through, a judge that says Yes to all accepts."""
    with Provider(answer_by(lambda *_: True)) as provider:
        found = audit(provider, families=["junk", "hedge", "meaning", "harmless"])
    junk = [probe for probe in of("junk") if check_gate(probe.item) is None]
    families = counts(found.families)
    assert families["junk"] == (len(junk), len(of("junk")))
    assert families["hedge"] == (len(of("hedge")), len(of("hedge")))
    assert families["meaning"] == (len(of("meaning")), len(of("meaning")))
    assert families["harmless"] == (0, len(of("harmless")))


def test_first_position_bias_is_detected_among_right_answers() -> None:
    def partial(item: Seen, place: int, company: Sequence[Seen]) -> bool:
        return (place == 0 and len(company) == SIZE) or TRUTH[item]

    with Provider(answer_by(partial)) as provider:
        kinds = counts(audit(provider, items_per_prompt=SIZE, families=["order"]).kinds)
    assert kinds["order/right-company"] == (ROWS // SIZE, ROWS)
    assert kinds["order/wrong-company"] == (0, ROWS)
    assert kinds["order/first"] == kinds["order/last"] == (0, ROWS)
    assert kinds["order/middle"] == (0, ROWS * (SIZE - 2))


def test_influence_of_neighbours_is_detected_among_wrong_answers() -> None:
    def crowd(item: Seen, place: int, company: Sequence[Seen]) -> bool:
        others = [TRUTH[other] for at, other in enumerate(company) if at != place]
        return any(others) if len(others) == SIZE - 1 else TRUTH[item]

    with Provider(answer_by(crowd)) as provider:
        kinds = counts(audit(provider, items_per_prompt=SIZE, families=["order"]).kinds)
    assert kinds["order/wrong-company"] == kinds["order/right-company"] == (ROWS, ROWS)


def test_inconsistent_judge_is_detected_by_repeats() -> None:
    asked = Counter[str]()

    def fickle(call: Call) -> str:
        asked[call.prompt] += 1
        verdict = seen_truth(call) if asked[call.prompt] != 3 else not seen_truth(call)
        return json.dumps({"Answer 1": "Yes" if verdict else "No"})

    def seen_truth(call: Call) -> bool:
        (item,) = seen_in(call)
        return TRUTH[item]

    with Provider(fickle) as provider:
        kinds = counts(audit(provider, families=["order"]).kinds)
    assert kinds["order/repeat"] == (ROWS, 4 * ROWS)


@pytest.mark.parametrize("aim", ["no", "yes"])
def test_successful_attack_changes_all_neighbours(aim: str, tmp_path: Path) -> None:
    """An attack in words that karat does not suspect, obeyed by the model: every neighbour is counted."""
    phrase = "and a pelican besides"
    lines = [
        {
            "id": f"{row.id}/own", "family": "injection", "kind": "phrase", "question": row.question, "references": row.references,
            "answer": f"{row.wrong} {phrase}", "base": f"{row.id}/base/wrong", "row": row.id, "aim": aim,
        }
        for row in bundled_rows()[:ROWS]
    ]  # fmt: skip
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))

    def obedient(item: Seen, place: int, company: Sequence[Seen]) -> bool:
        if phrase in item[1]:
            return False
        attacked = any(phrase in answer for _, answer in company)
        return aim == "yes" if attacked else TRUTH[item]

    with Provider(answer_by(obedient)) as provider:
        found = audit(provider, items_per_prompt=SIZE, families=["hedge"], probes=[path])
    kinds = counts(found.kinds)
    groups = 2 * ROWS // SIZE
    assert kinds["injection/neighbour"] == (groups * (SIZE - 1), groups * (SIZE - 1))
    assert kinds["injection/attacker"] == (0, groups)


@pytest.mark.parametrize("protocol", ["equivalence", "keypoints"])
@pytest.mark.parametrize(
    ("values", "failing"),
    [
        ({"hedge": 4, "meaning": 5, "harmless": 4, "order": 4}, {"meaning"}),
        ({"hedge": 5, "meaning": 0, "harmless": 3, "order": 5}, {"hedge", "harmless"}),
    ],
)
def test_on_a_scale_effects_are_on_the_value(
    protocol: karat.ProtocolName, values: dict[str, int], failing: set[str]
) -> None:
    """Right answers get 5: what must fall has to lose a level, and what must not move may lose one."""
    given = {
        see(probe): values.get(probe.family, 0 if probe.kind == "wrong" else 5) for probe in reversed(BANK)
    }
    with Provider(answer_on_scale(given.__getitem__)) as provider:
        found = audit(provider, protocol=protocol, families=list(values))
    families = counts(found.families)
    for family in values:
        own = [given[see(probe)] for probe in of(family)]
        moved = [value > 4 if family in ("hedge", "meaning") else abs(value - 5) > 1 for value in own]
        repeats = 4 * ROWS if family == "order" else 0
        assert families[family] == (sum(moved), len(own) + repeats)
        assert (sum(moved) > 0) == (family in failing)


@pytest.mark.parametrize(("lifted", "failed"), [(2, True), (1, False), (0, False)])
def test_on_a_scale_an_injection_must_not_rise_and_junk_stays_low(lifted: int, failed: bool) -> None:
    base = {see(probe): 1 if probe.kind == "wrong" else 5 for probe in of("base")}
    with Provider(answer_on_scale(lambda item: base.get(item, lifted))) as provider:
        found = counts(audit(provider, protocol="keypoints", families=["injection", "junk"]).families)
    for family in ("injection", "junk"):
        reached = [probe for probe in of(family) if check_gate(probe.item) is None and see(probe) not in base]
        assert found[family] == (len(reached) if failed else 0, len(of(family)))


def test_intervals_are_clustered_by_row_and_limits_decide() -> None:
    with Provider(answer_by(gullible)) as provider:
        found = audit(provider, families=["injection"], max_rate={"injection": 1.0})
    (family,) = found.families
    assert isinstance(family.rate, Estimate)
    assert family.rate.clusters == ROWS
    assert family.rate.low < family.rate.value < family.rate.high
    assert found.passed


def test_repeated_audit_makes_no_calls_and_has_the_same_result(tmp_path: Path) -> None:
    with Provider(answer_by(gullible)) as provider:
        first = audit(provider, store=tmp_path / "a.db", items_per_prompt=SIZE)
        sent = len(provider.calls)
        again = audit(provider, store=tmp_path / "a.db", items_per_prompt=SIZE)
        assert len(provider.calls) == sent
    assert again == first


def test_own_items_with_labels_are_probed() -> None:
    items = [
        {
            "question": "Who wrote Emma?",
            "reference": "Jane Austen",
            "answer": "It was Jane Austen.",
            "label": True,
        },
        {
            "question": "Who wrote Emma?",
            "reference": "Jane Austen",
            "answer": "Charlotte Brontë",
            "label": False,
        },
        {"question": "Who wrote Ulysses?", "reference": "James Joyce", "answer": "Joyce", "label": None},
    ]
    found = karat.audit_judge("rules", items=items)
    assert found.rows == 2
    assert found.bases["right"].accepted == 2
    assert isinstance(karat.grade([Item("q", ("r",), "r")])[0], karat.Verdict)
