"""Plots as SVG text, without a plotting library: bars with figures, and lines over a logarithmic axis."""

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


class Line(NamedTuple):
    label: str
    points: Sequence[tuple[float, float]]


class Panel(NamedTuple):
    """Lines over one x axis; `limit` is drawn as a dashed line."""

    title: str
    lines: Sequence[Line]
    limit: float | None = None


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


class Frame(NamedTuple):
    """Where figures stand on the page: a logarithmic x axis and a y axis from zero."""

    left: float
    right: float
    top: float
    bottom: float
    ends: tuple[float, float]
    most: float

    def place(self, at: float, value: float) -> tuple[float, float]:
        low, high = map(math.log10, self.ends)
        across = (math.log10(at) - low) / (high - low)
        return self.left + INSET + across * (self.right - self.left - 2 * INSET), self.level(value)

    def level(self, value: float) -> float:
        return self.bottom - value / self.most * (self.bottom - self.top)

    def rule(self, value: float, look: str) -> str:
        y = self.level(value)
        return f'<line x1="{self.left}" x2="{self.right}" y1="{y:.1f}" y2="{y:.1f}" {look}/>'


def lines(x: int, width: int, height: int, panel: Panel) -> list[str]:
    """Draw the lines of a panel with axes, legend and limit."""
    points = [point for line in panel.lines for point in line.points]
    sizes = sorted({at for at, _ in points})
    most = 1.15 * max([*(value for _, value in points), panel.limit or 0])
    frame = Frame(x + 52, x + width - 30, 74, height - 46, (sizes[0], sizes[-1]), most)
    parts = [text(x, 30, panel.title, size=15, more='font-weight="600"'), *_draw_axes(frame, sizes)]
    if panel.limit:
        parts.append(frame.rule(panel.limit, f'stroke="{INK}" stroke-dasharray="5 4"'))
        parts.append(
            text(
                frame.right, frame.level(panel.limit) - 5, f"limit {show(panel.limit)}", anchor="end", size=12
            )
        )
    for at, line in enumerate(panel.lines):
        parts += _draw_line(line, at, [frame.place(*point) for point in line.points])
        parts.append(f'<rect x="{x + 52 + 170 * at}" y="46" width="12" height="12" fill="{COLOURS[at]}"/>')
        parts.append(text(x + 70 + 170 * at, 57, line.label, size=12))
    return parts


def _draw_axes(frame: Frame, sizes: Sequence[float]) -> list[str]:
    parts = list[str]()
    step = _round_step(frame.most / 4)
    for tick in (step * count for count in range(int(frame.most / step) + 1)):
        parts.append(frame.rule(tick, f'stroke="{FAINT}"'))
        parts.append(text(frame.left - 6, frame.level(tick) + 4, f"{tick:,g}", anchor="end", size=12))
    below = frame.bottom + 20
    parts += [text(frame.place(at, 0)[0], below, f"{at:,.0f}", anchor="middle", size=12) for at in sizes]
    middle = (frame.left + frame.right) / 2
    return [*parts, text(middle, below + 18, "rows (logarithmic)", anchor="middle", size=12)]


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
