"""What a walking machine's run leaves: one row a control period, and how it is kept."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.sim.machine.motor_kernel import (
    AMPERES,
    DRAWN,
    ELECTRIC,
    TAU,
    VOLTS,
    WORK_MINUS,
    WORK_PLUS,
)
from equipoise.sim.rollout_log import HUGE, Cpu, Outcome

__all__ = ["FOOT", "Layout", "MachineRun", "keep_row", "layout_of"]

FOOT = 6
"""Numbers kept of a foot: force in W, normal and tangential part, way slipped."""
LIFTED = 5.0  # load below which a foot carries nothing [N]


class Layout(NamedTuple):
    """Where everything is in a row."""

    nq: int
    nv: int
    nu: int
    nl: int

    @property
    def ends(self) -> Array:
        """First column of each part, and one behind the last."""
        nu, nl = self.nu, self.nl
        sizes = [1, self.nq, self.nv, nu, nu, nu, 4, 3 * nl, FOOT * nl, 3]
        return np.cumsum([0, *sizes])

    @property
    def width(self) -> int:
        """Of a row."""
        return int(self.ends[-1])


def layout_of(nq: int, nv: int, nu: int, nl: int) -> Layout:
    """Return where everything is in a row.

    Args:
        nq: positions of the model.
        nv: velocities.
        nu: joints that are driven.
        nl: feet.
    """
    return Layout(nq, nv, nu, nl)


@dataclass(frozen=True, kw_only=True)
class MachineRun:
    """What happened to a walking machine, nt samples.

    Forces, torques, volts and currents at a sample are those that acted last; the state
    and the places are of that very time.
    """

    outcome: Outcome
    rows: Array = field(repr=False)
    """All signals, (nt, width)."""
    layout: Layout
    address: Ints = field(repr=False)
    """Of each joint in ``qpos`` and ``qvel``, (2, nu)."""
    signals: tuple[str, ...]
    """Names of what the controller said."""
    telemetry: Array = field(repr=False)
    """What it said, (nt, ns); NaN where no command followed."""
    cpu: Cpu
    period: float
    """Of the controller [s]."""
    halted_at: Array | None = None
    """When each leg's node halted, NaN if it has not, (nl,) [s]; None without bus."""
    warnings: tuple[str, ...] = ()
    """What the engine complained about."""

    def part(self, index: int) -> Array:
        """Return some columns, as ``Layout.ends`` counts them."""
        ends = self.layout.ends
        return self.rows[:, ends[index] : ends[index + 1]]

    @property
    def is_finite(self) -> bool:
        """Whether it did not stop on numbers that are not finite."""
        return self.outcome in (Outcome.FINISHED, Outcome.STOPPED)

    @property
    def time(self) -> Array:
        """(nt,) [s]."""
        return self.rows[:, 0]

    @property
    def qpos(self) -> Array:
        """Poses in MuJoCo's layout, (nt, nq)."""
        return self.part(1)

    @property
    def qvel(self) -> Array:
        """Velocities in MuJoCo's layout: the trunk's is linear in W, angular in B."""
        return self.part(2)

    @property
    def p_WB(self) -> Array:
        """Of the trunk, (nt, 3) [m]."""
        return self.qpos[:, :3]

    @property
    def quat_WB(self) -> Array:
        """Of the trunk, w first, (nt, 4)."""
        return self.qpos[:, 3:7]

    @property
    def attitude(self) -> Array:
        """Roll, pitch and yaw of the trunk, (nt, 3) [rad]."""
        w, x, y, z = self.quat_WB.T
        roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1.0, 1.0))
        yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        return np.stack([roll, pitch, yaw], axis=1)

    @property
    def q(self) -> Array:
        """Joint angles, (nt, nu) [rad]."""
        return self.qpos[:, self.address[0]]

    @property
    def v(self) -> Array:
        """Joint speeds, (nt, nu) [rad/s]."""
        return self.qvel[:, self.address[1]]

    @property
    def tau(self) -> Array:
        """Torques on the joints, (nt, nu) [N m]."""
        return self.part(3)

    @property
    def volts(self) -> Array:
        """On the motors, (nt, nu) [V]."""
        return self.part(4)

    @property
    def current(self) -> Array:
        """In the motors, (nt, nu) [A]."""
        return self.part(5)

    @property
    def work_plus(self) -> Array:
        """Positive mechanical work of all joints since the start, (nt,) [J]."""
        return self.part(6)[:, 0]

    @property
    def work_minus(self) -> Array:
        """Negative mechanical work, <= 0, (nt,) [J]."""
        return self.part(6)[:, 1]

    @property
    def electric(self) -> Array:
        """Electrical energy taken less what came back, (nt,) [J]."""
        return self.part(6)[:, 2]

    @property
    def drawn(self) -> Array:
        """Electrical energy if the supply takes nothing back, (nt,) [J]."""
        return self.part(6)[:, 3]

    @property
    def foot_place(self) -> Array:
        """Centre of each foot's ball, (nt, nl, 3) [m]."""
        return self.part(7).reshape(-1, self.layout.nl, 3)

    @property
    def feet(self) -> Array:
        """What each foot felt, (nt, nl, 6), see ``FOOT``."""
        return self.part(8).reshape(-1, self.layout.nl, FOOT)

    @property
    def foot_force(self) -> Array:
        """Of the ground on each foot, in W, (nt, nl, 3) [N]."""
        return self.feet[:, :, :3]

    @property
    def normal(self) -> Array:
        """Its part along the ground's normal, (nt, nl) [N]."""
        return self.feet[:, :, 3]

    @property
    def tangential(self) -> Array:
        """Size of the rest, (nt, nl) [N]."""
        return self.feet[:, :, 4]

    @property
    def touches(self) -> NDArray[np.bool_]:
        """Whether a foot carries more than 5 N, (nt, nl)."""
        return self.normal > LIFTED

    @property
    def slip(self) -> Array:
        """Way that each foot slid over the ground while it carried, (nt, nl) [m]."""
        return self.feet[:, :, 5]

    @property
    def p_WC(self) -> Array:
        """Centre of mass of the whole machine, (nt, 3) [m]."""
        return self.part(9)

    def said(self, name: str) -> Array:
        """Return one signal of the controller, (nt,); NaN where it said nothing.

        Args:
            name: of the signal.
        """
        if name not in self.signals:
            return np.full(len(self.rows), np.nan)
        return self.telemetry[:, self.signals.index(name)]


@compiled(allocates=False)
def keep_row(
    time: float,
    qpos: Array,
    qvel: Array,
    drives: Array,
    xpos: Array,
    foot: Ints,
    feet: Array,
    com: Array,
    row: Array,
) -> bool:
    """Write one sample; False, and nothing written, if the state is not finite.

    Args:
        time: [s].
        qpos: of the model.
        qvel: of the model.
        drives: their state, (11, nu).
        xpos: places of all geoms.
        foot: geom and body of each foot, (2, nl).
        feet: what each foot felt, (nl, 6).
        com: centre of mass, (3,).
        row: overwritten.
    """
    for x in qpos:
        if not abs(x) < HUGE:
            return False
    for x in qvel:
        if not abs(x) < HUGE:
            return False
    row[0] = time
    at = 1
    for x in qpos:
        row[at] = x
        at += 1
    for x in qvel:
        row[at] = x
        at += 1
    for part in (TAU, VOLTS, AMPERES):
        for j in range(drives.shape[1]):
            row[at] = drives[part, j]
            at += 1
    for part in (WORK_PLUS, WORK_MINUS, ELECTRIC, DRAWN):
        row[at] = 0.0
        for j in range(drives.shape[1]):
            row[at] += drives[part, j]
        at += 1
    for leg in range(foot.shape[1]):
        for a in range(3):
            row[at] = xpos[foot[0, leg], a]
            at += 1
    for leg in range(foot.shape[1]):
        for a in range(FOOT):
            row[at] = feet[leg, a]
            at += 1
    for a in range(3):
        row[at] = com[a]
        at += 1
    return True
