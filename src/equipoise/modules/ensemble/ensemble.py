"""Many module programs at once: arrays instead of objects, one compiled call a round.

The same program as ``member``, frame for frame, on wires in memory that lose, double,
delay, garble and reorder frames, between modules that dock, undock, crash and start
again. One seed decides everything; ``digest`` tells whether two runs were the same.

Modules are numbered 0 to n - 1 (rows), ports 0 to P - 1; ids are what the program
calls the modules, 1 to n unless given.
"""

from collections.abc import Iterable
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

import equipoise.modules.kernels.rows as at
from equipoise.core.arrays import Array, Ints, expect_array
from equipoise.core.errors import ConfigError
from equipoise.modules.ensemble.channel import Channel
from equipoise.modules.ensemble.kernel import (
    advance,
    boot_module,
    scramble,
    start_all,
    totals,
)
from equipoise.modules.ensemble.wires import EnsembleWires, empty_wires
from equipoise.modules.kernels.rows import Seats, empty_seats
from equipoise.modules.rules import Rules, rules_vector

__all__ = ["Ensemble"]

Link = tuple[int, int, int, int]
"""Module, port, module, port."""


@final
class Ensemble:
    """Ensemble of n modules with P ports each, just booted, with the given links.

    Compiled callers use ``rule``, ``seats`` and ``wires`` with
    ``ensemble_kernel.advance``; then they keep ``tick`` themselves.

    Args:
        modules: how many, or their ids (all different, 1 to 2**31 - 1).
        ports: ports a module, 1 to 32.
        links: what is docked at the start.
        own: (n, 10), what each module adds to the sums; zeros if None.
        rules: constants of the program; ``delta`` is the largest delay too.
        channel: how bad the wires are.
        seed: decides everything that is drawn by lot, >= 0.

    Raises:
        ConfigError: ids that are not usable, or a link that cannot be docked.
    """

    def __init__(
        self,
        modules: int | ArrayLike,
        ports: int,
        *,
        links: Iterable[Link] = (),
        own: ArrayLike | None = None,
        rules: Rules | None = None,
        channel: Channel | None = None,
        seed: int = 0,
    ) -> None:
        """Boot all modules and dock all links."""
        ids = _checked_ids(modules, ports)
        self.n, self.ports = len(ids), ports
        self.rules = Rules() if rules is None else rules
        self.rule: Ints = rules_vector(self.rules)
        self.seats: Seats = empty_seats(self.n, ports)
        self.wires: EnsembleWires = empty_wires(self.n, ports, self.rules.delta, seed)
        self.tick = 0
        self.sent: Ints = np.zeros(0, np.int64)
        self.delivered: Ints = np.zeros(0, np.int64)
        self.names = int(ids.max()) + 3  # arbitrary states draw dead names too
        self.channel = Channel() if channel is None else channel
        if own is not None:
            self.wires.own[:] = expect_array("own", own, (self.n, at.VALUE))
        self.seats.node[:, at.ID] = ids
        start_all(self.seats, self.wires)
        self.born: Ints = self.seats.node[:, at.OWN_EPOCH].copy()
        """(n,), the epoch that each module drew when it started."""
        for link in links:
            self.dock(*link)

    @property
    def channel(self) -> Channel:
        """Faults of the links; may be set between rounds."""
        return self._channel

    @channel.setter
    def channel(self, channel: Channel) -> None:
        if channel.delay > 0.0 and self.rules.delta == 0:
            raise ConfigError(
                "the ensemble's channel", ["delay > 0 needs Rules.delta > 0"]
            )
        self._channel = channel
        odds = (channel.loss, channel.corruption, channel.duplication, channel.delay)
        self.wires.odds[:] = (*odds, channel.garbage, float(channel.reordering))

    # what happens ---------------------------------------------------------------

    def step(self, rounds: int = 1) -> None:
        """Run rounds; ``sent`` and ``delivered`` then hold the counts per round.

        Args:
            rounds: how many, in one compiled call.
        """
        counts = np.zeros((rounds, 2), np.int64)
        advance(self.rule, self.seats, self.wires, self.tick, rounds, counts)
        self.tick += rounds
        self.sent, self.delivered = counts[:, 0], counts[:, 1]

    def dock(self, i: int, p: int, j: int, q: int) -> None:
        """Close a link between port p of module i and port q of module j.

        Raises:
            ConfigError: no such port, or one that is docked already.
        """
        a, b = self.end(i, p), self.end(j, q)
        far = self.wires.far
        problems = [
            f"port {port} of module {module} is docked already"
            for module, port, e in ((i, p, a), (j, q, b))
            if far[e] >= 0
        ]
        if i == j:
            problems.append(f"module {i} cannot dock with itself")
        if problems:
            raise ConfigError("docking", problems)
        far[a], far[b] = b, a
        for module, port, e in ((i, p, a), (j, q, b)):
            self.wires.attached[module] |= 1 << port
            self.wires.mute[e] = self.wires.cut[e] = 0

    def undock(self, i: int, p: int) -> None:
        """Open the link at port p of module i; what is under way still arrives."""
        e = self.end(i, p)
        other = int(self.wires.far[e])
        if other < 0:
            return
        for end in (e, other):
            self.wires.far[end] = -1
            self.wires.mute[end] = self.wires.cut[end] = 0
            self.wires.attached[end // self.ports] &= ~(1 << end % self.ports)

    def crash(self, i: int) -> None:
        """Stop module i; it forgets everything and its mail is lost."""
        self.wires.alive[i] = 0
        boot_module(self.seats, self.wires, i)

    def restart(self, i: int) -> None:
        """Boot module i with new random numbers."""
        self.wires.alive[i] = 1
        boot_module(self.seats, self.wires, i)
        self.born[i] = self.seats.node[i, at.OWN_EPOCH]

    def touch(self, i: int, on: bool = True) -> None:
        """Put module i on the ground (at a new place) or lift it."""
        if on:
            self.wires.foot[i] = (self.wires.foot[i] + 1) % 256
        self.wires.touching[i] = 1 if on else 0

    def mute(self, i: int, p: int, on: bool = True) -> None:
        """Make port p of module i stop sending, or send again: a one-way link."""
        self.wires.mute[self.end(i, p)] = 1 if on else 0

    def cut(self, i: int, p: int, on: bool = True) -> None:
        """Cut a link in both directions, or heal it; it stays docked."""
        e = self.end(i, p)
        for end in (e, int(self.wires.far[e])):
            if end >= 0:
                self.wires.cut[end] = 1 if on else 0

    def heal(self) -> None:
        """Make all links carry frames in both directions again."""
        self.wires.mute[:] = 0
        self.wires.cut[:] = 0

    def arbitrary(self, i: int) -> None:
        """Fill module i's memory with random numbers; it stays alive."""
        scramble(self.rule, self.seats, self.wires, i, self.names)

    # what can be read -----------------------------------------------------------

    def end(self, i: int, p: int) -> int:
        """Return the row of port p of module i in all arrays of ends.

        Raises:
            ConfigError: there is no such port.
        """
        if not (0 <= i < self.n and 0 <= p < self.ports):
            problem = f"there is no port {p} of module {i}; "
            problem += f"modules are 0 to {self.n - 1}, ports 0 to {self.ports - 1}"
            raise ConfigError("a link", [problem])
        return i * self.ports + p

    def free_port(self, i: int) -> int:
        """Return the lowest port of module i that is not docked, -1 if all are."""
        free = np.flatnonzero(self.wires.far[i * self.ports : (i + 1) * self.ports] < 0)
        return int(free[0]) if len(free) else -1

    def _published(self, column: int) -> Ints:
        return self.seats.node[:, column]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether each module knows its whole robot, (n,)."""
        return self._published(at.KNOWN) != 0

    @property
    def steady(self) -> NDArray[np.bool_]:
        """Whether each module's contacts were true everywhere at one instant, (n,)."""
        return self._published(at.STEADY) != 0

    @property
    def open(self) -> NDArray[np.bool_]:
        """Whether each module knows of a docked connector without an answer, (n,)."""
        return self._published(at.OPEN) != 0

    @property
    def count(self) -> Ints:
        """Number of modules in each module's robot, (n,); 0 if it is not known."""
        return self._published(at.COUNT)

    @property
    def leader(self) -> Ints:
        """Id of each module's leader, (n,); 0 for none, -1 if it is not known."""
        return self._published(at.LEADER)

    @property
    def feet(self) -> Ints:
        """Digest of the contacts, (n,); 0 if they are not known."""
        return self._published(at.FEET)

    @property
    def root(self) -> Ints:
        """Id of the root of each module's tree, (n,)."""
        return self._published(at.ROOT)

    @property
    def epoch(self) -> Ints:
        """Epoch of that tree, (n,)."""
        return self._published(at.EPOCH)

    @property
    def ids(self) -> Ints:
        """Ids of the modules, (n,)."""
        return self._published(at.ID)

    @property
    def total(self) -> Array:
        """Sum over each module's whole robot, (n, 10); zeros if it is not known."""
        out = np.zeros((self.n, at.VALUE))
        totals(self.seats, self.wires.own, out)
        return out

    @property
    def beyond(self) -> Array:
        """Sum behind each port, (n, P, 10); zeros if no complete one has come."""
        here = self.seats.port[:, at.V_IN] != 0
        value = np.where(here[:, None], self.seats.value, 0.0)
        return value.reshape(self.n, self.ports, at.VALUE)

    @property
    def digest(self) -> int:
        """Digest of 64 bits over all frames sent so far, in order."""
        return int(self.wires.dice[1])

    @property
    def tally(self) -> dict[str, int]:
        """Number of frames so far, by their fate."""
        names = ("sent", "delivered", "accepted", "lost", "refused")
        counts = self.wires.tally.tolist()[:7]
        return dict(zip((*names, "duplicated", "garbled"), counts, strict=True))


def _checked_ids(modules: int | ArrayLike, ports: int) -> Ints:
    if isinstance(modules, int):
        ids = np.arange(1, modules + 1, dtype=np.int64)
    else:
        ids = np.array(modules, dtype=np.int64).reshape(-1)
    problems: list[str] = []
    if len(ids) == 0 or len(np.unique(ids)) != len(ids):
        problems.append("modules must be a number > 0 or a list of different ids")
    elif ids.min() < 1 or ids.max() >= 2**31:
        problems.append(f"ids must be 1 to 2**31 - 1, got {ids.min()} to {ids.max()}")
    if not 1 <= ports <= 32:
        problems.append(f"ports must be 1 to 32, got {ports!r}")
    if problems:
        raise ConfigError("Ensemble", problems)
    return ids
