"""A walking robot as the two programs that run many of them at once."""

from collections.abc import Collection

import numpy as np

from equipoise.control.pilot import WalkingGoal
from equipoise.control.straight.balance import SLACK
from equipoise.control.straight.controller import (
    StraightController,
    straight_controller,
)
from equipoise.core.errors import ConfigError
from equipoise.core.friction import MIDDLE_FRICTION
from equipoise.core.setting import offer_problems
from equipoise.equations.tape.named import NamedNumber, NamedSymbols
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Expr
from equipoise.robots.robot import Robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.goals import START
from equipoise.runs.walk.resolved import ResolvedWalk, resolved_walk
from equipoise.sim.machine.world import machine_world
from equipoise.sim.many.feet import looked_up
from equipoise.sim.many.plant import PUSH, PlantStep, plant_step
from equipoise.sim.many.program import ManyProgram
from equipoise.sim.world import World

__all__ = ["VARIED", "batch_world", "program_of", "walking_program"]

VARIED = ("speed", "left", "turn", "friction", "ground_stiffness", "ground_damping")
"""Settings of each robot unless others are named."""


def walking_program(
    robot: Robot,
    config: WalkConfig | None = None,
    *,
    varied: Collection[str] = VARIED,
    timestep: float = 0.001,
    turns: int | None = None,
    slack: float = SLACK,
    has_table: bool = False,
) -> ManyProgram:
    """Return a walking robot as straight-line programs.

    Args:
        robot: with legs and drives, or of a file in which legs are found.
        config: how it walks; its ground must be ``weak`` or ``heavy``.
        varied: names of the settings that each robot has of its own; all others are
            numbers of the programs. Every name is in ``settings`` of what comes back.
        timestep: of physics; the control period must be a multiple of it [s].
        turns: of Newton's iteration for a foot's creep; None for as many as it takes.
        slack: of the loads that feet share, see ``control.straight.balance``.
        has_table: whether the ground's height is looked up in a table at every step.

    Raises:
        ConfigError: a robot, a ground or a controller that straight lines do not have;
            every reason is named.
        UnknownNameError: no such setting.
    """
    config = config or WalkConfig(ground="weak")
    expect_plain_walk(robot, config)
    return program_of(
        resolved_walk(robot, config),
        varied=varied,
        timestep=timestep,
        turns=turns,
        slack=slack,
        has_table=has_table,
    )


def program_of(
    walk: ResolvedWalk,
    *,
    varied: Collection[str] = VARIED,
    timestep: float = 0.001,
    turns: int | None = None,
    slack: float = SLACK,
    has_table: bool = False,
) -> ManyProgram:
    """Return a resolved walk as straight-line programs.

    Args:
        walk: one that ``expect_plain_walk`` lets pass.
        varied: see ``walking_program``, as for all that follow.
        timestep: of physics [s].
        turns: of Newton's iteration.
        slack: of the loads that feet share.
        has_table: whether the ground's height is looked up.

    Raises:
        ConfigError: a controller that is not made of parts, or a time step that does
            not divide the control period.
        UnknownNameError: no such setting.
    """
    name = walk.robot.name
    if walk.walking is None:
        problem = f"controller '{walk.controller}' is not made of parts"
        raise ConfigError(f"many of '{name}' at once", [problem])
    world = batch_world(walk, timestep)
    period = walk.machine.period
    steps = round(period / timestep)
    if steps < 1 or abs(steps * timestep - period) > 1e-9:
        problem = (
            f"timestep must divide the control period {period:g} s, got {timestep!r}"
        )
        raise ConfigError(f"many of '{name}' at once", [problem])
    goal = WalkingGoal(
        time=START, forward=walk.forward, left=walk.aside, turn=walk.turn
    )
    payload = payload_settings(world)
    brain = straight_controller(
        walk.robot,
        walk.machine,
        walk.walking,
        goal,
        period,
        payload=payload,
        varied=varied,
        slack=slack,
    )
    plant = plant_step(
        world, varied=varied, turns=turns, payload=payload, has_table=has_table
    )
    return _joined(f"{name} {walk.gait}", plant, brain, steps, timestep)


def payload_settings(world: World) -> list[NamedNumber]:
    """Return what may vary of a payload: none, on top of the trunk, in its middle.

    Args:
        world: with the robot.
    """
    model = world.model
    own = np.flatnonzero(model.geom_bodyid == world.base)
    tops = model.geom_pos[own, 2] + model.geom_rbound[own]
    boxes = model.geom_aabb[own]
    level = np.isclose(np.abs(model.geom_quat[own, 0]), 1.0)
    tops = np.where(level, model.geom_pos[own, 2] + boxes[:, 2] + boxes[:, 5], tops)
    top = float(tops.max(initial=0.0))
    return [
        NamedNumber("payload", "kg", 0.0, "that it carries and knows of"),
        NamedNumber("payload.x", "m", 0.0, "its place on the trunk, ahead"),
        NamedNumber("payload.y", "m", 0.0, "to the left"),
        NamedNumber("payload.z", "m", top, "up; the trunk's top"),
    ]


def expect_plain_walk(robot: Robot, config: WalkConfig) -> None:
    """Refuse walks that straight lines do not have.

    Args:
        robot: that walks.
        config: how.

    Raises:
        ConfigError: every reason is named.
    """
    problems = offer_problems(config, "gpu")
    if config.ground == "mujoco":
        problems.append("ground must be weak or heavy, a law of force, got 'mujoco'")
    if config.actuators == "elastic":
        problems.append("actuators must be ideal or motor, got 'elastic'")
    if problems:
        raise ConfigError(f"many of '{robot.name}' at once", problems)


def batch_world(walk: ResolvedWalk, timestep: float) -> World:
    """Return the world whose numbers the programs have.

    Friction is the same for all rows unless it is given, never drawn.

    Args:
        walk: whose robot, ground and friction are taken.
        timestep: of physics [s].
    """
    is_drawn = walk.config.friction is None
    return machine_world(
        walk.robot,
        walk.terrain,
        friction=MIDDLE_FRICTION if is_drawn else walk.friction,
        ground=walk.config.ground,
        timestep=timestep,
        size=walk.size,
    )


def _joined(
    name: str, plant: PlantStep, brain: StraightController, period: int, dt: float
) -> ManyProgram:
    """Return plant and controller as one.

    Args:
        name: of both.
        plant: the robot's step.
        brain: its controller's tick.
        period: steps a tick.
        dt: time step [s].
    """
    known = [*plant.settings, *brain.settings]
    plant.given.expect_known(known, f"many of '{name}'")
    settings = tuple(one for one in known if one.name in plant.given.varied)
    memory = tuple(brain.memory.numbers)
    own = [one.name for one in settings]

    def given(symbols: NamedSymbols, numbers: Collection[NamedNumber]) -> list[Expr]:
        return symbols.symbols(one.name for one in numbers)

    e = brain.equations
    kept = plant.state[len(e.q) + len(e.v) :]
    seen = [*e.q, *e.v, *given(brain.given, kept), *given(brain.given, memory)]
    felt = [*plant.inputs, *given(plant.given, memory), *plant.given.symbols(own)]
    told = [*given(plant.given, plant.command), *given(plant.given, PUSH)]
    for foot in e.robot.points if plant.probes else ():
        told += plant.given.symbols(looked_up(foot))
    places = {one.name: k for k, one in enumerate(plant.state)}
    return ManyProgram(
        name=name,
        state=(*plant.state, *memory),
        moved=len(plant.state),
        settings=settings,
        command=plant.command,
        push=PUSH,
        control=program(
            [*brain.memory.after, *brain.torques],
            [*seen, *brain.given.symbols(own), brain.time],
        ),
        step=program([*plant.after, *plant.tells], [*felt, *told]),
        telemetry=plant.telemetry,
        period=period,
        timestep=dt,
        probes=tuple((places[x], places[y]) for x, y in plant.probes),
    )
