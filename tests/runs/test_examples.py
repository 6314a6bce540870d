"""Every example runs, in a folder of its own, without a screen."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("[0-9]*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 4


LONG = ("01_", "15_", "16_")  # seconds each; `make docs` runs them too


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path,
            id=path.stem,
            marks=[pytest.mark.slow] if path.stem.startswith(LONG) else [],
        )
        for path in EXAMPLES
    ],
)
def test_an_example_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    assert len(path.read_text().splitlines()) <= 80
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.count("\n") >= 3
