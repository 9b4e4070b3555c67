"""Tables with a chart in each row: the words are text, only the marks are drawn."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct

from karat.report.format import show_number, show_percent
from karat.report.page.charts import Scale, draw_axis, draw_bar, draw_intervals, fit_scale
from karat.report.page.markup import Markup, Piece, tag
from karat.stats import Estimate, Number, Undefined


class Interval(Struct, frozen=True):
    """One line of an interval plot."""

    name: str
    rows: int
    raw: Number
    corrected: Number | None = None
    remark: str = ""
    link: str | None = None


def interval_table(title: str, first: str, lines: Sequence[Interval], scale: Scale | None = None) -> Markup:
    """Shares with their intervals over one axis; with the corrected ones beneath where there are any."""
    numbers = [number for line in lines for number in (line.raw, line.corrected)]
    scale = scale or fit_scale(numbers)
    head = tag(
        "tr",
        tag("th", first, scope="col"),
        tag("th", "rows", scope="col", class_="n"),
        tag("td", draw_axis(scale), class_="mark scale"),
        tag("th", "correct [95 %]", scope="col"),
    )
    body = [_interval_line(line, scale) for line in lines]
    table = tag(
        "table",
        tag("caption", title, class_="unheard"),
        tag("thead", head),
        tag("tbody", body),
        class_="plot",
    )
    marks = legend(corrected=any(isinstance(line.corrected, Estimate) for line in lines))
    return Markup(table + marks + explain(numbers))


def _interval_line(line: Interval, scale: Scale) -> Markup:
    said: list[Piece] = [say(line.raw, show_number)]
    if line.corrected is not None:
        said.append(say(line.corrected, show_number, corrected=True))
    if line.remark:
        said.append(tag("div", line.remark, class_="above"))
    name = line.name if line.link is None else tag("a", line.name, href=line.link)
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", f"{line.rows:,}", class_="n dim"),
        tag("td", draw_intervals(scale, line.raw, line.corrected, name=line.name), class_="mark"),
        tag("td", said, class_="say"),
    )


def say(number: Number, show: Callable[[Number], str], *, corrected: bool = False) -> Markup:
    """A figure on a line of its own; a corrected one bears the mark that it has in the chart."""
    mark = [
        tag("span", "◆ ", class_="corrected", aria_hidden="true"),
        tag("span", "corrected ", class_="unheard"),
    ]
    if isinstance(number, Undefined):
        return tag("div", mark if corrected else None, "not defined", class_="dim", title=number.why)
    value, bracket, interval = show(number).partition(" [")
    parts = [tag("span", value), " ", tag("span", bracket.strip(), interval)]  # a line may end between them
    return tag("div", mark if corrected else None, parts, class_="whole")


def explain(numbers: Iterable[Number | None]) -> Markup:
    """Why some of the figures of a table are not defined, each reason once."""
    reasons = dict.fromkeys(number.why for number in numbers if isinstance(number, Undefined))
    return tag("p", f"Not defined: {'; '.join(reasons)}.", class_="note") if reasons else Markup("")


def legend(*, corrected: bool, unjudged: bool = False) -> Markup:
    """What the marks mean; only where there is more than one kind of them."""
    line = partial(tag, "line", x1=1, x2=25, y1=6, y2=6)
    dot = [line(class_="whisker"), tag("circle", cx=13, cy=6, r=5, class_="dot")]
    diamond = [
        line(class_="whisker second"),
        tag("path", d="M13 0 L19 6 L13 12 L7 6 Z", class_="dot second"),
    ]
    band = tag("rect", x=0, y=0, width=26, height=12, rx=3, class_="band")
    kinds: list[tuple[Piece, str]] = [(dot, "as judged")]
    kinds += [(diamond, "corrected by labels")] if corrected else []
    kinds += [(band, "where unjudged rows could move it")] if unjudged else []
    if len(kinds) == 1:
        return Markup("")
    return tag(
        "ul",
        [tag("li", tag("svg", mark, aria_hidden="true"), told) for mark, told in kinds],
        class_="legend",
    )


class Line(Struct, frozen=True):
    """One line of a plot of differences or coefficients."""

    name: Piece
    plain: str
    raw: Number
    second: Number | None = None
    said: tuple[Piece, ...] = ()
    drawn: bool = True  # not where it has another scale than the other lines


def figure_table(
    title: str,
    heads: tuple[str, str],
    lines: Sequence[Line],
    *,
    show: Callable[[Number], str],
    unit: str = "",
    times: float = 1,
    look: str = "plot",
) -> Markup:
    """Figures with their intervals over one axis that shows zero where one of them may be there."""
    numbers = [number for line in lines for number in (line.raw, line.second)]
    scale = fit_scale(
        [number for line in lines if line.drawn for number in (line.raw, line.second)], least=-1.0
    )
    head = tag(
        "tr",
        tag("th", heads[0], scope="col"),
        tag("td", draw_axis(scale, unit=unit, times=times), class_="mark scale"),
        tag("th", heads[1], scope="col"),
    )
    body = [
        tag(
            "tr",
            tag("th", line.name, scope="row"),
            tag("td", _mark(line, scale, show), class_="mark"),
            tag("td", line.said or say(line.raw, show), class_="say"),
        )
        for line in lines
    ]
    caption = tag("caption", title, class_="unheard")
    table = tag("table", caption, tag("thead", head), tag("tbody", body), class_=look)
    return Markup(table + explain(numbers))


def _mark(line: Line, scale: Scale, show: Callable[[Number], str]) -> Markup | None:
    if not line.drawn:
        return None
    return draw_intervals(scale, line.raw, line.second, name=line.plain, show=show)


class Count(Struct, frozen=True):
    """One line of a bar chart."""

    name: str
    rows: int
    more: tuple[str, ...] = ()
    link: str | None = None


def count_table(
    title: str,
    first: str,
    lines: Sequence[Count],
    whole: int,
    *,
    more: Sequence[str] = (),
    quiet: bool = False,
) -> Markup:
    """Rows counted by something, as bars, with their share of the whole and other figures."""
    head = tag(
        "tr",
        tag("th", first, scope="col"),
        tag("th", "rows", scope="col", class_="n"),
        tag("th", "share", scope="col", class_="n"),
        tag("td"),
        [tag("th", name, scope="col", class_="n") for name in more],
    )
    most = max((line.rows for line in lines), default=0) or 1
    body = [_count_line(line, most, whole, quiet=quiet) for line in lines]
    return tag(
        "table",
        tag("caption", title, class_="unheard"),
        tag("thead", head),
        tag("tbody", body),
        class_="plot bars rich" if more else "plot bars",
    )


def _count_line(line: Count, most: int, whole: int, *, quiet: bool) -> Markup:
    share = show_percent(line.rows / whole if whole else None)
    name = line.name if line.link is None or not line.rows else tag("a", line.name, href=line.link)
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", f"{line.rows:,}", class_="n"),
        tag("td", share, class_="n dim"),
        tag("td", draw_bar(line.rows / most, f"{line.name}: {line.rows:,} rows, {share}", quiet=quiet), class_="mark"),
        [tag("td", figure, class_="n dim") for figure in line.more],
    )  # fmt: skip


def pairs(content: Iterable[tuple[str, Piece]], *, look: str = "pairs") -> Markup:
    """Names with what they stand for."""
    return tag("dl", [[tag("dt", name), tag("dd", value)] for name, value in content], class_=look)


def card(title: Piece, *content: Piece, level: Literal["h2", "h3"] = "h3") -> Markup:
    """A piece of the page with a heading of its own."""
    return tag("div", tag(level, title) if title else None, *content, class_="card")


def section(name: str, title: str, lead: str, *content: Piece) -> Markup:
    """A part of the page that the bar at its top leads to."""
    heading = tag("h2", title, id=f"{name}-title")
    return tag(
        "section",
        heading,
        tag("p", lead, class_="lead") if lead else None,
        *content,
        id=name,
        aria_labelledby=f"{name}-title",
    )
