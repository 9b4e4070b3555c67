"""How often a family may fail before the audit fails."""

from collections.abc import Iterable, Mapping

from karat.core.errors import UsageError

# Changes of meaning have no limit of their own: they are published as they are.
LIMITS: Mapping[str, float] = {
    "junk": 0.0,
    "injection": 0.005,
    "hedge": 0.01,
    "harmless": 0.02,
    "order": 0.0,
}


def parse_limits(pairs: Iterable[str]) -> dict[str, float]:
    """`hedge=0.02` or `hedge/or=0.05` over the defaults; several may be given, and `hedge=` takes a limit away."""
    limits = dict(LIMITS)
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not (name and equals):
            raise UsageError(
                f"--max-rate takes FAMILY=RATE or FAMILY/KIND=RATE, such as hedge=0.02, not {pair!r}"
            )
        if not value:
            limits.pop(name, None)
            continue
        limits[name] = _read_rate(name, value)
    return limits


def check_names(limits: Mapping[str, float], known: Iterable[str]) -> None:
    """Refuse a limit on something that was not probed."""
    names = set(known) - {"base"}
    for name in limits:
        if name not in names and name not in LIMITS:
            raise UsageError(
                f"--max-rate {name}: no such family or kind; there are {', '.join(sorted(names))}"
            )


def _read_rate(name: str, text: str) -> float:
    try:
        rate = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise UsageError(f"--max-rate {name}={text}: the rate must be a number such as 0.02 or 2%") from None
    if not 0 <= rate <= 1:
        raise UsageError(f"--max-rate {name}={text}: the rate must lie within 0 and 1")
    return rate
