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

from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.seeds import stream
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.motor_kernel import HALTED, MODE

__all__ = ["HALT", "INIT", "RUN", "NodeBank", "node_bank", "node_cycle"]

INIT, RUN, HALT = 0, 1, 2
STATE, SILENT, UNHEARD, SINCE = range(4)  # rows of ``nodes``
STATUS_EVERY = 2  # cycles
NEVER = -1

Bits = NDArray[np.uint8]


@final
@dataclass(frozen=True, eq=False)
class NodeBank:
    """The nodes of a machine, and which messages reach them and come from them."""

    nodes: Ints
    """State, cycles without a command, cycles without a status, cycle since which it
    has halted or -1, (4, nl)."""
    arrives: Bits = field(repr=False)
    """Whether command and status of each leg arrive, (ticks, 2, nl)."""
    timeout: int
    halt: int
    """Cycle of a Halt message to all; -1 for none."""

    def deliver(self, cycle: int, command: Array, active: Array) -> None:
        """Hand a command to the nodes: what their motors do then is in ``active``.

        Args:
            cycle: number of the control period in which it was sent.
            command: what was sent, (3, nu).
            active: what is in effect, overwritten, (3, nu).
        """
        node_cycle(
            cycle, self.timeout, self.halt, self.arrives[cycle], command, self.nodes,
            active,
        )  # fmt: skip

    def halted_at(self, period: float) -> Array:
        """Return when each node halted, NaN where it has not, (nl,) [s]."""
        since = self.nodes[SINCE]
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
    nodes = np.zeros((4, legs), np.int64)
    nodes[SINCE] = NEVER
    return NodeBank(nodes, arrives, config.timeout, halt)


@compiled(allocates=False)
def node_cycle(
    cycle: int,
    timeout: int,
    halt: int,
    arrives: Bits,
    command: Array,
    nodes: Ints,
    active: Array,
) -> None:
    """Advance all nodes by a cycle.

    Args:
        cycle: its number.
        timeout: cycles without a command after which a node halts.
        halt: cycle of a Halt message, -1 for none.
        arrives: whether command and status of each leg arrive, (2, nl).
        command: what was sent, (3, nu).
        nodes: their states, overwritten, (4, nl).
        active: what is in effect, overwritten, (3, nu).
    """
    legs = nodes.shape[1]
    is_stopped = halt != NEVER and cycle >= halt
    for leg in range(legs):
        if cycle % STATUS_EVERY == 0:
            nodes[UNHEARD, leg] = 0 if arrives[1, leg] else nodes[UNHEARD, leg] + 1
        is_stopped = is_stopped or nodes[UNHEARD, leg] >= timeout
    joints = active.shape[1] // legs
    for leg in range(legs):
        is_told = bool(arrives[0, leg])
        nodes[SILENT, leg] = 0 if is_told and not is_stopped else nodes[SILENT, leg] + 1
        if nodes[STATE, leg] == INIT and is_told and not is_stopped:
            nodes[STATE, leg] = RUN
        is_over = nodes[SILENT, leg] >= timeout or (is_told and is_stopped)
        if nodes[STATE, leg] == RUN and is_over:
            nodes[STATE, leg] = HALT
            nodes[SINCE, leg] = cycle
        for j in range(leg * joints, (leg + 1) * joints):
            if nodes[STATE, leg] != RUN:
                active[MODE, j] = HALTED
            elif is_told:
                for row in range(3):
                    active[row, j] = command[row, j]
