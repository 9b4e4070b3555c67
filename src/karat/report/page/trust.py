"""How far the verdicts can be trusted: agreement with people, the table behind it, and confidence."""

from collections.abc import Mapping, Sequence
from functools import partial

from karat.report.content import Example, RunReport
from karat.report.figures.agreement import Agreement, Band, Levels
from karat.report.figures.confidence import Reliability
from karat.report.figures.humans import Alternative, Humans
from karat.report.format import (
    STATISTICS,
    as_sentence,
    count,
    show_number,
    show_percent,
    show_plain,
    show_statistic,
    tell_known,
)
from karat.report.page.charts import Point, draw_reliability
from karat.report.page.markup import Markup, Piece, items_link, tag
from karat.report.page.tables import Line, card, explain, figure_table, say, section
from karat.stats import Number, Undefined

DIFFERENCES = {
    "judge Yes, people No": "The judge says correct, people say wrong",
    "judge No, people Yes": "The judge says wrong, people say correct",
}
MEANINGS = {
    "agreement": "same verdict as people",
    "cohen_kappa": "beyond what chance would give",
    "gwet_ac1": "beyond chance, steady where one value is rare",
    "krippendorff_alpha": "beyond chance, by what was seen in all",
    "mcc": "correlation of the two verdicts",
    "macro_f1": "mean of F1 for correct and for wrong",
    "sensitivity": "right answers accepted",
    "specificity": "wrong answers rejected",
    "quadratic_kappa": "beyond chance, far misses weigh more",
    "mean_absolute_error": "levels apart on average",
}


def draw_agreement(runs: Sequence[RunReport]) -> Markup | None:
    """Agreement with labels, the confusion, and what people say of each other."""
    cards = [
        piece
        for at, run in enumerate(runs)
        if run.agreement is not None
        for piece in _agreement(at, run, run.agreement, runs)
    ]
    lead = "Verdicts beside the labels of people. Follow a number in the table to the rows behind it."
    return (
        section("agreement", "Agreement with people", lead, tag("div", cards, class_="grid"))
        if cards
        else None
    )


def _agreement(at: int, run: RunReport, found: Agreement, runs: Sequence[RunReport]) -> list[Markup]:
    named = f" {run.name}" if len(runs) > 1 else ""
    authors = f", labels by {', '.join(found.authors)}" if found.authors else ""
    told = f"{count(found.rows, 'row')} judged and labelled{authors}."
    if found.unjudged:
        told += f" {count(found.unjudged, 'labelled row')} without a verdict left out."
    if found.outside:
        told += f" {count(found.outside, 'labelled row')} outside the plan left out."
    if found.weighted:
        told += " The statistics weigh rows by the chance with which the plan drew them."
    if found.beyond:
        told += f" They do not speak for {count(found.beyond, 'row')} from which it did not draw."
    if found.ties:
        told += f" {count(found.ties, 'row')} on which annotators are even left out."
    labelled = found.rows + found.unjudged + found.ties
    for line in (tell_known(found.known, labelled, found.known_from), found.assumption):
        told += "" if line is None else f" {as_sentence(line)}"
    if not found.rows:
        return [
            card(
                tag("span", named) if named else None,
                tag("p", f"No row is both judged and labelled. {told}", class_="note"),
            )
        ]
    cards = [
        card(
            ["In numbers", tag("span", named)],
            statistics_table(found.statistics),
            tag("p", told, class_="note"),
        ),
        card(["Row by row", tag("span", named)], _confusion(at, found), _examples(run.examples)),
    ]
    if found.levels is not None:
        cards += _levels(at, found.levels, named)
    if found.humans is not None:
        cards.append(card(["People among themselves", tag("span", named)], _humans(found.humans)))
    return cards


def statistics_table(statistics: Mapping[str, Number], meanings: Mapping[str, str] = MEANINGS) -> Markup:
    """Statistics with their intervals and what they mean."""
    lines = [
        Line(
            [STATISTICS.get(name, name), tag("div", meanings.get(name, ""), class_="dim small")],
            STATISTICS.get(name, name),
            number,
            said=(say(number, partial(show_statistic, name)),),
            drawn=name != "mean_absolute_error",
        )
        for name, number in statistics.items()
    ]
    heads = ("statistic", "value [95 %]")
    return figure_table("Statistics", heads, lines, show=show_plain, look="plot named")


def _confusion(at: int, found: Agreement) -> Markup:
    names = ("correct", "wrong")
    whole = sum(sum(line) for line in found.table)
    body = [
        tag(
            "tr",
            tag("th", f"people: {human}", scope="row"),
            [
                _cell(
                    found.table[1 - down][1 - across],
                    whole,
                    items_link(at, {"value": judge, "label": human}),
                    f"judge {judge}, people {human}",
                    same=down == across,
                )
                for across, judge in enumerate(names)
            ],
        )
        for down, human in enumerate(names)
    ]
    head = tag("tr", tag("td"), [tag("th", f"judge: {name}", scope="col") for name in names])
    return tag("table", tag("thead", head), tag("tbody", body), class_="confusion")


def _examples(examples: Mapping[str, Sequence[Example]]) -> list[Markup]:
    return [
        tag(
            "div",
            tag("h3", DIFFERENCES.get(cell, cell), class_="sub"),
            [_example(one) for one in found],
            class_="examples",
        )
        for cell, found in examples.items()
    ]


def _example(one: Example) -> Markup:
    expected = " or ".join(clip(reference, 80) for reference in one.references[:3])
    return tag(
        "blockquote",
        tag("p", clip(one.question, 160), class_="dim small") if one.question else None,
        tag("p", clip(one.answer, 240)),
        tag("p", f"expected {expected}", class_="dim small"),
    )


def clip(text: str, most: int) -> str:
    """A text on one line, cut where it is too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def _cell(rows: int, whole: int, link: str, told: str, *, same: bool) -> Markup:
    share = tag("small", show_percent(rows / whole)) if rows else None
    inner = [tag("strong", f"{rows:,}"), share]
    look = "same" if same else "other"
    if not rows:
        return tag("td", tag("span", inner, class_=look), class_="empty")
    return tag(
        "td", tag("a", inner, tag("span", f", {told}", class_="unheard"), href=link, class_=look, title=told)
    )


def _levels(at: int, levels: Levels, named: str) -> list[Markup]:
    whole = sum(sum(line) for line in levels.table)
    order = range(5, -1, -1)
    body = [
        tag(
            "tr",
            tag("th", str(human), scope="row"),
            [
                _cell(
                    levels.table[human][judge],
                    whole,
                    items_link(at, {"value": str(judge), "label": str(human)}),
                    f"judge {judge}, people {human}",
                    same=human == judge,
                )
                for judge in order
            ],
        )
        for human in order
    ]
    head = tag(
        "tr",
        tag("td", "people, judge", class_="dim small"),
        [tag("th", str(judge), scope="col") for judge in order],
    )
    return [
        card(["Levels", tag("span", named)], statistics_table(levels.statistics)),
        card(
            ["Level by level", tag("span", named)],
            tag("table", tag("thead", head), tag("tbody", body), class_="confusion six"),
            tag("h3", "Mean distance by level", class_="sub"),
            _bands(levels.bands),
        ),
    ]


def _humans(humans: Humans) -> list[Piece]:
    body = [
        tag(
            "tr",
            tag("th", f"{pair.one} and {pair.other}", scope="row"),
            tag("td", f"{pair.rows:,}", class_="n"),
            tag("td", say(pair.agreement, show_number), class_="n"),
            tag("td", say(pair.kappa, show_plain), class_="n"),
        )
        for pair in humans.couples
    ]
    head = _heads("who", "rows", "same label [95 %]", "kappa [95 %]")
    told = [explain(number for pair in humans.couples for number in (pair.agreement, pair.kappa))]
    told += [tag("p", f"Krippendorff's alpha of all of them: {show_plain(humans.alpha)}", class_="note")]
    if isinstance(humans.alternative, Undefined):
        told.append(
            tag("p", f"Alternative-annotator test not defined: {humans.alternative.why}", class_="note")
        )
    elif humans.alternative is not None:
        told.append(tag("p", _say_alternative(humans.alternative), class_="note"))
    return [tag("table", tag("thead", head), tag("tbody", body)), told]


def _say_alternative(found: Alternative) -> str:
    may = "may stand in for a person" if found.passed else "may not yet stand in for a person"
    return (
        f"By the alternative-annotator test (epsilon {found.epsilon:g}) the judge {may}: it wins against "
        f"{show_percent(found.winning_rate)} of them; advantage probability {show_plain(found.advantage)}."
    )


def _bands(bands: Sequence[Band]) -> Markup:
    body = [
        tag(
            "tr",
            tag("th", str(band.level), scope="row"),
            tag("td", f"{band.rows:,}", class_="n"),
            tag("td", say(band.error, show_plain), class_="n"),
            tag("td", say(band.bias, show_plain), class_="n"),
        )
        for band in bands
    ]
    head = _heads("people say", "rows", "levels off [95 %]", "too kind by [95 %]")
    why = explain(number for band in bands for number in (band.error, band.bias))
    return Markup(tag("table", tag("thead", head), tag("tbody", body)) + why)


def _heads(first: str, *others: str) -> Markup:
    return tag(
        "tr", tag("th", first, scope="col"), [tag("th", name, scope="col", class_="n") for name in others]
    )


def draw_confidence(runs: Sequence[RunReport]) -> Markup | None:
    """The reliability curve of each run that states confidences and has labels."""
    cards = [
        card(tag("span", run.name) if len(runs) > 1 else None, _curve(run.agreement.reliability))
        for run in runs
        if run.agreement is not None and run.agreement.reliability is not None
    ]
    lead = "When the judge says it is 90 % sure, is it right 90 % of the time? On the dashed line it is."
    return section("confidence", "Confidence", lead, tag("div", cards, class_="grid")) if cards else None


def _curve(found: Reliability) -> Markup:
    points = [Point(one.confidence, one.right, one.rows) for one in found.bins]
    rows = [
        tag(
            "tr",
            tag("th", f"{one.low:.1f} to {one.high:.1f}", scope="row"),
            tag("td", f"{one.rows:,}", class_="n"),
            tag("td", say(one.right, show_number), class_="n"),
        )
        for one in found.bins
    ]
    head = _heads("confidence", "rows", "right [95 %]")
    why = explain(one.right for one in found.bins)
    told = f"Brier score {show_plain(found.brier)}. Expected calibration error {show_plain(found.expected_error)}."
    return tag(
        "div",
        draw_reliability(points),
        tag("div", tag("table", tag("thead", head), tag("tbody", rows)), why, tag("p", told, class_="note")),
        class_="curves",
    )
