"""Rows that take a while or end badly, for whoever does rows in other processes."""

import os
import signal
import time
from pathlib import Path

__all__ = [
    "die",
    "die_once",
    "fail_at_three",
    "process_and_parent",
    "read_file",
    "slow_square",
]


def slow_square(number: int) -> int:
    """Return a square after a twentieth of a second."""
    time.sleep(0.05)
    return number * number


def fail_at_three(number: int) -> int:
    """Return a square, or raise."""
    if number == 3:
        raise ValueError("three is not liked")
    return number * number


def die(number: int) -> int:
    """Return a square, or end the process as a crash in compiled code would."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    return number * number


def die_once(row: tuple[int, Path]) -> int:
    """Return a square, having ended the process at the first try."""
    number, mark = row
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def read_file(words: list[str]) -> tuple[str, bool]:
    """Return what is in the file that the first word names."""
    return Path(words[0]).read_text(), Path(words[0]).is_absolute()


def process_and_parent(_: int) -> tuple[int, int]:
    """Return who did the row, and who started that one."""
    return os.getpid(), os.getppid()
