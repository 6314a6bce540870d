"""URDF and MJCF files as robots.

MuJoCo reads both. Left alone it welds a URDF's root link to the world, drops its mass
without a word, and joins links across fixed joints; here the root gets a free joint
unless it is meant to be fixed, and every link keeps its mass and its name. What cannot
be used, a mesh that is not there or an inertia that no body can have, is left out or
mended and named (``Robot.dropped``, ``lost_shapes``, ``mended``).
"""

import difflib
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.core.text import LONGEST, shown
from equipoise.robots.engine import reason
from equipoise.robots.files.budget import MAX_BYTES, expect_budget
from equipoise.robots.files.content import physics_only, robot_content
from equipoise.robots.files.markup import Outline, outline_of
from equipoise.robots.files.mend_inertia import mend_masses, thicken
from equipoise.robots.files.meshes import (
    drop_mesh,
    settle_meshes,
    unreadable_meshes,
)
from equipoise.robots.files.packages import NO_PACKAGES, Packages
from equipoise.robots.files.places import MeshPlaces, mesh_places
from equipoise.robots.files.raw import file_bytes
from equipoise.robots.files.speeds import urdf_speeds
from equipoise.robots.files.turned_inertia import turn_inertias
from equipoise.robots.files.urdf import UNLIMITED
from equipoise.robots.files.visual import urdf_visuals
from equipoise.robots.files.xacro import is_xacro
from equipoise.robots.robot import Robot
from equipoise.robots.which_robot import alone, choose_robot_tree, moving_trees, unused

__all__ = ["read_robot_file"]

XACRO_LEFT = "; it still contains xacro, expand it with: xacro FILE > NAME.urdf"
MOVING = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)


def read_robot_file(
    path: str | Path, base: str | None = None, packages: Packages = NO_PACKAGES
) -> Robot:
    """Read a URDF or MJCF file, by its root element, and return the robot.

    A URDF's joints get a motor each, limited by the joint's effort, in the file's
    order; an MJCF file brings its own.

    Args:
        path: the file.
        base: of a URDF ``free`` or ``fixed``, whether its root floats or is welded to
            the world; None or a link: fixed if the root link is called ``world``, else
            free. Of an MJCF file the body that is the robot's base, or one on its tree,
            where several move.
        packages: what the user says of where packages are.

    Raises:
        BadFileError: one sentence with the file's name and what is wrong.
        ConfigError: ``base`` is not a choice here.
        MissingToolError: a xacro file, and xacro is not installed.
        UnknownNameError: no moving body of that name.
    """
    path = Path(path)
    content = b""
    mujoco.set_mju_user_warning(lambda _: None)  # it would write a file of its own
    try:
        content = robot_content(path, packages)
        outline = outline_of(content)
        if outline.root != "robot":
            _expect_mjcf(path)
            return _mjcf_robot(outline, path, base)
        expect_budget(path, content)
        places = mesh_places(path, packages)
        with warnings.catch_warnings():  # MuJoCo's, about attributes it will not keep
            warnings.simplefilter("ignore", UserWarning)
            robot = _robot_from(outline, path, base, content, places)
        visuals, unseen = urdf_visuals(content, places)
        speeds = urdf_speeds(content)
        seen = replace(robot, visuals=visuals, unseen=unseen, speeds=speeds)
        return _with_model(seen, robot.model, robot.scene_model)
    except BadFileError as error:
        hint = "" if b"<xacro:" not in content else XACRO_LEFT
        raise BadFileError(f"{path}: {error}{hint}.") from None
    finally:
        mujoco.set_mju_user_warning(None)


def _expect_mjcf(path: Path) -> None:
    """Refuse a xacro file that makes an MJCF file, which names other files."""
    if is_xacro(path):
        raise BadFileError(
            f"expands to MJCF; write that beside it (xacro {path.name} > "
            f"{path.stem}.xml) and take what is written"
        )


def _mjcf_robot(outline: Outline, path: Path, base: str | None) -> Robot:
    """Return an MJCF file's robot; of a link the end counts that has the other files.

    A link to a file alone leaves behind what lies beside that file.
    """
    real = path.resolve()
    try:
        return _mjcf_at(outline, path, base)
    except BadFileError:
        if real.parent == path.absolute().parent:
            raise
    robot = _mjcf_at(outline, real, base)
    named = replace(robot, source=str(path))
    return _with_model(named, robot.model, robot.scene_model)


def _mjcf_at(outline: Outline, path: Path, base: str | None) -> Robot:
    """Return the robot of an MJCF file, with the files that are named beside it."""
    expect_budget(path, file_bytes(path, MAX_BYTES))
    with warnings.catch_warnings():  # MuJoCo's, about attributes it will not keep
        warnings.simplefilter("ignore", UserWarning)
        return _robot_from(outline, path, base)


def _robot_from(
    outline: Outline,
    path: Path,
    base: str | None,
    content: bytes = b"",
    places: MeshPlaces | None = None,
) -> Robot:
    """Let MuJoCo read the file, mend what it would lose, and try to compile it.

    Args:
        outline: of the file.
        path: of the file; an MJCF file is read from there, with what it names.
        base: as ``read_robot_file`` takes it.
        content: of a URDF.
        places: where a URDF's meshes are.
    """
    is_urdf, mended = outline.root == "robot", ()
    try:
        if is_urdf:
            text = physics_only(content).decode("utf-8-sig")
            spec = mujoco.MjSpec.from_string(text)
            spec.modelfiledir = str(path.absolute().parent)
        else:
            spec = mujoco.MjSpec.from_file(str(path))
        roots = list(spec.worldbody.bodies)
        if not roots:
            raise BadFileError("has no bodies; a robot needs at least one")
        places = places or mesh_places(path).inside(spec.meshdir)
        if is_urdf and spec.meshdir:
            places = replace(places, meshdir=spec.meshdir)
        dropped = settle_meshes(spec, places, is_urdf)
        if is_urdf:
            is_free = base == "free" or (base != "fixed" and not outline.has_world)
            _mend_urdf(spec, roots, is_free)
            turn_inertias(spec)
            mended = mend_masses(spec)
        trees = moving_trees(spec)
        _name_all(spec)
        model, unread = _compiled(spec, is_urdf)
    except BadFileError:
        raise
    except (ValueError, RuntimeError, OSError, mujoco.FatalError) as error:
        raise BadFileError(f"MuJoCo cannot use it: {reason(error)}") from None
    _expect_sizes(model)
    if is_urdf:
        _expect_base(model, base, path)
    if not model.body_mass.sum() > 0.0:
        raise BadFileError("has no mass at all; give its bodies their mass")
    wanted = None if is_urdf else base
    tree = choose_robot_tree(trees, wanted, f"{path}")
    others = tuple(t.root.name for t in trees if t is not tree)
    name = roots[0].name if tree is None else tree.root.name
    own, alone_model = spec, model
    if others:
        own = alone(spec, name)
        try:
            alone_model = own.copy().compile()
        except (ValueError, RuntimeError) as error:
            said = f"{reason(error)}; write the robot into a file of its own"
            raise BadFileError(f"cannot do without '{others[0]}': {said}") from None
    robot = Robot(
        name=spec.modelname or path.stem,
        spec=own,
        base=name,
        others=others,
        scene=spec if others else None,
        source=str(path),
        has_world=not is_urdf,
        dropped=tuple(f"body '{body}': {what}" for body, what in dropped + unread),
        lost_shapes=tuple(dict.fromkeys(body for body, _ in dropped + unread)),
        mended=mended,
    )
    return _with_model(robot, alone_model, model)


def _with_model(
    robot: Robot, model: mujoco.MjModel, scene_model: mujoco.MjModel
) -> Robot:
    """Give a robot the models that were compiled already, and return it."""
    robot.__dict__["model"] = model
    if robot.scene is not None:
        robot.__dict__["scene_model"] = scene_model
    return robot


def _expect_base(model: mujoco.MjModel, base: str | None, path: Path) -> None:
    """Refuse a base that is neither a way to hold a URDF's root nor a link."""
    if base in (None, "free", "fixed"):
        return
    links = [str(model.body(b).name) for b in range(1, model.nbody)]
    if base not in links:
        near = difflib.get_close_matches(str(base)[:LONGEST], links, n=1)
        hint = f"; did you mean '{shown(near[0])}'" if near else ""
        problem = "base of a URDF must be 'free', 'fixed' or one of its links, got "
        raise ConfigError(f"{path}", [f"{problem}{shown(base)!r}{hint}"])


def _expect_sizes(model: mujoco.MjModel) -> None:
    """Refuse numbers with which nothing can be computed."""
    for what in (
        "body_mass",
        "body_inertia",
        "body_pos",
        "body_ipos",
        "body_quat",
        "body_iquat",
        "geom_size",
        "geom_pos",
        "geom_quat",
        "jnt_pos",
        "jnt_axis",
        "mesh_vert",
        "qpos0",
    ):
        values = np.abs(np.asarray(getattr(model, what), dtype=np.float64))
        if not (values <= mujoco.mjMAXVAL).all():
            largest = values.max()
            raise BadFileError(
                f"has a number of {largest:g} in its {what.replace('_', ' ')}; "
                f"the largest that works is {mujoco.mjMAXVAL:g}"
            )


def _compiled(
    spec: mujoco.MjSpec, is_urdf: bool
) -> tuple[mujoco.MjModel, list[tuple[str, str]]]:
    """Compile a robot; a URDF's unreadable meshes are dropped."""
    dropped: list[tuple[str, str]] = []
    while True:
        try:
            return spec.copy().compile(), dropped
        except (ValueError, RuntimeError):
            broken = unreadable_meshes(spec) if is_urdf else []
            if not broken and not (is_urdf and thicken(spec)):
                raise
            for mesh, error in broken:
                dropped += drop_mesh(spec, mesh, f"cannot be read ({reason(error)})")


def _mend_urdf(spec: mujoco.MjSpec, roots: list[Any], is_free: bool) -> None:
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


def _name_all(spec: mujoco.MjSpec) -> None:
    """Give bodies and joints without a name one, so that they can be spoken of."""
    for kind, things in (("body", spec.bodies[1:]), ("joint", spec.joints)):
        taken = {thing.name for thing in things}
        for k, thing in enumerate(things, start=1):
            if not thing.name:
                thing.name = unused(f"{kind}{k}", taken)
                taken.add(thing.name)
