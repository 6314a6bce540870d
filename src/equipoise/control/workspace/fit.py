"""Which robots the balance laws can hold, asked of a robot file before it is simulated.

What a law needs stands here and not where files are read: another controller may take
a robot that these laws cannot. Each answer is one sentence with the number and what
would work.
"""

from collections.abc import Callable

import mujoco

from equipoise.control.workspace.legs import LEG_JOINTS
from equipoise.core.errors import ConfigError
from equipoise.robots.files.named import typed_name
from equipoise.robots.found.description import FoundLeg
from equipoise.robots.robot import Robot
from equipoise.robots.standing.soles import FoundSole, sole_of

__all__ = ["expect_fit", "misfits"]

WALKERS = 4  # legs on balls from which on a robot walks
LOOPS = (mujoco.mjtEq.mjEQ_CONNECT, mujoco.mjtEq.mjEQ_WELD)
DESCRIBE = "see 'equipoise describe'"
DESCRIBED = "in what 'equipoise describe' writes"
CHECK = "'equipoise check' says whether it stands"


def expect_fit(robot: Robot) -> None:
    """Refuse a robot file that no balance law can hold, by the first reason.

    Args:
        robot: from a file.

    Raises:
        ConfigError: one sentence with the number and the remedy.
    """
    found = misfits(robot)
    if found:
        raise ConfigError(f"robot '{robot.name}'", [found[0]])


def misfits(robot: Robot) -> list[str]:
    """Return why a robot does not fit, the plainest reason first; none if it does.

    Args:
        robot: from a file.
    """
    for reasons in CHECKS:
        found = reasons(robot)
        if found:  # what comes after it relies on it
            return found
    return []


def _without_legs(robot: Robot) -> list[str]:
    """Return a reason where nothing is there to stand on."""
    count = len(robot.found.legs)
    if count >= 2:
        return []
    return [
        f"it has {count} legs that reach the ground below its base, and balance is "
        f"known of two feet or more; {CHECK}, and legs are named as 'equipoise "
        "describe' says"
    ]


def _not_free(robot: Robot) -> list[str]:
    """Return a reason where the base cannot move in every way."""
    model = robot.model
    body = int(model.body(robot.base).id)
    first = int(model.body_jntadr[body])
    free = int(mujoco.mjtJoint.mjJNT_FREE)
    if first >= 0 and int(model.jnt_type[first]) == free:
        return []
    count = int(model.body_jntnum[body])
    how = f"moves by {count} joints of its own" if count else "is fixed to the world"
    return [
        f"its base '{robot.base}' {how}, and a balance law needs one that is free in "
        "space; give it a free joint (of a URDF: --base free)"
    ]


def _with_loops(robot: Robot) -> list[str]:
    """Return a reason where bodies are tied together, or a leg's joints are."""
    model = robot.model
    own = {int(model.joint(j).id) for leg in robot.found.legs for j in leg.joints}
    for k in range(model.neq):
        kind = int(model.eq_type[k])
        tied = {int(model.eq_obj1id[k]), int(model.eq_obj2id[k])}
        is_joint = kind == int(mujoco.mjtEq.mjEQ_JOINT)
        if kind in map(int, LOOPS) or (is_joint and tied & own):
            what = "a closed loop" if kind in map(int, LOOPS) else "coupled joints"
            return [
                f"it has {what} (constraint {k + 1} of {model.neq}), and its legs must "
                "be open chains; leave the constraint out"
            ]
    return []


def _on_balls(robot: Robot) -> list[str]:
    """Return a reason where it stands on balls: such robots walk."""
    legs = robot.found.legs
    balls = [leg for leg in legs if leg.foot.kind == "ball"]
    if len(legs) < WALKERS or not balls:
        return []
    return [
        f"it stands on {len(balls)} feet without soles, and the balance laws press on "
        f"soles; let it walk with 'equipoise walk {_shown_file(robot)}'"
    ]


def _shown_file(robot: Robot) -> str:
    """Return how a robot's file is named to its user."""
    return typed_name(robot.source)


def _with_other_joints(robot: Robot) -> list[str]:
    """Return a reason where a leg does not have six joints of its own."""
    for leg in robot.found.legs:
        count = len(leg.joints)
        if count != LEG_JOINTS:
            is_few = count < LEG_JOINTS
            remedy = (
                CHECK if is_few else f"name the {LEG_JOINTS} of its leg, {DESCRIBE}"
            )
            return [
                f"leg '{leg.name}' has {count} joints, and the balance laws hold a "
                f"body by legs of exactly {LEG_JOINTS}; {remedy}"
            ]
    return []


def _with_shared_joints(robot: Robot) -> list[str]:
    """Return a reason where a joint moves between the base and a leg, as a waist."""
    model = robot.model
    base = int(model.body(robot.base).id)
    for leg in robot.found.legs:
        own = {int(model.joint(name).id) for name in leg.joints}
        body = int(model.jnt_bodyid[min(own)])
        while body not in (base, 0):
            first = int(model.body_jntadr[body])
            count = int(model.body_jntnum[body])
            for j in set(range(first, first + count)) - own:
                return [
                    f"joint '{model.joint(j).name}' turns leg '{leg.name}' against its "
                    f"base '{robot.base}', and the balance laws need legs that begin "
                    "at the base; make that joint a fixed one"
                ]
            body = int(model.body_parentid[body])
    return []


def _undriven(robot: Robot) -> list[str]:
    """Return a reason where nothing drives a joint of a leg."""
    for leg in robot.found.legs:
        if leg.passive:
            return [
                f"nothing drives joint '{leg.passive[0]}' of leg '{leg.name}', and all "
                f"{len(leg.joints)} must be driven; give it an actuator"
            ]
    return []


def _without_soles(robot: Robot) -> list[str]:
    """Return a reason where a leg has no sole that is known."""
    found = robot.found
    for leg in found.legs:
        sole = sole_of(robot, leg, found.qpos, found.height)
        if sole is None:
            return [
                f"leg '{leg.name}' has no collision shape below its last joint "
                f"'{leg.joints[-1]}' that can be read, and a law must know its sole; "
                f"give its foot 'corners' {DESCRIBED}, or that link a box"
            ]
        if not sole.is_flat(found.height):
            return [_thin(leg, sole)]
    return []


def _thin(leg: FoundLeg, sole: FoundSole) -> str:
    """Return why a foot is no sole."""
    long, wide = (1e3 * x for x in sole.size)
    return (
        f"leg '{leg.name}' stands on {long:.0f} mm by {wide:.0f} mm, an edge or a "
        f"point and no sole; give its foot 'corners' {DESCRIBED}, or that link a box"
    )


def _with_other_kinds(robot: Robot) -> list[str]:
    """Return a reason where a joint turns in more ways than one."""
    model = robot.model
    root = int(model.body_rootid[model.body(robot.base).id])
    for j in range(model.njnt):
        body = int(model.jnt_bodyid[j])
        is_ball = int(model.jnt_type[j]) == int(mujoco.mjtJoint.mjJNT_BALL)
        if is_ball and int(model.body_rootid[body]) == root:
            return [
                f"joint '{model.joint(j).name}' turns about every axis, and joints "
                "must be hinges or slides; write it as three hinges"
            ]
    return []


CHECKS: tuple[Callable[[Robot], list[str]], ...] = (
    _without_legs,
    _not_free,
    _with_loops,
    _on_balls,
    _with_other_joints,
    _with_shared_joints,
    _undriven,
    _with_other_kinds,
    _without_soles,
)
