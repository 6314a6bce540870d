"""What is said while work goes on: to whoever listens, and to nobody else."""

import io
import logging
from pathlib import Path

import pytest

import equipoise as eq
from equipoise.cli.app import run
from equipoise.core.log import LOG, StatusLine, heard_by, note, status_line, timed


@timed("drawing")
def draw(path, fails=False):
    """Stands for a job."""
    if fails:
        raise ValueError("no pen")
    return path.name


def test_a_stage_is_named_before_and_timed_after(caplog):
    with caplog.at_level(logging.INFO, logger="equipoise"):
        assert draw(Path("a\x1b[31m.png")) == "a\x1b[31m.png"
        with pytest.raises(ValueError):
            draw(Path("b.png"), fails=True)
    said = [record.getMessage() for record in caplog.records]
    assert said[0] == "drawing a\N{REPLACEMENT CHARACTER}[31m.png"
    assert said[1].startswith(f"{said[0]}: ") and said[1].endswith(" s")
    assert said[2] == "drawing b.png" and said[3].startswith("drawing b.png: ")


def test_nothing_is_said_unless_asked_for(capsys):
    draw(Path("a.png"))
    note("nothing")
    with status_line():  # no terminal here
        note("nothing")
    assert capsys.readouterr() == ("", "")
    assert any(isinstance(own, logging.NullHandler) for own in LOG.handlers)


def test_verbose_goes_to_stderr_wherever_it_is_typed(capsys, tmp_path):
    codes = [
        run(["--verbose", "check", "warp1", "--json"]),
        run(["check", "warp1", "--json", "--verbose"]),
        run(["check", "warp1", "--json"]),
    ]
    out, err = capsys.readouterr()
    assert codes == [0, 0, 0] and "checking" not in out
    said = [line for line in err.splitlines() if line.startswith("equipoise: ")]
    assert [line for line in said if line == "equipoise: checking"] == said[::2]
    assert len(said) == 4  # of two commands; the third says nothing


def test_a_file_that_is_read_is_named(caplog, tmp_path):
    path = tmp_path / "box.xml"
    path.write_text(
        '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody>'
        "</mujoco>"
    )
    with caplog.at_level(logging.INFO, logger="equipoise"):
        eq.load(path)
    assert f"reading {path}" in [record.getMessage() for record in caplog.records]


def test_a_status_line_leaves_nothing_behind():
    stream = io.StringIO()
    line = StatusLine(stream)
    with heard_by(line):
        note("drawing walk.png")
    line.wipe()
    assert "drawing walk.png ..." in stream.getvalue()
    assert "\n" not in stream.getvalue() and stream.getvalue().endswith("\r\x1b[K")
