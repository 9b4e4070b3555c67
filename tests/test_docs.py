"""Every command and every Python block in README and docs runs as it is written."""

import re

import pytest

from docs import PAGES, blocks, run_block, run_commands
from provider import Provider


@pytest.mark.parametrize("text", blocks("console", on_ray=False))
def test_every_karat_command_in_the_docs_works(text: str, docs_place: Provider) -> None:
    run_commands(text, docs_place)


@pytest.mark.parametrize("text", blocks("python", on_ray=False))
def test_every_python_block_in_the_docs_runs(text: str, docs_place: Provider) -> None:
    run_block(text, docs_place)


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
