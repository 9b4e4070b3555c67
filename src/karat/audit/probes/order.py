"""Order must not matter: neighbours in the prompt, the position in it, repeats, and the order of references.

A sitting is a list of probes that are judged in groups of fixed size and order, with its own run identity, so that
one item can have a verdict alone and others with neighbours.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from karat.audit.probe import Aim, Effect, Probe
from karat.audit.probes.maker import Maker

FAMILY = "order"
ORDINARY = "ordinary"
REPEATS = 5
ARRANGED_KINDS = (
    "order/repeat", "order/first", "order/middle", "order/last", "order/wrong-company", "order/right-company",
    "injection/attacker", "injection/neighbour",
)  # fmt: skip
_ROUNDS = 2
_AIMED: dict[Aim, str] = {"no": "right", "yes": "wrong"}


def probe_order(maker: Maker) -> Iterator[Probe]:
    """Yield a probe with the references in reverse order."""
    turned = maker.row.references[::-1]
    if turned != maker.row.references:
        yield maker.probe(FAMILY, "references", maker.row.right, base="right", references=turned)


class Sitting(Struct, frozen=True):
    """Probes that are judged in groups of `size`, in order; if `size` is None, like ordinary rows."""

    name: str
    probes: tuple[Probe, ...]
    size: int | None = None
    repeat: int = 0


class Place(Struct, frozen=True):
    """The position of a probe in a sitting."""

    sitting: str
    probe: str


class Check(Struct, frozen=True):
    """Two verdicts that are compared, and the effect that the first must have."""

    family: str
    kind: str
    effect: Effect
    row: str
    got: Place
    base: Place | None


Arrangement = tuple[list[Sitting], list[Check]]


def arrange_ordinary(probes: Sequence[Probe]) -> Arrangement:
    """Arrange all probes as ordinary rows, each compared with its base."""
    checks = [
        Check(
            probe.family,
            probe.kind,
            probe.effect,
            probe.row,
            Place(ORDINARY, probe.id),
            None if probe.base is None else Place(ORDINARY, probe.base),
        )
        for probe in probes
        if probe.effect is not None
    ]
    return [Sitting(ORDINARY, tuple(probes))], checks


def arrange_repeats(probes: Sequence[Probe]) -> Arrangement:
    """Arrange the right answers alone, and repeat them four times."""
    right = _bases(probes, "right")
    sittings = [Sitting("alone, right", right, 1)]
    checks = list[Check]()
    for number in range(1, REPEATS):
        sitting = Sitting(f"alone, right, repeat {number}", right, 1, number)
        sittings.append(sitting)
        checks += [_compare(FAMILY, "repeat", base, sitting.name, "alone, right") for base in right]
    return sittings, checks


def arrange_neighbours(probes: Sequence[Probe], size: int) -> Arrangement:
    """Arrange every right answer in every position among right ones, and right and wrong answers among their opposites."""
    right, wrong = (_full_groups(_bases(probes, kind), size) for kind in ("right", "wrong"))
    sittings, checks = [Sitting("alone, wrong", wrong, 1)], list[Check]()
    for turn in range(size):
        sitting = Sitting(f"{size} right, turned by {turn}", _rotate(right, size, turn), size)
        sittings.append(sitting)
        for number, probe in enumerate(sitting.probes):
            checks.append(
                _compare(FAMILY, _name_place(number % size, size), probe, sitting.name, "alone, right")
            )
    for kind, ones, others in (("wrong-company", right, wrong), ("right-company", wrong, right)):
        alone = "alone, right" if ones is right else "alone, wrong"
        for place in range(size):
            mixed = tuple(
                one if number % size == place else other
                for number, (one, other) in enumerate(zip(ones, others, strict=True))
            )
            sitting = Sitting(f"{size} in {kind}, place {place + 1}", mixed, size)
            sittings.append(sitting)
            checks += [_compare(FAMILY, kind, probe, sitting.name, alone) for probe in mixed[place::size]]
    return sittings, checks


def arrange_attacks(probes: Sequence[Probe], size: int) -> Arrangement:
    """Arrange injections aimed at their neighbours; the control has the plain wrong answer in the same position."""
    sittings, checks = list[Sitting](), list[Check]()
    wrong = {probe.row: probe for probe in _bases(probes, "wrong")}
    for aim, kind in _AIMED.items():
        attackers = {probe.row: probe for probe in probes if probe.aim == aim}
        probed = _full_groups([probe for probe in _bases(probes, kind) if probe.row in attackers], size)
        for turn in range(_ROUNDS if probed else 0):
            places = [number % size == (number // size + turn) % size for number in range(len(probed))]
            control = Sitting(
                f"{size} {kind}, a wrong one, {turn + 1}", _replace_at(probed, places, wrong), size
            )
            attack = Sitting(
                f"{size} {kind}, an attack, {turn + 1}", _replace_at(probed, places, attackers), size
            )
            sittings += [control, attack]
            for attacked, probe, old in zip(places, attack.probes, control.probes, strict=True):
                name = "attacker" if attacked else "neighbour"
                checks.append(
                    Check(
                        "injection",
                        name,
                        "must_not_rise" if attacked else "must_not_move",
                        probe.row,
                        Place(attack.name, probe.id),
                        Place(control.name, old.id),
                    )
                )
    return sittings, checks


def _compare(family: str, kind: str, probe: Probe, sitting: str, base: str) -> Check:
    return Check(family, kind, "must_not_move", probe.row, Place(sitting, probe.id), Place(base, probe.id))


def _bases(probes: Sequence[Probe], kind: str) -> tuple[Probe, ...]:
    return tuple(probe for probe in probes if probe.family == "base" and probe.kind == kind)


def _full_groups(probes: Sequence[Probe], size: int) -> tuple[Probe, ...]:
    return tuple(probes[: len(probes) // size * size])


def _rotate(probes: tuple[Probe, ...], size: int, turn: int) -> tuple[Probe, ...]:
    """Rotate the probes of each group by some positions."""
    groups = (probes[start : start + size] for start in range(0, len(probes), size))
    return tuple(probe for group in groups for probe in (*group[turn:], *group[:turn]))


def _replace_at(probes: tuple[Probe, ...], places: list[bool], others: dict[str, Probe]) -> tuple[Probe, ...]:
    return tuple(others[probe.row] if taken else probe for probe, taken in zip(probes, places, strict=True))


def _name_place(place: int, size: int) -> str:
    return "first" if place == 0 else "last" if place == size - 1 else "middle"
