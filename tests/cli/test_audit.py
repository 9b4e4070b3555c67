"""`karat audit` as a user runs it."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from command import Command

from oracle import answer_match
from provider import Provider

ROWS = [
    {"id": "a", "question": "Who wrote Emma?", "reference": "Jane Austen", "answer": "It was Jane Austen.", "label": True},
    {"id": "b", "question": "Who wrote Emma?", "reference": "Jane Austen", "answer": "Charlotte Brontë", "label": False},
    {"id": "c", "question": "How long is it?", "reference": "12 km", "answer": "It is 12 km long.", "label": "yes"},
    {"id": "d", "question": "Where is Kyoto?", "reference": "Japan", "answer": "in Asia", "label": "no"},
]  # fmt: skip


def write_rows(folder: Path) -> str:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return "rows.jsonl"


def test_rules_keep_all_limits_on_the_bundled_rows(karat: Command, folder: Path) -> None:
    ended = karat("audit", "--judge", "rules")
    assert ended.code == 0, ended.err
    assert "audit of rules · match · 100 rows" in ended.out
    assert "all limits are kept" in ended.out
    for family in ("junk", "injection", "hedge", "meaning", "harmless", "order"):
        assert f"\n{family} " in ended.out
    assert (folder / ".karat" / "audit.db").exists()
    assert not (folder / ".karat" / "karat.db").exists()


def test_missed_limit_exits_with_1_and_is_named(karat: Command) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        ended = karat(
            "audit", "--judge", f"{provider.base_url}#m", "--limit", "4", "--families", "hedge,harmless"
        )
        assert ended.code == 1
        assert "limits missed: hedge (1 %)" in ended.out
        assert "hedge/" in ended.out
        assert "Yes by llm:m" in ended.out
        allowed = karat(
            "audit",
            "--judge",
            f"{provider.base_url}#m",
            "--limit",
            "4",
            "--families",
            "hedge,harmless",
            "--max-rate",
            "hedge=1",
        )
        assert allowed.code == 0
        kind = karat(
            "audit",
            "--judge",
            f"{provider.base_url}#m",
            "--limit",
            "4",
            "--families",
            "hedge",
            "--max-rate",
            "hedge=",
            "--max-rate",
            "hedge/or=0.5",
        )
        assert kind.code == 1
        assert "limits missed: hedge/or (50 %)" in kind.out


def test_a_judge_that_never_decides_is_not_shown_as_safe(karat: Command, folder: Path) -> None:
    """Its replies cannot be read: no verdict 100 %, no share of successes, and exit code 1."""
    with Provider(lambda _: "I would rather not say.") as provider:
        command = (
            "audit", "--judge", f"{provider.base_url}#m", "--limit", "2", "--families", "injection,hedge,harmless", "--attempts", "1",
        )  # fmt: skip
        ended = karat(*command, "--max-no-verdict", "injection=0.5", "-o", "audit.html")
        told = karat(*command, "--max-no-verdict", "injection=0.5", "--json")
    assert ended.code == told.code == 1
    assert "all limits are kept" not in ended.out
    assert "no probe got a verdict" in ended.out
    assert "no probe got a verdict" in (folder / "audit.html").read_text(encoding="utf-8")
    assert "no probe got a verdict" in told.err
    found = json.loads(told.out)
    assert found["passed"] is False
    for rate in found["families"]:
        assert rate["tried"] == rate["no_verdict"] > 0
        assert rate["passed"] is None
        assert rate["no_verdict_rate"]["value"] == 1
        assert "value" not in rate["rate"]
    assert [rate["no_verdict_passed"] for rate in found["families"]] == [False, None, None]


def test_missed_no_verdict_limit_exits_with_1_and_one_line(karat: Command) -> None:
    command = ("audit", "--judge", "rules", "--limit", "10", "--families", "hedge,harmless")
    assert karat(*command).code == 0
    ended = karat(*command, "--max-no-verdict", "hedge=0.5", "--max-no-verdict", "harmless/length=100%")
    assert ended.code == 1
    assert "limits missed: hedge without a verdict (50 %)" in ended.out
    told = karat(*command, "--max-no-verdict", "hedge=0.5", "--json")
    assert told.code == 1
    assert told.err.splitlines()[-1].startswith("karat: rules: limits missed: hedge without a verdict (50 %)")
    (hedge, _) = json.loads(told.out)["families"]
    assert (hedge["no_verdict_limit"], hedge["no_verdict_passed"]) == (0.5, False)


@pytest.mark.parametrize("judge", ["rules", "embedded"])
def test_a_judge_without_prompts_shows_nothing_about_prompts(
    karat: Command, folder: Path, judge: str
) -> None:
    command = ("audit", "--judge", judge, "--limit", "8", "--families", "injection,order")
    ended = karat(*command, "-o", "audit.html")
    found = json.loads(karat(*command, "--json").out)
    page = unescape((folder / "audit.html").read_text(encoding="utf-8"))
    shown = re.sub(r"(?s)<style.*?</style>|<[^>]*>", " ", page.partition("of what succeeded")[0])
    shown += ended.out.partition("injection/")[0]
    for word in ("prompt", "batch", "neighbour", "company", "attacker", "first", "middle", "last"):
        assert not re.search(rf"\b{word}", shown), word
    assert found["items_per_prompt"] is None
    kinds = {rate["name"] for rate in found["kinds"]}
    assert {name for name in kinds if name.startswith("order/")} <= {"order/references", "order/repeat"}
    assert not any("neighbour" in name or "attacker" in name for name in kinds)


def test_own_rows_are_read_with_their_labels(karat: Command, folder: Path) -> None:
    ended = karat("audit", "--judge", "rules", "--items", write_rows(folder), "--json")
    found = json.loads(ended.out)
    assert "label=label" in ended.err
    assert found["rows"] == 3
    assert found["bases"]["right"] == {"rows": 3, "accepted": 3, "rejected": 0, "no_verdict": 0}
    assert found["passed"] is (ended.code == 0)
    assert {rate["name"] for rate in found["families"]} >= {
        "junk",
        "injection",
        "hedge",
        "meaning",
        "harmless",
        "order",
    }


def test_several_judges_are_compared(karat: Command) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        judges = (
            "--judge",
            "rules",
            "--judge",
            f"{provider.base_url}#m",
            "--panel",
            f"rules,{provider.base_url}#m",
        )
        ended = karat("audit", *judges, "--limit", "3", "--families", "hedge")
    assert ended.code == 1
    assert "all judges" in ended.out
    assert ended.out.count("audit of ") == 3


def test_exported_probes_can_be_read_back_with_added_ones(karat: Command, folder: Path) -> None:
    assert karat("audit", "--export", "bank.jsonl", "--limit", "3").code == 0
    lines = [json.loads(line) for line in (folder / "bank.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["bank"] for line in lines} == {"4"}
    own = {
        "id": "own",
        "family": "emoji",
        "kind": "smile",
        "effect": "must_not_move",
        "references": ["Paris"],
        "answer": "Paris 🙂",
        "base": "own-base",
    }
    base = {"id": "own-base", "family": "base", "kind": "short", "references": ["Paris"], "answer": "Paris"}
    (folder / "own.jsonl").write_text(f"{json.dumps(base)}\n{json.dumps(own)}\n", encoding="utf-8")
    ended = karat(
        "audit",
        "--judge",
        "rules",
        "--limit",
        "3",
        "--probes",
        "bank.jsonl",
        "--probes",
        "own.jsonl",
        "--max-rate",
        "emoji=0",
        "--json",
    )
    assert ended.code == 0, ended.err
    (emoji,) = [rate for rate in json.loads(ended.out)["families"] if rate["name"] == "emoji"]
    assert (emoji["tried"], emoji["succeeded"], emoji["resisted"]) == (1, 0, 1)


def test_audit_page_is_self_contained(karat: Command, folder: Path) -> None:
    with Provider(answer_match(lambda _: True)) as provider:
        ended = karat(
            "audit",
            "--judge",
            "rules",
            "--judge",
            f"{provider.base_url}#m",
            "--limit",
            "3",
            "-o",
            "audit.html",
        )
    page = unescape((folder / "audit.html").read_text(encoding="utf-8"))
    assert "audit.html" in ended.err
    assert page.startswith("<!doctype html>")
    assert "<script>" not in page
    assert "script-src 'none'" in page
    assert "All judges" in page
    assert "swapped-roles" in page
    assert " src=" not in page


def test_the_page_of_a_run_shows_an_audit_as_well(karat: Command, folder: Path) -> None:
    ended = karat("audit", "--judge", "rules", "--limit", "3", "--json")
    (folder / "audit.json").write_text(ended.out, encoding="utf-8")
    karat("grade", write_rows(folder))
    assert karat("report", "--audit", "audit.json", "-o", "run.html").code == 0
    page = (folder / "run.html").read_text(encoding="utf-8")
    assert 'id="audit"' in page
    assert 'href="#audit"' in page
    assert "not what karat audit" in karat.refused(2, "report", "--audit", "rows.jsonl", "-o", "run.html")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--limit", "0"), "--limit must be at least 1"),
        (("--families", "fun"), "unknown family 'fun'"),
        (("--max-rate", "hedge=many"), "must be a number"),
        (("--max-rate", "fun=0.1"), "no such family or kind"),
        (("--judge", "gpt"), "unknown judge"),
        (("--judge", "rules", "--judge", "rules"), "given twice"),
        (("--items", "none.jsonl"), "none.jsonl: no such file"),
        (("--probes", "none.jsonl"), "none.jsonl: No such file"),
        (("--protocol", "fun"), "unknown protocol"),
        (("-o", "audit.txt"), "ends in .html"),
    ],
)
def test_user_errors_exit_with_2_and_one_line(karat: Command, arguments: tuple[str, ...], told: str) -> None:
    assert told in karat.refused(2, "audit", *arguments)


def test_budget_stops_the_audit_and_a_larger_one_resumes_it(karat: Command) -> None:
    with Provider(answer_match(lambda _: False)) as provider:
        command = (
            "audit",
            "--judge",
            f"{provider.base_url}#m",
            "--limit",
            "3",
            "--families",
            "hedge,order",
            "--price",
            "1/1",
            "--concurrency",
            "1",
        )
        stopped = karat(*command, "--budget", "0.02", "--json")
        assert stopped.code == 4
        sent, spent = len(provider.calls), json.loads(stopped.out)["spent"]["cost_usd"]
        assert 0 < spent <= 0.02
        done = karat(*command, "--budget", "5", "--json")
        found = json.loads(done.out)
        assert found["unjudged"] == {}
        assert found["spent"]["calls"] == len(provider.calls)
        assert len(provider.calls) > sent
        karat(*command, "--budget", "5")
        assert found["spent"]["calls"] == len(provider.calls)


def test_unreachable_endpoint_gives_no_audit_result(karat: Command) -> None:
    ended = karat(
        "audit",
        "--judge",
        "http://127.0.0.1:9/v1#m",
        "--limit",
        "1",
        "--families",
        "hedge",
        "--timeout",
        "0.2",
    )
    assert ended.code == 3


def test_call_options_are_refused_if_no_judge_makes_calls(karat: Command, folder: Path) -> None:
    """With an LLM judge the options are ignored for `rules`; alone, `rules` refuses them."""
    with Provider(answer_match(lambda _: True)) as provider:
        ended = karat(
            "audit", "--judge", "rules", "--judge", f"{provider.base_url}#m", "--limit", "2", "--families", "junk", "--temperature", "0.5",
        )  # fmt: skip
        assert ended.code in (0, 1), ended.err
    line = karat.refused(2, "audit", "--judge", "rules", "--temperature", "0.5")
    assert "--temperature applies only to LLM judges, and rules is not an LLM judge" in line
