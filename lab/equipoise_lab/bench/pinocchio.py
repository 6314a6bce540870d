"""Robots in Pinocchio, with the simplest joints it has, and states carried there.

Joints along a coordinate axis become its cheapest kinds; where an axis points the other
way, coordinate, speed and force change their signs.
"""

from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.spatial.rotations import matrix_from_quat
from equipoise_lab.bench.states import States

__all__ = ["Twin", "twin_of"]


@final
@dataclass(frozen=True)
class Twin:
    """A robot in Pinocchio.

    Its coordinates are those of the robot with a floating body's orientation as a
    quaternion x, y, z, w; its speeds have a floating body's in its own axes.
    """

    pin: Any
    model: Any
    signs: VecN
    """Of the joints after the floating one."""

    def pose(self, states: States) -> Array:
        """Return coordinates, (states, nq)."""
        joints = states.joints * self.signs
        if not states.floats:
            return joints
        quats = [self.pin.Quaternion(R).coeffs() for R in states.R_WB]
        return np.hstack([states.place, np.array(quats), joints])

    def along(self, values: Array) -> Array:
        """Return speeds, forces or accelerations with the joints' signs, both ways."""
        found = values.copy()
        found[:, -len(self.signs) :] *= self.signs
        return found


def twin_of(pin: Any, model: mujoco.MjModel) -> Twin:
    """Return a floating robot of hinges in Pinocchio.

    Args:
        pin: Pinocchio's module.
        model: the robot's.
    """
    twin, signs = pin.Model(), []
    twin.gravity.linear = np.array(model.opt.gravity)
    homes = {0: (0, pin.SE3.Identity())}
    for body in range(1, model.nbody):
        parent, X = homes[int(model.body_parentid[body])]
        R = matrix_from_quat(model.body_quat[body])
        X = X * pin.SE3(R, np.array(model.body_pos[body]))
        first = int(model.body_jntadr[body])
        for j in range(first, first + int(model.body_jntnum[body])):
            name = f"joint {j}"
            if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
                parent = twin.addJoint(
                    0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), name
                )
                X = pin.SE3.Identity()
                continue
            at = pin.SE3(np.eye(3), np.array(model.jnt_pos[j]))
            kind, sign = _hinge(pin, np.array(model.jnt_axis[j]))
            signs.append(sign)
            parent = twin.addJoint(parent, kind, X * at, name)
            X = at.inverse()
        twin.appendBodyToJoint(parent, _inertia(pin, model, body), X)
        homes[body] = (parent, X)
    twin.armature = np.array(model.dof_armature)
    return Twin(pin, twin, np.array(signs))


def _hinge(pin: Any, axis: VecN) -> tuple[Any, float]:
    """Return Pinocchio's cheapest joint about an axis, and which way it turns."""
    k = int(np.argmax(np.abs(axis)))
    if abs(abs(axis[k]) - 1.0) > 1e-12:
        return pin.JointModelRevoluteUnaligned(axis), 1.0
    kinds = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)
    return kinds[k](), float(np.sign(axis[k]))


def _inertia(pin: Any, model: mujoco.MjModel, body: int) -> Any:
    """Return a body's inertia in its frame."""
    R = matrix_from_quat(model.body_iquat[body])
    about = R @ np.diag(model.body_inertia[body]) @ R.T
    return pin.Inertia(float(model.body_mass[body]), model.body_ipos[body], about)
