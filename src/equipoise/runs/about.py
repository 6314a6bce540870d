"""What a built-in robot is: legs, mass, size, limits, sensors, and where from."""

from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from equipoise.control.fit import unfit_machine
from equipoise.control.machine import legged_machine
from equipoise.control.recipe import CONTROLLERS
from equipoise.core.catalogue import offered
from equipoise.core.errors import BadFileError
from equipoise.core.files import atomic_write
from equipoise.core.setting import FieldSetting
from equipoise.robots.builtin import BuiltIn, builtin, builtin_names, unknown_robot
from equipoise.robots.files.described import described_names
from equipoise.robots.files.named import (
    ROBOT_ENDINGS,
    shipped_file,
    shipped_names,
    shipped_what,
)
from equipoise.robots.legged import legged_robot
from equipoise.robots.load import ASSEMBLY_ENDINGS, load
from equipoise.robots.robot import Robot
from equipoise.robots.senses import SENSES
from equipoise.robots.visuals.robot_looks import robot_picture_model
from equipoise.runs.describe import robot_description
from equipoise.runs.portrait import standing_pose
from equipoise.viz.shapes import box_corners, data_in_pose

__all__ = ["about", "save_robot"]

SAVED = (".urdf", ".xml")
"""Endings of the files that a robot is written to."""
LAWS = {
    "steer": "equipoise.control.com.laws",
    "stand": "equipoise.control.workspace.laws",
    "walk": "equipoise.control.controllers",
}
"""Where controllers are, by what robots do."""


def about(name: str) -> dict[str, Any]:
    """Return what is known of a built-in robot, each number with its source.

    Of one that comes along as a robot file, what is found in the file.

    Args:
        name: of the robot.

    Raises:
        UnknownNameError: there is none of that name.
        BadFileError: a file, of which ``describe`` tells more.
    """
    file = shipped_file(name)
    if file is not None:
        found = robot_description(load(name))
        return {"robot": name, "what": shipped_what(name), "file": str(file)} | found
    if name not in builtin_names():
        endings = (*ROBOT_ENDINGS, *ASSEMBLY_ENDINGS)
        if name.lower().endswith(endings) or name in described_names():
            raise BadFileError(
                f"{name}: is a file, whose numbers are its own; 'equipoise describe "
                f"FILE' says what is found in it, and 'equipoise robots NAME' is for "
                f"{', '.join(builtin_names())}."
            )
        raise unknown_robot(name)
    found, robot = builtin(name), load(name)
    told = found.sources()
    return {
        "robot": name,
        "what": found.what,
        "task": found.task,
        "mass_kg": float(robot.model.body_subtreemass[1]),
        "size_m": _size_of(robot),
        "legs": _legs_of(robot),
        "limits": _limits_of(robot),
        "sensors": [
            {
                "name": sense,
                "what": SENSES[sense],
                "source": source.kind,
                "where": source.where,
            }
            for sense, source in told.senses.items()
        ],
        "controllers": _controllers_of(found, robot),
        "options": [_option_row(option) for option in found.typed],
        "numbers": [fact.summary() for fact in told.facts],
        "simplified": list(told.simplified),
    }


def save_robot(name: str, path: Path) -> Path:
    """Write a robot that has a name as a robot file to edit, and return the file.

    One that comes along as a file of that kind is copied as it is, comments and all.

    Args:
        name: of the robot, as it is without any option.
        path: the ``.urdf`` (URDF) or ``.xml`` (MJCF) file to make or replace.

    Raises:
        UnknownNameError: there is none of that name.
        BadFileError: another ending, or the file cannot be written.
    """
    if name not in (*builtin_names(), *shipped_names()):
        raise unknown_robot(name)
    ending, own = path.suffix.lower(), shipped_file(name)
    if ending not in SAVED:
        known = " or ".join(SAVED)
        raise BadFileError(
            f"{path}: is not a robot file; name one that ends in {known}."
        )
    if own is not None and own.suffix == ending:
        atomic_write(path, own.read_bytes())
    elif ending == ".urdf":
        load(name).write_urdf(path)
    else:
        load(name).write_mjcf(path)
    return path


def _size_of(robot: Robot) -> list[float]:
    """Return length, width and height of what is seen of it as it stands [m]."""
    model = robot_picture_model(robot)
    corners = box_corners(model, data_in_pose(model, standing_pose(robot))).reshape(
        -1, 3
    )
    return [round(float(x), 3) for x in np.ptp(corners, axis=0)]


def _legs_of(robot: Robot) -> dict[str, Any]:
    """Return how many legs there are, their names, and how many joints each has."""
    count = len(robot.legs)
    return {
        "count": count,
        "names": [leg.rsplit("_", 1)[0] for leg in robot.legs],
        "joints_each": robot.model.nu // count if count else 0,
    }


def _limits_of(robot: Robot) -> list[dict[str, Any]]:
    """Return range, torque or force, and speed of each driven joint."""
    model, rows = robot.model, list[dict[str, Any]]()
    for k in range(model.nu):
        joint = int(model.actuator_trnid[k, 0])
        is_limited = bool(model.jnt_limited[joint])
        is_slide = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_SLIDE
        drive = robot.drives[k] if robot.drives else None
        most = float(model.actuator_ctrlrange[k, 1])
        rows.append(
            {
                "joint": str(model.joint(joint).name),
                "kind": "slide" if is_slide else "hinge",
                "lower": float(model.jnt_range[joint, 0]) if is_limited else None,
                "upper": float(model.jnt_range[joint, 1]) if is_limited else None,
                "effort": most if model.actuator_ctrllimited[k] else None,
                "speed": None if drive is None else drive.speed,
            }
        )
    return rows


def _controllers_of(found: BuiltIn, robot: Robot) -> list[dict[str, Any]]:
    """Return the controllers that fit a robot, a phrase each, and which is its own."""
    told, own = offered(LAWS[found.task]), ""
    if found.task == "walk":
        machine, own = legged_machine(legged_robot(robot)), found.controller
        recipes = {name: CONTROLLERS.find(name) for name in CONTROLLERS.names()}
        told = {
            name: told[name]
            for name, recipe in recipes.items()
            if not unfit_machine(machine, recipe.fit, name)
        }
    return [
        {"name": name, "what": what, "is_own": name == own}
        for name, what in told.items()
    ]


def _option_row(option: FieldSetting) -> dict[str, Any]:
    """Return what can be chosen as plain values."""
    return {
        "name": option.option,
        "what": option.help,
        "unit": option.about.unit,
        "default": option.shown_default,
    }
