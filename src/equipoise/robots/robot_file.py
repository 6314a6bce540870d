"""URDF and MJCF files as robots.

MuJoCo reads both. Left alone it welds a URDF's root link to the world, drops its mass
without a word, and joins links across fixed joints; here the root gets a free joint
unless it is meant to be fixed, and every link keeps its mass and its name. What cannot
be used, a mesh that is not there or an inertia that no body can have, is left out or
mended and named (``Robot.dropped``, ``lost_shapes``, ``mended``).
"""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat

import mujoco

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.robots.file_bytes import file_bytes
from equipoise.robots.mend_inertia import mend_masses
from equipoise.robots.mesh_files import (
    drop_mesh,
    settle_meshes,
    unreadable_meshes,
)
from equipoise.robots.robot import Robot
from equipoise.robots.urdf import UNLIMITED
from equipoise.robots.which_robot import alone, choose_tree, moving_trees

__all__ = ["read_robot_file"]

MAX_BYTES = 64 * 2**20
DEEPEST = 1000  # elements inside each other; MuJoCo reads fewer
LONGEST_REASON = 160  # characters of MuJoCo's own complaint that are passed on
NAMES = ("name", "link", "joint")  # attributes that may hold the word "nan"
MOVING = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)


@dataclass
class Outline:
    """What matters of an XML file before MuJoCo sees it."""

    root: str = ""
    has_world: bool = False
    """Whether a URDF has a link called ``world``, to which the robot is fixed."""
    depth: int = 0
    """Of the element that is being read."""


def read_robot_file(path: str | Path, base: str | None = None) -> Robot:
    """Read a URDF or MJCF file; the root element says which it is.

    A URDF's joints get a motor each, limited by the joint's effort, in the file's
    order; an MJCF file brings its own.

    Args:
        path: the file.
        base: of a URDF ``free`` or ``fixed``, whether its root floats or is welded to
            the world; None: fixed if the root link is called ``world``, else free. Of
            an MJCF file the body that is the robot's base, where several move.

    Raises:
        BadFileError: one sentence with the file's name and what is wrong.
        ConfigError: ``base`` is not a choice here.
        UnknownNameError: no moving body of that name.
    """
    path = Path(path)
    mujoco.set_mju_user_warning(lambda _: None)  # it would write a file of its own
    try:
        outline = outline_of(file_bytes(path, MAX_BYTES))
        if outline.root == "robot" and base not in (None, "free", "fixed"):
            problem = f"base of a URDF must be 'free' or 'fixed', got {base!r}"
            raise ConfigError(f"{path}", [problem])
        with warnings.catch_warnings():  # MuJoCo's, about attributes it will not keep
            warnings.simplefilter("ignore", UserWarning)
            return robot_from(outline, path, base)
    except BadFileError as error:
        raise BadFileError(f"{path}: {error}.") from None
    finally:
        mujoco.set_mju_user_warning(None)


def robot_from(outline: Outline, path: Path, base: str | None) -> Robot:
    """Let MuJoCo read the file, mend what it would lose, and try to compile it."""
    is_urdf, mended = outline.root == "robot", ()
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        roots = list(spec.worldbody.bodies)
        if not roots:
            raise BadFileError("has no bodies; a robot needs at least one")
        dropped = settle_meshes(spec, path.absolute().parent, is_urdf)
        if is_urdf:
            is_free = base == "free" or (base is None and not outline.has_world)
            mend_urdf(spec, roots, is_free)
            mended = mend_masses(spec)
        model, unread = compiled(spec, is_urdf)
    except BadFileError:
        raise
    except (ValueError, RuntimeError, OSError, mujoco.FatalError) as error:
        raise BadFileError(f"MuJoCo cannot use it: {reason(error)}") from None
    if not model.body_mass.sum() > 0.0:
        raise BadFileError("has no mass at all; give its bodies their mass")
    trees = moving_trees(spec)
    wanted = None if is_urdf else base
    tree = choose_tree(trees, wanted, f"{path}")
    others = tuple(t.root.name for t in trees if t is not tree)
    name = roots[0].name or name_first(spec) if tree is None else tree.root.name
    own = spec
    if others:
        own = alone(spec, name)
        try:
            own.copy().compile()
        except (ValueError, RuntimeError) as error:
            said = f"{reason(error)}; write the robot into a file of its own"
            raise BadFileError(f"cannot do without '{others[0]}': {said}") from None
    return Robot(
        name=spec.modelname or path.stem,
        spec=own,
        base=name,
        others=others,
        scene=spec if others else None,
        has_world=not is_urdf,
        dropped=tuple(f"body '{body}': {what}" for body, what in dropped + unread),
        lost_shapes=tuple(dict.fromkeys(body for body, _ in dropped + unread)),
        mended=mended,
    )


def compiled(
    spec: mujoco.MjSpec, is_urdf: bool
) -> tuple[mujoco.MjModel, list[tuple[str, str]]]:
    """Compile a robot; a URDF's meshes that turn out to be unreadable are dropped."""
    dropped: list[tuple[str, str]] = []
    while True:
        try:
            return spec.copy().compile(), dropped
        except (ValueError, RuntimeError):
            broken = unreadable_meshes(spec) if is_urdf else []
            if not broken:
                raise
            for mesh, error in broken:
                dropped += drop_mesh(spec, mesh, f"cannot be read ({reason(error)})")


def mend_urdf(spec: mujoco.MjSpec, roots: list[Any], is_free: bool) -> None:
    """Keep every link, free the root if it should float, add a motor a joint."""
    spec.compiler.fusestatic = False
    spec.compiler.discardvisual = False
    for body in roots:
        if is_free and not body.joints:
            body.add_freejoint(name=f"{body.name}_free")
    for joint in spec.joints:
        if joint.type in MOVING:
            effort = float(joint.actfrcrange[1])
            motor = spec.add_actuator(name=joint.name, target=joint.name)
            motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
            if 0.0 < effort < UNLIMITED:
                motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
                motor.ctrlrange = [-effort, effort]


def name_first(spec: mujoco.MjSpec) -> str:
    """Give the first body a name, so that it can be the base."""
    spec.worldbody.bodies[0].name = "base"
    return "base"


def outline_of(content: bytes, is_strict: bool = True) -> Outline:
    """Return an XML text's outline after a look at all of it.

    A document type declaration is refused: it may define entities that grow without
    bound, and neither format needs one.

    Args:
        content: the file.
        is_strict: whether a NaN or a negative mass is refused too.
    """
    if not content.strip():
        raise BadFileError("is empty; a URDF or MJCF robot was expected")
    parser, outline = expat.ParserCreate(), Outline()

    def refuse(*_: Any) -> None:
        raise BadFileError("has a DOCTYPE, which can hide endless text; remove it")

    def begin(name: str, attributes: dict[str, str]) -> None:
        outline.root = outline.root or name
        outline.depth += 1
        if outline.depth > DEEPEST:
            raise BadFileError(f"is nested deeper than {DEEPEST} elements; flatten it")
        if name == "link" and attributes.get("name") == "world":
            outline.has_world = True
        if not is_strict:
            return
        for key, value in attributes.items():
            if key not in NAMES and "nan" in value.lower().split():
                line = parser.CurrentLineNumber
                raise BadFileError(f"has a NaN in <{name} {key}> on line {line}")
        value = attributes.get("value", "").strip()
        if name == "mass" and value.startswith("-"):  # MuJoCo would drop it unsaid
            line = parser.CurrentLineNumber
            raise BadFileError(f"has the mass {value} kg on line {line}, not >= 0")

    def end(_: str) -> None:
        outline.depth -= 1

    parser.StartDoctypeDeclHandler = refuse
    parser.EndElementHandler = end
    parser.StartElementHandler = begin
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError) as error:
        if isinstance(error, BadFileError):
            raise
        raise BadFileError(f"is not whole XML ({error}); save it again") from None
    if outline.root not in ("robot", "mujoco"):
        shown = outline.root[:40]
        raise BadFileError(
            f"has the root element <{shown}>, expected <robot> or <mujoco>"
        )
    return outline


def reason(error: Exception) -> str:
    """Return MuJoCo's complaint on one line, shortened."""
    said = " ".join(str(error).split()).rstrip(".")
    return said if len(said) <= LONGEST_REASON else said[: LONGEST_REASON - 3] + "..."
