"""A walking machine without some of its legs.

They are taken off altogether: links, motors, foot and mass. What is left is a machine
with fewer legs that still knows which places are empty.
"""

from collections.abc import Sequence
from dataclasses import replace

import mujoco
import numpy as np

from equipoise.core.errors import UnknownNameError
from equipoise.robots.robot import Robot

__all__ = ["amputated", "named_legs"]


def named_legs(robot: Robot) -> tuple[str, ...]:
    """Return what its legs are called: the part before a body's last word, if it has.

    Args:
        robot: with legs.
    """
    short = tuple(name.rpartition("_")[0] or name for name in robot.legs)
    return short if len(set(short)) == len(short) else robot.legs


def amputated(robot: Robot, legs: Sequence[str]) -> Robot:
    """Return a walking machine that has lost legs; without any the same one.

    Args:
        robot: with legs and drives, all of them there.
        legs: their names, see ``named_legs``.

    Raises:
        UnknownNameError: no such leg.
    """
    names = named_legs(robot)
    for name in legs:
        if name not in names:
            raise UnknownNameError("leg", str(name), names, f"robot '{robot.name}'")
    if not legs:
        return robot
    lost = tuple(k for k, name in enumerate(names) if name in legs)
    kept = [k for k in range(len(names)) if k not in lost]
    model, spec = robot.model, robot.spec.copy()
    gone = {body for k in lost for body in _below(model, robot.legs[k])}
    joints = [j for j in range(model.njnt) if int(model.jnt_bodyid[j]) not in gone]
    poses = {key.name: np.array(key.qpos) for key in spec.keys}
    for key in list(spec.keys):
        spec.delete(key)
    is_kept = [int(model.jnt_bodyid[j]) not in gone for j in model.actuator_trnid[:, 0]]
    for actuator, stays in zip(list(spec.actuators), is_kept, strict=True):
        if not stays:
            spec.delete(actuator)
    for k in lost:
        spec.delete(spec.body(robot.legs[k]))
    for name, pose in poses.items():
        spec.add_key(name=name, qpos=pose[_places_of(model, joints)])
    drives = zip(robot.drives, is_kept, strict=True)
    return replace(
        robot,
        spec=spec,
        legs=tuple(robot.legs[k] for k in kept),
        feet=tuple(robot.feet[k] for k in kept),
        drives=tuple(drive for drive, stays in drives if stays),
        lost=lost,
    )


def _below(model: mujoco.MjModel, name: str) -> set[int]:
    """Return a body and all that hang on it.

    Args:
        model: of the whole machine.
        name: of the body.
    """
    found = {int(model.body(name).id)}
    for body in range(model.nbody):  # parents come before their children
        if int(model.body_parentid[body]) in found:
            found.add(body)
    return found


def _places_of(model: mujoco.MjModel, joints: Sequence[int]) -> list[int]:
    """Return where in a pose some joints are.

    Args:
        model: of the whole machine.
        joints: by number.
    """
    ends = [*model.jnt_qposadr[1:].tolist(), model.nq]
    return [k for j in joints for k in range(int(model.jnt_qposadr[j]), ends[j])]
