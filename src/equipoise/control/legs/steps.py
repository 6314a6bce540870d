"""From stance, trunk and effort to what each leg aims at.

A foot that stands aims at its foothold as it would be seen from the trunk's reference.
A foot that swings goes, seen from the trunk, from where it left the ground to its next
foothold: level by a cubic with given end velocities, upright by a bump on top. Cubics
need the least peak speed where the ends are slow: 1.5 times the mean, against π/2 for
half an ellipse and 2 for a cycloid, and WARP1's hips have little to spare.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.legs.law import LegLaw
from equipoise.control.parts import Effort, Estimate, Stance
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled

__all__ = ["StepConfig", "Steps"]

LIFTED = 5  # per leg: where it left the ground, seen from the reference, and two flags


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StepConfig:
    """Of the swing; defaults suit WARP1's trot.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    lift: float = 0.06
    """Of the foot over the line between its footholds [m]."""
    soft_landing: float = 0.5
    """0 for a bump of half a sine, which lands fastest, 1 for its square, which lands
    without speed but needs more torque."""
    match: float = 0.3
    """Share of the ground's speed that a foot has where its swing begins and ends."""
    sink: float = 0.06
    """How far the trunk may hang below its reference for feet to be lifted higher by as
    much [m]."""

    def __post_init__(self) -> None:
        names = ("lift", "soft_landing", "match", "sink")
        expect_positive(self, *names, zero=True)


@final
@dataclass(frozen=True, eq=False)
class Steps:
    """Writes aims; its state is where each swinging foot left the ground."""

    law: LegLaw
    config: StepConfig = field(default_factory=StepConfig)
    table: VecN = field(init=False, repr=False)
    blank: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        c = self.config
        table = np.array([c.lift, c.soft_landing, c.match, c.sink])
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "blank", self.law.aim())

    def init(self) -> Array:
        """Return a state in which all feet stand, (nl, 5)."""
        state = np.zeros((len(self.law.lengths), LIFTED))
        state[:, 3] = 1.0
        return state

    def step(
        self, estimate: Estimate, stance: Stance, effort: Effort, state: Array
    ) -> tuple[Array, Array, Array]:
        """Return the legs' aims, (6, nl, 3), landings, (nl, 3), and the next state."""
        after, aim = state.copy(), self.blank.copy()
        landing, turn = np.empty((len(state), 3)), np.empty((3, 3))
        aim_legs(
            estimate.trunk, estimate.feet, estimate.footholds,
            estimate.machine.geometry.hips, stance.legs, effort.trunk.pose,
            effort.trunk.places, effort.force, effort.shift, self.table, turn, after,
            aim, landing,
        )  # fmt: skip
        return aim, landing, after


@compiled(allocates=False)
def aim_legs(
    trunk: VecN,
    feet: Array,
    footholds: Array,
    hips: Array,
    legs: Array,
    pose: VecN,
    places: Array,
    force: Array,
    shift: Array,
    table: VecN,
    turn: Array,
    state: Array,
    aim: Array,
    landing: Array,
) -> None:
    """Write all aims; arguments as in the class, ``turn`` is room, (3, 3)."""
    turned(pose[3], pose[4], pose[5], turn)
    for leg in range(hips.shape[0]):
        if legs[leg, 1] > 0.0:
            aim_standing(footholds[leg], hips[leg], pose, turn, aim, leg)
            for i in range(3):
                aim[2, leg, i] = force[leg, i]
                landing[leg, i] = feet[leg, 0, i]
        else:
            if state[leg, 3] > 0.0:
                leave(trunk, feet[leg], hips[leg], pose, turn, state[leg])
            aim_swinging(
                trunk, hips[leg], legs[leg], pose, places[leg], shift[leg], table,
                state[leg], aim, landing, leg,
            )  # fmt: skip
            joint_accelerations(feet[leg], aim, leg)
        state[leg, 3] = legs[leg, 1]


@compiled(allocates=False)
def turned(roll: float, pitch: float, yaw: float, out: Array) -> None:
    """Write the rotation by yaw, pitch and roll."""
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    out[0, 0], out[0, 1], out[0, 2] = (
        cy * cp,
        cy * sp * sr - sy * cr,
        cy * sp * cr + sy * sr,
    )
    out[1, 0], out[1, 1], out[1, 2] = (
        sy * cp,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr,
    )
    out[2, 0], out[2, 1], out[2, 2] = -sp, cp * sr, cp * cr


@compiled(allocates=False)
def aim_standing(
    foothold: VecN, hip: VecN, pose: VecN, turn: Array, aim: Array, leg: int
) -> None:
    """Aim at a foothold as it is seen from the trunk's reference."""
    x, y, z = foothold[0] - pose[0], foothold[1] - pose[1], foothold[2] - pose[2]
    vx, vy, vz = pose[9] * y - pose[6], -pose[9] * x - pose[7], -pose[8]
    for i in range(3):
        aim[0, leg, i] = turn[0, i] * x + turn[1, i] * y + turn[2, i] * z - hip[i]
        aim[1, leg, i] = turn[0, i] * vx + turn[1, i] * vy + turn[2, i] * vz


@compiled(allocates=False)
def leave(
    trunk: VecN, foot: Array, hip: VecN, pose: VecN, turn: Array, state: VecN
) -> None:
    """Keep where a foot leaves the ground, seen from the trunk's reference."""
    for i in range(3):
        state[i] = 0.0
    for k in range(3):
        place = trunk[k] - pose[k]
        for j in range(3):
            place += trunk[9 + 3 * k + j] * (hip[j] + foot[0, j])
        for i in range(3):
            state[i] += turn[k, i] * place


@compiled(allocates=False)
def aim_swinging(
    trunk: VecN,
    hip: VecN,
    timing: VecN,
    pose: VecN,
    place: VecN,
    shift: VecN,
    table: VecN,
    state: VecN,
    aim: Array,
    landing: Array,
    leg: int,
) -> None:
    """Aim along the swing; past its end at the foothold, which the ground carries."""
    c, s = math.cos(pose[5]), math.sin(pose[5])
    vx, vy = c * pose[10] + s * pose[11], c * pose[11] - s * pose[10]
    u, swing, late = timing[2], timing[3], timing[5]
    low = min(max(pose[2] - trunk[2], -0.02), table[3])
    bump, rise, pull = bump_of(u, table[1])
    for i in range(3):
        drift = 0.0
        if i == 0:
            drift = vx - pose[9] * place[1]
        elif i == 1:
            drift = vy + pose[9] * place[0]
        goal = place[i] + 0.5 * timing[4] * drift
        goal += shift[i] if i < 2 else low
        slope = -table[2] * drift * swing
        a, b, d = goal - state[i], u * u * (3.0 - 2.0 * u), u * (1.0 - u)
        at = state[i] + a * b + slope * d * (1.0 - 2.0 * u)
        rate = 6.0 * a * d + slope * (1.0 - 6.0 * d)
        bend = 6.0 * a * (1.0 - 2.0 * u) - 6.0 * slope * (1.0 - 2.0 * u)
        if i == 2:
            at, rate = at + table[0] * bump, rate + table[0] * rise
            bend += table[0] * pull
        if late > 0.0:
            at, rate, bend = goal - drift * late, -drift * swing, 0.0
        aim[0, leg, i], aim[1, leg, i] = at - hip[i], rate / swing
        aim[5, leg, i] = bend / (swing * swing)
        landing[leg, i] = goal - hip[i]


@compiled(allocates=False)
def bump_of(u: float, soft: float) -> tuple[float, float, float]:
    """Return the bump (1 - a) sin πu + a sin² πu and its two derivatives."""
    s, c = math.sin(math.pi * u), math.cos(math.pi * u)
    bump = (1.0 - soft) * s + soft * s * s
    rise = math.pi * ((1.0 - soft) * c + 2.0 * soft * s * c)
    pull = math.pi**2 * (2.0 * soft * (c * c - s * s) - (1.0 - soft) * s)
    return bump, rise, pull


@compiled(allocates=False)
def joint_accelerations(foot: Array, aim: Array, leg: int) -> None:
    """Turn the foot's wanted acceleration into the joints' by J⁻¹; zero if singular."""
    a, b, c = foot[2, 0], foot[2, 1], foot[2, 2]
    d, e, f = foot[3, 0], foot[3, 1], foot[3, 2]
    g, h, i = foot[4, 0], foot[4, 1], foot[4, 2]
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    x, y, z = aim[5, leg, 0], aim[5, leg, 1], aim[5, leg, 2]
    if abs(det) < 2e-3:
        x, y, z, det = 0.0, 0.0, 0.0, 1.0
    aim[5, leg, 0] = (
        (e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e) * z
    ) / det
    aim[5, leg, 1] = (
        (f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f) * z
    ) / det
    aim[5, leg, 2] = (
        (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d) * z
    ) / det
