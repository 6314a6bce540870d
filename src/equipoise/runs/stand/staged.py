"""A robot that is to stand, with everything in place but the loop."""

import math
from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np

from equipoise.control.laws import balance_law
from equipoise.control.workspace.balancer import (
    Balancer,
    balance_law_names,
    find_balance_law,
)
from equipoise.control.workspace.laws.step import TIMED
from equipoise.core.arrays import Array
from equipoise.core.contracts import Command, Controller, Sensed
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.jit import compiled
from equipoise.robots.robot import Robot
from equipoise.runs.stand.config import PERIOD, StandConfig
from equipoise.runs.stand.judge import set_place, trunk_centre
from equipoise.runs.stand.own_robot import usual_block
from equipoise.runs.stand.plan import expect_able_to_stand
from equipoise.runs.stand.result import AIMS, SIGNALS
from equipoise.runs.stand.throw import thrown_block
from equipoise.sim.delay import DelayedController, delay_ticks
from equipoise.sim.disturbances import ThrownBlock
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.plant import Stop
from equipoise.sim.staged import StagedRun
from equipoise.sim.world import World, WorldConfig, build_world

__all__ = ["expect_law", "staged_stand"]

STEPPING = "workspace-step"
CONTACT_TIME = 0.01  # at the engine's own 0.02 s soles sink in twice as deep [s]
LOWEST, FARTHEST = 0.72, math.radians(60.0)
"""Share of the set height, and turn from the set pose, at which it has fallen."""


def staged_stand(
    robot: Robot, config: StandConfig, own: Controller[Any] | None = None
) -> StagedRun:
    """Return a robot in its world, about to be hit.

    Args:
        robot: made ready by ``runs.stand.own_robot.footed``.
        config: all but its choice of robot, which does not count here.
        own: a controller of the caller's own in place of a law.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    controller = _standing_controller(robot, config, own)
    settings = WorldConfig(
        timestep=config.timestep,
        friction=config.friction,
        cone="elliptic",
        impratio=10.0,
        contact_time=CONTACT_TIME,
        skins=False,
    )
    world = build_world(robot, settings, thrown_blocks(robot, config))
    falls = _fall_of(world)
    return StagedRun(
        world=world,
        controller=controller,
        plant=IdealConfig(period=PERIOD, counts_contacts=False),
        seconds=config.seconds,
        falls=falls,
        stop=falls,
        pushes=() if config.push is None else (config.push,),
        signals=SIGNALS,
        record_every=1,
    )


def _standing_controller(
    robot: Robot, config: StandConfig, own: Controller[Any] | None
) -> Controller[Any]:
    """Return the controller, after asking whether the robot can stand."""
    controller: Controller[Any]
    if own is None:
        usual = TIMED if robot.source and config.controller == STEPPING else {}
        gains = {**usual, **config.gains}
        law, shared = balance_law(config.controller, gains, config.friction)
        controller = Balancer(robot, law, shared)
        expect_able_to_stand(robot)
    else:
        aim = np.hstack(set_place(robot)).tolist()
        controller = Aimed(own, dict(zip(AIMS, aim, strict=True)))
    late = delay_ticks(config.delay_ms, PERIOD)
    return DelayedController(controller, late) if late else controller


def expect_law(name: str) -> None:
    """Refuse a controller that no robot with feet has, naming those that it has."""
    from equipoise.control.com.law import law_names

    if name in law_names():
        raise ConfigError(
            f"controller '{name}'",
            [
                "it steers robots made of modules; a biped has "
                f"{', '.join(balance_law_names())}"
            ],
        )
    try:
        find_balance_law(name)
    except UnknownNameError:
        names = balance_law_names()
        raise UnknownNameError("controller", name, names, "the biped") from None


@final
@dataclass(frozen=True)
class Aimed:
    """A controller that may not say what it aims at: it then is the set pose."""

    controller: Controller[Any]
    aim: dict[str, float]

    def init(self) -> Any:
        """Return the state before the first tick."""
        return self.controller.init()

    def step(self, sensed: Sensed, state: Any) -> tuple[Command, Any]:
        """Return the command, with an aim."""
        command, state = self.controller.step(sensed, state)
        said = {**self.aim, "steps": 0.0, "gave_up": 0.0, **command.telemetry}
        return Command(command.tau, said), state


def thrown_blocks(robot: Robot, config: StandConfig) -> list[ThrownBlock]:
    """Return the block that is thrown, if one is."""
    mass = usual_block(robot) if config.block_mass is None else config.block_mass
    return [thrown_block(robot, mass, config.block_speed)] if mass > 0.0 else []


def _fall_of(world: World) -> Stop:
    """Return what says whether the robot of a world has fallen."""
    place, quat = set_place(world.robot)
    p_BO = trunk_centre(world.robot)
    lowest, nearest = LOWEST * float(place[2]), math.cos(0.5 * FARTHEST)
    base = world.base

    def falls(data: mujoco.MjData) -> bool:
        R_WB = data.xmat[base].reshape(3, 3)
        return has_fallen(data.xpos[base], R_WB, p_BO, quat, lowest, nearest)

    return falls


@compiled(allocates=False)
def has_fallen(
    p_WB: Array, R_WB: Array, p_BO: Array, quat: Array, lowest: float, nearest: float
) -> bool:
    """Return whether a base is too low or turned too far from an orientation.

    The trace of the turn between two orientations is 4 c² - 1, c the cosine of half the
    angle.
    """
    height = p_WB[2]
    for a in range(3):
        height += R_WB[2, a] * p_BO[a]
    w, x, y, z = quat[0], quat[1], quat[2], quat[3]
    trace = R_WB[0, 0] * (w * w + x * x - y * y - z * z)
    trace += R_WB[1, 1] * (w * w - x * x + y * y - z * z)
    trace += R_WB[2, 2] * (w * w - x * x - y * y + z * z)
    trace += 2.0 * (R_WB[0, 1] * (x * y - w * z) + R_WB[1, 0] * (x * y + w * z))
    trace += 2.0 * (R_WB[0, 2] * (x * z + w * y) + R_WB[2, 0] * (x * z - w * y))
    trace += 2.0 * (R_WB[1, 2] * (y * z - w * x) + R_WB[2, 1] * (y * z + w * x))
    return height < lowest or trace < 4.0 * nearest * nearest - 1.0
