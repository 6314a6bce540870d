"""Posture control in a plane: is a force-controlled stance stable, however late?

The trunk's attitude and height are held by vertical leg forces, its place by horizontal
springs at the feet, [Ridderstrom2003] section 11.2. The law is written down as forces
in the trunk's frame, from what was measured, and linearised about its equilibrium by
complex steps, exactly. How the forces are shared between the legs decides whether the
stiffness matrix is symmetric.
"""

import math
from dataclasses import dataclass
from typing import Annotated, Literal, final

import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.core.constants import GRAVITY
from equipoise.core.setting import Setting, expect_usable
from equipoise.stability.loops.closed_loop import ClosedLoop, closed_loop
from equipoise.stability.loops.critical_delay import critical_delay
from equipoise.stability.loops.delay_roots import Complex
from equipoise.stability.quantity import expect_above_zero

__all__ = ["PostureConfig", "PostureStance", "posture_stance"]

_TINY = 1e-30  # a complex step: no difference is formed, so nothing cancels


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PostureConfig:
    """Planar robot under posture control; gains suit 60 kg with its mass at 0.5 m.

    Raises:
        ConfigError: a sharing rule that there is not, or an offset beyond the feet.
        NotPhysicalError: a number that is not positive.
    """

    mass: Annotated[float, Setting("Mass of the robot", "kg")] = 60.0
    inertia: Annotated[
        float, Setting("Moment of inertia about the centre of mass", "kg m²")
    ] = 1.6
    height: Annotated[
        float, Setting("Height h of the centre of mass over the feet", "m")
    ] = 0.5
    half_width: Annotated[
        float, Setting("Half the distance r between the feet", "m")
    ] = 0.25
    offset: Annotated[
        float,
        Setting(
            "Offset γ of the centre of mass from the middle of the feet, over r",
            above=-1.0,
            below=1.0,
        ),
    ] = 0.0
    leg_stiffness: Annotated[
        float, Setting("Horizontal stiffness k_L of one leg", "N/m")
    ] = 10_000.0
    leg_damping: Annotated[
        float, Setting("Horizontal damping d_L of one leg", "N s/m")
    ] = 500.0
    attitude_stiffness: Annotated[
        float, Setting("Stiffness k_α of the attitude", "N m/rad")
    ] = 1500.0
    attitude_damping: Annotated[
        float, Setting("Damping d_α of the attitude", "N m s/rad")
    ] = 150.0
    height_stiffness: Annotated[
        float, Setting("Stiffness k_B of the height", "N/m")
    ] = 20_000.0
    height_damping: Annotated[float, Setting("Damping d_B of the height", "N s/m")] = (
        1000.0
    )
    sharing: Annotated[
        Literal["printed", "consistent"],
        Setting(
            "Rule by which legs share the force: as printed, with the lever arms of "
            "the hips, or with those of the feet, so that force and moment are "
            "exactly the wanted ones"
        ),
    ] = "printed"
    gravity: Annotated[float, Setting("Acceleration of gravity", "m/s²")] = GRAVITY

    def __post_init__(self) -> None:
        names = [n for n in self.__slots__ if n not in ("offset", "sharing")]
        expect_above_zero("PostureConfig", **{n: getattr(self, n) for n in names})
        expect_usable(self, "PostureConfig")


@final
@dataclass(frozen=True, eq=False)
class PostureStance:
    """Equilibrium of posture control, linearised in (x, tilt, z)."""

    tilt: float
    """Tilt of the equilibrium [rad]; nan if none was found near upright."""
    M: Array
    """Mass matrix, (3, 3)."""
    K: Array
    """Stiffness without delay: weight, and forces fixed to the trunk, (3, 3)."""
    late_stiffness: Array
    """Stiffness of the controller's delayed response, (3, 3)."""
    late_damping: Array
    """Damping of the controller's delayed response, (3, 3)."""

    @property
    def asymmetry(self) -> float:
        """Asymmetry |K - Kᵀ| / |K| of the whole stiffness matrix, no unit."""
        whole = self.K + self.late_stiffness
        return float(np.linalg.norm(whole - whole.T) / np.linalg.norm(whole))

    def loop(self, delay: float = 0.0) -> ClosedLoop:
        """Return the loop's eigenvalues for a delayed controller.

        Args:
            delay: from measuring to force, >= 0 [s].
        """
        if math.isnan(self.tilt):
            return ClosedLoop(np.zeros(0, complex), math.nan, "unknown")
        return closed_loop(
            self.M,
            np.zeros((3, 3)),
            self.K,
            late_damping=self.late_damping,
            late_stiffness=self.late_stiffness,
            delay=delay,
        )

    @property
    def critical_delay(self) -> float:
        """Largest delay of the controller [s]; as `critical_delay`."""
        if math.isnan(self.tilt):
            return math.nan
        return critical_delay(
            self.M,
            np.zeros((3, 3)),
            self.K,
            late_damping=self.late_damping,
            late_stiffness=self.late_stiffness,
        )


def posture_stance(config: PostureConfig) -> PostureStance:
    """Return the equilibrium of a posture controller and its linearisation.

    With the printed rule and γ = 0 the stiffness matrix is symmetric and the stance is
    stable exactly for k_α > m g h + (m g)² / (2 k_L); with the consistent one it is
    not, and k_α > m g h is enough.

    Args:
        config: robot, gains and rule.

    Returns:
        The stance; its tilt is nan where no equilibrium was found near upright.
    """
    M = np.diag([config.mass, config.inertia, config.mass])
    q, still = np.array([0.0, 0.0, config.height]), np.zeros(3)
    for _ in range(50):
        force = restoring_force(config, q, q, still).real
        now, late, _ = _slopes(config, q)
        step = np.linalg.lstsq(now + late, -force, rcond=None)[0]
        size = max(float(np.abs(step).max()), 1e-300)
        q = np.asarray(q + step * min(1.0, 0.1 / size), np.float64)
        if not np.isfinite(q).all() or abs(q[1]) > math.pi / 2:
            break
        if size < 1e-14:
            now, late, rate = _slopes(config, q)
            return PostureStance(float(q[1]), M, -now, -late, -rate)
    nothing = np.full((3, 3), math.nan)
    return PostureStance(math.nan, M, nothing, nothing, nothing)


def restoring_force(
    config: PostureConfig,
    q: Complex | Array,
    seen: Complex | Array,
    rate: Complex | Array,
) -> Complex:
    """Return the force on (x, tilt, z): weight, and legs that answer what was seen.

    Args:
        config: robot, gains and rule.
        q: place and tilt now, which turn the forces and set their lever arms, (3,).
        seen: place and tilt that the controller knows, (3,).
        rate: their rates that it knows, (3,).
    """
    c = config
    spots = c.half_width * np.array([-1 - c.offset, 1 - c.offset])
    along, up = _feet(q, spots)
    seen_along, seen_up = _feet(seen, spots)
    turn, rise = rate[1], np.array([rate[0], rate[2]])
    b1, b3 = _axes(seen[1])
    along_rate = -(b1 @ rise) - turn * seen_up
    up_rate = -(b3 @ rise) + turn * seen_along
    side = c.leg_stiffness * (seen_along - spots) + c.leg_damping * along_rate
    lift = c.mass * c.gravity + c.height_stiffness * (c.height + seen_up.mean())
    lift = lift + c.height_damping * up_rate.mean()
    moment = -c.attitude_stiffness * seen[1] - c.attitude_damping * turn
    if c.sharing == "printed":
        push = 0.5 * (lift - moment / spots)
    else:  # the sum is the lift and the moment -Σ along push is the moment
        left, right = seen_along
        push = np.array([lift * right + moment, -lift * left - moment]) / (right - left)
    b1, b3 = _axes(q[1])
    x, z = b1 * side.sum() + b3 * push.sum()
    about = up @ side - along @ push
    return np.array([x, about, z - c.mass * c.gravity], np.complex128)


def _axes(tilt: complex | float) -> tuple[Complex, Complex]:
    """Return the trunk's axes b1 and b3 in (x, z)."""
    s, c = np.sin(tilt), np.cos(tilt)
    return np.array([c, -s]), np.array([s, c])


def _feet(q: Complex | Array, spots: Array) -> tuple[Complex, Complex]:
    """Return the feet's places along and up the trunk, seen from it, two each."""
    b1, b3 = _axes(q[1])
    away = np.array([spots - q[0], 0 * spots - q[2]])
    return b1 @ away, b3 @ away


def _slopes(config: PostureConfig, q: Vec3) -> tuple[Array, Array, Array]:
    """Return derivatives of the forces by place now, place seen and rate seen."""
    parts: list[Array] = []
    still = np.zeros(3)
    for which in range(3):
        columns: list[Array] = []
        for axis in range(3):
            given = [q.astype(complex), q.astype(complex), still.astype(complex)]
            given[which][axis] += 1j * _TINY
            columns.append(restoring_force(config, *given).imag / _TINY)
        parts.append(np.stack(columns, axis=1))
    return parts[0], parts[1], parts[2]
