"""Legs and feet as a user names them."""

from dataclasses import replace
from typing import Any

from equipoise.core.errors import BadFileError
from equipoise.core.text import shown
from equipoise.robots.description import DescribedFoot, Description
from equipoise.robots.found.feet import FoundFoot
from equipoise.robots.found.limbs import FoundLimb, called_apart, chain_to
from equipoise.robots.robot_spec import RobotSpec

__all__ = ["chosen_legs", "told_feet"]


def chosen_legs(
    robot: RobotSpec, told: Description, base: str
) -> tuple[FoundLimb, ...]:
    """Return the legs that a user names by joints or by feet, in that order.

    Args:
        robot: any robot.
        told: what the user says.
        base: body off which they hang.

    Raises:
        BadFileError: one that is no chain of joints from the base outwards.
    """
    model, body = robot.model, int(robot.model.body(base).id)
    if told.ends:
        every = [
            _legs_to(robot, told, body, base, int(model.body(name).id))
            for name in told.ends
        ]
        shared = {
            j
            for leg in every
            for j in leg.joints
            if sum(j in other.joints for other in every) > 1
        }
        own = [tuple(j for j in leg.joints if j not in shared) for leg in every]
        if not all(own):
            raise BadFileError(
                f"{told.path}: two of the feet {', '.join(told.ends)} are at the end "
                "of one limb; name one of them."
            )
        legs = [
            _chain_of(robot, told, leg.name, joints, leg.tip)
            for leg, joints in zip(every, own, strict=True)
        ]
        return tuple(called_apart(model, legs))
    found = []
    for name, joints in told.legs.items():
        ids = tuple(int(model.joint(joint).id) for joint in joints)
        foot = told.feet.get(name)
        tip = int(model.jnt_bodyid[ids[-1]])
        if foot is not None:
            tip = int(model.body(foot.body).id)
        leg = _chain_of(robot, told, name, ids, tip)
        found.append(replace(leg, name=name))
    return tuple(found)


def _legs_to(
    robot: RobotSpec, told: Description, base: int, name: str, tip: int
) -> FoundLimb:
    """Return the limb that ends at a link."""
    leg = chain_to(robot, base, tip)
    if leg is None:
        link = shown(robot.model.body(tip).name, 60)
        raise BadFileError(
            f"{told.path}: no chain of hinges and slides goes from '{name}' to foot "
            f"'{link}'; name another link, or another base."
        )
    return leg


def _chain_of(
    robot: RobotSpec, told: Description, name: str, joints: tuple[int, ...], tip: int
) -> FoundLimb:
    """Return a limb of some joints, which must be one chain from the first to a tip."""
    model = robot.model
    first = int(model.jnt_bodyid[joints[0]])
    base = int(model.body_parentid[first])
    leg = chain_to(robot, base, tip, until=first)
    if leg is None or leg.joints != joints:
        there = [] if leg is None else [str(model.joint(j).name) for j in leg.joints]
        known = f"; there is {shown(', '.join(there))}" if there else ""
        raise BadFileError(
            f"{told.path}: the joints of leg '{shown(name, 40)}' are no chain from the "
            f"base outwards{known}."
        )
    return leg


def told_feet(
    robot: RobotSpec, legs: tuple[FoundLimb, ...], feet: tuple[FoundFoot, ...]
) -> tuple[FoundFoot, ...]:
    """Return feet with what a user says of them.

    Args:
        robot: any robot.
        legs: its legs.
        feet: as found, one a leg.
    """
    told = robot.description
    if told is None:
        return feet
    return tuple(
        foot if leg.name not in told.feet else _told_foot(foot, told.feet[leg.name])
        for leg, foot in zip(legs, feet, strict=True)
    )


def _told_foot(foot: FoundFoot, told: DescribedFoot) -> FoundFoot:
    """Return one foot with what a user says of it."""
    known: dict[str, Any] = {"body": told.body}
    if told.corners:
        sides = [[c[k] for c in told.corners] for k in range(3)]
        x, y, z = (0.5 * (min(side) + max(side)) for side in sides)
        size = tuple(max(side) - min(side) for side in sides[:2])
        known |= {"kind": "sole", "radius": 0.0, "centre": (x, y, z), "size": size}
        known["corners"] = told.corners
    elif told.radius is not None:
        twice = (2.0 * told.radius, 2.0 * told.radius)
        known |= {"kind": "ball", "radius": told.radius, "size": twice, "corners": ()}
        known["centre"] = told.centre or (
            foot.centre if foot.body == told.body else (0.0, 0.0, 0.0)
        )
    elif told.body != foot.body:
        known |= {"kind": "unknown", "radius": 0.0, "corners": ()}
    return replace(foot, **known)
