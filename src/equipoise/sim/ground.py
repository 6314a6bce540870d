"""The ground of [Ridderstrom2003] section 6.1.2: forces on feet that sink in and creep.

With δ the depth of a foot's ball in the surface and v its velocity along it,

    F_n = max(0, k_z δⁿ + d_z δ δ' H(δ')),
    F_t = -γ F_n (2/π) atan(π d_h |v| / (2 γ F_n)) v / |v|

Printed as F_z = -k_z zⁿ - d_z z z' H(-z'), the damper feeds energy in or pulls at the
foot, whichever way z is counted; here it brakes the foot on its way in and lets it go.
The force is continuous at touch-down, whatever the speed. Printed for x and y apart,
the friction would depend on where x points; here it is that of the speed. Forces act at
the ball's centre: the ground applies no torque.

A light foot creeps to rest within less than a time step h: forces from the speed at its
beginning would overshoot. They are taken at its end instead: with w what a newton does
to the foot's acceleration and v* the speed that it would get without the ground,

    s + h w F_t(s) = |v_t*|,
    F_n = k_z δⁿ + d_z δ (δ'* - h w k_z δⁿ)₊ / (1 + h w d_z δ)

for the speed s along the surface. v* is the present speed and what the other forces
added in the last step. Where nothing accelerates this is the law as it stands.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.jit import compiled
from equipoise.sim.terrain import Surface, ball_depth

__all__ = ["GROUNDS", "FeltGround", "GroundConfig", "ground_forces"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class GroundConfig:
    """How ground gives way; the defaults are the weakly damped one of table 6.1.

    Raises:
        ConfigError: a number that is not positive, damping and friction below zero.
    """

    stiffness: float = 70e3
    """k_z [N/mⁿ]."""
    damping: float = 2e3
    """d_z [N s/m²]."""
    friction: float = 0.7
    """γ, largest share of the normal force."""
    creep: float = 2e3
    """d_h, tangential force over speed while it sticks [N s/m]."""
    exponent: float = 1.0
    """n, of the depth."""

    def __post_init__(self) -> None:
        """Refuse ground that is none."""
        expect_positive(self, "stiffness", "creep", "exponent")
        expect_positive(self, "damping", "friction", zero=True)

    @property
    def numbers(self) -> VecN:
        """The law as compiled code takes it, (5,), in the order of the fields."""
        listed = [self.stiffness, self.damping, self.friction, self.creep]
        return np.array([*listed, self.exponent])


MARGIN = 1.5  # WARP1's feet get up to 1.34 times easier to move than they start
MOST_TURNS, CLOSE = 30, 1e-13  # of Newton's iteration; its share left over

GROUNDS = {"weak": GroundConfig(), "heavy": GroundConfig(stiffness=50e3, damping=1e5)}
"""Both rows of table 6.1: weakly and heavily damped."""


@compiled(allocates=False)
def ground_forces(
    law: Array,
    frame: Array,
    tiles: Array,
    places: Array,
    velocities: Array,
    radius: float,
    ease: float,
    forces: Array,
) -> None:
    """Write the force of the ground on each foot, (nl, 3) [N].

    Args:
        law: ``GroundConfig.numbers``, (5,).
        frame: of the surface, (6,).
        tiles: of the surface, (nx, ny) [m].
        places: of the feet's balls, (nl, 3) [m].
        velocities: of the same, at the end of the step without these forces, (nl, 3)
            [m/s].
        radius: of a ball [m].
        ease: h w, what a newton does to a foot's speed in a step [m/s/N]; 0 for the law
            at the given velocities.
        forces: overwritten.
    """
    for k in range(places.shape[0]):
        f, v = forces[k], velocities[k]
        depth = ball_depth(frame, tiles, places[k], radius, f)  # f: the normal
        if depth <= 0.0:
            f[0], f[1], f[2] = 0.0, 0.0, 0.0
            continue
        up = f[0] * v[0] + f[1] * v[1] + f[2] * v[2]
        spring, damper = law[0] * depth ** law[4], law[1] * depth
        press = spring + damper * max(-up - ease * spring, 0.0) / (1.0 + ease * damper)
        tx, ty, tz = v[0] - up * f[0], v[1] - up * f[1], v[2] - up * f[2]
        speed, brake = math.sqrt(tx * tx + ty * ty + tz * tz), 0.0
        if speed > 0.0 and law[2] * press > 0.0:
            brake = friction(law[2] * press, law[3], speed, ease) / speed
        f[0] = press * f[0] - brake * tx
        f[1] = press * f[1] - brake * ty
        f[2] = press * f[2] - brake * tz


@compiled(allocates=False, melts=True)
def friction(limit: float, creep: float, speed: float, ease: float) -> float:
    """Return the size of F(s) with s + ease F(s) = speed [N].

    F(s) = limit (2/π) atan(π creep s / (2 limit)) is concave, so that Newton's
    iteration from s = 0 comes up to the solution and never beyond it.

    Args:
        limit: γ F_n [N].
        creep: d_h [N s/m].
        speed: without friction [m/s].
        ease: what a newton does to it [m/s/N].
    """
    bend, slow, force = 0.5 * math.pi * creep / limit, 0.0, 0.0
    for _ in range(MOST_TURNS):
        force = limit * math.atan(bend * slow) * 2.0 / math.pi
        short = speed - slow - ease * force
        if short <= CLOSE * speed:
            break
        slow += short / (1.0 + ease * creep / (1.0 + bend * bend * slow * slow))
    return force


@compiled(allocates=False)
def apply_ground(
    law: Array,
    frame: Array,
    tiles: Array,
    radius: float,
    ease: float,
    feet: Ints,
    geom_xpos: Array,
    xipos: Array,
    cvel: Array,
    about: Array,
    xfrc: Array,
    last: Array,
    work: Array,
) -> None:
    """Write the ground's forces on the bodies of the feet, as MuJoCo wants them.

    A point at p of a body has the velocity v + ω x (p - c), with c the centre of mass
    of the whole machine; a force f at p is f and (p - c_b) x f about the body's own.

    Args:
        law: ``GroundConfig.numbers``, (5,).
        frame: of the surface, (6,).
        tiles: of the surface, (nx, ny) [m].
        radius: of a foot's ball [m].
        ease: what a newton does to a foot's speed in a step [m/s/N].
        feet: numbers of each foot's geom and body, (2, nl).
        geom_xpos: ``MjData.geom_xpos``.
        xipos: ``MjData.xipos``.
        cvel: ``MjData.cvel``, angular first.
        about: the machine's row of ``MjData.subtree_com``, (3,).
        xfrc: ``MjData.xfrc_applied``; the feet's rows are overwritten.
        last: forces and velocities of the last step, (2, nl, 3), velocities NaN before
            the first; overwritten.
        work: forces, places and velocities, (3, nl, 3); overwritten.
    """
    forces, places, speeds = work[0], work[1], work[2]
    for k in range(feet.shape[1]):
        p, c = geom_xpos[feet[0, k]], cvel[feet[1, k]]
        x, y, z = p[0] - about[0], p[1] - about[1], p[2] - about[2]
        speeds[k, 0] = c[3] + c[1] * z - c[2] * y
        speeds[k, 1] = c[4] + c[2] * x - c[0] * z
        speeds[k, 2] = c[5] + c[0] * y - c[1] * x
        for i in range(3):
            places[k, i] = p[i]
            gain = speeds[k, i] - last[1, k, i] - ease * last[0, k, i]
            last[1, k, i] = speeds[k, i] + (gain if gain == gain else 0.0)
    ground_forces(law, frame, tiles, places, last[1], radius, ease, forces)
    for k in range(feet.shape[1]):
        f, out, own = forces[k], xfrc[feet[1, k]], xipos[feet[1, k]]
        x, y = places[k, 0] - own[0], places[k, 1] - own[1]
        z = places[k, 2] - own[2]
        out[0], out[1], out[2] = f[0], f[1], f[2]
        out[3] = y * f[2] - z * f[1]
        out[4] = z * f[0] - x * f[2]
        out[5] = x * f[1] - y * f[0]
        for i in range(3):
            last[0, k, i], last[1, k, i] = f[i], speeds[k, i]


@final
@dataclass(frozen=True, eq=False)
class FeltGround:
    """The ground under the feet of a model whose own contacts they do not use."""

    model: mujoco.MjModel = field(repr=False)
    config: GroundConfig
    surface: Surface
    geoms: Ints
    """Number of each foot's geom, a sphere, (nl,)."""

    @classmethod
    def of(
        cls,
        model: mujoco.MjModel,
        feet: Sequence[str],
        surface: Surface,
        config: GroundConfig,
    ) -> "FeltGround":
        """Return the ground under feet that are named.

        Args:
            model: whose feet do not collide.
            feet: names of their geoms, spheres of one size and of one machine.
            surface: what they walk on.
            config: how it gives way.
        """
        geoms = np.array([model.geom(name).id for name in feet], np.int64)
        return cls(model, config, surface, geoms)

    def bound(self, data: mujoco.MjData, work: Array) -> Callable[[], None]:
        """Return what applies the forces, once a step, between both halves of it.

        The rows of ``xfrc_applied`` that belong to the feet's bodies are the ground's;
        those of other bodies are left alone.

        Args:
            data: in which ``mj_step1`` was called.
            work: forces on the feet (first, in the world [N]), their places and
                velocities, (3, nl, 3); overwritten at each call.
        """
        model = self.model
        bodies = model.geom_bodyid[self.geoms]
        root = int(model.body_rootid[bodies[0]])
        last = np.zeros((2, len(self.geoms), 3))
        last[1] = np.nan
        kernel: Callable[..., Any] = apply_ground
        return partial(
            kernel,
            self.config.numbers,
            self.surface.frame,
            self.surface.tiles,
            float(model.geom_size[self.geoms[0], 0]),
            self.ease(data),
            np.array([self.geoms, bodies], np.int64),
            data.geom_xpos,
            data.xipos,
            data.cvel,
            data.subtree_com[root],
            data.xfrc_applied,
            last,
            work,
        )

    def ease(self, data: mujoco.MjData) -> float:
        """Return what a newton does to the lightest foot's speed in a step, at most.

        The largest eigenvalue of J M⁻¹ Jᵀ over all feet, at the given pose and half as
        much again for others: too large a number only slows the creeping down.

        Args:
            data: of a pose; its kinematics are brought up to date.
        """
        model, lightest = self.model, 0.0
        mujoco.mj_forward(model, data)
        jacobian, moved = np.zeros((2, 3, model.nv))
        for geom in self.geoms:
            mujoco.mj_jacGeom(model, data, jacobian, None, int(geom))
            mujoco.mj_solveM(model, data, moved, jacobian)
            lightest = max(lightest, float(np.linalg.eigvalsh(jacobian @ moved.T)[-1]))
        return MARGIN * lightest * float(model.opt.timestep)
