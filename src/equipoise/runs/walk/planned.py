"""What a walk is before it is simulated: machine, controller, ground, disturbances."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, final

from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.machine import LeggedMachine, foot_mobility, legged_machine
from equipoise.control.pilot import WalkingGoal
from equipoise.control.walker import (
    WARP1,
    WalkerConfig,
    carried_over,
    walker,
    walker_config,
)
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Controller
from equipoise.core.seeds import stream
from equipoise.core.settings import with_settings
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.legged import legged, legged_assumptions
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.fit import expect_legs_to_walk, expect_walker
from equipoise.runs.walk.plan import (
    AskedGait,
    expect_carried,
    expect_footing,
    expect_reached,
    fewest_feet,
    fitting_gait,
)
from equipoise.sim.disturbances import Push
from equipoise.sim.held_forces import HeldForces
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.terrain import Terrain, parse_terrain

__all__ = [
    "PUSH_LASTS",
    "START",
    "Plan",
    "carried",
    "footing",
    "forces_of",
    "machine_config",
    "own_plan",
    "planned",
    "pushes_of",
    "walking_controller",
]

START = 1.0
"""For which it stands before it walks [s]."""
FRICTION = (0.6, 0.8)  # drawn between these unless given
PUSH_LASTS = 0.1  # [s]
USUAL_SHARE, CREEPING_SHARE = 0.18, 0.054  # speed of robot files, over √(g h)
USUAL, CREEPING = 0.4, 0.15  # speed unless given: on two feet, on three and more [m/s]
NUMB = ("load", "pad")  # what a robot file's feet do not feel


@final
@dataclass(frozen=True, eq=False)
class Plan:
    """A walk that can be tried."""

    robot: Robot
    """As a walking machine."""
    machine: LeggedMachine
    walking: WalkerConfig | None
    """Its controller's parts and their settings; None for one of the caller's own."""
    speed: float
    """Commanded [m/s]."""
    gait: str
    """Or what the caller's own controller is called."""
    assumed: tuple[str, ...] = ()
    """What a robot file does not say, a sentence each."""
    warnings: tuple[str, ...] = ()
    """What is known to go wrong, a sentence each."""

    @property
    def size(self) -> float:
        """Of the machine over WARP1's, for what lies about it."""
        machine = self.machine
        return machine.height / WARP1.height if machine.is_scaled else 1.0

    def parts(self) -> dict[str, Any]:
        """Return what is told of the controller."""
        walking = self.walking
        if walking is None:
            return {"controller": self.gait}
        return {
            "duty": walking.clocked.duty,
            "support": walking.support,
            "motion": walking.motion,
            "balance": walking.balance,
            "reflexes": list(walking.reflexes),
            "cycle": walking.clocked.cycle,
        }


def own_plan(robot: Robot, config: WalkConfig, own: Controller[Any]) -> Plan:
    """Return the plan of a machine that the caller's own controller drives."""
    speed = 0.0 if config.speed is None else config.speed
    own_robot = walker_of(robot)
    machine, name = legged_machine(own_robot), type(own).__name__
    return Plan(own_robot, machine, None, speed, name, legged_assumptions(robot))


def walking_controller(plan: Plan, config: WalkConfig) -> Controller[Any]:
    """Return the controller that walks as planned."""
    return walker(
        plan.machine,
        goals_of(config, plan.speed),
        plan.walking or WalkerConfig(),
        drives_motors=config.actuators != "ideal",
    )


def planned(robot: Robot, config: WalkConfig) -> Plan:
    """Return the machine, its controller's settings and speed, all asked before."""
    assumed, robot = legged_assumptions(robot), walker_of(robot)
    machine = legged_machine(robot)
    if machine.is_scaled:
        expect_walker(machine)
    gait = fitting_gait(config.gait, config.duty, machine)
    payload = carried(robot)
    is_soft = parse_terrain(config.terrain, machine.height).kind == "soft"
    own = {"ground": config.ground, "actuators": config.actuators}
    walking = walker_config(
        config.gait,
        config.duty,
        payload=payload,
        is_soft=is_soft,
        robot=robot.name,
        **({} if machine.is_scaled else own),  # measured with WARP1 alone
    )
    if machine.is_scaled:
        late = time_late(machine_config(machine, config))
        walking = carried_over(walking, machine, foot_mobility(machine), late)
    clocked = dataclasses.replace(walking.clocked, legs=machine.legs)
    walking = dataclasses.replace(walking, clocked=clocked, **config.parts())
    walking = with_settings(walking, config.gains, f"gait '{config.gait}'")
    clocked = walking.clocked
    machine = legged_machine(robot, height=walking.height)
    if clocked.duty is not None:
        gait = fitting_gait(config.gait, clocked.duty, machine)
    speed = usual_speed(machine, gait) if config.speed is None else config.speed
    asked = AskedGait(
        machine=machine,
        gait=gait,
        cycle=clocked.cycle,
        forward=speed,
        left=config.left,
        turn=config.turn,
    )
    if machine.joints == 3:
        expect_reached(asked)
        expect_carried(asked, payload, is_file=machine.is_scaled)
    known = warnings_of(robot, config, parse_terrain(config.terrain, machine.height))
    return Plan(robot, machine, walking, speed, config.gait, assumed, known)


def warnings_of(robot: Robot, config: WalkConfig, terrain: Terrain) -> tuple[str, ...]:
    """Return what is known to go wrong with a walk by its gait's own settings."""
    own = builtin(robot.name).warnings if robot.name in builtin_names() else None
    if own is None:
        return ()
    found = own(
        config.gait,
        payload=carried(robot),
        stiffness=terrain.stiffness,
        step=terrain.block_height,
        actuators=config.actuators,
    )
    return tuple(found)


def walker_of(robot: Robot) -> Robot:
    """Return a robot as a walking machine, or say why it is none."""
    if not (robot.legs and robot.drives):
        expect_legs_to_walk(robot)
    return legged(robot)


def usual_speed(machine: LeggedMachine, gait: PhaseGait) -> float:
    """Return the speed of a gait unless one is given [m/s]."""
    is_slow = fewest_feet(gait) >= 3
    if not machine.is_scaled:
        return CREEPING if is_slow else USUAL
    share = CREEPING_SHARE if is_slow else USUAL_SHARE
    return round(share * math.sqrt(GRAVITY * machine.height), 3)


def time_late(config: MachineConfig) -> float:
    """Return the time from reading a speed to its force, held and differenced [s]."""
    bus = 0.0 if config.bus is None else config.bus.delay
    return config.period + config.delay + bus


def carried(robot: Robot) -> float:
    """Return what a robot carries beyond its own weight, if it is WARP1 [kg]."""
    if robot.name != "warp1":
        return 0.0
    own = float(load("warp1", legs=len(robot.legs)).model.body_mass.sum())
    return max(round(float(robot.model.body_mass.sum()) - own, 6), 0.0)


def footing(config: WalkConfig, machine: LeggedMachine) -> tuple[float, Terrain]:
    """Return friction and terrain, or say that it would slide."""
    terrain = parse_terrain(config.terrain, machine.height)
    friction = config.friction
    if friction is None:
        friction = float(stream(config.seed, "friction").uniform(*FRICTION))
    expect_footing(terrain, friction)
    return friction, terrain


def goals_of(config: WalkConfig, speed: float) -> tuple[WalkingGoal, ...]:
    """Return what the operator says, in time."""
    go = WalkingGoal(time=START, forward=speed, left=config.left, turn=config.turn)
    if config.stop_at is None:
        return (go,)
    return go, WalkingGoal(time=config.stop_at, walk=False)


def machine_config(machine: LeggedMachine, config: WalkConfig) -> MachineConfig:
    """Return drives, sensors and bus; feet of a robot file feel nothing."""
    is_real = config.sensors == "real"
    failed = () if machine.feels_feet else NUMB
    return MachineConfig(
        actuators=ActuatorConfig(kind=config.actuators),
        sensors=SensorConfig(kind=config.sensors, seed=config.seed, failed=failed),
        bus=BusConfig(seed=config.seed) if is_real else None,
    )


def pushes_of(config: WalkConfig) -> tuple[Push, ...]:
    """Return the push, if there is one."""
    if config.push == 0.0:
        return ()
    angle = math.radians(config.push_heading)
    impulse = (0.0, float(config.push), 0.0)  # exact where it is to the left
    if config.push_heading != 90.0:
        impulse = (config.push * math.cos(angle), config.push * math.sin(angle), 0.0)
    return (Push(impulse=impulse, start=config.pushed_at, duration=PUSH_LASTS),)


def forces_of(config: WalkConfig) -> HeldForces | None:
    """Return the random forces, if there are any; they begin when it walks."""
    if config.force == 0.0:
        return None
    return HeldForces(sigma=config.force, start=START, seed=config.seed)
