"""Leg law: a foot on a spring and a damper, as joint torques.

For each leg, in the trunk's frame B, [Ridderstrom2003] equations (5.1) and (11.5),

    τ = Jᵀ {K (r_ref - r) + D (v_ref - v) + f_ref}

with diagonal K and D. To that come a virtual spring and damper that keep the knee from
overextending (section 5.3) and, as an extension of ours, the torque that accelerates
the drives themselves, J_rotor q''_ref, which is zero unless asked for. Last, each
torque is kept within what its drive can give.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.observer.legs import observe_legs
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.robots.drives import Drive
from equipoise.robots.leg_kinematics import LegGeometry

__all__ = [
    "ACCELERATION",
    "DAMPING",
    "FORCE",
    "PLACE",
    "STIFFNESS",
    "VELOCITY",
    "LegLaw",
    "LegLawConfig",
    "leg_law",
    "leg_torques",
]

PLACE = 0
"""Plane of an aim: r_ref, hip to foot in B, (nl, 3) [m]."""
VELOCITY = 1
"""Plane: v_ref [m/s]."""
FORCE = 2
"""Plane: f_ref, of the foot on the ground [N]."""
STIFFNESS = 3
"""Plane: the diagonal of K [N/m]."""
DAMPING = 4
"""Plane: the diagonal of D [N s/m]."""
ACCELERATION = 5
"""Plane: q''_ref of hip roll, hip pitch and knee [rad/s²]."""
PLANES = 6


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LegLawConfig:
    """Gains of a leg; defaults suit WARP1, 60 kg on four legs.

    Stiffness is the thesis's with its words put right: 4 kN/m level, 10 kN/m upright.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    stiffness: tuple[float, float, float] = (4000.0, 4000.0, 10_000.0)
    """K, along x, y and z of the trunk [N/m]."""
    damping: tuple[float, float, float] = (700.0, 700.0, 1100.0)
    """D, near critical for a quarter of the trunk and the drives' inertia [N s/m]."""
    guard_angle: float = 0.05
    """Bend of the knee below which its virtual spring acts [rad]."""
    guard_stiffness: float = 500.0
    """Of that spring [N m/rad]."""
    guard_damping: float = 20.0
    """Of its damper [N m s/rad]."""
    inertia_share: float = 0.0
    """Of the drives' inertia that is fed forward, 0 to 1; 0 is the thesis's law."""

    def __post_init__(self) -> None:
        names = ("guard_angle", "guard_stiffness", "guard_damping", "inertia_share")
        expect_positive(self, *names, zero=True)
        problems = [
            f"{name} must be three numbers >= 0, got {getattr(self, name)!r}"
            for name in ("stiffness", "damping")
            if len(getattr(self, name)) != 3
            or not all(0.0 <= x < math.inf for x in getattr(self, name))
        ]
        if problems:
            raise ConfigError("LegLawConfig", problems)


@final
@dataclass(frozen=True, eq=False)
class LegLaw:
    """All legs' law on one machine: arrays that the kernels take, built once."""

    config: LegLawConfig
    lengths: Array
    """Of thighs and shanks, (nl, 2) [m]."""
    table: Array = field(repr=False)
    """Per joint, (6, 3 nl): torque limit, inertia fed forward, and of the knee guard
    the sign of stretching (zero where there is none), stiffness, damping and angle."""

    def aim(self) -> Array:
        """Return an aim with this law's gains and all else zero, (6, nl, 3)."""
        aim = np.zeros((PLANES, len(self.lengths), 3))
        aim[STIFFNESS], aim[DAMPING] = self.config.stiffness, self.config.damping
        return aim

    def torques(self, q: VecN, v: VecN, aim: Array) -> VecN:
        """Return the joint torques, (3 nl,) [N m]; for loops call the kernels.

        Args:
            q: joint angles, (3 nl,) [rad].
            v: joint speeds, (3 nl,) [rad/s].
            aim: planes PLACE to ACCELERATION, (6, nl, 3).
        """
        feet, out = np.empty((len(self.lengths), 5, 3)), np.empty(len(q))
        observe_legs(q, v, self.lengths, feet)
        leg_torques(q, v, feet, aim, self.table, out)
        return out


def leg_law(
    geometry: LegGeometry, drives: Sequence[Drive], config: LegLawConfig | None = None
) -> LegLaw:
    """Return the leg law of a machine.

    Args:
        geometry: its legs.
        drives: of its joints in actuator order, (3 nl,).
        config: gains; left out, WARP1's.

    Raises:
        ConfigError: another number of drives than of joints.
    """
    config = config or LegLawConfig()
    nu = 3 * len(geometry.lengths)
    if len(drives) != nu:
        problem = f"{nu} joints need as many drives, got {len(drives)}"
        raise ConfigError("the leg law", [problem])
    table = np.zeros((6, nu))
    table[0] = [drive.torque for drive in drives]
    table[1] = [config.inertia_share * drive.inertia for drive in drives]
    table[2, 2::3] = -geometry.bend
    table[3, 2::3] = config.guard_stiffness
    table[4, 2::3] = config.guard_damping
    table[5] = config.guard_angle
    return LegLaw(config, geometry.lengths, table)


@compiled(allocates=False)
def leg_torques(
    q: VecN, v: VecN, feet: Array, aim: Array, table: Array, out: VecN
) -> int:
    """Write τ = Jᵀ {K (r_ref - r) + D (v_ref - v) + f_ref}, guarded and limited.

    A torque that is not finite, from a reading that was not, becomes zero.

    Args:
        q: joint angles, (3 nl,) [rad].
        v: joint speeds, (3 nl,) [rad/s].
        feet: from ``observe_legs``, (nl, 5, 3).
        aim: planes PLACE to ACCELERATION, (6, nl, 3).
        table: of the ``LegLaw``, (6, 3 nl).
        out: joint torques, (3 nl,) [N m]; overwritten.

    Returns:
        How many joints are held at their limit or had no finite torque.
    """
    limited = 0
    for leg in range(feet.shape[0]):
        foot = feet[leg]
        for joint in range(3):
            k = 3 * leg + joint
            tau = table[1, k] * aim[5, leg, joint]
            for i in range(3):
                force = aim[3, leg, i] * (aim[0, leg, i] - foot[0, i])
                force += aim[4, leg, i] * (aim[1, leg, i] - foot[1, i])
                tau += foot[2 + i, joint] * (force + aim[2, leg, i])
            stretch = table[2, k]
            beyond = stretch * q[k] + table[5, k]
            if stretch != 0.0 and beyond > 0.0:  # it pushes back, it never pulls
                push = table[3, k] * beyond + table[4, k] * stretch * v[k]
                tau -= stretch * max(push, 0.0)
            most = table[0, k]
            if not math.isfinite(tau):
                tau, limited = 0.0, limited + 1
            elif abs(tau) > most:
                tau, limited = math.copysign(most, tau), limited + 1
            out[k] = tau
    return limited
