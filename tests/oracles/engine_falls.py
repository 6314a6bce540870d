"""Robots with held joints put down gently on MuJoCo's own contacts.

The rigid robot is the model with its joints taken out, which keeps the inverse weights
of the model with joints: what the engine takes for a contact's weight is a property of
the file. It is let down under heavy damping, then left alone.
"""

import math

import mujoco
import numpy as np

FALLEN = math.radians(12.0)  # a lean beyond 10 degrees from where it began is a fall
CALM, FREE = 20.0, 10.0  # seconds damped and free
KEPT = 0.9  # of the speed by step of 2 ms while it is let down: nothing swings


def rigid(spec, qpos):
    """Return the model of a robot frozen in a pose but for its free base."""
    frozen = spec.copy()
    for k, body in enumerate(frozen.bodies):
        body.name = body.name or f"body {k}"
    frozen.compiler.fusestatic = False
    jointed = frozen.compile()
    data = mujoco.MjData(jointed)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(jointed, data)
    for kind in ("keys", "actuators", "sensors", "tendons", "equalities"):
        for one in list(getattr(frozen, kind)):
            frozen.delete(one)
    for body in list(frozen.bodies)[1:]:
        i, joints = jointed.body(body.name).id, list(body.joints)
        if any(j.type == mujoco.mjtJoint.mjJNT_FREE for j in joints):
            continue
        p, turn = int(jointed.body_parentid[i]), np.zeros(4)
        body.pos = data.xmat[p].reshape(3, 3).T @ (data.xpos[i] - data.xpos[p])
        mujoco.mju_negQuat(turn, data.xquat[p])
        quat = np.zeros(4)
        mujoco.mju_mulQuat(quat, turn, data.xquat[i])
        body.quat = quat
        for joint in joints:
            frozen.delete(joint)
    model = frozen.compile()
    assert model.nq == 7, "one free joint is left"
    for i in range(model.nbody):
        same = jointed.body(model.body(i).name).id
        model.body_invweight0[i] = jointed.body_invweight0[same]
    return model


class PutDown:
    """A rigid robot to be put down on floors of any stiffness."""

    def __init__(self, model, pose):
        self.model, self.pose = model, np.array(pose[:7])
        self.references = model.geom_solref.copy()
        self.pairs = model.pair_solref.copy()

    def floor(self, factor):
        """Make every contact stiffer by a factor."""
        for now, was in (
            (self.model.geom_solref, self.references),
            (self.model.pair_solref, self.pairs),
        ):
            by_time = was[:, 0] > 0
            now[:, 0] = was[:, 0] * np.where(by_time, factor**-0.5, factor)

    def lean(self, factor, gently=True):
        """Return the lean at the end [rad]; infinite if it fell."""
        self.floor(factor)
        model, data = self.model, mujoco.MjData(self.model)
        data.qpos[:] = self.pose
        dt = float(model.opt.timestep)
        calm, keep = int(CALM / dt) if gently else 0, KEPT ** (dt / 0.002)
        for k in range(calm + int(FREE / dt)):
            mujoco.mj_step(model, data)
            if k < calm:
                data.qvel[:] *= keep
            if k % 64 == 0 and self._angle(data) > FALLEN:
                return math.inf
        return self._angle(data)

    def settled(self, factor=100.0):
        """Return the pose in which a floor stiffer by a factor bears it, (7,)."""
        self.floor(factor)
        data = mujoco.MjData(self.model)
        data.qpos[:] = self.pose
        for _ in range(int(CALM / self.model.opt.timestep)):
            mujoco.mj_step(self.model, data)
            data.qvel[:] *= KEPT ** (float(self.model.opt.timestep) / 0.002)
        self.floor(1.0)
        return np.array(data.qpos)

    def _angle(self, data):
        """Return the angle between the robot's vertical then and now [rad]."""
        one, two = np.zeros(9), np.zeros(9)
        mujoco.mju_quat2Mat(one, self.pose[3:7])
        mujoco.mju_quat2Mat(two, data.qpos[3:7])
        ups = (M.reshape(3, 3)[2] for M in (one, two))  # world up in the robot
        return 2 * math.asin(min(1.0, float(np.linalg.norm(np.subtract(*ups))) / 2))

    def end(self, low, high, rtol):
        """Return the smallest factor at which it stands, between two, by halving."""
        while high - low > rtol * high:
            middle = math.sqrt(low * high)
            if math.isinf(self.lean(middle)):
                low = middle
            else:
                high = middle
        return math.sqrt(low * high)
