"""Which settings of a walk do not go together, in phrases."""

from typing import TYPE_CHECKING

from equipoise.core.checks import is_number
from equipoise.core.errors import EquipoiseError, UnknownNameError

if TYPE_CHECKING:
    from equipoise.runs.walk.config import WalkConfig

__all__ = [
    "SHORTEST",
    "bad_command",
    "bad_goal",
    "bad_ground",
    "bad_names",
    "bad_ramp",
    "bad_times",
    "soft_terrain",
]

SHORTEST = 2.5  # of a run [s]


def bad_names(config: "WalkConfig") -> list[EquipoiseError]:
    """Return what is wrong with the names of terrain and parts."""
    from equipoise.control import parts  # brings NumPy
    from equipoise.control.recipe import CONTROLLERS
    from equipoise.sim.terrain import parse_terrain

    found: list[EquipoiseError] = []
    try:
        parse_terrain(config.terrain, 0.1)  # its own height is known later
    except EquipoiseError as error:
        found.append(error)
    for catalogue, names in (
        (parts.SUPPORTS, [config.support]),
        (parts.MOTIONS, [config.motion]),
        (parts.BALANCES, [config.balance]),
        (parts.PLANNERS, [config.planner]),
        (parts.PILOTS, [config.pilot]),
        (parts.LEG_PROGRAMS, [config.leg_program]),
        (CONTROLLERS, [config.controller]),
        (parts.REFLEXES, config.reflexes or []),
    ):
        for name in names:
            try:
                if name is not None:
                    catalogue.find(name)
            except UnknownNameError as error:
                found.append(error)
    return found


def bad_command(config: "WalkConfig") -> list[str]:
    """Return what is wrong with the operator's command."""
    if config.command is None:
        return []
    if config.speed is not None or config.left or config.turn or config.heading:
        return ["command stands for speed, left, turn and heading; give only one"]
    return []


def bad_ramp(config: "WalkConfig") -> list[str]:
    """Return what is wrong with a ramp of the speed."""
    if config.ramp is None:
        return []
    if config.speed is not None or config.command is not None:
        return ["ramp stands for speed and command; give only one"]
    return []


def bad_goal(config: "WalkConfig") -> list[str]:
    """Return what is wrong with the place to get to."""
    goal = config.goal
    if goal is None:
        if config.pilot == "harmonic":
            return ["pilot 'harmonic' walks to a place; give --goal X,Y"]
        return ["mapped needs a --goal X,Y to go to"] if config.mapped else []
    if config.mapped and not config.terrain.startswith("wall"):
        return [f"mapped: there is no wall on '{config.terrain}'"]
    if config.pilot == "ramped":
        return ["goal: pilot 'ramped' follows velocities; leave --pilot out"]
    taken = ("command", "ramp", "stop_at")
    said = [name for name in taken if getattr(config, name) is not None]
    said += [name for name in ("left", "turn", "heading") if getattr(config, name)]
    if said:
        return [f"goal sets the destination; leave {', '.join(said)} out"]
    if config.speed is not None and config.speed <= 0.0:
        return [f"speed must be > 0 to reach a goal, got {config.speed!r}"]
    return []


def soft_terrain(config: "WalkConfig") -> str:
    """Return the terrain that a stiffness of the ground stands for."""
    return f"soft:{config.ground_stiffness:.15g}"


def bad_ground(config: "WalkConfig") -> list[str]:
    """Return what is wrong with the stiffness of the ground."""
    stiffness, terrain = config.ground_stiffness, config.terrain
    if stiffness is None or not is_number(stiffness):
        return []  # nothing chosen, or refused by itself
    from equipoise.sim.terrain import RANGES  # brings NumPy

    least, most, _ = RANGES["soft"]
    if not least <= stiffness <= most:
        wanted = f"{least:g} to {most:g} N/m"
        return [f"ground-stiffness must be {wanted}, got {stiffness!r}"]
    if terrain not in ("flat", soft_terrain(config)):
        return [
            f"ground-stiffness stands for terrain '{soft_terrain(config)}', got "
            f"terrain '{terrain}' too; give only one"
        ]
    return []


def bad_times(config: "WalkConfig") -> list[str]:
    """Return what is wrong with instants that a walk of its length does not have."""
    seconds, stop, push = config.seconds, config.stop_at, config.push_at
    found: list[str] = []
    if push is not None and not 1.0 <= push < seconds:
        found.append(f"push-at must be 1 to below {seconds:g} s, got {push!r}")
    if stop is not None and not SHORTEST <= stop < seconds:
        found.append(
            f"stop-at must be {SHORTEST:g} to below {seconds:g} s, got {stop!r}"
        )
    return found
