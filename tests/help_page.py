"""Write docs/reference/commands.md: the help of every command. Run it with `make help-pages`."""

import io
from collections.abc import Iterator
from pathlib import Path

from cyclopts import App
from rich.console import Console

from karat.cli.app import app

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"
WIDTH = 100
HEAD = """\
# Commands

What options does a command take? This page shows the help of every command, as it is printed at a width of 100 characters. `make help-pages` writes this page; a test compares it with the program.

```console
$ karat --help
$ karat grade --help
```

"""


def make_page() -> str:
    """Return the page: a list of the commands, then the help of each."""
    names = [(), *find_commands(app)]
    listed = "\n".join(f"- [`{title(name)}`](#{title(name).replace(' ', '-')})" for name in names)
    parts = [f"## {title(name)}\n\n```text\n{read_help(name)}\n```\n" for name in names]
    return f"{HEAD}{listed}\n\n" + "\n".join(parts)


def find_commands(parent: App, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command and subcommand."""
    for name in sorted(name for name in parent if not name.startswith("-")):
        yield (*above, name)
        yield from find_commands(parent[name], (*above, name))


def title(name: tuple[str, ...]) -> str:
    """Return a command as it is typed."""
    return " ".join(("karat", *name))


def read_help(name: tuple[str, ...]) -> str:
    """Return the help of a command as a terminal without colours shows it."""
    shown = io.StringIO()
    console = Console(file=shown, width=WIDTH, color_system=None, force_terminal=False)
    app.help_print(list(name), console=console)
    return "\n".join(line.rstrip() for line in shown.getvalue().strip("\n").splitlines())


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
