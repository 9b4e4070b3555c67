"""Two judges of the same answers on the page: how often they agree, who agrees more with people, and where they differ."""

from collections.abc import Iterator, Sequence

from karat.report.figures.judge_comparison import JudgeFigures, Judges, Overlap, Split
from karat.report.format import count, show_number, show_percent, show_plain, show_value, tell_people
from karat.report.page.markup import Markup, Piece, tag
from karat.report.page.tables import card, explain
from karat.report.page.trust import MEANINGS, clip, statistics_table
from karat.stats import Number, Undefined


def draw_judges(judges: Judges) -> Markup:
    """A card with words, statistics, the table of counts and rows on which the judges differ."""
    overall = judges.overall
    statistics = {"agreement": overall.agreement, "cohen_kappa": overall.kappa, **overall.levels}
    names = " and ".join(judge.name for judge in judges.judges)
    return card(
        f"Two judges of the same answers: {names}",
        [tag("p", _explain(line)) for line in _words(overall)],
        statistics_table(statistics, {**MEANINGS, "agreement": "both say the same"}),
        _with_people(judges),
        tag("h3", "Row by row", class_="sub"),
        _confusion(judges),
        _examples(judges),
        [tag("p", note, class_="note") for note in _notes(judges)],
        level="h2",
    )


def draw_incomparable(reasons: Sequence[str]) -> Markup:
    """Why runs are not compared, with the commands that help."""
    return card("Not compared", [tag("p", _explain(why)) for why in reasons], level="h2")


def _explain(why: str) -> list[Piece]:
    return [tag("code", piece) if at % 2 else piece for at, piece in enumerate(why.split("`"))]


def _words(overall: Overlap) -> Iterator[str]:
    yield overall.verdict
    yield overall.more_often
    yield from tell_people(overall.people)


def _with_people(judges: Judges) -> Piece:
    if judges.overall.people is None:
        return None
    head = tag(
        "tr",
        tag("th", "against the labels", scope="col"),
        [tag("th", name, scope="col", class_="n") for name in ("same as people [95 %]", "kappa [95 %]")],
    )
    body = [_judge_line(judge) for judge in judges.judges]
    numbers = [number for judge in judges.judges for number in (judge.accuracy, judge.kappa)]
    return [
        tag("h3", "Which agrees more with people", class_="sub"),
        tag("table", tag("thead", head), tag("tbody", body)),
        explain(numbers),
    ]


def _judge_line(judge: JudgeFigures) -> Markup:
    return tag(
        "tr",
        tag("th", judge.name, scope="row"),
        tag("td", _cell(judge.accuracy, plain=False), class_="n"),
        tag("td", _cell(judge.kappa, plain=True), class_="n"),
    )


def _cell(number: Number | None, *, plain: bool) -> str:
    if number is None or isinstance(number, Undefined):
        return "–"
    return (show_plain if plain else show_number)(number)


def _confusion(judges: Judges) -> Markup:
    """The rows by what both judges say."""
    one, other = (judge.name for judge in judges.judges)
    words = ("Yes", "No") if judges.protocol == "match" else ("correct", "wrong")
    body = [
        tag(
            "tr",
            tag("th", f"{one}: {mine}", scope="row"),
            [
                _count(judges.overall.table[1 - down][1 - across], judges.overall.rows, same=down == across)
                for across in range(2)
            ],
        )
        for down, mine in enumerate(words)
    ]
    head = tag("tr", tag("td"), [tag("th", f"{other}: {word}", scope="col") for word in words])
    return tag("table", tag("thead", head), tag("tbody", body), class_="confusion")


def _count(rows: int, whole: int, *, same: bool) -> Markup:
    inner = [tag("strong", f"{rows:,}"), tag("small", show_percent(rows / whole)) if rows else None]
    return tag("td", tag("span", inner, class_="same" if same else "other"))


def _examples(judges: Judges) -> Piece:
    if not judges.examples:
        return None
    names = tuple(judge.name for judge in judges.judges)
    return tag(
        "div",
        tag("h3", "They differ, for example, on", class_="sub"),
        [_example(one, names) for one in judges.examples],
        class_="examples",
    )


def _example(one: Split, names: tuple[str, ...]) -> Markup:
    expected = " or ".join(clip(reference, 80) for reference in one.references[:3])
    asked = f"{one.id}: {one.question}" if one.question else one.id
    said = [
        tag("p", f"{name}: {show_value(value)}{f', {clip(reason, 160)}' if reason else ''}", class_="small")
        for name, value, reason in zip(names, one.values, one.reasons, strict=True)
    ]
    return tag(
        "blockquote",
        tag("p", clip(asked, 160), class_="dim small"),
        tag("p", clip(one.answer, 240) or "(empty)"),
        tag("p", f"expected {expected}", class_="dim small"),
        said,
    )


def _notes(judges: Judges) -> Iterator[str]:
    if judges.protocol != "match":
        yield f"Correct is a level of {judges.passing} or more."
    if judges.overall.left_out:
        yield f"{count(judges.overall.left_out, 'row')} without a verdict of both left out."
    if judges.apart:
        yield f"{count(judges.apart, 'row')} that only one of the runs holds left out."
    yield from judges.notes
