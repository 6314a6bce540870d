"""Let a machine walk in simulation and say how well it did.

It stands for a second, then walks as it is told. A fall (see ``runs.walk.fall``) ends
the run; everything is reported all the same.
"""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import mujoco
import numpy as np

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
from equipoise.robots.legged import legged
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from equipoise.runs.result import AbstractResult, Verdict, said
from equipoise.runs.robot import find_robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.fall import FALLS, FallWatch, fall_watch
from equipoise.runs.walk.fit import expect_legs_to_walk, expect_walker
from equipoise.runs.walk.judge import WalkMargins, walk_margins, walk_numbers
from equipoise.runs.walk.plan import (
    AskedGait,
    expect_carried,
    expect_footing,
    expect_reached,
    fewest_feet,
    fitting_gait,
)
from equipoise.runs.walk.record import recorded_walk
from equipoise.runs.walk.recovery import recovery_numbers
from equipoise.sim.disturbances import Push
from equipoise.sim.held_forces import HeldForces
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Run
from equipoise.sim.terrain import Terrain, parse_terrain
from equipoise.sim.world import World

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["WalkConfig", "WalkResult", "walk", "walk_robot"]

Progress = Callable[[float], None]
START = 1.0
"""For which it stands before it walks [s]."""
JOINT_NOISE = math.radians(1.0)  # at the start
FRICTION = (0.6, 0.8)  # drawn between these unless given
PUSH_LASTS = 0.1  # [s]
USUAL_SHARE, CREEPING_SHARE = 0.18, 0.054  # the same of robot files, over √(g h)
USUAL, CREEPING = 0.4, 0.15  # speed unless given: on two feet, on three and more [m/s]
NUMB = ("load", "pad")  # what a robot file's feet do not feel
LONG = 100.0  # beyond which fewer samples are kept [s]


@final
@dataclass(frozen=True, eq=False)
class WalkResult(AbstractResult):
    """What a walk gave."""

    robot: Robot = field(repr=False)
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    run: Run = field(repr=False)
    """Every signal of every sample."""
    margins: WalkMargins = field(repr=False)
    """At every sample."""
    world: World = field(repr=False)

    @property
    def verdict(self) -> Verdict:
        """Whether it walked to the end and did not fall."""
        return said(not self.summary["fell"])

    def save(self, out: str | Path) -> list[Path]:
        """Write recording, plots, stills, replay and numbers into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.walk.outputs import write_walk  # brings pictures

        return write_walk(self, out)

    @property
    def dataset(self) -> "xr.Dataset":
        """Every signal by name at 100 Hz, see ``equipoise.open_run``."""
        return recorded_walk(self.world, self.run, self.margins, self.summary)


def walk(
    config: WalkConfig | None = None, progress: Progress | None = None
) -> WalkResult:
    """Let a machine walk and return what happened.

    Args:
        config: which machine, how it walks and on what; None for WARP1's trot.
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a machine or settings that cannot be used; nothing has been
            simulated then.
    """
    config = config or WalkConfig()
    return walk_robot(find_robot(config.robot), config, progress)


def walk_robot(
    robot: Robot,
    config: WalkConfig | None = None,
    progress: Progress | None = None,
    own: Controller[Any] | None = None,
) -> WalkResult:
    """Let a given robot walk and return what happened.

    Args:
        robot: with legs of hip roll, hip pitch and knee, and drives.
        config: how it walks; which robot it names does not count here.
        progress: called with the share done, in [0, 1].
        own: a controller of the caller's own, which steps on ``Readings``; gait and
            parts do not count then, and no speed is commanded unless given.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    config, robot = config or WalkConfig(), walker_of(robot)
    plan = planned(robot, config) if own is None else own_plan(robot, config, own)
    friction, terrain = footing(config)
    controller = own or walking_controller(plan, config)
    world = machine_world(
        robot,
        terrain,
        friction=friction,
        ground=config.ground,
        rigid_drives=config.actuators != "elastic",
        joint_noise=JOINT_NOISE,
        seed=config.seed,
        size=plan.machine.height / WARP1.height if robot.source else 1.0,
    )
    watch = fall_watch(world)
    run = rollout(
        world,
        controller,
        config.seconds,
        plant=machine_config(robot, config),
        pushes=pushes_of(config),
        forces=forces_of(config),
        progress=progress,
        stop=watch,
        record_every=1 + int(config.seconds // LONG),
    )
    return summed_up(config, world, run, watch, plan)


def walker_of(robot: Robot) -> Robot:
    """Return a robot as a walking machine, or say why it is none."""
    if robot.source and not robot.drives:
        expect_legs_to_walk(robot)
    return legged(robot)


@final
@dataclass(frozen=True, eq=False)
class Plan:
    """A walk that can be tried."""

    machine: LeggedMachine
    walking: WalkerConfig | None
    """Its controller's parts and their settings; None for one of the caller's own."""
    speed: float
    """Commanded [m/s]."""
    gait: str
    """Or what the caller's own controller is called."""

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
    return Plan(legged_machine(robot), None, speed, type(own).__name__)


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
    machine = legged_machine(robot)
    if robot.source:
        expect_walker(machine)
    gait = fitting_gait(config.gait, config.duty, machine)
    payload = carried(robot)
    is_soft = parse_terrain(config.terrain).kind == "soft"
    walking = walker_config(
        config.gait,
        config.duty,
        payload=payload,
        is_soft=is_soft,
        robot=robot.name,
    )
    if robot.source:
        late = time_late(machine_config(robot, config))
        walking = carried_over(walking, machine, foot_mobility(machine), late)
    clocked = dataclasses.replace(walking.clocked, legs=machine.legs)
    walking = dataclasses.replace(walking, clocked=clocked, **config.parts())
    walking = with_settings(walking, config.gains, f"gait '{config.gait}'")
    clocked = walking.clocked
    machine = legged_machine(robot, height=walking.height)
    if clocked.duty is not None:
        gait = fitting_gait(config.gait, clocked.duty, machine)
    speed = usual_speed(robot, machine, gait) if config.speed is None else config.speed
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
        expect_carried(asked, payload, is_file=bool(robot.source))
    return Plan(machine, walking, speed, config.gait)


def usual_speed(robot: Robot, machine: LeggedMachine, gait: PhaseGait) -> float:
    """Return the speed of a gait unless one is given [m/s]."""
    is_slow = fewest_feet(gait) >= 3
    if not robot.source:
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


def footing(config: WalkConfig) -> tuple[float, Terrain]:
    """Return friction and terrain, or say that it would slide."""
    terrain, friction = parse_terrain(config.terrain), config.friction
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


def machine_config(robot: Robot, config: WalkConfig) -> MachineConfig:
    """Return drives, sensors and bus; feet of a robot file feel nothing."""
    is_real = config.sensors == "real"
    failed = NUMB if robot.source else ()
    return MachineConfig(
        actuators=ActuatorConfig(kind=config.actuators),
        sensors=SensorConfig(kind=config.sensors, seed=config.seed, failed=failed),
        bus=BusConfig(seed=config.seed) if is_real else None,
    )


def pushes_of(config: WalkConfig) -> tuple[Push, ...]:
    """Return the push at half time, if there is one."""
    if config.push == 0.0:
        return ()
    impulse = (0.0, float(config.push), 0.0)
    return (Push(impulse=impulse, start=0.5 * config.seconds, duration=PUSH_LASTS),)


def forces_of(config: WalkConfig) -> HeldForces | None:
    """Return the random forces, if there are any; they begin when it walks."""
    if config.force == 0.0:
        return None
    return HeldForces(sigma=config.force, start=START, seed=config.seed)


def summed_up(
    config: WalkConfig,
    world: World,
    run: Run,
    watch: FallWatch,
    plan: Plan,
) -> WalkResult:
    """Return the result: all numbers, and the settings that were used."""
    machine, speed = plan.machine, plan.speed
    normal, geometry = world.surface.normal, machine.geometry
    margins = walk_margins(run, normal, geometry.foot_radius)
    how = fallen(world, run, watch)
    numbers = walk_numbers(
        run,
        margins,
        normal,
        forward=speed,
        left=config.left,
        mass=machine.mass,
        torque=np.array([drive.torque for drive in machine.drives]),
        walks_until=config.seconds if config.stop_at is None else config.stop_at,
    )
    settings = config.told() | {
        "machine": world.robot.name,
        "speed": speed,
        **plan.parts(),
        "friction": world.config.friction,
        "payload": carried(world.robot),
        "mass": machine.mass,
    }
    summary = {
        "machine": world.robot.name,
        "gait": plan.gait,
        "terrain": str(world.terrain),
        "seed": config.seed,
        "fell": how != "no",
        "fell_how": None if how == "no" else how,
        "fell_at_s": None if how == "no" else float(run.time[-1]),
        "simulated_s": float(run.time[-1]),
        **numbers,
        "recovery": recovery_numbers(
            run.time,
            run.attitude,
            run.p_WB,
            run.touches,
            settings,
            fell=how != "no",
            start=START,
            lasts=PUSH_LASTS,
        ),
        "settings": settings,
    }
    return WalkResult(world.robot, summary, run, margins, world)


def fallen(world: World, run: Run, watch: FallWatch) -> str:
    """Return how a run's last state has fallen, "no" if it has not."""
    if not run.is_finite:
        return "numbers that are not finite"
    data = world.start()
    data.qpos[:] = run.qpos[-1]
    mujoco.mj_forward(world.model, data)
    return FALLS[watch.kind(data)]
