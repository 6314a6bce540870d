"""Files of a command: together or not at all, and never replaced without a word."""

import errno
import os
from pathlib import Path

import pytest

from equipoise.cli.app import run
from equipoise.core import files

COMMANDS = (
    ["check", "warp1"],
    ["derive", "warp1"],
    ["mass", "--modules", "2"],
    pytest.param(["gait", "crawl"], marks=pytest.mark.slow),
    pytest.param(
        ["balance", "--modules", "2", "--branches", "1", "--seconds", "0.1"],
        marks=pytest.mark.slow,
    ),
    pytest.param(
        ["balance", "biped", "--seconds", "0.05", "--block-mass", "0"],
        marks=pytest.mark.slow,
    ),
    pytest.param(["modules", "firmware"], marks=pytest.mark.slow),
)
"""Commands with one file and with several, and those that write in other ways."""


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c[:2]))
def test_a_full_disk_leaves_nothing(command, tmp_path, monkeypatch, capfd):
    out = tmp_path / "new" / "out"
    assert run([*command, "--json", "--out", str(out)]) in (0, 1)
    assert capfd.readouterr().err == ""
    names = sorted(path.name for path in out.iterdir())
    assert run([*command, "--out", str(out)]) in (0, 1)
    told = capfd.readouterr()
    assert f"Replaced in {out}: " in told.err and told.err.count("\n") == 1
    assert all(name in told.err for name in names)
    calls = 0

    def full(number: int) -> None:
        nonlocal calls
        calls += 1
        if calls == len(names):  # the last file of them
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "fsync", full)
    before = {path: path.read_bytes() for path in out.iterdir()}
    for place in (out, tmp_path / "other" / "deep"):
        calls = 0
        assert run([*command, "--json", "--out", str(place)]) == 2
        assert calls == len(names)
        said = capfd.readouterr()
        assert said.out == "" and said.err.count("\n") == 1
        assert f"{place}/" in said.err and ".part" not in said.err
        assert "No space left on device; choose another folder" in said.err
    assert {path: path.read_bytes() for path in out.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_standard_output_that_is_full_is_bad_input(capfd, monkeypatch):
    full = Path("/dev/full").open("w")
    monkeypatch.setattr("sys.stdout", full)
    assert run(["robots"]) == 2
    assert capfd.readouterr().err == (
        "The answer could not be printed: No space left on device; "
        "make room, use a pipe, or '> /dev/null' where nobody reads it.\n"
    )
    with pytest.raises(OSError, match="No space"):
        full.close()
