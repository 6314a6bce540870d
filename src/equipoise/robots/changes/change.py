"""Change a robot's own numbers by name: ``mass.trunk=30kg``, ``length.*_shank=1.1x``.

What is changed: ``mass`` of a body, its inertia with it; ``length`` of a link, see
``stretch``; ``damping``, ``friction`` (dry), ``stiffness`` and ``armature`` of a joint.
A name may hold ``*``. A value is a number, with a unit or in SI, or so many times what
it was, as ``1.2x``.
"""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import mujoco
import numpy as np

from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.quantity import Quantity, number_of
from equipoise.robots.changes.ground import grounded_poses
from equipoise.robots.changes.numbers import ModelNumbers, changeable_numbers, rewritten
from equipoise.robots.changes.stretch import link_length, stretched
from equipoise.robots.robot import Robot

__all__ = ["CHANGES", "changed", "changes_of"]

JOINTS = {
    "armature": ("armature", Quantity("", "")),
    "damping": ("damping", Quantity("", "")),
    "friction": ("frictionloss", Quantity("", "")),
    "stiffness": ("stiffness", Quantity("", "")),
}
"""ModelNumbers of joints: how the engine calls them, and what they are."""
BODIES = {"length": Quantity("length", "m"), "mass": Quantity("mass", "kg")}
CHANGES = (*sorted(BODIES), *JOINTS)
"""What can be changed."""
TIMES = "x"
SENSIBLE = {"mass": (1e-9, 1e6), "length": (1e-6, 1e4)}
"""Least and largest value that is not absurd [kg, m]."""
SENSIBLE_OF_JOINTS = 0.0, 1e9
"""Of each number of a joint, in SI units."""


def changes_of(text: str | Mapping[str, Any]) -> dict[str, str]:
    """Return what shall be changed, by name.

    Args:
        text: ``mass.trunk=30kg,length.*_shank=1.1x``, or a mapping.

    Raises:
        ConfigError: no such form, or nothing that can be changed.
    """
    if isinstance(text, str):
        pairs = [word.partition("=") for word in text.split(",")]
        found = {name.strip(): value.strip() for name, _, value in pairs}
    else:
        found = {str(n): v if isinstance(v, str) else repr(v) for n, v in text.items()}
    for name, value in found.items():
        what, _, whose = name.partition(".")
        if not (what and whose and value):
            problem = f"give WHAT.NAME=VALUE, as mass.trunk=30kg, got '{name}={value}'"
            raise ConfigError("the change of a robot", [problem])
        if what not in CHANGES:
            raise UnknownNameError("number to change", what, CHANGES, "a robot")
    return found


def changed(robot: Robot, changes: str | Mapping[str, Any]) -> Robot:
    """Return a robot with other numbers of its own; it is put on its feet again.

    Args:
        robot: of a file, or built in; not one made of modules.
        changes: by name, see above.

    Raises:
        ConfigError: a value or a robot that cannot be changed so.
        UnknownNameError: it has no such body or joint.
        QuantityError: a unit that does not fit.
    """
    asked = changes_of(changes)
    if robot.assembly is not None:
        problem = "it is made of modules, which its own options and its file describe"
        raise ConfigError(f"the change of robot '{robot.name}'", [problem])
    numbers = changeable_numbers(robot.model).copy()
    done: list[tuple[str, int]] = []
    for name, text in asked.items():
        what, _, whose = name.partition(".")
        change = _change_joints if what in JOINTS else _change_bodies
        done += [(what, k) for k in change(robot, numbers, what, whose, text)]
        if len(done) > len(set(done)):
            problem = f"{name} was changed already; give each change once"
            raise ConfigError(f"the change of robot '{robot.name}'", [problem])
    told = ", ".join(f"{name}={text}" for name, text in asked.items())
    made = rewritten(robot, numbers, told)
    lengths = any(name.startswith("length.") for name in asked)
    return grounded_poses(robot, made) if lengths else made


def _change_bodies(
    robot: Robot, numbers: ModelNumbers, what: str, whose: str, text: str
) -> list[int]:
    """Change masses or lengths, in place, and return whose."""
    model, name = robot.model, f"{what}.{whose}"
    names = [str(model.body(b).name) for b in range(1, model.nbody)]
    found = [1 + k for k in _matches(names, whose, "body", robot)]
    if what == "length" and _has_loops(model):
        problem = f"{name}: its legs are closed loops, which other lengths would break"
        raise ConfigError(f"the change of robot '{robot.name}'", [problem])
    for body in found:
        if what == "length":
            before = link_length(model, body, robot.name)
            length = _meant(name, text, BODIES[what], before, robot)
            stretched(model, numbers, body, length, robot.name)
            continue
        before = float(numbers.mass[body])
        if before == 0.0:
            if len(found) > 1:
                continue  # a frame without mass among many
            problem = f"{name} must have a mass already, got one of 0 kg"
            raise ConfigError(f"the change of robot '{robot.name}'", [problem])
        numbers.mass[body] = _meant(name, text, BODIES[what], before, robot)
        numbers.inertia[body] *= numbers.mass[body] / before
    return found


def _change_joints(
    robot: Robot, numbers: ModelNumbers, what: str, whose: str, text: str
) -> list[int]:
    """Change numbers of joints, in place, and return whose."""
    model = robot.model
    names = list(robot.joint_names)
    array, quantity = getattr(numbers, JOINTS[what][0]), JOINTS[what][1]
    found = _matches(names, whose, "joint", robot)
    for k in found:
        joint = int(model.joint(names[k]).id)
        name = f"{what}.{whose}"
        array[joint] = _meant(name, text, quantity, float(array[joint]), robot)
    return found


def _matches(names: list[str], whose: str, kind: str, robot: Robot) -> list[int]:
    """Return the places of names that are meant."""
    found = [k for k, name in enumerate(names) if name and fnmatchcase(name, whose)]
    if not found:
        known = [name for name in names if name]
        raise UnknownNameError(kind, whose, known, f"robot '{robot.name}'")
    return found


def _meant(
    name: str,
    text: str,
    quantity: Quantity,
    before: float,
    robot: Robot,
) -> float:
    """Return the value that a number shall have.

    Args:
        name: of what is changed.
        text: as typed; ``1.2x`` for so many times what it was.
        quantity: what is wanted.
        before: what it was.
        robot: whose it is.
    """
    is_times = text.endswith(TIMES)
    if is_times:
        share = number_of(text.removesuffix(TIMES), Quantity("coefficient"), name)
        value = share * before
    else:
        value = number_of(text, quantity, name)
    least, most = SENSIBLE.get(name.partition(".")[0], SENSIBLE_OF_JOINTS)
    if not (is_number(value) and least <= value <= most):
        unit = f" {quantity.unit}" if quantity.unit else ""
        problem = f"{name} must be {least:g} to {most:g}{unit}, got {text}"
        raise ConfigError(f"the change of robot '{robot.name}'", [problem])
    return value


def _has_loops(model: Any) -> bool:
    """Return whether bodies are tied to others beside their parents."""
    ties = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))
    return bool(np.isin(model.eq_type, ties).any())
