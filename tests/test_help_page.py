"""The reference page of the commands shows the help that the program prints."""

from help_page import PAGE, make_page


def test_the_command_reference_is_the_real_help() -> None:
    assert PAGE.read_text(encoding="utf-8") == make_page(), "run make help-pages"
