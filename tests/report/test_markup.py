"""HTML and figures as text: nothing from data becomes markup, and scales contain their intervals."""

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from karat.core.messages import name_invisible
from karat.report.format import show_number, show_plain, show_points
from karat.report.page.charts import Scale, fit_scale
from karat.report.page.markup import Markup, render_text
from karat.stats import Estimate, Undefined


class Reader(HTMLParser):
    """Reads a page back: its elements, their attributes and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@st.composite
def estimates(draw: st.DrawFn, least: float = 0.0) -> Estimate:
    low, value, high = sorted(draw(st.lists(st.floats(least, 1.0), min_size=3, max_size=3)))
    return Estimate(value, low, high, 10, "drawn")


@given(st.text(), st.text())
def test_text_survives_escaping(text: str, title: str) -> None:
    page = render_text('<p title="{{ title }}">{{ text }}</p>', text=text, title=title)
    read = Reader(page)
    assert read.elements == ["p"]
    assert read.text == name_invisible(text).replace("\r\n", "\n").replace("\r", "\n")
    assert read.attributes == {"title": name_invisible(title)}


def test_only_markup_is_not_escaped() -> None:
    given = {"text": "<b>", "markup": Markup("<b>"), "nothing": None, "number": 2}
    assert render_text("{{ text }}{{ markup }}{{ nothing }}{{ number }}", **given) == "&lt;b&gt;<b>2"


def test_the_layout_of_a_template_does_not_come_into_the_page() -> None:
    source = "<p>\n  {% if true %}\n    one\n    word {{ 2 }} <b>x</b>\n  {% endif %}\n</p>\n"
    assert render_text(source) == "<p>one\n    word 2 <b>x</b></p>"


@given(st.text())
def test_no_invisible_character_is_left(text: str) -> None:
    assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069\u00ad\ufeff\x00-\x08]", name_invisible(text))


@given(st.text(st.characters(categories=("Lu", "Ll", "Nd", "Pd", "Po", "Sm", "Zs"))))
def test_visible_characters_are_unchanged(text: str) -> None:
    assert name_invisible(text) == text


@given(st.lists(estimates(), min_size=1, max_size=8))
def test_a_scale_holds_all_intervals_between_round_ends(found: list[Estimate]) -> None:
    scale = fit_scale(found)
    assert scale.low <= min(one.low for one in found) + 1e-9
    assert scale.high >= max(one.high for one in found) - 1e-9
    assert 0.0 <= scale.low < scale.high <= 1.0
    assert 2 <= len(scale.ticks) <= 5  # the style leaves out labels of up to five
    assert scale.ticks[0] == round(scale.low, 6)
    assert scale.ticks[-1] == round(scale.high, 6)


@given(st.lists(estimates(least=-1.0), min_size=1, max_size=8))
def test_differences_may_be_negative(found: list[Estimate]) -> None:
    scale = fit_scale(found, least=-1.0)
    assert scale.low <= min(one.low for one in found) + 1e-9


def test_scale_without_numbers_is_0_to_1() -> None:
    scale = fit_scale([Undefined("no rows"), None])
    assert (scale.low, scale.high) == (0.0, 1.0)
    draw = '{% from "charts.html" import intervals %}{{ intervals(scale, raw, none, "x", show_number) }}'
    assert "circle" not in render_text(draw, scale=scale, raw=Undefined("no rows"))
    assert "circle" in render_text(draw, scale=scale, raw=Estimate(0.5, 0.4, 0.6, 10, "drawn"))


def test_places_are_percents_of_the_width() -> None:
    scale = Scale(0.5, 0.9, (0.5, 0.7, 0.9))
    assert [scale.at(value) for value in (0.5, 0.6, 0.9, 0.0, 1.0)] == [
        "0.00%", "25.00%", "100.00%", "0.00%", "100.00%",
    ]  # fmt: skip


def test_figures_are_written_with_their_interval_or_the_reason() -> None:
    number = Estimate(0.7123, 0.65, 0.77, 100, "Wilson")
    assert show_number(number) == "71.2 % [65.0, 77.0]"
    assert show_plain(Estimate(-0.5, -0.75, 0.25, 9, "t")) == "−0.500 [−0.750, 0.250]"
    assert show_points(Estimate(0.021, -0.004, 0.038, 9, "t")) == "+2.1 points [−0.4, +3.8]"
    assert show_number(Undefined("no rows")) == "not defined: no rows"
