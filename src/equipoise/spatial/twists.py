"""Twists [v; w] and wrenches [f; n] at another point; linear part first."""

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Vec6, expect_array

__all__ = ["twist_at", "wrench_at"]


def twist_at(V_WP: ArrayLike, p_PQ: ArrayLike) -> Vec6:
    """Return the twist of the same rigid body at another of its points, (6,).

    v_WQ = v_WP + w x p_PQ, with the same w.

    Args:
        V_WP: [v; w] at P, (6,) [m/s, rad/s].
        p_PQ: from P to Q, in the same axes, (3,) [m].
    """
    V = expect_array("V_WP", V_WP, (6,))
    shift = expect_array("p_PQ", p_PQ, (3,))
    return np.concatenate([V[:3] + np.cross(V[3:], shift), V[3:]])


def wrench_at(F_P: ArrayLike, p_PQ: ArrayLike) -> Vec6:
    """Return the same wrench with its moment taken about another point, (6,).

    n_Q = n_P - p_PQ x f, with the same f; the power F . V does not change.

    Args:
        F_P: [f; n] at P, (6,) [N, N m].
        p_PQ: from P to Q, in the same axes, (3,) [m].
    """
    F = expect_array("F_P", F_P, (6,))
    shift = expect_array("p_PQ", p_PQ, (3,))
    return np.concatenate([F[:3], F[3:] - np.cross(shift, F[:3])])
