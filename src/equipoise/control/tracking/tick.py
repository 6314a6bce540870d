"""One tick of legs that track cycloids: where feet shall be, and the joints' torques.

Each leg is led from its hip, x forward and z up, by an impedance::

    F = F_d + K (p_d - p) + D (p_d' - p'),   τ = Jᵀ F + G

with its own weight G carried. By position F_d is nothing and a foot on the ground goes
along an arc about its hip; rotated, the whole way is turned so that it goes deeper
backwards; by force it goes straight and F_d is the force reference, as printed.
"""

import math
from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.forces.force_reference import ForceReference, force_reference
from equipoise.control.legs.cycloid import Stroke, transfer
from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings
from equipoise.robots.legs.build import LegBuild
from equipoise.robots.legs.chain import moment_columns, place_foot

__all__ = ["FootTrack", "TrackingConfig", "TrackingModel", "track"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class TrackingConfig(Settings):
    """Settings of the tracking; the defaults are SAP's."""

    frequency: Annotated[float, Setting("Frequency of cycles", "1/s", above=0.0)] = 1.0
    duty: Annotated[
        float,
        Setting("Share of a cycle during which a leg stands", least=0.05, most=0.95),
    ] = 0.75
    turned: Annotated[
        float,
        Setting(
            "Angle by which 'rotated' turns the path of a foot, deeper backwards",
            "rad",
            least=-1.0,
            most=1.0,
        ),
    ] = math.radians(15.0)
    stiffness: Annotated[
        float,
        Setting(
            "Stiffness of a foot's spring, as soft as air makes it", "N/m", above=0.0
        ),
    ] = 600.0
    damping: Annotated[
        float,
        Setting(
            "Damping of a foot; 0.4 of critical with 3 kg on it", "N s/m", above=0.0
        ),
    ] = 34.0
    dip: Annotated[
        float,
        Setting(
            "Third harmonic of the force reference, as printed, q", least=0.0, most=1.0
        ),
    ] = 0.2
    carried: Annotated[
        float,
        Setting(
            "Share of the weight on both legs together; wheels carry the rest",
            above=0.0,
        ),
    ] = 0.453
    start: Annotated[
        float,
        Setting("Time the machine stands before it walks", "s", least=0.0, most=10.0),
    ] = 1.0


class TrackingModel(Record):
    """Settings with what follows from them, from the trial and the machine."""

    config: TrackingConfig = entry("settings of the tracking", kind=TrackingConfig)
    stroke: Stroke = entry("of a step, seen from the hip", kind=Stroke)
    reference: ForceReference = entry("of forces", kind=ForceReference)
    by_force: float = entry("1 where forces are tracked")
    turned: float = entry("by which the way is rotated", "rad")
    height: float = entry("of the hips over the foot points", "m")
    rest: float = entry("load of a foot at rest, where forces are tracked", "N")


class FootTrack(Record):
    """References of one leg at a tick, and room for its kinematics."""

    phase: float = entry("share of the cycle since its footfall at the start")
    q: VecN = entry("its joints, the last good readings", "rad", "joints")
    v: VecN = entry("their speeds", "rad/s", "joints")
    stands: float = entry("1 where it shall stand")
    place: VecN = entry("of the foot from the hip, forward and up", "m", 2)
    velocity: VecN = entry("of it", "m/s", 2)
    force: VecN = entry("of the ground on it, wanted", "N", 2)
    foot: Vec3 = entry("hip to foot", "m", 3)
    spin: Vec3 = entry("of its last link", "rad/s", 3)
    jacobian: Array = entry("of the foot", "m/rad", 3, "joints")
    weigh: Array = entry("of its mass", "kg m/rad", 3, "joints")


@compiled(allocates=False)
def track(
    walked: float,
    setting: Records[TrackingModel],
    legs: Records[LegBuild],
    feet: Records[FootTrack],
    q: VecN,
    v: VecN,
    tau: VecN,
) -> None:
    """Write each leg's references and torques.

    Args:
        walked: for how long it walks; below zero it stands [s].
        setting: of the way, (1,).
        legs: how they are built, (nl,).
        feet: changed, (nl,).
        q: joints as read; one that is no number counts as the last good one, (nu,).
        v: their speeds, (nu,).
        tau: torques; overwritten, (nu,) [N m].
    """
    own = setting[0]
    for k in range(feet.shape[0]):
        foot, leg = feet[k], legs[k]
        many = foot.q.shape[0]
        for j in range(many):
            if math.isfinite(q[k * many + j]) and math.isfinite(v[k * many + j]):
                foot.q[j], foot.v[j] = q[k * many + j], v[k * many + j]
        if walked < 0.0:
            _rest(own, foot)
        else:
            _lead(walked, own, foot)
        place_foot(leg, foot.q, foot.v, foot.foot, foot.jacobian, foot.spin)
        moment_columns(leg, foot.q, foot.weigh)
        J = foot.jacobian
        x, z, dx, dz = foot.foot[0], foot.foot[2], 0.0, 0.0
        for j in range(many):
            dx, dz = dx + J[0, j] * foot.v[j], dz + J[2, j] * foot.v[j]
        fx = own.config.stiffness * (foot.place[0] - x) + own.config.damping * (
            foot.velocity[0] - dx
        )
        fz = own.config.stiffness * (foot.place[1] - z) + own.config.damping * (
            foot.velocity[1] - dz
        )
        fx, fz = fx - foot.force[0], fz - foot.force[1]
        for j in range(many):
            weight = GRAVITY * foot.weigh[2, j]
            tau[k * many + j] = J[0, j] * fx + J[2, j] * fz + weight


@compiled(allocates=False)
def _rest(own: TrackingModel, foot: FootTrack) -> None:
    """Have a leg stand below its hip."""
    foot.stands = 1.0
    foot.place[0], foot.place[1] = 0.0, -own.height
    foot.velocity[0], foot.velocity[1] = 0.0, 0.0
    foot.force[0], foot.force[1] = 0.0, own.by_force * own.rest


@compiled(allocates=False)
def _lead(walked: float, own: TrackingModel, foot: FootTrack) -> None:
    """Write a leg's references at an instant of its walk."""
    phase = (walked * own.config.frequency + foot.phase) % 1.0
    length, back = own.stroke.length, own.stroke.length / own.stroke.support
    time = phase / own.config.frequency
    foot.stands = 1.0 if phase < own.config.duty else 0.0
    foot.force[0], foot.force[1] = 0.0, 0.0
    if foot.stands > 0.0:
        x, z, dx, dz = 0.5 * length - back * time, -own.height, -back, 0.0
        if own.by_force > 0.0:
            middle = 0.5 * own.stroke.support
            fx, fz = force_reference(time - middle, own.reference)
            foot.force[0], foot.force[1] = fx, fz
        else:
            z = -math.sqrt(own.height * own.height - x * x)
            dz = -x * dx / z
    else:
        x, z, dx, dz, _, _ = transfer(time - own.stroke.support, own.stroke)
        low = own.height
        if own.by_force == 0.0:
            low = math.sqrt(own.height * own.height - 0.25 * length * length)
        x, z = x - 0.5 * length, z - low
    c, s = math.cos(own.turned), math.sin(own.turned)
    z += own.height  # rotated about where a foot stands below its hip
    foot.place[0], foot.place[1] = c * x - s * z, s * x + c * z - own.height
    foot.velocity[0], foot.velocity[1] = c * dx - s * dz, s * dx + c * dz
