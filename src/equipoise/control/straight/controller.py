"""A whole walking controller as one straight-line program.

Its parts are those of ``control.walker``: pilot ``ramped``, support ``clocked``, motion
``stride``, balance ``capture`` or ``posture``, legs ``steps`` and the reflexes of
``straight.reflexes``, with the same settings. In place of the observer it knows the
truth; it drives torques, not voltages.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import final

from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.legs.law import leg_law
from equipoise.control.machine import LeggedMachine
from equipoise.control.pilot import WalkingGoal
from equipoise.control.straight.balance import SLACK, balanced
from equipoise.control.straight.clock import running_clock, step_legs_expr
from equipoise.control.straight.known import known_legs, known_trunk
from equipoise.control.straight.memory import TickMemory
from equipoise.control.straight.pilot import pilot_settings, ramped
from equipoise.control.straight.reflexes import REFLEXES, answered
from equipoise.control.straight.steps import leg_aims, leg_torques_expr
from equipoise.control.straight.stride import stride_expr
from equipoise.control.walker import WalkerConfig
from equipoise.core.errors import ConfigError
from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.robot.links import robot_tree
from equipoise.equations.robot.payload import tree_with_payload
from equipoise.equations.tape.named import NamedNumber, NamedSymbols
from equipoise.equations.tape.tape import Expr
from equipoise.robots.robot import Robot

__all__ = ["StraightController", "straight_controller"]

AXES = "xyz"
PARTS = {
    "guide": ("ramped",),
    "planner": ("none",),
    "support": ("clocked",),
    "motion": ("stride",),
    "balance": ("capture", "posture"),
    "legs": ("steps",),
}


@final
@dataclass(frozen=True)
class StraightController:
    """The expressions of a tick, with names for what goes in and comes out."""

    equations: RobotEquations
    given: NamedSymbols
    """Symbols by name."""
    settings: tuple[NamedNumber, ...]
    """All that may vary."""
    memory: TickMemory = field(repr=False)
    loads: tuple[str, ...]
    """Names of the loads on the feet, which are given."""
    time: Expr = field(repr=False)
    torques: tuple[Expr, ...] = field(repr=False)
    """Of the joints, in actuator order."""


def _expect_straight(config: WalkerConfig, machine: LeggedMachine) -> None:
    """Refuse parts that there are not as straight lines.

    Args:
        config: parts by name.
        machine: that they walk.

    Raises:
        ConfigError: every one is named.
    """
    problems = [
        f"{kind} must be {' or '.join(known)}, got '{getattr(config, kind)}'"
        for kind, known in PARTS.items()
        if getattr(config, kind) not in known
    ]
    problems += [
        f"there is no reflex '{name}' as straight lines; known: {', '.join(REFLEXES)}"
        for name in config.reflexes
        if name not in REFLEXES
    ]
    posture = _posture_of(config)
    if posture.sharing != "consistent":
        problems.append(f"sharing must be consistent, got '{posture.sharing}'")
    if machine.lost:
        problems.append("it must have all its legs")
    if problems:
        raise ConfigError(f"many of '{machine.name}' at once", problems)


def _posture_of(config: WalkerConfig) -> PostureBalanceConfig:
    """Return how feet share loads, by the balance part that there is.

    Args:
        config: of the controller.
    """
    return config.capture.posture if config.balance == "capture" else config.posture


def gain_settings(config: WalkerConfig) -> list[NamedNumber]:
    """Return gains and sizes that may vary, with the values that they have.

    Args:
        config: of the controller.
    """
    posture = _posture_of(config)
    found = [
        NamedNumber("height", "m", config.height, "of the hips over the feet"),
        NamedNumber("clocked.cycle", "s", config.clocked.cycle, "of the gait"),
        NamedNumber("stride.forward", "m", config.stride.forward, "of the feet"),
        NamedNumber("steps.lift", "m", config.steps.lift, "of swinging feet"),
        NamedNumber("capture.gain", "s", config.capture.gain, "shift over speed"),
        NamedNumber("capture.integral", "", config.capture.integral, "shift over way"),
    ]
    for name in ("roll_stiffness", "roll_damping", "pitch_stiffness", "pitch_damping"):
        unit = "N m/rad" if name.endswith("stiffness") else "N m s/rad"
        found.append(
            NamedNumber(f"capture.posture.{name}", unit, getattr(posture, name))
        )
    for name, unit in (("stiffness", "N/m"), ("damping", "N s/m")):
        values = getattr(config.law, name)
        found += [
            NamedNumber(f"law.{name}.{k}", unit, float(x), "of a foot's spring")
            for k, x in zip(AXES, values, strict=True)
        ]
    return found


def straight_controller(
    robot: Robot,
    machine: LeggedMachine,
    config: WalkerConfig,
    goal: WalkingGoal,
    dt: float,
    *,
    payload: Sequence[NamedNumber],
    varied: Collection[str] = (),
    slack: float = SLACK,
) -> StraightController:
    """Return a walking controller as straight lines.

    Args:
        robot: that walks.
        machine: that it is.
        config: its parts and their settings.
        goal: where to, and from when.
        dt: control period [s].
        payload: mass and place of what it carries, which it knows: ``payload`` and
            ``payload.x`` to z.
        varied: settings that are inputs; the others are numbers.
        slack: see ``straight.balance``.

    Raises:
        ConfigError: parts that there are not as straight lines.
    """
    _expect_straight(config, machine)
    tree = robot_tree(robot.model, robot.name, feet=robot.feet, parameters="numbers")
    given = NamedSymbols(tree.tape, varied)
    known = [*pilot_settings(goal), *gain_settings(config)]
    settings, memory = given.settings([*known, *payload]), TickMemory(given)
    x, y, z = (settings[f"payload.{k}"] for k in AXES)
    equations = RobotEquations(tree_with_payload(tree, settings["payload"], (x, y, z)))
    time = given.symbol("time")
    names = [f"{foot}.load" for foot in robot.feet]
    trunk = known_trunk(equations, machine.mass + settings["payload"], dt)
    stood = [memory.read(f"stands.{k}", "", 1.0) for k in range(machine.legs)]
    legs = known_legs(
        equations, machine, trunk, config.observer, _joints_of(robot, machine),
        given.symbols(names), stood, memory,
    )  # fmt: skip
    wanted = ramped(config.pilot, settings, time, dt, memory)
    clock = running_clock(config.clocked, settings, wanted, stood, dt, memory)
    steps = step_legs_expr(config.clocked, clock, legs, dt, memory)
    aim = stride_expr(config.stride, settings, trunk, legs, clock, wanted, memory)
    is_capture = config.balance == "capture"
    aim, loads = balanced(
        config.capture, settings, trunk, legs, steps, clock, aim, memory,
        posture=_posture_of(config),
        is_capture=is_capture, slack=slack,
    )  # fmt: skip
    aims = leg_aims(config.steps, settings, trunk, legs, steps, aim, loads, memory)
    aims = answered(config, legs, steps, aims, dt, memory)
    law = leg_law(machine.geometry, machine.drives, config.law)
    torques = leg_torques_expr(settings, law.guards, config.steps.singular, legs, aims)
    return StraightController(
        equations, given, tuple(known), memory, tuple(names), time, tuple(torques)
    )


def _joints_of(robot: Robot, machine: LeggedMachine) -> list[list[tuple[int, int]]]:
    """Return numbers of coordinate and speed of each leg's joints, in actuator order.

    Args:
        robot: that walks.
        machine: that it is.
    """
    model = robot.model
    joints = model.actuator_trnid[:, 0]
    pairs = [(int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])) for j in joints]
    n = machine.joints
    return [pairs[n * k : n * (k + 1)] for k in range(machine.legs)]
