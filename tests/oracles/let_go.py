"""A robot file let go in MuJoCo with its joints stiff; no code of the library."""

import math
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

from oracles.uneven_robots import FLOOR, Uneven, words

LEANING, SLID = 0.2, 0.25  # in the end: turned [rad], moved in sizes
HARD = (
    '<option timestep="{step}" cone="elliptic" impratio="100"/><default><geom '
    'solref="{time} 1" solimp="0.99 0.999 0.0001"/></default>'
)
NUDGE = 3e-7, -4e-7, 5e-7  # half a turn about x, y and z at the start [rad]
STEP, TIME, LASTS = 1e-3, 2e-3, 2.5
"""Time step, time constant of hard contacts and length of a trial, at 1 m across [s].

All grow with the root of the size, as falling does: contacts then give by the same
share of every robot.
"""


def stays(robot: Uneven, text: str, friction: float, slope_deg: float = 0.0) -> bool:
    """Say whether a robot is in the end where it was, neither turned nor slid.

    A floor of its own is used with its own contacts; the robot is put down gently
    there. Otherwise the floor is hard, and it is let go on it.

    Args:
        robot: what the file was made from.
        text: of its file, edited or not.
        friction: between feet and floor.
        slope_deg: of the ground, towards the heading of its question [degrees].
    """
    pace = math.sqrt(robot.size)
    is_own = robot.kind == "mjcf" and "floor" in text
    if robot.kind == "urdf":
        text = as_mjcf(text, robot.height)
    if not is_own:
        floor = FLOOR.replace("/>", f' friction="{friction}" priority="1"/>')
        hard = HARD.format(step=pace * STEP, time=pace * TIME)
        text = text.replace("<worldbody>", f"{hard}<worldbody>{floor}", 1)
    spec = mujoco.MjSpec.from_string(text)
    for joint in list(spec.joints):
        if joint.type != mujoco.mjtJoint.mjJNT_FREE:
            spec.delete(joint)
    model = spec.compile()
    lean = math.radians(slope_deg)
    way = math.radians(robot.question.get("heading_deg", 0.0))
    aside = math.sin(lean) * np.array([math.cos(way), math.sin(way)])
    model.opt.gravity[:] = 9.81 * np.array([*aside, -math.cos(lean)])
    data = mujoco.MjData(model)
    # Where a cylinder is upright but for rounding, MuJoCo 3.11 to 4.0.1 let it touch a
    # plane up to its radius too deep in 2 % of 2000 chains of turns; leaning, never.
    data.qpos[3:7] += [0.0, *NUDGE]
    mujoco.mj_forward(model, data)
    start, quat = data.qpos[:3].copy(), data.qpos[3:7].copy()
    if is_own:
        put_down(model, data, robot.size)
    mujoco.mj_step(model, data, round(max(pace, is_own) * LASTS / model.opt.timestep))
    turned = 2.0 * math.acos(min(1.0, abs(float(quat @ data.qpos[3:7]))))
    moved = float(np.linalg.norm((data.qpos[:3] - start)[:2])) / robot.size
    return turned < LEANING and moved < SLID


def put_down(model: mujoco.MjModel, data: mujoco.MjData, size: float) -> None:
    """Let a robot sink onto soft contacts against damping, and take that away."""
    weight = 9.81 * float(model.body_subtreemass[0])
    pace = 0.2 * math.sqrt(9.81 * size)
    model.dof_damping[:3] = weight / pace
    model.dof_damping[3:6] = weight * size**2 / pace
    mujoco.mj_step(model, data, round(3.0 / model.opt.timestep))
    model.dof_damping[:] = 0.0


def as_mjcf(text: str, height: float) -> str:
    """Return a URDF of boxes, balls and cylinders as MJCF, its base free."""
    root = ET.fromstring(text)
    joints = {j.find("child").get("link"): j for j in root.iter("joint")}

    def body(link) -> str:
        name, joint = link.get("name"), joints.get(link.get("name"))
        place = f'pos="0 0 {height!r}"' if joint is None else placed(joint)
        inside = "<freejoint/>" if joint is None else ""
        if (mass := link.find("inertial")) is not None:
            moment = mass.find("inertia").get("ixx")
            inside += (
                f'<inertial {placed(mass)} mass="{mass.find("mass").get("value")}" '
                f'diaginertia="{moment} {moment} {moment}"/>'
            )
        inside += "".join(shape(s) for s in link.findall("collision"))
        below = [n for n, j in joints.items() if j.find("parent").get("link") == name]
        inside += "".join(
            body(one) for one in root.iter("link") if one.get("name") in below
        )
        return f'<body name="{name}" {place}>{inside}</body>'

    base = next(one for one in root.iter("link") if one.get("name") not in joints)
    return f"<mujoco><worldbody>{body(base)}</worldbody></mujoco>"


def shape(collision) -> str:
    """Return a collision shape as a geom without mass."""
    form = collision.find("geometry")[0]
    if form.tag == "box":
        half = [float(x) / 2 for x in form.get("size").split()]
        size = f'type="box" size="{words(half)}"'
    elif form.tag == "sphere":
        size = f'size="{form.get("radius")}"'
    else:
        half = float(form.get("length")) / 2
        size = f'type="cylinder" size="{form.get("radius")} {half!r}"'
    return f'<geom {size} mass="0" {placed(collision)}/>'


def placed(element) -> str:
    """Return the place of a URDF element as MJCF."""
    origin = element.find("origin")
    turn = [float(x) for x in (origin.get("rpy") or "0 0 0").split()]
    quat = np.roll(Rotation.from_euler("xyz", turn).as_quat(), 1)
    return f'pos="{origin.get("xyz")}" quat="{words(quat)}"'
