"""Servos that would have to be stiffer, or to give more force.

How stiff is predicted by equilibrium and stiffness, which take milliseconds; what is
told was then checked on the changed robot, in the engine too.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from equipoise.core.text import shown
from equipoise.robots.robot import Robot
from equipoise.runs.check.judged import robot_on_its_drives
from equipoise.runs.check.own_joints import Drives
from equipoise.runs.check.remedies.changed import edited
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.remedies.search import RemedySearch, RemedyTrial
from equipoise.stability.drives.sag import Sag

__all__ = ["least_gain", "stiffer_servos", "stronger_servos"]

STIFFEST = 1e3  # times its own that a gain may become
EXACT = 2e-3  # of the factor, relative
STEP = 1.01  # between two gains that are tried
SPARE_STEPS = 6  # beyond what feet that have crept ask for
FEWER_STEPS = 3  # below what was predicted, where less is looked for
# times what was predicted, where the engine denies that
SPARES = (1.02, 1.1, 1.25, 1.5, 2.0)
"""Force limits over what servos give at rest: let go they need more for a moment."""
SHOWN = 4  # joints in a sentence


def stiffer_servos(search: RemedySearch) -> list[Remedy]:
    """Return the least gains of all servos that would do.

    Args:
        search: what shall be reached.
    """
    drives = _weak_drives(search)
    factor = None if drives is None else least_gain(drives)
    if drives is None or factor is None or factor <= 1.0:
        return []
    model = drives.scene.model
    servos = [int(a) for a in drives.holds.servos if model.actuator_biasprm[a, 1]]
    times = _least_tried(search, drives, factor)
    if times is None:
        return []
    names = tuple(str(model.actuator(a).name) or f"actuator {a}" for a in servos)
    least = [-times * float(model.actuator_biasprm[a, 1]) for a in servos]
    if max(least) - min(least) <= 1e-9 * max(least):
        now = least[0] / times
        change = f"its servos have a kp of at least {least[0]:.4g} instead of {now:.4g}"
    else:
        each = zip(names[:SHOWN], least[:SHOWN], strict=True)
        told = ", ".join(f"'{shown(name)}' {kp:.4g}" for name, kp in each)
        more_of = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        change = f"its servos are {times:.4g} times as stiff (kp of {told}{more_of})"
    return [Remedy("stiffness", names, times, "x", search.goal.sentence, change)]


def _least_tried(search: RemedySearch, drives: Drives, factor: float) -> float | None:
    """Return the least factor on gains with which the check says yes; None if none.

    It lies between what holds feet that stick and what holds feet that have crept, or
    below both: equilibrium that is looked for from the pose as given may miss the rest
    to which the engine comes.

    Args:
        search: what shall be reached.
        drives: the robot on its own drives.
        factor: that feet which stick ask for.
    """

    def works(steps: int) -> bool:
        robot = _stiffer(search.asked.robot, drives, _rounded_up(factor * STEP**steps))
        return robot is not None and search.works(RemedyTrial(robot))

    crept = least_gain(drives.relaxed) or factor
    most = math.ceil(math.log(max(crept / factor, 1.0)) / math.log(STEP)) + SPARE_STEPS
    low, high = 0, most
    if works(0):
        low, high = -math.floor(math.log(factor) / math.log(STEP)), -FEWER_STEPS
        if low >= high or not works(high):
            return _rounded_up(factor)
    elif not works(most):
        return None
    while high > low + 1:
        middle = (low + high) // 2
        low, high = (low, middle) if works(middle) else (middle, high)
    return _rounded_up(factor * STEP**high)


def stronger_servos(search: RemedySearch) -> list[Remedy]:
    """Return the least force limits of servos that would do.

    Args:
        search: what shall be reached.
    """
    drives = _weak_drives(search)
    if drives is None:
        return []
    rest = drives.sag(is_limited=False)
    if not drives.stands_as(rest):
        return []
    for spare in SPARES:
        least = _least_forces(drives, rest, spare)
        robot = _with_force_limits(search.asked.robot, least) if least else None
        if robot is not None and search.works(RemedyTrial(robot)):
            break
    else:
        return []
    each = [f"'{shown(name)}' {force:.4g}" for name, force in least.items()]
    more = f" and {len(each) - SHOWN} more" if len(each) > SHOWN else ""
    change = (
        f"its servos can give at least {', '.join(each[:SHOWN])}{more} (forcerange)"
    )
    names, worst = tuple(least), max(least.values())
    return [Remedy("torque", names, worst, "N m", search.goal.sentence, change)]


def _least_forces(drives: Drives, rest: Sag, spare: float) -> dict[str, float]:
    """Return the force limits that servos need in a rest without any, by actuator.

    Args:
        drives: the robot.
        rest: where it rests if its servos give all that they are asked for.
        spare: times what they give there.
    """
    model, found = drives.scene.model, {}
    for a in drives.holds.servos:
        limit = float(np.abs(model.actuator_forcerange[a]).max())
        need = spare * abs(float(rest.actuator[a]))
        name = str(model.actuator(int(a)).name)
        if model.actuator_forcelimited[a] and need > limit and name:
            found[name] = _rounded_up(need)
    return found


def _weak_drives(search: RemedySearch) -> Drives | None:
    """Return a robot's own drives, where they are what it does not stand on."""
    summary = search.result.summary
    if summary["own_drives"] is None or summary["stands"] == "yes":
        return None
    asked = search.asked
    return robot_on_its_drives(asked.robot, asked.start, asked.question)


def least_gain(drives: Drives) -> float | None:
    """Return the least factor on all servos' gains with which a robot stands.

    By equilibrium and stiffness: from stiff servos to softer ones, each rest found from
    the one before, then halving. None where no gains would do.

    Args:
        drives: the robot on its own drives.
    """
    if not len(drives.holds.servos):
        return None
    stiff = drives.sag(STIFFEST)
    if not drives.stands_as(stiff):
        return None
    good, since, bad = STIFFEST, stiff.qpos, STIFFEST
    while bad > 1.0 / STIFFEST:
        bad = 0.5 * good
        rest = drives.sag(bad, since=since)
        if not drives.stands_as(rest):
            break
        good, since = bad, rest.qpos
    while good > (1.0 + EXACT) * bad:
        middle = math.sqrt(good * bad)
        rest = drives.sag(middle, since=since)
        if drives.stands_as(rest):
            good, since = middle, rest.qpos
        else:
            bad = middle
    return good


def _rounded_up(value: float) -> float:
    """Return a number rounded up to three digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 2)
    return float(f"{math.ceil(value / step - 1e-9) * step:.6g}")


def _stiffer(robot: Robot, drives: Drives, times: float) -> Robot | None:
    """Return a robot whose servos have other gains; None where that fails."""
    model = drives.scene.model
    names = {str(model.actuator(int(a)).name) for a in drives.holds.servos}

    def edit(spec: Any) -> None:
        for actuator in spec.actuators:
            if actuator.name in names:
                gain, bias = np.array(actuator.gainprm), np.array(actuator.biasprm)
                gain[0] *= times
                bias[:2] *= times
                actuator.gainprm, actuator.biasprm = gain, bias

    return None if "" in names else edited(robot, edit)


def _with_force_limits(robot: Robot, least: Mapping[str, float]) -> Robot | None:
    """Return a robot some of whose servos can give more; None where that fails."""

    def edit(spec: Any) -> None:
        for actuator in spec.actuators:
            if actuator.name in least:
                force = least[actuator.name]
                actuator.forcerange = [-force, force]

    return edited(robot, edit)
