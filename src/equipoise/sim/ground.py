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
from dataclasses import dataclass, field, fields
from typing import Annotated, NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import bound
from equipoise.core.friction import MIDDLE_FRICTION
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings
from equipoise.sim.terrain import Surface, ball_depth

__all__ = [
    "GROUNDS",
    "FeltGround",
    "FootBall",
    "GroundConfig",
    "GroundLaw",
    "ground_forces",
]


class GroundLaw(Record):
    """Compliance of the ground, as compiled code takes it; see the file."""

    stiffness: float = entry("k_z", "N/mⁿ")
    damping: float = entry("d_z", "N s/m²")
    friction: float = entry("γ, largest share of the normal force")
    creep: float = entry("d_h, tangential force over speed while it sticks", "N s/m")
    exponent: float = entry("n, of the depth")


class FootBall(Record):
    """The ball at the end of a leg, and what the ground does to it."""

    force: Array = entry("of the ground, in W", "N", 3)
    place: Array = entry("of its centre", "m", 3)
    velocity: Array = entry("of the same", "m/s", 3)
    free: Array = entry("velocity after a step without the ground", "m/s", 3)


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class GroundConfig(Settings):
    """Compliance of the ground; defaults are the weakly damped one of table 6.1.

    Raises:
        ConfigError: a number that is not positive, damping and friction below zero.
    """

    stiffness: Annotated[
        float, Setting("Stiffness k_z of the ground under a foot", "N/mⁿ", above=0.0)
    ] = 70e3
    damping: Annotated[
        float,
        Setting(
            "Damping d_z of the ground under a foot, per depth, on the way in",
            "N s/m²",
            least=0.0,
        ),
    ] = 2e3
    friction: Annotated[
        float,
        Setting("Largest share γ of the normal force that friction takes", least=0.0),
    ] = MIDDLE_FRICTION
    creep: Annotated[
        float,
        Setting(
            "Tangential force over speed d_h while a foot sticks", "N s/m", above=0.0
        ),
    ] = 2e3
    exponent: Annotated[float, Setting("Exponent n of the depth", above=0.0)] = 1.0

    @property
    def law(self) -> Records[GroundLaw]:
        """Settings as compiled code takes them."""
        law = GroundLaw.zeros()
        for one in fields(self):
            setattr(law[0], one.name, getattr(self, one.name))
        return law


MARGIN = 1.5  # WARP1's feet get up to 1.34 times easier to move than they start
MOST_TURNS, CLOSE = 30, 1e-13  # of Newton's iteration; its share left over

GROUNDS = {"weak": GroundConfig(), "heavy": GroundConfig(stiffness=50e3, damping=1e5)}
"""Both rows of table 6.1: weakly and heavily damped."""


@compiled(allocates=False)
def ground_forces(
    law: Records[GroundLaw],
    surface: Surface,
    radius: float,
    ease: float,
    feet: Records[FootBall],
) -> None:
    """Write the force of the ground on each foot, from its place and free velocity.

    Args:
        law: how the ground gives way.
        surface: where it is.
        radius: of a foot's ball [m].
        ease: h w, what a newton does to a foot's speed in a step [m/s/N]; 0 for the law
            at the given velocities.
        feet: whose forces are overwritten.
    """
    ground = law[0]
    for foot in feet:
        f, v = foot.force, foot.free
        depth = ball_depth(surface, foot.place, radius, f)  # f: the normal
        if depth <= 0.0:
            f[0], f[1], f[2] = 0.0, 0.0, 0.0
            continue
        up = f[0] * v[0] + f[1] * v[1] + f[2] * v[2]
        spring = ground.stiffness * depth**ground.exponent
        damper = ground.damping * depth
        press = spring + damper * max(-up - ease * spring, 0.0) / (1.0 + ease * damper)
        tx, ty, tz = v[0] - up * f[0], v[1] - up * f[1], v[2] - up * f[2]
        speed, brake = math.sqrt(tx * tx + ty * ty + tz * tz), 0.0
        limit = ground.friction * press
        if speed > 0.0 and limit > 0.0:
            brake = _friction(limit, ground.creep, speed, ease) / speed
        f[0] = press * f[0] - brake * tx
        f[1] = press * f[1] - brake * ty
        f[2] = press * f[2] - brake * tz


@compiled(allocates=False, force_inline=True)
def _friction(limit: float, creep: float, speed: float, ease: float) -> float:
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


class EngineFeet(NamedTuple):
    """Indices of the engine's data for the ground's forces."""

    geom: Ints
    """Of each foot's ball, (nl,)."""
    body: Ints
    """That carries it, (nl,)."""
    geom_xpos: Array
    """(ngeom, 3) [m]."""
    xipos: Array
    """Centres of mass of the bodies, (nbody, 3) [m]."""
    cvel: Array
    """Angular and linear velocity of each body, as if at ``about``, (nbody, 2, 3)."""
    about: Array
    """Centre of mass of the whole machine, (3,) [m]."""
    xfrc: Array
    """Force and torque applied to each body; the feet's are overwritten,
    (nbody, 2, 3)."""


@compiled(allocates=False)
def _apply_ground(
    law: Records[GroundLaw],
    surface: Surface,
    radius: float,
    ease: float,
    engine: EngineFeet,
    feet: Records[FootBall],
) -> None:
    """Write the ground's forces on the bodies of the feet, as MuJoCo wants them.

    A point at p of a body has the velocity v + ω x (p - c), with c the centre of mass
    of the whole machine; a force f at p is f and (p - c_b) x f about the body's own.

    Args:
        law: how the ground gives way.
        surface: where it is.
        radius: of a foot's ball [m].
        ease: what a newton does to a foot's speed in a step [m/s/N].
        engine: where the engine keeps its part.
        feet: forces and velocities of the last step, velocities NaN before the first;
            overwritten.
    """
    for k in range(feet.shape[0]):
        _move_ball(engine, k, ease, feet[k])
    ground_forces(law, surface, radius, ease, feet)
    for k in range(feet.shape[0]):
        f, p = feet[k].force, feet[k].place
        force, torque = engine.xfrc[engine.body[k], 0], engine.xfrc[engine.body[k], 1]
        own = engine.xipos[engine.body[k]]
        x, y, z = p[0] - own[0], p[1] - own[1], p[2] - own[2]
        force[0], force[1], force[2] = f[0], f[1], f[2]
        torque[0] = y * f[2] - z * f[1]
        torque[1] = z * f[0] - x * f[2]
        torque[2] = x * f[1] - y * f[0]


@compiled(allocates=False)
def _move_ball(engine: EngineFeet, k: int, ease: float, foot: FootBall) -> None:
    """Write where a foot's ball is now, and its velocities with and without ground.

    Args:
        engine: where the engine keeps its part.
        k: number of the foot.
        ease: what a newton does to a foot's speed in a step [m/s/N].
        foot: overwritten but for its force, the last step's.
    """
    p, about = engine.geom_xpos[engine.geom[k]], engine.about
    w, v = engine.cvel[engine.body[k], 0], engine.cvel[engine.body[k], 1]
    x, y, z = p[0] - about[0], p[1] - about[1], p[2] - about[2]
    vx = v[0] + w[1] * z - w[2] * y
    vy = v[1] + w[2] * x - w[0] * z
    vz = v[2] + w[0] * y - w[1] * x
    for i, speed in enumerate((vx, vy, vz)):
        gain = speed - foot.velocity[i] - ease * foot.force[i]
        foot.free[i] = speed + (gain if gain == gain else 0.0)
        foot.velocity[i], foot.place[i] = speed, p[i]


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

    def bound(self, data: mujoco.MjData, feet: Records[FootBall]) -> Callable[[], None]:
        """Return what applies the forces, once a step, between both halves of it.

        The rows of ``xfrc_applied`` that belong to the feet's bodies are the ground's;
        those of other bodies are left alone.

        Args:
            data: in which ``mj_step1`` was called.
            feet: overwritten at each call.
        """
        model = self.model
        bodies = model.geom_bodyid[self.geoms].astype(np.int64)
        root = int(model.body_rootid[bodies[0]])
        for foot in feet:
            foot.force[:], foot.velocity[:] = 0.0, np.nan
        engine = EngineFeet(
            geom=self.geoms,
            body=bodies,
            geom_xpos=data.geom_xpos,
            xipos=data.xipos,
            cvel=data.cvel.reshape(-1, 2, 3),
            about=data.subtree_com[root],
            xfrc=data.xfrc_applied.reshape(-1, 2, 3),
        )
        radius = float(model.geom_size[self.geoms[0], 0])
        return bound(
            _apply_ground,
            self.config.law,
            self.surface,
            radius,
            self.ease(data),
            engine,
            feet,
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
