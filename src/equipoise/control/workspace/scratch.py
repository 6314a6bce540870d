"""The arrays that one control step fills: made once, so that it allocates nothing."""

from typing import NamedTuple

import numpy as np

from equipoise.control.workspace.tree import TreeArrays
from equipoise.core.arrays import Array

__all__ = ["Scratch", "scratch_for"]


class Scratch(NamedTuple):
    """Room for the recursions; nl links, nd joints, nf feet."""

    q: Array
    """Joint values, (nd,)."""
    v: Array
    """Joint rates, (nd,)."""
    p_WO: Array
    """The central body's centre of mass in the world, (3,)."""
    quat: Array
    """Its orientation, (4,)."""
    aim: Array
    """Its set point, (19,)."""
    shift: Array
    """How far the set point moved with the stance, (3,) [m]."""
    steps: Array
    """How many steps the robot took, (1,)."""
    command: Array
    """Torques in actuator order, (nd,)."""
    R_WL: Array
    """(nl, 3, 3)."""
    p_OL: Array
    """(nl, 3)."""
    r_O: Array
    """(nl, 3)."""
    H: Array
    """(nd, 6)."""
    V: Array
    """(nl, 6)."""
    a: Array
    """(nl, 6)."""
    P: Array
    """(nl, 6, 6)."""
    z: Array
    """(nl, 6)."""
    mobility: Array
    """(nl, 6, 6)."""
    drift: Array
    """(nl, 6)."""
    room: Array
    """(4, 6, 6)."""
    X: Array
    """(1, 6)."""
    F: Array
    """(1, 6)."""
    x: Array
    """(6,)."""
    F_foot: Array
    """(nf, 6)."""
    tau: Array
    """(nd,)."""


def scratch_for(tree: TreeArrays) -> Scratch:
    """Return room for one robot."""
    nl, nd, nf = len(tree.inboard), len(tree.axis), len(tree.foot)
    R_WL = np.zeros((nl, 3, 3))
    R_WL[0] = np.eye(3)
    return Scratch(
        q=np.zeros(nd),
        v=np.zeros(nd),
        p_WO=np.zeros(3),
        quat=np.array([1.0, 0.0, 0.0, 0.0]),
        aim=np.zeros(19),
        shift=np.zeros(3),
        steps=np.zeros(1),
        command=np.zeros(nd),
        R_WL=R_WL,
        p_OL=np.zeros((nl, 3)),
        r_O=np.zeros((nl, 3)),
        H=np.zeros((nd, 6)),
        V=np.zeros((nl, 6)),
        a=np.zeros((nl, 6)),
        P=np.zeros((nl, 6, 6)),
        z=np.zeros((nl, 6)),
        mobility=np.zeros((nl, 6, 6)),
        drift=np.zeros((nl, 6)),
        room=np.zeros((4, 6, 6)),
        X=np.zeros((1, 6)),
        F=np.zeros((1, 6)),
        x=np.zeros(6),
        F_foot=np.zeros((nf, 6)),
        tau=np.zeros(nd),
    )
