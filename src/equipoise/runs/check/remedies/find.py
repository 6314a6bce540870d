"""All remedies of a check that does not say "yes".

Each was made and checked before it is told, so that none is wrong; that there is none
does not mean that nothing would do.
"""

from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import robot_scene
from equipoise.runs.check.remedies.drives import stiffer_servos, stronger_servos
from equipoise.runs.check.remedies.feet import feet_apart
from equipoise.runs.check.remedies.goal import remedy_goals
from equipoise.runs.check.remedies.masses import lighter_masses, moved_masses
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.remedies.search import RemedySearch, begun
from equipoise.runs.check.remedies.soles import larger_soles
from equipoise.runs.check.remedies.torques import stronger
from equipoise.runs.check.remedies.world import flatter_slope, more_friction, stiffer
from equipoise.runs.check.result import CheckResult

__all__ = ["remedies_of"]

MOST_BODIES, MOST_SHAPES, MOST_JOINTS = 500, 300, 300
"""Bodies of a file, its robot's shapes that can touch the ground and degrees of freedom
of all that moves: above these no remedies are searched for."""

SEARCHES = (
    moved_masses,
    feet_apart,
    larger_soles,
    more_friction,
    flatter_slope,
    stiffer,
    stronger,
    lighter_masses,
)
OF_DRIVES = (stronger_servos, stiffer_servos)
"""Where a robot that stands with its joints held does not on its own drives."""


def remedies_of(result: CheckResult) -> tuple[Remedy, ...]:
    """Return what would turn a check into a "yes".

    What reaches all at once comes alone; where nothing does, each missing part of the
    answer is tried by itself.

    Args:
        result: a check; nothing is searched for where its verdict is "yes".
    """
    asked = result.asked
    if asked is None or not asked.remedies or result.verdict == "yes":
        return ()
    if result.summary["joints_passive"]:  # nothing but holding them would do
        return ()
    if not is_searched(asked.robot):
        return ()
    goals = remedy_goals(result)
    found = [r for goal in goals[:1] for r in _searched(begun(asked, result, goal))]
    if not found:
        for part in goals[1:]:
            found += _searched(begun(asked, result, part))
    return tuple(found)


def is_searched(robot: Robot) -> bool:
    """Return whether remedies are searched for: many checks must not take minutes.

    Args:
        robot: the robot.
    """
    model = robot.scene_model
    if int(model.nbody) > MOST_BODIES or int(model.nv) > MOST_JOINTS:
        return False
    scene = robot_scene(robot)
    is_even = len(scene.ground) == len(scene.planes)
    return is_even and len(scene.shapes) <= MOST_SHAPES


def _searched(search: RemedySearch) -> list[Remedy]:
    """Return all remedies that reach one goal."""
    is_on_drives = search.result.summary["own_drives"] is not None
    searches = OF_DRIVES if is_on_drives else SEARCHES
    return [remedy for find in searches for remedy in find(search)]
