"""What a machine's run leaves: one row a control period, and how it is kept."""

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.sim.machine.foot_contacts import FeltFoot
from equipoise.sim.machine.motor_kernel import DriveState
from equipoise.sim.machine.views import MachineViews
from equipoise.sim.run import HUGE, RecordedSignal, Run

__all__ = ["MachineRow", "empty_rows", "keep_row", "machine_signals"]


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


@compiled(allocates=False)
def keep_row(
    machine: MachineViews,
    drives: Records[DriveState],
    feet: Records[FeltFoot],
    rows: Records[MachineRow],
    at: int,
    time: float,
) -> bool:
    """Write one sample; False, and nothing written, if the state is not finite.

    Args:
        machine: as it is now.
        drives: as they are now.
        feet: what they felt last.
        rows: the row is overwritten.
        at: which row.
        time: [s].
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


def machine_signals(run: Run) -> dict[str, RecordedSignal]:
    """Return what is recorded of a run; all signals have the same times.

    What the controller said about itself is there under ``said_`` and its name.

    Args:
        run: of a machine.
    """
    joints, feet = ("frame_time", "actuator"), ("time", "foot")
    places = ("time", "foot", "axis")
    return {
        "com": RecordedSignal(("time", "axis"), run.p_WC, "m"),
        "attitude": RecordedSignal(("time", "angle"), run.attitude, "rad"),
        "qpos": RecordedSignal(("frame_time", "coordinate"), run.qpos, "rad or m"),
        "joint_speed": RecordedSignal(joints, run.v, "rad/s"),
        "tau": RecordedSignal(joints, run.tau, "N m or N"),
        "volts": RecordedSignal(joints, run.volts, "V"),
        "current": RecordedSignal(joints, run.current, "A"),
        "foot_place": RecordedSignal(places, run.foot_place, "m"),
        "foot_force": RecordedSignal(places, run.foot_force, "N"),
        "foot_slip": RecordedSignal(feet, run.slip, "m"),
        "foot_touches": RecordedSignal(feet, run.touches.astype(float), "1"),
        "work_plus": RecordedSignal(("time",), run.work_plus, "J"),
        "work_minus": RecordedSignal(("time",), run.work_minus, "J"),
        "electric": RecordedSignal(("time",), run.electric, "J"),
        "drawn": RecordedSignal(("time",), run.drawn, "J"),
        **{
            f"said_{n}": RecordedSignal(("time",), run.said(n), "1")
            for n in run.signals
        },
    }
