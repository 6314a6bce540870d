"""What a recorded motion says about balance: mass, momentum, what stands on what.

Computed again from the poses, so that it is there for every kind of run, whatever the
controller told of itself.
"""

from dataclasses import dataclass, field
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import BadFileError
from equipoise.robots.engine import built
from equipoise.stability.rigid.capture import capture_point, pendulum_rate
from equipoise.stability.rigid.hull import support_corners
from equipoise.stability.rigid.pressure import zero_moment_point

__all__ = ["Motion", "ground_model", "main_tree", "motion_at", "motion_of"]

NEAR = 0.003
"""How far from the ground a shape may be to stand on it [m]; contacts are soft."""
LOWEST = 0.02
"""Height of a centre of mass below which a robot lies, and is no pendulum [m]."""


@final
@dataclass(frozen=True, eq=False)
class Motion:
    """A robot's motion on its ground; nt frames."""

    model: mujoco.MjModel = field(repr=False)
    """The robot, what is thrown at it, and the ground."""
    root: int
    """Body at which the robot begins."""
    time: VecN = field(repr=False)
    qpos: Array = field(repr=False)
    com: Array = field(repr=False)
    """(nt, 3) [m]."""
    momentum: Array = field(repr=False)
    """(nt, 3) [N s]."""
    spin: Array = field(repr=False)
    """Angular momentum about the centre of mass, (nt, 3) [N m s]."""
    support: list[Array] = field(repr=False)
    """Corners of the support, in order, (n, 3) per frame [m]."""
    bodies: tuple[Array, Array] = field(repr=False)
    """Places (nt, nbody, 3) [m] and orientations (nt, nbody, 3, 3) of all bodies."""

    @property
    def mass(self) -> float:
        """Of the robot [kg]."""
        return float(self.model.body_subtreemass[self.root])

    @property
    def is_fixed(self) -> bool:
        """Whether it is bolted to the ground."""
        return int(self.model.body_weldid[self.root]) == 0

    def ground(self, k: int) -> float:
        """Return the height of what it stands on at a frame, else of the floor [m]."""
        return float(self.support[k][:, 2].mean()) if len(self.support[k]) else 0.0

    def capture(self) -> Array:
        """Return the capture points, NaN where it lies, (nt, 3) [m]."""
        found = np.full((len(self.time), 3), np.nan)
        for k, p in enumerate(self.com):
            level = self.ground(k)
            if p[2] - level > LOWEST:
                v, rate = self.momentum[k] / self.mass, pendulum_rate(p[2] - level)
                found[k] = [*capture_point(p[:2], v[:2], rate), level]
        return found

    def reaction(self) -> tuple[Array, Array]:
        """Return the whole force on it and where that acts, (nt, 3) [N] and [m].

        It is what its momentum asks for beside its weight; NaN where nothing presses.
        """
        if len(self.time) < 3:
            still = np.tile([0.0, 0.0, self.mass * GRAVITY], (len(self.time), 1))
            force, moment = still, 0.0 * self.spin
        else:
            force = np.gradient(self.momentum, self.time, axis=0)
            force[:, 2] += self.mass * GRAVITY
            moment = np.gradient(self.spin, self.time, axis=0)
        places = np.stack(
            [
                zero_moment_point(self.com[k], -force[k], -moment[k], self.ground(k))
                for k in range(len(self.time))
            ]
        )
        is_there = np.isfinite(places).all(axis=1)
        is_there &= np.array([len(polygon) > 0 for polygon in self.support])
        return np.where(is_there[:, None], force, np.nan), np.where(
            is_there[:, None], places, np.nan
        )


def main_tree(spec: mujoco.MjSpec, where: str = "the run") -> Any:
    """Return the root of the heaviest body tree of a scene: the robot's.

    Args:
        spec: the scene.
        where: what it is called in an error.

    Raises:
        BadFileError: nothing is there.
    """
    model = built(spec.copy(), where)
    roots = list(spec.worldbody.bodies)
    if not roots:
        raise BadFileError(f"{where} has no robot in it; record the run again.")
    return max(roots, key=lambda b: model.body_subtreemass[model.body(b.name).id])


def ground_model(spec: mujoco.MjSpec, where: str) -> tuple[mujoco.MjModel, str]:
    """Return a scene in which only robot and ground touch, and its root's name.

    Args:
        spec: the scene, copied.
        where: what it is called in an error.
    """
    spec = spec.copy()
    for thing in [*spec.keys, *spec.pairs]:
        spec.delete(thing)
    root = main_tree(spec, where).name
    ground = [g for g in spec.worldbody.geoms if g.contype or g.conaffinity]
    for geom in spec.geoms:
        if geom.contype or geom.conaffinity:
            geom.contype, geom.conaffinity = 1, 0
    if not ground:
        kind = mujoco.mjtGeom.mjGEOM_PLANE
        ground = [spec.worldbody.add_geom(type=kind, size=[0.0, 0.0, 1.0])]
    for geom in ground:
        geom.contype, geom.conaffinity, geom.margin = 0, 1, NEAR
    return built(spec, where), root


def motion_of(
    scene: mujoco.MjSpec, time: VecN, qpos: Array, where: str = "the run"
) -> Motion:
    """Return a robot's motion at some frames.

    Args:
        scene: the robot, and what is with it; without a ground it is on a level floor.
        time: of the frames, (nt,) [s].
        qpos: their poses, (nt, nq).
        where: what it is called in an error, its file.

    Raises:
        BadFileError: there is no robot.
        ConfigError: MuJoCo cannot build it.
    """
    model, name = ground_model(scene, where)
    rates = _speeds(model, time, qpos)
    return motion_at(mujoco.MjData(model), name, time, qpos, rates)


def motion_at(
    data: mujoco.MjData, root_name: str, time: VecN, qpos: Array, rates: Array
) -> Motion:
    """Return a robot's motion at some frames of which velocities are known.

    Args:
        data: of a model by ``ground_model``, overwritten.
        root_name: of the body at which the robot begins.
        time: of the frames, (nt,) [s].
        qpos: their poses, (nt, nq).
        rates: their velocities, (nt, nv).
    """
    model, nt = data.model, len(time)
    root = int(model.body(root_name).id)
    com, momentum, spin = (np.zeros((nt, 3)) for _ in range(3))
    places, turns = np.zeros((nt, model.nbody, 3)), np.zeros((nt, model.nbody, 3, 3))
    support: list[Array] = []
    for k in range(nt):
        data.qpos[:], data.qvel[:] = qpos[k], rates[k]
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        mujoco.mj_subtreeVel(model, data)
        mujoco.mj_collision(model, data)
        com[k], spin[k] = data.subtree_com[root], data.subtree_angmom[root]
        momentum[k] = model.body_subtreemass[root] * data.subtree_linvel[root]
        places[k], turns[k] = data.xpos, data.xmat.reshape(-1, 3, 3)
        points = _standing_points(model, data, root)
        support.append(points[support_corners(points)] if len(points) else points)
    return Motion(
        model, root, time, qpos, com, momentum, spin, support, (places, turns)
    )


def _speeds(model: mujoco.MjModel, time: VecN, qpos: Array) -> Array:
    """Return velocities from neighbouring poses, (nt, nv)."""
    rates = np.zeros((len(time), model.nv))
    for k in range(len(time)):
        first, last = max(k - 1, 0), min(k + 1, len(time) - 1)
        dt = float(time[last] - time[first])
        if dt > 0.0:
            mujoco.mj_differentiatePos(model, rates[k], dt, qpos[first], qpos[last])
    return rates


def _standing_points(model: mujoco.MjModel, data: mujoco.MjData, root: int) -> Array:
    """Return where the robot touches the ground, (n, 3) [m].

    One that is bolted down stands on the lowest corners of what is bolted.
    """
    if int(model.body_weldid[root]) == 0:
        return _bolted_points(model, data)
    points = [
        contact.pos.copy()
        for contact in data.contact
        if root in model.body_rootid[model.geom_bodyid[contact.geom]]
    ]
    return np.array(points).reshape(-1, 3)


def _bolted_points(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """Return the lowest corners of shapes that are fixed to the world, (n, 3) [m]."""
    body = model.geom_bodyid
    fixed = np.flatnonzero((model.body_weldid[body] == 0) & (body > 0))
    signs = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T
    box, turn = model.geom_aabb[fixed], data.geom_xmat[fixed].reshape(-1, 3, 3)
    corners = box[:, None, :3] + signs * box[:, None, 3:]
    p_W = data.geom_xpos[fixed][:, None] + corners @ turn.swapaxes(1, 2)
    p_W = p_W.reshape(-1, 3)
    return p_W[p_W[:, 2] < p_W[:, 2].min(initial=np.inf) + NEAR]
