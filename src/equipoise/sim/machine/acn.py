"""The node of each leg: a small machine of states between the bus and the motors.

[Ridderstrom2003] figure 5.5 and algorithm 1. A node begins in INIT without voltage on
its motors, goes to RUN with the first command, and from there to HALT when some cycles
bring no command, or on a Halt message. HALT is final: no voltage, so that the motors
brake and the machine sinks down. A command that is lost leaves the last one in effect.

The controller's computer listens too: where a node's status stays away for the same
number of its (double) cycles, it stops, and tells all nodes to halt.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.seeds import stream
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.motor_kernel import HALTED, DriveCommand

__all__ = ["HALT", "INIT", "RUN", "LegNode", "NodeBank", "node_bank", "node_cycle"]

INIT, RUN, HALT = 0, 1, 2
STATUS_EVERY = 2  # cycles
NEVER = -1

Bits = NDArray[np.uint8]


class LegNode(Record):
    """One leg's node."""

    state: int = entry("INIT, RUN or HALT", kind=np.int64)
    silent: int = entry("cycles without a command", kind=np.int64)
    unheard: int = entry("cycles without its status", kind=np.int64)
    since: int = entry("cycle since which it has halted, or -1", kind=np.int64)


@final
@dataclass(frozen=True, eq=False)
class NodeBank:
    """The nodes of a machine, and which messages reach them and come from them."""

    nodes: Records[LegNode]
    """One a leg."""
    arrives: Bits = field(repr=False)
    """Whether command and status of each leg arrive, (ticks, 2, nl)."""
    timeout: int
    halt: int
    """Cycle of a Halt message to all; -1 for none."""
    _cycle = cached_dispatch(lambda: node_cycle)

    def deliver(
        self,
        cycle: int,
        command: Records[DriveCommand],
        active: Records[DriveCommand],
    ) -> None:
        """Hand a command to the nodes: what their motors do then is in ``active``.

        Args:
            cycle: number of the control period in which it was sent.
            command: what was sent, one a joint.
            active: what is in effect, overwritten.
        """
        arrives, nodes = self.arrives[cycle], self.nodes
        self._cycle(cycle, self.timeout, self.halt, arrives, command, nodes, active)

    def halted_at(self, period: float) -> Array:
        """Return when each node halted, NaN where it has not, (nl,) [s]."""
        since = self.nodes["since"]
        return np.where(since == NEVER, np.nan, since * period)


def node_bank(config: BusConfig, legs: int, ticks: int, period: float) -> NodeBank:
    """Return the nodes before the first cycle.

    Args:
        config: of the bus and its faults.
        legs: how many nodes.
        ticks: number of control periods.
        period: length of one [s].

    Raises:
        ConfigError: a cut bus of a leg that is not there.
    """
    drawn = stream(config.seed, "bus").random((ticks, 2, legs))
    arrives = (drawn >= config.loss).astype(np.uint8)
    for leg, when in config.cut:
        if not 0 <= leg < legs:
            known = f"legs are 0 to {legs - 1}"
            raise ConfigError("BusConfig", [f"{known}, got a cut bus of leg {leg!r}"])
        arrives[int(np.ceil(when / period - 1e-9)) :, :, leg] = 0
    halt = NEVER if config.halt is None else int(np.ceil(config.halt / period - 1e-9))
    nodes = LegNode.zeros(legs)
    nodes["since"] = NEVER
    return NodeBank(nodes, arrives, config.timeout, halt)


@compiled(allocates=False)
def node_cycle(
    cycle: int,
    timeout: int,
    halt: int,
    arrives: Bits,
    command: Records[DriveCommand],
    nodes: Records[LegNode],
    active: Records[DriveCommand],
) -> None:
    """Advance all nodes by a cycle.

    Args:
        cycle: its number.
        timeout: cycles without a command after which a node halts.
        halt: cycle of a Halt message, -1 for none.
        arrives: whether command and status of each leg arrive, (2, nl).
        command: what was sent, one a joint.
        nodes: their states, overwritten.
        active: what is in effect, overwritten.
    """
    is_stopped = halt != NEVER and cycle >= halt
    for leg in range(nodes.shape[0]):
        node = nodes[leg]
        if cycle % STATUS_EVERY == 0:
            node.unheard = 0 if arrives[1, leg] else node.unheard + 1
        is_stopped = is_stopped or node.unheard >= timeout
    joints = active.shape[0] // nodes.shape[0]
    for leg in range(nodes.shape[0]):
        node, is_told = nodes[leg], bool(arrives[0, leg])
        node.silent = 0 if is_told and not is_stopped else node.silent + 1
        if node.state == INIT and is_told and not is_stopped:
            node.state = RUN
        is_over = node.silent >= timeout or (is_told and is_stopped)
        if node.state == RUN and is_over:
            node.state = HALT
            node.since = cycle
        for j in range(leg * joints, (leg + 1) * joints):
            if node.state != RUN:
                active[j].mode = HALTED
            elif is_told:
                active[j] = command[j]
