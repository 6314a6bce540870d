"""What a robot's feet feel of the ground, and where they are, at every tick.

A foot is a body with geoms on which the robot stands. Only what touches the ground
counts: a block that lies on a foot does not.
"""

from dataclasses import dataclass, field
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.sim.world import World

__all__ = ["SoleLog", "SoleWatch", "foot_bodies"]


@dataclass(frozen=True)
class SoleLog:
    """One row a tick; NaN for ticks that did not happen. nf feet."""

    rows: Array = field(repr=False)
    """(nt, nf, 18): force, centre of pressure, place, orientation."""

    @property
    def force(self) -> Array:
        """Of the ground on each foot, in W, (nt, nf, 3) [N]."""
        return self.rows[:, :, 0:3]

    @property
    def cop(self) -> Array:
        """Centre of pressure in the foot's frame, (nt, nf, 3) [m]; NaN without load."""
        return self.rows[:, :, 3:6]

    @property
    def place(self) -> Array:
        """Of each foot's frame in W, (nt, nf, 3) [m]."""
        return self.rows[:, :, 6:9]

    @property
    def turn(self) -> Array:
        """Its orientation, (nt, nf, 3, 3)."""
        return self.rows[:, :, 9:18].reshape(*self.rows.shape[:2], 3, 3)


def foot_bodies(world: World) -> list[int]:
    """Return the bodies that stand, in the order in which the robot names its feet.

    A body that is welded to another counts as that one.
    """
    geoms = [world.model.geom(name).id for name in world.robot.feet]
    return list(dict.fromkeys(body_of(world.model, geom) for geom in geoms))


def body_of(model: mujoco.MjModel, geom: int) -> int:
    """Return the moving body that carries a geom."""
    return int(model.body_weldid[model.geom_bodyid[geom]])


@final
@dataclass(frozen=True)
class SoleWatch:
    """Fills a log when the loop calls it, see ``sim.rollout.Watch``."""

    log: SoleLog
    body: Ints
    """(nf,) the feet's bodies."""
    foot_of: Ints = field(repr=False)
    """(ngeom,) each geom's foot; -1 for others, -2 for the ground."""

    @classmethod
    def of(cls, world: World, ticks: int) -> "SoleWatch":
        """Return a watch with room for this many ticks.

        Args:
            world: where the robot stands; its friction cones are elliptic.
            ticks: number of control periods.

        Raises:
            ConfigError: cones of another kind.
        """
        if world.config.cone != "elliptic":
            raise ConfigError(
                "SoleWatch",
                [f"the world's cone must be 'elliptic', got '{world.config.cone}'"],
            )
        model, feet = world.model, foot_bodies(world)
        foot_of = np.full(model.ngeom, -1, np.int64)
        for name in world.robot.feet:
            geom = model.geom(name).id
            foot_of[geom] = feet.index(body_of(model, geom))
        foot_of[model.geom("ground").id] = -2
        log = SoleLog(np.full((ticks + 1, len(feet), 18), np.nan))
        return cls(log, np.array(feet, np.int64), foot_of)

    def __call__(self, tick: int, data: mujoco.MjData) -> None:
        """Keep what the feet feel at this tick."""
        contact, packed = data.contact, np.ascontiguousarray  # one layout, one kernel
        keep_soles(
            tick, packed(contact.geom), packed(contact.efc_address),
            packed(contact.pos), packed(contact.frame), data.efc_force,
            data.xpos, data.xmat, self.foot_of, self.body, self.log.rows,
        )  # fmt: skip


@compiled(allocates=False)
def keep_soles(
    tick: int,
    geom: Array,
    address: Array,
    pos: Array,
    frame: Array,
    efc_force: Array,
    xpos: Array,
    xmat: Array,
    foot_of: Ints,
    body: Ints,
    rows: Array,
) -> None:
    """Sum the contacts of each foot: force in W, centre of pressure in its frame.

    With elliptic cones the engine keeps normal and two tangential forces a contact.
    """
    for f in range(body.shape[0]):
        for a in range(6):
            rows[tick, f, a] = 0.0
        for a in range(3):
            rows[tick, f, 6 + a] = xpos[body[f], a]
        for a in range(9):
            rows[tick, f, 9 + a] = xmat[body[f], a]
    for c in range(address.shape[0]):
        one, two = foot_of[geom[c, 0]], foot_of[geom[c, 1]]
        is_standing = (one == -2 and two >= 0) or (two == -2 and one >= 0)
        if address[c] < 0 or not is_standing:
            continue
        f = max(one, two)
        sign = 1.0 if two >= 0 else -1.0  # the engine's force acts on the second geom
        for a in range(3):
            for t in range(3):
                part = efc_force[address[c] + t] * frame[c, 3 * t + a]
                rows[tick, f, a] += sign * part
            rows[tick, f, 3 + a] += efc_force[address[c]] * pos[c, a]
    for f in range(body.shape[0]):
        find_pressure(rows[tick, f])


@compiled(allocates=False, melts=True)
def find_pressure(row: Array) -> None:
    """Turn a sum of force times place into a place in the foot's frame.

    The ground is level, so a foot's normal force is its upward one.
    """
    load = row[2]
    x = row[3] / load - row[6] if load > 0.0 else np.nan
    y = row[4] / load - row[7] if load > 0.0 else np.nan
    z = row[5] / load - row[8] if load > 0.0 else np.nan
    for a in range(3):
        row[3 + a] = row[9 + a] * x + row[12 + a] * y + row[15 + a] * z
