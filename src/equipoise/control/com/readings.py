"""A whole robot's readings, laid out by module: every joint, every part, the ground."""

from typing import NamedTuple

import numpy as np

from equipoise.control.com.loads import ContactPush, MovingFrame
from equipoise.core.arrays import Array, Ints
from equipoise.core.contracts import Sensed
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["ModuleReadings", "lay_out", "lay_out_sensed", "readings_by_module"]


class ModuleReadings(NamedTuple):
    """Room for a robot's readings by module, and where each of them goes."""

    free: Ints
    """Joints that move, of all joints module by module."""
    skins: Ints
    """(2 nm,) part of each skin, of all parts module by module."""
    q: Array
    """(nm, joints) joint values; locked joints at their fixed value [rad or m]."""
    rate: Array
    """(nm, joints) joint rates [rad/s or m/s]."""
    skin: Records[ContactPush]
    """(nm * parts,) of contacts on each part, in its own frame."""
    base: Records[MovingFrame]
    """(1,) the grounded part in W."""


def readings_by_module(assembly: Assembly) -> ModuleReadings:
    """Return room for a robot's readings."""
    nm, body = len(assembly.modules), assembly.body
    moving = np.tile([j.locked is None for j in body.joints], nm)
    ends = [0, len(body.parts) - 1]
    skins = [m * len(body.parts) + end for m in range(nm) for end in ends]
    return ModuleReadings(
        free=np.flatnonzero(moving),
        skins=np.array(skins, np.int64),
        q=np.tile([j.locked or 0.0 for j in body.joints], (nm, 1)),
        rate=np.zeros((nm, len(body.joints))),
        skin=ContactPush.zeros(nm * len(body.parts)),
        base=MovingFrame.zeros(),
    )


def lay_out(sensed: Sensed, out: ModuleReadings) -> None:
    """Write a robot's readings module by module.

    Args:
        sensed: of the whole robot.
        out: written, where joints move and parts have a skin.
    """
    pose = sensed.R_WB, sensed.p_WB, sensed.V_WB
    lay_out_sensed(sensed.q, sensed.v, sensed.skin, *pose, out)


@compiled(allocates=False)
def lay_out_sensed(
    q: Array,
    v: Array,
    skin: Array,
    R_WB: Array,
    p_WB: Array,
    V_WB: Array,
    out: ModuleReadings,
) -> None:
    """Do so with the arrays of ``Sensed``; see ``lay_out``."""
    free, joints = out.free, out.q.shape[1]
    for k in range(free.shape[0]):
        out.q[free[k] // joints, free[k] % joints] = q[k]
        out.rate[free[k] // joints, free[k] % joints] = v[k]
    for k in range(out.skins.shape[0]):
        push, moment = out.skin[out.skins[k]], skin[k, 3:]
        for a in range(3):
            push.force[a], push.moment[a] = skin[k, a], moment[a]
    frame, turning = out.base[0], V_WB[3:]
    for a in range(3):
        for b in range(3):
            frame.R[a, b] = R_WB[a, b]
        frame.p[a] = p_WB[a]
        frame.v[a], frame.w[a] = V_WB[a], turning[a]
