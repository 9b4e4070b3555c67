"""Ray is an extra: it is loaded only on request, and the error names what to install."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from karat.cli import main

ANSWERS = Path(__file__).parents[2] / "examples" / "answers.jsonl"


def run_python(code: str, place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=place
    )


def test_a_local_run_and_the_library_never_load_ray(tmp_path: Path) -> None:
    code = f"""
import contextlib, io, json, sys, karat
from karat.cli.app import run
with contextlib.redirect_stdout(io.StringIO()):
    run(["grade", {str(ANSWERS)!r}, "--judge", "rules", "-o", "verdicts.csv"])
    run(["report", "verdicts.csv", "--json"])
print(json.dumps(sorted(name for name in sys.modules if name.split(".")[0] == "ray" or name.startswith("karat.ray"))))
"""
    done = run_python(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = f"import sys; sys.modules['ray'] = None; from karat.cli import main; main(['grade', {str(ANSWERS)!r}, '--on', 'ray', '-o', 'verdicts'])"
    done = run_python(code, tmp_path)
    assert done.returncode == 3
    assert (
        done.stderr.splitlines()[-1]
        == "karat: grading on a cluster needs Ray: run pip install '.[ray]' in a clone of karat"
    )
    assert not (tmp_path / "verdicts").exists()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--on", "ray"], "--on ray needs a folder for the verdicts"),
        (["--on", "ray", "-o", "out", "--limit", "3"], "--limit is not supported with --on ray"),
        (["--on", "ray", "-o", "out", "--known-labels"], "--known-labels is not supported with --on ray"),
        (
            ["--on", "ray", "-o", "out", "--no-known-labels"],
            "--no-known-labels is not supported with --on ray",
        ),
        (["--dedupe"], "--dedupe works only with --on ray; add it, or leave this option out"),
        (["--address", "auto"], "--address works only with --on ray; add it, or leave this option out"),
    ],
)
def test_ray_options_are_refused_without_on_ray(
    capsys: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["grade", str(ANSWERS), *options])
    assert left.value.code == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]
