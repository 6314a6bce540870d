"""Freeze a walking machine at some instants: does it stay up?

A walk is *safe* when all joints may be held where they are at any instant and the
machine still comes to rest on its feet, [Ridderstrom2003] section 3.1.2. At instants
that the seed draws, the whole state of the simulation is copied; when the walk is over
each copy is run on by itself, each joint held at its angle of that instant by a stiff
servo that is as strong as its drive. The walk itself is not touched.

It stays up when it does not fall (``runs.walk.fall``) and is at rest when the time is
over. A machine that stands on two feet at the instant tips onto the others first.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.seeds import stream
from equipoise.runs.walk.fall import FALLS, FallWatch
from equipoise.sim.ground import FootBall
from equipoise.sim.world import World

__all__ = ["FreezeWatch", "freeze_numbers", "freeze_ticks"]

WATCHED = 5.0  # after the instant; on two feet it may balance for a while [s]
PACE = 100.0
"""Of a held joint, critically damped [rad/s]."""
TIPPED = (
    5.0  # tilt from which on it has tipped onto feet that were in the air [degrees]
)
RESTS = 0.02  # speed of the trunk below which it is at rest [m/s]
STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class Frozen(NamedTuple):
    """Result of freezing a machine."""

    time: float
    """When [s]."""
    how: str
    """``no`` where it did not fall, ``moves`` where it was not at rest."""
    tilt: float
    """Largest from upright [degrees]."""


@final
@dataclass(frozen=True)
class FreezeWatch:
    """Copies the simulation's state at some ticks; a ``Watch``."""

    model: mujoco.MjModel = field(repr=False)
    ticks: frozenset[int]
    """At which it does so."""
    states: dict[int, VecN] = field(default_factory=dict, repr=False)
    """By tick."""

    def __call__(self, k: int, data: mujoco.MjData) -> None:
        """Copy the state where it is time.

        Args:
            k: number of the tick.
            data: of the engine.
        """
        if k in self.ticks:
            state = np.empty(mujoco.mj_stateSize(self.model, STATE))
            mujoco.mj_getState(self.model, data, state, STATE)
            self.states[k] = state


def freeze_ticks(
    number: int, begin: float, end: float, period: float, seed: int
) -> frozenset[int]:
    """Return at which ticks a machine is frozen, as the seed draws them.

    Args:
        number: how many, no two of them the same.
        begin: from when [s].
        end: until when [s].
        period: of the controller [s].
        seed: of the walk.
    """
    first, last = round(begin / period), round(end / period)
    drawn = stream(seed, "freeze").choice(
        last - first, size=min(number, last - first), replace=False
    )
    return frozenset(int(k) + first for k in drawn)


def freeze_numbers(
    world: World, watch: FreezeWatch, fall: FallWatch, period: float
) -> dict[str, Any] | None:
    """Run on each copy with its joints held; return what is told, None if none is.

    Args:
        world: in which it walked.
        watch: that has the copies.
        fall: that says whether it fell.
        period: of the controller [s].
    """
    if not watch.ticks:
        return None
    found = [
        _frozen(world, state, fall, k * period)
        for k, state in sorted(watch.states.items())
    ]
    return {
        "asked": len(watch.ticks),
        "tried": len(found),
        "stable": sum(one.how == "no" for one in found),
        "tipped": sum(one.tilt > TIPPED for one in found),
        "watched_s": WATCHED,
        "tilt_max_deg": max((one.tilt for one in found), default=None),
        "instants": [
            {"time_s": one.time, "fell_how": one.how, "tilt_max_deg": one.tilt}
            for one in found
        ],
    }


def _frozen(world: World, state: VecN, fall: FallWatch, time: float) -> Frozen:
    """Hold all joints from a state on and watch the machine.

    Args:
        world: in which it walked.
        state: of the simulation.
        fall: that says whether it fell.
        time: of the state [s].
    """
    model, data = world.model, mujoco.MjData(world.model)
    mujoco.mj_setState(model, data, state, STATE)
    data.xfrc_applied[:], data.qfrc_applied[:] = 0.0, 0.0
    mujoco.mj_forward(model, data)
    balls = FootBall.zeros(len(world.robot.feet))
    ground = None if world.ground is None else world.ground.bound(data, balls)
    at, rate = world.q_address, world.v_address
    held, limit = data.qpos[at].copy(), _torques_of(world)
    weight, upright = _inertia_of(world, data), 1.0
    for _ in range(round(WATCHED / model.opt.timestep)):
        servo = PACE**2 * (held - data.qpos[at]) - 2.0 * PACE * data.qvel[rate]
        data.qfrc_applied[rate] = np.clip(weight * servo, -limit, limit)
        mujoco.mj_step1(model, data)
        if ground is not None:
            ground()
        kind = fall.kind(data)
        upright = min(upright, float(data.xmat[world.base][8]))
        if kind:
            return Frozen(time, FALLS[kind], _tilt_of(upright))
        mujoco.mj_step2(model, data)
    rests = bool(np.linalg.norm(data.qvel[:3]) < RESTS)
    return Frozen(time, "no" if rests else "moves", _tilt_of(upright))


def _torques_of(world: World) -> VecN:
    """Return what each joint's drive can give at most, (nu,) [N m or N]."""
    return np.array([drive.torque for drive in world.robot.drives])


def _inertia_of(world: World, data: mujoco.MjData) -> VecN:
    """Return what each joint has to move, (nu,) [kg m² or kg]."""
    full = np.zeros((world.model.nv, world.model.nv))
    mujoco.mj_fullM(world.model, data, full)
    return full.diagonal()[world.v_address]


def _tilt_of(upright: float) -> float:
    """Return an angle from its cosine [degrees]."""
    return float(np.degrees(np.arccos(np.clip(upright, -1.0, 1.0))))
