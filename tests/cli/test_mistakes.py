"""A user's mistake is reported in one line: what is wrong, where, and the remedy."""

import json
import socket
from pathlib import Path

import pytest
from command import Command

from provider import Provider, Reply

GOOD = {"question": "Capital of France?", "reference": "Paris", "answer": "Paris"}


def write_rows(path: Path, *rows: object) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path.name


def test_a_missing_column_is_named_with_the_columns_there_are(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", {"question": "q", "reference": "r", "reply": "x"})
    line = karat.refused(2, "grade", answers)
    assert "a.jsonl" in line
    assert "reply" in line
    assert "--columns" in line


def test_ambiguous_columns_are_refused_with_the_choices(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD | {"output": "Lyon"})
    line = karat.refused(2, "grade", answers)
    assert "answer" in line
    assert "output" in line
    assert "--columns" in line


def test_broken_json_is_named_by_file_and_line(karat: Command, folder: Path) -> None:
    good = json.dumps(GOOD) + "\n"
    (folder / "a.jsonl").write_text(good * 6 + '{"question": "q", "refe\n' + good, encoding="utf-8")
    line = karat.refused(2, "grade", "a.jsonl")
    assert "a.jsonl:7:" in line
    assert "--on-bad-row skip" in line


def test_all_bad_rows_are_found_before_anything_is_paid_for(karat: Command, folder: Path) -> None:
    with Provider(lambda _: '{"Answer 1": "Yes"}') as provider:
        rows = [GOOD, GOOD | {"reference": ""}, GOOD | {"answer": None}, GOOD]
        answers = write_rows(folder / "a.jsonl", *rows)
        line = karat.refused(2, "grade", answers, "--judge", f"{provider.base_url}#m")
        assert "a.jsonl:2:" in line
        assert "1 more bad row: line 3" in line
        assert provider.calls == []


def test_bad_rows_can_be_left_out_and_are_counted(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD, GOOD | {"reference": ""})
    ended = karat("grade", answers, "--on-bad-row", "skip", "-o", "out.jsonl")
    assert ended.code == 0
    assert "1 row (1 bad row skipped)" in ended.err
    assert len((folder / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_text_that_is_not_utf8_is_named_by_line(karat: Command, folder: Path) -> None:
    (folder / "a.jsonl").write_bytes(json.dumps(GOOD).encode() + b'\n{"question": "\xff\xfe"}\n')
    assert "a.jsonl:2: not UTF-8" in karat.refused(2, "grade", "a.jsonl")


def test_line_of_fifty_megabytes_is_a_bad_row(karat: Command, folder: Path) -> None:
    with (folder / "a.jsonl").open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(GOOD) + "\n" + json.dumps(GOOD | {"answer": "x" * 50_000_000}) + "\n")
    line = karat.refused(2, "grade", "a.jsonl")
    assert "a.jsonl:2:" in line
    assert "16 MB" in line


def test_duplicate_ids_are_refused_with_both_lines(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD | {"id": "x"}, GOOD | {"id": "y"}, GOOD | {"id": "x"})
    line = karat.refused(2, "grade", answers)
    assert "a.jsonl:3:" in line
    assert "line 1" in line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--judge", "gpt5"), ("unknown judge 'gpt5'", "openai:MODEL")),
        (("--judge", "openai:"), ("names no model",)),
        (("--judge", "http://localhost:8000/v1"), ("names no model", "#MODEL")),
        (("--protocol", "vibes"), ("unknown protocol 'vibes'", "keypoints")),
        (("--columns", "answer"), ("--columns",)),
        (("--columns", "answr=x"), ("answr",)),
        (("--columns", "answer=nope"), ("nope",)),
        (("--limit", "0"), ("--limit",)),
        (("--limit", "many"), ("many",)),
        (("--pass", "9"), ("--pass",)),
        (("--pass", "3"), ("--pass applies only to 0-5 protocols", "leave it out")),
        (("--rules-first",), ("--rules-first applies only to LLM judges", "--judge")),
        (("--hedge",), ("--hedge applies only to LLM judges", "--judge")),
        (
            ("--panel", "rules,embedded", "--judge", "rules"),
            ("--panel names all judges", "--judge rules"),
        ),
        (
            ("--panel", "rules,embedded", "--seed", "1"),
            ("--seed applies only to LLM judges", "rules,embedded"),
        ),
        (("--panel", "rules,embedded", "--abstain", "0.9"), ("--abstain", "--panel")),
        (("--combine", "mean"), ("--combine applies only to panels", "--panel")),
        (
            ("--judge", "http://localhost:1/v1#m", "--protocol", "equivalence", "--rules-first"),
            ("--rules-first works only with match", "equivalence"),
        ),
        (
            ("--judge", "http://localhost:1/v1#m", "--via", "batch", "--hedge"),
            ("--via batch and --hedge cannot be used together",),
        ),
        (("--judge", "http://localhost:1/v1#m", "--rpm", "0"), ("--rpm must be at least 1",)),
        (("--judge", "http://localhost:1/v1#m", "--tpm", "0"), ("--tpm must be at least 1",)),
        (
            ("--judge", "https://localhost:1/v1#m", "--ca-file", "none.pem"),
            ("--ca-file none.pem cannot be read", "No such file"),
        ),
        (
            ("--judge", "https://localhost:1/v1#m", "--ca-file", "a.jsonl"),
            ("--ca-file a.jsonl contains no certificates",),
        ),
        (("--attempts", "0"), ("--attempts",)),
        (("--temperature", "-1"), ("--temperature",)),
        (("--on-bad-row", "ignore"), ("ignore",)),
        (("-o", "nowhere/out.jsonl"), ("nowhere",)),
        (("-o", "out.xlsx"), ("out.xlsx", ".parquet")),
        (("-o", "."), (".",)),
        (("-o", "-"), ("-o - (standard output) is not supported", ".jsonl")),
        (("--prompt", "none.txt"), ("none.txt", "No such file")),
        (("--frobnicate",), ("frobnicate",)),
        (("--store", "a.jsonl"), ("a.jsonl", "--store")),
    ],
)
def test_a_wrong_option_is_refused(
    karat: Command, folder: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD)
    line = karat.refused(2, "grade", answers, *arguments)
    for word in words:
        assert word in line


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--items-per-prompt", "33"), ("--items-per-prompt 33", "1 to 32")),
        (("--protocol", "equivalence", "--items-per-prompt", "2"), ("one item",)),
        (("--price", "cheap"), ("--price 'cheap'", "IN/OUT/CACHED")),
        (("--price", "1/nan"), ("--price",)),
    ],
)
def test_a_wrong_option_of_an_llm_judge_is_refused(
    karat: Command, folder: Path, options: tuple[str, ...], words: tuple[str, ...]
) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD)
    line = karat.refused(2, "grade", answers, "--judge", "http://127.0.0.1:9/v1#m", *options)
    for word in words:
        assert word in line


@pytest.mark.parametrize(
    ("judge", "variable"),
    [("openai:gpt-5-mini", "OPENAI_API_KEY"), ("anthropic:claude-x", "ANTHROPIC_API_KEY")],
)
def test_missing_key_exits_with_3(karat: Command, folder: Path, judge: str, variable: str) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD)
    assert variable in karat.refused(3, "grade", answers, "--judge", judge)


def test_unreachable_endpoint_exits_with_3(karat: Command, folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    answers = write_rows(folder / "a.jsonl", GOOD | {"answer": "Lutetia"})
    line = karat.refused(3, "grade", answers, "--judge", f"http://127.0.0.1:{port}/v1#m")
    assert f"127.0.0.1:{port}" in line


@pytest.mark.parametrize("status", [401, 403, 404])
def test_error_message_of_the_endpoint_is_quoted(karat: Command, folder: Path, status: int) -> None:
    reply = Reply(status=status, error={"message": "you may not\nuse this model"})
    with Provider(lambda _: reply) as provider:
        answers = write_rows(folder / "a.jsonl", GOOD | {"answer": "Lutetia"})
        line = karat.refused(3, "grade", answers, "--judge", f"{provider.base_url}#m")
    assert "you may not use this model" in line


def test_a_prompt_with_an_unknown_variable_is_refused_by_line(karat: Command, folder: Path) -> None:
    (folder / "p.txt").write_text(
        "user: Yes or no?\n{{ item.reference }}\n{{ item.colour }}\n", encoding="utf-8"
    )
    answers = write_rows(folder / "a.jsonl", GOOD)
    line = karat.refused(2, "grade", answers, "--prompt", "p.txt", "--judge", "http://127.0.0.1:9/v1#m")
    assert "p.txt:3: unknown variable item.colour" in line
    assert "item.output_text" in line
    assert karat.refused(2, "prompt", "check", "p.txt") == line


def test_prompt_option_is_refused_with_rules(karat: Command, folder: Path) -> None:
    (folder / "p.txt").write_text("Answer with a single integer from 0 to 5.\n", encoding="utf-8")
    answers = write_rows(folder / "a.jsonl", GOOD)
    assert "--prompt" in karat.refused(2, "grade", answers, "--prompt", "p.txt")


def test_unknown_run_is_refused_with_the_existing_runs(karat: Command, folder: Path) -> None:
    assert "karat grade" in karat.refused(2, "export", "-o", "x.jsonl")
    karat("grade", write_rows(folder / "a.jsonl", GOOD))
    assert "existing runs: 1" in karat.refused(2, "export", "7", "-o", "x.jsonl")


def test_an_empty_file_is_refused(karat: Command, folder: Path) -> None:
    (folder / "a.jsonl").write_text("", encoding="utf-8")
    assert "a.jsonl" in karat.refused(2, "grade", "a.jsonl")


def test_a_refused_input_leaves_nothing_behind_in_the_store(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD, GOOD | {"reference": None})
    karat.refused(2, "grade", answers)
    write_rows(folder / "a.jsonl", GOOD)
    assert karat("grade", answers).code == 0
    assert len(karat("runs").out.strip().splitlines()) == 2


@pytest.mark.parametrize("judge", ["embedded", "rules"])
@pytest.mark.parametrize(
    "option",
    [
        ("--logprobs",),
        ("--structured",),
        ("--permute", "3"),
        ("--items-per-prompt", "4"),
        ("--temperature", "0.5"),
        ("--seed", "0"),
        ("--max-tokens", "9"),
        ("--reasoning-effort", "low"),
        ("--prefill", "on"),
        ("--price", "1/1"),
        ("--budget", "1"),
        ("--attempts", "2"),
        ("--concurrency", "2"),
        ("--rpm", "9"),
        ("--tpm", "9"),
        ("--timeout", "9"),
        ("--ca-file", "ca.pem"),
    ],
)
def test_call_options_are_refused_for_local_judges(
    karat: Command, folder: Path, judge: str, option: tuple[str, ...]
) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD)
    line = karat.refused(2, "grade", answers, "--judge", judge, *option)
    assert f"{option[0]} applies only to LLM judges, and {judge} is not an LLM judge" in line


@pytest.mark.parametrize(
    "verb",
    [
        ("report",),
        ("report", "--markdown"),
        ("agree",),
        ("compare", "--by", "system"),
        ("labels", "need", "--width", "0.1"),
    ],
)
def test_a_limit_on_a_scale_is_refused_where_there_is_no_scale(
    karat: Command, folder: Path, verb: tuple[str, ...]
) -> None:
    answers = write_rows(folder / "a.jsonl", GOOD | {"label": True, "system": "x"})
    assert karat("grade", answers).code == 0
    line = karat.refused(2, *verb, "--pass", "3")
    assert "--pass applies only to 0-5 protocols; match gives Yes or No, so leave it out" in line


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_nan_in_json_is_named(karat: Command, folder: Path, constant: str) -> None:
    (folder / "a.jsonl").write_text(f'{{"reference": "r", "answer": "a", "score": {constant}}}\n')
    assert f"a.jsonl:1: broken JSON: JSON knows no {constant}; write null" in karat.refused(
        2, "grade", "a.jsonl"
    )


def test_errors_about_verdict_files_do_not_suggest_missing_options(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", {"q": "Capital of France?", "r": "Paris", "a": "Paris"})
    columns = "question=q,reference=r,answer=a"
    assert karat("grade", answers, "--columns", columns, "-o", "out.jsonl").code == 0
    for verb in ("agree", "report", "compare"):
        line = karat.refused(2, verb, "out.jsonl", *(("--by", "q") if verb == "compare" else ()))
        assert "--columns" not in line
        assert "give them common names" in line
    assert karat("report", "1").code == 0


def test_a_page_is_not_written_to_standard_output(karat: Command, folder: Path) -> None:
    assert karat("grade", write_rows(folder / "a.jsonl", GOOD)).code == 0
    assert "ends in .html" in karat.refused(2, "report", "-o", "-")
    assert "-o - (standard output) is not supported" in karat.refused(2, "export", "-o", "-")
