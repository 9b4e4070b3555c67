"""The reference page of the commands shows the help that the program prints."""

import re

from help_page import PAGE, make_page, read_help


def test_the_command_reference_is_the_real_help() -> None:
    assert PAGE.read_text(encoding="utf-8") == make_page(), "run make help-pages"


def test_every_option_of_grade_is_in_a_group_of_its_own_kind() -> None:
    shown = re.findall(r"^╭─ (.+?) ─", read_help(("grade",)), re.MULTILINE)
    assert shown == [
        "Arguments",
        "Input",
        "Judge",
        "Calls and costs",
        "Statistics",
        "Limits for CI",
        "Output",
    ]
