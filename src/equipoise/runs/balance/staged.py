"""A robot made of modules, with everything in place but the loop."""

import math
from typing import Any

import mujoco
import numpy as np

from equipoise.control.com.brain.controller import FramedConfig
from equipoise.control.com.controller import ComConfig, ComController
from equipoise.control.com.feet.controller import FeetConfig, FeetController
from equipoise.control.com.goal import ComGoal, line_goal
from equipoise.control.com.law import RECOMMENDED, AbstractLaw, find_law, law_names
from equipoise.control.laws import steering_law
from equipoise.core.arrays import Array
from equipoise.core.contracts import Controller
from equipoise.core.errors import ConfigError
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.robot import Robot
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.balance.free import Hand, freed, steady_gains
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.plant import Stop
from equipoise.sim.staged import StagedRun
from equipoise.sim.world import World, WorldConfig, build_world

__all__ = [
    "LARGEST_LEAN", "expect_modules", "expect_steering", "goal_of", "staged_balance",
    "stands_on_feet",
]  # fmt: skip

FRAME_MS = 1.0  # time a frame takes to a neighbour
LARGEST_LEAN = math.radians(45.0)
"""Lean of a free foot from which the robot has fallen [rad]."""


def staged_balance(
    robot: Robot, config: SteerConfig, own: Controller[Any] | None = None
) -> StagedRun:
    """Return a robot in its world, about to be steered.

    Args:
        robot: made of modules.
        config: how it is steered and simulated.
        own: a controller of the caller's own in place of a law.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    assembly = expect_modules(robot)
    if config.free:
        robot = freed(robot, assembly)
    controller = own
    if controller is None and stands_on_feet(assembly):
        controller = _feet_steering(assembly, config)
    if controller is None:
        expect_steering(config.controller)
        gains = {**steady_gains(config), **config.gains}
        hop_delay = _hop_delay_of(config)
        law = steering_law(config.controller, gains, assembly, hop_delay)
        controller = _steering(expect_modules(robot), law, config)
    world = build_world(robot, WorldConfig(contacts=config.contacts))
    hand = None
    if config.free:
        hand = Hand(world, config.goal(), assembly.body.width)
    return StagedRun(
        world=world,
        controller=controller,
        moves=hand,
        plant=IdealConfig(),
        seconds=config.seconds,
        falls=_tipping_of(world),
        signals=(),
    )


def _hop_delay_of(config: SteerConfig) -> float:
    """Return the time a message takes to a neighbour [s]."""
    return round(config.hop_delay_ms) * 1e-3


def _steering(
    assembly: Assembly, law: AbstractLaw, config: SteerConfig
) -> ComController:
    """Return the controller of a law, with the messages that a configuration has."""
    return ComController(
        assembly,
        law,
        ComConfig(
            hop_delay=_hop_delay_of(config),
            loss=config.loss,
            gravity_compensation=config.gravity_compensation,
            seed=config.seed,
        ),
        config.goal(),
    )


def stands_on_feet(assembly: Assembly) -> bool:
    """Return whether a robot stands on several feet, not on one module's face."""
    return assembly.ground.mount == "feet"


def _feet_steering(assembly: Assembly, config: SteerConfig) -> FeetController:
    """Return the controller that keeps a robot on all of its feet.

    The laws of one foot steer the centre of mass by every joint between it and the
    ground, and would push such a robot's own feet from under it.

    Raises:
        ConfigError: something is asked that only robots on one foot can do.
    """
    asked = {
        f"controller '{config.controller}'": config.controller != RECOMMENDED,
        "settings of a law": bool(config.gains),
        "a target": config.target is not None,
        f"a hop of {config.hop_delay_ms:g} ms": config.hop_delay_ms != FRAME_MS,
        "no gravity compensation": not config.gravity_compensation,
    }
    problems = [
        f"{what} is for robots on one foot; '{assembly.name}' stands on several, which"
        " have one law and links of 1 ms a hop; leave it out"
        for what, is_asked in asked.items()
        if is_asked
    ]
    if problems:
        raise ConfigError("balance", problems[:1])
    framed = FramedConfig(loss=config.loss, seed=config.seed)
    return FeetController(assembly, (), FeetConfig(framed=framed))


def goal_of(world: World, assembly: Assembly, config: SteerConfig) -> ComGoal:
    """Return where the centre of mass shall be: on several feet over their middle."""
    if not stands_on_feet(assembly):
        return config.goal()
    start = world.start()
    balls = [world.model.geom(name).id for name in world.robot.feet]
    x, y = start.geom_xpos[balls, :2].mean(axis=0)
    return line_goal((float(x), float(y)))


def expect_steering(name: str) -> None:
    """Refuse a controller that does not steer modules, naming those that do."""
    from equipoise.control.workspace.balancer import balance_law_names

    if name in balance_law_names():
        raise ConfigError(
            f"controller '{name}'",
            [
                "it balances a biped; robots made of modules have "
                f"{', '.join(law_names())}"
            ],
        )
    find_law(name)


def expect_modules(robot: Robot) -> Assembly:
    """Return the robot's assembly, or say that it has none."""
    if robot.assembly is None:
        raise ConfigError(
            f"robot '{robot.name}'",
            [
                "balance steers robots made of modules; give 'superbot' or an assembly"
                + (", or use equipoise.simulate" if robot.feet else "")
            ],
        )
    return robot.assembly


def _tipping_of(world: World) -> Stop:
    """Return what says whether a free base leans too far from how it stood."""
    address = _free_quaternion(world)
    if address is None:
        return lambda _: False
    start = world.start().qpos[address : address + 4].copy()

    def falls(data: mujoco.MjData) -> bool:
        now = data.qpos[address : address + 4]
        return _has_leaned(np.vstack([start, now]))

    return falls


def _free_quaternion(world: World) -> int | None:
    """Return where a free base's turn begins in ``qpos``; None if it is fixed."""
    model = world.model
    joint = int(model.body_jntadr[world.base])
    free = int(mujoco.mjtJoint.mjJNT_FREE)
    if joint < 0 or int(model.jnt_type[joint]) != free:
        return None
    return int(model.jnt_qposadr[joint]) + 3


def has_tipped(world: World, q: Array) -> bool:
    """Return whether a free base ever leaned more than 45 degrees from how it stood.

    Args:
        world: of the robot.
        q: its poses, the first one how it stood, (nt, nq).
    """
    address = _free_quaternion(world)
    return address is not None and _has_leaned(q[:, address : address + 4])


def _has_leaned(quat: Array) -> bool:
    """Return whether any orientation leans more than 45 degrees from the first one."""
    start, up, turned = np.empty(3), np.array([0.0, 0.0, 1.0]), np.empty(3)
    back = quat[0] * (1.0, -1.0, -1.0, -1.0)
    mujoco.mju_rotVecQuat(start, up, back)  # the world's up in the foot's frame
    for row in quat:
        mujoco.mju_rotVecQuat(turned, start, row)
        if turned[2] < math.cos(LARGEST_LEAN) * np.dot(row, row):
            return True
    return False
