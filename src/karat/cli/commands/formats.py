"""`karat formats`: the formats that `karat grade` reads without a flag."""

from typing import Annotated

from cyclopts import Parameter


def formats(
    *,
    json: Annotated[bool, Parameter(negative="", help="print the list as JSON")] = False,
) -> None:
    """List the formats that files are recognised as, where each part comes from, and how each was made sure of."""
    from karat.rows.formats import TABLE, load_formats

    known = list(load_formats().values())
    if json:
        from karat.cli.output import print_json

        print_json(
            [
                {"name": one.name, "title": one.title, "parts": one.parts, "tested_with": one.made}
                for one in known
                if not one.beside
            ]
        )
        return
    from karat.cli.console import show
    from karat.report.terminal.tables import list_table

    rows = [
        (one.name, one.title, ", ".join(f"{part}: {path}" for part, path in one.parts.items()), one.made)
        for one in known
        if not one.beside
    ]
    rows.append((TABLE, "any other file", "columns by their names, or as --columns says", ""))
    show(list_table(("name", "file", "parts", "tested with"), rows))
    show(
        "`documentation`: built from published documentation, not from a file that the tool wrote; all others are files "
        "of the version named"
    )
