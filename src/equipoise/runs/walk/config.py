"""How a machine shall walk: everything that can be chosen of ``runs.walk``."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Literal, final, get_args

from equipoise.control.parts import (
    BALANCES,
    LEG_PROGRAMS,
    MOTIONS,
    PILOTS,
    PLANNERS,
    REFLEXES,
    SUPPORTS,
)
from equipoise.control.recipe import CONTROLLERS
from equipoise.core.checks import expect_none, is_number, is_whole
from equipoise.core.errors import EquipoiseError, UnknownNameError
from equipoise.core.settings import plain_settings
from equipoise.runs.robot import MOST_SEED, RobotChoice
from equipoise.sim.machine.actuators import ActuatorKind
from equipoise.sim.machine.world import GroundKind
from equipoise.sim.terrain import RANGES, parse_terrain

__all__ = ["BUILD", "WalkConfig"]

SensorKind = Literal["ideal", "real"]
StartKind = Literal["stand", "belly"]
SHORTEST, LONGEST = 2.5, 1200.0  # of a run [s]
USUAL, TO_GOAL = 10.0, 900.0  # unless told; the second at most, to a goal [s]
FARTHEST = 1000.0  # of a goal [m]
MOST_FROZEN = 500  # fewer than the control periods of the shortest walk
BUILD = ("robot",)
"""Settings that a robot given by hand brings itself."""
SIGNED = ("speed", "heading", "left", "turn", "push", "push_heading")
CHOICES = {
    "actuators": get_args(ActuatorKind),
    "sensors": get_args(SensorKind),
    "ground": get_args(GroundKind),
    "start": get_args(StartKind),
}


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WalkConfig:
    """One walk; the defaults are a trot on level ground.

    Raises:
        ConfigError: values out of range; all of them are named.
        UnknownNameError: no such terrain, or no such part of the controller.
    """

    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="warp1"))
    """Which machine, and how it is built; or a file of a robot with such legs."""
    controller: str | None = None
    """Of ``control.controllers``; None for the machine's own, with a gait the one that
    walks any by name."""
    gait: str | None = None
    """One of ``control.gaits.gait_names()`` with as many legs; None for the
    controller's own."""
    duty: float | None = None
    """Share of a cycle for which a leg stands; None for the gait's own."""
    speed: float | None = None
    """Forward; None for 0.4, for gaits on three feet and more 0.15 [m/s]."""
    ramp: tuple[float, float] | None = None
    """Speeds from and to which it goes evenly as it walks; None for one speed
    [m/s]."""
    heading: float = 0.0
    """Crab angle: where the speed goes, 0 forward, 90 to the left, the trunk keeping
    its yaw [degrees]."""
    left: float = 0.0
    """Sideways [m/s]."""
    turn: float = 0.0
    """To the left [rad/s]."""
    goal: tuple[float, float] | None = None
    """Place to get to, ahead and to the left of the start; the walk ends there [m]."""
    seconds: float = math.inf
    """Simulated, 2.5 to 1200, the first of which it stands; infinite for the usual, 10,
    and 900 at most to a goal [s]."""
    stop_at: float | None = None
    """When it is told to stop; None for never [s]."""
    terrain: str = "flat"
    """``flat``, ``slope:PERCENT``, ``blocks:CM``, ``soft:N/M``, ``wall`` or others of
    ``sim.terrain``; ``blocks:0.1h`` is in heights of the machine's hips."""
    ground_stiffness: float | None = None
    """Of soft ground under each foot, as terrain ``soft`` has it; None where the
    terrain says [N/m]."""
    mapped: bool = False
    """Whether it knows beforehand where a wall is, having a map of it."""
    friction: float | None = None
    """Of the ground; None draws 0.6 to 0.8 by the seed."""
    push: float = 0.0
    """On the trunk, for 0.1 s [N s]."""
    push_heading: float = 90.0
    """Where to: 0 forward, 90 to the left [degrees]."""
    push_at: float | None = None
    """When, 1 to the end; None for half time [s]."""
    force: float = 0.0
    """Standard deviation of random level forces on the trunk, each held 0.1 s [N]."""
    start: StartKind = "stand"
    """How it starts: on its feet, or on its belly, from which it gets up within two
    seconds or has fallen."""
    amputate: tuple[str, ...] = ()
    """Legs that are taken off before it walks, by name as ``middle_left``."""
    actuators: ActuatorKind = "motor"
    """How faithful drives are."""
    sensors: SensorKind = "real"
    """As WARP1 has them, with its bus and delay; or ideal and at once."""
    ground: GroundKind = "mujoco"
    """What carries the feet."""
    pilot: str | None = None
    """Which part says where to; None for ``harmonic`` with a goal, else ``ramped``."""
    support: str | None = None
    """Which part decides who stands; None for the gait's own, as for the others."""
    motion: str | None = None
    """Which part moves the trunk."""
    balance: str | None = None
    """Which part keeps it upright."""
    planner: str | None = None
    """Which part looks ahead."""
    leg_program: str | None = None
    """Which part leads the feet."""
    mode: str | None = None
    """Operating mode of a controller that has some; None for its own."""
    tracking: str | None = None
    """How the legs of ``sap`` track their references: ``position``, ``rotated`` or
    ``force``; None for the controller's own."""
    adapt: bool = False
    """Whether legs that track forces learn the ground; what that is worth is then found
    out by a trial beside the walk."""
    learned: str | None = None
    """File of a policy that ``equipoise learn`` wrote, by which it turns."""
    command: tuple[float, float, float] | None = None
    """Forward, left [m/s] and turn [rad/s] as an operator gives them, whatever they
    are; of a controller that grants only what it can stop from."""
    reflexes: tuple[str, ...] | None = None
    """Which parts answer at once, in their order."""
    gains: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the parts by name, as ``stride.sway``, see ``WalkerConfig``."""
    freeze: int = 0
    """At how many instants, which the seed draws, a copy of it is frozen to see whether
    it stays up."""
    seed: int = 0
    """Of friction, sensors, bus, joints at the start, tiles and forces."""

    def __post_init__(self) -> None:
        """Refuse settings out of range, all problems at once."""
        if self.seconds == math.inf:
            usual = USUAL if self.goal is None else TO_GOAL
            object.__setattr__(self, "seconds", usual)
        problems = [*_bad_numbers(self), *_bad_times(self)]
        for name, known in CHOICES.items():
            value = getattr(self, name)
            if value not in known:
                problems.append(f"{name} must be {' or '.join(known)}, got {value!r}")
        if not (is_whole(self.seed) and 0 <= self.seed < MOST_SEED):
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        problems += _bad_command(self) + _bad_ramp(self) + _bad_goal(self)
        problems += _bad_ground(self)
        if not (is_whole(self.freeze) and 0 <= self.freeze <= MOST_FROZEN):
            problems.append(
                f"freeze must be 0 to {MOST_FROZEN} instants, got {self.freeze!r}"
            )
        expect_none("the walk", problems, _bad_names(self))
        if self.ground_stiffness is not None:
            object.__setattr__(self, "terrain", _soft_terrain(self))

    @property
    def pushed_at(self) -> float:
        """When it is pushed [s]."""
        return 0.5 * self.seconds if self.push_at is None else self.push_at

    def parts(self) -> dict[str, Any]:
        """Return the parts that were chosen, by what they decide."""
        names = ("planner", "support", "motion", "balance", "reflexes")
        chosen = {name: getattr(self, name) for name in names}
        chosen["legs"] = self.leg_program
        chosen["guide"] = self.pilot or ("harmonic" if self.goal else None)
        return {name: part for name, part in chosen.items() if part is not None}

    def told(self) -> dict[str, Any]:
        """Return all settings as plain values, those of the robot among them."""
        own = {"knees": "forward"} if self.robot.name == "warp1" else {}
        chosen = {
            key: str(value) if isinstance(value, PurePath) else value
            for key, value in self.robot.options.items()
        }
        told = plain_settings(self) | own | chosen
        del told["robot"]
        return told


def _bad_names(config: WalkConfig) -> list[EquipoiseError]:
    """Return what is wrong with the names of terrain and parts."""
    found: list[EquipoiseError] = []
    try:
        parse_terrain(config.terrain, 0.1)  # its own height is known later
    except EquipoiseError as error:
        found.append(error)
    for catalogue, names in (
        (SUPPORTS, [config.support]),
        (MOTIONS, [config.motion]),
        (BALANCES, [config.balance]),
        (PLANNERS, [config.planner]),
        (PILOTS, [config.pilot]),
        (LEG_PROGRAMS, [config.leg_program]),
        (CONTROLLERS, [config.controller]),
        (REFLEXES, config.reflexes or []),
    ):
        for name in names:
            try:
                if name is not None:
                    catalogue.find(name)
            except UnknownNameError as error:
                found.append(error)
    return found


def _bad_numbers(config: WalkConfig) -> list[str]:
    """Return what is wrong with the numbers that are no times."""
    names = (*SIGNED, "force", "friction", "duty")
    said = (_bad_number(name, getattr(config, name)) for name in names)
    return [problem for problem in said if problem]


def _bad_number(name: str, value: Any) -> str:
    """Return what is wrong with one of them; "" if nothing is."""
    if is_number(value) and math.isfinite(value):
        is_fine = name in SIGNED or value >= 0.0
        return "" if is_fine else f"{name} must be >= 0, got {value!r}"
    if value is None and name in ("speed", "friction", "duty"):
        return ""
    return f"{name} must be a finite number, got {value!r}"


def _bad_command(config: WalkConfig) -> list[str]:
    """Return what is wrong with the operator's command."""
    command = config.command
    if command is None:
        return []
    if len(command) != 3 or not all(is_number(x) and math.isfinite(x) for x in command):
        return [f"command must be three numbers, VX,VY,TURN, got {command!r}"]
    if config.speed is not None or config.left or config.turn or config.heading:
        return ["command stands for speed, left, turn and heading; give only one"]
    return []


def _bad_ramp(config: WalkConfig) -> list[str]:
    """Return what is wrong with a ramp of the speed."""
    ramp = config.ramp
    if ramp is None:
        return []
    if len(ramp) != 2 or not all(is_number(v) and 0.0 < v < math.inf for v in ramp):
        return [f"ramp must be two speeds > 0, FROM,TO, got {ramp!r}"]
    if config.speed is not None or config.command is not None:
        return ["ramp stands for speed and command; give only one"]
    return []


def _bad_goal(config: WalkConfig) -> list[str]:
    """Return what is wrong with the place to get to."""
    goal = config.goal
    if goal is None:
        if config.pilot == "harmonic":
            return ["pilot 'harmonic' goes to a place; give --goal X,Y"]
        return ["mapped needs a --goal X,Y to go to"] if config.mapped else []
    if len(goal) != 2 or not all(is_number(x) and abs(x) <= FARTHEST for x in goal):
        return [f"goal must be two numbers within {FARTHEST:g} m, X,Y, got {goal!r}"]
    if config.mapped and not config.terrain.startswith("wall"):
        return [f"mapped: there is no wall to know of on '{config.terrain}'"]
    if config.pilot == "ramped":
        return ["goal: pilot 'ramped' goes by velocities; leave --pilot out"]
    taken = ("command", "ramp", "stop_at")
    said = [name for name in taken if getattr(config, name) is not None]
    said += [name for name in ("left", "turn", "heading") if getattr(config, name)]
    if said:
        return [f"goal says where to; leave {', '.join(said)} out"]
    if config.speed is not None and config.speed <= 0.0:
        return [f"speed must be > 0 to get to a goal, got {config.speed!r}"]
    return []


def _soft_terrain(config: WalkConfig) -> str:
    """Return the terrain that a stiffness of the ground stands for."""
    return f"soft:{config.ground_stiffness:.15g}"


def _bad_ground(config: WalkConfig) -> list[str]:
    """Return what is wrong with the stiffness of the ground."""
    stiffness, terrain = config.ground_stiffness, config.terrain
    if stiffness is None:
        return []
    least, most, _ = RANGES["soft"]
    if not (is_number(stiffness) and least <= stiffness <= most):
        wanted = f"{least:g} to {most:g} N/m"
        return [f"ground-stiffness must be {wanted}, got {stiffness!r}"]
    if terrain not in ("flat", _soft_terrain(config)):
        return [
            f"ground-stiffness stands for terrain '{_soft_terrain(config)}', got "
            f"terrain '{terrain}' too; give only one"
        ]
    return []


def _bad_times(config: WalkConfig) -> list[str]:
    """Return what is wrong with how long it walks."""
    seconds, stop = config.seconds, config.stop_at
    if not (is_number(seconds) and SHORTEST <= seconds <= LONGEST):
        return [f"seconds must be {SHORTEST:g} to {LONGEST:g}, got {seconds!r}"]
    push = config.push_at
    if push is not None and not (is_number(push) and 1.0 <= push < seconds):
        return [f"push-at must be 1 to below {seconds:g} s, got {push!r}"]
    if stop is None or (is_number(stop) and SHORTEST <= stop < seconds):
        return []
    return [f"stop-at must be {SHORTEST:g} to below {seconds:g} s, got {stop!r}"]
