"""The legs of a robot: those with closed forms, else any chain of hinges and slides."""

import math
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.errors import ConfigError
from equipoise.core.records import Records
from equipoise.robots.legs.build import CHAIN, KNEE, LegBuild, LegGeometry, TrunkBuild
from equipoise.robots.robot import Robot

__all__ = ["leg_geometry"]

AXES = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, -1.0, 0.0))
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
HINGE, SLIDE = SINGLE
BALL = int(mujoco.mjtGeom.mjGEOM_SPHERE)


def leg_geometry(robot: Robot) -> LegGeometry:
    """Return the legs of a machine.

    Args:
        robot: with ``legs`` and ``feet``, leg by leg, a ball for each foot.

    Raises:
        ConfigError: no legs, feet that are no balls, legs of unequal numbers of joints,
            or joints of several freedoms.
    """
    model, nl = robot.model, len(robot.legs)
    if nl == 0 or len(robot.feet) != nl:
        raise ConfigError(
            f"robot '{robot.name}'",
            [f"a walking machine needs legs with a foot each, got {nl} legs"],
        )
    odd = [foot for foot in robot.feet if int(model.geom(foot).type[0]) != BALL]
    if odd:
        problem = f"a walking machine's feet must be balls, '{odd[0]}' is not one"
        raise ConfigError(f"robot '{robot.name}'", [problem])
    pairs = zip(robot.legs, robot.feet, strict=True)
    paths = [_joints_of(robot, leg, foot) for leg, foot in pairs]
    if len({len(path) for path in paths}) > 1 or not paths[0]:
        counts = ", ".join(str(len(path)) for path in paths)
        problem = f"its legs must have equal numbers of joints, got {counts}"
        raise ConfigError(f"robot '{robot.name}'", [problem])
    joints = [j for path in paths for j in path]
    start = _stand_of(robot)
    legs = LegBuild.zeros(nl, joints=len(paths[0]))
    pairs = zip(robot.legs, robot.feet, strict=True)
    if not robot.source and all(_is_knee(robot, *pair) for pair in pairs):
        _fill_knees(robot, start, legs)
        limbs = float(np.ascontiguousarray(legs["mass"]).sum())
    else:
        _fill_chains(robot, paths, start, legs)
        limbs = float(np.ascontiguousarray(legs["link_mass"]).sum())
    limited = np.asarray(model.jnt_limited, bool)[joints, None]
    reach = np.where(limited, model.jnt_range[joints], [[-math.pi, math.pi]])
    return LegGeometry(
        legs=legs,
        trunk=_trunk_of(robot, limbs),
        lower=reach[:, 0].copy(),
        upper=reach[:, 1].copy(),
        stand=start[model.jnt_qposadr[joints]],
        foot_radius=float(model.geom(robot.feet[0]).size[0]),
    )


def _stand_of(robot: Robot) -> VecN:
    """Return the pose in which a robot starts, (nq,)."""
    keys = [key for key in robot.spec.keys if key.name == "start"] or robot.spec.keys
    return np.array(keys[0].qpos if keys else robot.model.qpos0, np.float64)


def _joints_of(robot: Robot, leg: str, foot: str) -> list[int]:
    """Return the joints from the trunk to a foot, from the trunk outwards.

    A joint within the trunk that nothing drives counts as stiff: TITAN VI's is sprung.

    Raises:
        ConfigError: one with several freedoms, or a foot that is no part of a leg.
    """
    model = robot.model
    base, body = int(model.body(robot.base).id), int(model.geom(foot).bodyid[0])
    path, first_body = list[int](), int(model.body(leg).id)
    driven, is_trunk = set(model.actuator_trnid[:, 0].tolist()), False
    while body not in (0, base):
        first = int(model.body_jntadr[body])
        own = range(first, first + int(model.body_jntnum[body]))
        path[:0] = [j for j in own if j in driven or not is_trunk]
        is_trunk = is_trunk or body == first_body
        body = int(model.body_parentid[body])
    odd = [j for j in path if int(model.jnt_type[j]) not in SINGLE]
    if body == 0 or odd:
        what = "a joint of several freedoms" if odd else "no way to the trunk"
        problem = f"foot '{foot}' must hang on hinges and slides, got {what}"
        raise ConfigError(f"robot '{robot.name}'", [problem])
    return path


def _is_knee(robot: Robot, leg: str, foot: str) -> bool:
    """Return whether a leg is hip roll, hip pitch and knee, pointing down at zero."""
    model = robot.model
    thigh, pad = model.body(leg), model.geom(foot)
    shank = model.body(int(pad.bodyid[0]))
    first, last = int(thigh.jntadr[0]), int(shank.jntadr[0])
    return bool(
        int(shank.parentid[0]) == thigh.id
        and int(thigh.parentid[0]) == model.body(robot.base).id
        and (int(thigh.jntnum[0]), int(shank.jntnum[0])) == (2, 1)
        and np.allclose(model.jnt_axis[[first, first + 1, last]], AXES)
        and np.allclose(shank.pos[:2], 0.0)
        and np.allclose(pad.pos[:2], 0.0)
        and np.allclose([thigh.quat, shank.quat], [1.0, 0.0, 0.0, 0.0])
        and np.allclose(model.qpos0[model.jnt_qposadr[[first, first + 1, last]]], 0.0)
    )


def _fill_knees(robot: Robot, start: VecN, out: Records[LegBuild]) -> None:
    """Write legs of closed forms."""
    model = robot.model
    for k, (leg, foot) in enumerate(zip(robot.legs, robot.feet, strict=True)):
        thigh, pad = model.body(leg), model.geom(foot)
        shank, one = model.body(int(pad.bodyid[0])), out[k]
        knee = float(start[model.jnt_qposadr[int(shank.jntadr[0])]])
        one.kind, one.hip[:] = KNEE, thigh.pos
        one.lengths[:] = -float(shank.pos[2]), -float(pad.pos[2])
        one.bend = -1.0 if knee <= 0.0 else 1.0
        one.radius = float(pad.size[0])
        for limb, body in enumerate((thigh, shank)):
            one.mass[limb], one.centre[limb] = float(body.mass[0]), body.ipos


def _fill_chains(
    robot: Robot, paths: list[list[int]], start: VecN, out: Records[LegBuild]
) -> None:
    """Write legs of any kind, seen from B with all joints at zero, and their hips."""
    model = robot.model
    zero, stands = _posed(model, model.qpos0), _posed(model, start)
    height = _hip_height(robot, paths, stands)
    for k, (path, foot) in enumerate(zip(paths, robot.feet, strict=True)):
        one, pad = out[k], model.geom(foot).id
        one.kind, one.radius = CHAIN, float(model.geom_size[pad, 0])
        one.pad[:] = _seen(robot, zero, zero.geom_xpos[pad])
        one.hip[:] = _seen(robot, stands, stands.geom_xpos[pad])
        one.hip[2] += height
        for j, joint in enumerate(path):
            one.slides[j] = float(int(model.jnt_type[joint]) == SLIDE)
            one.zero[j] = model.qpos0[model.jnt_qposadr[joint]]
            one.axis[j] = _turned_back(robot, zero, zero.xaxis[joint])
            one.anchor[j] = _seen(robot, zero, zero.xanchor[joint])
        _fill_links(robot, zero, path, one)
        points = [*one.anchor[-2:], one.pad] if len(path) > 1 else [one.anchor[0]] * 2
        ends = np.linalg.norm(np.diff(np.array([*points, one.pad][:3]), axis=0), axis=1)
        one.lengths[:] = ends
        one.straight = _straight_at(one)
        off = float(start[model.jnt_qposadr[path[-1]]]) - one.straight
        one.bend = -1.0 if off <= 0.0 else 1.0


def _straight_at(leg: LegBuild) -> float:
    """Return the angle of the last joint at which a leg is longest; NaN if none.

    The foot is then opposite to the joint before, seen along the last axis.
    """
    if len(leg.axis) < 2 or leg.slides[-1] > 0.0:
        return math.nan
    axis, knee = leg.axis[-1], leg.anchor[-1]
    up, down = (
        (p - knee) - axis * (axis @ (p - knee)) for p in (leg.anchor[-2], leg.pad)
    )
    if min(np.linalg.norm(up), np.linalg.norm(down)) < 1e-6:
        return math.nan
    turn = math.atan2(float(axis @ np.cross(down, -up)), float(down @ -up))
    return float(leg.zero[-1]) + turn


def _fill_links(robot: Robot, zero: Any, path: list[int], out: LegBuild) -> None:
    """Write the mass that moves with each joint of a leg and not with the next."""
    model, below = robot.model, set[int]()
    for j in range(len(path) - 1, -1, -1):
        body = int(model.jnt_bodyid[path[j]])
        if j + 1 < len(path) and int(model.jnt_bodyid[path[j + 1]]) == body:
            continue  # the last of a body's joints moves its mass
        own = _subtree(model, body) - below
        below |= own
        mass = model.body_mass[list(own)]
        out.link_mass[j] = mass.sum()
        if out.link_mass[j] > 0.0:
            centre = mass @ zero.xipos[list(own)] / mass.sum()
            out.link_centre[j] = _seen(robot, zero, centre)


def _subtree(model: Any, root: int) -> set[int]:
    """Return a body and all that hang on it."""
    own = {root}
    for body in range(root + 1, model.nbody):
        if int(model.body_parentid[body]) in own:
            own.add(body)
    return own


def _hip_height(robot: Robot, paths: list[list[int]], stands: Any) -> float:
    """Return how high the highest joint of a leg is over its foot, on average [m].

    Its last one does not count: an insect's knees are above its hips.
    """
    tops = [
        max(float(stands.xanchor[j][2]) for j in path[:-1] or path)
        - float(stands.geom(foot).xpos[2])
        for path, foot in zip(paths, robot.feet, strict=True)
    ]
    return float(np.mean(tops))


def _posed(model: Any, qpos: VecN) -> Any:
    """Return a robot's kinematics in a pose."""
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return data


def _seen(robot: Robot, data: Any, point: Vec3) -> Vec3:
    """Return a point of the world in B [m]."""
    base = robot.model.body(robot.base).id
    return _turned_back(robot, data, point - data.xpos[base])


def _turned_back(robot: Robot, data: Any, vector: Vec3) -> Vec3:
    """Return a direction of the world in B."""
    base = robot.model.body(robot.base).id
    return data.xmat[base].reshape(3, 3).T @ vector


def _trunk_of(robot: Robot, limbs: float) -> Records[TrunkBuild]:
    """Return what does not move with the legs.

    Args:
        robot: the machine.
        limbs: mass of what does [kg].
    """
    model = robot.model
    root, data = int(model.body(robot.base).id), mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    trunk = TrunkBuild.zeros()
    trunk[0].mass = float(model.body_subtreemass[root]) - limbs
    trunk[0].centre[:] = _trunk_centre(robot, data)
    return trunk


def _trunk_centre(robot: Robot, data: Any) -> Array:
    """Return the centre in B of all that does not move with the legs, (3,) [m]."""
    model = robot.model
    root = model.body(robot.base).id
    legs = {model.body(leg).id for leg in robot.legs}
    moves = np.zeros(model.nbody, bool)
    for b in range(1, model.nbody):
        moves[b] = b in legs or moves[model.body_parentid[b]]
    stays = [b for b in range(model.nbody) if model.body_rootid[b] == root]
    stays = [b for b in stays if not moves[b]]
    weight = model.body_mass[stays]
    centre = weight @ data.xipos[stays] / weight.sum()
    return data.xmat[root].reshape(3, 3).T @ (centre - data.xpos[root])
