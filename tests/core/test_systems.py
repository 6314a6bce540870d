import platform

import pytest

from equipoise.cli.app import run
from equipoise.core.errors import UnsupportedSystemError
from equipoise.core.systems import expect_posix


def test_windows_is_told_what_works_there(monkeypatch, capfd):
    monkeypatch.setattr(platform, "system", lambda: "Windows")
    with pytest.raises(UnsupportedSystemError) as caught:
        expect_posix("Forks", "take a spoon")
    said = "Forks need Linux, macOS or WSL, this is Windows; take a spoon."
    assert str(caught.value) == said
    assert run(["modules", "run", "--modules", "2", "--seconds", "0.01"]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.count("\n") == 1
    assert "this is Windows; 'equipoise balance' runs the same modules" in err


@pytest.mark.parametrize("system", ["Linux", "Darwin"])
def test_posix_systems_pass(monkeypatch, system):
    monkeypatch.setattr(platform, "system", lambda: system)
    expect_posix("Forks", "take a spoon")
