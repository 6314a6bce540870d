"""What a robot's feet feel of the ground, and where they are, at every tick.

A foot is a body with geoms on which the robot stands. Only what touches the ground
counts: a block that lies on a foot does not.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import cached_dispatch, machine_code
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.sim.contacts import (
    APART,
    NO_FOOT,
    OUTSIDE,
    Contacts,
    engine_contacts,
    standing_foot,
)
from equipoise.sim.world import World

__all__ = ["Sole", "SoleLog", "SoleWatch", "foot_bodies"]


class Sole(Record):
    """A foot at one instant: what the ground does to it, and where it is."""

    force: Array = entry("of the ground on the foot, in W", "N", 3)
    cop: Array = entry("centre of pressure in the foot's frame", "m", 3)
    place: Array = entry("of the foot's frame in W", "m", 3)
    turn: Array = entry("its orientation", "", 3, 3)


@dataclass(frozen=True)
class SoleLog:
    """Log with one row per tick for nf feet; NaN for ticks that did not happen."""

    rows: NDArray[np.void] = field(repr=False)
    """Records ``Sole``, (nt, nf)."""

    @classmethod
    def empty(cls, ticks: int, feet: int) -> "SoleLog":
        """Return a log for this many ticks and feet, filled with NaN.

        Args:
            ticks: how many.
            feet: how many.
        """
        rows = np.zeros((ticks, feet), Sole.dtype())
        rows.view(np.float64)[:] = np.nan
        return cls(rows)

    @property
    def force(self) -> Array:
        """Force of the ground on each foot, in W, (nt, nf, 3) [N]."""
        return self.rows["force"]

    @property
    def cop(self) -> Array:
        """Centre of pressure in the foot's frame, (nt, nf, 3) [m]; NaN without load."""
        return self.rows["cop"]

    @property
    def place(self) -> Array:
        """Position of each foot's frame in W, (nt, nf, 3) [m]."""
        return self.rows["place"]

    @property
    def turn(self) -> Array:
        """Orientation of each foot, (nt, nf, 3, 3)."""
        return self.rows["turn"]


def foot_bodies(world: World) -> list[int]:
    """Return the bodies that stand, in the order in which the robot names its feet.

    A body that is welded to another counts as that one.
    """
    geoms = [world.model.geom(name).id for name in world.robot.feet]
    return list(dict.fromkeys(_body_of(world.model, geom) for geom in geoms))


def _body_of(model: mujoco.MjModel, geom: int) -> int:
    """Return the moving body that carries a geom."""
    return int(model.body_weldid[model.geom_bodyid[geom]])


@final
@dataclass(frozen=True)
class SoleWatch:
    """Watch that fills a log when the loop calls it, see ``sim.rollout.Watch``."""

    log: SoleLog
    body: Ints
    """Bodies of the feet, (nf,)."""
    foot_of: Ints = field(repr=False)
    """Foot of each geom, (ngeom,); ``NO_FOOT`` or, for the ground, ``OUTSIDE``."""
    load: Callable[..., None] = field(repr=False)
    """Kernel for contacts in the engine's layout."""
    _place = cached_dispatch(lambda: _place_soles)

    @classmethod
    def of(cls, world: World, ticks: int) -> "SoleWatch":
        """Return a watch with a log for this many ticks.

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
        foot_of = np.full(model.ngeom, NO_FOOT, np.int64)
        for name in world.robot.feet:
            geom = model.geom(name).id
            foot_of[geom] = feet.index(_body_of(model, geom))
        foot_of[model.geom("ground").id] = OUTSIDE
        log = SoleLog.empty(ticks + 1, len(feet))
        places, soles = np.zeros((2, 6))[:, :3], log.rows[0]
        load = machine_code(_load_soles, APART, places, foot_of, soles)
        return cls(log, np.array(feet, np.int64), foot_of, load)

    def __call__(self, tick: int, data: mujoco.MjData) -> None:
        """Keep what the feet feel at this tick."""
        soles = cast("Records[Sole]", self.log.rows[tick])
        turns = data.xmat.reshape(-1, 3, 3)
        self._place(self.body, data.xpos, turns, soles)
        self.load(engine_contacts(data), data.contact.pos, self.foot_of, soles)


@compiled(allocates=False)
def _place_soles(body: Ints, xpos: Array, xmat: Array, soles: Records[Sole]) -> None:
    """Write where the feet are.

    Args:
        body: of each foot, (nf,).
        xpos: places of all bodies, (nbody, 3) [m].
        xmat: their orientations, (nbody, 3, 3).
        soles: overwritten.
    """
    for f in range(body.shape[0]):
        for i in range(3):
            soles[f].place[i] = xpos[body[f], i]
            for j in range(3):
                soles[f].turn[i, j] = xmat[body[f], i, j]


@compiled(allocates=False)
def _load_soles(
    contacts: Contacts, places: Array, foot_of: Ints, soles: Records[Sole]
) -> None:
    """Sum the contacts of each foot: force in W, centre of pressure in its frame.

    Args:
        contacts: that acted last.
        places: of the contacts, (nc, 3) [m].
        foot_of: each geom's foot, (ngeom,).
        soles: where they are; the rest is overwritten.
    """
    for sole in soles:
        sole.force[:] = 0.0
        sole.cop[:] = 0.0
    for c in range(contacts.address.shape[0]):
        f, sign = standing_foot(contacts, c, foot_of)
        if f < 0:
            continue
        sole, at = soles[f], contacts.address[c]
        for a in range(3):
            for t in range(3):
                part = contacts.force[at + t] * contacts.frame[c, t, a]
                sole.force[a] += sign * part
            sole.cop[a] += contacts.force[at] * places[c, a]
    for sole in soles:
        _find_pressure(sole)


@compiled(allocates=False, force_inline=True)
def _find_pressure(sole: Sole) -> None:
    """Turn a sum of force times place into a place in the foot's frame.

    The ground is level, so a foot's normal force is its upward one.
    """
    load, p, R = sole.force[2], sole.place, sole.turn
    x = sole.cop[0] / load - p[0] if load > 0.0 else np.nan
    y = sole.cop[1] / load - p[1] if load > 0.0 else np.nan
    z = sole.cop[2] / load - p[2] if load > 0.0 else np.nan
    for a in range(3):
        sole.cop[a] = R[0, a] * x + R[1, a] * y + R[2, a] * z
