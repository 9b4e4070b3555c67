"""`karat examples` copies the example files to a folder, and changes no existing file."""

from pathlib import Path

import pytest
from command import Command

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(
    path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.*") if path.suffix != ".pyc"
)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_all_examples_are_copied(karat: Command) -> None:
    ended = karat("examples")
    assert ended.code == 0
    for name in NAMES:
        assert Path("examples", name).read_bytes() == (EXAMPLES / name).read_bytes()
    assert all(f"examples/{name}" in ended.out for name in NAMES)


def test_a_second_copy_changes_nothing(karat: Command) -> None:
    karat("examples", "here")
    Path("here/labels.csv").unlink()
    assert karat("examples", "here").code == 0
    assert Path("here/labels.csv").exists()


def test_existing_user_file_is_kept_and_nothing_is_written(karat: Command) -> None:
    Path("examples").mkdir()
    Path("examples/labels.csv").write_text("mine", encoding="utf-8")
    complaint = karat.refused(2, "examples")
    assert "examples/labels.csv" in complaint
    assert [path.name for path in Path("examples").iterdir()] == ["labels.csv"]
    assert Path("examples/labels.csv").read_text(encoding="utf-8") == "mine"
