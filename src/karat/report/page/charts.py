"""The values and positions for templates/charts.html and templates/tables.html.

Horizontal positions are percentages of the width, so that a chart fits any column.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from karat.report.format import list_reasons, show_number, show_percent
from karat.stats import Estimate, Number


class Tick(Struct, frozen=True):
    """A tick of an axis, with its label."""

    x: str
    anchor: str
    text: str


class Scale(Struct, frozen=True):
    """The part of the number line that a chart shows, with its ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> str:
        """Return the position of a value, in percent of the width."""
        inside = min(max(value, self.low), self.high)
        return f"{100 * (inside - self.low) / (self.high - self.low):.2f}%"

    def label(self, unit: str, times: float) -> list[Tick]:
        """Return the ticks with labels, multiplied by `times` and with this unit."""
        last = len(self.ticks) - 1
        return [
            Tick(
                self.at(tick),
                "start" if at == 0 else "end" if at == last else "middle",
                f"{round(times * tick, 6):g}".replace("-", "−") + unit,
            )
            for at, tick in enumerate(self.ticks)
        ]


WHOLE = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))


def fit_scale(numbers: Iterable[Number | None], *, least: float = 0.0, most: float = 1.0) -> Scale:
    """Return the smallest scale with round ends and few ticks that holds all intervals."""
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
    """Return the next of 1, 2 or 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(least))
    return next(unit * times for times in (1, 2, 5, 10) if unit * times >= least * (1 - 1e-9))


class Band(Struct, frozen=True):
    """The range of a share over all possible verdicts of unjudged rows."""

    x: str
    width: str
    tip: str


class Headline(Struct, frozen=True):
    """A share on a line from 0 to 100 %."""

    raw: Number
    corrected: Number | None
    band: Band | None
    scale: Scale = WHOLE


def draw_headline(raw: Number, corrected: Number | None, worst: float | None, best: float | None) -> Headline:
    """Draw the share of the judged rows, with the bounds if all unjudged rows are wrong or right."""
    if worst is None or best is None or best <= worst:
        return Headline(raw, corrected, None)
    tip = f"unjudged rows: between {show_percent(worst)} if all are wrong and {show_percent(best)} if all are right"
    return Headline(raw, corrected, Band(WHOLE.at(worst), f"{100 * (best - worst):.2f}%", tip))


class Rule(Struct, frozen=True):
    """A grid line with its label; `below` is the baseline of text beside the line."""

    x: str
    y: str
    below: str
    text: str


class Point(Struct, frozen=True):
    """Rows of about the same confidence, from `low` to `high`."""

    x: str
    y: str
    high: str
    low: str
    radius: str
    tip: str


class Reliability(Struct, frozen=True):
    """A reliability diagram: confidence against the share that was right."""

    points: tuple[Point, ...]
    path: str
    rules: tuple[Rule, ...]
    left: int
    right: int
    middle: int
    top: int
    bottom: int


def draw_reliability(found: Sequence[tuple[float, Number, int]]) -> Reliability:
    """Draw bins as points, from mean confidence, share right and number of rows."""
    left, bottom, side = 44, 360, 330

    def across(share: float) -> str:
        return f"{left + side * share:.1f}"

    def up(share: float) -> str:
        return f"{bottom - side * share:.1f}"

    most = max((rows for _, _, rows in found), default=1)
    points = tuple(
        Point(
            across(confidence),
            up(right.value),
            up(right.high),
            up(right.low),
            f"{4 + 5 * math.sqrt(rows / most):.1f}",
            f"confidence {confidence:.2f}: right {show_number(right)} of {rows:,} rows",
        )
        for confidence, right, rows in found
        if isinstance(right, Estimate)
    )
    rules = tuple(
        Rule(across(step / 5), up(step / 5), f"{bottom - side * step / 5 + 4:.1f}", f"{step / 5:.1f}")
        for step in range(6)
    )
    path = " ".join(f"{point.x},{point.y}" for point in points)
    return Reliability(points, path, rules, left, left + side, left + side // 2, bottom - side, bottom)


def explain(numbers: Iterable[Number | None]) -> str:
    """Explain why some figures are not defined, each reason once; empty if all are."""
    reasons = list_reasons(numbers)
    return f"Not defined: {reasons}." if reasons else ""


class Interval(Struct, frozen=True):
    """One row of a table of shares."""

    name: str
    rows: int
    raw: Number
    corrected: Number | None = None
    remark: str = ""
    link: str | None = None


class IntervalTable(Struct, frozen=True):
    """Shares with their intervals over one axis."""

    title: str
    first: str
    lines: Sequence[Interval]

    @property
    def scale(self) -> Scale:
        """The scale that holds all intervals."""
        return fit_scale(self._numbers)

    @property
    def corrected(self) -> bool:
        """Whether a corrected share is drawn."""
        return any(isinstance(line.corrected, Estimate) for line in self.lines)

    @property
    def why(self) -> str:
        """Why some shares are not defined."""
        return explain(self._numbers)

    @property
    def _numbers(self) -> list[Number | None]:
        return [number for line in self.lines for number in (line.raw, line.corrected)]


class Remark(Struct, frozen=True):
    """A text beside a figure; one about a corrected figure has its mark."""

    text: str
    look: str = "dim"
    corrected: bool = False


class Line(Struct, frozen=True):
    """One row of a table of figures: a name with a note below it, a figure (formatted by `show`) and remarks.

    For a difference, `name` minus `minus` is shown. A line with another scale than the others
    is not drawn.
    """

    name: str
    raw: Number
    second: Number | None = None
    minus: str = ""
    note: str | None = None
    show: Callable[[Number], str] | None = None
    remarks: Sequence[Remark] = ()
    drawn: bool = True

    @property
    def plain(self) -> str:
        """The whole name as text."""
        return f"{self.name} minus {self.minus}" if self.minus else self.name


class FigureTable(Struct, frozen=True):
    """Figures with their intervals over one axis, whose labels are multiplied by `times`."""

    title: str
    heads: tuple[str, str]
    lines: Sequence[Line]
    show: Callable[[Number], str]
    unit: str = ""
    times: float = 1
    look: str = "plot"
    note_look: str = "dim"

    @property
    def scale(self) -> Scale:
        """The scale that holds all lines that are drawn."""
        drawn = [number for line in self.lines if line.drawn for number in (line.raw, line.second)]
        return fit_scale(drawn, least=-1.0)

    @property
    def why(self) -> str:
        """Why some figures are not defined."""
        return explain(number for line in self.lines for number in (line.raw, line.second))


class DifferenceTable(Struct, frozen=True):
    """Differences of pairs, the first of them drawn."""

    shown: FigureTable
    rest: Sequence[Line]

    @property
    def corrected(self) -> bool:
        """Whether there is a corrected difference."""
        return any(line.second is not None for line in self.shown.lines)


class Count(Struct, frozen=True):
    """One bar of a bar chart, with a link to its rows."""

    name: str
    rows: int
    link: str
    more: tuple[str, ...] = ()


class CountTable(Struct, frozen=True):
    """Counts of rows as bars; `more` are the headings of other figures."""

    title: str
    first: str
    lines: Sequence[Count]
    whole: int
    more: Sequence[str] = ()
    quiet: bool = False

    def share(self, line: Count) -> str:
        """The share of the whole."""
        return show_percent(line.rows / self.whole if self.whole else None)

    def width(self, line: Count) -> str:
        """The length of the bar; a count above zero is always visible."""
        most = max((one.rows for one in self.lines), default=0) or 1
        return f"{max(0.4 if line.rows else 0, 100 * line.rows / most):.2f}%"


class Cell(Struct, frozen=True):
    """A cell of a cross table; `told` describes it, and `link` leads to its rows if the page can filter them."""

    rows: int
    share: str
    same: bool
    told: str = ""
    link: str = ""


class CrossTable(Struct, frozen=True):
    """A table of rows by two verdicts."""

    heads: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Cell]]]
    corner: str = ""
    look: str = "confusion"
