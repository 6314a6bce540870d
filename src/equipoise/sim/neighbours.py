"""Do other bodies of a robot's file stay away from it, left alone beside it?

The robot is held where it stands and everything else in its file moves as the file has
it: doors on springs, pendulums, balls, other robots. What meets the robot, or is still
moving in the end and can get to it, is named.
"""

import copy
import math
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints, Vec3
from equipoise.robots.scene.engine_work import EngineWork
from equipoise.robots.scene.forces import equality_bodies, tendon_bodies
from equipoise.robots.scene.joint_holds import active_actuators, moments
from equipoise.robots.scene.scene import Scene
from equipoise.sim.let_go import MINUTE, lock_joints, met_by, own_dofs, trial_seconds

__all__ = ["moving_neighbour"]

INTEGRATOR = int(mujoco.mjtDyn.mjDYN_INTEGRATOR)
WATCHED = 12.0  # how long what is still beside a robot of up to a metre is watched [s]
MOST_STEPS = 60_000
MOST_WORK = 2.5e6  # see ``robots.scene.engine_work``
EACH = 5  # steps between two looks
STILL = 1e-3
"""Share of the robot's size by which what is at rest moves in a second."""
STIRS = 2e-5
"""The same for what is watched for a minute: it may be about to fall."""
NUDGE = 1e-5
"""Push towards the robot, over the weight, for as long as a fall through its size: what
is balanced on its tip falls then, what lies on the ground hardly moves."""


def moving_neighbour(scene: Scene, data: Any, size: float) -> str:
    """Return a phrase that names a body which moves and can reach a robot, or none.

    Args:
        scene: its world.
        data: of ``scene.model``, the robot where it rests and everything else where
            its pose says; used up.
        size: of the robot [m].
    """
    if not scene.loose:
        return ""
    model = _held_still(scene, size)
    bodies = _linked_bodies(scene)
    if late := _late_drive(model, data, bodies):
        return f"actuator '{late}', whose force changes later on"
    data.qvel[own_dofs(scene)] = 0.0
    data.eq_active[:] = model.eq_active0
    middle = scene.centre(data)
    _push(model, data, bodies, middle)
    watch = _Watch(scene, model, data, bodies, size)
    for seconds in (WATCHED, MINUTE - WATCHED):
        said = watch.run(trial_seconds(size, scene.strength, seconds))
        if said:
            return said
        if watch.furthest.max(initial=0.0) <= STIRS * size:
            break
    touching = set(np.asarray(model.geom_bodyid)[list(scene.loose)].tolist())
    for body in bodies[watch.furthest > STILL * size]:
        is_far = int(body) in touching and not _can_reach(
            model, data, int(body), middle, size
        )
        if not is_far:
            name = str(model.body(int(body)).name) or f"body {int(body)}"
            return f"'{name}', which moves and may reach it"
    return ""


class _Watch:
    """Bodies beside a robot that are watched."""

    def __init__(
        self, scene: Scene, model: Any, data: Any, bodies: Ints, size: float
    ) -> None:
        self.scene, self.model, self.data, self.bodies = scene, model, data, bodies
        self.step = float(model.opt.timestep)
        self._extents, self._work = _radii(model, bodies), EngineWork(model, MOST_WORK)
        self.pushed = math.ceil(math.sqrt(size / scene.strength) / self.step)
        self.done = 0
        self.furthest = np.zeros(len(bodies))
        """How far each went in the last second, with its outermost point, (n,) [m]."""

    def run(self, seconds: float) -> str:
        """Watch them for so long; return why the robot is no longer alone, or none."""
        data, count = self.data, math.ceil(seconds / self.step)
        if self.done + count > MOST_STEPS:
            return "other bodies, whose time step is too short to watch them"
        last = count - max(1, math.ceil(1.0 / self.step))
        self.furthest = np.zeros(len(self.bodies))
        before = _places(data, self.bodies)
        for done in range(0, count, EACH):
            if self.done + done >= self.pushed:
                data.xfrc_applied[:] = 0.0
            if done <= last < done + EACH:
                before = _places(data, self.bodies)
            can_go_on = done or self._work.can_step(data, count - EACH)
            if not (self._work.run(data, EACH) and can_go_on):
                return "other bodies, which are too many or touch too much to watch"
            if name := met_by(self.scene, data):
                return f"'{name}', which moves and reaches it"
            if (
                not math.isfinite(float(data.qpos.sum()))
                or data.warning[int(mujoco.mjtWarning.mjWARN_BADQACC)].number
            ):
                return "other bodies, which the engine cannot follow"
            if done > last:  # what swings to and fro may be where it was
                way, turned = _way(before, _places(data, self.bodies))
                self.furthest = np.maximum(self.furthest, way + self._extents * turned)
        self.done += count
        return ""


def _linked_bodies(scene: Scene) -> Ints:
    """Return the bodies that move and can get to a robot, or to one that can, (n,).

    Args:
        scene: a robot's world.
    """
    model = scene.model
    owners = np.asarray(model.geom_bodyid)
    moves = (np.asarray(model.body_weldid) != 0) & ~scene.bodies
    moves |= np.asarray(model.body_mocapid) >= 0
    kind, takes = np.asarray(model.geom_contype), np.asarray(model.geom_conaffinity)
    pairs = np.stack([model.pair_geom1, model.pair_geom2], axis=1).reshape(-1, 2)
    ties = [equality_bodies(model, e) for e in range(int(model.neq))]
    ties += [tendon_bodies(model, t) for t in range(int(model.ntendon))]
    found = np.isin(np.arange(int(model.nbody)), owners[list(scene.loose)])
    while True:
        mine = found[owners]
        met = (kind & np.bitwise_or.reduce(takes[mine], initial=0)) | (
            takes & np.bitwise_or.reduce(kind[mine], initial=0)
        )
        new = np.isin(np.arange(len(found)), owners[met != 0])
        for one, other in owners[pairs]:
            new[[one, other]] |= found[one] | found[other]
        for on in ties:
            new[on] |= found[on].any()
        # what is on the same chain moves together
        new |= np.isin(
            np.asarray(model.body_rootid), np.asarray(model.body_rootid)[found]
        )
        new &= moves
        if not (new & ~found).any():
            return np.flatnonzero(found).astype(np.int64)
        found |= new


def _late_drive(model: Any, data: Any, bodies: Ints) -> str:
    """Return an actuator of some bodies whose force is not what it will be, or none."""
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_fwdVelocity(model, data)
    mujoco.mj_fwdActuation(model, data)
    on = np.isin(np.asarray(model.dof_bodyid), bodies)
    moment = moments(model, data)[:, on]
    delays = np.asarray(getattr(model, "actuator_delay", np.zeros(len(moment))))
    for a in active_actuators(model):
        if not moment[a].any():
            continue
        first, count = int(model.actuator_actadr[a]), int(model.actuator_actnum[a])
        is_integrator = int(model.actuator_dyntype[a]) == INTEGRATOR
        grows = is_integrator and data.act_dot[first : first + count].any()
        if grows or delays[a] > 0.0:
            return str(model.actuator(int(a)).name) or f"actuator {int(a)}"
    return ""


def _held_still(scene: Scene, size: float) -> Any:
    """Return the scene with the robot held where it is, base and joints."""
    model = copy.copy(scene.model)
    model.opt.gravity[:] = scene.gravity
    lock_joints(model, scene, max(size, 1e-3), base=True)
    return model


def _push(model: Any, data: Any, bodies: Ints, middle: Vec3) -> None:
    """Push some bodies a little towards a point."""
    for body in bodies:
        way = middle - data.xipos[body]
        far = float(np.linalg.norm(way))
        if far > 0.0:
            weight = float(model.body_mass[body] * np.linalg.norm(model.opt.gravity))
            data.xfrc_applied[body, :3] = NUDGE * weight * way / far


def _places(data: Any, bodies: Ints) -> tuple[Array, Array]:
    """Return where some bodies are and how they are turned."""
    return np.array(data.xipos[bodies]), np.array(data.xmat[bodies])


def _way(before: tuple[Array, Array], after: tuple[Array, Array]) -> tuple[Any, Any]:
    """Return how far some bodies went [m] and turned, at most 3 in all."""
    way = np.linalg.norm(after[0] - before[0], axis=1)
    return way, np.linalg.norm(after[1] - before[1], axis=1)


def _radii(model: Any, bodies: Ints) -> Array:
    """Return how large the shapes of some bodies are about their origins [m]."""
    found = []
    for body in bodies:
        first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
        geoms = range(first, first + count)
        ways = [
            float(np.linalg.norm(model.geom_pos[g])) + float(model.geom_rbound[g])
            for g in geoms
        ]
        found.append(max(ways, default=0.0))
    return np.array(found)


def _can_reach(model: Any, data: Any, body: int, middle: Vec3, size: float) -> bool:
    """Return whether a body that moves can get to a robot.

    What hangs on hinges of a first body that is fixed to the world stays within a ball
    about it; everything else may get anywhere.
    """
    root = int(model.body_rootid[body])
    chain, at = [], body
    while at:
        chain.append(at)
        at = int(model.body_parentid[at])
    hinge, ball = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_BALL)
    for link in chain:
        first, count = int(model.body_jntadr[link]), int(model.body_jntnum[link])
        kinds = {int(model.jnt_type[j]) for j in range(first, first + count)}
        if not kinds <= {hinge, ball}:
            return True
    arm = sum(float(np.linalg.norm(model.body_pos[b])) for b in chain if b != root)
    pivots = [
        float(np.linalg.norm(model.jnt_pos[j]))
        for b in chain
        for j in range(
            int(model.body_jntadr[b]),
            int(model.body_jntadr[b]) + int(model.body_jntnum[b]),
        )
    ]
    far = arm + 2.0 * sum(pivots) + float(_radii(model, np.array([body]))[0])
    return bool(np.linalg.norm(data.xpos[root] - middle) <= far + size + sum(pivots))
