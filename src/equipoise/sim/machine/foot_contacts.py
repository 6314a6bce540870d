"""What each foot of a walking machine feels of the ground.

With elliptic cones the engine keeps a normal and two tangential forces a contact, and
the velocities along the same three directions; so slipping is told from rolling. Where
``sim.ground`` carries the feet, its forces act at their centres, and so do speeds.
"""

from dataclasses import dataclass
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.robots.robot import Robot
from equipoise.sim.terrain import Surface, ball_depth

__all__ = [
    "FootContacts",
    "FootGround",
    "feel_contacts",
    "feel_ground",
    "foot_contacts",
    "foot_ground",
]

CARRIES = 5.0  # load above which a foot's sliding is counted [N]


@final
@dataclass(frozen=True, eq=False)
class FootContacts:
    """Which geoms are feet, and what the feet felt last."""

    foot_of: Ints
    """Each geom's foot; -1 for the rest of the machine, -2 for what is not of it."""
    feet: Array
    """Force in W, its normal part, its tangential part, way slipped, (nl, 6)."""

    def __call__(self, data: mujoco.MjData, dt: float) -> None:
        """Take what acted in the last time step, and slip for ``dt`` seconds.

        Args:
            data: of the engine, after a whole time step.
            dt: since the last call [s].
        """
        contact, packed = data.contact, np.ascontiguousarray  # one layout, one kernel
        feel_contacts(
            dt, packed(contact.geom), packed(contact.efc_address),
            packed(contact.frame), data.efc_force, data.efc_vel, self.foot_of,
            self.feet,
        )  # fmt: skip


@final
@dataclass(frozen=True, eq=False)
class FootGround:
    """Feet that ``sim.ground`` carries, and what they felt last."""

    work: Array
    """Forces, places and velocities of the feet, as the ground leaves them."""
    frame: Array
    tiles: Array
    radius: float
    feet: Array
    """Force in W, its normal part, its tangential part, way slipped, (nl, 6)."""

    def __call__(self, data: mujoco.MjData, dt: float) -> None:
        """Take what acted in the last time step, and slip for ``dt`` seconds.

        Args:
            data: of the engine, not needed.
            dt: since the last call [s].
        """
        feel_ground(dt, self.work, self.frame, self.tiles, self.radius, self.feet)


def foot_ground(robot: Robot, surface: Surface, work: Array) -> FootGround:
    """Return what listens to the feet of a machine on ``sim.ground``.

    Args:
        robot: the machine.
        surface: what it walks on.
        work: that the ground fills, (3, nl, 3).
    """
    radius, nl = float(robot.model.geom(robot.feet[0]).size[0]), len(robot.feet)
    return FootGround(work, surface.frame, surface.tiles, radius, np.zeros((nl, 6)))


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
    foot_of = np.where(own, -1, -2).astype(np.int64)
    for leg, name in enumerate(robot.feet):
        foot_of[model.geom(name).id] = leg
    return FootContacts(foot_of, np.zeros((len(robot.feet), 6)))


@compiled(allocates=False)
def feel_contacts(
    dt: float,
    geom: Ints,
    address: Ints,
    frame: Array,
    force: Array,
    speed: Array,
    foot_of: Ints,
    feet: Array,
) -> None:
    """Sum each foot's contacts.

    Args:
        dt: time for which it slips [s].
        geom: the two that touch, (nc, 2).
        address: of each contact's rows among all constraints, (nc,).
        frame: normal and tangents of each contact, (nc, 9).
        force: of all constraints.
        speed: along them.
        foot_of: each geom's foot, (ngeom,).
        feet: overwritten, (nl, 6).
    """
    for leg in range(feet.shape[0]):
        for a in range(5):
            feet[leg, a] = 0.0
    for leg in range(feet.shape[0]):
        most, slide = CARRIES, 0.0
        for c in range(address.shape[0]):
            one, two = foot_of[geom[c, 0]], foot_of[geom[c, 1]]
            is_mine = (one == -2 and two == leg) or (two == -2 and one == leg)
            at = address[c]
            if at < 0 or not is_mine:
                continue
            sign = 1.0 if two == leg else -1.0  # it acts on the second geom
            for a in range(3):
                for t in range(3):
                    feet[leg, a] += sign * force[at + t] * frame[c, 3 * t + a]
            feet[leg, 3] += force[at]
            feet[leg, 4] += np.hypot(force[at + 1], force[at + 2])
            if force[at] > most:
                most, slide = force[at], np.hypot(speed[at + 1], speed[at + 2])
        feet[leg, 5] += dt * slide


@compiled(allocates=False)
def feel_ground(
    dt: float, work: Array, frame: Array, tiles: Array, radius: float, feet: Array
) -> None:
    """Split each foot's force into its normal and tangential part.

    Args:
        dt: time for which it slips [s].
        work: forces, places and velocities, (3, nl, 3).
        frame: of the ground, (4,).
        tiles: of the ground, (nx, ny) [m].
        radius: of a foot's ball [m].
        feet: overwritten, (nl, 6).
    """
    for leg in range(feet.shape[0]):
        force, place, speed, row = work[0, leg], work[1, leg], work[2, leg], feet[leg]
        ball_depth(frame, tiles, place, radius, row[:3])  # the normal, for a moment
        press, up = 0.0, 0.0
        for a in range(3):
            press += force[a] * row[a]
            up += speed[a] * row[a]
        drag, slide = 0.0, 0.0
        for a in range(3):
            drag += (force[a] - press * row[a]) ** 2
            slide += (speed[a] - up * row[a]) ** 2
            row[a] = force[a]
        row[3], row[4] = press, np.sqrt(drag)
        row[5] += dt * np.sqrt(slide) if press > CARRIES else 0.0
