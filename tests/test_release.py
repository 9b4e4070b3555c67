"""The wheel and the sdist: what is in them, and that README's first lines work with nothing but the wheel."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import karat
from absence import absent
from docs import FENCE, ROOT, STAND_IN, answer_anything, read_steps, write_shown_files
from provider import Provider

OLDEST = (3, 11)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that is built from the sdist alone."""
    folder = tmp_path_factory.mktemp("release")
    build(ROOT, "sdist", folder)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    build(next((folder / "unpacked").iterdir()), "wheel", folder)
    return folder


def build(source: Path, target: str, folder: Path) -> None:
    """Build by the tools of the lock, as `make dist` does."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder],
        cwd=source, check=True, capture_output=True,
    )  # fmt: skip


def list_files(*folders: str) -> set[str]:
    """The files of the repository that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return set(listed.stdout.splitlines())


def test_the_wheel_holds_the_package_the_examples_and_the_attributions_and_nothing_else(
    release: Path,
) -> None:
    package = {name.removeprefix("src/") for name in list_files("src")}
    examples = {f"karat/{name}" for name in list_files("examples")}
    info = f"karat-{karat.__version__}.dist-info"
    about = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE", "licenses/NOTICE"}
    with zipfile.ZipFile(release / f"karat-{karat.__version__}-py3-none-any.whl") as wheel:
        assert set(wheel.namelist()) == package | examples | {f"{info}/{name}" for name in about}
    assert {"karat/embedded/weights/judge.onnx", "karat/report/page/templates/page.html"} <= package


def test_the_sdist_holds_what_the_wheel_is_built_from_and_nothing_else(release: Path) -> None:
    tops = ("README.md", "CHANGELOG.md", "LICENSE", "NOTICE", "pyproject.toml", ".gitignore")
    root = f"karat-{karat.__version__}"
    with tarfile.open(release / f"{root}.tar.gz") as sdist:
        found = {member.name.removeprefix(f"{root}/") for member in sdist if member.isfile()}
    assert found == list_files("src", "examples") | {*tops, "PKG-INFO"}


def find_pythons() -> Iterator[Path]:
    """Every Python on this machine that karat supports, one of each version: on the path, and pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(OLDEST[1], 30):
        name = f"python3.{minor}"
        of_pyenv = sorted(pyenv.glob(f"3.{minor}.*/bin/{name}"))
        found = of_pyenv[-1] if of_pyenv else shutil.which(name)
        if found:
            yield Path(found)


@pytest.mark.slow
@pytest.mark.parametrize("python", list(find_pythons()), ids=lambda python: python.name)
def test_with_the_wheel_alone_readme_works(python: Path, release: Path, tmp_path: Path) -> None:
    environment, place = tmp_path / "environment", tmp_path / "place"
    place.mkdir()
    write_shown_files(place)
    shown = {path.name for path in place.iterdir()}
    subprocess.run([python, "-m", "venv", environment], check=True, capture_output=True)
    wheel = next(release.glob("*.whl"))
    pip = [environment / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "install", "--no-compile", wheel], capture_output=True, text=True, check=False
    )
    if re.search("No matching distribution|Failed to establish|NewConnectionError", done.stderr):
        absent("package index", "index", done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    with Provider(answer_anything) as provider:
        variables = {
            "PATH": f"{environment / 'bin'}:/usr/bin:/bin",
            "HOME": str(place),
            "OPENAI_BASE_URL": provider.base_url,
            "OPENAI_API_KEY": "not-a-real-key",
        }
        readme = ROOT.joinpath("README.md").read_text(encoding="utf-8")
        for language, text in FENCE.findall(readme.replace(STAND_IN, f"127.0.0.1:{provider.port}")):
            steps = (
                [(shlex.split(step.command), step.code) for step in read_steps(text)]
                if language == "console"
                else [(["python", "-c", text], 0)]
            )
            for words, code in steps:
                ended = subprocess.run(
                    [environment / "bin" / words[0], *words[1:]],
                    cwd=place, env=variables, capture_output=True, text=True, check=False,
                )  # fmt: skip
                assert ended.returncode == code, ended.stderr
                assert ended.stdout
    assert {path.name for path in place.iterdir()} - shown == {".karat", "karat-report.html"}
    assert (
        "Version: " + karat.__version__
        in subprocess.run([*pip, "show", "karat"], capture_output=True, text=True, check=True).stdout
    )
