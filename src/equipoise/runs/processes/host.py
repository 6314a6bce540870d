"""The life of a host: a process that runs the programs of some modules.

It wakes when the world's readings come, takes the frames that its neighbours sent a
tick ago, thinks, sends its own frames straight to the neighbours' sockets, and answers
the world with torques. It ends when it is told to, or when its parent is gone; then it
also removes the run's folder, which nobody else would.
"""

import ctypes
import gc
import os
import shutil
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, final

import numpy as np

from equipoise.control.com.brain.brain import Brain
from equipoise.core.arrays import Ints
from equipoise.core.bound import bound
from equipoise.core.held_signals import ENDING
from equipoise.core.seeds import stream
from equipoise.modules.transports.batch_wires import AbstractBatchWires
from equipoise.modules.transports.keyed_tag import sealed
from equipoise.modules.transports.many_datagrams import Address
from equipoise.runs.processes import rows as row
from equipoise.runs.processes.rows import Layout, seal, words_of

__all__ = ["DEFECT", "Cut", "Host", "HostPlan", "host_process", "set_patience"]

DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
PATIENCE = 1.0  # between two looks whether the parent is still there [s]
DEFECT = 70  # exit code of a host that its own error ended


@dataclass(frozen=True, slots=True)
class Cut:
    """A time in which nothing passes at some ends of this host's modules."""

    first: int
    """Tick at which it begins."""
    last: int
    """Tick at which it is over."""
    ends: tuple[tuple[int, int], ...]
    """Place of the module in its host, and port."""


@dataclass(frozen=True)
class HostPlan:
    """All that a host needs, made before it is born."""

    number: int
    modules: tuple[int, ...]
    brain: Brain = field(repr=False)
    """Its modules' programs, before the first tick."""
    control: socket.socket = field(repr=False)
    """Where the world's readings come in."""
    world: Address
    """Where answers go."""
    open_wires: Callable[[], tuple[AbstractBatchWires, AbstractBatchWires]] = field(
        repr=False
    )
    """Wires for even and odd ticks; may be the same."""
    layout: Layout
    key: Ints = field(repr=False)
    folder: Path
    """Of the run; removed by whoever finds the parent dead."""
    loss: float = 0.0
    seed: int = 0
    cuts: tuple[Cut, ...] = ()


def set_patience(wire: socket.socket, seconds: float) -> None:
    """Limit how long a blocking call on a socket waits."""
    whole, part = divmod(seconds, 1.0)
    limit = struct.pack("ll", int(whole), int(1e6 * part))
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)


@final
class Host:
    """A host at work; ``step`` is one tick."""

    def __init__(self, plan: HostPlan, life: int) -> None:
        """Wake up: forget what was meant for an earlier life, and say so.

        Args:
            plan: what it is.
            life: how many hosts with this plan died before.
        """
        self.plan, self.tick, self.is_idle = plan, -1, False
        self.wires = plan.open_wires()
        self.brain = plan.brain
        count, layout = len(plan.modules), plan.layout
        for _ in range(life):  # other first counters than in an earlier life
            for k in range(count):
                self.brain.boot(k)
        heard, answer = layout.senses_rows(1), layout.answer_rows(1)
        self._words, self._answer = words_of(heard), words_of(answer)
        self._bytes = memoryview(self._words.view(np.uint8)[0])
        self.senses = layout.senses_of(heard[0], count)
        self._answer_bytes = memoryview(self._answer.view(np.uint8)[0])
        self.counters = answer[0].counters
        self._tau, self._report = answer[0].tau[:count], answer[0].report[:count]
        self._bind()
        self._rng = stream(plan.seed, f"loss {plan.number} {life}")
        self._luck = np.ones(self.brain.sends.shape)
        self._kept = np.ones(self.brain.sends.shape, np.bool_)
        old = self._sweep()
        if life:
            self.counters[row.LOST] += old
        self._send(row.HELLO)

    def _bind(self) -> None:
        """Fix the arrays that the kernels are called with, at every tick the same."""
        key = self.plan.key
        self._sealed = bound(sealed, key, self._words, 0, self._words.shape[1] - 1)
        self._seal = bound(seal, key, self._answer, 0, self.plan.number, int, int)

    def _sweep(self) -> int:
        """Throw away what came before; return how many frames it was."""
        old = 0
        for wires in dict.fromkeys(self.wires):
            while count := wires.collect():
                old += count
        while True:
            try:
                self.plan.control.recv(8, socket.MSG_DONTWAIT)
            except OSError:
                return old

    def step(self) -> bool:
        """Wait for the world and do one tick; return False when it is time to end."""
        plan, words = self.plan, self._words
        self.is_idle = False
        try:
            size = plan.control.recv_into(self._bytes, 0, socket.MSG_TRUNC)
        except (BlockingIOError, InterruptedError):
            self.is_idle = True
            return True
        tick, kind = int(words[0, row.WHEN]), int(words[0, row.WHO]) >> 32
        is_ours = size == len(self._bytes) and self._sealed()
        if not is_ours or (kind == row.SENSES and tick <= self.tick):
            self.counters[row.REFUSED] += 1
            return True
        if kind == row.STOP:
            return False
        self.tick = tick
        self._run(tick)
        return True

    def _run(self, tick: int) -> None:
        brain, counters = self.brain, self.counters
        before, now = self.wires[(tick - 1) & 1], self.wires[tick & 1]
        before.tick = now.tick = tick
        refused = before.refused
        if count := before.collect():
            brain.take_many(before.mail, before.where, count)
        counters[row.REFUSED] += before.refused - refused
        brain.tick(self.senses)
        counters[row.POSTED] += self._post(now, tick)
        self._tau[:], self._report[:] = brain.tau, brain.report
        self._send(row.ANSWER)

    def _post(self, wires: AbstractBatchWires, tick: int) -> int:
        """Send what the modules say, less what faults take; return how many went."""
        sends, plan = self.brain.sends, self.plan
        is_whole = plan.loss == 0.0 and not plan.cuts
        unsent = wires.unsent
        if is_whole:
            posted = wires.post(self.brain.frames, sends)
            self.counters[row.LOST] += wires.unsent - unsent
            return posted
        if plan.loss > 0.0:
            self._rng.random(out=self._luck)
            np.greater_equal(self._luck, plan.loss, out=self._kept)
        else:
            self._kept[:] = True
        for cut in plan.cuts:
            if cut.first <= tick < cut.last:
                for place, port in cut.ends:
                    self._kept[place, port] = False
        wanted = int(np.count_nonzero(sends))
        self._kept &= sends
        kept = int(np.count_nonzero(self._kept))
        posted = wires.post(self.brain.frames, self._kept)
        self.counters[row.LOST] += wanted - kept + wires.unsent - unsent
        return posted

    def _send(self, kind: int) -> None:
        plan = self.plan
        self._seal(kind, self.tick)
        try:
            plan.control.sendto(self._answer_bytes, plan.world)
        except OSError:
            pass  # the world is gone or stopping; the next wait will tell


def host_process(
    plan: HostPlan, life: int, parent: int, others: Sequence[socket.socket]
) -> NoReturn:
    """Be a host until told to stop; never returns.

    Args:
        plan: what the host is.
        life: how many hosts with this plan died before.
        parent: the process that started it.
        others: sockets that belong to others; closed here.
    """
    code = 0
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and ends us
        signal.signal(signal.SIGTERM, lambda *_: _leave(plan, parent))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(DIE_WITH_PARENT, int(signal.SIGTERM), 0, 0, 0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        if os.getppid() != parent:  # it died before it could be bound to us
            _leave(plan, parent)
        for wire in others:
            wire.close()
        gc.freeze()
        set_patience(plan.control, PATIENCE)
        host = Host(plan, life)
        while host.step():
            if host.is_idle and os.getppid() != parent:
                _leave(plan, parent)
    except BaseException:
        traceback.print_exc()
        code = DEFECT
    os._exit(code)


def _leave(plan: HostPlan, parent: int) -> NoReturn:
    """End now; an orphan also removes what the parent could not."""
    if os.getppid() != parent:
        shutil.rmtree(plan.folder, ignore_errors=True)
    os._exit(0)
