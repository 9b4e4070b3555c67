"""The layering of DESIGN.md, held by walking the imports of every file under src/karat."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "karat"

LEVELS = (
    ("cli", "server"),
    ("ray",),
    ("run", "report", "audit", "labels"),
    ("judges", "store", "rows"),
    ("embedded",),
    ("models", "protocols", "text", "stats"),
    ("core",),
)
LEVEL_OF = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
PEERS_ALLOWED = {
    ("run", "labels"),
    ("protocols", "text"),
    ("audit", "run"),
    ("audit", "report"),
}
TEXT_LEVELS = (  # the rooms and single files of text/, from the top down
    ("rules",),
    ("yes_no",),
    ("canonical", "maths", "mention", "specificity"),
    ("names", "rivals", "unwrap"),
    ("assertion", "gate", "values"),
    ("hedges", "normal"),
    ("lexicon",),
)
FACE = (
    "__init__.py",
    "api.py",
    "arguments.py",
    "frames.py",
    "grades.py",
    "ray/__init__.py",
)
PURE = (
    "core/",
    "text/",
    "embedded/features",
    "embedded/inputs",
    "protocols/",
    "stats/",
    "report/figures/",
    "report/content",
    "report/format",
    "report/markdown",
    "report/page/charts",
    "report/page/context",
)
IMPURE = frozenset(
    [
        "time",
        "random",
        "os",
        "pathlib",
        "io",
        "socket",
        "sqlite3",
        "asyncio",
        "aiohttp",
        "subprocess",
        "tempfile",
        "secrets",
        "uuid",
        "urllib",
        "http",
        "shutil",
        "threading",
    ]
)
IMPURE_CALLS = frozenset(["open"])
CLOCK_CALLS = frozenset(["now", "today", "utcnow"])
HEAVY = frozenset(
    [
        "aiohttp",
        "numpy",
        "onnxruntime",
        "rich",
        "pyarrow",
        "minijinja",
        "stamina",
        "json_repair",
        "ray",
        "starlette",
    ]
)


@dataclass(frozen=True)
class Import:
    """One imported module, and whether it is loaded as soon as the file is."""

    module: str
    at_load: bool


def find_violations(root: Path) -> list[str]:
    """Name every import and call under a `karat` package that the layering does not allow."""
    return [
        violation
        for path in sorted(root.rglob("*.py"))
        for violation in _check_file(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
    ]


def _check_file(file: str, source: str) -> Iterator[str]:
    here = _room_of_file(file)
    if here is not None and here not in LEVEL_OF:
        yield f"{file} is in {here}: no room of the layering; give it a level in {Path(__file__).name}"
        return
    tree = ast.parse(source, file)
    imports = list(_walk_imports(tree, _package_of(file)))
    for found in imports:
        why_not = _why_not(here, found)
        if why_not:
            yield f"{file} imports {found.module}: {why_not}"
    if here == "text" and file != "text/__init__.py":
        yield from _check_text(file, imports)
    if file.startswith(PURE):
        yield from _check_purity(file, tree, imports)


def _check_text(file: str, imports: list[Import]) -> Iterator[str]:
    """Name what imports upwards or sideways between the rooms of text/; its own face is above all of them."""
    levels = {room: level for level, rooms in enumerate(TEXT_LEVELS) for room in rooms}
    here = file.split("/")[1].removesuffix(".py")
    if here not in levels:
        yield f"{file} is in {here}: no room of text; give it a level in {Path(__file__).name}"
        return
    for module in (found.module for found in imports if found.module.split(".")[:2] == ["karat", "text"]):
        there = [*module.split("."), ""][2]
        if there != here and levels.get(there, -1) <= levels[here]:
            yield f"{file} imports {module}: rooms of text import downwards only"


def _package_of(file: str) -> list[str]:
    """Return the dotted package that a file's relative imports start from."""
    return ["karat", *file.split("/")[:-1]]


def _walk_imports(node: ast.AST, package: list[str], *, at_load: bool = True) -> Iterator[Import]:
    """Yield the imports below a node; those in a function or under TYPE_CHECKING are not made at load."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import():
                yield from (Import(alias.name, at_load) for alias in child.names)
            case ast.ImportFrom():
                yield from (Import(module, at_load) for module in _from_modules(child, package))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from _walk_imports(child, package, at_load=False)
            case ast.If() if "TYPE_CHECKING" in ast.unparse(child.test):
                yield from _walk_imports(child, package, at_load=False)
            case _:
                yield from _walk_imports(child, package, at_load=at_load)


def _from_modules(node: ast.ImportFrom, package: list[str]) -> Iterator[str]:
    """Yield what a from-import names; `from karat import run` names the room, not the face."""
    start = package[: len(package) + 1 - node.level] if node.level else []
    module = ".".join([*start, *([node.module] if node.module else [])])
    rooms = [alias.name for alias in node.names if alias.name in LEVEL_OF] if module == "karat" else []
    yield from (f"karat.{room}" for room in rooms)
    if len(rooms) < len(node.names):
        yield module


def _room_of_file(file: str) -> str | None:
    """Return the room of a file, None for the public face; `__main__.py` belongs to the cli."""
    if file in FACE:
        return None
    return "cli" if file == "__main__.py" else file.split("/", maxsplit=1)[0].removesuffix(".py")


def _why_not(here: str | None, found: Import) -> str | None:
    """Return why a room (None: the public face) may not import a module, or None where it may."""
    package, *names = found.module.split(".")
    there = names[0] if names and f"{names[0]}.py" not in FACE else None
    if package != "karat" or here == there:
        return None
    if here is None:
        lazy = not found.at_load or there == "core"
        return None if lazy else "the public face imports rooms inside functions only, core apart"
    if there is None:
        return None if LEVEL_OF[here] == 0 else "only cli and server may use the public face"
    return _why_not_room(here, there)


def _why_not_room(here: str, there: str) -> str | None:
    if there not in LEVEL_OF:
        return f"{there} is no room of the layering"
    if LEVEL_OF[there] > LEVEL_OF[here] or (here, there) in PEERS_ALLOWED:
        return None
    if LEVEL_OF[there] == LEVEL_OF[here]:
        return f"{there} is a peer of {here}, and peers do not know each other"
    return f"{there} stands above {here}"


def _check_purity(file: str, tree: ast.AST, imports: list[Import]) -> Iterator[str]:
    """Name what reads a clock, chance, the environment, the disk or the network."""
    for found in imports:
        if found.module.split(".")[0] in IMPURE and found.module != "urllib.parse":
            yield f"{file} imports {found.module}: pure code has no clock, chance, environment, disk or network"
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield f"{file} calls {name}(): pure code does not touch the disk"
            case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCK_CALLS:
                yield f"{file} calls .{name}(): pure code does not read the clock"
            case _:
                pass


def test_layering_holds() -> None:
    """No file of karat imports upwards, sideways, or what its room must do without."""
    assert find_violations(SOURCE) == []


def test_import_karat_is_light() -> None:
    """`import karat` loads none of the heavy modules."""
    code = "import json, sys, karat; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(json.loads(done.stdout)) == set()


@pytest.mark.parametrize(
    ("file", "source", "violation"),
    [
        ("core/keys.py", "from karat.text import names", "core/keys.py imports karat.text: text stands above core"),
        ("judges/llm.py", "import karat.run.forecast", "judges/llm.py imports karat.run.forecast: run stands above judges"),
        ("judges/llm.py", "def f():\n    from karat.store import runs", "judges/llm.py imports karat.store: store is a peer of judges, and peers do not know each other"),
        ("text/names.py", "from ..protocols import match", "text/names.py imports karat.protocols: protocols is a peer of text, and peers do not know each other"),
        ("text/names.py", "from karat.text.rules import apply_rules", "text/names.py imports karat.text.rules: rooms of text import downwards only"),
        ("text/names.py", "from karat.text.rivals import find", "text/names.py imports karat.text.rivals: rooms of text import downwards only"),
        ("text/values/dates.py", "from karat.text import gate", "text/values/dates.py imports karat.text: rooms of text import downwards only"),
        ("text/odds.py", "", "text/odds.py is in odds: no room of text; give it a level in test_layering.py"),
        ("models/client.py", "from karat import store", "models/client.py imports karat.store: store stands above models"),
        ("run/local.py", "from karat import grade", "run/local.py imports karat: only cli and server may use the public face"),
        ("run/local.py", "import karat.api", "run/local.py imports karat.api: only cli and server may use the public face"),
        ("run/local.py", "from karat.odds import ends", "run/local.py imports karat.odds: odds is no room of the layering"),
        ("odds/ends.py", "", "odds/ends.py is in odds: no room of the layering; give it a level in test_layering.py"),
        ("helper.py", "", "helper.py is in helper: no room of the layering; give it a level in test_layering.py"),
        ("api.py", "from karat.run import local", "api.py imports karat.run: the public face imports rooms inside functions only, core apart"),
        ("stats/draw.py", "import random", "stats/draw.py imports random: pure code has no clock, chance, environment, disk or network"),
        ("report/figures/summary.py", "from os.path import join", "report/figures/summary.py imports os.path: pure code has no clock, chance, environment, disk or network"),
        ("protocols/files.py", "def f(p):\n    return open(p)", "protocols/files.py calls open(): pure code does not touch the disk"),
        ("text/values/dates.py", "import datetime\ndatetime.date.today()", "text/values/dates.py calls .today(): pure code does not read the clock"),
    ],
)  # fmt: skip
def test_planted_violation_is_named(tmp_path: Path, file: str, source: str, violation: str) -> None:
    """Each kind of violation is found, with the file, the module and the reason."""
    _plant(tmp_path, file, source)
    assert find_violations(tmp_path) == [violation]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("cli/grade.py", "import karat\nfrom karat import api\nfrom karat.run import plan\nimport time, os"),
        (
            "run/plan.py",
            "from . import local\nfrom karat.run.local import go\nfrom karat.store import runs\nimport asyncio",
        ),
        ("report/page.py", "from karat.core.types import Item\nfrom pathlib import Path\nopen('x')"),
        ("protocols/match.py", "from karat.text import names\nfrom karat.core import types"),
        (
            "text/values/dates.py",
            "from datetime import date\nfrom karat.text.values.units import Unit\nfrom karat.text.lexicon import list_words\nimport re",
        ),
        ("__init__.py", "from karat.api import grade\nfrom karat.core.types import Item"),
        (
            "api.py",
            "if TYPE_CHECKING:\n    from karat.run import plan\ndef grade():\n    from karat.run import local",
        ),
        ("__main__.py", "from karat.cli import main"),
    ],
)
def test_what_the_layering_allows(tmp_path: Path, file: str, source: str) -> None:
    """Downward imports, a room's own files, and the lazy imports of the public face are no violations."""
    _plant(tmp_path, file, source)
    assert find_violations(tmp_path) == []


def _plant(root: Path, file: str, source: str) -> None:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
