"""`benchmarks/prompts.py` with scripted judges: the curve that comes out is the one that the script laid down."""

import contextlib
import io
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import prompts
import pytest
from labelled_data import raw_row, write_set

from oracle import PERFECT, answer_equivalence, answer_keypoints, match_answers
from provider import Apart, Call, Provider, apart

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "prompts.py"
ROWS = 128


def number_of(answer: str) -> int:
    return int(answer.rsplit(maxsplit=1)[-1])


def is_right(number: int) -> bool:
    """Every second block of sixteen is right, so that the wrong ones are spread evenly over all remainders."""
    return number // 16 % 2 == 0


def leans(call: Call) -> str:
    """In batches of s only one in s wrong answers is found out; all others get a Yes."""
    size = len(match_answers(call))
    return PERFECT["match"](lambda text: is_right(number_of(text)) or number_of(text) % size != 0)(call)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return write_set(tmp_path / "data", "evouna_nq", [raw_row(n, int(is_right(n))) for n in range(ROWS)])


def words(data: Path, base_url: str, *more: str, cache: str = "cache") -> list[str]:
    place = ["--data", str(data), "--cache", str(data.parent / cache), "--judge", f"{base_url}#m"]
    return [str(SCRIPT), *place, "--rows", str(ROWS), *more]


def run(data: Path, base_url: str, *more: str) -> str:
    """The command in this process, and what it prints."""
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as out:
        patch.setattr(sys, "argv", words(data, base_url, *more))
        prompts.main()
    return out.getvalue()


def read_table(text: str, head: str) -> dict[str, dict[str, str]]:
    """The first table whose first column is called so: its rows by their first cell."""
    lines = text[text.index(f"| {head} |") :].split("\n\n", maxsplit=1)[0].splitlines()
    names, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: dict(zip(names, row, strict=True)) for row in rows}


def value(cell: str) -> float:
    return float(cell.split(maxsplit=1)[0])


def test_the_scripted_curve_comes_out_exactly(data: Path) -> None:
    """Specificity and kappa are 1/s at size s, nothing right is missed, and tokens are those that were counted."""
    with Provider(leans) as provider:
        sizes = ["1", "2", "4", "8", "16"]
        text = run(data, provider.base_url, "--sets", "evouna_nq", "--curve", "--sizes", *sizes)
        asked = Counter[int]()
        for call in provider.calls:
            asked[len(match_answers(call))] += len(call.prompt) // 4
        table = read_table(text, "items per prompt")
        assert list(table) == sizes
        for size in sizes:
            row = table[size]
            assert value(row["specificity"]) == pytest.approx(1 / int(size), abs=6e-4)
            assert value(row["kappa"]) == pytest.approx(1 / int(size), abs=6e-4)
            assert value(row["sensitivity"]) == 1
            assert value(row["says Yes"]) == pytest.approx(1 - 1 / (2 * int(size)), abs=6e-4)
            assert (row["rows"], row["unjudged"]) == (str(ROWS), "0")
            tokens = row["tokens in (cached) + out per item"].replace(",", "")
            assert value(tokens) == pytest.approx(asked[int(size)] / ROWS, abs=0.6)
            if size != "1":
                assert value(row["Δ specificity"]) == pytest.approx(1 / int(size) - 1, abs=6e-4)
        assert len(provider.calls) == sum(ROWS // int(size) for size in sizes)


def test_permuted_and_checked_batches_stand_beside_the_others(data: Path) -> None:
    """A lean that is the same in every pass stays; the batch check sees it, and asks one by one as it did before."""
    with Provider(leans) as provider:
        text = run(
            data, provider.base_url, "--sets", "evouna_nq", "--curve", "--sizes", "1", "8", "8x3", "auto"
        )
        table = read_table(text, "items per prompt")
        assert value(table["8, --permute 3"]["specificity"]) == value(table["8"]["specificity"]) == 0.125
        assert value(table["auto"]["kappa"]) == 1
        assert value(table["auto"]["Δ kappa"]) == 0
        assert "1 per prompt chosen" in text
        assert re.search(r"8 items per prompt: \d+ of 40 verdicts differ", text)
        alone = [call for call in provider.calls if len(match_answers(call)) == 1]
        assert len(alone) == ROWS  # what the check asked alone was known from size 1


def test_a_seating_on_fewer_rows_has_a_table_of_its_own(data: Path, tmp_path: Path) -> None:
    """Permuted passes on a part of the rows take none from the curve, and stand beside the same rows of the others."""
    own = tmp_path / "own.txt"
    own.write_text(
        'Human: Reply with {"Answer 1": "Yes"} or No.\n# Your batch\n{n_queries} items:\n{examples}\n'
    )
    curve = ["--sets", "evouna_nq", "--curve", "--prompts", str(own), "--sizes"]
    with Provider(leans) as provider:
        run(data, provider.base_url, *curve, "8x3", "--rows", "32")
        text = run(data, provider.base_url, *curve, "1", "2", "8")
    whole, fewer = text.split("On the rows that all of these lines have")
    assert {row["rows"] for row in read_table(whole, "items per prompt").values()} == {str(ROWS)}
    table = read_table(fewer, "items per prompt")
    assert list(table) == ["1", "8", "8, --permute 3"]
    assert {row["rows"] for row in table.values()} == {"32"}
    assert "--prompts own --curve" in text


def test_places_are_those_of_the_batches(data: Path) -> None:
    """A judge that only reads the first two items of a batch is found out place by place."""

    def reads_two(call: Call) -> str:
        answers = match_answers(call)
        seen = set(answers[:2])
        return PERFECT["match"](lambda text: text not in seen or is_right(number_of(text)))(call)

    with Provider(reads_two) as provider:
        text = run(data, provider.base_url, "--sets", "evouna_nq", "--curve", "--sizes", "1", "8", "8x3")
    for part in text.split("By place in batches of 8")[1:]:
        places = read_table(part, "place")
        assert list(places) == [str(place) for place in range(1, 9)]
        assert [value(row["specificity"]) for row in places.values()] == [1, 1, 0, 0, 0, 0, 0, 0]
        assert [value(row["sensitivity"]) for row in places.values()] == [1] * 8
    plain, permuted = text.split("By place in batches of 8")[1:]
    assert [row["rows"] for row in read_table(plain, "place").values()] == [str(ROWS // 8)] * 8
    seen = sum(int(row["rows"]) for row in read_table(permuted, "place").values())
    assert 2 * ROWS <= seen <= 3 * ROWS  # two passes settle what they agree on


def test_wordings_are_compared_on_the_same_rows(data: Path, tmp_path: Path) -> None:
    """The second prompt makes the judge right; the difference is told, and short runs add up to one table."""
    strict = tmp_path / "strict.txt"
    strict.write_text(
        'Human: BE STRICT. Reply with {"Answer 1": "Yes"} or No for each item.\n# Your batch\n{n_queries} items:\n{examples}\n'
    )

    def answer(call: Call) -> str:
        strictly = "BE STRICT" in call.prompt
        return PERFECT["match"](
            lambda text: is_right(number_of(text)) or (not strictly and number_of(text) % 2 == 0)
        )(call)

    with Provider(answer) as provider:
        run(data, provider.base_url, "--sets", "evouna_nq", "--prompts", "first")
        text = run(data, provider.base_url, "--sets", "evouna_nq", "--prompts", str(strict))
        table = read_table(text, "prompt")
        assert list(table) == ["first", "strict"]
        assert value(table["first"]["specificity"]) == 0.5
        assert value(table["strict"]["specificity"]) == 1
        assert value(table["strict"]["Δ specificity"]) == 0.5
        before = len(provider.calls)
        run(data, provider.base_url, "--sets", "evouna_nq", "--prompts", "first", str(strict))
        assert len(provider.calls) == before == 2 * ROWS


@pytest.mark.parametrize("protocol", ["equivalence", "keypoints"])
def test_scales_are_measured_by_scores(protocol: str, tmp_path: Path) -> None:
    """A judge that is one level too high everywhere follows people perfectly, and is off by one."""
    (tmp_path / "data").mkdir()
    rows = [raw_row(n, None, score=float(n % 5), score_range=[0, 5]) for n in range(40)]
    write_set(tmp_path / "data", "mohler", rows)
    answers: dict[str, Callable[[Any], Callable[[Call], str]]] = {
        "equivalence": answer_equivalence,
        "keypoints": answer_keypoints,
    }
    with Provider(answers[protocol](lambda text: number_of(text) % 5 + 1)) as provider:
        text = run(
            tmp_path / "data", provider.base_url, "--protocol", protocol, "--sets", "mohler", "--prompts", "first", "question-first"
        )  # fmt: skip
    table = read_table(text, "prompt")
    for row in table.values():
        assert value(row["Spearman"]) == 1
        assert value(row["mean absolute error"]) == 1


def test_what_cannot_be_read_is_counted_by_cause(data: Path) -> None:
    def silent(call: Call) -> str:
        return "I would rather not say." if number_of(match_answers(call)[0]) == 5 else leans(call)

    with Provider(silent) as provider:
        text = run(data, provider.base_url, "--sets", "evouna_nq", "--prompts", "first", "no-first")
    assert read_table(text, "prompt")["no-first"]["unjudged"] == "1 unparseable"


def start(data: Path, provider: Apart, cache: str) -> "subprocess.Popen[str]":
    more = ["--sets", "evouna_nq", "--curve", "--sizes", "1", "4", "8x3"]
    command = [sys.executable, *words(data, provider.base_url, *more, cache=cache)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(folder: Path) -> Iterator[tuple[str, Any]]:
    for path in sorted((folder / "said").glob("*.json")):
        kept = json.loads(path.read_text())
        yield path.name, kept["rows"]


@pytest.mark.slow
def test_kill_9_repeats_only_what_was_under_way_and_changes_no_figure(data: Path) -> None:
    """Killed three times, the same command ends with the rows of an undisturbed run, each call made once."""
    with apart("length") as provider:
        process = start(data, provider, "calm")
        out, error = process.communicate(timeout=120)
        assert process.returncode == 0, error
        whole = provider.count()
    kills, concurrency = 3, 2
    with apart("length", delay=0.02) as provider:
        for number in range(1, kills + 1):
            process = start(data, provider, "killed")
            while provider.count() < number * whole // (kills + 1):
                assert process.poll() is None, process.communicate()[1]
                time.sleep(0.01)
            process.kill()
            process.communicate()
            time.sleep(0.1)
        process = start(data, provider, "killed")
        again, error = process.communicate(timeout=120)
        assert process.returncode == 0, error
        bodies = Counter(json.dumps(body, sort_keys=True) for body in provider.log())
        assert len(bodies) == whole
        assert sum(bodies.values()) - whole <= kills * concurrency
    assert list(said(data.parent / "killed")) == list(said(data.parent / "calm"))
    assert again == out


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--sizes", "8x"], "8x3"),
        (["--sets", "nowhere"], "nowhere.dev.jsonl.gz is not there"),
        (["--protocol", "keypoints", "--sets", "underspecified"], "is for match"),
        (["--prompts", "nothing"], "cannot read the prompt file nothing"),
    ],
)
def test_a_mistake_is_told_in_one_line(data: Path, more: list[str], told: str) -> None:
    with pytest.raises(SystemExit) as left:
        run(data, "http://127.0.0.1:9/v1", *more)
    assert told in str(left.value)
    assert "\n" not in str(left.value)
