"""Put a rigid robot down gently on ground of any shape, in the engine.

The robot sinks along gravity until it touches, then is let go as if in thick honey:
its base is damped so heavily that it hardly gains speed, and turns about what it
touches until it rests, tips or slides off. Joints are held by giving them an inertia
that no force moves in this time. Contacts are made stiff unless those of the file are
asked about.
"""

import copy
import math
from dataclasses import dataclass, field
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.robots.scene.scene import Scene
from equipoise.robots.stance.terrain import contacts_between, near_model

__all__ = ["RestAfterPutDown", "put_down"]

HELD = 1e9
"""Inertia of a held joint over the robot's own, mass times size squared."""
TIMESTEP = 1e-3  # with stiff contacts [s]
STIFF = (0.004, 1.0)  # time in which a contact settles [s], and its damping
SQUASH = (0.98, 0.98, 0.001, 0.5, 2.0)
"""Impedance of contacts: they give way by some 10 micrometres under the weight."""
MOST_SECONDS = 12.0
SHORTEST = 5e-4  # step with a file's own contacts [s]; a shorter one takes too long
LOOK = 50  # steps between two looks
STILL = 2e-4  # share of its size by which a robot at rest moves in a second
FAR = 30.0  # sizes that a robot sinks before it is said to fall
OVER = math.radians(60.0)  # a robot that has turned by more has tipped


@final
@dataclass(frozen=True)
class RestAfterPutDown:
    """Rest of a robot that was put down gently."""

    qpos: VecN = field(repr=False)
    """Of the scene's model, in the end."""
    start: VecN = field(repr=False)
    """When it first touched."""
    lowered: float
    """How far it sank before it touched [m]."""
    sank: float
    """How far its centre of mass sank then [m]."""
    turned: float
    """Total angle by which it turned [rad]."""
    moved: float
    """How far its centre of mass went sideways after it touched [m]."""
    is_at_rest: bool


def put_down(
    scene: Scene,
    data: Any,
    size: float,
    friction: float | None = None,
    *,
    is_hard: bool = True,
) -> RestAfterPutDown | None:
    """Return how a robot comes to rest; None where there is nothing below it.

    Args:
        scene: its world; the base is free.
        data: of ``scene.model``, in the pose at the start; used up.
        size: of the robot, across [m].
        friction: of all contacts; None for the scene's own.
        is_hard: whether contacts are made stiff and friction round; False leaves them
            as the file has them.
    """
    up, base = scene.up, _free_address(scene)
    lowered = _sink(scene, data, size, base)
    if lowered is None:
        return None
    model = _held_model(scene, size, friction)
    if is_hard:
        _harden(model)
    data.qvel[:] = 0.0
    data.qacc_warmstart[:] = 0.0
    start, attitude = scene.centre(data), data.qpos[base + 3 : base + 7].copy()
    last, turned, is_at_rest = start, 0.0, False
    look = LOOK * float(model.opt.timestep)
    first = np.array(data.qpos)
    for _ in range(math.ceil(MOST_SECONDS / look)):
        mujoco.mj_step(model, data, LOOK)
        here = scene.centre(data)
        rate = data.qvel[_free_dof(scene) : _free_dof(scene) + 6]
        turned = turn_between(attitude, data.qpos[base + 3 : base + 7])
        pace = float(np.linalg.norm(here - last)) / look
        pace += size * float(np.linalg.norm(rate[3:]))
        if not math.isfinite(pace) or turned > OVER:
            break
        if pace <= STILL * size:
            is_at_rest = True
            break
        last = here
    here = scene.centre(data)
    way = here - start
    return RestAfterPutDown(
        np.array(data.qpos),
        first,
        lowered,
        -float(up @ way),
        turned,
        float(np.linalg.norm(way - (up @ way) * up)),
        is_at_rest,
    )


def _free_address(scene: Scene) -> int:
    """Return where the free joint's place begins in qpos."""
    model = scene.model
    joint = int(model.body_jntadr[int(np.flatnonzero(scene.bodies)[0])])
    return int(model.jnt_qposadr[joint])


def _free_dof(scene: Scene) -> int:
    """Return where the free joint's velocity begins in qvel."""
    model = scene.model
    joint = int(model.body_jntadr[int(np.flatnonzero(scene.bodies)[0])])
    return int(model.jnt_dofadr[joint])


def _sink(scene: Scene, data: Any, size: float, base: int) -> float | None:
    """Let the robot down until it touches; return how far, None without end [m].

    The nearest distance to the ground is a way that is safe to go; a robot that is in
    the ground is lifted by as much as it is deep.
    """
    step, done = 0.05 * size, 0.0
    near = near_model(scene.model, step)
    for _ in range(2000):
        found = contacts_between(near, data, scene.shapes, scene.ground)
        gap = min((touch.distance for touch in found), default=step)
        if abs(gap) <= 1e-6 * size:
            return done
        way = min(gap, step)
        data.qpos[base : base + 3] -= way * scene.up
        done += way
        mujoco.mj_kinematics(scene.model, data)
        mujoco.mj_comPos(scene.model, data)
        if done > FAR * size:
            return None
    return done


def _held_model(scene: Scene, size: float, friction: float | None) -> Any:
    """Return the scene with joints held and the base in honey."""
    model = copy.copy(scene.model)
    bits, own = mujoco.mjtDisableBit, _free_dof(scene)
    for bit in (
        bits.mjDSBL_ACTUATION,
        bits.mjDSBL_SPRING,
        bits.mjDSBL_LIMIT,
        bits.mjDSBL_FRICTIONLOSS,
        bits.mjDSBL_EQUALITY,
    ):
        model.opt.disableflags |= int(bit)
    model.opt.gravity[:] = scene.gravity
    model.opt.timestep = max(float(model.opt.timestep), SHORTEST)
    mass = scene.mass
    scale = mass * size**2
    model.dof_armature[:] = HELD * scale
    model.dof_damping[:] = 0.0
    base = slice(own, own + 6)
    model.dof_armature[base] = 0.0
    weight = mass * scene.strength
    fall = math.sqrt(scene.strength * size)  # the pace of a free fall over its size
    model.dof_damping[own : own + 3] = weight / (0.2 * fall)
    model.dof_damping[own + 3 : own + 6] = weight * size**2 / (0.2 * fall)
    if friction is not None:
        model.geom_friction[:, 0] = friction
        model.pair_friction[:, :2] = friction
    return model


def _harden(model: Any) -> None:
    """Make the contacts of a model stiff, and friction the same in all directions."""
    model.opt.timestep = TIMESTEP
    model.opt.integrator = int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    model.opt.cone = int(mujoco.mjtCone.mjCONE_ELLIPTIC)
    model.opt.impratio = 20.0
    model.geom_solref[:] = STIFF
    model.geom_solimp[:] = SQUASH
    model.pair_solref[:] = STIFF
    model.pair_solimp[:] = SQUASH


def turn_between(one: VecN, two: VecN) -> float:
    """Return the angle between two attitudes, quaternions [rad]."""
    share = abs(float(one @ two)) / float(np.linalg.norm(one) * np.linalg.norm(two))
    return 2.0 * math.acos(min(1.0, share))
