"""`karat grade` with a judge behind an endpoint: from a file to verdicts."""

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest
from command import Command

from oracle import PERFECT, Opinion, answer_match
from provider import Call, Provider, Reply, scripted

FIXED = [
    "id",
    "protocol",
    "status",
    "value",
    "score",
    "confidence",
    "decided_by",
    "matched_reference",
    "reason",
    "points",
    "cause",
    "judge",
    "cached",
    "calls",
    "input_tokens",
    "output_tokens",
    "cost_usd",
]
OPINIONS: dict[str, Opinion] = {
    "match": lambda answer: len(answer) % 2 == 0,
    "equivalence": lambda answer: len(answer) % 6,
    "keypoints": lambda answer: len(answer) % 6,
}


def write_rows(path: Path, count: int, **more: Any) -> str:
    rows = [
        {"question": f"q{n}?", "references": [f"ref {n}"], "answer": f"something {'x' * (n % 7)} {n}"} | more
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path.name


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("protocol", "each"), [("match", 1), ("match", 3), ("equivalence", 1), ("keypoints", 1), ("keypoints", 3)]
)
def test_every_row_gets_the_value_the_model_gave_it(
    karat: Command, folder: Path, protocol: str, each: int
) -> None:
    opinion = OPINIONS[protocol]
    with Provider(PERFECT[protocol](opinion)) as provider:
        answers = write_rows(folder / "a.jsonl", 20, tag="kept")
        ended = karat(
            "grade", answers, "--judge", f"{provider.base_url}#m", "--protocol", protocol,
            "--items-per-prompt", str(each), "-o", "out.jsonl",
        )  # fmt: skip
        assert ended.code == 0, ended.err
        assert len(provider.calls) == math.ceil(20 / each)
    rows = read_rows(folder / "out.jsonl")
    assert [row["id"] for row in rows] == [str(n) for n in range(1, 21)]
    for row in rows:
        assert list(row)[: len(FIXED)] == FIXED
        assert row["value"] == opinion(row["answer"])
        assert row["score"] == (float(row["value"]) if protocol == "match" else row["value"] / 5)
        assert row["decided_by"] == "llm:m"
        assert row["tag"] == "kept"
        assert row["confidence"] is None
        assert row["cost_usd"] is None


def test_repeated_command_makes_no_calls(karat: Command, folder: Path) -> None:
    with Provider(answer_match(OPINIONS["match"])) as provider:
        command = (
            "grade",
            write_rows(folder / "a.jsonl", 9),
            "--judge",
            f"{provider.base_url}#m",
            "-o",
            "out.jsonl",
        )
        first = karat(*command)
        before = (folder / "out.jsonl").read_text(encoding="utf-8")
        again = karat(*command)
        assert len(provider.calls) == 9
    assert again.out == first.out
    assert (folder / "out.jsonl").read_text(encoding="utf-8") == before
    assert "9 rows are duplicates or already judged, 0 to judge" in again.err


def test_unreadable_replies_leave_rows_unjudged_with_exit_code_1(karat: Command, folder: Path) -> None:
    def answer(call: Call) -> str:
        return "I would say maybe." if "something xx 2" in call.prompt else '{"Answer 1": "Yes"}'

    with Provider(answer) as provider:
        judge = f"{provider.base_url}#m"
        ended = karat(
            "grade", write_rows(folder / "a.jsonl", 5), "--judge", judge, "--attempts", "3", "-o", "o.jsonl"
        )
        assert len(provider.calls) == 4 + 3
    assert ended.code == 1
    (bad,) = [row for row in read_rows(folder / "o.jsonl") if row["status"] == "unjudged"]
    assert bad["cause"] == "unparseable"
    assert bad["value"] is None
    assert bad["score"] is None
    assert bad["calls"] == 3
    assert "maybe" in bad["reason"]
    assert "of 4 judged; of all 5 between" in ended.out


def test_unjudged_rows_are_asked_again_only_with_retry_unjudged(karat: Command, folder: Path) -> None:
    good = '{"Answer 1": "No"}'
    with Provider(scripted(["hm", "hm", good])) as provider:
        command = (
            "grade",
            write_rows(folder / "a.jsonl", 1),
            "--judge",
            f"{provider.base_url}#m",
            "--attempts",
            "2",
        )
        assert karat(*command).code == 1
        assert karat(*command).code == 1
        assert len(provider.calls) == 2
        ended = karat(*command, "--retry-unjudged", "-o", "out.jsonl")
        assert ended.code == 0
        assert len(provider.calls) == 3
    (row,) = read_rows(folder / "out.jsonl")
    assert row["value"] is False
    assert row["calls"] == 3


def test_undecided_rows_fail_only_with_fail_on_unjudged(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", 1)
    assert karat("grade", answers, "--judge", "rules").code == 0
    assert karat("grade", answers, "--judge", "rules", "--fail-on-unjudged").code == 1


def test_junk_costs_no_call_under_any_protocol(karat: Command, folder: Path) -> None:
    for protocol, opinion in OPINIONS.items():
        with Provider(PERFECT[protocol](opinion)) as provider:
            answers = write_rows(folder / "a.jsonl", 2, answer="Let's solve this problem step by step.")
            judge = f"{provider.base_url}#m"
            karat("grade", answers, "--judge", judge, "--protocol", protocol, "-o", "out.jsonl")
            assert provider.calls == []
        for row in read_rows(folder / "out.jsonl"):
            assert row["value"] == (False if protocol == "match" else 0)
            assert row["decided_by"] == "rule:opener"


def test_rules_first_skips_the_call_for_certain_accepts(karat: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: False)) as provider:
        rows = [
            {"question": "When?", "reference": "1912", "answer": "1912"},
            {"question": "When?", "reference": "1912", "answer": "1913"},
        ]
        (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        karat("grade", "a.jsonl", "--judge", f"{provider.base_url}#m", "--rules-first", "-o", "out.jsonl")
        assert len(provider.calls) == 1
    decided = [(row["value"], row["decided_by"]) for row in read_rows(folder / "out.jsonl")]
    assert decided == [(True, "rule:equal"), (False, "llm:m")]


def test_costs_of_rows_add_up_to_what_was_spent(karat: Command, folder: Path) -> None:
    with Provider(answer_match(OPINIONS["match"])) as provider:
        answers = write_rows(folder / "a.jsonl", 10)
        judge = f"{provider.base_url}#m"
        options = ("--items-per-prompt", "4", "--price", "2/8/0.5", "--json", "-o", "out.jsonl")
        summary = json.loads(karat("grade", answers, "--judge", judge, *options).out)
        sent = sum(
            sum(len(turn["content"]) for turn in call.body["messages"]) // 4 for call in provider.calls
        )
    rows = read_rows(folder / "out.jsonl")
    assert sum(row["input_tokens"] for row in rows) == summary["spent"]["input_tokens"] == sent
    made = summary["spent"]["output_tokens"]
    assert sum(row["output_tokens"] for row in rows) == made
    assert math.isclose(sum(row["cost_usd"] for row in rows), summary["spent"]["cost_usd"])
    assert math.isclose(summary["spent"]["cost_usd"], (sent * 2 + made * 8) / 1e6)
    assert summary["spent"]["calls"] == 3


def test_identical_rows_are_judged_once(karat: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        row = {"question": "q?", "reference": "a thing", "answer": "the stuff"}
        (folder / "a.jsonl").write_text((json.dumps(row) + "\n") * 5, encoding="utf-8")
        karat("grade", "a.jsonl", "--judge", f"{provider.base_url}#m", "-o", "out.jsonl")
        assert len(provider.calls) == 1
    rows = read_rows(folder / "out.jsonl")
    assert [row["value"] for row in rows] == [True] * 5
    assert [row["cached"] for row in rows] == [False, True, True, True, True]
    assert [row["calls"] for row in rows] == [1, 0, 0, 0, 0]


NAMES = ("least", "expected", "most")


def test_dry_run_makes_no_calls_and_prints_the_forecast(karat: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        answers = write_rows(folder / "a.jsonl", 10)
        command = (
            "grade",
            answers,
            "--judge",
            f"{provider.base_url}#m",
            "--items-per-prompt",
            "4",
            "--price",
            "1/2",
        )
        ended = karat(*command, "--dry-run")
        forecast = json.loads(karat(*command, "--dry-run", "--json").out)
        assert provider.calls == []
        spent = json.loads(karat(*command, "--json").out)["spent"]
        assert len(provider.calls) == forecast["calls"]["expected"] == 3
    table = [line.split() for line in ended.out.splitlines()]
    assert ["at", "least", "expected", "at", "most"] in table
    assert ["calls", "3", "3", "50"] in table
    assert ["input", "tokens", *(f"{forecast['input_tokens'][name]:,}" for name in NAMES)] in table
    assert ["output", "tokens", *(f"{forecast['output_tokens'][name]:,}" for name in NAMES)] in table
    assert ["cost", *(f"${forecast['cost_usd'][name]:.4f}" for name in NAMES)] in table
    assert "4 items per prompt" in ended.out
    assert ended.out.endswith("dry run: no calls were made\n")
    assert math.isclose(forecast["input_tokens"]["expected"], spent["input_tokens"], rel_tol=0.15)


def test_dry_run_with_permute_counts_the_calls_of_all_passes(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", 33)
    told = karat(
        "grade", answers, "--judge", "http://localhost:1/v1#m", "--permute", "3", "--items-per-prompt", "4", "--dry-run",
    ).out  # fmt: skip
    assert ["calls", "17", "17", "495"] in [line.split() for line in told.splitlines()]
    assert "cost unknown unknown unknown" in " ".join(told.split())


@pytest.mark.parametrize("judge", ["embedded", "rules"])
def test_a_dry_run_without_a_model_says_that_there_are_no_calls(
    karat: Command, folder: Path, judge: str
) -> None:
    told = karat("grade", write_rows(folder / "a.jsonl", 3), "--judge", judge, "--dry-run").out
    assert f"the judge {judge} makes no calls" in told
    assert "per prompt" not in told


def test_missing_token_probabilities_are_reported_once(karat: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        answers = write_rows(folder / "a.jsonl", 12)
        ended = karat("grade", answers, "--judge", f"{provider.base_url}#m", "--logprobs")
        plain = karat("grade", answers, "--judge", f"{provider.base_url}#m")
    assert ended.code == 0
    assert ended.err.count("m: the endpoint returns no token probabilities, which --logprobs needs") == 1
    assert "probabilities" not in plain.err


def test_with_logprobs_the_score_is_the_expected_value(karat: Command, folder: Path) -> None:
    def entry(token: str, **tops: float) -> dict[str, Any]:
        top = [{"token": text.strip("_"), "logprob": math.log(p)} for text, p in tops.items()]
        return {"token": token, "logprob": math.log(max(tops.values())), "top_logprobs": top}

    reply = Reply(text="4", logprobs=[entry("4", _4=0.5, _5=0.25, _3=0.25)])
    with Provider(lambda _: reply) as provider:
        answers = write_rows(folder / "a.jsonl", 1)
        judge = f"{provider.base_url}#m"
        karat(
            "grade", answers, "--judge", judge, "--protocol", "equivalence", "--logprobs", "-o", "out.jsonl"
        )
        assert provider.calls[0].body["logprobs"] is True
    (row,) = read_rows(folder / "out.jsonl")
    assert row["value"] == 4
    assert math.isclose(row["score"], (4 * 0.5 + 5 * 0.25 + 3 * 0.25) / 5)
    assert math.isclose(row["confidence"], 0.5)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl.gz"])
def test_any_format_in_gives_the_same_verdicts_as_jsonl(karat: Command, folder: Path, ending: str) -> None:
    example = str(Path(__file__).parents[2] / "examples" / "answers.jsonl")
    assert karat("grade", example, "-o", f"verdicts.{ending}").code == 0
    assert karat("grade", example, "-o", "verdicts.jsonl").code == 0
    columns = "question=question,references=references,answer=answer,id=id"
    ended = karat(
        "grade",
        f"verdicts.{ending}",
        "--columns",
        columns.replace("references=", "reference="),
        "-o",
        "2.jsonl",
    )
    assert ended.code == 0, ended.err
    first, second = read_rows(folder / "verdicts.jsonl"), read_rows(folder / "2.jsonl")
    assert [row["id"] for row in first] == [row["id"] for row in second]
    assert [row["value"] for row in first] == [row["value"] for row in second]


def test_csv_output_holds_the_fixed_fields_first(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder / "a.jsonl", 2, score=3, note="n"), "-o", "out.csv")
    with (folder / "out.csv").open(encoding="utf-8", newline="") as stream:
        header = next(csv.reader(stream))
    assert header[: len(FIXED)] == FIXED
    assert header[len(FIXED) :] == ["question", "references", "answer", "input_score", "note"]


def test_an_id_column_that_is_not_the_id_is_kept(karat: Command, folder: Path) -> None:
    answers = write_rows(folder / "a.jsonl", 1, id="left", uid="right")
    karat("grade", answers, "--columns", "id=uid", "-o", "out.jsonl")
    (row,) = read_rows(folder / "out.jsonl")
    assert row["id"] == "right"
    assert row["input_id"] == "left"


def test_the_inputs_columns_can_be_left_out(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder / "a.jsonl", 2), "-o", "out.jsonl", "--no-input")
    assert list(read_rows(folder / "out.jsonl")[0]) == FIXED


def test_answers_come_in_on_standard_input(
    karat: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rows(folder / "a.jsonl", 3)
    with (folder / "a.jsonl").open(encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert "<stdin>: 3 rows" in karat("grade", "-").err


def test_a_run_can_be_exported_later(karat: Command, folder: Path) -> None:
    karat("grade", write_rows(folder / "a.jsonl", 3), "-o", "then.jsonl")
    assert karat("export", "-o", "now.jsonl").code == 0
    assert karat("export", "1", "-o", "named.jsonl").code == 0
    assert (
        read_rows(folder / "then.jsonl")
        == read_rows(folder / "now.jsonl")
        == read_rows(folder / "named.jsonl")
    )


def test_anthropic_requests_use_the_anthropic_format(
    karat: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Provider(lambda _: '{"Answer 1": "Yes"}') as provider:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-real-key")
        ended = karat(
            "grade",
            write_rows(folder / "a.jsonl", 2),
            "--judge",
            "anthropic:claude-haiku-4-5",
            "-o",
            "o.jsonl",
        )
        assert ended.code == 0, ended.err
        call = provider.calls[0]
    assert call.path == "/v1/messages"
    assert call.headers["x-api-key"] == "not-a-real-key"
    assert call.body["messages"][-1] == {"role": "assistant", "content": "## Answers"}
    assert all(row["cost_usd"] > 0 for row in read_rows(folder / "o.jsonl"))


def test_formulas_in_cells_are_escaped_unless_kept(karat: Command, folder: Path) -> None:
    """The verdicts are those of the same rows when karat reads them back."""
    row = {"id": "=1", "question": "@q", "reference": "-x", "answer": "=cmd|' /C calc'!A0", "system": "-5"}
    (folder / "a.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert karat("grade", "a.jsonl", "--judge", "rules", "-o", "v.csv").code == 0
    with (folder / "v.csv").open(encoding="utf-8", newline="") as stream:
        (cells,) = csv.DictReader(stream)
    assert {name: cells[name] for name in row} == {
        name: text if name == "system" else f"'{text}" for name, text in row.items()
    }
    assert karat("export", "v.csv", "-o", "back.jsonl").code == 0
    assert json.loads((folder / "back.jsonl").read_text(encoding="utf-8")).items() >= row.items()
    assert karat("export", "1", "-o", "kept.tsv", "--formulas", "keep").code == 0
    assert (folder / "kept.tsv").read_text(encoding="utf-8").splitlines()[1].startswith("=1\t")
