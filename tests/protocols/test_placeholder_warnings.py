"""Names in braces that are not placeholders cause a warning, because they are sent unchanged."""

import pytest

from karat.core.errors import UsageError
from karat.protocols import PROTOCOLS
from karat.protocols.promptfile import read_prompt

FRAME = "Human: Yes or No?\n{reference} | {answer}\n"


def warnings(text: str) -> tuple[str, ...]:
    return read_prompt(text, "p.txt", "match").warnings


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{refrence}", "{reference}"), ("{Reference}", "{reference}"), ("{ reference }", "{reference}"), ("{anwser}", "{answer}"),
        ("{answers}", "{answer}"), ("{qestion}", "{question}"), ("{example}", "{examples}"), ("{n-queries}", "{n_queries}"),
        ("{prediction}", "{answer}"), ("{target}", "{reference}"), ("{query}", "{question}"),
    ],
)  # fmt: skip
def test_a_misspelt_placeholder_is_named_with_its_line_and_what_may_be_meant(
    written: str, meant: str
) -> None:
    (warning,) = warnings(f"{FRAME}Also {written} here, and {written} again.")
    assert warning.startswith("p.txt:3: ")
    assert written in warning
    assert f"did you mean {meant}?" in warning


def test_lines_are_those_of_the_file_also_behind_front_matter() -> None:
    (warning,) = warnings(f"---\nprotocol: match\n---\n{FRAME}{{refrence}}")
    assert warning.startswith("p.txt:6: ")


def test_a_name_that_resembles_none_is_told_with_those_there_are() -> None:
    (warning,) = warnings(f"{FRAME}{{rubric}}")
    assert (
        "{rubric} is not a placeholder and is sent unchanged; the placeholders are {n_queries}, {examples}"
        in warning
    )


def test_where_all_are_misspelt_the_file_is_instructions_and_says_so() -> None:
    found = read_prompt("Say Yes or No. {refrence} {anwser}", "p.txt", "match")
    assert (found.wording.form, len(found.warnings)) == ("instructions", 2)


@pytest.mark.parametrize(
    "text",
    [
        '{"Answer 1": "Yes"}',
        "{}",
        "{1, 2}",
        r"\frac{a}{b}",
        r"\boxed{x}",
        "{Yes or No}",
        "${home}",
        "{{x}}",
        "x^{n}",
    ],
)
def test_other_braces_are_no_names(text: str) -> None:
    assert warnings(FRAME + text) == ()


@pytest.mark.parametrize("protocol", ["match", "equivalence", "keypoints"])
def test_the_built_in_prompts_give_no_warning(protocol: str) -> None:
    assert read_prompt(PROTOCOLS[protocol].wording, "p.txt", protocol).warnings == ()  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("field", ["question", "reference", "answer"])
@pytest.mark.parametrize("protocol", ["match", "keypoints"])
def test_all_items_and_the_field_of_one_do_not_go_together(field: str, protocol: str) -> None:
    with pytest.raises(
        UsageError, match=f"^p.txt: {{examples}} contains all items .* {{{field}}} only the first"
    ):
        read_prompt(f"Human: {{examples}} {{{field}}}", "p.txt", protocol)  # pyright: ignore[reportArgumentType]


def test_where_a_prompt_holds_one_item_they_do() -> None:
    assert read_prompt("Human: 0 to 5. {question} {examples}", "p.txt", "equivalence").wording.most_items == 1
