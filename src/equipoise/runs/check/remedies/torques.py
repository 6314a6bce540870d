"""Joints that would have to be stronger."""

import math

import numpy as np

from equipoise.core.text import shown
from equipoise.robots.robot import Robot
from equipoise.runs.check.joints import SAFE_SHARE
from equipoise.runs.check.remedies.changed import stronger_joints
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.remedies.search import RemedySearch, RemedyTrial
from equipoise.stability.region.torques import joint_torque_ranges

__all__ = ["stronger"]

MOST = 20.0  # times its own that a joint's limit may become
STEP = 0.01  # share of its own to which a limit is searched
NUMBERS = ("torque-share", "torque-reserve")


def stronger(search: RemedySearch) -> list[Remedy]:
    """Return which torque limits would do: of one joint each, else of all.

    Args:
        search: what shall be reached.
    """
    limit = search.asked.question.torque_limits
    is_required = any(r.number.name in NUMBERS for r in search.goal.requirements)
    if limit is not False and limit is not True:
        return _one_limit(search, float(limit))
    if limit is False and not (is_required or _is_too_weak(search)):
        return []
    limits = _limits_of(search.asked.robot)

    def works(factors: dict[str, float]) -> bool:
        return search.works(_stronger_trial(search, limits, factors), is_quick=True)

    if not limits or not works(dict.fromkeys(limits, MOST)):
        return []
    alone = [name for name in limits if works({name: MOST})]
    groups = [(name,) for name in alone] or [tuple(limits)]
    found = [_least_factor(search, limits, names) for names in groups]
    return [remedy for remedy in found if remedy is not None]


def _is_too_weak(search: RemedySearch) -> bool:
    """Return whether a controller may be unable to hold the robot with its motors."""
    summary = search.result.summary
    share = summary["joints"]["torque_share_without_bracing"]
    return summary["joints_from"] == "own" and share is not None and share > SAFE_SHARE


def _limits_of(robot: Robot) -> dict[str, float]:
    """Return the joints that have a torque limit, and the larger of both ways."""
    model, ranges = robot.model, joint_torque_ranges(robot.model)
    found: dict[str, float] = {}
    for joint in range(int(model.njnt)):
        low, high = ranges[int(model.jnt_dofadr[joint])]
        name = str(model.joint(joint).name)
        if name and math.isfinite(low) and math.isfinite(high) and high > low:
            found[name] = float(max(-low, high))
    return found


def _stronger_trial(
    search: RemedySearch, limits: dict[str, float], factors: dict[str, float]
) -> RemedyTrial | None:
    """Return the robot with stronger joints, if they came out as meant."""
    robot = stronger_joints(search.asked.robot, factors)
    if robot is None:
        return None
    new = _limits_of(robot)
    meant = {name: limits[name] * factors.get(name, 1.0) for name in limits}
    is_so = new.keys() == meant.keys() and np.allclose(
        list(new.values()), list(meant.values()), rtol=1e-9, atol=0.0
    )
    return RemedyTrial(robot) if is_so else None


def _least_factor(
    search: RemedySearch, limits: dict[str, float], names: tuple[str, ...]
) -> Remedy | None:
    """Return how much stronger some joints must be, or None."""
    alone = names[0] if len(names) == 1 else None

    def factor(k: int) -> float:
        if alone is None:
            return round(1.0 + k * STEP, 9)
        value = limits[alone] * (1.0 + k * STEP)
        tens = 10.0 ** (math.floor(math.log10(value)) - 2)
        return math.ceil(value / tens - 1e-9) * tens / limits[alone]

    most = round((MOST - 1.0) / STEP)
    found = search.least(
        lambda k: _stronger_trial(search, limits, dict.fromkeys(names, factor(k))),
        1,
        most,
    )
    if found is None:
        return None
    goal = search.goal.sentence
    if alone is None:
        change = f"every joint can give {factor(found):.4g} times its torque limit"
        return Remedy("torque", names, factor(found), "", goal, change)
    value = float(f"{factor(found) * limits[alone]:.3g}")
    change = (
        f"joint '{shown(alone)}' can give at least {value:.4g} N m instead of "
        f"{limits[alone]:.4g} N m"
    )
    return Remedy("torque", names, value, "N m", goal, change)


def _one_limit(search: RemedySearch, limit: float) -> list[Remedy]:
    """Return the limit for all joints that would do, where one number was given."""
    step = 10.0 ** (math.floor(math.log10(limit)) - 2)
    first = math.floor(limit / step + 1e-9)

    def value(k: int) -> float:
        return float(f"{(first + k) * step:.6g}")

    most = round((MOST - 1.0) * limit / step)

    def change(k: int) -> RemedyTrial:
        return RemedyTrial(question={"torque_limits": value(k)})

    if not search.works(change(most), is_quick=True):
        return []
    found = search.least(change, 1, most)
    if found is None:
        return []
    told = f"every joint can give at least {value(found):.6g} N m"
    return [Remedy("torque", (), value(found), "N m", search.goal.sentence, told)]
