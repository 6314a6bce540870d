"""Standard streams that are closed or full, few open files, and requests to end."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from equipoise.cli import app
from equipoise.cli.app import main, run
from equipoise.cli.output import say
from equipoise.cli.streams import held_streams, stopped_by_signals

COMMAND = f"{sys.executable} -c 'from equipoise.cli.app import main; main()'"
FULL = "/dev/full"
needs_full = pytest.mark.skipif(not Path(FULL).exists(), reason="needs /dev/full")


def typed(line: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Return what a line of the shell said; ``equipoise`` in it is this one."""
    return subprocess.run(
        ["bash", "-c", line.replace("equipoise", COMMAND)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
        timeout=120,
    )


@needs_full
@pytest.mark.parametrize("words", ["--version", "--help", "robots", "robots --json"])
@pytest.mark.parametrize("buffering", [-1, 1])
def test_a_full_output_is_a_sentence(monkeypatch, capsys, words, buffering):
    with Path(FULL).open("w", buffering=buffering) as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert run(words.split()) == 2
        monkeypatch.undo()
        with Path(os.devnull).open("w") as nothing:  # takes the rest, on closing
            os.dup2(nothing.fileno(), full.fileno())
    said = capsys.readouterr().err
    assert "could not be printed: No space left on device" in said
    assert said.count("\n") == 1


@needs_full
def test_a_full_disk_elsewhere_is_not_called_output(monkeypatch, capsys):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("equipoise.runs.mass.robot_mass", full)
    assert run(["mass", "warp1"]) == 2
    assert "a disk is full, perhaps that of temporary files" in capsys.readouterr().err


@needs_full
@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_exit_codes_survive_streams_that_take_nothing(unbuffered):
    lines = {
        "equipoise --version > /dev/full": (2, "No space left on device"),
        "equipoise --version >&-": (2, "standard output is closed"),
        "equipoise --bogus 2> /dev/full": (2, ""),
        "equipoise --bogus >&- 2>&- <&-": (2, ""),
        "equipoise --version <&- 2>&-": (0, ""),
    }
    script = "; ".join(f"{line}; echo $? >&3" for line in lines)
    done = typed(f"exec 3>&1; {script}", PYTHONUNBUFFERED=unbuffered)
    codes = [int(word) for word in done.stdout.split() if word.isdecimal()]
    assert codes == [code for code, _ in lines.values()]
    for _, said in lines.values():
        assert said in done.stderr
    assert done.stderr.count("\n") == sum(bool(said) for _, said in lines.values())


def test_nothing_is_said_on_standard_output_where_errors_are_closed(
    monkeypatch, capsys
):
    monkeypatch.setattr(sys, "stderr", None)
    assert run(["mass", "nosuch", "--json"]) == 2
    assert capsys.readouterr().out == ""


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path):
    """The next file that is opened gets the lowest number that is free."""
    script = (
        "import os, sys; from equipoise.cli.streams import held_streams\n"
        "with held_streams() as can_print:\n"
        f"    number = os.open({str(tmp_path / 'x')!r}, os.O_CREAT | os.O_WRONLY)\n"
        "    print('for nobody', flush=True); print('same', file=sys.stderr)\n"
        "    sys.exit(number if not can_print else 99)\n"
    )
    line = f'{sys.executable} -c "{script}" <&- >&- 2>&-'
    done = subprocess.run(["bash", "-c", line], check=False)
    assert done.returncode == 3
    assert (tmp_path / "x").read_bytes() == b""


def test_streams_are_as_before_afterwards(capsys):
    before = sys.stdout
    with held_streams() as can_print:
        assert can_print and sys.stdout is not before
        say("a")
        assert sys.stdout.encoding == before.encoding
    assert sys.stdout is before
    assert capsys.readouterr().out == "a\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize(
    ("number", "code", "name"),
    [
        (signal.SIGTERM, 143, "SIGTERM"),
        (signal.SIGHUP, 129, "SIGHUP"),
        (signal.SIGINT, 130, "Ctrl-C"),
    ],
)
def test_a_signal_is_called_by_its_name(monkeypatch, capsys, number, code, name):
    """SIGTERM was called Ctrl-C, or ended a command without cleaning up."""
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    handlers = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)

    def stopped(**_: object) -> None:
        signal.raise_signal(number)
        raise AssertionError("it went on")

    monkeypatch.setattr(app, "front_command", lambda: stopped)
    try:
        with pytest.raises(SystemExit) as end:
            main(["mass"])
    finally:
        signal.signal(signal.SIGINT, before)
    assert end.value.code == code
    assert capsys.readouterr().err == f"Stopped by {name}.\n"
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)) == (
        handlers
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_what_a_caller_ignores_or_handles_stays_his():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
    try:
        with stopped_by_signals() as ending:
            signal.raise_signal(signal.SIGHUP)
        assert ending.name == "Ctrl-C"
    finally:
        signal.signal(signal.SIGHUP, before)


def test_few_open_files_are_a_sentence(monkeypatch, capsys):
    def refused(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("equipoise.runs.mass.robot_mass", refused)
    assert run(["mass", "warp1"]) == 2
    said = capsys.readouterr().err
    assert "too many files are open in this process; allow more by 'ulimit" in said


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs ulimit")
@pytest.mark.parametrize("count", [32, 64])
def test_module_processes_with_few_open_files(count):
    done = typed(f"ulimit -n {count}; equipoise modules run --seconds 0.1 --json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ulimit -n" in done.stderr


@pytest.mark.slow
def test_every_listing_bears_a_reader_that_leaves():
    for words in ("robots", "controllers", "--help", "check warp1 --no-remedies"):
        done = typed(f"equipoise {words} | true; echo ${{PIPESTATUS[0]}}")
        assert done.stdout.strip() in ("141", "0", "1", "3"), words
        assert done.stderr == "", words
    done = typed("equipoise robots --json | cat")
    assert isinstance(json.loads(done.stdout), dict)
