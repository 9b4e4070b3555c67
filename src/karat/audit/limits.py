"""How often attacks may succeed, or probes stay without a verdict, before the audit fails."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from karat.core.errors import Phrase, UsageError, option

# Changes of meaning have no limit of their own: they are published as they are.
LIMITS: Mapping[str, float] = {
    "junk": 0.0,
    "injection": 0.005,
    "hedge": 0.01,
    "harmless": 0.02,
    "order": 0.0,
}
_MAX_RATE, _MAX_NO_VERDICT = option("max_rate"), option("max_no_verdict")


class Limits(Struct, frozen=True):
    """By family or kind: the highest share of successes, and the highest share without a verdict."""

    success: Mapping[str, float]
    no_verdict: Mapping[str, float] = {}

    def check(self, known: Iterable[str]) -> None:
        """Refuse a limit on something that was not probed."""
        names = set(known) - {"base"}
        for asked, limits in ((_MAX_RATE, self.success), (_MAX_NO_VERDICT, self.no_verdict)):
            for name in limits:
                if name not in names and name not in LIMITS:
                    raise UsageError(
                        asked, f" {name}: no such family or kind; there are {', '.join(sorted(names))}"
                    )


def parse_limits(success: Iterable[str], no_verdict: Iterable[str] = ()) -> Limits:
    """`hedge=0.02` or `hedge/or=0.05` over the defaults; several may be given, and `hedge=` takes a limit away."""
    return Limits(_parse(_MAX_RATE, success, LIMITS), _parse(_MAX_NO_VERDICT, no_verdict, {}))


def _parse(asked: Phrase, pairs: Iterable[str], usual: Mapping[str, float]) -> dict[str, float]:
    limits = dict(usual)
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not (name and equals):
            raise UsageError(
                asked, f" takes FAMILY=RATE or FAMILY/KIND=RATE, such as hedge=0.02, not {pair!r}"
            )
        if not value:
            limits.pop(name, None)
            continue
        limits[name] = _read_rate(asked, name, value)
    return limits


def _read_rate(asked: Phrase, name: str, text: str) -> float:
    try:
        rate = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise UsageError(asked, f" {name}={text}: the rate must be a number such as 0.02 or 2%") from None
    if not 0 <= rate <= 1:
        raise UsageError(asked, f" {name}={text}: the rate must lie within 0 and 1")
    return rate
