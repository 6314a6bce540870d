"""What each foot of a walking machine feels of the ground.

With elliptic cones the engine keeps a normal and two tangential forces a contact, and
the velocities along the same three directions; so slipping is told from rolling. Where
``sim.ground`` carries the feet, its forces act at their centres, and so do speeds.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import bound, machine_code
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.robot import Robot
from equipoise.sim.contacts import (
    APART,
    NO_FOOT,
    OUTSIDE,
    Contacts,
    engine_contacts,
    standing_foot,
)
from equipoise.sim.ground import FootBall
from equipoise.sim.terrain import Surface, ball_depth

__all__ = [
    "FeltFoot",
    "FootContacts",
    "FootGround",
    "feel_contacts",
    "foot_contacts",
    "foot_ground",
    "split_foot_forces",
]

CARRIES = 5.0  # load above which a foot's sliding is counted [N]


class FeltFoot(Record):
    """Last force of the ground on a foot, and its total slip."""

    force: Array = entry("of the ground on the foot, in W", "N", 3)
    normal: float = entry("its part along the ground's normal", "N")
    tangential: float = entry("size of the rest", "N")
    slip: float = entry("way that it slid while it carried", "m")


@final
@dataclass(frozen=True, eq=False)
class FootContacts:
    """Geoms of the feet, and the last forces on them."""

    foot_of: Ints
    """Each geom's foot; ``NO_FOOT`` for the rest of the machine, else ``OUTSIDE``."""
    feet: Records[FeltFoot]
    feel: Callable[..., None] = field(repr=False)
    """The kernel, for contacts as the engine keeps them."""

    def __call__(self, data: mujoco.MjData, dt: float) -> None:
        """Take what acted in the last time step, and slip for ``dt`` seconds.

        Args:
            data: of the engine, after a whole time step.
            dt: since the last call [s].
        """
        self.feel(dt, engine_contacts(data), self.foot_of, self.feet)


@final
@dataclass(frozen=True, eq=False)
class FootGround:
    """Feet that ``sim.ground`` carries, and what they felt last."""

    feel: Callable[[float], None]
    """The kernel with the feet as the ground leaves them."""
    feet: Records[FeltFoot]

    def __call__(self, data: mujoco.MjData, dt: float) -> None:
        """Take what acted in the last time step, and slip for ``dt`` seconds.

        Args:
            data: of the engine, not needed.
            dt: since the last call [s].
        """
        self.feel(dt)


def foot_ground(robot: Robot, surface: Surface, balls: Records[FootBall]) -> FootGround:
    """Return what listens to the feet of a machine on ``sim.ground``.

    Args:
        robot: the machine.
        surface: what it walks on.
        balls: that the ground fills, one a foot.
    """
    radius = float(robot.model.geom(robot.feet[0]).size[0])
    feet = FeltFoot.zeros(len(robot.feet))
    return FootGround(
        bound(split_foot_forces, balls, surface, radius, feet, float), feet
    )


def foot_contacts(robot: Robot, model: mujoco.MjModel) -> FootContacts:
    """Return what listens to the feet of a machine.

    Args:
        robot: the machine.
        model: its world, with elliptic friction cones.

    Raises:
        ConfigError: cones of another kind.
    """
    if model.opt.cone != mujoco.mjtCone.mjCONE_ELLIPTIC:
        raise ConfigError("the machine's world", ["its cone must be 'elliptic'"])
    root = int(model.body_rootid[model.body(robot.base).id])
    own = model.body_rootid[model.geom_bodyid] == root
    foot_of = np.where(own, NO_FOOT, OUTSIDE).astype(np.int64)
    for leg, name in enumerate(robot.feet):
        foot_of[model.geom(name).id] = leg
    feet = FeltFoot.zeros(len(robot.feet))
    feel = machine_code(feel_contacts, 0.0, APART, foot_of, feet)
    return FootContacts(foot_of, feet, feel)


@compiled(allocates=False)
def feel_contacts(
    dt: float, contacts: Contacts, foot_of: Ints, feet: Records[FeltFoot]
) -> None:
    """Sum each foot's contacts.

    Args:
        dt: time for which it slips [s].
        contacts: that acted last.
        foot_of: each geom's foot, (ngeom,).
        feet: overwritten.
    """
    for leg in range(feet.shape[0]):
        foot, most, slide = feet[leg], CARRIES, 0.0
        foot.force[:] = 0.0
        foot.normal = foot.tangential = 0.0
        for c in range(contacts.address.shape[0]):
            stands, sign = standing_foot(contacts, c, foot_of)
            if stands != leg:
                continue
            at, axes = int(contacts.address[c]), contacts.frame[c]
            press, speed = float(contacts.force[at]), contacts.speed
            for a in range(3):
                for t in range(3):
                    foot.force[a] += sign * contacts.force[at + t] * axes[t, a]
            foot.normal += press
            foot.tangential += float(
                np.hypot(contacts.force[at + 1], contacts.force[at + 2])
            )
            if press > most:
                most, slide = press, float(np.hypot(speed[at + 1], speed[at + 2]))
        foot.slip += dt * slide


@compiled(allocates=False)
def split_foot_forces(
    balls: Records[FootBall],
    surface: Surface,
    radius: float,
    feet: Records[FeltFoot],
    dt: float,
) -> None:
    """Split each foot's force into its normal and tangential part.

    Args:
        balls: as the ground left them.
        surface: of the ground.
        radius: of a foot's ball [m].
        feet: overwritten.
        dt: time for which it slips [s].
    """
    for leg in range(feet.shape[0]):
        ball, foot = balls[leg], feet[leg]
        normal = foot.force  # for a moment
        ball_depth(surface, ball.place, radius, normal)
        press, up = 0.0, 0.0
        for a in range(3):
            press += ball.force[a] * normal[a]
            up += ball.velocity[a] * normal[a]
        drag, slide = 0.0, 0.0
        for a in range(3):
            drag += (ball.force[a] - press * normal[a]) ** 2
            slide += (ball.velocity[a] - up * normal[a]) ** 2
            foot.force[a] = ball.force[a]
        foot.normal, foot.tangential = press, np.sqrt(drag)
        foot.slip += dt * np.sqrt(slide) if press > CARRIES else 0.0
