"""Every command, shown output, Python block and link in README and docs is right."""

import csv
import functools
import html
import json
import re
from pathlib import Path

import pytest

from docs import (
    DOCS,
    OPTION,
    PAGES,
    ROOT,
    blocks,
    check_shown,
    find_anchors,
    find_links,
    list_commands,
    list_options,
    read_mentions,
    read_plain_blocks,
    run_block,
    run_commands,
)
from karat.cli import main
from provider import Provider


@functools.cache
def list_all_options() -> set[str]:
    """The options of all commands."""
    paths = [(name, *deeper) for name in list_commands() for deeper in [(), *zip(list_commands(name))]]
    return set[str]().union(*(list_options(*path) for path in paths))


@pytest.mark.parametrize("text", blocks("console", on_ray=False))
def test_every_karat_command_in_the_docs_works_and_prints_what_is_shown(
    text: str, docs_place: Provider
) -> None:
    run_commands(text, docs_place)


@pytest.mark.parametrize("text", blocks("python", on_ray=False))
def test_every_python_block_in_the_docs_runs_and_prints_what_is_shown(
    text: str, docs_place: Provider
) -> None:
    run_block(text, docs_place)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    for target, anchor in find_links(page):
        there = (page.parent / target).resolve() if target else page
        assert there.exists(), target
        assert not anchor or anchor in find_anchors(there), f"{target}#{anchor}"


def test_the_index_links_to_every_page_except_the_decisions() -> None:
    index = DOCS / "index.md"
    linked = {(DOCS / target).resolve() for target, _ in find_links(index) if target}
    assert {page for page in PAGES if page.parent.name not in {ROOT.name, "decisions"}} - {index} <= linked


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_options_that_are_only_mentioned_exist(page: Path) -> None:
    for mention in read_mentions(page):
        words = mention.split()
        if words[:1] == ["karat"] and words[1:] and words[1].isalpha():
            command = words[1:3] if words[2:] and list_commands(words[1]) else words[1:2]
            assert set(OPTION.findall(" ".join(words))) <= list_options(*command), mention
        elif words[:1] and words[0].startswith("--"):
            assert set(OPTION.findall(mention)) <= list_all_options(), mention


def test_the_labelling_guide_shows_what_follows_from_labelling_the_drawn_rows(docs_place: Provider) -> None:
    guide = DOCS / "guides" / "label-answers.md"
    shown = next(text for text in read_plain_blocks(guide) if "corrected by labels" in text)
    grade = "$ karat grade examples/answers.jsonl --columns label="
    run_commands(f"{grade}\n$ karat labels plan 1 --n 20 -o to-label.csv", docs_place)
    answers = Path("examples/answers.jsonl").read_text(encoding="utf-8")
    known = {row["id"]: row["label"] for row in map(json.loads, answers.splitlines())}
    with Path("to-label.csv").open(encoding="utf-8-sig", newline="") as source:
        drawn = list(csv.DictReader(source))
    with Path("labelled.csv").open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, list(drawn[0]))
        writer.writeheader()
        writer.writerows({**row, "label": "yes" if known[row["id"]] else "no"} for row in drawn)
    run_commands(f"$ karat labels add 1 labelled.csv\n{grade}\n{shown}", docs_place)


def test_output_that_is_not_printed_is_found() -> None:
    check_shown("x", ["a  b", "…", "long li…"], "a b\nother\nlong line")
    with pytest.raises(AssertionError, match="does not print 'a c'; nearest: \\['a b'\\]"):
        check_shown("x", ["a c"], "a b\nother")
    with pytest.raises(AssertionError, match="does not print 'a b'"):
        check_shown("x", ["other", "a b"], "a b\nother")


def test_the_picture_of_the_summary_shows_what_is_printed(
    docs_place: Provider, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["grade", "examples/answers.jsonl", "--columns", "label="])
    picture = (DOCS / "pictures" / "summary.svg").read_text(encoding="utf-8")
    drawn = "".join(html.unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture))).split())
    figures = re.findall(r"^correct .*|^\S+ +\d+ +\d+\.\d %", capfd.readouterr().out, re.MULTILINE)
    assert len(figures) > 3  # the share correct, Yes, No, and what decided
    assert [line for line in figures if "".join(line.split()) not in drawn] == [], "run make picture"


@pytest.mark.parametrize(
    ("page", "options"),
    [
        ("guides/grade-a-file.md", "my.csv --columns question=q,reference=gold,answer=out"),
        ("reference/output.md", "examples/answers.jsonl --columns label="),
    ],
)
def test_tables_of_verdicts_show_what_the_file_holds(page: str, options: str, docs_place: Provider) -> None:
    run_commands(f"$ karat grade {options} -o verdicts.csv", docs_place)
    with Path("verdicts.csv").open(encoding="utf-8-sig", newline="") as source:
        written = {row["id"]: row for row in csv.DictReader(source)}
    table = re.search(r"^\| id \|.*\n(?:\|.*\n)+", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert table is not None
    names, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in table[0].splitlines())
    assert rows
    for cells in rows:
        assert dict(zip(names, cells, strict=True)) == {name: written[cells[0]][name] for name in names}


def test_the_accuracy_in_the_readme_is_what_the_measurement_pages_say() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    accuracy, confidence = (
        (DOCS / "measurements" / f"{name}.md").read_text(encoding="utf-8")
        for name in ("accuracy", "confidence")
    )
    shown = re.findall(r"\| ([\d,]+) \| (\d+)\.(\d) % \|$", readme, re.MULTILINE)
    assert shown
    for rows, whole, tenth in shown:
        measured = (f"| {rows} | .{whole}{tenth}", f"| {rows.replace(',', '')} | {whole}.{tenth} % |")
        assert measured[0] in accuracy or measured[1] in confidence, measured
    kappas = re.findall(r" (\.\d{3})\b", readme)
    row = next(line for line in accuracy.splitlines() if line.startswith("| NaturalQuestions answers"))
    assert kappas
    assert all(kappa in row for kappa in kappas)
