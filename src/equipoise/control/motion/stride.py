"""The trunk is carried along by the legs, which move it as the goal says.

Its reference goes on at the commanded velocity from where it is; it is kept on a leash,
so that a machine that is held up or pushed is not pulled by an ever longer spring. Its
attitude is level, or the ground's where that is steep, as the footholds have it, and
its height is over their plane.
Feet belong under the centre of mass, on a slope downhill of the hips. A gait that
stands on three feet sways the trunk to the side away from the legs that swing.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.parts import (
    MOTIONS,
    POSE,
    AbstractMotion,
    Estimate,
    Stance,
    TrunkReference,
)
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive, expect_within
from equipoise.core.jit import compiled

__all__ = ["StrideConfig", "StrideMotion"]

STATE = 14  # place 3, yaw, tilt 2, sway ramp, begun, mass centre 3, sway, slope 2


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StrideConfig:
    """Of the trunk's motion; defaults are WARP1's.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    sway: float = 0.0
    """To each side, away from swinging legs [m]; 0.06 for a crawl."""
    sway_phase: float = 0.0
    """Share of the cycle at which it is farthest right."""
    leash: float = 0.05
    """How far the reference may be from the trunk [m]."""
    heading_leash: float = 0.15
    """And in heading [rad]."""
    level_up_to: float = 0.06
    """Slope of the ground up to which the trunk stays level; of a steeper one it takes
    on the rest [rad]."""
    slope_time: float = 0.3
    """In which it does so [s]."""
    forward: float = 0.017
    """Of the feet beyond the centre of mass: legs that leave late push [m]."""
    spread: float = 0.0
    """Of the feet outwards from the hips [m]."""
    steady: float = 0.0
    """Share of the centre of mass's own motion over the trunk, as legs swing, that the
    trunk makes up for: 0 to 1."""

    def __post_init__(self) -> None:
        names = ("sway", "sway_phase", "level_up_to", "steady")
        expect_positive(self, *names, zero=True)
        expect_positive(self, "leash", "heading_leash", "slope_time")
        expect_within(self, "forward", -0.3, 0.3)
        expect_within(self, "spread", -0.3, 0.3)


@final
@MOTIONS.register("stride")
@dataclass(frozen=True)
class StrideMotion(AbstractMotion[VecN]):
    """Carries the trunk; its state is the reference's place, heading and slope."""

    config: StrideConfig = field(default_factory=StrideConfig)
    table: VecN = field(init=False, repr=False)

    def __post_init__(self) -> None:
        c = self.config
        numbers = [
            c.sway, c.sway_phase, c.leash, c.heading_leash, c.level_up_to, c.slope_time,
            c.forward, c.spread, c.steady,
        ]  # fmt: skip
        object.__setattr__(self, "table", np.array(numbers))

    def init(self) -> VecN:
        """Return a reference that begins where the trunk is first seen."""
        return np.zeros(STATE)

    def step(
        self, estimate: Estimate, goal: VecN, stance: Stance, state: VecN
    ) -> tuple[TrunkReference, VecN]:
        """Return the reference, and the next state."""
        machine, after = estimate.machine, state.copy()
        pose, places = np.empty(POSE), np.empty((machine.legs, 3))
        stride(
            estimate.dt, goal, estimate.trunk, estimate.footholds, stance.legs,
            stance.clock, machine.geometry.hips, machine.height, self.table, after,
            pose, places,
        )  # fmt: skip
        return TrunkReference(pose, places), after


@compiled(allocates=False)
def stride(
    dt: float,
    goal: VecN,
    trunk: VecN,
    footholds: Array,
    legs: Array,
    clock: VecN,
    hips: Array,
    height: float,
    table: VecN,
    state: VecN,
    pose: VecN,
    places: Array,
) -> None:
    """Advance the reference and write it; arguments as in the class."""
    yaw = math.atan2(trunk[12], trunk[9])
    if state[7] == 0.0:
        begin(trunk, yaw, state)
    c, s = math.cos(state[3]), math.sin(state[3])
    ahead, aside = goal[0], goal[1]
    if clock[2] == 0.0:
        centre_over_feet(dt, trunk, footholds, state)
        ahead, aside = 0.0, 0.0
    vx, vy = c * ahead - s * aside, s * ahead + c * aside
    turn = goal[2] if clock[2] > 0.0 else 0.0
    state[0] += vx * dt
    state[1] += vy * dt
    for i in range(2):  # as far as the reference with its sway is off
        aside = -s * state[11] if i == 0 else c * state[11]
        off = state[i] + aside - trunk[i]
        state[i] = trunk[i] - aside + min(max(off, -table[2]), table[2])
    off = (state[3] + turn * dt - yaw + math.pi) % (2.0 * math.pi) - math.pi
    state[3] = yaw + min(max(off, -table[3]), table[3])
    c, s = math.cos(state[3]), math.sin(state[3])
    ground = follow_slope(dt, footholds, c, s, table, state)
    hip = 0.0
    for leg in range(hips.shape[0]):
        hip += hips[leg, 2] / hips.shape[0]
    state[2] += dt / (0.1 + dt) * (ground + height - hip - state[2])
    sway, rate = sway_of(dt, clock, table, state)
    state[11] = sway
    mx = table[8] * (trunk[18] - state[8])
    my = table[8] * (trunk[19] - state[9])
    pose[0] = state[0] - s * (sway - my) - c * mx
    pose[1] = state[1] + c * (sway - my) - s * mx
    pose[2] = state[2]
    pose[3], pose[4], pose[5] = state[5], state[4], state[3]
    pose[6], pose[7], pose[8], pose[9] = vx - s * rate, vy + c * rate, 0.0, turn
    pose[10], pose[11] = vx, vy
    put_feet(hips, height - hip, mx, my - sway, table, state, places)


@compiled(allocates=False)
def begin(trunk: VecN, yaw: float, state: VecN) -> None:
    """Begin where the trunk is."""
    for i in range(3):
        state[i], state[8 + i] = trunk[i], trunk[18 + i]
    state[3], state[7] = yaw, 1.0
    state[12] = math.asin(min(max(trunk[15], -1.0), 1.0))
    state[13] = math.atan2(trunk[16], trunk[17])


@compiled(allocates=False)
def centre_over_feet(dt: float, trunk: VecN, footholds: Array, state: VecN) -> None:
    """Move the reference so that the centre of mass comes over the feet's middle."""
    nl = footholds.shape[0]
    for i in range(2):
        middle, centre = 0.0, 0.0
        for leg in range(nl):
            middle += footholds[leg, i] / nl
        for j in range(3):
            centre += trunk[9 + 3 * i + j] * trunk[18 + j]
        off = middle - centre - state[i]
        state[i] += dt * min(max(2.0 * off, -0.2), 0.2)


@compiled(allocates=False)
def follow_slope(
    dt: float, footholds: Array, c: float, s: float, table: VecN, state: VecN
) -> float:
    """Draw the slope to the footholds' plane; return its height under the trunk."""
    nl = footholds.shape[0]
    x0, y0, z0 = 0.0, 0.0, 0.0
    for leg in range(nl):
        x0 += footholds[leg, 0] / nl
        y0 += footholds[leg, 1] / nl
        z0 += footholds[leg, 2] / nl
    xx, yy, xy, xz, yz = 0.0, 0.0, 0.0, 0.0, 0.0
    for leg in range(nl):
        a, b = footholds[leg, 0] - x0, footholds[leg, 1] - y0
        x, y, z = c * a + s * b, c * b - s * a, footholds[leg, 2] - z0
        xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
        xz, yz = xz + x * z, yz + y * z
    det = xx * yy - xy * xy
    up, left = 0.0, 0.0
    if det > 1e-6:
        up, left = (yy * xz - xy * yz) / det, (xx * yz - xy * xz) / det
    share = dt / (table[5] + dt)
    state[12] += share * (math.atan(up) - state[12])
    state[13] += share * (math.atan(left) - state[13])
    state[4] = -beyond(state[12], table[4])
    state[5] = beyond(state[13], table[4])
    a, b = state[0] - x0, state[1] - y0
    return z0 + up * (c * a + s * b) + left * (c * b - s * a)


@compiled(allocates=False)
def beyond(angle: float, free: float) -> float:
    """Return what an angle is beyond a limit, with its sign."""
    return math.copysign(max(abs(angle) - free, 0.0), angle)


@compiled(allocates=False)
def sway_of(dt: float, clock: VecN, table: VecN, state: VecN) -> tuple[float, float]:
    """Return the sway to the left and its rate, begun and ended within a cycle.

    It is flat at its ends, (9 cos a - cos 3a) / 8: two legs swing while it lasts.
    """
    step = 4.0 * dt / clock[1]
    state[6] += min(max(clock[2] - state[6], -step), step)
    angle = 2.0 * math.pi * (clock[0] - table[1])
    size, pace = table[0] * state[6], 2.0 * math.pi * clock[3] / clock[1]
    aside = (9.0 * math.cos(angle) - math.cos(3.0 * angle)) / 8.0
    rate = (9.0 * math.sin(angle) - 3.0 * math.sin(3.0 * angle)) / 8.0
    return -size * aside, size * rate * pace


@compiled(allocates=False)
def put_feet(
    hips: Array,
    height: float,
    back: float,
    right: float,
    table: VecN,
    state: VecN,
    places: Array,
) -> None:
    """Write where feet belong under the trunk amid their support.

    Feet do not follow the trunk's own sway, back and right: their track is straight.
    They are put down where the slope that the trunk does not take on has the ground.
    """
    nl, x0 = hips.shape[0], 0.0
    for leg in range(nl):
        x0 += hips[leg, 0] / nl
    down = height + state[10]  # from the feet up to the centre of mass
    ahead = state[8] - x0 + table[6] + down * math.tan(state[4]) + back
    aside = state[9] - down * math.tan(state[5]) + right
    for leg in range(nl):
        out = math.copysign(table[7], hips[leg, 1])
        places[leg, 0] = hips[leg, 0] + ahead
        places[leg, 1] = hips[leg, 1] + out + aside
        rise = math.tan(state[12] + state[4]) * (hips[leg, 0] - x0)
        rise += math.tan(state[13] - state[5]) * (hips[leg, 1] + out)
        places[leg, 2] = rise - height
