"""Positions in groups: every answer in every position, among right and wrong neighbours, and next to an attack."""

from collections import Counter
from collections.abc import Sequence

import pytest

from karat.audit.bank import build_bank, bundled_rows
from karat.audit.probe import Probe
from karat.audit.probes.order import (
    Sitting,
    arrange_attacks,
    arrange_neighbours,
    arrange_ordinary,
    arrange_repeats,
)

PROBES = build_bank(bundled_rows()[:26], families=["injection", "order"])
SIZES = [2, 3, 4, 8]


def tables(sitting: Sitting) -> list[Sequence[Probe]]:
    size = sitting.size or 1
    assert len(sitting.probes) % size == 0
    return [sitting.probes[at : at + size] for at in range(0, len(sitting.probes), size)]


def named(sittings: list[Sitting]) -> dict[str, Sitting]:
    found = {sitting.name: sitting for sitting in sittings}
    assert len(found) == len(sittings)
    return found


@pytest.mark.parametrize("size", SIZES)
def test_every_right_answer_has_every_position_once(size: int) -> None:
    sittings, _ = arrange_neighbours(PROBES, size)
    turned = [sitting for sitting in sittings if "turned" in sitting.name]
    places = Counter(
        (probe.id, place)
        for sitting in turned
        for table in tables(sitting)
        for place, probe in enumerate(table)
    )
    assert set(places.values()) == {1}
    assert len(places) == 26 // size * size * size
    company = {probe.id: {other.id for other in table} for table in tables(turned[0]) for probe in table}
    assert all(
        {other.id for other in table} == company[table[0].id] for each in turned for table in tables(each)
    )
    assert {probe.kind for sitting in turned for probe in sitting.probes} == {"right"}


@pytest.mark.parametrize("size", SIZES)
def test_mixed_groups_have_one_answer_unlike_the_others(size: int) -> None:
    sittings, checks = arrange_neighbours(PROBES, size)
    for kind, one, others in (("wrong-company", "right", "wrong"), ("right-company", "wrong", "right")):
        held = [sitting for sitting in sittings if kind in sitting.name]
        for sitting in held:
            for table in tables(sitting):
                assert Counter(probe.kind for probe in table) == {one: 1, others: size - 1}
        targets = [check.got.probe for check in checks if check.kind == kind]
        assert len(set(targets)) == len(targets) == 26 // size * size
        assert all(target.endswith(one) for target in targets)


@pytest.mark.parametrize("size", SIZES)
def test_attack_has_the_position_of_the_wrong_answer_in_the_control(size: int) -> None:
    sittings, checks = arrange_attacks(PROBES, size)
    found = named(sittings)
    for name, sitting in found.items():
        if "an attack" not in name:
            continue
        control = found[name.replace("an attack", "a wrong one")]
        for table, other in zip(tables(sitting), tables(control), strict=True):
            assert [probe.row for probe in table] == [probe.row for probe in other]
            changed = [(new, old) for new, old in zip(table, other, strict=True) if new != old]
            ((attacker, plain),) = changed
            assert attacker.aim is not None
            assert plain.kind == "wrong"
    attackers = [check for check in checks if check.kind == "attacker"]
    neighbours = [check for check in checks if check.kind == "neighbour"]
    assert len(neighbours) == (size - 1) * len(attackers) > 0
    assert {check.effect for check in attackers} == {"must_not_rise"}
    assert {check.effect for check in neighbours} == {"must_not_move"}


def test_repeats_are_the_same_items_alone_under_other_numbers() -> None:
    sittings, checks = arrange_repeats(PROBES)
    assert [sitting.repeat for sitting in sittings] == [0, 1, 2, 3, 4]
    assert {sitting.size for sitting in sittings} == {1}
    assert {sitting.probes for sitting in sittings} == {sittings[0].probes}
    assert len(checks) == 4 * 26


def test_the_ordinary_sitting_has_every_probe_and_compares_each_with_its_base() -> None:
    (sitting,), checks = arrange_ordinary(PROBES)
    assert sitting.probes == tuple(PROBES)
    assert sitting.size is None
    assert {check.got.probe: check.base and check.base.probe for check in checks} == {
        probe.id: probe.base for probe in PROBES if probe.family != "base"
    }
