"""Brains of a whole robot joined by wires that a test can cut."""

import numpy as np

from equipoise.control.com.brain.brain import Brain
from equipoise.control.com.network import network_of
from oracles.module_robots import put_frame

__all__ = ["Herd"]


class Herd:
    """The modules of an assembly, in one brain or several, ready to be run."""

    def __init__(self, assembly, groups=None, **given):
        nm = len(assembly.modules)
        self.assembly, self.link = assembly, network_of(assembly).link
        self.ports = len(assembly.body.connectors)
        groups = [range(nm)] if groups is None else groups
        self.brains = [Brain(assembly, group, **given) for group in groups]
        self.seat = {
            int(m): (brain, k)
            for brain in self.brains
            for k, m in enumerate(brain.mine)
        }
        self.wire = []
        self.cut = set()
        """Ends whose frames are lost."""
        self.luck = lambda: True
        """Called for each frame; False loses it."""

    def sense(self, q=None, rate=None, base=None):
        """Set readings by module; ``base`` is the grounded part's pose and twist."""
        for m, (brain, k) in self.seat.items():
            if q is not None:
                brain.senses.q[k] = q[m]
            if rate is not None:
                brain.senses.rate[k] = rate[m]
            if base is not None and m == self.assembly.ground.module:
                put_frame(brain.senses.anchor[k], np.ravel(base))
        return self

    def tick(self, times=1):
        """Run rounds; a frame that is sent in one arrives in the next."""
        for _ in range(times):
            for end, frame in self.wire:
                brain, k = self.seat[end // self.ports]
                brain.take(k, end % self.ports, frame)
            for brain in self.brains:
                brain.tick()
            self.wire = [
                (int(self.link[end]), frame.copy())
                for end, frame in self.sent()
                if self.link[end] >= 0 and end not in self.cut and self.luck()
            ]
        return self

    def sent(self):
        """Yield end and frame of all that the modules send."""
        for m in sorted(self.seat):
            brain, k = self.seat[m]
            for p in np.flatnonzero(brain.sends[k]):
                yield m * self.ports + int(p), brain.frames[k, p]

    def each(self, name):
        """Return records of ``memory`` by module, (nm, records of a module)."""
        rows = []
        for m in sorted(self.seat):
            brain, k = self.seat[m]
            array = getattr(brain.memory, name)
            size = len(array) // len(brain.mine)
            rows.append(array[k * size : (k + 1) * size])
        return np.array(rows)

    def reports(self):
        """Return all reports by module, (nm,)."""
        return np.array([b.report[k] for m, (b, k) in sorted(self.seat.items())])
