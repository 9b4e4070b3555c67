"""The page in a browser: it shows the rows as text, without network requests."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Opened, open_page
from making import Make, keep_labels, keep_reply, keep_run, level, lost, no, row, write_page, yes
from msgspec import structs

from karat.core.scored_row import Label
from karat.core.types import Outcome, Point
from karat.report.build import gather
from karat.report.markdown import write_markdown
from karat.store import NewRow, Run, Store

HOSTILE = (
    "<script>document.title = 'taken'</script>",
    "</script><script>document.title = 'taken'</script>",
    "<!-- <script> -->",
    "<img src=x onerror=\"document.title='taken'\">",
    "<svg/onload=alert(1)>&lt;b&gt;&amp;",
    "]]> {{7*7}} ${7*7} `javascript:alert(1)`",
    "\"'><a href='https://example.org/x'>here</a>",
)
BIDI = "abc \u202etxt.exe\u202c \u2066def\u2069"
ZERO_WIDTH = "pa\u200bris \ufeff\u00ad\u2060 end"


def graded(store: Store, count: int = 40) -> Run:
    """Rows of two systems and three topics, some wrong, some unjudged, some labelled."""
    rows = [
        row(
            number,
            f"answer {number}",
            question=f"question {number // 2}",
            system=("atlas", "birch")[number % 2],
            topic=("sea", "sky", "soil")[number % 3],
        )
        for number in range(count)
    ]
    outcomes: list[Outcome | None] = [
        lost() if number % 10 == 9 else (no if number % 3 else yes)(confidence=0.6 + number % 4 / 10)
        for number in range(count)
    ]
    run = keep_run(store, rows, outcomes)
    keep_labels(store, run, [(at, Label("anna", float(at % 4 == 0))) for at in range(0, count, 2)])
    return run


def expect_quiet(opened: Opened) -> None:
    """Nothing was said on the console and nothing but the file itself was asked for."""
    assert opened.errors == []
    assert [url.split("#")[0] for url in opened.requests] == [opened.page.url.split("#")[0]]
    assert opened.page.url.startswith("file://")


def expect_accessible(opened: Opened, *parts: str, **options: Any) -> None:
    """No complaint about the whole page, or about these parts of it."""
    found = Axe().run(opened.page, context=[*parts] or None, options=options).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of `graded`, for tests that only look at it."""
    folder = tmp_path_factory.mktemp("graded")
    with Store(str(folder / "karat.db")) as store:
        return write_page(store, [graded(store)], folder / "report.html")


def test_page_makes_no_requests_and_is_accessible(page: Path, browser: Any) -> None:
    with open_page(browser, page) as opened:
        expect_quiet(opened)
        expect_accessible(opened)
        opened.page.emulate_media(color_scheme="dark")
        expect_accessible(opened, runOnly=["color-contrast"])
        opened.search("nothing is like this")
        expect_accessible(opened, "#items")


def test_the_schemes_differ_and_paper_is_white(page: Path, browser: Any) -> None:
    seen = set[str]()
    with open_page(browser, page) as opened:
        for scheme in ("light", "dark"):
            opened.page.emulate_media(media="screen", color_scheme=scheme)
            seen.add(_ground(opened))
            opened.page.emulate_media(media="print")
            assert _ground(opened) == "rgb(255, 255, 255)"
            assert not opened.page.locator("#items").is_visible()
            assert opened.page.locator("#values").is_visible()
        assert opened.page.pdf().startswith(b"%PDF")
    assert len(seen) == 2


def _ground(opened: Opened) -> str:
    return opened.page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_hostile_text_is_never_markup(store: Store, make: Make, browser: Any) -> None:
    judge = " ".join(HOSTILE)
    rows = [
        row(at, text, question=text, references=(text,), system=text, topic=text)
        for at, text in enumerate(HOSTILE * 2, 10)
    ]
    run = keep_run(store, rows, [yes(reason=text) for text in HOSTILE * 2], judge=judge)
    heard = [keep_reply(store, run, text) for text in HOSTILE]
    said = [structs.replace(yes(reason=text), replies=(heard[at],)) for at, text in enumerate(HOSTILE)]
    run = keep_run(store, rows, said * 2, judge=judge)
    with open_page(browser, make(run)) as opened:
        expect_quiet(opened)
        assert opened.page.title() == f"karat report: run 1 · {judge}"
        assert sorted(opened.page.locator("#slices tbody th").all_inner_texts()) == sorted(HOSTILE)
        for at, text in enumerate(HOSTILE, 10):
            opened.search(f"{text} row-{at}")
            assert opened.status == "1 of 14 rows"
            opened.page.wait_for_selector(f"#item h3:has-text('row-{at}')")
            assert opened.item.inner_text().count(text) >= 5
            assert opened.page.locator("#item script, #item img, #item a, #item b, #list script").count() == 0


def test_invisible_characters_are_named_and_ignored_by_search(store: Store, make: Make, browser: Any) -> None:
    run = keep_run(store, [row(1, BIDI), row(2, ZERO_WIDTH), row(3, "plain")], [yes(), no(), no()])
    with open_page(browser, make(run)) as opened:
        shown = opened.item.inner_text()
        for code in ("U+202E", "U+202C", "U+2066", "U+2069"):
            assert code in shown
        assert "\u202e" not in opened.page.content()
        opened.search("paris")
        assert opened.status == "1 of 3 rows"
        assert "paU+200Bris" in opened.item.inner_text()
        expect_quiet(opened)


def test_control_characters_in_names_are_shown_and_never_raw(store: Store, make: Make, browser: Any) -> None:
    unseen = "\x1b[31m \x9b2J \x1f \u202e"
    rows = [
        row(
            at,
            f"answer {at}",
            system=f"{'ab'[at % 2]} {unseen}",
            **{f"tag {unseen}": f"{'xy'[at // 2]} {unseen}"},
        )
        for at in range(4)
    ]
    runs = [
        keep_run(store, rows, [yes(by=f"llm:{judge}")] * 4, judge=f"{judge} {unseen}", key=f"file {unseen}")
        for judge in ("m", "n")
    ]
    path = make(*runs)
    written = [
        path.read_text(encoding="utf-8"),
        write_markdown(gather(store, runs, karat="1", now=0.0, passing=4)),
    ]
    with open_page(browser, path) as opened:
        written.append(opened.page.evaluate("document.body.innerText"))
    for text in written:
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
        assert "⟨U+001B⟩[31m ⟨U+009B⟩2J ⟨U+001F⟩ ⟨U+202E⟩" in text


def test_emoji_and_persian_keep_their_joiners(store: Store, make: Make, browser: Any) -> None:
    text = "👩‍👩‍👧 می‌خواهم"
    with open_page(browser, make(keep_run(store, [row(1, text)], [yes()]))) as opened:
        assert text in opened.item.inner_text()


def test_an_answer_of_a_megabyte_is_shortened_and_says_how_long_it_is(
    store: Store, make: Make, browser: Any
) -> None:
    long = "<b>x</b>" * 131_072
    path = make(keep_run(store, [row(1, long), row(2, "short")], [no(), yes()]))
    assert path.stat().st_size < 1_000_000
    with open_page(browser, path) as opened:
        assert "The first 20,000 of 1,048,576 characters." in opened.item.inner_text()
        assert opened.item.inner_text().count("<b>x</b>") == 2_500
        expect_quiet(opened)


def test_search_takes_all_words_in_any_field_case_and_accent(store: Store, make: Make, browser: Any) -> None:
    rows = [
        row(1, "Beyoncé sang", question="Who sang Halo?", references=("Beyonce",)),
        row(2, "Adele sang", question="Who sang Hello?", references=("Adele",)),
        row(3, "nobody", question="Who sang?", references=("unknown",)),
    ]
    run = keep_run(store, rows, [yes(reason="same name"), yes(), no(reason="another NAME")])
    with open_page(browser, make(run)) as opened:
        for words, count in {
            "BEYONCE": 1, "sang halo": 1, "halo adele": 0, '"who sang"': 3, '"sang who"': 0, "name": 2,
            "row-2": 1, "unknown": 1, "": 3,
        }.items():  # fmt: skip
            opened.search(words)
            assert opened.status == f"{count} of 3 rows", words
        opened.search("halo adele")
        assert "No rows match" in opened.item.inner_text()


def test_filters_choose_by_verdict_system_tag_and_labels(page: Path, browser: Any) -> None:
    with open_page(browser, page) as opened:
        for name, option, expected in (
            ("Verdict", "Yes", 12), ("Verdict", "No", 24), ("Verdict", "unjudged", 4), ("Verdict", "unparseable", 4),
            ("System", "birch", 20), ("topic", "sky", 13), ("Decided by", "llm:m", 0), ("Agreement", "labelled", 20),
        ):  # fmt: skip
            if name == "Decided by":
                assert opened.control(name).count() == 0  # there is no choice
                continue
            opened.choose(name, option)
            assert opened.status == f"{expected} of 40 rows", name
            opened.page.get_by_role("button", name="Clear").click()
        opened.choose("System", "atlas")
        opened.choose("Agreement", "disagree")
        assert opened.status == f"{_differing(40)} of 40 rows"
        assert "differs" in opened.rows()[0]


def _differing(count: int) -> int:
    """Labelled, judged rows of `graded` whose verdict is not the label's."""
    return sum((at % 3 == 0) != (at % 4 == 0) for at in range(0, count, 2) if at % 10 != 9)


def test_a_cell_of_the_table_leads_to_its_rows(page: Path, browser: Any) -> None:
    with open_page(browser, page) as opened:
        cell = opened.page.locator(".confusion a").filter(has_text="judge correct, people wrong")
        count = int(cell.locator("strong").inner_text())
        cell.click()
        opened.wait_for(f"{count} of")
        assert opened.status == f"{count} of 40 rows"
        assert all("Yes" in text and "differs" in text for text in opened.rows())


def test_url_stores_filters(page: Path, browser: Any) -> None:
    with open_page(browser, page) as opened:
        opened.choose("System", "birch")
        opened.search("answer 1")
        hash_ = opened.page.evaluate("location.hash")
        told = opened.status
    with open_page(browser, page, hash_=hash_) as again:
        assert again.status == told
        assert again.page.get_by_role("searchbox").input_value() == "answer 1"


def test_page_can_be_used_by_keyboard(page: Path, browser: Any) -> None:
    with open_page(browser, page) as opened:
        keyboard = opened.page.keyboard
        focused = "document.activeElement.name || document.activeElement.id"
        keyboard.press("/")
        assert opened.page.evaluate(focused) == "words"
        keyboard.type("answer")
        keyboard.press("ArrowDown")
        assert opened.page.evaluate(focused) == "list"
        for key, place in {"End": 40, "Home": 1, "ArrowDown": 2, "j": 3, "k": 2, "ArrowUp": 1}.items():
            keyboard.press(key)
            chosen = opened.page.locator("[aria-selected=true]")
            assert chosen.get_attribute("aria-posinset") == str(place), key
            assert opened.page.locator("#list").get_attribute(
                "aria-activedescendant"
            ) == chosen.get_attribute("id")
            assert chosen.is_visible()
        keyboard.press("Enter")
        assert opened.page.evaluate(focused) == "item"
        keyboard.press("Escape")
        assert opened.page.evaluate(focused) == "list"


def test_list_renders_only_visible_rows(store: Store, make: Make, browser: Any) -> None:
    rows = [row(number, f"answer {number}") for number in range(3_000)]
    with open_page(browser, make(keep_run(store, rows, [yes()] * 3_000))) as opened:
        assert opened.status == "3,000 of 3,000 rows"
        assert opened.page.locator("#list [role=option]").count() < 60
        opened.page.locator("#list").focus()
        opened.page.keyboard.press("End")
        opened.page.wait_for_selector("#item h3:has-text('row-2999')")
        assert "answer 2999" in opened.rows()[-1]


def test_an_item_shows_reply_reason_confidence_votes_and_labels(
    store: Store, make: Make, browser: Any
) -> None:
    rows = [row(1, "answer", references=("one", "two"), topic="sea", note={"a": [1, 2]}), row(2, "b")]
    run = keep_run(store, rows, [yes(), no()])
    heard = keep_reply(store, run, '{"Answer 3": "Yes"}', place=3, items=7)
    verdict = structs.replace(
        yes(confidence=0.875, reason="it says so"),
        matched_reference=1,
        points=(Point("It is red.", "present"), Point("It is <b>tall</b>.", "missing")),
        replies=(heard,),
        distribution=(0.875, 0.125),
    )
    run = keep_run(store, rows, [verdict, no()])
    keep_labels(store, run, [(0, Label("anna", 0.0)), (0, Label("ben", 1.0))])
    with open_page(browser, make(run)) as opened:
        shown = opened.item.inner_text()
        for text in (
            "row-1", "What is it?", "one", "two\nmatched", "✓ Yes", "label even", "it says so", "0.875", "llm:m",
            "Yes 0.875, No 0.125", "Raw reply about 7 items (this row is number 3)", '{"Answer 3": "Yes"}', "anna", "ben",
            "sea", '{"a":[1,2]}', "✓ made\nIt is red.", "✗ missing\nIt is <b>tall</b>.",
        ):  # fmt: skip
            assert text in shown, text


def test_a_scale_has_levels_and_a_limit(store: Store, make: Make, browser: Any) -> None:
    rows = [row(number, f"answer {number}") for number in range(12)]
    run = keep_run(store, rows, [level(number % 6) for number in range(12)], protocol="keypoints")
    keep_labels(store, run, [(at, Label("anna", (at + 1) % 6 / 5, "0-5")) for at in range(12)])
    with open_page(browser, make(run, passing=3)) as opened:
        expect_quiet(opened)
        expect_accessible(opened, "#agreement")
        for option, count in {"5": 2, "correct": 6, "wrong": 6}.items():
            opened.choose("Verdict", option)
            assert opened.status == f"{count} of 12 rows"
        opened.page.locator(".confusion.six a").first.click()
        opened.wait_for("2 of")


def test_several_runs_are_shown_together(store: Store, make: Make, browser: Any) -> None:
    rows = [row(number, f"answer {number}", question=f"question {number}") for number in range(20)]
    first = keep_run(store, rows, [yes()] * 20, judge="rules")
    second = keep_run(store, rows, [yes() if number % 4 else no() for number in range(20)], judge="openai:m")
    with open_page(browser, make(first, second)) as opened:
        expect_quiet(opened)
        expect_accessible(opened, "#top")
        assert "2 runs side by side" in opened.page.locator("h1").inner_text()
        assert "they agree on 75.0 %" in opened.page.locator("#top").inner_text()
        assert opened.item.inner_text().count("Verdict of run") == 2
        opened.choose("Runs", "differ")
        assert opened.status == "5 of 20 rows"
        opened.choose("Run", "1")
        opened.choose("Verdict", "No")
        assert opened.status == "5 of 20 rows"


def test_runs_of_other_rows_keep_their_rows_apart(store: Store, make: Make, browser: Any) -> None:
    one = keep_run(store, [row(1, "first")], [yes()], key="one")
    other = keep_run(store, [row(1, "second"), row(2, "third")], [no(), no()], key="other")
    with open_page(browser, make(one, other)) as opened:
        assert opened.status == "1 of 3 rows"
        opened.choose("Run", "1")
        assert opened.status == "2 of 3 rows"
        assert [text.split("\n")[1] for text in opened.rows()] == ["second", "third"]


def test_more_rows_than_the_page_may_hold_are_spread_evenly(store: Store, make: Make, browser: Any) -> None:
    rows = [row(number, f"answer {number}") for number in range(100)]
    with open_page(browser, make(keep_run(store, rows, [yes()] * 100), most=10)) as opened:
        assert opened.status == "10 of 10 rows"
        assert "10 rows of 100, evenly spaced" in opened.page.locator("#items").inner_text()
        assert "100" in opened.page.locator("#top").inner_text()


def test_a_run_without_verdicts_says_so(store: Store, make: Make, browser: Any) -> None:
    rows: Sequence[NewRow] = [row(1, "a", question=None), row(2, "b")]
    with open_page(browser, make(keep_run(store, rows, [lost(), None]))) as opened:
        expect_quiet(opened)
        assert "not defined" in opened.page.locator("#top").inner_text()
        assert opened.rows()[0].startswith("row row-1")
        opened.choose("Verdict", "not tried yet")
        assert opened.status == "1 of 2 rows"
