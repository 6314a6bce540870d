"""How a robot's own links push each other where their shapes touch or overlap.

At rest a contact of the engine is a spring whose force depends on the depth alone (see
``engine_contacts``). Links that overlap in a pose push each other apart, and their
joints have to resist that beside the weight.
"""

from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, VecN
from equipoise.robots.scene.joint_holds import constraint_rows

__all__ = ["SelfPush", "self_push"]

FIRST_CONTACT = int(mujoco.mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)


class SelfPush(NamedTuple):
    """Effect of a robot's contacts with itself in one pose."""

    forces: VecN
    """Generalised forces, (nv,) [N m] or [N]."""
    links: tuple[str, ...]
    """Names of the two links that push hardest; empty where no links touch."""


def self_push(model: Any, qpos: VecN, bodies: NDArray[np.bool_]) -> SelfPush:
    """Return how a robot's links push each other at rest, by the engine's contacts.

    Friction between them is left out: the engine's creeps, so that it holds nothing.

    Args:
        model: compiled.
        qpos: the pose, of the model, (nq,).
        bodies: which bodies are the robot, (nbody,).
    """
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_fwdPosition(model, data)
    pairs = np.asarray(data.contact.geom).reshape(-1, 2)
    on = np.asarray(model.geom_bodyid)[pairs]
    own = (pairs >= 0).all(axis=1) & bodies[on].all(axis=1)
    first = np.asarray(data.contact.efc_address)
    touching = np.flatnonzero(own & (first >= 0))
    if not len(touching):
        return SelfPush(np.zeros(int(model.nv)), ())
    mujoco.mj_fwdVelocity(model, data)
    at_rest = -np.array(data.efc_aref)  # the residual where nothing accelerates
    mujoco.mj_constraintUpdate(model, data, at_rest, None, 0)
    rows, force = constraint_rows(model, data), np.array(data.efc_force)
    kinds = np.asarray(data.efc_id)[: int(data.nefc)]
    is_contact = np.asarray(data.efc_type)[: int(data.nefc)] >= FIRST_CONTACT

    def push(contact: int) -> Array:
        mine = is_contact & (kinds == contact)
        return force[: len(mine)][mine] @ rows[mine]

    pushes = np.array([push(int(contact)) for contact in touching])
    hardest = on[touching[int(np.abs(pushes).max(axis=1).argmax())]]
    return SelfPush(
        pushes.sum(axis=0), tuple(str(model.body(int(b)).name) for b in hardest)
    )
