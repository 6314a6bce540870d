"""Legs with three hinges: hip roll, hip pitch and knee, from the trunk to the foot.

The hip turns the leg about the trunk's forward axis b1 by the roll a, then in the leg's
plane by the pitch p; the knee bends by k relative to the thigh. Positive pitch and knee
angles swing forward, [Ridderstrom2003] figure 5.2. From the hip, in B,

    x = l₁ sin p + l₂ sin(p+k),  d = l₁ cos p + l₂ cos(p+k),  r = (x, d sin a, -d cos a)
"""

import math
from dataclasses import dataclass
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.robots.robot import Robot

__all__ = [
    "LegGeometry",
    "centre_of_mass",
    "foot_jacobian",
    "foot_place",
    "leg_angles",
    "leg_geometry",
]

AXES = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, -1.0, 0.0))
NEARLY_STRAIGHT = 1.0 - 1e-9  # cosine of the knee beyond which a leg is stretched


@final
@dataclass(frozen=True, eq=False)
class LegGeometry:
    """Where a machine's legs hang, how long they are, and where its mass is.

    Arrays are leg by leg; joints are hip roll, hip pitch, knee of leg 1, then of leg 2.
    """

    hips: Array
    """Of each leg from the trunk's origin, in B, (nl, 3) [m]."""
    lengths: Array
    """Hip to knee and knee to foot, (nl, 2) [m]."""
    bend: VecN
    """Sign of each knee's angle: -1 where the kneecap points forward, (nl,)."""
    lower: VecN
    """Lowest joint angles, (3 nl,) [rad]."""
    upper: VecN
    """Highest, (3 nl,) [rad]."""
    foot_radius: float
    """Of a foot's ball about the foot point [m]."""
    trunk: VecN
    """Mass of what does not move with the legs and its centre in B, (4,) [kg, m]."""
    limbs: Array
    """Mass and centre in its own frame of each thigh and shank, (nl, 2, 4) [kg, m]."""

    @property
    def mass(self) -> float:
        """Of the whole machine [kg]."""
        return float(self.trunk[0] + self.limbs[:, :, 0].sum())


def leg_geometry(robot: Robot) -> LegGeometry:
    """Return the legs of a machine whose legs are hip roll, hip pitch and knee.

    Args:
        robot: with ``legs`` and ``feet``, leg by leg.

    Raises:
        ConfigError: a leg of another kind.
    """
    model, nl = robot.model, len(robot.legs)
    if nl == 0 or len(robot.feet) != nl:
        raise ConfigError(
            f"robot '{robot.name}'",
            [f"a walking machine needs legs with a foot each, got {nl} legs"],
        )
    pairs = zip(robot.legs, robot.feet, strict=True)
    rows = [leg_row(robot, leg, foot) for leg, foot in pairs]
    hips, lengths, bend, lower, upper, limbs = (
        np.array(x) for x in zip(*rows, strict=True)
    )
    limb_mass = limbs[:, :, 0].sum()
    root = model.body(robot.base).id
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    total, rest = float(model.body_subtreemass[root]), trunk_centre(robot, data)
    return LegGeometry(
        hips=hips,
        lengths=lengths,
        bend=bend,
        lower=lower.reshape(-1),
        upper=upper.reshape(-1),
        foot_radius=float(model.geom(robot.feet[0]).size[0]),
        trunk=np.array([total - limb_mass, *rest]),
        limbs=limbs,
    )


def leg_row(robot: Robot, leg: str, foot: str) -> tuple[object, ...]:
    """Return one leg's numbers, or say that it is of another kind."""
    model = robot.model
    thigh, pad = model.body(leg), model.geom(foot)
    shank = model.body(int(pad.bodyid[0]))
    first, last = int(thigh.jntadr[0]), int(shank.jntadr[0])
    is_known = (
        int(shank.parentid[0]) == thigh.id
        and int(thigh.parentid[0]) == model.body(robot.base).id
        and (int(thigh.jntnum[0]), int(shank.jntnum[0])) == (2, 1)
        and np.allclose(model.jnt_axis[[first, first + 1, last]], AXES)
        and np.allclose(shank.pos[:2], 0.0)
        and np.allclose(pad.pos[:2], 0.0)
    )
    if not is_known:
        raise ConfigError(
            f"robot '{robot.name}'",
            [
                f"leg '{leg}' must be hip roll, hip pitch and knee, pointing down at "
                "zero"
            ],
        )
    joints = [first, first + 1, last]
    limited = np.asarray(model.jnt_limited, bool)[joints, None]
    reach = np.where(limited, model.jnt_range[joints], [[-math.pi, math.pi]])
    start = robot.spec.keys[0].qpos if robot.spec.keys else model.qpos0
    knee = float(np.asarray(start)[model.jnt_qposadr[last]])
    limbs = [[float(b.mass[0]), *b.ipos] for b in (thigh, shank)]
    lengths = [-float(shank.pos[2]), -float(pad.pos[2])]
    bend = -1.0 if knee <= 0.0 else 1.0
    return thigh.pos.copy(), lengths, bend, reach[:, 0], reach[:, 1], limbs


def trunk_centre(robot: Robot, data: mujoco.MjData) -> Array:
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


@compiled(allocates=False)
def foot_place(q: Array, lengths: Array, out: Array) -> None:
    """Write hip to foot in B, (nl, 3) [m].

    Args:
        q: joint angles, (3 nl,) [rad].
        lengths: of thighs and shanks, (nl, 2) [m].
        out: overwritten.
    """
    for leg in range(lengths.shape[0]):
        a, p = q[3 * leg], q[3 * leg + 1]
        s = p + q[3 * leg + 2]
        down = lengths[leg, 0] * math.cos(p) + lengths[leg, 1] * math.cos(s)
        out[leg, 0] = lengths[leg, 0] * math.sin(p) + lengths[leg, 1] * math.sin(s)
        out[leg, 1] = down * math.sin(a)
        out[leg, 2] = -down * math.cos(a)


@compiled(allocates=False)
def foot_jacobian(q: Array, lengths: Array, out: Array) -> None:
    """Write each foot's J = ∂r/∂q in B, (nl, 3, 3) [m/rad].

    Args:
        q: joint angles, (3 nl,) [rad].
        lengths: of thighs and shanks, (nl, 2) [m].
        out: overwritten.
    """
    for leg in range(lengths.shape[0]):
        ca, sa = math.cos(q[3 * leg]), math.sin(q[3 * leg])
        p = q[3 * leg + 1]
        s = p + q[3 * leg + 2]
        x1, d1 = lengths[leg, 0] * math.sin(p), lengths[leg, 0] * math.cos(p)
        x2, d2 = lengths[leg, 1] * math.sin(s), lengths[leg, 1] * math.cos(s)
        x, d = x1 + x2, d1 + d2
        out[leg, 0, 0], out[leg, 1, 0], out[leg, 2, 0] = 0.0, d * ca, d * sa
        out[leg, 0, 1], out[leg, 1, 1], out[leg, 2, 1] = d, -x * sa, x * ca
        out[leg, 0, 2], out[leg, 1, 2], out[leg, 2, 2] = d2, -x2 * sa, x2 * ca


@compiled(allocates=False)
def leg_angles(places: Array, lengths: Array, bend: Array, out: Array) -> bool:
    """Write the joint angles that put each foot at a place; say whether all can.

    A place out of reach gets the stretched or folded leg that points at it.

    Args:
        places: hip to foot in B, (nl, 3) [m].
        lengths: of thighs and shanks, (nl, 2) [m].
        bend: sign of each knee's angle, (nl,).
        out: joint angles, (3 nl,) [rad]; overwritten.
    """
    reached = True
    for leg in range(lengths.shape[0]):
        x, y, z = places[leg, 0], places[leg, 1], places[leg, 2]
        l1, l2 = lengths[leg, 0], lengths[leg, 1]
        down = math.sqrt(y * y + z * z)
        cosine = (x * x + down * down - l1 * l1 - l2 * l2) / (2.0 * l1 * l2)
        if not -1.0 <= cosine <= NEARLY_STRAIGHT:
            reached = False
            cosine = NEARLY_STRAIGHT if cosine > 0.0 else -1.0
        knee = bend[leg] * math.acos(cosine)
        lean = math.atan2(l2 * math.sin(knee), l1 + l2 * math.cos(knee))
        out[3 * leg] = math.atan2(y, -z)
        out[3 * leg + 1] = math.atan2(x, down) - lean
        out[3 * leg + 2] = knee
    return reached


@compiled(allocates=False)
def centre_of_mass(
    q: Array, hips: Array, lengths: Array, trunk: Array, limbs: Array, out: Array
) -> float:
    """Write the whole machine's centre of mass in B, (3,) [m]; return its mass [kg].

    Args:
        q: joint angles, (3 nl,) [rad].
        hips: of each leg in B, (nl, 3) [m].
        lengths: of thighs and shanks, (nl, 2) [m].
        trunk: mass and centre, (4,).
        limbs: mass and centre of each thigh and shank, (nl, 2, 4).
        out: overwritten.
    """
    mass = trunk[0]
    x, y, z = mass * trunk[1], mass * trunk[2], mass * trunk[3]
    for leg in range(hips.shape[0]):
        ca, sa = math.cos(q[3 * leg]), math.sin(q[3 * leg])
        along, down = 0.0, 0.0
        turn = q[3 * leg + 1]
        for k in range(2):
            m, s, c = limbs[leg, k, 0], math.sin(turn), math.cos(turn)
            px, py, pz = limbs[leg, k, 1], limbs[leg, k, 2], limbs[leg, k, 3]
            u = along + c * px - s * pz
            w = s * px + c * pz - down
            x += m * (hips[leg, 0] + u)
            y += m * (hips[leg, 1] + ca * py - sa * w)
            z += m * (hips[leg, 2] + sa * py + ca * w)
            mass += m
            along += lengths[leg, k] * s
            down += lengths[leg, k] * c
            turn += q[3 * leg + 2]
    out[0], out[1], out[2] = x / mass, y / mass, z / mass
    return mass
