"""How faults strike an ensemble: each kind of ``scenario.KINDS`` as a few calls.

Whom a fault strikes is drawn from the scenario's own numbers. A fault that finds nobody
(no leader to lift, no free connector) does nothing. Some end later by themselves: a
crashed module starts anew, a silent wire speaks again.
"""

from collections.abc import Callable, Sequence
from typing import final

import numpy as np

from equipoise.core.seeds import stream
from equipoise.modules.ensemble.ensemble import Ensemble
from equipoise.modules.kernels.rows import IS_LEADER
from equipoise_lab.torture.components import flooded
from equipoise_lab.torture.graphs import PORTS
from equipoise_lab.torture.scenario import KINDS, Scenario

__all__ = ["FaultInjector"]

Action = Callable[[], None]
TRIES = 20
GARBAGE = 0.7  # share of modules that an arbitrary state befalls


def _where(end: int) -> tuple[int, int]:
    """Return module and port of an end."""
    return divmod(end, PORTS)


@final
class FaultInjector:
    """Strikes one ensemble as a scenario plans it."""

    def __init__(self, scenario: Scenario, ensemble: Ensemble) -> None:
        """Begin before the first fault.

        Args:
            scenario: the plan.
            ensemble: whom it befalls.
        """
        self.ensemble, self.wires = ensemble, ensemble.wires
        self.rng = stream(scenario.seed, "havoc")
        self.later: list[tuple[int, Action]] = []
        """(round, what ends then), in no order."""
        self.now = 0
        self.strikes = {kind: getattr(self, kind.replace("-", "_")) for kind in KINDS}

    def strike(self, kind: str, now: int) -> None:
        """Let a fault happen before a round.

        Args:
            kind: one of ``KINDS``.
            now: number of the round.
        """
        self.now = now
        self.strikes[kind]()

    def end_what_is_due(self, now: int) -> bool:
        """Let faults end whose time has come; return whether any did."""
        due = [action for at, action in self.later if at <= now]
        self.later = [(at, action) for at, action in self.later if at > now]
        for action in due:
            action()
        return bool(due)

    # --- whom ---------------------------------------------------------------------

    def one_of(self, rows: Sequence[int]) -> int | None:
        """Return one of several, or None of none."""
        return int(self.rng.choice(rows)) if len(rows) else None

    def rounds(self, least: int, most: int) -> int:
        """Return the round that lies so many ahead."""
        return self.now + int(self.rng.integers(least, most + 1))

    def living(self) -> list[int]:
        """Return the modules that run."""
        return np.flatnonzero(self.wires.alive).tolist()

    def closed(self) -> list[int]:
        """Return the ends at which something is docked."""
        return np.flatnonzero(self.wires.far >= 0).tolist()

    def leaders(self) -> list[int]:
        """Return the modules that say to lead."""
        said = self.ensemble.seats.node[:, IS_LEADER] * self.wires.alive
        return np.flatnonzero(said).tolist()

    def are_linked(self, a: int, b: int) -> bool:
        """Return whether two modules are docked to each other, or are one."""
        ends = self.wires.far[a * PORTS : (a + 1) * PORTS]
        return a == b or bool(np.any(ends[ends >= 0] // PORTS == b))

    def free_end(self, beside: int, within: int = -1) -> int | None:
        """Return a free end of another module, none of the neighbours of one.

        Args:
            beside: the module that is to be joined to it.
            within: set of modules to choose from; -1 for all.
        """
        ends = np.flatnonzero(self.wires.far < 0)
        ends = ends[((within >> (ends // PORTS)) & 1).astype(bool)]
        for _ in range(TRIES if len(ends) else 0):
            end = int(self.rng.choice(ends))
            if not self.are_linked(beside, end // PORTS):
                return end
        return None

    # --- docks --------------------------------------------------------------------

    def undock(self) -> None:
        """Open a link."""
        if (end := self.one_of(self.closed())) is not None:
            self.ensemble.undock(*_where(end))

    def dock(self) -> None:
        """Join two free ends of modules that are not neighbours."""
        ends = np.flatnonzero(self.wires.far < 0).tolist()
        if (end := self.one_of(ends)) is not None:
            other = self.free_end(end // PORTS)
            if other is not None:
                self.ensemble.dock(*_where(end), *_where(other))

    def redock(self) -> None:
        """Open a link; one end is joined elsewhere on the same connector."""
        if (end := self.one_of(self.closed())) is not None:
            other = self.free_end(end // PORTS)
            self.ensemble.undock(*_where(end))
            if other is not None:
                self.ensemble.dock(*_where(end), *_where(other))

    def swap(self) -> None:
        """Let two links exchange partners on the same connectors."""
        ensemble, wires, closed = self.ensemble, self.wires, self.closed()
        for _ in range(TRIES if len(closed) > 2 else 0):
            a, c = (int(end) for end in self.rng.choice(closed, 2, replace=False))
            b, d = int(wires.far[a]), int(wires.far[c])
            i, j, k, m = (end // PORTS for end in (a, b, c, d))
            if a == d or self.are_linked(i, m) or self.are_linked(k, j):
                continue
            ensemble.undock(*_where(a))
            ensemble.undock(*_where(c))
            ensemble.dock(*_where(a), *_where(d))
            ensemble.dock(*_where(c), *_where(b))
            return

    def part(self) -> None:
        """Open a link, and join the part behind it elsewhere by any of its ends."""
        if (end := self.one_of(self.closed())) is None:
            return
        ensemble, wires = self.ensemble, self.wires
        ensemble.undock(*_where(end))
        graph = np.zeros(len(wires.alive), np.int64)
        for e, f in enumerate(wires.far.tolist()):
            graph[e // PORTS] |= (1 << (f // PORTS)) if f >= 0 else 0
        behind = flooded(graph, end // PORTS, -1)
        rest = ~behind & ((1 << len(graph)) - 1)
        own = [
            e
            for e in np.flatnonzero(wires.far < 0).tolist()
            if (behind >> (e // PORTS)) & 1
        ]
        if rest and (mine := self.one_of(own)) is not None:
            other = self.free_end(mine // PORTS, rest)
            if other is not None:
                ensemble.dock(*_where(mine), *_where(other))

    # --- modules ------------------------------------------------------------------

    def fell(self, module: int | None) -> None:
        """Let a module crash and start anew later."""
        if module is not None:
            self.ensemble.crash(module)
            self.later.append((self.rounds(1, 40), lambda: self.wake(module)))

    def wake(self, module: int) -> None:
        """Start a module anew."""
        if not self.wires.alive[module]:
            self.ensemble.restart(module)

    def crash(self) -> None:
        """Let any module crash."""
        self.fell(self.one_of(self.living()))

    def death(self) -> None:
        """Silence a module for good; one always stays."""
        living = self.living()
        if len(living) > 1 and (module := self.one_of(living)) is not None:
            self.ensemble.crash(module)

    def largest(self) -> int | None:
        """Return the living module with the largest id."""
        ids = self.ensemble.ids
        return max(self.living(), key=lambda i: int(ids[i]), default=None)

    def root(self) -> None:
        """Let the largest id crash."""
        self.fell(self.largest())

    def beheading(self) -> None:
        """Silence the largest id for good; one module always stays."""
        module = self.largest()
        if len(self.living()) > 1 and module is not None:
            self.ensemble.crash(module)

    def leader(self) -> None:
        """Let a leader crash."""
        self.fell(self.one_of(self.leaders()))

    def hub(self) -> None:
        """Let a module with several links crash."""
        links = (self.wires.far.reshape(-1, PORTS) >= 0).sum(axis=1)
        self.fell(self.one_of(np.flatnonzero((links > 1) & self.wires.alive).tolist()))

    def arbitrary(self) -> None:
        """Fill the state of most modules with garbage."""
        for module in self.living():
            if self.rng.random() < GARBAGE:
                self.ensemble.arbitrary(module)

    # --- wires --------------------------------------------------------------------

    def hush(self, ends: Sequence[int], until: int | None) -> None:
        """Let ends send nothing, for good where there is no round until."""
        for end in ends:
            self.ensemble.mute(*_where(end), True)
        if until is not None:
            self.later.append((until, lambda: self.heal(ends)))

    def heal(self, ends: Sequence[int]) -> None:
        """Let ends send again."""
        for end in ends:
            self.ensemble.mute(*_where(end), False)

    def one_way(self) -> None:
        """Silence one direction of a link, for long or for good."""
        if (end := self.one_of(self.closed())) is not None:
            is_long = self.rng.random() < 0.5
            self.hush([end], self.rounds(20, 80) if is_long else None)

    def burst(self) -> None:
        """Silence one direction of a link for a little while."""
        if (end := self.one_of(self.closed())) is not None:
            self.hush([end], self.rounds(3, 20))

    def partition(self) -> None:
        """Silence a sixth of the links, at least one, both ways."""
        closed = self.closed()
        links = [end for end in closed if end < self.wires.far[end]]
        if links:
            count = max(1, len(links) // 6)
            some = self.rng.choice(links, count, replace=False).tolist()
            both = some + self.wires.far[some].tolist()
            self.hush(both, self.rounds(5, 60))

    # --- feet ---------------------------------------------------------------------

    def step(self) -> None:
        """Let one module touch down, leave the ground, or step."""
        self.tread(1)

    def touch(self) -> None:
        """Let one to three modules do so."""
        self.tread(min(int(self.rng.integers(1, 4)), len(self.wires.alive)))

    def tread(self, count: int) -> None:
        """Change the feet of some modules."""
        for module in self.rng.choice(len(self.wires.alive), count, replace=False):
            stays = self.wires.touching[module] and self.rng.random() < 0.3
            on = bool(stays or not self.wires.touching[module])
            self.ensemble.touch(int(module), on)

    def lift(self) -> None:
        """Lift all leaders."""
        for module in self.leaders():
            self.ensemble.touch(module, False)
