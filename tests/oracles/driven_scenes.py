"""Scenes whose joints are driven and whose neighbours move, each drawn from a seed.

Each is an MJCF text with one robot (body ``trunk``) and one feature: servos around the
gain that just holds, motors around the strength that just does, springs, tendons,
passive joints; pendulums, doors and second robots about to move; soft contacts,
thrusters, and slopes on which things creep. What becomes of the robot is told by
``driven_truth``.
"""

import re
from typing import NamedTuple

import mujoco
import numpy as np

from oracles.driven import (  # noqa: F401  each offers its features
    around_ground,
    around_neighbours,
    own_odd,
    own_servos,
    own_springs,
    own_torques,
)
from oracles.driven.bodies import drawn_body
from oracles.driven.catalogue import AROUND, OWN
from oracles.driven.plan import Plan, robot_body
from oracles.driven.text import numbers

__all__ = ["AROUND", "FEATURES", "OWN", "Scene", "scene_from"]

FEATURES = {**OWN, **AROUND}


class Scene(NamedTuple):
    """One scene."""

    feature: str
    xml: str
    keyframe: str | None
    """Name to ask ``check`` for; None for its default pose."""
    judged: str | None
    """Keyframe in which the robot is let go; None for qpos0 and ctrl 0."""
    size: float
    """Of the robot, across its feet [m]."""
    height: float
    """Of its centre of mass above its lowest point in that pose [m]."""
    is_claimed: bool
    """Whether "unknown" counts against the library where the truth is clear."""
    tags: frozenset[str]
    """What the truth depends on: "passive", "motors", "soft", "slope", "box"."""
    base: str = "trunk"
    """Name of the robot's first body."""


def scene_from(
    seed: int, only: str | None = None, names: list[str] | None = None
) -> Scene:
    """Return the scene of a seed.

    Args:
        seed: any number.
        only: a feature; None to let the seed draw one.
        names: features to draw from; None for all.
    """
    rng = np.random.default_rng([seed, 41])
    drawn = sorted(names or FEATURES)
    name = only or drawn[int(rng.integers(len(drawn)))]
    plan = drawn_body(rng)
    plan.floor = '<geom name="floor" type="plane" size="0 0 1"/>'
    FEATURES[name](plan)
    return _finished(plan, name)


def _finished(p: Plan, feature: str) -> Scene:
    bare = _document(p, "")
    keyframe = _keyframes(p, mujoco.MjModel.from_xml_string(bare))
    named = {"named": "home"}.get(p.style)
    judged = named or ("start" if p.style in ("start", "several", "mute") else None)
    xml = _document(p, keyframe)
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    if judged:
        mujoco.mj_resetDataKeyframe(model, data, model.keyframe(judged).id)
    mujoco.mj_forward(model, data)
    size = max(2.0 * p.reach, 0.5 * p.height)
    height = float(data.subtree_com[model.body("trunk").id] @ _normal(p))
    return Scene(
        feature, xml, named, judged, size, height, p.claimed, frozenset(p.tags)
    )


def _normal(p: Plan) -> np.ndarray:
    found = np.zeros(3)
    mujoco.mju_rotVecQuat(found, np.array([0, 0, 1.0]), p.tilt)
    return found


def _document(p: Plan, keyframe: str) -> str:
    flag = f"<flag {p.flags}/>" if p.flags else ""
    drives = f"<actuator>{''.join(p.actuators)}</actuator>" if p.actuators else ""
    # legs touch neighbours, but neither each other nor the floor
    beside = re.sub(r"<geom (?![^>]*conaffinity)", '<geom conaffinity="3" ', p.world)
    return (
        f'<mujoco model="driven"><compiler angle="radian" autolimits="true"/>'
        f'<option timestep="{p.timestep:g}" gravity="0 0 {-p.gravity:.6g}" {p.option}>'
        f"{flag}</option><worldbody>{p.floor}{beside}{robot_body(p)}</worldbody>"
        f"{p.more}{drives}{keyframe}</mujoco>"
    )


def _keyframes(p: Plan, model: mujoco.MjModel) -> str:
    if p.style == "zero":
        return ""
    qpos = model.qpos0.copy()
    for joint in p.joints:
        qpos[model.joint(joint.name).qposadr[0]] = joint.angle
    pose = f'qpos="{numbers(qpos)}"'
    ctrl = f'ctrl="{numbers(p.ctrl)}"' if p.ctrl and p.style != "mute" else ""
    act = f'act="{numbers(p.act)}"' if len(p.act) == model.na > 0 else ""
    name = "start" if p.style in ("start", "several", "mute") else "home"
    pace = numbers(p.speed, np.zeros(model.nv - 3))  # the base comes first
    runs = f'qvel="{pace}"' if p.speed.any() else ""
    keys = [f'<key name="{name}" {pose} {ctrl} {act} {runs}/>']
    if p.style == "several":  # others, before and after, that do not count
        wrong = numbers(p.rng.normal(size=model.nu))
        limp = f'ctrl="{wrong}"' if model.nu else ""
        keys.insert(0, f'<key name="home" {pose} {limp}/>')
        keys.append(f'<key name="last" {pose}/>')
    return f"<keyframe>{''.join(keys)}</keyframe>"
