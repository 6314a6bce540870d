"""A command's answer in this process: its numbers, or its sentence."""

import io
import json
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from equipoise.cli.output import remember, typed
from equipoise.runs.sweep.sweep import Answer

__all__ = ["ask"]

VERDICTS = {0: "yes", 1: "no", 3: "unknown"}
DEFECT, INTERRUPTED = 70, 130


def ask(words: Sequence[str]) -> Answer:
    """Return what a command answers with ``--json``.

    Args:
        words: what is typed after ``equipoise``; ``--json`` is added.

    Raises:
        KeyboardInterrupt: the command was stopped by Ctrl-C, and so is the sweep.
    """
    from equipoise.cli.app import run  # it offers all commands, sweep too

    said, complained, before = io.StringIO(), io.StringIO(), typed()
    with redirect_stdout(said), redirect_stderr(complained):
        code = run([*words, "--json"])
    remember(before)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code not in VERDICTS:
        return Answer("", error=_reason(code, complained.getvalue()))
    try:
        return Answer(VERDICTS[code], json.loads(said.getvalue()))
    except ValueError:
        return Answer("", error=f"'{words[0]}' answered no JSON object")


def _reason(code: int, complained: str) -> str:
    """Return why a command gave no answer: its last line, of a defect the error."""
    lines = [line.strip() for line in complained.splitlines() if line.strip()]
    if code == DEFECT:
        lines = lines[:-1]
    return lines[-1] if lines else f"exit code {code}"
