"""Plots as SVG text, without a plotting library: bars with figures, estimates with their intervals, and lines over an axis."""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

INK, FAINT, OURS, THEIRS = "#1f2328", "#d0d7de", "#b8860b", "#6e7781"
COLOURS = (OURS, "#1f6feb")
INSET = 28


class Bar(NamedTuple):
    label: str
    value: float
    ours: bool


class Span(NamedTuple):
    """An estimate with its interval."""

    label: str
    value: float
    low: float
    high: float
    ours: bool


class Line(NamedTuple):
    """Points, and where they are estimates the ends of their intervals."""

    label: str
    points: Sequence[tuple[float, float]]
    ends: Sequence[tuple[float, float]] = ()


class Panel(NamedTuple):
    """Lines over one x axis; `limit` is drawn as a dashed line."""

    title: str
    lines: Sequence[Line]
    limit: float | None = None
    limit_name: str = "limit"
    across: str = "rows (logarithmic)"
    linear: bool = False


def text(x: float, y: float, words: str, *, anchor: str = "start", size: int = 13, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {more}>{escape(words)}</text>'


def document(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """Put parts on a white ground, readable in light and dark pages."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, sans-serif" fill="{INK}" role="img" aria-label="{escape(title)}">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def bars(x: int, width: int, title: str, rows: Sequence[Bar]) -> list[str]:
    """Draw horizontal bars from zero, each with its label and its figure."""
    start, most = x + 150, max(row.value for row in rows)
    room = width - 150 - 70
    parts = [text(x, 30, title, size=15, more='font-weight="600"')]
    for at, row in enumerate(rows):
        y = 48 + 34 * at
        long = max(1.0, room * row.value / most)
        weight = 'font-weight="600"' if row.ours else ""
        parts.append(text(start - 8, y + 17, row.label, anchor="end", more=weight))
        parts.append(
            f'<rect x="{start}" y="{y}" width="{long:.1f}" height="24" fill="{OURS if row.ours else THEIRS}"/>'
        )
        parts.append(text(start + long + 6, y + 17, show(row.value), more=weight))
    return parts


def spans(x: int, width: int, title: str, rows: Sequence[Span]) -> list[str]:
    """Draw estimates as dots on their intervals over one axis, each with its label and its figure."""
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    start, room, step = x + 190, width - 190 - 60, _round_step((high - low) / 4 or 1)
    low = step * math.floor(low / step)
    high = max(low + step, step * math.ceil(high / step))

    def across(value: float) -> float:
        return start + room * (value - low) / (high - low)

    bottom = 48 + 34 * len(rows)
    parts = [text(x, 30, title, size=15, more='font-weight="600"')]
    for tick in (low + step * count for count in range(round((high - low) / step) + 1)):
        parts.append(
            f'<line x1="{across(tick):.1f}" x2="{across(tick):.1f}" y1="44" y2="{bottom}" stroke="{FAINT}"/>'
        )
        parts.append(text(across(tick), bottom + 16, f"{tick:.3g}", anchor="middle", size=12))
    for at, row in enumerate(rows):
        y, colour = 62 + 34 * at, OURS if row.ours else THEIRS
        weight = 'font-weight="600"' if row.ours else ""
        parts.append(text(start - 8, y + 5, row.label, anchor="end", more=weight))
        parts.append(
            f'<line x1="{across(row.low):.1f}" x2="{across(row.high):.1f}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="3"/>'
        )
        parts.append(f'<circle cx="{across(row.value):.1f}" cy="{y}" r="5" fill="{colour}"/>')
        parts.append(text(across(row.high) + 6, y + 5, show(row.value), size=12, more=weight))
    return parts


class Frame(NamedTuple):
    """Where figures stand on the page: an x axis, logarithmic unless it is linear, and a y axis from zero or below."""

    left: float
    right: float
    top: float
    bottom: float
    ends: tuple[float, float]
    most: float
    least: float = 0.0
    linear: bool = False

    def place(self, at: float, value: float) -> tuple[float, float]:
        low, high, here = (each if self.linear else math.log10(each) for each in (*self.ends, at))
        across = (here - low) / (high - low)
        return self.left + INSET + across * (self.right - self.left - 2 * INSET), self.level(value)

    def level(self, value: float) -> float:
        return self.bottom - (value - self.least) / (self.most - self.least) * (self.bottom - self.top)

    def rule(self, value: float, look: str) -> str:
        y = self.level(value)
        return f'<line x1="{self.left}" x2="{self.right}" y1="{y:.1f}" y2="{y:.1f}" {look}/>'


def lines(x: int, width: int, height: int, panel: Panel) -> list[str]:
    """Draw the lines of a panel with axes, legend and limit."""
    points = [point for line in panel.lines for point in line.points]
    sizes = sorted({at for at, _ in points})
    reached = [
        *(value for _, value in points),
        *(end for line in panel.lines for ends in line.ends for end in ends),
    ]
    most, least = 1.15 * max([*reached, panel.limit or 0]), min([*reached, 0.0])
    ends = (sizes[0], sizes[-1])
    frame = Frame(x + 52, x + width - 30, 74, height - 46, ends, most, least, linear=panel.linear)
    parts = [
        text(x, 30, panel.title, size=15, more='font-weight="600"'),
        *_draw_axes(frame, sizes, panel.across),
    ]
    if panel.limit:
        parts.append(frame.rule(panel.limit, f'stroke="{INK}" stroke-dasharray="5 4"'))
        parts.append(
            text(
                frame.right,
                frame.level(panel.limit) - 5,
                f"{panel.limit_name} {show(panel.limit)}",
                anchor="end",
                size=12,
            )
        )
    for at, line in enumerate(panel.lines):
        for (size, _), ends in zip(line.points, line.ends, strict=False):
            parts.append(_draw_ends(frame, size, ends, COLOURS[at]))
        parts += _draw_line(line, at, [frame.place(*point) for point in line.points])
        parts.append(f'<rect x="{x + 52 + 170 * at}" y="46" width="12" height="12" fill="{COLOURS[at]}"/>')
        parts.append(text(x + 70 + 170 * at, 57, line.label, size=12))
    return parts


def _draw_ends(frame: Frame, size: float, ends: tuple[float, float], colour: str) -> str:
    (x, low), (_, high) = (frame.place(size, end) for end in ends)
    return f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{colour}" stroke-width="2" opacity="0.5"/>'


def _draw_axes(frame: Frame, sizes: Sequence[float], across: str) -> list[str]:
    parts = list[str]()
    step = _round_step((frame.most - frame.least) / 4)
    for tick in (step * count for count in range(math.ceil(frame.least / step), int(frame.most / step) + 1)):
        parts.append(frame.rule(tick, f'stroke="{FAINT}"'))
        parts.append(text(frame.left - 6, frame.level(tick) + 4, f"{tick:,g}", anchor="end", size=12))
    below = frame.bottom + 20
    parts += [text(frame.place(at, 0)[0], below, f"{at:,.0f}", anchor="middle", size=12) for at in sizes]
    middle = (frame.left + frame.right) / 2
    return [*parts, text(middle, below + 18, across, anchor="middle", size=12)]


def _round_step(least: float) -> float:
    """Take the next of 1, 2 or 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(least))
    return next(unit * times for times in (1, 2, 5, 10) if unit * times >= least)


def _draw_line(line: Line, at: int, places: Sequence[tuple[float, float]]) -> list[str]:
    """Draw a line with its figures, those of the first line above it and those of the second below."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    colour, away = COLOURS[at], (-9, 18)[at]
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for (x, y), (_, value) in zip(places, line.points, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')
        parts.append(text(x, y + away, show(value), anchor="middle", size=12, more=f'style="fill:{colour}"'))
    return parts


def show(value: float) -> str:
    """Write a figure with three digits or so."""
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
