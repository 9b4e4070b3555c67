"""Examples in data files: all lines that differ are shown, with what was expected and found."""

import json
from pathlib import Path

import pytest

from example_lines import Line, check_lines


def write(folder: Path, *lines: Line) -> Path:
    path = folder / "sums.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def total(line: Line) -> int:
    return sum(map(int, line["text"].split("+")))


def test_lines_as_expected_pass(tmp_path: Path) -> None:
    check_lines(
        write(
            tmp_path,
            {"text": "1+2", "sum": 3},
            {"text": "{}+2", "names": ["1", "2"], "sum": {"one of": [3, 4]}},
        ),
        sum=total,
    )


def test_a_line_may_exclude_a_value(tmp_path: Path) -> None:
    check_lines(write(tmp_path, {"text": "1+2", "sum": {"not": 4}}), sum=total)
    with pytest.raises(pytest.fail.Exception, match=r"expected \{'not': 3\}, found 3"):
        check_lines(write(tmp_path, {"text": "1+2", "sum": {"not": 3}}), sum=total)


def test_all_lines_that_differ_are_shown_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, {"text": "1+2", "sum": 4}, {"text": "2+2", "sum": 4}, {"text": "1+a", "sum": 2})
    with pytest.raises(pytest.fail.Exception) as failure:
        check_lines(path, sum=total)
    first, *rest = str(failure.value).split("\n")
    assert first == "2 of 3 examples differ:"
    assert rest[:2] == ['sums.jsonl:1 {"text": "1+2", "sum": 4}', "    sum: expected 4, found 3"]
    assert rest[2] == 'sums.jsonl:3 {"text": "1+a", "sum": 2}'
    assert rest[3].startswith("    sum: expected 2, raised ValueError")


def test_true_is_not_one_and_none_is_not_false(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="1 of 1 examples differ"):
        check_lines(write(tmp_path, {"sum": True}), sum=lambda _: 1)
    with pytest.raises(pytest.fail.Exception, match="1 of 1 examples differ"):
        check_lines(write(tmp_path, {"sum": None}), sum=lambda _: False)


def test_a_line_without_a_check_and_a_check_without_a_line_fail(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="nothing to check"):
        check_lines(write(tmp_path, {"text": "1+2", "summ": 3}), sum=total)
    with pytest.raises(AssertionError, match="product"):
        check_lines(write(tmp_path, {"text": "1+2", "sum": 3}), sum=total, product=total)
