"""`karat prompt`: show the built-in prompts, and check a prompt file."""

from typing import Annotated

from cyclopts import App, Parameter

from karat.cli.output import print_text, say
from karat.cli.paths import READ
from karat.core.types import Item
from karat.judges import read_prompt_file
from karat.judges.request import known_protocol
from karat.protocols import PROTOCOLS
from karat.protocols.promptfile import builtin_wording
from karat.protocols.wording import Wording

prompt = App(
    name="prompt", help="Show the built-in prompts, or check your own prompt file.", help_format="plaintext"
)
_SAMPLE = (
    Item("Which planet is closest to the sun?", ("Mercury",), "It is Mercury."),
    Item("Who painted the ceiling?", ("Michelangelo", "Michelangelo Buonarroti"), "Raphael"),
)


@prompt.command
def show(protocol: Annotated[str, Parameter(help="match, equivalence or keypoints")], /) -> None:
    """Print the built-in prompt of a protocol, in the form that --prompt reads."""
    name = known_protocol(protocol)
    print_text(PROTOCOLS[name].wording)
    say(f"version {builtin_wording(name).version[:12]}")


@prompt.command
def check(
    file: Annotated[str, Parameter(help="a prompt file"), READ],
    /,
    *,
    protocol: Annotated[
        str | None, Parameter(help="match, equivalence or keypoints, if the file does not name it")
    ] = None,
) -> None:
    """Show how a prompt file is read, with one rendered example."""
    found = read_prompt_file(file, None if protocol is None else known_protocol(protocol))
    wording = found.wording
    facts = {
        "form": wording.form,
        "protocol": f"{wording.protocol} ({found.protocol_why})",
        "placeholders": ", ".join(wording.placeholders)
        or "none: the file is the system message, followed by the items",
        "items per prompt": f"up to {wording.most_items}, {wording.items_per_prompt or 1} unless you set another number",
        "levels": "Yes, No" if wording.protocol == "match" else ", ".join(map(str, wording.levels)),
        "opened turn": repr(wording.opened) if wording.opened else "none",
        "version": wording.version[:12],
    }
    for name, fact in facts.items():
        print_text(f"{name + ':':<18}{fact}\n")
    for warning in found.warnings:
        say(warning)
    print_text(f"\n{_render(wording)}\n")


def _render(wording: Wording) -> str:
    count = min(2, wording.most_items)
    rendered = wording.render(_SAMPLE[:count])
    turns = [
        f"--- {message.role} ({message.stable:,} of {len(message.text):,} characters are the same in every call)\n{message.text}"
        for message in rendered.messages
    ]
    if rendered.opened:
        turns.append(f"--- assistant, prefilled\n{rendered.opened}")
    return "Example of a prompt as it is sent:\n\n" + "\n\n".join(turns)
