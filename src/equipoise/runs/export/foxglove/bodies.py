"""Where the bodies of a run are, and what its joints do, a message a frame."""

from typing import TYPE_CHECKING, Any, NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.visuals.linkage import Linkages, linkages_of
from equipoise.runs.export.foxglove.messages import (
    WORLD,
    fox,
    rotation_message,
    stamp,
    vector_message,
)
from equipoise.runs.export.foxglove.shapes import body_names
from equipoise.sim.recording import names

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["MovingBodies", "RecordedJoints", "recorded_joints"]

SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
DRIVEN = int(mujoco.mjtTrn.mjTRN_JOINT)


class MovingBodies:
    """Turns poses into transforms from the world to every body."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self.model, self.frames = model, body_names(model)
        self.data = mujoco.MjData(model)
        self.links: Linkages = linkages_of(model)

    def message(self, time: int, qpos: Array) -> Any:
        """Return the transforms of a pose.

        Args:
            time: in [ns].
            qpos: (nq,).
        """
        model, data, when = self.model, self.data, stamp(time)
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        self.links.place(model, data)
        transforms = [
            fox.FrameTransform(
                timestamp=when,
                parent_frame_id=WORLD,
                child_frame_id=self.frames[body],
                translation=vector_message(data.xpos[body]),
                rotation=rotation_message(data.xquat[body]),
            )
            for body in range(1, model.nbody)
        ]
        return fox.FrameTransforms(transforms=transforms)


class RecordedJoints(NamedTuple):
    """Joints of one coordinate; NaN where something was not recorded."""

    names: list[str]
    position: Array
    """(nt, nj) [rad or m]."""
    velocity: Array
    """(nt, nj) [rad/s or m/s]."""
    effort: Array
    """(nt, nj) [N m or N]."""

    def message(self, time: int, k: int) -> Any:
        """Return the joints at a frame; what is NaN is left out.

        Args:
            time: in [ns].
            k: number of the frame.
        """
        joints: list[Any] = []
        for j, name in enumerate(self.names):
            known = {
                part: float(values[k, j])
                for part, values in (
                    ("position", self.position),
                    ("velocity", self.velocity),
                    ("effort", self.effort),
                )
                if np.isfinite(values[k, j])
            }
            joints.append(fox.JointState(name=name, **known))
        return fox.JointStates(timestamp=stamp(time), joints=joints)


def recorded_joints(run: "xr.Dataset", model: mujoco.MjModel) -> RecordedJoints:
    """Return the hinges and slides of a run as they were recorded.

    Args:
        run: the recorded run.
        model: for pictures, of the run.
    """
    own = [j for j in range(model.njnt) if int(model.jnt_type[j]) in SINGLE]
    labels = names(model, "joint", model.njnt)
    position = run["qpos"].values[:, model.jnt_qposadr[own]]
    velocity, effort = np.full_like(position, np.nan), np.full_like(position, np.nan)
    driven = _driven_joints(model)
    for signal, part in (("joint_speed", velocity), ("tau", effort)):
        if signal not in run or run[signal].dims != ("frame_time", "actuator"):
            continue
        for k, name in enumerate(run["actuator"].values):
            joint = driven.get(str(name))
            if joint in own:
                part[:, own.index(joint)] = run[signal].values[:, k]
    return RecordedJoints([labels[j] for j in own], position, velocity, effort)


def _driven_joints(model: mujoco.MjModel) -> dict[str, int]:
    """Return the joint that each actuator drives, where it drives one at its rate."""
    return {
        name: int(model.actuator_trnid[k, 0])
        for k, name in enumerate(names(model, "actuator", model.nu))
        if int(model.actuator_trntype[k]) == DRIVEN
    }
