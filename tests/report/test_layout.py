"""The page in windows of two widths: nothing is wider than its window or card, and axis labels do not overlap."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from browsing import open_page
from making import keep_labels, keep_run, level, lost, no, row, write_page, yes

from karat.core.scored_row import Label
from karat.core.types import Outcome, ProtocolName
from karat.store import NewRow, Run, Store

EXAMPLES = Path(__file__).parents[2] / "examples"
WIDTHS = (1280, 400)
WORD = "w" * 300
MEASURE = """() => {
  const round = (box) => [box.left, box.top, box.right, box.bottom].map(Math.round);
  const isSeen = (element) => element.getClientRects().length > 0;
  const cards = [...document.querySelectorAll(".card")].filter(isSeen);
  const charts = [...document.querySelectorAll("svg")].filter((svg) => svg.querySelector("text"));
  return {
    page: [document.documentElement.scrollWidth, document.documentElement.clientWidth],
    wide: cards.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.textContent.slice(0, 80)),
    axes: charts.filter(isSeen).map((svg) => ({
      room: round((svg.closest(".card") ?? document.documentElement).getBoundingClientRect()),
      labels: [...svg.querySelectorAll("text")].filter(isSeen).map((text) => [text.textContent, round(text.getBoundingClientRect())]),
    })),
  };
}"""


def expect_room(browser: Any, path: Path) -> None:
    """In a window of each width, the page and its cards hold what they show, and no label touches or leaves another."""
    with open_page(browser, path) as opened:
        for width in WIDTHS:
            opened.page.set_viewport_size({"width": width, "height": 900})
            found = opened.page.evaluate(MEASURE)
            assert found["page"] == [width, width]
            assert found["wide"] == []
            assert found["axes"]
            for axis in found["axes"]:
                expect_apart(axis["labels"], axis["room"])


def expect_apart(labels: Sequence[tuple[str, Sequence[int]]], room: Sequence[int]) -> None:
    assert len(labels) >= 2
    for at, (name, (left, top, right, bottom)) in enumerate(labels):
        assert room[0] <= left < right <= room[2], name
        for other, box in labels[at + 1 :]:
            assert left >= box[2] or box[0] >= right or top >= box[3] or box[1] >= bottom, (name, other)


def read_examples(name: str, times: int) -> tuple[list[NewRow], list[Any]]:
    """The rows of a bundled file, several times over, and their labels."""
    found = [json.loads(line) for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines()] * times
    rows = [
        row(
            at,
            f"{fields['answer']} ({at})",
            question=fields["question"],
            references=fields["references"],
            system=fields.get("system"),
            topic=fields["topic"],
        )
        for at, fields in enumerate(found)
    ]
    return rows, [fields["label"] for fields in found]


def grade(store: Store, protocol: ProtocolName, judge: str) -> Run:
    """The bundled examples with verdicts as labelled, some rows being missed and every eleventh unjudged."""
    name, times = ("answers.jsonl", 1) if protocol == "match" else ("explanations.jsonl", 4)
    rows, labels = read_examples(name, times)
    outcomes: list[Outcome | None] = []
    for at, label in enumerate(labels):
        missed = (at + len(judge)) % 5 == 0
        if at % 11 == 10:
            outcomes.append(lost())
        elif protocol == "match":
            outcomes.append((yes if label != missed else no)(confidence=0.5 + at % 5 / 10))
        else:
            outcomes.append(level((label + missed) % 6))
    run = keep_run(store, rows, outcomes, judge=judge, protocol=protocol, key=name)
    top, scale = (1, "yes/no") if protocol == "match" else (5, "0-5")
    people = [(at, author) for author in ("anna", "ben") for at in range(len(labels))]
    keep_labels(store, run, [(at, Label(author, labels[at] / top, scale)) for at, author in people])
    return run


@pytest.mark.parametrize("protocol", ["match", "equivalence", "keypoints"])
def test_pages_of_one_run_and_of_two_fit_their_window(
    store: Store, tmp_path: Path, browser: Any, protocol: ProtocolName
) -> None:
    one, two = grade(store, protocol, "embedded"), grade(store, protocol, "openai:gpt-4.1-mini")
    expect_room(browser, write_page(store, [one], tmp_path / "one.html"))
    expect_room(browser, write_page(store, [one, two], tmp_path / "two.html"))


def test_unbreakable_words_fit_their_window(store: Store, tmp_path: Path, browser: Any) -> None:
    """Two files, so that shares, differences and tags of both have names of any length; shares from 20 % to 80 % take five ticks."""
    rows = [
        row(at, f"{WORD}{at}", question=f"{WORD}{at // 2}", references=(WORD,), system="sy"[at % 2] + WORD[:200],
            **{WORD[:200]: "ab"[at // 2 % 2] + WORD[:59], "topic": "cde"[at % 3]})
        for at in range(60)
    ]  # fmt: skip
    outcomes: list[Outcome | None] = [
        (yes if at % 2 else no)(by=f"rule:{WORD}", reason=WORD) for at in range(60)
    ]
    runs = [
        keep_run(store, rows, outcomes, judge=WORD[:100], key=key + WORD[:100]) for key in ("one", "other")
    ]
    keep_labels(store, runs[0], [(at, Label(WORD[:90], float(at % 3 == 0))) for at in range(60)])
    expect_room(browser, write_page(store, runs, tmp_path / "report.html"))
