"""Whether a robot of a file can walk at all, before any gait is asked for.

Refusals belong to what the walking controller needs, not to loading: it puts balls down
under a trunk that it carries on four legs or more of two or three joints.
"""

import math

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.core.errors import ConfigError
from equipoise.robots.found.description import Found
from equipoise.robots.legs import centre_of_mass, foot_angles
from equipoise.robots.robot import Robot
from equipoise.stability.rigid.support import static_margin

__all__ = ["expect_legs_to_walk", "expect_walker", "is_walker", "longest_stroke"]

FEWEST, MOST_JOINTS = 4, (2, 3)
HELD_BY = 6  # joints of a leg on a sole, by which laws of balance hold a trunk
SOLE = 0.15  # longest of a foot that can be taken for a ball, in heights
AHEAD = 0.3  # farthest that x of the base may be from the way ahead [rad]
STROKE = 0.25  # shortest that a leg must have, in heights
HALVINGS = 20
DESCRIBE = "'equipoise describe FILE --out DIR' writes what was found, to edit"


def is_walker(robot: Robot) -> bool:
    """Return whether a robot walks: with driven legs, or a file of four or more."""
    if robot.drives and robot.legs:
        return True
    is_file = bool(robot.source) and robot.assembly is None
    return is_file and len(robot.found.legs) >= FEWEST


def expect_legs_to_walk(robot: Robot) -> None:
    """Refuse a robot whose legs are no walking machine's; every reason is named.

    Args:
        robot: as its file has it.

    Raises:
        ConfigError: too few legs, an odd number, legs of other numbers of joints,
            wheels or soles.
    """
    found = robot.found
    problems = [*_count_problems(found), *foot_problems(found)]
    if problems:
        raise ConfigError(f"robot '{robot.name}'", problems)


def _count_problems(found: Found) -> list[str]:
    """Return what is wrong with how many legs and joints there are."""
    legs, problems = len(found.legs), list[str]()
    if legs == 2:
        is_held = found.root == "free" and all(
            len(leg.joints) == HELD_BY and leg.foot.kind == "sole" for leg in found.legs
        )
        remedy = (
            "'equipoise balance FILE' keeps it standing"
            if is_held
            else "'equipoise check FILE' says whether it stands"
        )
        problems.append(f"walking takes four legs or more, got 2; {remedy}")
    elif legs and (legs < FEWEST or legs % 2):
        problems.append(
            f"walking takes an even number of legs, four or more, got {legs}; "
            + DESCRIBE
        )
    odd = [leg for leg in found.legs if len(leg.joints) not in MOST_JOINTS]
    if odd and legs >= FEWEST:
        problems.append(
            f"a leg must have 2 or 3 joints, '{odd[0].name}' has {len(odd[0].joints)}; "
            "name the first 3 and a foot on the link behind them, and the others are "
            f"held: {DESCRIBE}"
        )
    if abs(found.heading) > AHEAD and legs >= FEWEST:
        problems.append(
            f"its legs swing along {math.degrees(found.heading):.0f} degrees from x of "
            "its base, which must point ahead; turn its base in the file"
        )
    if found.wheels and legs >= FEWEST:
        problems.append(
            f"leg '{found.wheels[0]}' ends in a wheel, which this controller does not "
            "drive; fix the wheels in the file to walk on them"
        )
    return problems


def foot_problems(found: Found) -> list[str]:
    """Return what is wrong with the feet."""
    if len(found.legs) < FEWEST:
        return []
    for leg in found.legs:
        longest = max(leg.foot.size)
        if leg.foot.kind == "sole" and longest > SOLE * found.height:
            return [
                f"feet must be balls, or soles up to {SOLE * found.height:.3f} m "
                f"({SOLE:g} of its height), '{leg.name}' stands on {longest:.3f} m; "
                "flat feet are for 'equipoise balance FILE'"
            ]
    return []


def expect_walker(machine: LeggedMachine) -> None:
    """Refuse a machine that could not step: short strokes, a stand off balance.

    Args:
        machine: of the robot's file.

    Raises:
        ConfigError: every reason is named.
    """
    problems = _stand_problems(machine)
    if not problems and machine.joints == 3:
        stroke, least = longest_stroke(machine), STROKE * machine.height
        if stroke < least:
            problems.append(
                f"its feet must reach {least:.3f} m to and fro ({STROKE:g} of its "
                f"height) as it stands, they reach {stroke:.3f} m; give another stand: "
                + DESCRIBE
            )
    if problems:
        raise ConfigError(f"robot '{machine.name}'", problems)


def _stand_problems(machine: LeggedMachine) -> list[str]:
    """Return what is wrong with the stand: a centre of mass that is not over it."""
    geometry, centre = machine.geometry, np.zeros(3)
    centre_of_mass(geometry.stand, geometry.legs, geometry.trunk, centre)
    margin = float(static_margin(centre[:2], geometry.hips[:, :2]))
    if margin > 0.0:
        return []
    return [
        f"as it stands its centre of mass must be over its feet, it is "
        f"{-margin:.3f} m beside them; give another stand: {DESCRIBE}"
    ]


def longest_stroke(machine: LeggedMachine) -> float:
    """Return how far all feet reach to and fro about their stand, by halving [m].

    Args:
        machine: with legs of three joints.
    """
    geometry, nl = machine.geometry, machine.legs

    def is_reached(stroke: float) -> bool:
        for share in (-0.5, 0.5):
            places = np.zeros((nl, 3))
            places[:, 0], places[:, 2] = share * stroke, -machine.height
            if not foot_angles(geometry, places)[1]:
                return False
        return True

    short, long = 0.0, 2.0 * float(geometry.lengths.sum(axis=1).max())
    for _ in range(HALVINGS):
        middle = 0.5 * (short + long)
        short, long = (middle, long) if is_reached(middle) else (short, middle)
    return short
