"""What MuJoCo's contacts do with a robot whose joints are held, pose by pose.

At rest a contact of the engine is a spring. Its reference acceleration K i(d) d, with d
the depth and i the impedance, is met by the force that the regularisation
R = (1 - i) / i A allows, f = K i(d) d / R, so that

    f(d) = K / w * i(d)^2 / (1 - i(d)) * d,      K = 1 / (dmax t z)^2,

``solref`` = (t, z), or K = -solref[0] / dmax^2 for the direct form; i grows from
solimp[0] to dmax = solimp[1] over the depth solimp[2]. The weight w is A of the normal,
the sum of ``body_invweight0`` of both bodies, for elliptic and frictionless contacts. A
pyramid has 2 (dim - 1) facets, each with A (1 + mu^2) and R scaled by 2 mu^2 / impratio
[Todorov2014]. The inverse weights are those of the model as it is, with its joints: the
engine takes a foot for as light as it is when its leg can give way, and so the floor
under a robot is soft even where the joints are held.
"""

from typing import Any, NamedTuple, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints, Mat3, Vec3, VecN
from equipoise.core.errors import ConfigError

__all__ = ["ContactSprings", "EngineContacts", "engine_doubts"]

DEFAULT_SOLREF = (0.02, 1.0)  # the engine's own
_LEAST = 1e-15  # mjMINVAL, the engine's smallest divisor


class ContactSprings(NamedTuple):
    """The springs under a robot in one pose, n of them."""

    points: Array
    """Where they push, in the world, (n, 3) [m]."""
    normals: Array
    """Unit, towards the robot, (n, 3)."""
    depths: VecN
    """How far each is pressed in, >= 0, (n,) [m]."""
    stiffness: VecN
    """K / w of each, (n,) [N/m]."""
    impedance: Array
    """``solimp`` of each as the engine limits it, (n, 5)."""
    references: Array
    """``solref`` of each as the engine takes it, (n, 2)."""
    geoms: Ints
    """The robot's shape at each, (n,)."""
    fixed: NDArray[np.bool_]
    """Whether what each stands on cannot move, (n,)."""


class _Law(NamedTuple):
    """What does not change while the same shapes touch, of n contacts."""

    rows: Ints
    """Which of the engine's contacts they are, (n,)."""
    signs: Array
    """1 where the engine's normal points towards the robot, else -1, (n, 1)."""
    stiffness: VecN
    impedance: Array
    references: Array
    geoms: Ints
    fixed: NDArray[np.bool_]

    def of(self, kept: NDArray[np.bool_]) -> "_Law":
        """Return that of some of the contacts."""
        return _Law(
            rows=self.rows[kept],
            signs=self.signs[kept],
            stiffness=self.stiffness[kept],
            impedance=self.impedance[kept],
            references=self.references[kept],
            geoms=self.geoms[kept],
            fixed=self.fixed[kept],
        )


@final
class EngineContacts:
    """Contacts of the engine for a robot with held joints.

    Args:
        model: the scene, compiled; left as it is.
        qpos: the pose as given, (nq,).
        root: body that carries the free joint.

    Raises:
        ConfigError: the root has no free joint.
    """

    def __init__(self, model: Any, qpos: VecN, root: int) -> None:
        joint = int(model.body_jntadr[root])
        free = int(mujoco.mjtJoint.mjJNT_FREE)
        if joint < 0 or int(model.jnt_type[joint]) != free:
            name = model.body(root).name
            raise ConfigError("the engine's contacts", [f"'{name}' has no free joint"])
        self._model, self._data = model, mujoco.MjData(model)
        self._at = int(model.jnt_qposadr[joint])
        self.pose: VecN = np.array(qpos, np.float64)
        """As given, (nq,)."""
        self._data.qpos[:] = self.pose
        mujoco.mj_kinematics(model, self._data)
        mujoco.mj_comPos(model, self._data)
        self._mine = model.body_rootid[model.geom_bodyid] == root
        self._laws: dict[bytes, _Law] = {}
        self._fixed = model.body_weldid[model.geom_bodyid] == 0
        self.com: Vec3 = np.array(self._data.subtree_com[root])
        """Centre of mass in the pose as given, (3,) [m]."""
        self.mass = float(model.body_subtreemass[root])
        """Of the robot [kg]."""
        self.gravity: Vec3 = np.array(model.opt.gravity)
        """(3,) [m/s^2]."""
        self.pieces = int(model.ngeom) + int(model.nbody)
        """Shapes and bodies that the engine moves for every pose."""

    def at(self, pivot: Vec3, lift: Vec3, R: Mat3) -> ContactSprings:
        """Return the springs after a rotation of the robot about a point and a shift.

        Args:
            pivot: point that it turns about, (3,) [m].
            lift: motion after that, (3,) [m].
            R: turn, world frame, (3, 3).
        """
        model, data, k = self._model, self._data, self._at
        quat, base = np.zeros(4), self.pose[k : k + 7]
        mujoco.mju_mat2Quat(quat, R.ravel())
        data.qpos[k : k + 3] = pivot + lift + R @ (base[:3] - pivot)
        mujoco.mju_mulQuat(data.qpos[k + 3 : k + 7], quat, base[3:])
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        contact = data.contact
        pairs = contact.geom.reshape(-1, 2)
        key = pairs.tobytes()  # two shapes always make the same springs
        known = self._laws.get(key)
        if known is None:
            known = self._laws[key] = self._law(np.array(pairs, np.int64))
        depths = (contact.includemargin - contact.dist)[known.rows]
        points = contact.pos.reshape(-1, 3)[known.rows]
        normals = known.signs * contact.frame.reshape(-1, 9)[known.rows, :3]
        is_deep = depths > 0.0
        if not is_deep.all():
            points, normals, depths = points[is_deep], normals[is_deep], depths[is_deep]
            known = known.of(is_deep)
        return ContactSprings(
            points=points,
            normals=normals,
            depths=depths,
            stiffness=known.stiffness,
            impedance=known.impedance,
            references=known.references,
            geoms=known.geoms,
            fixed=known.fixed,
        )

    def _law(self, every: Ints) -> "_Law":
        """Return what is the same for contacts whenever these shapes touch.

        Args:
            every: both shapes of every contact there is, (n, 2).
        """
        mine = self._mine[every]
        rows = np.flatnonzero((mine[:, 0] != mine[:, 1]) & (every >= 0).all(axis=1))
        pairs, first = every[rows], mine[rows, 0]
        stiffness, impedance, references = self._springs(rows, pairs)
        return _Law(
            rows=rows,
            # a contact's frame points from its first shape to its second
            signs=np.where(first, -1.0, 1.0)[:, None],
            stiffness=stiffness,
            impedance=impedance,
            references=references,
            geoms=np.where(first, pairs[:, 0], pairs[:, 1]),
            fixed=self._fixed[np.where(first, pairs[:, 1], pairs[:, 0])],
        )

    def _springs(self, rows: Ints, pairs: Ints) -> tuple[VecN, Array, Array]:
        """Return stiffness, impedance and reference of some contacts."""
        model, contact = self._model, self._data.contact
        bodies = model.geom_bodyid[pairs]
        tran = model.body_invweight0[bodies, 0].sum(axis=1)
        impedance = _limited(np.array(contact.solimp).reshape(-1, 5)[rows])
        solref = np.array(contact.solref).reshape(-1, 2)[rows]
        references = _safe_references(model, solref)
        friction = np.array(contact.friction).reshape(-1, 5)[rows, 0]
        weight = tran * _facets(model, np.array(contact.dim)[rows], friction)
        pulls = _reference_stiffness(references, impedance[:, 1])
        return pulls / np.maximum(weight, _LEAST), impedance, references


def _limited(solimp: Array) -> Array:
    """Return impedances (n, 5) within the limits that the engine sets them."""
    low, high = mujoco.mjMINIMP, mujoco.mjMAXIMP
    lowest = np.array([low, low, 0.0, low, 1.0])
    return np.clip(solimp, lowest, np.array([high, high, np.inf, high, np.inf]))


def _safe_references(model: Any, solref: Array) -> Array:
    """Return ``solref`` (n, 2) as the engine takes it.

    A time constant is at least two time steps, unless the model says otherwise; a
    mixed one is replaced by the default.
    """
    mixed = (solref[:, 0] > 0) != (solref[:, 1] > 0)
    refs = np.where(mixed[:, None], DEFAULT_SOLREF, solref)
    is_safe = not model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_REFSAFE)
    by_time = is_safe & (refs[:, 0] > 0)
    shortest = np.maximum(refs[:, 0], 2 * model.opt.timestep)
    refs[:, 0] = np.where(by_time, shortest, refs[:, 0])
    return refs


def _reference_stiffness(refs: Array, dmax: VecN) -> VecN:
    """Return K of each contact (n,) [1/s^2] from its ``solref`` (n, 2)."""
    by_time = 1.0 / np.maximum(_LEAST, (dmax * refs[:, 0] * refs[:, 1]) ** 2)
    return np.where(refs[:, 0] > 0, by_time, -refs[:, 0] / np.maximum(_LEAST, dmax**2))


def _facets(model: Any, dims: Ints, friction: VecN) -> VecN:
    """Return w over A of the normal, (n,): 1 but for the facets of a pyramid."""
    if int(model.opt.cone) != int(mujoco.mjtCone.mjCONE_PYRAMIDAL):
        return np.ones(len(dims))
    shares = (1 + friction**2) * friction**2 / max(_LEAST, float(model.opt.impratio))
    return np.where(dims > 1, shares / np.maximum(dims - 1, 1), 1.0)


def engine_doubts(model: Any) -> list[str]:
    """Return what of a model's contacts is not understood here, by name."""
    opt, found = model.opt, list[str]()
    if opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_CONTACT):
        found.append("contacts are disabled")
    if opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT):
        found.append("constraints are disabled")
    for flag, told in (("DIAGEXACT", "diagexact"), ("IPC", "ipc")):
        bit = getattr(mujoco.mjtEnableBit, f"mjENBL_{flag}", None)  # from MuJoCo 4 on
        if bit is not None and opt.enableflags & int(bit):
            found.append(f"flag {told}")
    for name in ("geom_adhesion", "pair_adhesion"):
        if np.any(getattr(model, name, 0.0)):
            found.append("contacts that stick (adhesion)")
            break
    return found
