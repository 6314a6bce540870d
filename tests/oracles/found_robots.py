"""Quadrupeds without weight but for their trunk, told to stand as they are written.

So the centre of mass is that of the trunk, and every height is known by hand.
"""

from collections.abc import Mapping
from pathlib import Path

import equipoise as eq
from equipoise.robots.found.description import Found

__all__ = ["LENGTH", "PLACES", "ball", "found", "leg"]

PLACES = {"fl": (0.3, 0.2), "fr": (0.3, -0.2), "hl": (-0.3, 0.2), "hr": (-0.3, -0.2)}
LENGTH = 0.6  # of a leg, and height of the base
AXIS = "0 1 0"


def ball(radius: float = 0.02, length: float = 0.5 * LENGTH) -> str:
    """Return a foot that touches at the end of a shank."""
    place = f"0 0 {radius - length}"
    return f'<geom type="sphere" size="{radius}" pos="{place}" mass="1e-9"/>'


def leg(
    name: str,
    place: tuple[float, float],
    *,
    length: float = LENGTH,
    hip_z: float = 0.0,
    foot: str | None = None,
    axis: str = AXIS,
) -> str:
    """Return a straight leg of two hinges.

    Args:
        name: of the leg.
        place: of its hip in the base [m].
        length: to its foot's lowest point [m].
        hip_z: height of its hip over the base [m].
        foot: what is at its end, in the shank's frame; None for a small ball.
        axis: of its knee.
    """
    half = 0.5 * length
    foot = ball(length=half) if foot is None else foot
    return (
        f'<body name="{name}_thigh" pos="{place[0]} {place[1]} {hip_z}">'
        f'<joint name="{name}_hip" axis="{AXIS}"/>'
        '<inertial pos="0 0 0" mass="1e-9" diaginertia="1e-9 1e-9 1e-9"/>'
        f'<body name="{name}_shank" pos="0 0 {-half}">'
        f'<joint name="{name}_knee" axis="{axis}"/>'
        '<inertial pos="0 0 0" mass="1e-9" diaginertia="1e-9 1e-9 1e-9"/>'
        f"{foot}</body></body>"
    )


def found(
    folder: Path,
    legs: str | Mapping[str, str],
    *,
    half: float = 0.05,
    at: tuple[float, float, float] = (0.0, 0.0, 0.0),
    stand: str | None = "",
    rest: str = "",
) -> Found:
    """Return what is found in an MJCF file of a box on legs.

    Args:
        folder: where it is written.
        legs: text of the legs.
        half: height of the box over its middle, and below it [m].
        at: middle of the box in the base [m].
        stand: turns of its joints in its keyframe; "" for none of them turned, None
            for no keyframe.
        rest: of the file.
    """
    text = legs if isinstance(legs, str) else "".join(legs.values())
    joints = text.count("<joint")
    key = ""
    if stand is not None:
        turns = stand or " ".join(["0"] * joints)
        key = f'<keyframe><key name="stand" qpos="0 0 1 1 0 0 0 {turns}"/></keyframe>'
    place = " ".join(str(x) for x in at)
    path = folder / "robot.xml"
    path.write_text(
        '<mujoco model="r"><compiler angle="radian" boundmass="0"/><worldbody>'
        '<body name="trunk" pos="0 0 1"><freejoint name="root"/>'
        f'<geom type="box" size=".1 .1 {half}" pos="{place}" mass="10"/>{text}</body>'
        f"</worldbody>{rest}{key}</mujoco>"
    )
    return eq.load(path).found
