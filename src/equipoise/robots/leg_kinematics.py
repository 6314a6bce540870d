"""Legs with three hinges: hip roll, hip pitch and knee, from the trunk to the foot.

The hip turns the leg about the trunk's forward axis b1 by the roll a, then in the leg's
plane by the pitch p; the knee bends by k relative to the thigh. Positive pitch and knee
angles swing forward, [Ridderstrom2003] figure 5.2. From the hip, in B,

    x = l₁ sin p + l₂ sin(p+k),  d = l₁ cos p + l₂ cos(p+k),  r = (x, d sin a, -d cos a)
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.robot import Robot

__all__ = [
    "LegBuild",
    "LegGeometry",
    "TrunkBuild",
    "add_leg",
    "centre_of_mass",
    "foot_jacobian",
    "foot_place",
    "leg_angles",
    "leg_geometry",
]

AXES = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, -1.0, 0.0))
NEARLY_STRAIGHT = 1.0 - 1e-9  # cosine of the knee beyond which a leg is stretched


class LegBuild(Record):
    """How one leg is built."""

    hip: Vec3 = entry("where it hangs from the trunk, in B", "m", 3)
    lengths: VecN = entry("hip to knee and knee to foot", "m", 2)
    bend: float = entry("sign of the knee's angle: -1 if the kneecap points forward")
    mass: VecN = entry("of thigh and shank", "kg", 2)
    centre: Array = entry("of their mass, each in its own frame", "m", 2, 3)


class TrunkBuild(Record):
    """What does not move with the legs."""

    mass: float = entry("of it", "kg")
    centre: Vec3 = entry("of its mass, in B", "m", 3)


@final
@dataclass(frozen=True, eq=False)
class LegGeometry:
    """Where a machine's legs hang, how long they are, and where its mass is.

    Arrays are leg by leg; joints are hip roll, hip pitch, knee of leg 1, then of leg 2.
    """

    legs: Records[LegBuild]
    """Leg by leg, (nl,)."""
    trunk: Records[TrunkBuild]
    """(1,)."""
    lower: VecN
    """Lowest joint angles, (3 nl,) [rad]."""
    upper: VecN
    """Highest, (3 nl,) [rad]."""
    foot_radius: float
    """Of a foot's ball about the foot point [m]."""

    @cached_property
    def hips(self) -> Array:
        """Of each leg from the trunk's origin, in B, (nl, 3) [m]."""
        return np.ascontiguousarray(self.legs["hip"])

    @cached_property
    def lengths(self) -> Array:
        """Hip to knee and knee to foot, (nl, 2) [m]."""
        return np.ascontiguousarray(self.legs["lengths"])

    @cached_property
    def bend(self) -> VecN:
        """Sign of each knee's angle: -1 where the kneecap points forward, (nl,)."""
        return np.ascontiguousarray(self.legs["bend"])

    @property
    def mass(self) -> float:
        """Of the whole machine [kg]."""
        limbs = np.ascontiguousarray(self.legs["mass"])
        return float(self.trunk["mass"][0] + limbs.sum())


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
    legs = LegBuild.zeros(nl)
    for k, (hip, lengths, bend, _, limbs) in enumerate(rows):
        legs[k].hip[:], legs[k].lengths[:], legs[k].bend = hip, lengths, bend
        legs[k].mass[:], legs[k].centre[:] = limbs[:, 0], limbs[:, 1:]
    reach = np.concatenate([row[3] for row in rows])
    limb_mass = np.ascontiguousarray(legs["mass"]).sum()
    root = model.body(robot.base).id
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    total, rest = float(model.body_subtreemass[root]), trunk_centre(robot, data)
    trunk = TrunkBuild.zeros()
    trunk[0].mass, trunk[0].centre[:] = total - limb_mass, rest
    return LegGeometry(
        legs=legs,
        trunk=trunk,
        lower=reach[:, 0].copy(),
        upper=reach[:, 1].copy(),
        foot_radius=float(model.geom(robot.feet[0]).size[0]),
    )


def leg_row(
    robot: Robot, leg: str, foot: str
) -> tuple[Array, list[float], float, Array, Array]:
    """Return hip, lengths, bend, range and limbs, or say that it is of another kind."""
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
    limbs = np.array([[float(b.mass[0]), *b.ipos] for b in (thigh, shank)])
    lengths = [-float(shank.pos[2]), -float(pad.pos[2])]
    bend = -1.0 if knee <= 0.0 else 1.0
    return thigh.pos.copy(), lengths, bend, reach, limbs


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
    nl = lengths.shape[0]
    angles = q.reshape(nl, q.shape[0] // nl)
    for leg in range(nl):
        a, p = angles[leg, 0], angles[leg, 1]
        s = p + angles[leg, 2]
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
    nl = lengths.shape[0]
    angles = q.reshape(nl, q.shape[0] // nl)
    for leg in range(nl):
        ca, sa = math.cos(angles[leg, 0]), math.sin(angles[leg, 0])
        p = angles[leg, 1]
        s = p + angles[leg, 2]
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
    reached, nl = True, lengths.shape[0]
    angles = out.reshape(nl, out.shape[0] // nl)
    for leg in range(nl):
        x, y, z = places[leg, 0], places[leg, 1], places[leg, 2]
        l1, l2 = lengths[leg, 0], lengths[leg, 1]
        down = math.sqrt(y * y + z * z)
        cosine = (x * x + down * down - l1 * l1 - l2 * l2) / (2.0 * l1 * l2)
        if not -1.0 <= cosine <= NEARLY_STRAIGHT:
            reached = False
            cosine = NEARLY_STRAIGHT if cosine > 0.0 else -1.0
        knee = bend[leg] * math.acos(cosine)
        lean = math.atan2(l2 * math.sin(knee), l1 + l2 * math.cos(knee))
        angles[leg, 0] = math.atan2(y, -z)
        angles[leg, 1] = math.atan2(x, down) - lean
        angles[leg, 2] = knee
    return reached


@compiled(allocates=False)
def centre_of_mass(
    q: Array, legs: Records[LegBuild], trunk: Records[TrunkBuild], out: Array
) -> float:
    """Write the whole machine's centre of mass in B, (3,) [m]; return its mass [kg].

    Args:
        q: joint angles, (3 nl,) [rad].
        legs: how they are built, (nl,).
        trunk: what does not move with them, (1,).
        out: overwritten.
    """
    nl, mass, centre = legs.shape[0], trunk[0].mass, trunk[0].centre
    angles = q.reshape(nl, q.shape[0] // nl)
    x, y, z = mass * centre[0], mass * centre[1], mass * centre[2]
    for leg in range(nl):
        mass, x, y, z = add_leg(legs[leg], angles[leg], mass, x, y, z)
    out[0], out[1], out[2] = x / mass, y / mass, z / mass
    return mass


@compiled(allocates=False)
def add_leg(
    leg: LegBuild, q: VecN, mass: float, x: float, y: float, z: float
) -> tuple[float, float, float, float]:
    """Return a mass and its first moments in B with those of a leg added."""
    ca, sa = math.cos(q[0]), math.sin(q[0])
    along, down = 0.0, 0.0
    turn = q[1]
    for k in range(leg.mass.shape[0]):
        m, s, c = leg.mass[k], math.sin(turn), math.cos(turn)
        px, py, pz = leg.centre[k, 0], leg.centre[k, 1], leg.centre[k, 2]
        u = along + c * px - s * pz
        w = s * px + c * pz - down
        x += m * (leg.hip[0] + u)
        y += m * (leg.hip[1] + ca * py - sa * w)
        z += m * (leg.hip[2] + sa * py + ca * w)
        mass += m
        along += leg.lengths[k] * s
        down += leg.lengths[k] * c
        turn += q[2]
    return mass, x, y, z
