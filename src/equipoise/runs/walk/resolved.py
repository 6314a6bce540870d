"""A walk with everything decided: machine, ground, controller, drives, disturbances.

``resolved_walk`` is the one place where a ``WalkConfig`` meets a robot. Whatever comes
after it (controller, world, plant, summary) reads the ``ResolvedWalk`` and decides
nothing again.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.ground_map import GroundMap
from equipoise.control.machine import LeggedMachine, legged_machine
from equipoise.control.pilot import WalkingGoal
from equipoise.control.recipe import AbstractWholeRecipe
from equipoise.control.signals import NO_MAP
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
from equipoise.runs.walk.feasible import (
    AskedGait,
    at_duty,
    expect_carried,
    expect_footing,
    expect_reached,
    fewest_feet,
    fitting_gait,
)
from equipoise.runs.walk.fit import expect_legs_to_walk, expect_walker
from equipoise.runs.walk.goals import operator_goals
from equipoise.runs.walk.known_ground import known_ground, size_over_warp1
from equipoise.runs.walk.limping import limping
from equipoise.runs.walk.stepping import (
    is_stepping,
    loop_margin,
    step_warnings,
    stepping,
    velocity_of,
    within_tried_bounds,
)
from equipoise.runs.walk.whole_controllers import expect_plain
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.fix import FixConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import NAMES, SensorConfig
from equipoise.sim.terrain import Terrain, parse_terrain

__all__ = [
    "ResolvedWalk",
    "machine_config",
    "resolved_walk",
    "walker_of",
]

USUAL_SHARE, CREEPING_SHARE = 0.18, 0.054  # speed of robot files, over √(g h)
ELSEWHERE = 0.5  # of a controller's speed, on machines that it was not made for


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ResolvedWalk:
    """A walk that can be tried: all that was left open is decided."""

    config: WalkConfig = field(repr=False)
    """What was asked for."""
    robot: Robot
    """As a walking machine, without the legs that were taken off."""
    machine: LeggedMachine
    """The same as its controller knows it."""
    terrain: Terrain
    """Ground, its number in SI."""
    plant: MachineConfig
    """Drives, sensors and bus."""
    speed: float
    """Commanded [m/s]."""
    gait: str
    """Name of the gait, or of the caller's own controller."""
    walking: WalkerConfig | None = None
    """Parts of its controller and their settings; None where it has no parts."""
    controller: str = ""
    """By name; empty for one of the caller's own."""
    heading: float = 0.0
    """Crab angle: where the speed goes, 90 to the left [degrees]."""
    left: float = 0.0
    """Commanded on top, to the left [m/s]."""
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
    """A controller that has no parts: a recipe's, or the caller's own."""
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Settings of a recipe's controller without parts, by name."""

    @cached_property
    def friction(self) -> float:
        """Friction coefficient of the ground, drawn by the seed unless given."""
        if self.config.friction is not None:
            return self.config.friction
        return float(stream(self.config.seed, "friction").uniform(*DRAWN_FRICTION))

    @cached_property
    def ground(self) -> GroundMap:
        """Map of the ground that its controller is given; none for a caller's own."""
        if not self.controller:
            return NO_MAP
        return known_ground(self.machine, self.config, self.terrain)

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
    def goals(self) -> tuple[WalkingGoal, ...]:
        """Commands of the operator over time."""
        return operator_goals(self.config, self.forward, self.aside, self.turn)

    @property
    def has_ramp(self) -> bool:
        """Whether its speed counts only once the ramp is over."""
        return self.controller not in ("", COMMON)

    @property
    def size(self) -> float:
        """Size of the machine over WARP1's, for its surroundings."""
        return size_over_warp1(self.machine)

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

    def new_controller(self) -> Controller[Any]:
        """Return the controller that walks so."""
        if self.whole is not None:
            return self.whole
        return walker(
            self.machine,
            self.goals,
            self.walking or WalkerConfig(),
            drives_motors=self.config.actuators != "ideal",
            ground=self.ground,
            place=self.config.goal,
            turns=self.turns,
        )

    def with_seed(self, seed: int) -> "ResolvedWalk":
        """Return the same walk with all that a seed draws drawn anew.

        Args:
            seed: of friction, sensors, bus and ground.
        """
        config = replace(self.config, seed=seed)
        plant = machine_config(self.machine, config, self.terrain)
        return replace(self, config=config, plant=plant)


def resolved_walk(
    robot: Robot, config: WalkConfig, own: Controller[Any] | None = None
) -> ResolvedWalk:
    """Return a walk with everything decided.

    Args:
        robot: with legs and drives, or of a file in which legs are found.
        config: how it walks; which robot it names does not count here.
        own: a controller of the caller's own, which steps on ``Readings``.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    assumed, robot = legged_assumptions(robot), walker_of(robot)
    machine = legged_machine(robot)
    terrain = parse_terrain(config.terrain, machine.height)
    if own is not None:
        walk = _own_walk(robot, machine, config, terrain, own, assumed)
    else:
        chosen = chosen_controller(robot, machine, config, terrain)
        if isinstance(chosen.recipe, AbstractWholeRecipe):
            walk = _whole_walk(chosen, chosen.recipe)
        else:
            walk = _walk_by_parts(chosen, assumed)
    expect_footing(walk.terrain, walk.friction)
    return walk


def _walk_by_parts(chosen: ChosenController, assumed: tuple[str, ...]) -> ResolvedWalk:
    """Return the walk of a machine whose controller has parts."""
    robot, machine, config = chosen.robot, chosen.machine, chosen.config
    if machine.is_scaled:
        expect_walker(machine)
    gait = fitting_gait(chosen.pattern, config.duty, machine)
    plant = machine_config(machine, config, chosen.terrain)
    speed, left, turn = _commanded(config)
    velocity = None
    if machine.is_scaled and chosen.is_common:
        if speed is None:
            speed = _usual_speed(machine, gait, chosen)
        velocity = velocity_of(speed, left, config.heading)
    walking = chosen.settings(_time_late(plant, machine), velocity)
    gait = at_duty(gait, walking.clocked.duty)
    if velocity is not None:
        walking = stepping(walking, machine, gait, velocity, config.gains)
    machine = machine.at_height(walking.height)
    if speed is None:
        speed = _usual_speed(machine, gait, chosen)
    terrain = chosen.terrain.at_height(machine.height)
    warnings, margin = _warnings_of(chosen, terrain), None
    if velocity is not None:
        margin = loop_margin(walking, machine, gait, velocity)
        warnings = (*warnings, *step_warnings(margin, machine, config.actuators))
    walk = ResolvedWalk(
        config=config,
        robot=robot,
        machine=machine,
        terrain=terrain,
        plant=plant,
        speed=speed,
        gait=chosen.gait,
        walking=walking,
        controller=chosen.name,
        heading=config.heading,
        left=left,
        turn=turn,
        turns=chosen.recipe.turns,
        assumed=assumed,
        warnings=warnings,
        loop_margin=margin,
    )
    _expect_possible(walk, walking, gait)
    if config.amputate:
        robot, machine = limping(robot, machine, walking, config.amputate)
        walk = replace(walk, robot=robot, machine=machine)
    return walk


def _own_walk(
    robot: Robot,
    machine: LeggedMachine,
    config: WalkConfig,
    terrain: Terrain,
    own: Controller[Any],
    assumed: tuple[str, ...],
) -> ResolvedWalk:
    """Return the walk of a machine that the caller's own controller drives."""
    return ResolvedWalk(
        config=config,
        robot=robot,
        machine=machine,
        terrain=terrain,
        plant=machine_config(machine, config, terrain),
        speed=0.0 if config.speed is None else config.speed,
        gait=type(own).__name__,
        heading=config.heading,
        left=config.left,
        assumed=assumed,
        whole=own,
    )


def _whole_walk(chosen: ChosenController, recipe: AbstractWholeRecipe) -> ResolvedWalk:
    """Return the walk of a machine whose controller has no parts."""
    config, machine, terrain = chosen.config, chosen.machine, chosen.terrain
    expect_plain(config, chosen.name)
    asked = replace(chosen.asked(), speed=config.speed)
    own, settings = recipe.controller(machine, asked, config.gains)
    return ResolvedWalk(
        config=config,
        robot=chosen.robot,
        machine=machine,
        terrain=terrain,
        plant=machine_config(machine, config, terrain),
        speed=float(settings["speed"]),
        gait=f"{chosen.gait}, {settings['tracking']}",
        controller=chosen.name,
        whole=own,
        settings=settings,
    )


def _warnings_of(chosen: ChosenController, terrain: Terrain) -> tuple[str, ...]:
    """Return what is known to go wrong with a walk by its gait's own settings."""
    robot = chosen.robot
    own = builtin(robot.name).warnings if robot.name in builtin_names() else None
    if own is None or not chosen.is_common:
        return ()
    found = own(
        chosen.gait,
        payload=robot.payload,
        stiffness=terrain.stiffness,
        step=terrain.block_height,
        actuators=chosen.config.actuators,
    )
    return tuple(found)


def walker_of(robot: Robot) -> Robot:
    """Return a robot as a walking machine, or say why it is none."""
    if not (robot.legs and robot.drives):
        expect_legs_to_walk(robot)
    return legged_robot(robot)


def _expect_possible(
    walk: ResolvedWalk, walking: WalkerConfig, gait: PhaseGait
) -> None:
    """Refuse a walk for which joints are too slow or too weak.

    Args:
        walk: the walk, on all its legs.
        walking: its parts and their settings.
        gait: which feet stand when.

    Raises:
        ConfigError: too fast, or too heavy.
    """
    machine, config = walk.machine, walk.config
    if machine.joints != 3:
        return
    asked = AskedGait(
        machine=machine,
        gait=gait,
        cycle=walking.clocked.cycle,
        forward=walk.forward,
        left=walk.aside,
        turn=walk.turn,
    )
    is_common = walk.controller == COMMON
    if is_common and is_stepping(machine, walking, gait):
        asked = within_tried_bounds(asked, walking, config.gains)
    if config.command is None:
        expect_reached(asked)
    doubt = torques_in(walk.assumed)
    expect_carried(asked, walk.robot.payload, is_file=machine.is_scaled, doubt=doubt)


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


def _time_late(plant: MachineConfig, machine: LeggedMachine) -> float:
    """Return the time from reading a speed to its force, held and differenced [s]."""
    bus = 0.0 if plant.bus is None else plant.bus.delay
    drives = max(drive.lateness for drive in machine.drives)
    return plant.period + plant.delay + bus + drives


def machine_config(
    machine: LeggedMachine, config: WalkConfig, terrain: Terrain
) -> MachineConfig:
    """Return drives, sensors and bus; what it has no sensor for reads nothing.

    Args:
        machine: that walks.
        config: fidelity of drives and sensors, and the seed.
        terrain: a machine with a map of it has to know its place on the map.
    """
    is_real = config.sensors == "real"
    failed = tuple(n for n in SENSES if n in NAMES and n not in machine.senses)
    is_mapped = terrain.kind == "banned"
    return MachineConfig(
        period=machine.period,
        actuators=ActuatorConfig(kind=config.actuators),
        sensors=SensorConfig(kind=config.sensors, seed=config.seed, failed=failed),
        bus=BusConfig(seed=config.seed) if is_real else None,
        fix=FixConfig(seed=config.seed if is_real else None) if is_mapped else None,
    )
