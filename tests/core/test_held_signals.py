"""No request to end is lost, whenever it comes."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from equipoise.core import held_signals
from equipoise.core.held_signals import ENDING, held_back

FORK = """
import os, runpy, signal, sys
from contextlib import nullcontext

held_back = runpy.run_path({file!r})["held_back"]  # without the library: quick

def interrupt(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, interrupt)
os.register_at_fork({when}=lambda: os.kill(os.getpid(), signal.SIGTERM))
try:
    with {guard}():
        child = os.fork()
        if child == 0:
            os._exit(0)
        noted = child
except KeyboardInterrupt:
    os.waitpid(noted, 0)  # a NameError if it was born but not noted
    sys.exit(5)
os.waitpid(noted, 0)
sys.exit(6)
"""


def forked(when: str, guard: str) -> int:
    """Send SIGTERM in a hook of the fork; 5 where it came through, 6 if it is lost."""
    text = FORK.format(when=when, guard=guard, file=held_signals.__file__)
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, timeout=60, check=False
    )
    return done.returncode


@pytest.mark.parametrize("when", ["before", "after_in_parent"])
def test_a_signal_during_a_fork_arrives_after_it(when):
    assert forked(when, "held_back") == 5


def test_without_holding_it_back_it_is_lost():
    assert forked("before", "nullcontext") == 6


def test_the_mask_is_as_before_also_after_an_error():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with pytest.raises(ValueError, match="on purpose"), held_back():
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) >= ENDING
        raise ValueError("on purpose")
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def test_what_is_pending_when_it_begins_does_not_leave_the_mask_behind():
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGUSR1, interrupt)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        with pytest.raises(KeyboardInterrupt), held_back():
            os.kill(os.getpid(), signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, old)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def test_a_request_that_another_thread_takes_waits_too():
    """A process's signal goes to a thread that does not block it; it still waits."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    done, idle = threading.Event(), threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    reached = False
    try:
        with pytest.raises(KeyboardInterrupt):
            with held_back():
                os.kill(os.getpid(), signal.SIGTERM)
                idle.wait(0.05)
                reached = True
        assert reached
        assert signal.getsignal(signal.SIGTERM) is interrupt
    finally:
        done.set()
        other.join()
        signal.signal(signal.SIGTERM, before)
