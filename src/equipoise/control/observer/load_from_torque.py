"""How hard the ground presses on a foot that feels nothing: from the joints' torques.

A leg's momentum p = M q' grows by what turns its joints: the motors' torques τ, its own
weight g, and the ground's torques Jᵀ f. What p grows beyond what the first two explain
is the third [DeLuca2006],

    r = (p - ∫ (τ + g + r) dt) / T,    r -> Jᵀ f within T

without differentiating a speed. M is taken as it is in the stand, rotors included; the
trunk is taken as unaccelerated. The force that goes with r is J⁻ᵀ r, its part against
gravity the foot's load.
"""

import math

from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.core.arrays import Array, VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.legs import LegBuild, moment_columns

__all__ = ["LegFeel", "feel_ground"]

FLAT = (
    1e-3  # determinant of J over the cube of the leg's length: no force is told below
)


class LegFeel(Record):
    """Constants by which one leg feels its load."""

    inertia: Array = entry(
        "M as it stands, rotors included", "kg m^2", "joints", "joints"
    )
    constant: VecN = entry("torque of a drive per current", "N m/A", "joints")
    time: float = entry("T, within which it feels; 0 where the foot itself does", "s")
    has_force: float = entry("1 where the foot measures its force, not its load alone")


@compiled(allocates=False)
def feel_ground(
    feels: Records[LegFeel],
    build: Records[LegBuild],
    dt: float,
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
) -> None:
    """Write the load on each foot without a sensor of its own.

    Args:
        feels: of the legs, (nl,).
        build: of the legs, (nl,).
        dt: since the last tick [s].
        trunk: its attitude.
        legs: entries ``momentum``, ``outer``, ``load`` and, of three joints, ``force``
            are overwritten, (nl,).
    """
    for one in range(legs.shape[0]):
        feel, leg = feels[one], legs[one]
        if feel.time == 0.0:
            if feel.has_force > 0.0:
                f, up = leg.force, trunk.R_WB[2]
                leg.load = f[0] * up[0] + f[1] * up[1] + f[2] * up[2]
            continue
        if _trace_torques(feel, build[one], dt, trunk, leg):
            size = build[one].lengths[0] + build[one].lengths[1]
            leg.load = _upright_force(leg, trunk, FLAT * size * size * size)


@compiled(allocates=False)
def _trace_torques(
    feel: LegFeel, build: LegBuild, dt: float, trunk: TrunkEstimate, leg: LegEstimate
) -> bool:
    """Advance the ground's torques as they are felt; False while nothing is known."""
    up, arms = trunk.R_WB[2], leg.weigh
    moment_columns(build, leg.q, arms)
    is_known = True
    for j in range(leg.q.shape[0]):
        is_known = is_known and math.isfinite(leg.current[j])
    if not is_known:
        return False
    for j in range(leg.q.shape[0]):
        momentum, sinks = 0.0, 0.0
        for k in range(leg.q.shape[0]):
            momentum += feel.inertia[j, k] * leg.v[k]
        for i in range(3):
            sinks += GRAVITY * up[i] * arms[i, j]
        known = feel.constant[j] * leg.current[j] - sinks
        if leg.felt == 0.0:
            leg.momentum[j] = momentum
        leg.momentum[j] += dt * (known + leg.outer[j])
        leg.outer[j] = (momentum - leg.momentum[j]) / (feel.time + dt)
    leg.felt = 1.0
    return True


@compiled(allocates=False)
def _upright_force(leg: LegEstimate, trunk: TrunkEstimate, flat: float) -> float:
    """Return the part against gravity of the force on a foot, NaN if none is told [N].

    Of three joints all of the force is told, and written to the leg's ``force``; of
    others only its size, taken as upright.
    """
    J, r, up = leg.jacobian, leg.outer, trunk.R_WB[2]
    if J.shape[1] != 3:
        along, square = 0.0, 0.0
        for j in range(r.shape[0]):
            lift = J[0, j] * up[0] + J[1, j] * up[1] + J[2, j] * up[2]
            along, square = along + lift * r[j], square + lift * lift
        return along / square if square > 0.0 else math.nan
    a, b, c = J[0, 0], J[1, 0], J[2, 0]  # rows of Jᵀ
    d, e, f = J[0, 1], J[1, 1], J[2, 1]
    g, h, i = J[0, 2], J[1, 2], J[2, 2]
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if abs(det) < flat:
        leg.force[0] = leg.force[1] = leg.force[2] = math.nan
        return math.nan
    x, y, z = r[0], r[1], r[2]
    fx = ((e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e) * z) / det
    fy = ((f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f) * z) / det
    fz = ((d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d) * z) / det
    leg.force[0], leg.force[1], leg.force[2] = fx, fy, fz
    return fx * up[0] + fy * up[1] + fz * up[2]
