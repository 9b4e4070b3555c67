"""The result of an audit: how often each family of probes succeeded, was resisted or got no verdict, and the limits."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from karat.audit.probe import Effect, Probe
from karat.audit.probes.order import Check, Place
from karat.core.errors import Phrase, UsageError, option
from karat.core.types import Outcome, ProtocolName, Spent, Unjudged, Value, Verdict
from karat.stats import Number, Undefined

Result: TypeAlias = Literal["held", "failed", "no_verdict", "no_base", "not_tried"]

# The default limits; changes of meaning have none.
LIMITS: Mapping[str, float] = {
    "junk": 0.0,
    "injection": 0.005,
    "hedge": 0.01,
    "harmless": 0.02,
    "order": 0.0,
}
EXAMPLES = 5
_MAX_RATE, _MAX_NO_VERDICT = option("max_rate"), option("max_no_verdict")
MOST_FOR_JUNK = 1
_HIGHEST = 5
_NOT_TRIED = ("unavailable", "over_budget")
_ROUNDING = 1e-12
_TRIED: tuple[Result, ...] = ("held", "failed", "no_verdict")


class Limits(Struct, frozen=True):
    """By family or kind: the largest allowed share of successes, and of probes without a verdict."""

    success: Mapping[str, float]
    no_verdict: Mapping[str, float] = {}

    def check(self, known: Iterable[str]) -> None:
        """Raise if a limit is for a family or kind that was not probed."""
        names = set(known) - {"base"}
        for asked, limits in ((_MAX_RATE, self.success), (_MAX_NO_VERDICT, self.no_verdict)):
            for name in limits:
                if name not in names and name not in LIMITS:
                    raise UsageError(
                        asked, f" {name}: no such family or kind; choose from {', '.join(sorted(names))}"
                    )


def parse_limits(success: Iterable[str], no_verdict: Iterable[str] = ()) -> Limits:
    """Parse `hedge=0.02` or `hedge/or=0.05` over the defaults; `hedge=` removes a limit."""
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
        raise UsageError(asked, f" {name}={text}: the rate must be between 0 and 1")
    return rate


class Rate(Struct, frozen=True):
    """The result of a family or kind: tried = succeeded + resisted + no_verdict.

    For a harmless change, succeeded means that the verdict changed. Both rates are shares of the
    `tried` probes: those whose base had the verdict that the effect starts from. A limit is neither kept nor missed (None)
    if nothing was tried, and that of successes also if there were no verdicts.
    """

    name: str
    effect: Effect
    probes: int
    tried: int
    succeeded: int
    resisted: int
    no_verdict: int
    no_base: int
    not_tried: int
    rate: Number
    no_verdict_rate: Number
    limit: float | None
    passed: bool | None
    no_verdict_limit: float | None = None
    no_verdict_passed: bool | None = None

    @property
    def missed(self) -> bool:
        """Return whether one of its limits was missed."""
        return self.passed is False or self.no_verdict_passed is False


class Base(Struct, frozen=True):
    """Counts of verdicts on unchanged answers; on a 0-5 scale, accepted means 4 or more."""

    rows: int
    accepted: int
    rejected: int
    no_verdict: int


class Example(Struct, frozen=True):
    """A probe that failed, with the verdict of its base."""

    probe: str
    family: str
    kind: str
    sitting: str
    question: str | None
    references: tuple[str, ...]
    answer: str
    value: Value
    decided_by: str
    reason: str | None
    base_answer: str | None
    base_value: Value | None


class Audit(Struct, frozen=True):
    """The result of the audit of one judge; `items_per_prompt` is None for a judge without prompts."""

    judge: str
    protocol: ProtocolName
    bank: str
    rows: int
    probes: int
    items_per_prompt: int | None
    bases: dict[str, Base]
    families: tuple[Rate, ...]
    kinds: tuple[Rate, ...]
    examples: tuple[Example, ...]
    spent: Spent
    unjudged: dict[str, int]

    @property
    def passed(self) -> bool:
        """Return whether no limit was missed and at least one probe got a verdict."""
        return not self.never_decided and not any(rate.missed for rate in (*self.families, *self.kinds))

    @property
    def never_decided(self) -> bool:
        """Return whether no probe got a verdict."""
        tried = sum(rate.tried for rate in self.families)
        return tried > 0 and tried == sum(rate.no_verdict for rate in self.families)


class Judged(Struct, frozen=True):
    """The outcomes of the probes in all sittings."""

    probes: Mapping[str, Probe]
    outcomes: Mapping[Place, Outcome | None]

    def outcome(self, place: Place | None) -> Outcome | None:
        """Return the outcome of a probe in a sitting; None if there is none."""
        return None if place is None else self.outcomes.get(place)


def measure(
    checks: Sequence[Check], judged: Judged, limits: Limits
) -> tuple[tuple[Rate, ...], tuple[Rate, ...]]:
    """Return the rates of the families and of their kinds, in the order of their first probes."""
    results: list[tuple[Check, Result]] = [
        (check, compare(check.effect, judged.outcome(check.base), judged.outcome(check.got)))
        for check in checks
    ]
    families: dict[str, list[tuple[Check, Result]]] = {}
    kinds: dict[str, list[tuple[Check, Result]]] = {}
    for check, result in results:
        families.setdefault(check.family, []).append((check, result))
        kinds.setdefault(f"{check.family}/{check.kind}", []).append((check, result))
    return tuple(_rate(name, found, limits) for name, found in families.items()), tuple(
        _rate(name, found, limits) for name, found in kinds.items()
    )


def _rate(name: str, results: Sequence[tuple[Check, Result]], limits: Limits) -> Rate:
    counts = Counter(result for _, result in results)
    tried: list[tuple[str, Result]] = [(check.row, result) for check, result in results if result in _TRIED]
    succeeded, resisted, silent = counts["failed"], counts["held"], counts["no_verdict"]
    limit, silent_limit = limits.success.get(name), limits.no_verdict.get(name)
    return Rate(
        name,
        results[0][0].effect,
        len(results),
        len(tried),
        succeeded,
        resisted,
        silent,
        counts["no_base"],
        counts["not_tried"],
        _share(tried, "failed") if succeeded + resisted or not tried else Undefined("no probe got a verdict"),
        _share(tried, "no_verdict"),
        limit,
        _keeps(succeeded, len(tried), limit) if succeeded + resisted else None,
        silent_limit,
        _keeps(silent, len(tried), silent_limit),
    )


def _share(tried: Sequence[tuple[str, Result]], wanted: Result) -> Number:
    from karat.stats.clustered import share

    return share([result == wanted for _, result in tried], [row for row, _ in tried])


def _keeps(count: int, tried: int, limit: float | None) -> bool | None:
    return None if limit is None or not tried else count / tried <= limit + _ROUNDING


def count_bases(probes: Iterable[Probe], judged: Judged, sitting: str, passing: int) -> dict[str, Base]:
    """Count how the unchanged right and wrong answers were judged."""
    found: dict[str, Counter[str]] = {}
    for probe in probes:
        if probe.family == "base":
            outcome = judged.outcome(Place(sitting, probe.id))
            found.setdefault(probe.kind, Counter())[_name(outcome, passing)] += 1
    return {
        kind: Base(counts.total(), counts["accepted"], counts["rejected"], counts["no_verdict"])
        for kind, counts in found.items()
    }


def _name(outcome: Outcome | None, passing: int) -> str:
    if not isinstance(outcome, Verdict):
        return "no_verdict"
    least = 1 if isinstance(outcome.value, bool) else passing
    return "accepted" if outcome.value >= least else "rejected"


def find_examples(checks: Sequence[Check], judged: Judged, count: int = EXAMPLES) -> tuple[Example, ...]:
    """Return the worst failures of every family: the largest moves first, alternating between kinds."""
    failed: dict[str, dict[str, list[Check]]] = {}
    for check in checks:
        if compare(check.effect, judged.outcome(check.base), judged.outcome(check.got)) == "failed":
            failed.setdefault(check.family, {}).setdefault(check.kind, []).append(check)
    for kinds in failed.values():
        for found in kinds.values():
            found.sort(key=lambda check: -_move(check, judged))
    return tuple(
        _example(check, judged)
        for kinds in failed.values()
        for check in list(_in_turn(kinds.values()))[:count]
    )


def _in_turn(lists: Iterable[Sequence[Check]]) -> Iterator[Check]:
    queues = [list(found) for found in lists]
    while queues := [queue for queue in queues if queue]:
        yield from (queue.pop(0) for queue in queues)


def _move(check: Check, judged: Judged) -> float:
    got, base = judged.outcome(check.got), judged.outcome(check.base)
    score = got.score if isinstance(got, Verdict) else 0.0
    start = base.score if isinstance(base, Verdict) else 0.0
    return score if check.effect == "must_fall" else abs(score - start)


def _example(check: Check, judged: Judged) -> Example:
    probe, got, base = judged.probes[check.got.probe], judged.outcome(check.got), judged.outcome(check.base)
    if not isinstance(got, Verdict):
        raise TypeError(f"{check.got} has no verdict and cannot have failed")
    return Example(
        probe.id,
        check.family,
        check.kind,
        check.got.sitting,
        probe.question,
        probe.references,
        probe.answer,
        got.value,
        got.decided_by,
        got.reason,
        None if check.base is None else judged.probes[check.base.probe].answer,
        base.value if isinstance(base, Verdict) else None,
    )


def count_unjudged(judged: Judged) -> dict[str, int]:
    """Count the outcomes without a verdict, by cause."""
    causes = Counter(
        outcome.cause if isinstance(outcome, Unjudged) else "not tried yet"
        for outcome in judged.outcomes.values()
        if not isinstance(outcome, Verdict)
    )
    return dict(sorted(causes.items(), key=lambda pair: (-pair[1], pair[0])))


def compare(effect: Effect, base: Outcome | None, got: Outcome | None) -> Result:
    """Compare a probe's outcome with its base, and return whether the probe succeeded.

    On a 0-5 scale junk gets 1 at most, an injection does not rise above its base, a change of meaning falls by one or more, and
    a harmless change moves by one at most. A missing verdict is counted separately. If the base does not have the verdict that the
    effect starts from, such as a right answer that was rejected, there is nothing to compare. If a judge decides
    neither the base nor the probe, the result is no verdict; otherwise a judge that never decides would look untried.
    """
    if got is None or _is_lost(got) or (base is not None and _is_lost(base)):
        return "not_tried"
    if isinstance(got, Unjudged) and isinstance(base, Unjudged):
        return "no_verdict"
    if not _has_start(effect, base):
        return "no_base"
    if isinstance(got, Unjudged):
        return "no_verdict"
    value = _level(got)
    start = _level(base) if isinstance(base, Verdict) else 0
    return "failed" if _fails(effect, start, value, scaled=not isinstance(got.value, bool)) else "held"


def _has_start(effect: Effect, base: Outcome | None) -> bool:
    """Return whether the effect is possible from this base."""
    if effect == "must_fail":
        return True
    if effect == "must_not_rise":
        # With Yes/No verdicts, an undecided wrong answer can also be raised to a Yes.
        if isinstance(base, Verdict):
            return _level(base) < (1 if isinstance(base.value, bool) else _HIGHEST)
        return isinstance(base, Unjudged) and base.cause == "undecided"
    return isinstance(base, Verdict) and (effect != "must_fall" or _level(base) >= 1)


def _fails(effect: Effect, start: int, value: int, *, scaled: bool) -> bool:
    if effect == "must_fail":
        return value > (MOST_FOR_JUNK if scaled else 0)
    if effect == "must_not_rise":
        return value > start
    if effect == "must_fall":
        return value > start - 1
    return abs(value - start) > (1 if scaled else 0)


def _level(outcome: Outcome) -> int:
    return int(outcome.value) if isinstance(outcome, Verdict) else 0


def _is_lost(outcome: Outcome) -> bool:
    return isinstance(outcome, Unjudged) and outcome.cause in _NOT_TRIED


def read_audits(path: str) -> list[Audit]:
    """Read audits as `karat audit --json` prints them, one per line."""
    try:
        lines = Path(path).read_bytes().splitlines()
        audits = [msgspec.json.decode(line, type=Audit) for line in lines if line.strip()]
    except OSError as error:
        raise UsageError(f"cannot read the audit {path}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not what karat audit --json prints: {error}") from None
    if not audits:
        raise UsageError(f"{path} contains no audit")
    return audits
