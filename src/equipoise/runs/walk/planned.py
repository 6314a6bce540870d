"""What a walk is before it is simulated: machine, controller, ground, disturbances."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.ground_map import GroundMap
from equipoise.control.machine import LeggedMachine, legged_machine
from equipoise.control.parts import NO_MAP
from equipoise.control.recipe import AbstractWholeRecipe
from equipoise.control.walker import WalkerConfig, walker
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Controller
from equipoise.core.friction import DRAWN_FRICTION
from equipoise.core.seeds import stream
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.found.assumed import torques_in
from equipoise.robots.legged import legged_assumptions, legged_robot
from equipoise.robots.robot import Robot
from equipoise.robots.senses import SENSES
from equipoise.robots.warp1.options import CREEPING_SPEED, SPEED
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.controller import (
    COMMON,
    ChosenController,
    chosen_controller,
)
from equipoise.runs.walk.fit import expect_legs_to_walk, expect_walker
from equipoise.runs.walk.goals import START, operator_goals
from equipoise.runs.walk.known_ground import known_ground, size_of
from equipoise.runs.walk.limping import limping
from equipoise.runs.walk.plan import (
    AskedGait,
    expect_carried,
    expect_footing,
    expect_reached,
    fewest_feet,
    fitting_gait,
)
from equipoise.runs.walk.stepping import (
    is_stepping,
    loop_margin,
    step_warnings,
    velocity_of,
    within_tried_bounds,
)
from equipoise.runs.walk.whole import expect_plain
from equipoise.sim.disturbances import Push
from equipoise.sim.held_forces import HeldForces
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.fix import FixConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import NAMES, SensorConfig
from equipoise.sim.terrain import Terrain, parse_terrain

__all__ = [
    "PUSH_LASTS",
    "Plan",
    "footing",
    "machine_config",
    "own_plan",
    "planned_walk",
    "pushes_of",
    "random_forces",
    "walking_controller",
]

PUSH_LASTS = 0.1  # [s]
USUAL_SHARE, CREEPING_SHARE = 0.18, 0.054  # speed of robot files, over √(g h)
ELSEWHERE = 0.5  # of a controller's speed, on machines that it was not made for


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
    controller: str = ""
    """By name; empty for one of the caller's own."""
    heading: float = 0.0
    """Crab angle: where the speed goes, 90 to the left [degrees]."""
    left: float = 0.0
    """Commanded on top, to the left [m/s]."""
    ground: GroundMap = NO_MAP
    """What it knows of the ground beforehand."""
    turn: float = 0.0
    """Commanded, to the left [rad/s]."""
    turns: bool = True
    """Whether it can be told to."""
    assumed: tuple[str, ...] = ()
    """What a robot file does not say, a sentence each."""
    warnings: tuple[str, ...] = ()
    """What is known to go wrong, a sentence each."""
    loop_margin: float | None = None
    """Share of a disturbance that its steps take away in a usual cycle's time; None
    for machines and gaits that are not balanced by steps, or whose feet are heavy."""
    whole: Controller[Any] | None = None
    """A controller that has no parts."""
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Of such a one, by name."""

    @property
    def forward(self) -> float:
        """Commanded [m/s]."""
        if self.heading == 0.0:
            return self.speed
        return self.speed * math.cos(math.radians(self.heading))

    @property
    def aside(self) -> float:
        """Commanded to the left [m/s]."""
        if self.heading == 0.0:
            return self.left
        return self.left + self.speed * math.sin(math.radians(self.heading))

    @property
    def has_ramp(self) -> bool:
        """Whether its speed counts only once the ramp is over."""
        return self.controller not in ("", COMMON)

    @property
    def size(self) -> float:
        """Of the machine over WARP1's, for what lies about it."""
        return size_of(self.machine)

    def parts(self) -> dict[str, Any]:
        """Return what is told of the controller."""
        walking = self.walking
        if walking is None:
            own = {k: self.settings[k] for k in ("duty", "cycle") if k in self.settings}
            return {"controller": self.controller or self.gait, **own}
        return {
            "duty": walking.clocked.duty,
            "support": walking.support,
            "motion": walking.motion,
            "balance": walking.balance,
            "planner": walking.planner,
            "leg_program": walking.legs,
            "reflexes": list(walking.reflexes),
            "cycle": walking.clocked.cycle,
        }


def own_plan(robot: Robot, config: WalkConfig, own: Controller[Any]) -> Plan:
    """Return the plan of a machine that the caller's own controller drives."""
    speed = 0.0 if config.speed is None else config.speed
    own_robot = walker_of(robot)
    machine, name = legged_machine(own_robot), type(own).__name__
    return Plan(
        own_robot,
        machine,
        None,
        speed,
        name,
        heading=config.heading,
        left=config.left,
        assumed=legged_assumptions(robot),
    )


def walking_controller(plan: Plan, config: WalkConfig) -> Controller[Any]:
    """Return the controller that walks as planned."""
    if plan.whole is not None:
        return plan.whole
    return walker(
        plan.machine,
        operator_goals(config, plan.forward, plan.aside, plan.turn),
        plan.walking or WalkerConfig(),
        drives_motors=config.actuators != "ideal",
        ground=plan.ground,
        place=config.goal,
        turns=plan.turns,
    )


def _whole_plan(
    robot: Robot,
    machine: LeggedMachine,
    config: WalkConfig,
    chosen: ChosenController,
    recipe: AbstractWholeRecipe,
) -> Plan:
    """Return the plan of a machine whose controller has no parts."""
    expect_plain(config, chosen.name)
    asked = replace(chosen.asked(robot, machine, config), speed=config.speed)
    own, settings = recipe.controller(machine, asked, config.gains)
    return Plan(
        robot,
        machine,
        None,
        float(settings["speed"]),
        f"{chosen.gait}, {settings['tracking']}",
        controller=chosen.name,
        whole=own,
        settings=settings,
    )


def planned_walk(robot: Robot, config: WalkConfig) -> Plan:
    """Return the machine, its controller's settings and speed, all asked before."""
    assumed, robot = legged_assumptions(robot), walker_of(robot)
    machine = legged_machine(robot)
    chosen = chosen_controller(robot, machine, config)
    if isinstance(chosen.recipe, AbstractWholeRecipe):
        return _whole_plan(robot, machine, config, chosen, chosen.recipe)
    if machine.is_scaled:
        expect_walker(machine)
    gait = fitting_gait(chosen.pattern, config.duty, machine)
    late = _time_late(machine_config(machine, config), machine)
    speed, left, turn = _commanded(config)
    velocity = None
    if machine.is_scaled and chosen.is_common:
        if speed is None:
            speed = _usual_speed(machine, gait, chosen)
        velocity = velocity_of(speed, left, config.heading)
    walking = chosen.settings(robot, machine, config, late, velocity)
    clocked = walking.clocked
    machine = legged_machine(robot, height=walking.height)
    if clocked.duty is not None:
        gait = fitting_gait(chosen.pattern, clocked.duty, machine)
    if speed is None:
        speed = _usual_speed(machine, gait, chosen)
    warnings, margin = _warnings_of(robot, config, chosen, machine), None
    if velocity is not None:
        margin = loop_margin(walking, machine, gait, velocity)
        warnings = (*warnings, *step_warnings(margin, machine, config.actuators))
    plan = Plan(
        robot,
        machine,
        walking,
        speed,
        chosen.gait,
        controller=chosen.name,
        heading=config.heading,
        left=left,
        turn=turn,
        turns=chosen.recipe.turns,
        ground=known_ground(machine, config),
        assumed=assumed,
        warnings=warnings,
        loop_margin=margin,
    )
    _expect_possible(plan, config, gait, robot.payload)
    if config.amputate:
        robot, machine = limping(robot, machine, walking, config.amputate)
        plan = replace(plan, robot=robot, machine=machine)
    return plan


def _warnings_of(
    robot: Robot, config: WalkConfig, chosen: ChosenController, machine: LeggedMachine
) -> tuple[str, ...]:
    """Return what is known to go wrong with a walk by its gait's own settings."""
    own = builtin(robot.name).warnings if robot.name in builtin_names() else None
    if own is None or not chosen.is_common:
        return ()
    terrain = parse_terrain(config.terrain, machine.height)
    found = own(
        chosen.gait,
        payload=robot.payload,
        stiffness=terrain.stiffness,
        step=terrain.block_height,
        actuators=config.actuators,
    )
    return tuple(found)


def walker_of(robot: Robot) -> Robot:
    """Return a robot as a walking machine, or say why it is none."""
    if not (robot.legs and robot.drives):
        expect_legs_to_walk(robot)
    return legged_robot(robot)


def _expect_possible(
    plan: Plan, config: WalkConfig, gait: PhaseGait, payload: float
) -> None:
    """Refuse a walk for which joints are too slow or too weak.

    Args:
        plan: of the walk.
        config: what is asked.
        gait: which feet stand when.
        payload: that the machine carries [kg].

    Raises:
        ConfigError: too fast, or too heavy.
    """
    machine, walking = plan.machine, plan.walking
    if walking is None or machine.joints != 3:
        return
    asked = AskedGait(
        machine=machine,
        gait=gait,
        cycle=walking.clocked.cycle,
        forward=plan.forward,
        left=plan.aside,
        turn=plan.turn,
    )
    is_common = plan.controller == COMMON
    if is_common and is_stepping(machine, walking, gait):
        asked = within_tried_bounds(asked, walking, config.gains)
    if config.command is None:
        expect_reached(asked)
    doubt = torques_in(plan.assumed)
    expect_carried(asked, payload, is_file=machine.is_scaled, doubt=doubt)


def _commanded(config: WalkConfig) -> tuple[float | None, float, float]:
    """Return what is asked forward, None for the usual, to the left and of the turn.

    Args:
        config: what is asked [m/s, m/s, rad/s].
    """
    if config.command is not None:
        return config.command
    speed = config.speed if config.ramp is None else config.ramp[1]
    return speed, config.left, config.turn


def _usual_speed(
    machine: LeggedMachine, gait: PhaseGait, chosen: ChosenController
) -> float:
    """Return the speed of a gait unless one is given [m/s]."""
    if not chosen.is_common:
        by = machine.scale.over(chosen.recipe.size)["m/s"]
        share = 1.0 if chosen.is_own else ELSEWHERE
        return round(share * chosen.recipe.speed * by, 3)
    is_slow = fewest_feet(gait) >= 3
    if not machine.is_scaled:
        return CREEPING_SPEED if is_slow else SPEED
    share = CREEPING_SHARE if is_slow else USUAL_SHARE
    return round(share * math.sqrt(GRAVITY * machine.height), 3)


def _time_late(config: MachineConfig, machine: LeggedMachine) -> float:
    """Return the time from reading a speed to its force, held and differenced [s]."""
    bus = 0.0 if config.bus is None else config.bus.delay
    drives = max(drive.lateness for drive in machine.drives)
    return config.period + config.delay + bus + drives


def footing(config: WalkConfig, machine: LeggedMachine) -> tuple[float, Terrain]:
    """Return friction and terrain, or say that it would slide."""
    terrain = parse_terrain(config.terrain, machine.height)
    friction = config.friction
    if friction is None:
        friction = float(stream(config.seed, "friction").uniform(*DRAWN_FRICTION))
    expect_footing(terrain, friction)
    return friction, terrain


def machine_config(machine: LeggedMachine, config: WalkConfig) -> MachineConfig:
    """Return drives, sensors and bus; what it has no sensor for reads nothing."""
    is_real = config.sensors == "real"
    failed = tuple(n for n in SENSES if n in NAMES and n not in machine.senses)
    return MachineConfig(
        period=machine.period,
        actuators=ActuatorConfig(kind=config.actuators),
        sensors=SensorConfig(kind=config.sensors, seed=config.seed, failed=failed),
        bus=BusConfig(seed=config.seed) if is_real else None,
        fix=_fix_of(machine, config),
    )


def _fix_of(machine: LeggedMachine, config: WalkConfig) -> FixConfig | None:
    """Return how well a machine with a map knows its place on it."""
    if parse_terrain(config.terrain, machine.height).kind != "banned":
        return None
    return FixConfig(seed=config.seed if config.sensors == "real" else None)


def pushes_of(config: WalkConfig) -> tuple[Push, ...]:
    """Return the push, if there is one."""
    if config.push == 0.0:
        return ()
    angle = math.radians(config.push_heading)
    impulse = (0.0, float(config.push), 0.0)  # exact where it is to the left
    if config.push_heading != 90.0:
        impulse = (config.push * math.cos(angle), config.push * math.sin(angle), 0.0)
    return (Push(impulse=impulse, start=config.pushed_at, duration=PUSH_LASTS),)


def random_forces(config: WalkConfig) -> HeldForces | None:
    """Return the random forces, if there are any; they begin when it walks."""
    if config.force == 0.0:
        return None
    return HeldForces(sigma=config.force, start=START, seed=config.seed)
