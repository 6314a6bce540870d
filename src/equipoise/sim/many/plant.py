"""One time step of a legged robot on force-law ground, as straight lines.

Drives with their limits of torque and speed, the ground of ``sim.many.ground_law``
under each foot, the robot's equations of motion, then a semi-implicit Euler step as
MuJoCo takes it: speeds first, places by the new speeds.

Springs and dampers of joints are in it, dampers at the end of the step as MuJoCo has
them. Left out are stops of joints, and contacts of trunk and knees: a robot that needs
them has fallen or is about to.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import final

import mujoco

from equipoise.core.errors import ConfigError
from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.robot.links import robot_tree
from equipoise.equations.robot.payload import tree_with_payload, with_armature
from equipoise.equations.tape.functions import maximum, minimum
from equipoise.equations.tape.named import NamedNumber, NamedSymbols
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec, cross_product, scaled_vector
from equipoise.sim.machine.actuators import ActuatorConfig, drive_bank
from equipoise.sim.machine.motor_kernel import DriveNumbers
from equipoise.sim.many.falls import fall_of
from equipoise.sim.many.feet import FeetStep, FootBalls, feet_step, looked_up
from equipoise.sim.many.ground_law import ground_settings, turns_needed
from equipoise.sim.many.ground_shape import shape_settings
from equipoise.sim.world import World

__all__ = ["PlantStep", "expect_plain_world", "plant_step"]

AXES = "xyz"
FREE = int(mujoco.mjtJoint.mjJNT_FREE)
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
PUSH = tuple(NamedNumber(f"push.{k}", "N", 0.0, "on the trunk, in W") for k in AXES)
SIXTH, HUNDREDTH = 1.0 / 6.0, 1.0 / 120.0


@final
@dataclass(frozen=True)
class PlantStep:
    """The expressions of a step, with names for what goes in and comes out."""

    equations: RobotEquations
    given: NamedSymbols
    """Symbols by name."""
    state: tuple[NamedNumber, ...]
    settings: tuple[NamedNumber, ...]
    """All that may vary."""
    command: tuple[NamedNumber, ...]
    """A torque for each drive."""
    telemetry: tuple[NamedNumber, ...]
    inputs: tuple[Expr, ...] = field(repr=False)
    """State, in order."""
    after: tuple[Expr, ...] = field(repr=False)
    """State after the step."""
    tells: tuple[Expr, ...] = field(repr=False)
    """Values of the telemetry."""
    probes: tuple[tuple[str, str], ...] = ()
    """Names of what says where the ground is looked up, along x and y."""


def expect_plain_world(world: World) -> None:
    """Refuse worlds that straight lines do not have.

    Args:
        world: of a legged robot.

    Raises:
        ConfigError: every reason is named.
    """
    problems: list[str] = []
    if world.ground is None:
        problems.append("its ground must be a law of force, 'weak' or 'heavy'")
    elif world.ground.config.exponent != 1.0:
        problems.append("the ground's exponent must be 1")
    if world.surface.tiles.size or world.board is not None:
        problems.append(f"its ground must be a plane, got '{world.terrain}'")
    elif world.surface.plane[0].rise[1] != 0.0:
        problems.append("its ground must rise along x alone")
    if world.model.nq != world.robot.model.nq:
        problems.append("something other than the robot moves in it")
    kinds = world.model.jnt_type
    if int(kinds[0]) != FREE or any(int(kind) not in SINGLE for kind in kinds[1:]):
        problems.append("its trunk must float, and its joints be hinges and slides")
    if world.model.dof_frictionloss.any():
        problems.append("dry friction in joints is not modelled; remove it")
    if world.model.jnt_stiffnesspoly.any() or world.model.dof_dampingpoly.any():
        problems.append("springs and dampers of its joints must be linear")
    if any(drive.kind != "motor" for drive in world.robot.drives):
        problems.append("its drives must be motors: a valve's lag is not modelled")
    if problems:
        raise ConfigError(f"many of '{world.robot.name}' at once", problems)


def plant_step(
    world: World,
    *,
    varied: Collection[str] = (),
    turns: int | None = None,
    payload: Sequence[NamedNumber],
    has_table: bool = False,
) -> PlantStep:
    """Return a robot's step in a world.

    Args:
        world: of a legged robot on a plane that is a law of force.
        varied: settings that are inputs; the others are numbers.
        turns: of Newton's iteration for a foot's creep; None for as many as it takes.
        payload: mass and place of what it carries: ``payload`` and ``payload.x`` to z.
        has_table: whether the ground's height is looked up in a table.

    Raises:
        ConfigError: a robot or a world that straight lines do not have.
    """
    expect_plain_world(world)
    robot, model, ground = world.robot, world.model, world.ground
    if ground is None:
        raise ConfigError("the world", ["its feet stand on no law of force"])
    dt = float(model.opt.timestep)
    tree = robot_tree(model, robot.name, feet=robot.feet, parameters="numbers")
    given = NamedSymbols(tree.tape, varied)
    rise = float(world.surface.plane[0].rise[0])
    known = [*ground_settings(ground.config), *shape_settings(rise), *payload]
    values = given.settings(known)
    tree = with_armature(tree, [dt * float(d) for d in model.dof_damping])
    x, y, z = (values[f"payload.{k}"] for k in AXES)
    equations = RobotEquations(tree_with_payload(tree, values["payload"], (x, y, z)))
    data = world.start()
    mujoco.mj_kinematics(model, data)
    ease, radius = ground.ease(data), float(model.geom_size[ground.geoms[0], 0])
    if turns is None:
        turns = turns_needed(ease * ground.config.creep)
    balls = FootBalls(radius, ease, turns, dt, has_table)
    feet = feet_step(tree, given, values, balls, data)
    torques = _driven(world, equations, given)
    speeds, places = _euler(equations, dt, equations.forward(torques, feet.forces))
    told, tells = fall_of(world, equations, values["slope"], _raised(given, feet))
    return PlantStep(
        equations,
        given,
        (*_moving_state(world, equations), *feet.state),
        tuple(known),
        tuple(NamedNumber(f"torque.{k}", "N m") for k in range(model.nu)),
        tuple(told),
        (*equations.q, *equations.v, *given.symbols(one.name for one in feet.state)),
        (*places, *speeds, *feet.after),
        tuple(tells),
        tuple(feet.probes),
    )


def _raised(given: NamedSymbols, feet: FeetStep) -> Expr:
    """Return how high a table has the ground below the feet, on average [m].

    Args:
        given: has what was looked up.
        feet: of the robot; zero where there is no table.
    """
    total = given.tape.constant(0.0)
    for foot in feet.forces if feet.probes else ():
        total = total + given.symbol(looked_up(foot)[0])
    return total * (1.0 / len(feet.forces))


def _moving_state(world: World, equations: RobotEquations) -> list[NamedNumber]:
    """Return coordinates and speeds with units, as the robot starts.

    Args:
        world: with the robot, its base on a free joint, other joints single.
        equations: of it.
    """
    model, data, robot = world.model, world.start(), equations.robot
    kinds = ["m" if int(kind) == SINGLE[1] else "rad" for kind in model.jnt_type[1:]]
    units = ["m"] * 3 + [""] * 4 + kinds + ["m/s"] * 3 + ["rad/s"] * 3
    units += [f"{kind}/s" for kind in kinds]
    names = [one.name for one in (*robot.q, *robot.v)]
    start = [*data.qpos, *data.qvel]
    return [
        NamedNumber(name, unit, float(value))
        for name, unit, value in zip(names, units, start, strict=True)
    ]


def _driven(world: World, equations: RobotEquations, given: NamedSymbols) -> list[Expr]:
    """Return generalised forces: drives within limits, springs, dampers, the push.

    Args:
        world: with the robot and its drives.
        equations: of the robot.
        given: has the command and the push.
    """
    model, tree = world.model, equations.tree
    tau = [tree.zero] * tree.nv
    push = given.symbols(one.name for one in PUSH)
    force: Vec = (push[0], push[1], push[2])
    base = tree.links[0]
    centre = [tree.tape.constant(float(x)) for x in model.body_ipos[world.base]]
    arm: Vec = (centre[0], centre[1], centre[2])
    tau[:3], tau[3:6] = force, cross_product(arm, base.turn.back(force))
    numbers = drive_bank(world.robot.drives, ActuatorConfig(kind="ideal")).numbers
    columns = model.jnt_dofadr[model.actuator_trnid[:, 0]]
    for k, column in enumerate(columns.tolist()):
        told = given.symbol(f"torque.{k}")
        tau[column] = _limited_torque(told, equations.v[column], numbers[k])
    for j in range(1, model.njnt):
        at, to = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
        off = equations.q[at] - float(model.qpos_spring[at])
        tau[to] = tau[to] - float(model.jnt_stiffness[j]) * off
        tau[to] = tau[to] - float(model.dof_damping[to]) * equations.v[to]
    return tau


def _limited_torque(told: Expr, speed: Expr, drive: DriveNumbers) -> Expr:
    """Return the torque that a drive gives, as ``motor_kernel.ideal_torque``.

    Args:
        told: what is asked of it.
        speed: of its joint.
        drive: its numbers.
    """
    share = speed * (1.0 / float(drive.speed))
    most, stall = float(drive.torque), float(drive.stall)
    up = most * minimum(1.0, maximum(0.0, stall * (1.0 - share)))
    down = most * minimum(1.0, maximum(0.0, stall * (1.0 + share)))
    return minimum(up, maximum(-down, told)) - float(drive.damping) * speed


def _euler(
    equations: RobotEquations, dt: float, rates: list[Expr]
) -> tuple[list[Expr], list[Expr]]:
    """Return speeds and coordinates after a step.

    A quaternion is multiplied by that of the turn w h, its sine and cosine as series:
    of an angle up to 0.2 rad a step the eighth order that is left out is below 1e-12.

    Args:
        equations: of the robot, its base on a free joint, other joints single.
        dt: time step [s].
        rates: accelerations, (nv,).
    """
    v = [speed + dt * rate for speed, rate in zip(equations.v, rates, strict=True)]
    q = equations.q
    half = scaled_vector(q[0].tape.constant(0.5 * dt), (v[3], v[4], v[5]))
    square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2]
    c = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0)))
    s = 1.0 - square * (SIXTH - square * (HUNDREDTH - square * (1.0 / 5040.0)))
    x, y, z = scaled_vector(s, half)
    w0, x0, y0, z0 = q[3:7]
    turned = [
        w0 * c - x0 * x - y0 * y - z0 * z,
        w0 * x + x0 * c + y0 * z - z0 * y,
        w0 * y - x0 * z + y0 * c + z0 * x,
        w0 * z + x0 * y - y0 * x + z0 * c,
    ]
    size = turned[0] * turned[0] + turned[1] * turned[1]
    size = size + turned[2] * turned[2] + turned[3] * turned[3]
    unit = [(1.5 - 0.5 * size) * e for e in turned]  # back to length one
    places = [q[k] + dt * v[k] for k in range(3)]
    joints = [q[7 + k] + dt * v[6 + k] for k in range(len(v) - 6)]
    return v, [*places, *unit, *joints]
