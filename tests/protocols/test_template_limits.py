"""Templates that would crash the process or fill the memory are refused before rendering."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from karat.core.errors import UsageError
from karat.core.types import Item
from karat.judges import read_prompt_file
from karat.protocols.promptfile import read_prompt

HEAD = "user: say 0 to 5\n{{ item.reference }} {{ item.answer }}\n"
DEEP = 20_000
HAZARDS = {
    "signs": "{{ " + "-" * DEEP + "1 }}",
    "not": "{{ " + "not " * DEEP + "1 }}",
    "brackets": "{{ " + "[" * DEEP + "]" * DEEP + " }}",
    "parentheses": "{{ " + "(" * DEEP + "1" + ")" * DEEP + " }}",
    "sums": "{{ 1" + "+1" * DEEP + " }}",
    "powers": "{{ 1" + "**1" * DEEP + " }}",
    "joined": "{{ 1" + "~1" * DEEP + " }}",
    "or": "{{ 1" + " or 1" * DEEP + " }}",
    "choices": "{{ " + "1 if 1 else " * DEEP + "1 }}",
    "filters": "{{ item.answer" + "|upper" * DEEP + " }}",
    "attributes": "{{ item" + ".answer" * DEEP + " }}",
    "after a dictionary": "{{ {1: {1: 2}} ~ " + "-" * DEEP + "1 }}",
    "after a quoted end": "{{ '}}' ~ " + "-" * DEEP + "1 }}",
    "blocks": "{% if 1 %}" * DEEP + "{% endif %}" * DEEP,
    "branches": "{% if 0 %}" + "{% elif 0 %}" * DEEP + "{% endif %}",
    "loops": "{% for a in [1] %}" * 5 + "{% endfor %}" * 5,
    "recursion": "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "indent": "{{ item.answer|indent(2000000000) }}",
    "batch": "{{ [1]|batch(2000000000, 1)|list }}",
    "format": "{{ '%2000000000d'|format(1) }}",
    "slice": "{{ [1]|slice(2000000000)|list }}",
    "tojson": "{{ [1]|tojson(indent=2000000000) }}",
    "tojson again": "{{ '\"'" + "|tojson" * 60 + " }}",
    "replace": "{{ 'a'" + "|replace('a', 'aaaaaaaaaa')" * 12 + " }}",
    "join": "{{ 'aa'" + "|join('aaaaaaaaaa')" * 12 + " }}",
    "names": "{% set a = 'aaaaaaaaaa' %}" + "{% set a = a ~ a %}" * 60 + "{{ a }}",
    "macros": "{% macro f(a) %}{{ f(a ~ a) }}{% endmacro %}{{ f('a') }}",
    "methods": "{{ 'a'.replace('a', 'b') }}",
    "products": "{{ 'a' * 20000000000 }}",
    "range": "{% for a in range(100000) %}{{ a }}{% endfor %}",
    "in a branch that is not taken": "{% if item.answer == 'no' %}{{ item.answer|nonsense }}{% endif %}",
}
TRY = """
import json, resource, sys
from karat.core.errors import UsageError
from karat.protocols.promptfile import read_prompt
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
for name, text in json.load(sys.stdin).items():
    try:
        read_prompt(text, "p.txt")
    except UsageError as error:
        print(json.dumps([name, str(error)]), flush=True)
"""


@pytest.fixture(scope="module")
def refused() -> dict[str, str]:
    """What is said of each hazard, by a process of its own that none of them may end."""
    ended = subprocess.run(
        [sys.executable, "-c", TRY], input=json.dumps({name: HEAD + text for name, text in HAZARDS.items()}),
        capture_output=True, text=True, check=False, timeout=100,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    return dict(json.loads(line) for line in ended.stdout.splitlines())


@pytest.mark.parametrize("name", HAZARDS)
def test_a_hazard_is_refused_in_a_line(name: str, refused: dict[str, str]) -> None:
    assert re.match(r"p\.txt(:3)?: \S", refused[name])
    assert "\n" not in refused[name]
    assert len(refused[name]) < 400


@pytest.mark.parametrize(
    ("template", "rendered"),
    [
        ("{% for r in item.references %}[{{ r }}]{% endfor %}", "[r1][r2]"),
        ("{% if item.question %}{{ item.question|upper|trim }}{% else %}-{% endif %}", "Q"),
        ("{{ item.references|join('; ') }}", "r1; r2"),
        ("{{ 'a\nb'|indent(2) }}", "a\n  b"),
        ('{{ item.answer|tojson }}{{ item.answer|replace(\'"\', "") }}', '"a \\"b\\""a b'),
        ("{% raw %}{{ x|nonsense }}{% endraw %}{# {{ y|nonsense }} #}", "{{ x|nonsense }}"),
        ("{{ {'k': {'l': item.question}}.k.l }}{{- item.question ~ '}}' -}} .", "qq}}."),
    ],
)
def test_the_rest_of_the_language_works(template: str, rendered: str) -> None:
    wording = read_prompt(
        f"user: 0 to 5 {{{{ item.reference }}}} {{{{ item.answer }}}}\nEND{template}", "p.txt"
    ).wording
    (message,) = wording.render((Item("q", ("r1", "r2"), 'a "b"'),)).messages
    assert message.text.partition("END")[2] == rendered


def test_a_row_for_which_a_template_does_not_work_is_told_in_a_line() -> None:
    """The example by which a template is tried has one reference."""
    text = HEAD + "{% if item.references|length > 1 %}{{ item.references[5] }}{% endif %}"
    wording = read_prompt(text, "p.txt").wording
    assert wording.render((Item("q", ("r",), "a"),))
    with pytest.raises(UsageError, match=r"fails for a row: `item\.references\[5\]` is undefined") as caught:
        wording.render((Item("q", ("r", "s"), "a"),))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "unit", ["{{", "{%", "{#", "answer 1 ", "{a} ", "user:\n", "separated ", "- ", "'", "{{ 1 }}"]
)
def test_a_long_file_is_read_through_once(unit: str, tmp_path: Path) -> None:
    """Half a million characters of anything are understood or refused; what grows with their square takes minutes."""
    path = tmp_path / "p.txt"
    path.write_text(f"user: Yes or No? {unit * (500_000 // len(unit))}")
    with suppress(UsageError):
        assert read_prompt_file(path).wording.form


def test_a_file_without_an_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="/dev/zero is longer than 1,000,000 bytes"):
        read_prompt_file("/dev/zero")
    path = tmp_path / "p.txt"
    path.write_text("Say Yes or No. ".ljust(1_000_000))
    assert read_prompt_file(path).wording.form == "instructions"
