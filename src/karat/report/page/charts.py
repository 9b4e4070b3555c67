"""Charts as inline SVG: widths are in percent, so that they fit any column and their words stay readable."""

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from karat.report.format import show_number, show_percent
from karat.report.page.markup import Markup, tag
from karat.stats import Estimate, Number

_ROW = 30


class Scale(Struct, frozen=True):
    """The part of the number line that a chart shows, with its ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> str:
        """Where a value stands, in percent of the width."""
        inside = min(max(value, self.low), self.high)
        return f"{100 * (inside - self.low) / (self.high - self.low):.2f}%"


WHOLE = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))


def fit_scale(numbers: Iterable[Number | None], *, least: float = 0.0, most: float = 1.0) -> Scale:
    """A scale with round ends and few ticks that holds all intervals and shows as little else as it can."""
    known = [number for number in numbers if isinstance(number, Estimate)]
    if not known:
        return WHOLE
    low, high = min(number.low for number in known), max(number.high for number in known)
    step = _step(max(high - low, 0.02) / 3)
    first = max(least, math.floor(low / step) * step)
    last = min(most, math.ceil(high / step) * step)
    if last - first < step / 2:  # a single point at one end of the line
        first, last = max(least, first - step), min(most, last + step)
    count = round((last - first) / step)
    return Scale(first, last, tuple(round(first + step * at, 6) for at in range(count + 1)))


def _step(least: float) -> float:
    """The next of 1, 2 or 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(least))
    return next(unit * times for times in (1, 2, 5, 10) if unit * times >= least * (1 - 1e-9))


def draw_axis(scale: Scale, *, unit: str = " %", times: float = 100) -> Markup:
    """The ticks with their figures; where they would not fit, the style leaves out those between the ends."""
    last = len(scale.ticks) - 1
    parts = [
        tag(
            "text",
            _tick(tick, unit, times),
            x=scale.at(tick),
            y=13,
            text_anchor="start" if at == 0 else "end" if at == last else "middle",
        )
        for at, tick in enumerate(scale.ticks)
    ]
    return tag(
        "div", tag("svg", parts, height=18, aria_hidden="true"), class_="axis percent" if unit else "axis"
    )


def _tick(value: float, unit: str = " %", times: float = 100) -> str:
    return f"{round(times * value, 6):g}".replace("-", "−") + unit


def draw_intervals(
    scale: Scale,
    raw: Number,
    second: Number | None = None,
    *,
    name: str,
    show: Callable[[Number], str] = show_number,
) -> Markup:
    """A dot in its interval, and below it the corrected one as a diamond; the figures come up as a tooltip."""
    both = isinstance(second, Estimate)
    parts = [_grid(scale, _ROW)]
    if isinstance(raw, Estimate):
        parts.append(_whisker(scale, raw, _ROW / 2 - (6 if both else 0), f"{name}: {show(raw)}"))
    if isinstance(second, Estimate):
        parts.append(_diamond(scale, second, _ROW / 2 + 7, f"{name}, corrected: {show(second)}"))
    return tag("svg", parts, height=_ROW, aria_hidden="true")


def _grid(scale: Scale, height: float) -> Markup:
    rules = (
        tag(
            "line",
            x1=scale.at(tick),
            x2=scale.at(tick),
            y1=0,
            y2=height,
            class_="rule zero" if tick == 0 and scale.low < 0 else "rule",
        )
        for tick in scale.ticks
    )
    return Markup("".join(rules))


def _whisker(scale: Scale, number: Estimate, y: float, title: str) -> Markup:
    return tag(
        "g",
        tag("title", title),
        _line(scale, number, y, "whisker"),
        tag("circle", cx=scale.at(number.value), cy=y, r=5, class_="dot"),
        _reach(scale, number, y),
    )


def _diamond(scale: Scale, number: Estimate, y: float, title: str) -> Markup:
    """A square on its corner; SVG can place it by percent only inside a picture of its own."""
    corner = tag("path", d="M0 -6 L6 0 L0 6 L-6 0 Z", class_="dot second")
    return tag(
        "g",
        tag("title", title),
        _line(scale, number, y, "whisker second"),
        tag("svg", corner, x=scale.at(number.value), y=y, overflow="visible"),
        _reach(scale, number, y),
    )


def _line(scale: Scale, number: Estimate, y: float, look: str) -> Markup:
    return tag("line", x1=scale.at(number.low), x2=scale.at(number.high), y1=y, y2=y, class_=look)


def _reach(scale: Scale, number: Estimate, y: float) -> Markup:
    """Something larger than the thin line for the pointer to rest on."""
    return tag(
        "line",
        x1=scale.at(number.low),
        x2=scale.at(number.high),
        y1=y,
        y2=y,
        stroke="transparent",
        stroke_width=14,
    )


def draw_bar(share: float, title: str, *, quiet: bool = False) -> Markup:
    """A bar from the left; a share above nothing can always be seen."""
    parts = [
        tag("title", title),
        tag("line", x1="0%", x2="100%", y1=15, y2=15, class_="track"),
        tag("rect", x=0, y=7, width=f"{max(0.4 if share > 0 else 0, 100 * share):.2f}%", height=16, rx=3,
            class_="fill quiet" if quiet else "fill"),
    ]  # fmt: skip
    return tag("svg", parts, height=_ROW, aria_hidden="true")


def draw_headline(raw: Number, corrected: Number | None, worst: float | None, best: float | None) -> Markup:
    """The whole line from nothing to all: the interval, the corrected one, and where unjudged rows could move it."""
    parts = [
        tag("text", _tick(tick), x=WHOLE.at(tick), y=80, text_anchor=anchor)
        for tick, anchor in zip(WHOLE.ticks, ("start", "middle", "middle", "middle", "end"), strict=True)
    ]
    parts.append(Markup("".join(
        tag("line", x1=WHOLE.at(tick), x2=WHOLE.at(tick), y1=0, y2=64, class_="rule") for tick in WHOLE.ticks
    )))  # fmt: skip
    if worst is not None and best is not None and best > worst:
        band = tag(
            "rect",
            x=WHOLE.at(worst),
            y=4,
            width=f"{100 * (best - worst):.2f}%",
            height=56,
            rx=6,
            class_="band",
        )
        told = f"unjudged rows: between {show_percent(worst)} if all are wrong and {show_percent(best)} if all are right"
        parts.append(tag("g", tag("title", told), band))
    if isinstance(raw, Estimate):
        parts.append(_whisker(WHOLE, raw, 22 if isinstance(corrected, Estimate) else 32, show_number(raw)))
    if isinstance(corrected, Estimate):
        parts.append(_diamond(WHOLE, corrected, 44, f"corrected: {show_number(corrected)}"))
    return tag("svg", parts, class_="headline", aria_hidden="true")


class Point(Struct, frozen=True):
    """Rows of about the same confidence: how sure the judge was, and how often it was right."""

    confidence: float
    right: Number
    rows: int


def draw_reliability(points: Sequence[Point]) -> Markup:
    """Confidence against the share that was right; on the diagonal the judge knows what it knows."""
    left, bottom, side = 44.0, 360.0, 330.0

    def place(x: float, y: float) -> tuple[float, float]:
        return left + side * x, bottom - side * y

    parts = [*_square_grid(left, bottom, side)]
    known = [(point, point.right) for point in points if isinstance(point.right, Estimate)]
    most = max((point.rows for point in points), default=1)
    path = " ".join("{:.1f},{:.1f}".format(*place(point.confidence, right.value)) for point, right in known)
    parts.append(tag("polyline", points=path, class_="curve"))
    for point, right in known:
        x, y = place(point.confidence, right.value)
        _, top = place(0, right.high)
        _, low = place(0, right.low)
        title = f"confidence {point.confidence:.2f}: right {show_number(right)} of {point.rows:,} rows"
        size = 4 + 5 * math.sqrt(point.rows / most)
        whisker = tag(
            "line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=f"{top:.1f}", y2=f"{low:.1f}", class_="whisker"
        )
        dot = tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{size:.1f}", class_="hollow")
        parts.append(tag("g", tag("title", title), whisker, dot))
    name = "Share right against confidence, with 95 % intervals"
    return tag("svg", parts, viewBox="0 0 390 410", role="img", aria_label=name)


def _square_grid(left: float, bottom: float, side: float) -> Iterable[Markup]:
    for step in range(6):
        share = step / 5
        x, y = left + side * share, bottom - side * share
        yield tag("line", x1=left, x2=left + side, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="rule")
        yield tag("text", f"{share:.1f}", x=left - 8, y=f"{y + 4:.1f}", text_anchor="end")
        yield tag("text", f"{share:.1f}", x=f"{x:.1f}", y=bottom + 18, text_anchor="middle")
    yield tag("line", x1=left, y1=bottom, x2=left + side, y2=bottom - side, class_="diagonal")
    yield tag("text", "confidence", x=left + side / 2, y=bottom + 40, text_anchor="middle")
    yield tag("text", "share right", x=left - 36, y=bottom - side - 14, text_anchor="start")
