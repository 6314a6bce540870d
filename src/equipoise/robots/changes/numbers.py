"""The numbers of a robot that can be changed, as arrays, and how they are written back.

Specifications come from files of all kinds: frames, defaults and directives may undo a
change or make more of it. So the compiled model is compared with what was meant, and a
change that came out otherwise is refused.
"""

from dataclasses import dataclass, fields, replace
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.robots.engine import built
from equipoise.robots.robot import Robot

__all__ = ["ModelNumbers", "changeable_numbers", "rewritten"]

ROUNDING = 1e-9  # by which compiled numbers may be off, of the largest of their kind
OF_JOINTS = ("damping", "stiffness", "frictionloss", "armature")


@final
@dataclass(frozen=True)
class ModelNumbers:
    """Numbers of a model that can be changed, as arrays to write to."""

    mass: Array
    """Of each body, (nb,) [kg]."""
    place: Array
    """Of each body in its parent's frame, (nb, 3) [m]."""
    centre: Array
    """Of mass, in the body's frame, (nb, 3) [m]."""
    inertia: Array
    """About that centre, along the body's axes, (nb, 3, 3) [kg m²]."""
    shape_place: Array
    """Of each shape in its body's frame, (ngeom, 3) [m]."""
    shape_size: Array
    """As the engine has it, (ngeom, 3) [m]."""
    damping: Array
    """Of each joint, (njnt,); all four in units of newton, metre, second and rad."""
    stiffness: Array
    frictionloss: Array
    armature: Array

    def copy(self) -> "ModelNumbers":
        """Return numbers of their own."""
        return ModelNumbers(
            **{f.name: getattr(self, f.name).copy() for f in fields(self)}
        )


def changeable_numbers(model: Any) -> ModelNumbers:
    """Return what can be changed of a compiled robot.

    Args:
        model: as the engine has it.
    """
    turned = np.zeros((model.nbody, 9))
    for body in range(model.nbody):
        mujoco.mju_quat2Mat(turned[body], model.body_iquat[body])
    axes = turned.reshape(-1, 3, 3)
    first = model.jnt_dofadr
    return ModelNumbers(
        mass=np.array(model.body_mass),
        place=np.array(model.body_pos),
        centre=np.array(model.body_ipos),
        inertia=np.einsum("bij,bj,bkj->bik", axes, model.body_inertia, axes),
        shape_place=np.array(model.geom_pos),
        shape_size=np.array(model.geom_size),
        damping=np.array(model.dof_damping[first]),
        stiffness=np.array(model.jnt_stiffness),
        frictionloss=np.array(model.dof_frictionloss[first]),
        armature=np.array(model.dof_armature[first]),
    )


def rewritten(robot: Robot, new: ModelNumbers, what: str) -> Robot:
    """Return a robot with other numbers.

    Args:
        robot: the robot; it stays as it is.
        new: all that can be changed, most of it as before.
        what: was changed, for a complaint.

    Raises:
        ConfigError: the engine refuses it, or its file does not let it be changed so.
    """
    old = changeable_numbers(robot.model)
    spec = robot.spec.copy()
    scene = None if robot.scene is None else robot.scene.copy()
    try:
        for one in (spec, scene):
            if one is not None:
                _write_numbers(one, robot, old, new)
        made = replace(robot, spec=spec, scene=scene)
        found = changeable_numbers(made.model)
        whole = built(spec if scene is None else scene, f"robot '{robot.name}'")
    except (EquipoiseError, KeyError, ValueError, AttributeError) as error:
        problem = f"{what} cannot be: {' '.join(str(error).split())[:200]}"
        raise ConfigError(f"the change of robot '{robot.name}'", [problem]) from None
    if not (_is_computable(made.model) and _is_computable(whole)):
        problem = (
            f"{what} is not possible: numbers derived from it are too large to "
            "compute with"
        )
        raise ConfigError(f"the change of robot '{robot.name}'", [problem])
    if not _is_alike(found, new):
        problem = (
            f"{what} cannot be changed alone: the file couples it to something else"
        )
        raise ConfigError(f"the change of robot '{robot.name}'", [problem])
    return made


def _is_computable(model: Any) -> bool:
    """Return whether masses, inertias and weights of a model, summed up, are finite."""
    data = mujoco.MjData(model)
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_rne(model, data, 0, data.qfrc_bias)
    parts = model.body_subtreemass, model.body_inertia, data.crb, data.qfrc_bias
    return all(bool(np.isfinite(part).all()) for part in parts)


def _is_alike(found: ModelNumbers, meant: ModelNumbers) -> bool:
    """Return whether a compiled model has the numbers that were meant."""
    for name in (f.name for f in fields(ModelNumbers)):
        one, two = getattr(found, name), getattr(meant, name)
        if one.shape != two.shape:
            return False
        rounding = ROUNDING * float(np.abs(two).max(initial=0.0))
        if float(np.abs(one - two).max(initial=0.0)) > rounding:
            return False
    return True


def _write_numbers(
    spec: Any, robot: Robot, old: ModelNumbers, new: ModelNumbers
) -> None:
    """Write into a specification what differs."""
    model = robot.model
    masses = ("mass", "centre", "inertia")
    if any(not np.array_equal(getattr(new, n), getattr(old, n)) for n in masses):
        _write_all_masses(spec, model, old)
    for body in range(1, model.nbody):
        name = str(model.body(body).name)
        moved = new.place[body] - old.place[body]
        is_mass_new = not all(
            np.array_equal(getattr(new, key)[body], getattr(old, key)[body])
            for key in masses
        )
        shapes = _changed_shapes(model, body, old, new)
        if not (moved.any() or is_mass_new or shapes):
            continue
        found = spec.body(name)
        found.pos = np.asarray(found.pos) + moved
        if is_mass_new or not found.explicitinertial:
            _write_mass(found, model, new, body)
        for k in shapes:
            _write_shape(found.geoms[k], model, int(model.body_geomadr[body]) + k, new)
    for joint in range(model.njnt):
        for name in OF_JOINTS:
            value = float(getattr(new, name)[joint])
            if value != getattr(old, name)[joint]:
                _write_joint(spec.joint(str(model.joint(joint).name)), name, value)


def _write_all_masses(spec: Any, model: Any, old: ModelNumbers) -> None:
    """Write every body's mass out where a file's compiler would make them anew."""
    auto = int(mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_AUTO)
    if int(spec.compiler.inertiafromgeom) == auto and spec.compiler.settotalmass <= 0.0:
        return
    for body in range(1, model.nbody):
        if old.mass[body]:
            _write_mass(spec.body(str(model.body(body).name)), model, old, body)
    spec.compiler.inertiafromgeom = auto
    spec.compiler.settotalmass = -1.0


def _changed_shapes(
    model: Any, body: int, old: ModelNumbers, new: ModelNumbers
) -> list[int]:
    """Return which of a body's shapes sit elsewhere, or are of another size."""
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    return [
        k
        for k in range(count)
        if not np.array_equal(new.shape_place[first + k], old.shape_place[first + k])
        or not np.array_equal(new.shape_size[first + k], old.shape_size[first + k])
    ]


def _write_mass(found: Any, model: Any, new: ModelNumbers, body: int) -> None:
    """Write a body's mass properties out, along the axes they had if they still do."""
    axes = np.zeros(9)
    mujoco.mju_quat2Mat(axes, model.body_iquat[body])
    axes, quat = axes.reshape(3, 3), np.array(model.body_iquat[body])
    seen = axes.T @ new.inertia[body] @ axes
    moments = np.diag(seen)
    if np.abs(seen - np.diag(moments)).max() > ROUNDING * moments.max():
        moments, axes = np.linalg.eigh(new.inertia[body])
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        mujoco.mju_mat2Quat(quat, axes.ravel())
    found.explicitinertial = True
    found.mass, found.ipos = float(new.mass[body]), new.centre[body]
    found.iquat, found.inertia = quat, moments
    found.fullinertia = np.full(6, np.nan)


def _write_shape(geom: Any, model: Any, number: int, new: ModelNumbers) -> None:
    """Write where a shape is, and how large."""
    place, size = new.shape_place[number], new.shape_size[number]
    if np.isfinite(np.asarray(geom.fromto)).all():
        turned = np.zeros(9)
        mujoco.mju_quat2Mat(turned, model.geom_quat[number])
        half = size[1] * turned.reshape(3, 3)[:, 2]
        first = np.asarray(geom.fromto)[:3]
        half = half if (first - place) @ half > 0.0 else -half
        geom.fromto = np.r_[place + half, place - half]
        return
    geom.pos = np.asarray(geom.pos) + place - model.geom_pos[number]
    if not np.array_equal(size, model.geom_size[number]):
        geom.size = size


def _write_joint(found: Any, name: str, value: float) -> None:
    """Write a number of a joint, which some versions have as the first of several."""
    before = np.asarray(getattr(found, name), dtype=float)
    if before.ndim == 0:
        setattr(found, name, value)
        return
    after = before.copy()
    after[0] = value
    setattr(found, name, after)
