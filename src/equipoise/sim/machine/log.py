"""What a walking machine's run leaves: one row a control period, and how it is kept."""

from dataclasses import dataclass, field

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.sim.machine.foot_contacts import FootLoad
from equipoise.sim.machine.motor_kernel import DriveState
from equipoise.sim.machine.views import MachineViews
from equipoise.sim.rollout_log import HUGE, Cpu, Outcome

__all__ = ["MachineRow", "MachineRun", "empty_rows", "keep_row"]

LIFTED = 5.0  # load below which a foot carries nothing [N]


class MachineRow(Record):
    """One sample of a run."""

    time: float = entry("", "s")
    qpos: Array = entry("pose in MuJoCo's layout", "", "nq")
    qvel: Array = entry("velocity in MuJoCo's layout", "", "nv")
    tau: Array = entry("torques on the joints", "N m", "joints")
    volts: Array = entry("on the motors", "V", "joints")
    current: Array = entry("in the motors", "A", "joints")
    work_plus: float = entry("positive mechanical work of all joints so far", "J")
    work_minus: float = entry("negative mechanical work, <= 0", "J")
    electric: float = entry("electrical energy taken less what came back", "J")
    drawn: float = entry("electrical energy if nothing comes back", "J")
    foot_place: Array = entry("centre of each foot's ball", "m", "feet", 3)
    foot_force: Array = entry("of the ground on each foot, in W", "N", "feet", 3)
    normal: Array = entry("its part along the ground's normal", "N", "feet")
    tangential: Array = entry("size of the rest", "N", "feet")
    slip: Array = entry("way that each foot slid while it carried", "m", "feet")
    p_WC: Array = entry("centre of mass of the whole machine", "m", 3)


def empty_rows(model: mujoco.MjModel, feet: int, count: int) -> Records[MachineRow]:
    """Return room for samples, all NaN.

    Args:
        model: the machine in its world.
        feet: how many it has.
        count: how many samples.
    """
    rows = MachineRow.zeros(count, nq=model.nq, nv=model.nv, joints=model.nu, feet=feet)
    np.asarray(rows).view(np.float64)[:] = np.nan
    return rows


@dataclass(frozen=True, kw_only=True)
class MachineRun:
    """What happened to a walking machine, nt samples.

    Forces, torques, volts and currents at a sample are those that acted last; the state
    and the places are of that very time.
    """

    outcome: Outcome
    rows: Records[MachineRow] = field(repr=False)
    """All signals, one a sample."""
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

    @property
    def is_finite(self) -> bool:
        """Whether it did not stop on numbers that are not finite."""
        return self.outcome in (Outcome.FINISHED, Outcome.STOPPED)

    @property
    def time(self) -> Array:
        """(nt,) [s]."""
        return self.rows["time"]

    @property
    def qpos(self) -> Array:
        """Poses in MuJoCo's layout, (nt, nq)."""
        return self.rows["qpos"]

    @property
    def qvel(self) -> Array:
        """Velocities in MuJoCo's layout: the trunk's is linear in W, angular in B."""
        return self.rows["qvel"]

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
        return self.rows["tau"]

    @property
    def volts(self) -> Array:
        """On the motors, (nt, nu) [V]."""
        return self.rows["volts"]

    @property
    def current(self) -> Array:
        """In the motors, (nt, nu) [A]."""
        return self.rows["current"]

    @property
    def work_plus(self) -> Array:
        """Positive mechanical work of all joints since the start, (nt,) [J]."""
        return self.rows["work_plus"]

    @property
    def work_minus(self) -> Array:
        """Negative mechanical work, <= 0, (nt,) [J]."""
        return self.rows["work_minus"]

    @property
    def electric(self) -> Array:
        """Electrical energy taken less what came back, (nt,) [J]."""
        return self.rows["electric"]

    @property
    def drawn(self) -> Array:
        """Electrical energy if the supply takes nothing back, (nt,) [J]."""
        return self.rows["drawn"]

    @property
    def foot_place(self) -> Array:
        """Centre of each foot's ball, (nt, nl, 3) [m]."""
        return self.rows["foot_place"]

    @property
    def foot_force(self) -> Array:
        """Of the ground on each foot, in W, (nt, nl, 3) [N]."""
        return self.rows["foot_force"]

    @property
    def normal(self) -> Array:
        """Its part along the ground's normal, (nt, nl) [N]."""
        return self.rows["normal"]

    @property
    def tangential(self) -> Array:
        """Size of the rest, (nt, nl) [N]."""
        return self.rows["tangential"]

    @property
    def touches(self) -> NDArray[np.bool_]:
        """Whether a foot carries more than 5 N, (nt, nl)."""
        return self.normal > LIFTED

    @property
    def slip(self) -> Array:
        """Way that each foot slid over the ground while it carried, (nt, nl) [m]."""
        return self.rows["slip"]

    @property
    def p_WC(self) -> Array:
        """Centre of mass of the whole machine, (nt, 3) [m]."""
        return self.rows["p_WC"]

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
    at: int,
    time: float,
    machine: MachineViews,
    drives: Records[DriveState],
    feet: Records[FootLoad],
    rows: Records[MachineRow],
) -> bool:
    """Write one sample; False, and nothing written, if the state is not finite.

    Args:
        at: which row.
        time: [s].
        machine: as it is now.
        drives: as they are now.
        feet: what they felt last.
        rows: the row is overwritten.
    """
    joints, row = machine.joints, rows[at]
    for x in joints.qpos:
        if not abs(x) < HUGE:
            return False
    for x in joints.qvel:
        if not abs(x) < HUGE:
            return False
    row.time = time
    for i in range(joints.qpos.shape[0]):
        row.qpos[i] = joints.qpos[i]
    for i in range(joints.qvel.shape[0]):
        row.qvel[i] = joints.qvel[i]
    row.work_plus = row.work_minus = row.electric = row.drawn = 0.0
    for j in range(drives.shape[0]):
        drive = drives[j]
        row.tau[j], row.volts[j] = drive.tau, drive.volts
        row.current[j] = drive.current
        row.work_plus += drive.work_plus
        row.work_minus += drive.work_minus
        row.electric += drive.electric
        row.drawn += drive.drawn
    for leg in range(feet.shape[0]):
        foot, place = feet[leg], machine.geom_xpos[machine.foot_geom[leg]]
        for i in range(3):
            row.foot_place[leg, i], row.foot_force[leg, i] = place[i], foot.force[i]
        row.normal[leg], row.tangential[leg] = foot.normal, foot.tangential
        row.slip[leg] = foot.slip
    for i in range(3):
        row.p_WC[i] = machine.p_WC[i]
    return True
