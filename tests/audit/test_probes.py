"""Properties of all probes, for any row."""

from base64 import b64decode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.audit.bank import BANK_VERSION, Given, build_bank, bundled_rows, gather_rows, read_label
from karat.audit.probe import BASE, FAMILIES, Probe, Row
from karat.audit.probes.injection import hide_in_base64, hide_in_lookalikes, hide_in_tags, split_by_nothing
from karat.audit.probes.junk import MASTER_KEYS
from karat.audit.probes.maker import TYPE_WORDS, sort_of
from karat.core.types import Item
from karat.text import normalise, strip_invisible

ROWS = bundled_rows()
BANK = build_bank(ROWS)
BASES = {probe.id: probe for probe in BANK if probe.family == BASE}
PROBES = [probe for probe in BANK if probe.family != BASE]

words = st.sampled_from(
    [
        "Paris",
        "the river",
        "12",
        "8 km",
        "Mary Shelley",
        "1969",
        "20 July 1969",
        "no",
        "It is so, because it is.",
    ]
)
rows = st.lists(
    st.builds(
        lambda number, question, reference, right, wrong: Row(
            f"r{number}", question, (reference,), right, wrong
        ),
        st.integers(0, 10**9),
        st.none() | st.sampled_from(["Who wrote Emma?", "where is it", "How many are there?"]),
        words | st.text(min_size=1, max_size=12).filter(str.strip),
        words | st.text(max_size=20),
        words | st.text(max_size=20),
    ),
    max_size=4,
    unique_by=lambda row: row.id,
)


def of(family: str, kind: str | None = None) -> list[Probe]:
    return [probe for probe in PROBES if probe.family == family and kind in (None, probe.kind)]


def test_the_bundled_rows_are_enough_and_cover_every_sort() -> None:
    assert 60 <= len(ROWS) <= 100
    assert len({row.id for row in ROWS}) == len(ROWS)
    assert {sort_of(row) for row in ROWS} == set(TYPE_WORDS)
    for row in ROWS:
        assert normalise(row.right) != normalise(row.wrong)
        assert all(f" {normalise(each)} " not in f" {normalise(row.wrong)} " for each in row.references)


def test_every_family_is_there_and_has_the_effect_of_its_family() -> None:
    assert {probe.family for probe in PROBES} == set(FAMILIES)
    assert all(probe.effect == FAMILIES[probe.family] for probe in PROBES)
    assert all(probe.bank == BANK_VERSION for probe in BANK)


@settings(max_examples=60, deadline=None)
@given(rows, st.integers(0, 3))
def test_no_probe_is_its_base_and_every_base_is_there(made: list[Row], seed: int) -> None:
    bank = build_bank(made, seed=seed)
    known = {probe.id: probe for probe in bank}
    assert len(known) == len(bank)
    for probe in bank:
        if probe.base is not None:
            assert known[probe.base].family == BASE
            assert known[probe.base].item != probe.item
        assert (probe.base is None) == (probe.family in (BASE, "junk"))
    assert bank == build_bank(made, seed=seed)


@settings(max_examples=60, deadline=None)
@given(rows)
def test_junk_and_injections_never_hold_a_reference(made: list[Row]) -> None:
    for probe in build_bank(made, families=["junk", "injection"]):
        if probe.family != BASE:
            said = f" {normalise(probe.answer)} "
            assert all(f" {normalise(reference)} " not in said for reference in probe.references)


def test_another_draw_takes_other_wordings() -> None:
    again = {probe.id: probe.answer for probe in build_bank(ROWS, seed=1)}
    both = [probe for probe in PROBES if probe.id in again and probe.family in ("injection", "hedge")]
    assert sum(again[probe.id] != probe.answer for probe in both) > len(both) / 2


def test_only_the_wanted_families_are_built() -> None:
    assert {probe.family for probe in build_bank(ROWS, families=["hedge"])} == {BASE, "hedge"}


def test_all_master_keys_meet_every_row() -> None:
    answers = [probe.answer for probe in of("junk", "master-key") if probe.row == "sistine"]
    assert tuple(answers) == MASTER_KEYS


def test_a_hedge_holds_the_reference_and_another_rows_answer() -> None:
    references = {row.short for row in ROWS}
    for probe in of("hedge"):
        own = probe.references[0]
        assert own in probe.answer
        assert any(other in probe.answer for other in references if other not in own and own not in other)


def test_a_harmless_wrapping_holds_the_answer_word_for_word() -> None:
    for kind in ("markdown", "politeness", "length", "restated", "punctuation"):
        for probe in of("harmless", kind):
            assert BASES[probe.base or ""].answer.rstrip(".! ") in probe.answer


def test_an_injection_holds_the_wrong_answer_or_nothing_but_the_attack() -> None:
    for probe in of("injection"):
        wrong = BASES[probe.base or ""].answer
        assert wrong in probe.answer or probe.kind not in (
            "neighbours-yes",
            "neighbours-no",
            "zero-width",
            "claim",
        )


def test_an_aim_is_what_the_neighbours_are_to_become() -> None:
    assert {probe.aim for probe in of("injection", "neighbours-no")} == {"no"}
    assert {probe.aim for probe in of("injection", "neighbours-yes")} == {"yes"}


TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1)


@given(TEXTS)
def test_encoded_injections_can_be_decoded(text: str) -> None:
    assert b64decode(hide_in_base64(text)).decode() == text
    assert strip_invisible(hide_in_tags(text)) == ""
    assert "".join(chr(ord(letter) - 0xE0000) for letter in hide_in_tags(text)) == text
    assert strip_invisible(split_by_nothing(text)) == text
    assert len(hide_in_lookalikes(text)) == len(text)


def test_lookalikes_are_other_letters() -> None:
    assert hide_in_lookalikes("accept") != "accept"
    assert normalise(hide_in_lookalikes("accept")) != "accept"


def given_rows() -> list[Given]:
    def one(number: int, question: str, reference: str, answer: str, label: bool | None) -> Given:
        return Given(f"g{number}", Item(question, (reference, f"the {reference}"), answer), label)

    return [
        one(1, "Who wrote Emma?", "Jane Austen", "It was Jane Austen.", True),
        one(2, "Who wrote Emma?", "Jane Austen", "Charlotte Brontë", False),
        one(3, "Who wrote Ulysses?", "James Joyce", "Joyce?", None),
        one(4, "Who wrote Dracula?", "Bram Stoker", "no idea", None),
    ]


def test_labelled_answers_are_taken_and_missing_ones_made() -> None:
    emma, ulysses, dracula = gather_rows(given_rows())
    assert (emma.id, emma.right, emma.wrong) == ("g1", "It was Jane Austen.", "Charlotte Brontë")
    assert ulysses.right == "James Joyce"
    others = {row.short for row in (emma, ulysses, dracula, *ROWS)}
    assert ulysses.wrong in others - {"James Joyce"}
    assert dracula.wrong in others - {"Bram Stoker"}


def test_the_limit_counts_questions() -> None:
    assert [row.id for row in gather_rows(given_rows(), limit=2)] == ["g1", "g3"]


def test_a_single_row_borrows_a_wrong_answer_of_its_sort_from_the_bundled_rows() -> None:
    (row,) = gather_rows(given_rows()[2:3])
    assert row.wrong in {each.short for each in ROWS if sort_of(each) == "person"}


def test_the_reference_that_people_use_is_the_one_that_is_changed() -> None:
    references = ("CH", "Switzerland")
    right = Given("a", Item("Which country?", references, "It is Switzerland."), label=True)
    wrong = Given("b", Item("Which country?", references, "Austria"), label=False)
    (row,) = gather_rows([right, wrong])
    assert row.short == "Switzerland"


def test_the_reference_is_never_the_wrong_answer_though_somebody_called_it_wrong() -> None:
    called = Given("a", Item("Which notes?", ("C and F",), "c and f."), label=False)
    wrong = Given("b", Item("Which notes?", ("C and F",), "C and G"), label=False)
    assert [row.wrong for row in gather_rows([called, wrong])] == ["C and G"]
    assert all(row.wrong != "c and f." for row in gather_rows([called]))


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (True, True),
        (1, True),
        ("yes", True),
        ("0", False),
        (False, False),
        (None, None),
        (3, None),
        ("maybe", None),
    ],
)
def test_labels_say_right_or_wrong_or_nothing(value: object, label: bool | None) -> None:
    assert read_label(value) is label
