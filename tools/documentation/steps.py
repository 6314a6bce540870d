"""What a page asks its reader to do: steps of Python and of the shell, in order.

Blocks that run are fenced ``python``, ``sh`` (a command a line) and ``console`` (lines
after ``$`` are commands, the lines below are what they print; ``...`` is any number of
lines). Hidden comments right before a block say more of it:

* ``<!-- before: CODE -->`` Python that runs first, for a block that is a fragment;
* ``<!-- before sh: COMMANDS -->`` the same in the shell, a command a line;
* ``<!-- file: NAME -->`` the block, of any kind, is kept as a file of that name;
* ``<!-- runs: minutes -->`` it is run by ``make docs LONG=yes`` only;
* ``<!-- not run: WHY -->`` it is not run.

What Python is said to give in comments is compared, too: see ``shown.py``.

A command is expected to exit 0, or as its comment says (``# it falls: exits 1``). One
whose comment has the word minutes is long. One that serves a page (``--view``,
``--live``) is not run: it would never end.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from documentation.pages import Block, blocks

__all__ = ["Step", "page_steps"]

SERVED = re.compile(r"--(view|live)\b")
EXITS = re.compile(r"\bexits (\d+)")


@dataclass(frozen=True)
class Step:
    """One thing to run."""

    line: int
    kind: str
    """python, shell or file."""
    text: str
    is_long: bool = False
    skipped: str = ""
    """Why it is not run."""
    code: int = 0
    """The exit code that is expected."""
    prints: str | None = None
    """What it is said to print; None where the page does not say."""
    name: str = ""
    """Of the file to write."""


def page_steps(page: Path) -> list[Step]:
    """Return a page's steps in order.

    Args:
        page: the file.
    """
    return [step for block in blocks(page) for step in block_steps(block)]


def block_steps(block: Block) -> list[Step]:
    """Return a block's steps."""
    kind = block.kind.split()[0] if block.kind else ""
    steps: list[Step] = []
    if (name := block.note("file")) is not None:
        steps.append(Step(block.line, "file", block.text, name=name.strip()))
    for line in commands(block.note("before sh") or ""):
        steps.append(shell_step(block, line, None))
    if kind == "python" and block.note("file") is None:
        steps += python_steps(block)
    if kind == "sh":
        steps += [shell_step(block, line, None) for line in commands(block.text)]
    if kind == "console":
        steps += console_steps(block)
    return steps


def python_steps(block: Block) -> list[Step]:
    """Return what has to be there first, and the block."""
    marks = marked(block)
    code = block.text
    if (before := block.note("before")) is not None:
        code = before + "\n" + code
    return [Step(block.line, "python", code, *marks)]


def marked(block: Block) -> tuple[bool, str]:
    """Return whether a block is long, and why it is not run."""
    return block.note("runs") is not None, (block.note("not run") or "").strip()


def commands(text: str) -> list[str]:
    """Return the commands of a block, lines that end with a backslash joined."""
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = [line.strip() for line in joined.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def shell_step(block: Block, line: str, prints: str | None) -> Step:
    """Return one command as a step, its comment taken off and understood."""
    command, _, comment = line.partition(" #")
    is_long, why = marked(block)
    if SERVED.search(command):
        why = "served until Ctrl-C; the tests of the live view open it in a browser"
    found = EXITS.search(comment)
    return Step(
        block.line,
        "shell",
        command.strip(),
        is_long or re.search(r"\bminutes\b", comment) is not None,
        why,
        int(found[1]) if found else 0,
        prints,
    )


def console_steps(block: Block) -> list[Step]:
    """Return the commands of a block that shows what they print."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    steps: list[Step] = []
    for part in parts:
        command, _, printed = part.partition("\n")
        steps.append(shell_step(block, command, printed.strip("\n") or None))
    return steps
