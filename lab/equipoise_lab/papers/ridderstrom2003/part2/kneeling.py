"""Down on the knees and up again with 50 kg, section 5.4.1, simulated."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.legs import (
    FollowController,
    KneelConfig,
    KneelMotion,
    follow_controller,
)
from equipoise.control.legs.follow import FollowState
from equipoise.core.arrays import Array
from equipoise.core.contracts import Command, Readings
from equipoise.robots.warp1.options import Warp1Options
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED

__all__ = ["Kneeling", "knelt"]

SECONDS = 24.5
EVERY = 5  # ticks from one kept sample to the next


class Kneeling(NamedTuple):
    """What figure 5.9 shows of a simulation; torques are of all four legs."""

    time: Array
    """(n,) [s]."""
    height: Array
    """Of the trunk, (n,) [m]."""
    tilt: float
    """Largest roll, pitch or yaw [rad]."""
    asked: Array
    """Torques that law (5.1) asks for: hip flexion and knee, (n, 2), front left."""
    torques: Array
    """Of the drives, (n, 4, 3) [N m]."""
    stopped: NDArray[np.bool_]
    """Whether each knee's limit sensor is active, front left, (n,)."""
    on_feet: Array
    """Share of the weight that the feet carry, (n,)."""


@final
@dataclass(frozen=True, eq=False)
class Overheard:
    """A controller that also tells what it asks of its first leg, and its limits."""

    inner: FollowController

    def init(self) -> FollowState:
        """Return the state before the first tick."""
        return self.inner.init()

    def step(self, sensed: Readings, state: FollowState) -> tuple[Command, FollowState]:
        """Return this tick's command with more telemetry.

        Args:
            sensed: the readings.
            state: of the last tick.
        """
        command, after = self.inner.step(sensed, state)
        told: dict[str, Any] = dict(command.telemetry)
        told["asked_hip"], told["asked_knee"] = command.tau[1], command.tau[2]
        told["limit"] = sensed.limit[2]
        return replace(command, telemetry=told), after


def knelt(*, is_powered: bool = True, seed: int = 0) -> Kneeling:
    """Return a simulation of kneeling down and rising.

    Args:
        is_powered: whether hip flexion and knees are driven while it kneels.
        seed: of the sensors' noise.
    """
    robot = warp1(Warp1Options(payload=PRINTED.payload))
    motion = KneelMotion(KneelConfig(is_powered=is_powered))
    controller = Overheard(follow_controller(robot, motion))
    config = MachineConfig.real(seed)
    world = machine_world(robot)
    run = rollout(world, controller, SECONDS, plant=config, record_every=EVERY)
    weight = float(world.model.body_mass.sum()) * -float(world.model.opt.gravity[2])
    n = slice(0, -1)
    return Kneeling(
        run.time[n],
        run.p_WB[n, 2],
        float(np.abs(run.attitude).max()),
        np.stack([run.said("asked_hip"), run.said("asked_knee")], axis=1)[n],
        run.tau[n].reshape(-1, 4, 3),
        run.said("limit")[n] != 0.0,
        run.normal[n].sum(axis=1) / weight,
    )
