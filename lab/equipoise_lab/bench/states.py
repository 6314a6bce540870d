"""Random states of a robot of hinges, floating or not, in everybody's layout."""

from dataclasses import dataclass
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.seeds import stream
from equipoise.spatial.rotations import matrix_from_rpy, quat_from_matrix

__all__ = ["States", "random_states"]

TILT = 1.2  # yaw, pitch and roll stay below it [rad]


@final
@dataclass(frozen=True)
class States:
    """States, one a row; speeds and forces of the floating body in its own axes."""

    place: Array
    """(states, 3) [m]."""
    angles: Array
    """Yaw, pitch and roll, (states, 3)."""
    R_WB: Array
    """(states, 3, 3)."""
    joints: Array
    """(states, joints)."""
    v: Array
    """(states, nv)."""
    tau: Array
    """(states, nv)."""
    floats: bool
    """Else there are joints alone."""

    @property
    def q(self) -> Array:
        """Coordinates with yaw, pitch and roll, (states, nv)."""
        if not self.floats:
            return self.joints
        return np.hstack([self.place, self.angles, self.joints])

    @property
    def qpos(self) -> Array:
        """Coordinates in MuJoCo's layout, (states, nq)."""
        if not self.floats:
            return self.joints
        quats = np.array([quat_from_matrix(R) for R in self.R_WB])
        return np.hstack([self.place, quats, self.joints])

    def outside(self, values: Array) -> Array:
        """Return speeds or forces with linear parts in the world, MuJoCo's layout."""
        if not self.floats:
            return values
        turned = np.einsum("nij,nj->ni", self.R_WB, values[:, :3])
        return np.hstack([turned, values[:, 3:]])

    def inside(self, rates: Array) -> Array:
        """Return accelerations in MuJoCo's layout as rates of the speeds here."""
        if not self.floats:
            return rates
        linear = np.einsum("nji,nj->ni", self.R_WB, rates[:, :3])
        linear -= np.cross(self.v[:, 3:6], self.v[:, :3])
        return np.hstack([linear, rates[:, 3:]])


def random_states(model: mujoco.MjModel, states: int, seed: int) -> States:
    """Return random states.

    Args:
        model: of the robot; a floating joint comes first.
        states: how many.
        seed: same seed, same states.
    """
    floats = bool(model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE)
    rng = stream(seed, "bench equations")
    rpy = rng.uniform(-TILT, TILT, (states, 3))
    return States(
        place=rng.normal(size=(states, 3)),
        angles=rpy[:, ::-1].copy(),
        R_WB=np.array([matrix_from_rpy(x) for x in rpy]),
        joints=rng.uniform(-TILT, TILT, (states, model.njnt - floats)),
        v=rng.normal(size=(states, model.nv)),
        tau=rng.normal(size=(states, model.nv)) * 10.0,
        floats=floats,
    )
