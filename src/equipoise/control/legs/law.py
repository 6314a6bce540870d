"""Leg law: a foot on a spring and a damper, as joint torques.

For each leg, in the trunk's frame B, [Ridderstrom2003] equations (5.1) and (11.5),

    τ = Jᵀ {K (r_ref - r) + D (v_ref - v) + f_ref}

with diagonal K and D. To that come a virtual spring and damper that keep the knee from
overextending (section 5.3) and, as extensions of ours, the torque that accelerates
the drives themselves, J_rotor q''_ref, and one that keeps joints to a speed that they
are told, c (q'_ref - q'); both are zero unless asked for. Last, each torque is kept
within what its drive can give.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, final

import numpy as np

from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.records import LegAim, LegEstimate
from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, record_of
from equipoise.core.setting import Setting, Settings
from equipoise.robots.drives import Drive
from equipoise.robots.legs import LegBuild, LegGeometry

__all__ = [
    "LegGuards",
    "LegLaw",
    "LegLawConfig",
    "leg_law",
    "leg_torques",
]

KNEE = -1  # of a leg's joints the one that can overextend


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LegLawConfig(Settings):
    """Settings of a leg's springs and dampers; the defaults suit WARP1, 60 kg.

    Stiffness is the thesis's with its words put right: 4 kN/m level, 10 kN/m
    upright.
    """

    stiffness: Annotated[
        tuple[float, float, float],
        Setting(
            "Stiffness of a foot along x, y and z of the trunk, K", "N/m", least=0.0
        ),
    ] = (4000.0, 4000.0, 10_000.0)
    damping: Annotated[
        tuple[float, float, float],
        Setting(
            "Damping of a foot along x, y and z of the trunk, D", "N s/m", least=0.0
        ),
    ] = (700.0, 700.0, 1100.0)
    guard_angle: Annotated[
        float,
        Setting(
            "Bend of the knee below which its virtual spring acts", "rad", least=0.0
        ),
    ] = 0.05
    guard_stiffness: Annotated[
        float, Setting("Stiffness of the knee's virtual spring", "N m/rad", least=0.0)
    ] = 500.0
    guard_damping: Annotated[
        float, Setting("Damping of the knee's virtual spring", "N m s/rad", least=0.0)
    ] = 20.0
    inertia_share: Annotated[
        float,
        Setting(
            "Share of the drives' inertia that is fed forward; 0 is the thesis's law",
            least=0.0,
        ),
    ] = 0.0


class LegGuards(Record):
    """Torque limits of one leg's joints, and the guard of its knee."""

    torque: VecN = entry("largest", "N m", "joints")
    inertia: VecN = entry(
        "of the drives, as far as it is fed forward", "kg m^2", "joints"
    )
    stretch: VecN = entry("sign of stretching; 0 for joints that do not", "", "joints")
    stiffness: VecN = entry("of the guard's spring", "N m/rad", "joints")
    damping: VecN = entry("and of its damper", "N m s/rad", "joints")
    angle: float = entry("bend below which the guard acts", "rad")
    straight: VecN = entry("where a joint is stretched", "rad", "joints")


@final
@dataclass(frozen=True, eq=False)
class LegLaw:
    """Leg law of one machine, with the records that its kernels take."""

    config: LegLawConfig
    build: Records[LegBuild]
    """Builds of the legs, (nl,)."""
    guards: Records[LegGuards] = field(repr=False)
    """Guards of the knees, (nl,)."""

    @cached_property
    def settings(self) -> Records[LegLawConfig]:
        """Settings as kernels take them, (1,)."""
        return record_of(self.config)

    @property
    def joints(self) -> int:
        """Number of joints of each leg."""
        return self.guards["torque"].shape[1]

    def aim(self) -> Records[LegAim]:
        """Return an aim of each leg with this law's gains and all else zero, (nl,)."""
        aim = LegAim.zeros(len(self.build), joints=self.joints)
        aim["stiffness"], aim["damping"] = self.config.stiffness, self.config.damping
        return aim

    def torques(self, q: VecN, v: VecN, aim: Records[LegAim]) -> VecN:
        """Return the joint torques, (nu,) [N m]; for loops call the kernels.

        Args:
            q: joint angles, leg by leg, (nu,) [rad].
            v: joint speeds, (nu,) [rad/s].
            aim: of the legs, (nl,).
        """
        legs, out = first_estimate(self.build, self.joints), np.empty(len(q))
        legs["q"], legs["v"] = q.reshape(len(legs), -1), v.reshape(len(legs), -1)
        observe_legs(self.build, legs)
        leg_torques(legs, aim, self.guards, out)
        return out


def leg_law(
    geometry: LegGeometry, drives: Sequence[Drive], config: LegLawConfig | None = None
) -> LegLaw:
    """Return the leg law of a machine.

    Args:
        geometry: its legs.
        drives: of its joints in actuator order, leg by leg, (nu,).
        config: gains; left out, WARP1's.

    Raises:
        ConfigError: another number of drives than of joints.
    """
    config = config or LegLawConfig()
    nl, nu = len(geometry.legs), len(geometry.lower)
    if len(drives) != nu:
        problem = f"{nu} joints need as many drives, got {len(drives)}"
        raise ConfigError("the leg law", [problem])
    guards = LegGuards.zeros(nl, joints=nu // nl)
    torque = [drive.torque for drive in drives]
    inertia = [config.inertia_share * drive.inertia for drive in drives]
    guards["torque"] = np.reshape(torque, (nl, -1))
    guards["inertia"] = np.reshape(inertia, (nl, -1))
    straight = np.ascontiguousarray(geometry.legs["straight"])
    has_knee = np.isfinite(straight)
    guards["stretch"][:, KNEE] = np.where(has_knee, -geometry.bend, 0.0)
    guards["straight"][:, KNEE] = np.where(has_knee, straight, 0.0)
    guards["stiffness"][:, KNEE] = config.guard_stiffness
    guards["damping"][:, KNEE] = config.guard_damping
    guards["angle"] = config.guard_angle
    return LegLaw(config, geometry.legs, guards)


@compiled(allocates=False)
def leg_torques(
    legs: Records[LegEstimate],
    aims: Records[LegAim],
    guards: Records[LegGuards],
    out: VecN,
) -> int:
    """Write τ = Jᵀ {K (r_ref - r) + D (v_ref - v) + f_ref}, guarded and limited.

    A torque that is not finite, from a reading that was not, becomes zero.

    Args:
        legs: what is known of them, (nl,).
        aims: what they are told, (nl,).
        guards: of the ``LegLaw``, (nl,).
        out: joint torques, leg by leg, (nu,) [N m]; overwritten.

    Returns:
        How many joints are held at their limit or had no finite torque.
    """
    limited, k = 0, 0
    for one in range(legs.shape[0]):
        leg, aim, guard = legs[one], aims[one], guards[one]
        for joint in range(leg.q.shape[0]):
            tau = guard.inertia[joint] * aim.acceleration[joint]
            for i in range(3):
                force = aim.stiffness[i] * (aim.place[i] - leg.foot[i])
                force += aim.damping[i] * (aim.velocity[i] - leg.foot_rate[i])
                tau += leg.jacobian[i, joint] * (force + aim.force[i])
            if aim.servo[joint] > 0.0:
                tau += aim.servo[joint] * (aim.rate[joint] - leg.v[joint])
            stretch = guard.stretch[joint]
            beyond = stretch * (leg.q[joint] - guard.straight[joint]) + guard.angle
            if stretch != 0.0 and beyond > 0.0:  # it pushes back, it never pulls
                slows = guard.damping[joint] * stretch * leg.v[joint]
                tau -= stretch * max(guard.stiffness[joint] * beyond + slows, 0.0)
            most = guard.torque[joint]
            if not math.isfinite(tau):
                tau, limited = 0.0, limited + 1
            elif abs(tau) > most:
                tau, limited = math.copysign(most, tau), limited + 1
            out[k] = tau
            k += 1
    return limited
