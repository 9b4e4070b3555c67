"""`karat examples`: the example files that come with karat."""

import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from karat.cli.paths import WRITTEN
from karat.core.errors import UsageError


def examples(
    folder: Annotated[str, Parameter(help="folder to copy the files into"), WRITTEN] = "examples",
    /,
) -> None:
    """Copy the example files that come with karat into a folder; existing files are never changed."""
    from karat.cli.console import show

    files = _read_examples()
    for name, content in files.items():
        path = Path(folder, name)
        if path.exists() and not (path.is_file() and path.read_bytes() == content):
            raise UsageError(
                f"{path} exists and differs from the example; choose another folder: karat examples FOLDER"
            )
    for name, content in files.items():
        path = Path(folder, name)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    show("\n".join(str(Path(folder, name)) for name in files))
    show(f"next: {shlex.join(['karat', 'grade', str(Path(folder, 'answers.jsonl'))])}")


def _read_examples() -> dict[str, bytes]:
    """Return the content of each example file, by its path within the folder."""
    package = Path(__file__).parents[2]
    places = (
        package / "examples",
        package.parents[1] / "examples",
    )  # as installed, or in a clone of the repository
    source = next(place for place in places if place.is_dir())
    files = sorted(path for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(source).as_posix(): path.read_bytes() for path in files}
