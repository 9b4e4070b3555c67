"""The bank as a file: exported, read back, extended, and refused with line numbers."""

import json
from pathlib import Path
from typing import Any

import pytest

from karat.audit.bank import build_bank, bundled_rows, parse_families
from karat.audit.probe import Probe, read_probes, write_probes
from karat.core.errors import UsageError

BANK = build_bank(bundled_rows()[:8])
OWN = {
    "id": "mine",
    "family": "hedge",
    "kind": "mine",
    "question": "q?",
    "references": ["r"],
    "answer": "r, kind of",
    "base": "mine-base",
}
BASE = {
    "id": "mine-base",
    "family": "base",
    "kind": "short",
    "question": "q?",
    "references": ["r"],
    "answer": "r",
}


def write(path: Path, *lines: Any) -> str:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n")
    return str(path)


def test_the_bank_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "bank.jsonl"
    path.write_bytes(b"".join(write_probes(BANK)))
    assert read_probes(str(path)) == BANK
    assert read_probes(str(path), BANK) == []


def test_a_known_family_brings_its_effect(tmp_path: Path) -> None:
    base, own = read_probes(write(tmp_path / "p.jsonl", BASE, OWN))
    assert own.effect == "must_fall"
    assert own.row == "mine"
    assert base.effect is None


def test_custom_family_declares_its_effect(tmp_path: Path) -> None:
    own = {**OWN, "family": "emoji", "effect": "must_not_move"}
    assert read_probes(write(tmp_path / "p.jsonl", BASE, own))[1].family == "emoji"


def test_a_base_may_be_one_of_the_bank(tmp_path: Path) -> None:
    known = next(probe for probe in BANK if probe.family == "base")
    (own,) = read_probes(write(tmp_path / "p.jsonl", {**OWN, "base": known.id}), BANK)
    assert isinstance(own, Probe)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([BASE, "{"], "p.jsonl:2: not a valid probe"),
        ([BASE, {"id": "x"}], "p.jsonl:2: not a valid probe.*family"),
        ([BASE, OWN, OWN], "p.jsonl:3: id 'mine' is already used in line 2"),
        ([OWN], "p.jsonl:1: unknown base 'mine-base'"),
        ([{**OWN, "base": None}], "p.jsonl:1: must_fall needs a base"),
        ([BASE, {**OWN, "family": "emoji"}], "p.jsonl:2: the custom family 'emoji' needs an effect"),
        ([BASE, {**OWN, "effect": "must_shine"}], "p.jsonl:2: not a valid probe.*must_shine"),
        ([{**BASE, "references": [" "]}], "p.jsonl:1: references"),
        ([], "contains no probes"),
    ],
)  # fmt: skip
def test_mistakes_are_named_by_line(tmp_path: Path, lines: list[Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        read_probes(write(tmp_path / "p.jsonl", *lines))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl: No such file"):
        read_probes(str(tmp_path / "none.jsonl"))


def test_families_are_named_or_refused() -> None:
    assert parse_families(None) is None
    assert parse_families("junk, hedge") == ["junk", "hedge"]
    with pytest.raises(UsageError, match="unknown family 'fun'; choose from junk"):
        parse_families("junk,fun")
