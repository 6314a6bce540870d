"""How far, how fast and how hard legs can swing their feet, from how they stand."""

import numpy as np

from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.machine import LeggedMachine
from equipoise.core.arrays import Vec3, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.legs import foot_angles, foot_jacobians

__all__ = ["LegLimits", "allowed_share", "highest_share", "leg_limits"]

HALVINGS = 12
FARTHEST = 3.0  # heights of the hips, beyond which no foot is looked for
PEAK, PUSH = 1.875, 4.0
"""Of a swing over a way d in a time T: the largest speed of a fifth-order polynomial is
1.875 d/T, the least force is that of a constant one that turns about, 4 d/T²."""


class LegLimits(Record):
    """Horizontal workspace of one leg, and when it steps."""

    place: Vec3 = entry("of its foot amid its support, in B", "m", 3)
    lower: VecN = entry("least way of the foot from there, forward and left", "m", 2)
    upper: VecN = entry("largest way", "m", 2)
    speed: VecN = entry("largest of the foot seen from the trunk", "m/s", 2)
    push: VecN = entry("largest acceleration of it", "m/s^2", 2)
    phase: float = entry("share of the cycle at which its support begins")
    duty: float = entry("share of the cycle for which it stands")


def leg_limits(
    machine: LeggedMachine, gait: PhaseGait, share: float
) -> Records[LegLimits]:
    """Return what legs can do, as they stand, (nl,).

    Args:
        machine: whose legs they are.
        gait: by which they step.
        share: of its workspace that a foot may use.
    """
    limits, geometry = LegLimits.zeros(machine.legs), machine.geometry
    limits["place"] = geometry.hips
    limits["place"][:, 2] -= machine.height
    limits["phase"], limits["duty"] = gait.phases, gait.duty
    middle = np.zeros((machine.legs, 3))
    middle[:, 2] = -machine.height
    for i in range(2):
        for name, sign in (("lower", -1.0), ("upper", 1.0)):
            limits[name][:, i] = share * sign * _reach_along(machine, middle, i, sign)
    speeds = np.array([drive.speed for drive in machine.drives])
    torques = np.array([drive.torque for drive in machine.drives])
    nj = machine.joints
    stand = geometry.stand.reshape(machine.legs, 1, nj)
    for leg, inertia in enumerate(machine.inertia):
        J = foot_jacobians(geometry, leg, stand[leg])[0]
        to_joints = np.linalg.pinv(J)[:, :2]
        own = slice(nj * leg, nj * (leg + 1))
        with np.errstate(divide="ignore"):
            limits["speed"][leg] = np.min(speeds[own, None] / abs(to_joints), axis=0)
            need = np.abs(inertia @ to_joints)
            limits["push"][leg] = np.min(torques[own, None] / need, axis=0)
    return limits


def _reach_along(
    machine: LeggedMachine, middle: np.ndarray, axis: int, sign: float
) -> VecN:
    """Return how far each foot gets from its middle along an axis, (nl,) [m]."""
    low = np.zeros(machine.legs)
    high = np.full(machine.legs, FARTHEST * machine.height)
    for _ in range(HALVINGS):
        far = 0.5 * (low + high)
        places = middle.copy()
        places[:, axis] += sign * far
        fits = _reached_by(machine, places)
        low, high = np.where(fits, far, low), np.where(fits, high, far)
    return low


def _reached_by(machine: LeggedMachine, places: np.ndarray) -> np.ndarray:
    """Say of each leg whether its joints put its foot at a place, (nl,)."""
    geometry, nj = machine.geometry, machine.joints
    fits = np.zeros(machine.legs, bool)
    stand = np.zeros_like(places)
    stand[:, 2] = -machine.height
    for leg in range(machine.legs):
        one = stand.copy()
        one[leg] = places[leg]
        q, is_reached = foot_angles(geometry, one)
        own = slice(nj * leg, nj * (leg + 1))
        slack = 1e-9
        within = (q[own] >= geometry.lower[own] - slack).all()
        within = within and (q[own] <= geometry.upper[own] + slack).all()
        fits[leg] = is_reached and within
    return fits


@compiled(allocates=False)
def allowed_share(
    vx: float, vy: float, turn: float, cycle: float, limits: Records[LegLimits]
) -> float:
    """Return t_max / t_min at a velocity, at most 1: below 1 legs cannot keep up.

    Close manoeuvring of [Ridderstrom2003] section 3.2.2: the time t_max for which the
    present feet can stay on the ground at that velocity, over the time t_min that the
    others need for their way back, or have by the clock, whichever is longer.

    Args:
        vx: forward [m/s].
        vy: to the left [m/s].
        turn: to the left [rad/s].
        cycle: of the gait [s].
        limits: of the legs, (nl,).
    """
    longest, shortest = np.inf, 0.0
    for leg in limits:
        x, y = vx - turn * leg.place[1], vy + turn * leg.place[0]
        swing, support = (1.0 - leg.duty) * cycle, leg.duty * cycle
        shortest = max(shortest, support)
        for i in range(2):
            v = abs(x) if i == 0 else abs(y)
            if v <= 0.0:
                continue
            room = min(-leg.lower[i], leg.upper[i])
            longest = min(longest, 2.0 * room / v)
            way = v * (support + swing)  # back over the ground and ahead of it
            needs = max(
                PEAK * way / (leg.speed[i] + v), (PUSH * way / leg.push[i]) ** 0.5
            )
            shortest = max(shortest, support * needs / swing)
    return min(1.0, longest / shortest) if shortest > 0.0 else 1.0


@compiled(allocates=False)
def highest_share(
    vx: float, vy: float, turn: float, cycle: float, limits: Records[LegLimits]
) -> float:
    """Return the largest share of a velocity at which legs keep up, at most 1.

    Args:
        vx: forward [m/s].
        vy: to the left [m/s].
        turn: to the left [rad/s].
        cycle: of the gait [s].
        limits: of the legs, (nl,).
    """
    if allowed_share(vx, vy, turn, cycle, limits) >= 1.0:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        s = 0.5 * (low + high)
        fits = allowed_share(s * vx, s * vy, s * turn, cycle, limits) >= 1.0
        low, high = (s, high) if fits else (low, s)
    return low
