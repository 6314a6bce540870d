"""Servos of an MJCF file whose gains its time step cannot hold.

Here MuJoCo compiles the file, since what a joint's servo moves is known of the whole
mechanism only; a file that it cannot compile is passed over, all else that lint says is
read from the text. Shapes of bodies that state their inertia are left out, so that
meshes need not be there. The limits are those of ``step_stability.py``, at every
keyframe, or at the pose that the file begins with; contacts and limits are not counted.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import BadFileError
from equipoise.robots.files.budget import expect_budget
from equipoise.robots.files.meshes import settle_meshes
from equipoise.robots.files.places import mesh_places
from equipoise.robots.lint.body import Finding
from equipoise.robots.lint.step_stability import LinearStep, linear_step, most

__all__ = ["GainLimit", "gain_limits", "servo_findings", "servo_model"]

WORDS = ("position", "velocity", "intvelocity", "general", "damper")
MOST_KEYFRAMES = 10
MOST_JOINTS = 300
"""Degrees of freedom beyond which no limits are computed; they take seconds."""


@dataclass(frozen=True)
class GainLimit:
    """A servo that its time step does not hold, and what would hold."""

    actuator: int
    gain: str
    """``kp`` or ``kv``."""
    value: float
    largest: float
    """That holds, all others that do not hold being lowered alike."""
    timestep: float
    """Longest that holds all gains as they are [s]."""


def servo_findings(path: Path, content: bytes, root: ET.Element) -> Iterator[Finding]:
    """Yield a warning for each servo, or damped joint, that the time step cannot hold.

    Args:
        path: the MJCF file.
        content: what is in it.
        root: its root element, includes in their place.
    """
    is_servo = any(root.find(f".//actuator/{word}") is not None for word in WORDS)
    option = root.find("option")
    is_explicit = option is not None and option.get("integrator") == "RK4"
    flag = root.find("option/flag")
    is_explicit |= flag is not None and flag.get("eulerdamp") == "disable"
    if not (is_servo or is_explicit):
        return
    model = servo_model(path, content)
    if model is None or model.nv > MOST_JOINTS:
        return
    worst: dict[int, GainLimit] = {}
    for step in _steps(model):
        yield from _damping_findings(model, step)
        for limit in gain_limits(step):
            known = worst.get(limit.actuator)
            if known is None or limit.largest < known.largest:
                worst[limit.actuator] = limit
    for actuator in sorted(worst):
        yield _told(model, worst[actuator])


def servo_model(path: Path, content: bytes) -> mujoco.MjModel | None:
    """Return an MJCF file compiled without the shapes that weigh nothing, or None.

    Args:
        path: the file.
        content: what is in it.
    """
    mujoco.set_mju_user_warning(lambda _: None)  # it would write a file of its own
    try:
        expect_budget(path, content)
        with warnings.catch_warnings():  # MuJoCo's, about attributes it will not keep
            warnings.simplefilter("ignore", UserWarning)
            spec = mujoco.MjSpec.from_file(str(path))
            settle_meshes(spec, mesh_places(path).inside(spec.meshdir), False)
            _strip(spec)
            return spec.compile()
    except (BadFileError, ValueError, RuntimeError, OSError, mujoco.FatalError):
        return None
    finally:
        mujoco.set_mju_user_warning(None)


def gain_limits(step: LinearStep) -> list[GainLimit]:
    """Return the servos whose gains the step does not hold, with what would hold.

    Args:
        step: the mechanism at a pose.
    """
    kp = np.array([servo.kp for servo in step.servos])
    kv = np.array([servo.kv for servo in step.servos])
    none = np.zeros(len(kp))
    if step.is_held(kp, kv) or not step.is_held(none, none):
        return []
    alone = [_alone(step, k, kp, kv) for k in range(len(kp))]
    culprits = [k for k, (_, factor) in enumerate(alone) if factor < 1.0]
    if not culprits:  # each would hold alone, all together do not
        culprits = list(range(len(kp)))
        alone = [("kp" if kp[k] > 0.0 else "kv", 1.0) for k in culprits]

    def capped(cap: float) -> tuple[Array, Array]:
        low_p, low_v = kp.copy(), kv.copy()
        for k in culprits:
            gain, factor = alone[k]
            low_p[k] *= min(1.0, cap * factor)
            if gain == "kv":
                low_v[k] *= min(1.0, cap * factor)
        return low_p, low_v

    cap = most(lambda c: step.is_held(*capped(c)))
    timestep = most(lambda h: step.is_held(kp, kv, h), step.timestep)
    found: list[GainLimit] = []
    for k in culprits:
        gain, factor = alone[k]
        value = float(kp[k] if gain == "kp" else kv[k])
        number = step.servos[k].actuator
        found.append(GainLimit(number, gain, value, value * cap * factor, timestep))
    return found


def _alone(step: LinearStep, k: int, kp: Array, kv: Array) -> tuple[str, float]:
    """Return which gain of a servo breaks the step alone, and its factor that holds."""
    one_p, one_v = np.zeros(len(kp)), np.zeros(len(kv))
    one_p[k], one_v[k] = kp[k], kv[k]
    if step.is_held(one_p, one_v):
        return "kp", 1.0
    if step.is_held(0.0 * one_p, one_v):
        return "kp", most(lambda s: step.is_held(s * one_p, one_v))
    return "kv", most(lambda s: step.is_held(s * one_p, s * one_v))


def _steps(model: mujoco.MjModel) -> Iterator[LinearStep]:
    data = mujoco.MjData(model)
    for key in range(min(model.nkey, MOST_KEYFRAMES)) if model.nkey else (None,):
        mujoco.mj_resetData(model, data)
        if key is not None:
            data.qpos[:] = model.key_qpos[key]
        step = linear_step(model, data)
        if step is not None and np.isfinite(step.mass).all():
            yield step


def _strip(spec: mujoco.MjSpec) -> None:
    """Put small balls in the place of meshes that give no mass; drop those meshes."""
    if (
        spec.compiler.inertiafromgeom
        == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    ):
        return
    for body in spec.bodies:
        for geom in body.geoms:
            geom.material = ""
            if body.explicitinertial and geom.type == mujoco.mjtGeom.mjGEOM_MESH:
                geom.meshname = ""  # pairs and sensors may know it by name
                geom.type, geom.size = mujoco.mjtGeom.mjGEOM_SPHERE, [1e-3, 0.0, 0.0]
    used = {geom.meshname for geom in spec.geoms}
    for mesh in list(spec.meshes):
        if mesh.name not in used:
            spec.delete(mesh)


def _damping_findings(model: mujoco.MjModel, step: LinearStep) -> Iterator[Finding]:
    """Judge the damping of joints and tendons, which an explicit step must hold."""
    none = np.zeros(len(step.servos))
    if step.is_held(none, none):
        return
    factor = most(lambda s: step.is_held(none, none, damp=s))
    sign = 1.0 if step.integrator == mujoco.mjtIntegrator.mjINT_EULER else 0.0
    shares, modes = np.linalg.eigh(step.damping + sign * step.coupled_damping)
    fastest = step.motions @ modes[:, int(np.argmax(shares))]
    dof = int(np.argmax(np.abs(fastest)))
    joint = model.joint(int(model.dof_jntid[dof]))
    value = float(np.ravel(model.dof_damping)[dof])
    yield Finding(
        "warning",
        _body_name(model, dof),
        f"damping of joint '{joint.name}' does not hold at the file's time step",
        f"damping {value:.4g}, time step {step.timestep:g} s",
        f"damping up to {_down(factor * value)}, or the integrator implicitfast",
    )


def _told(model: mujoco.MjModel, limit: GainLimit) -> Finding:
    k = limit.actuator
    name = model.actuator(k).name or str(k + 1)
    at, where = "", ""
    kinds = (mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT)
    if int(model.actuator_trntype[k]) in map(int, kinds):
        joint = int(model.actuator_trnid[k, 0])
        at = f" of joint '{model.joint(joint).name or joint + 1}'"
        where = _body_name(model, int(model.jnt_dofadr[joint]))
    return Finding(
        "warning",
        where,
        f"servo '{name}'{at} is not stable at the file's time step",
        f"{limit.gain} {limit.value:.6g}, time step {model.opt.timestep:g} s",
        f"{limit.gain} up to {_down(limit.largest)}, or a time step up to "
        f"{_down(limit.timestep)} s, or more armature",
    )


def _down(value: float) -> str:
    """Return a number's first three digits, never more than the number."""
    if not value > 0.0:
        return "0"
    unit = 10.0 ** (np.floor(np.log10(value)) - 2.0)
    return f"{np.floor(value / unit) * unit:.6g}"


def _body_name(model: mujoco.MjModel, dof: int) -> str:
    body = int(model.dof_bodyid[dof])
    return model.body(body).name or f"body {body}"
