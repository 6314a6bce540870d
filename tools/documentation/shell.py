"""Run a command of a page as a reader would, and compare what it prints."""

import contextlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from documentation.pages import ROOT
from documentation.steps import Step

__all__ = ["differs", "run_shell"]

SECONDS = 300
OURS = ("equipoise", ".venv/bin/equipoise")
EXTRAS = re.compile(r"equipoise\[([\w,-]+)\]")


def run_shell(step: Step) -> str:
    """Run one command and return what is wrong with it, if anything.

    Args:
        step: the command, its exit code, and what it prints where that is said.
    """
    try:
        words = shlex.split(step.text, comments=True)
    except ValueError as error:
        return f"'{step.text}' is no command: {error}"
    if words[:3] == ["python", "-m", "equipoise"]:
        words = ["equipoise", *words[3:]]
    if words[0] == "make":
        return unknown_target(words[1:])
    if "pip" in words[:4] and "install" in words:
        return unknown_extra(step.text)
    if words[0] in OURS and plain(step.text):
        code, printed, said = called(words[1:])
    else:
        code, printed, said = started(step.text)
    if code != step.code:
        last = (said or printed).strip().splitlines()[-1:] or [""]
        return f"'{step.text}' exits {code}, not {step.code}: {last[0][:300]}"
    if step.prints is not None and (wrong := differs(step.prints, printed)):
        return f"'{step.text}' {wrong}"
    return ""


def plain(text: str) -> bool:
    """Return whether a command needs no shell."""
    return not re.search(r"[|><;&$`]", text)


def called(arguments: list[str]) -> tuple[int, str, str]:
    """Run the command ``equipoise`` in this process: exit code, stdout, stderr."""
    from equipoise.cli.app import run

    with kept(1) as printed, kept(2) as said:
        stdout, stderr = sys.stdout, sys.stderr
        with (
            open(1, "w", closefd=False, encoding="utf-8") as out,
            open(2, "w", closefd=False, encoding="utf-8") as err,
        ):
            sys.stdout, sys.stderr = out, err
            try:
                code = run(arguments)
            finally:
                sys.stdout, sys.stderr = stdout, stderr
        return code, text_of(printed), text_of(said)


def text_of(file: Any) -> str:
    """Return everything in a file that is open."""
    file.seek(0)
    return file.read().decode(errors="replace")


@contextlib.contextmanager
def kept(number: int) -> Iterator[Any]:
    """Turn a stream of this process into a file, and back.

    Args:
        number: 1 for stdout, 2 for stderr.
    """
    before = os.dup(number)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), number)
        try:
            yield file
        finally:
            os.dup2(before, number)
            os.close(before)


def started(command: str) -> tuple[int, str, str]:
    """Run a command in a shell of its own: exit code, stdout, stderr."""
    bin_folder = Path(sys.executable).parent
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    try:
        done = subprocess.run(
            ["bash", "-c", command],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return -1, "", f"still running after {SECONDS} s"
    return done.returncode, done.stdout, done.stderr


def unknown_target(words: list[str]) -> str:
    """Return which target of a ``make`` line the Makefile does not have."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = [word for word in words if "=" not in word and not word.startswith("-")]
    for target in targets:
        if not re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE):
            return f"make has no target {target}"
    return ""


def unknown_extra(command: str) -> str:
    """Return which extra of a ``pip install`` line the package does not have."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extras in EXTRAS.findall(command):
        for extra in extras.split(","):
            if not re.search(rf"^{re.escape(extra)} = ", project, re.MULTILINE):
                return f"there is no extra '{extra}'"
    return ""


def differs(shown: str, printed: str) -> str:
    """Return how what is printed is not what a page shows; nothing where it is.

    Args:
        shown: by the page; a line of three dots stands for any lines.
        printed: by the command.
    """
    wanted = [line.rstrip() for line in shown.strip("\n").splitlines()]
    got = [line.rstrip() for line in printed.strip("\n").splitlines()]
    at = 0
    is_open = False
    for line in wanted:
        if line.strip() == "...":
            is_open = True
            continue
        rest = got[at:]
        if is_open and line in rest:
            at += rest.index(line) + 1
        elif not is_open and rest and rest[0] == line:
            at += 1
        else:
            near = rest[0] if rest else "the end"
            return f"is said to print '{line}'; it prints '{near}' there"
        is_open = False
    if at < len(got) and not is_open:
        return f"prints more than is said: '{got[at]}'"
    return ""
