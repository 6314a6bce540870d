"""Requests to end that wait while something must not be torn apart, as a fork.

Python runs hooks of its own and of libraries around a fork, and an exception that comes
up in one of them is printed and forgotten; so is a request to end that arrives just
then and is turned into an exception. And a process that was born but not yet noted
would be left behind.
"""

import signal
from collections.abc import Generator
from contextlib import contextmanager

__all__ = ["ENDING", "held_back"]

ENDING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
"""Signals that ask a process to end."""


@contextmanager
def held_back() -> Generator[None, None, None]:
    """Hold requests to end back; those that come meanwhile arrive at the end.

    A child that is forked here has them held back too, until it unblocks ``ENDING``,
    which it should when its own handlers are set.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
