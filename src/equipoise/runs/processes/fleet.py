"""The processes of a run: born, heard, buried, born again, and all gone at the end.

The parent holds every socket, so that a host that dies leaves its address behind and a
new one takes it over. Hosts are forked from the parent after everything is compiled and
laid out; a birth takes milliseconds. Nobody waits for the dead: a host that does not
answer is looked for, and if its process is gone it is replaced.
"""

import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.control.com.brain.state import ModuleReport, Senses
from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import bound
from equipoise.core.errors import EquipoiseError
from equipoise.core.held_signals import held_back
from equipoise.modules.kernels.datagram import Came
from equipoise.modules.transports.many_datagrams import Address, Incoming, Outgoing
from equipoise.runs.processes import rows as row
from equipoise.runs.processes.folder import RunFolder
from equipoise.runs.processes.host import DEFECT, HostPlan, host_process, set_patience
from equipoise.runs.processes.rows import (
    Answers,
    Crew,
    Layout,
    read_datagrams,
    scatter,
    seal,
    words_of,
)

__all__ = ["Event", "Fleet", "FleetError"]

LOOK = 0.02  # how long the world waits before it looks who is missing [s]
STUCK = 5.0  # how long a living host may be silent before it is replaced [s]
FAREWELL = 0.5  # time that hosts have to end by themselves [s]
MOST_LIVES = 20  # of one host in a run


class FleetError(EquipoiseError, RuntimeError):
    """Processes that cannot be kept alive."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a process."""

    tick: int
    host: int
    modules: tuple[int, ...]
    what: str
    """In words: how it ended, or that it is back."""


@final
class Fleet:
    """The hosts of a run, seen from the world.

    Attributes:
        tau: torques by module, (nm, joints); zero where nobody answers.
        report: by module, (nm,).
        alive: whether a module's host answers, (nm,).
        events: deaths and returns.
        foreign: datagrams to the world that were nobody's of this run.
    """

    def __init__(
        self,
        plans: Sequence[HostPlan],
        wire: socket.socket,
        addresses: Sequence[Address],
        sockets: Sequence[Sequence[socket.socket]],
        folder: RunFolder,
        *,
        notice: Callable[[Event], None] | None = None,
    ) -> None:
        """Lay out the rows; no process is started yet.

        Args:
            plans: one for each host.
            wire: the world's own socket.
            addresses: of the hosts' control sockets.
            sockets: all sockets of each host.
            folder: of the run, removed at the end.
            notice: called with each event.
        """
        self.plans, self.wire, self.folder = tuple(plans), wire, folder
        self.layout: Layout = plans[0].layout
        self._key, self._sockets, self._notice = plans[0].key, sockets, notice
        hosts, nm = len(plans), sum(len(p.modules) for p in plans)
        place = np.zeros((nm, 2), np.int64)
        member = np.zeros((hosts, self.layout.modules), np.int64)
        for h, plan in enumerate(plans):
            for i, m in enumerate(plan.modules):
                place[m] = h, i
                member[h, i] = m
        sizes = np.array([len(p.modules) for p in plans], np.int64)
        self._crew = Crew(place, member, sizes)
        self._rows = self.layout.senses_rows(hosts)
        self._words = words_of(self._rows)
        self._out = Outgoing(self._words.view(np.uint8), addresses)
        self._in = Incoming(hosts + 4, 8 * self.layout.answer_words + 8)
        self.tau: Array = np.zeros((nm, self.layout.joints))
        self.report = ModuleReport.zeros(nm)
        self.alive = np.zeros(nm, np.bool_)
        self.counters: Ints = np.zeros((hosts, row.COUNTERS), np.int64)
        self._past: Ints = np.zeros((hosts, row.COUNTERS), np.int64)
        self._posted_before = 0
        self._mark: Ints = np.zeros(hosts, np.int64)
        self.running = np.zeros(hosts, np.bool_)
        self.process = [0] * hosts
        self.lives = [0] * hosts
        self.events: list[Event] = []
        self.foreign = 0
        came = Came(self._in.rows.view(np.int64), self._in.lengths)
        answers = Answers(self._mark, self.tau, self.report, self.counters)
        rows = self.layout.arrived(self._in.rows)
        self._gather = bound(
            read_datagrams, self._key, came, rows, self._crew, answers, int, int
        )
        self._senses: Senses | None = None
        self._scatter: Callable[[int], None] | None = None
        self.has_ticked = False
        set_patience(wire, LOOK)

    @property
    def total(self) -> Ints:
        """Counters of all hosts since the start, the dead ones' too, (COUNTERS,)."""
        return (self._past + self.counters).sum(axis=0)

    @property
    def posted(self) -> int:
        """Frames that all hosts have sent since the start."""
        return self._posted_before + sum(self.counters[:, row.POSTED].tolist())

    def start(self) -> None:
        """Start every host, and wait until all are there.

        Raises:
            FleetError: they do not come up.
        """
        gc.collect()
        for h in range(len(self.plans)):
            self._spawn(h)
        deadline = time.monotonic() + 10.0 + 0.1 * len(self.plans)
        while not self.running.all():
            self._listen(-1, int(np.count_nonzero(~self.running)))
            if time.monotonic() > deadline:
                silent = np.flatnonzero(~self.running).tolist()
                raise FleetError(f"hosts {silent} did not start in time; try again.")
        self.has_ticked = False

    def restart(self) -> None:
        """End all hosts and start them anew, as if nothing had happened yet."""
        self._dismiss()
        self.lives = [0] * len(self.plans)
        self._past[:], self.counters[:] = 0, 0
        self._posted_before = 0
        self.foreign = 0
        self.events.clear()
        self.start()

    def kill(self, module: int) -> None:
        """End the process of a module the hard way, as a crash would."""
        h = int(self._crew.place[module, 0])
        if self.process[h]:
            os.kill(self.process[h], signal.SIGKILL)

    def exchange(self, tick: int, senses: Senses) -> None:
        """Give every host its readings and gather torques and reports.

        Args:
            tick: this tick, counted from 0.
            senses: readings of all modules, in the robot's order.
        """
        self.has_ticked = True
        if senses is not self._senses:
            self._senses, self._scatter = senses, self._bound_scatter(senses)
        if self._scatter is not None:
            self._scatter(tick)
        self._mark[:] = 0
        waiting = np.flatnonzero(self.running)
        self._out.send(self.wire, waiting)
        self._await(tick, waiting)
        if len(waiting) < len(self.plans):
            self._listen(tick, 0)  # somebody may have been born
            for h in np.flatnonzero(~self.running).tolist():
                self._look_after(h, tick, False)

    def _bound_scatter(self, s: Senses) -> Callable[[int], None]:
        place = self._crew.place
        return bound(scatter, self._key, s, place, self._rows, self._words, int)

    def _await(self, tick: int, waiting: Ints) -> None:
        """Listen until every running host has answered or is known to be dead."""
        began = None
        while True:
            silent = waiting[
                self.running[waiting] & (self._mark[waiting] != row.ANSWER)
            ]
            if not silent.size:
                return
            if self._listen(tick, silent.size) or silent.size == 0:
                continue
            began = time.monotonic() if began is None else began
            for h in silent.tolist():
                self._look_after(h, tick, time.monotonic() - began > STUCK)

    def _listen(self, tick: int, count: int) -> bool:
        """Read up to ``count`` rows, waiting shortly; 0 reads what is there.

        Returns whether anything came.
        """
        came = self._in.receive(self.wire, count or None)
        if not came:
            return False
        self.foreign += self._gather(tick, came)
        mark = self._mark
        if self.running.all():
            return True
        for h in np.flatnonzero(mark == row.HELLO).tolist():
            mark[h] = 0
            self._welcome(h, tick)
        return True

    def _welcome(self, h: int, tick: int) -> None:
        """Take a new host into service."""
        if not self.running[h]:
            self.running[h] = True
            self.alive[list(self.plans[h].modules)] = True
            if self.lives[h] > 1:
                self._tell(tick, h, "is back")

    def _look_after(self, h: int, tick: int, is_late: bool) -> None:
        """Replace a host whose process is gone, or which has been silent too long."""
        if is_late:
            os.kill(self.process[h], signal.SIGKILL)
            os.waitpid(self.process[h], 0)
            self._replace(h, tick, f"was silent for {STUCK:g} s and was ended")
            return
        gone, status = os.waitpid(self.process[h], os.WNOHANG)
        if gone:
            is_defect = os.waitstatus_to_exitcode(status) == DEFECT
            self._replace(h, tick, _how_it_ended(status), is_defect)

    def _replace(self, h: int, tick: int, what: str, is_defect: bool = False) -> None:
        """Note that a host has ended, and start another in its place."""
        self.process[h] = 0
        self.running[h] = False
        mine = list(self.plans[h].modules)
        self.alive[mine], self.tau[mine] = False, 0.0
        for m in mine:
            self.report[m] = ModuleReport.zeros()[0]
            self.report[m].leader = self.report[m].verdict = -1.0
        self._past[h] += self.counters[h]
        self._posted_before += int(self.counters[h, row.POSTED])
        self.counters[h] = 0
        self._tell(tick, h, what)
        if self.lives[h] >= MOST_LIVES or is_defect:
            raise FleetError(
                f"the process of modules {mine} {what} in its life {self.lives[h]}; "
                "the run cannot survive this fault."
            )
        self._spawn(h)

    def _spawn(self, h: int) -> None:
        """Fork a host."""
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):  # one that is full says so to whoever prints
                stream.flush()
        parent, life = os.getpid(), self.lives[h]
        self.lives[h] += 1
        others = [s for k, theirs in enumerate(self._sockets) if k != h for s in theirs]
        with held_back():
            process = os.fork()
            if process == 0:
                host_process(self.plans[h], life, parent, [self.wire, *others])
            self.process[h] = process

    def _tell(self, tick: int, h: int, what: str) -> None:
        event = Event(tick, h, self.plans[h].modules, what)
        self.events.append(event)
        if self._notice is not None:
            self._notice(event)

    def _dismiss(self) -> int:
        """End all hosts; return how many could not be ended."""
        for h in range(len(self.plans)):
            seal(self._key, self._words, h, h, row.STOP, 0)
        started = [h for h, process in enumerate(self.process) if process]
        self._out.send(self.wire, np.array(started, np.int64))
        deadline = time.monotonic() + FAREWELL
        while self._reap() and time.monotonic() < deadline:
            time.sleep(0.001)
        for process in filter(None, self.process):
            os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + FAREWELL
        while (left := self._reap()) and time.monotonic() < deadline:
            time.sleep(0.001)
        self.running[:] = self.alive[:] = False
        return left

    def _reap(self) -> int:
        """Forget the processes that have ended; return how many have not."""
        for h, process in enumerate(self.process):
            if process and os.waitpid(process, os.WNOHANG)[0]:
                self.process[h] = 0
        return sum(map(bool, self.process))

    def close(self) -> int:
        """End all hosts, close sockets, remove the folder; return how many live on."""
        with held_back():  # a second request must not stop the tidying up
            left = self._dismiss()
            for wire in (self.wire, *(s for theirs in self._sockets for s in theirs)):
                wire.close()
            self.folder.remove()
        return left


def _how_it_ended(status: int) -> str:
    """Return in words how a process ended, from what ``waitpid`` says."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return f"was ended by signal {-code} ({signal.Signals(-code).name})"
    return f"ended with exit code {code}"
