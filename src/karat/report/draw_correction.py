"""The share correct as judged and as corrected, side by side."""

from collections.abc import Iterator

from rich.console import Group as Together
from rich.console import RenderableType
from rich.text import Text

from karat.report.correction import Correction
from karat.report.tables import (
    count,
    explain_dashes,
    make_table,
    show_number,
    show_or_dash,
    show_percent,
    show_plain,
)


def draw_correction(correction: Correction) -> RenderableType:
    """One line each for the judge, for the judge with its errors taken out, and for the labels alone."""
    table = make_table("share correct", "[95 % interval]", "")
    everything = f"all {correction.rows:,} rows"
    labels = f"{correction.labelled:,} labelled"
    table.add_row("as judged", show_number(correction.share.raw), "the judged rows")
    if correction.selection != "all":
        table.add_row(
            "corrected by labels",
            show_or_dash(correction.share.corrected, show_number),
            f"{everything}, {labels}",
            style="bold",
        )
    table.add_row(
        "by labels alone", show_or_dash(correction.share.labels_alone, show_number), f"{everything}, {labels}"
    )
    if correction.rogan_gladen is not None:
        table.add_row("by Rogan-Gladen", show_number(correction.rogan_gladen), "for labels with another mix")
    if correction.score is not None:
        score = correction.score
        table.add_row("mean score as judged", show_plain(score.raw), "the judged rows")
        if correction.selection != "all":
            table.add_row(
                "mean score corrected", show_or_dash(score.corrected, show_plain), everything, style="bold"
            )
        table.add_row("mean score by labels alone", show_or_dash(score.labels_alone, show_plain), everything)
    return Together(table, *(Text(line, style="dim") for line in _notes(correction)))


def _notes(correction: Correction) -> Iterator[str]:
    mix, share = correction.mix, correction.share
    if why := explain_dashes([share.corrected, share.labels_alone]):
        yield why
    if mix is not None:
        yield (
            f"the judge says correct of {show_percent(mix.labelled)} of the labelled rows and of {show_percent(mix.others)} of the others:"
            " they were not drawn at random, and only Rogan-Gladen allows for that"
        )
    elif correction.selection == "convenience":
        yield "the labelled rows are taken as drawn at random; `karat labels plan` draws such rows"
    elif correction.selection == "planned":
        yield "the labelled rows were drawn by `karat labels plan`, and are weighed by the chance with which they were"
    elif correction.selection == "elsewhere":
        yield (
            "labelled rows were drawn by `karat labels plan` for another run; label the rows from which it did not draw,"
            " or draw for this run too"
        )
    else:
        yield "every row is labelled: the labels themselves are the answer, and nothing is left to correct"
    if correction.ties:
        yield f"people are evenly split over {count(correction.ties, 'row')}: each counts as half right"
    if correction.outside:
        yield f"{count(correction.outside, 'labelled row')} outside the plan left aside"
