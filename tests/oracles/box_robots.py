"""A box on a floor, with an arm or not: robots of a few lines of MJCF."""

import mujoco

from equipoise.robots.robot import Robot

FLOOR = '<geom name="floor" type="plane" size="0 0 1"/>'
BOX = '<geom name="sole" type="box" size=".2 .1 .05" mass="4"/>'


def robot(body=BOX, more="", option="", world=FLOOR, joint="<freejoint/>", **given):
    """Return a box on a floor, as of an MJCF file."""
    text = (
        '<mujoco><compiler autolimits="true" angle="radian"/>'
        f"<option {option}/><worldbody>{world}"
        f'<body name="base" pos="0 0 .05">{joint}{body}</body></worldbody>{more}'
        "</mujoco>"
    )
    spec = mujoco.MjSpec.from_string(text)
    return Robot("box", spec, base="base", **{"has_world": True, **given})


ARM = BOX + (
    '<body name="arm" pos="0 0 .1"><joint name="elbow" axis="0 1 0" range="-1 1"/>'
    '<geom name="hand" size=".01" pos=".3 0 0" mass=".5" contype="0" conaffinity="0"/>'
    "</body>"
)
