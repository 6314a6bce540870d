"""Requests to end that wait while something must not be torn apart.

A fork is such a thing, and making machine code, whose compiler calls back into Python.

Python runs hooks of its own and of libraries around a fork, and an exception that comes
up in one of them is printed and forgotten; so is a request to end that arrives just
then and is turned into an exception. And a process that was born but not yet noted
would be left behind.
"""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

__all__ = ["ENDING", "held_back"]

ENDING = frozenset(
    number
    for number in signal.Signals
    if number.name in ("SIGINT", "SIGTERM", "SIGHUP")
)
"""Signals that ask a process to end."""


@contextmanager
def held_back() -> Generator[None, None, None]:
    """Hold requests to end back; those that come meanwhile arrive at the end.

    A signal to a process may reach any of its threads, and Python then runs the handler
    in the main thread, whatever that one blocks: so the handlers are exchanged too, for
    one that takes note. A child that is forked here has requests held back until it
    sets its own handlers and unblocks ``ENDING``.
    """
    noted: list[int] = []
    masked = getattr(signal, "pthread_sigmask", None)  # not on Windows
    mask = set() if masked is None else masked(signal.SIG_BLOCK, ())
    handlers: dict[signal.Signals, Any] = {}
    try:
        if masked is not None:
            masked(signal.SIG_BLOCK, ENDING)
        if threading.current_thread() is threading.main_thread():
            for number in ENDING:
                handler = signal.getsignal(number)
                if handler not in (None, signal.SIG_IGN):  # None: not set by Python
                    handlers[number] = handler
                    signal.signal(number, lambda came, _: noted.append(came))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(noted):
            signal.raise_signal(number)  # waits until it is unblocked
        if masked is not None:
            masked(signal.SIG_SETMASK, mask)
