"""Where the ground pushes, and how close that is to tipping a moving robot.

Flat, level, rigid ground. From contact forces the place is the centre of pressure, from
the motion of the bodies the zero moment point; for contacts in one level plane they are
the same point ([Ridderstrom2003] sections 2.5.1 and 2.5.2). The printed recipe "from
the centre of mass along the resultant force" leaves out the moment about the centre of
mass and is off by up to 0.2 m; it is not offered here.

The effective wrench of a motion is gravity plus what the bodies' inertia resists with::

    F = Σ -m (g n3 + a),    M_C = Σ (p - p_WC) × (-m a) - d(I w)/dt

Two margins go by the name of dynamic stability margin. They differ by the factor
|F_z| / W, so they have two names here: ``pressure_margin`` is the distance from the
zero moment point to the edge, ``tipping_margin`` the moment about the edge over the
weight. The sign of both says the same.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, expect_array
from equipoise.core.checks import is_number
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError
from equipoise.stability.rigid.hull import expect_states, support_polygon
from equipoise.stability.rigid.support import static_margin

__all__ = [
    "centre_of_pressure",
    "edge_moments",
    "effective_wrench",
    "pressure_margin",
    "spin_rate",
    "tipping_margin",
    "zero_moment_point",
]


def centre_of_pressure(points: ArrayLike, forces: ArrayLike) -> Array:
    """Return the centre of pressure of the ground's forces, Σ f_z p / Σ f_z.

    [Ridderstrom2003] section 2.5.1. All points must lie in one level plane; otherwise
    it is still the mean of the points but no zero moment point.

    Args:
        points: of contact, (..., n, 3) [m].
        forces: of the ground on the robot, (..., n, 3) [N].

    Returns:
        The centre of pressure, (..., 3) [m]; NaN where the ground does not push.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    p = expect_states("points", points, (-1, 3))
    f = expect_states("forces", forces, (p.shape[-2], 3))
    push = f[..., 2]
    total = np.sum(push, axis=-1)[..., None]
    moment = np.sum(push[..., None] * p, axis=-2)
    return np.where(total > 0.0, moment / np.where(total > 0.0, total, 1.0), np.nan)


def spin_rate(I_BBcm_W: ArrayLike, w_WB: ArrayLike, wdot_WB: ArrayLike) -> Array:
    """Return d(I w)/dt = I w' + w × I w of each body about its centre of mass.

    Args:
        I_BBcm_W: inertia about the centre of mass, in world axes, (..., 3, 3) [kg m²].
        w_WB: angular velocity, (..., 3) [rad/s].
        wdot_WB: angular acceleration, (..., 3) [rad/s²].

    Returns:
        Rate of the spin momentum, (..., 3) [N m].

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    inertia = expect_states("I_BBcm_W", I_BBcm_W, (3, 3))
    w = expect_states("w_WB", w_WB, (3,))
    wdot = expect_states("wdot_WB", wdot_WB, (3,))
    spin = np.einsum("...ij,...j->...i", inertia, w)
    return np.einsum("...ij,...j->...i", inertia, wdot) + np.cross(w, spin)


def effective_wrench(
    masses: ArrayLike,
    p_WBcm: ArrayLike,
    a_WBcm: ArrayLike,
    spin_rates: ArrayLike | None = None,
    gravity: float = GRAVITY,
) -> tuple[Array, Array, Array]:
    """Return the centre of mass, and the effective wrench of a motion about it.

    The formula is at the head of this file ([Ridderstrom2003] section 2.5.2).

    Args:
        masses: of the bodies, (nb,) [kg], >= 0 and not all zero.
        p_WBcm: centres of mass, (..., nb, 3) [m].
        a_WBcm: their accelerations, (..., nb, 3) [m/s²].
        spin_rates: d(I w)/dt of each body, (..., nb, 3) [N m], see ``spin_rate``; None
            for point masses.
        gravity: >= 0 [m/s²], along -z.

    Returns:
        p_WC (..., 3) [m], force F (..., 3) [N], moment M_C about C (..., 3) [N m].

    Raises:
        NotPhysicalError: a negative mass, no mass at all, or a negative gravity.
        ShapeError: wrong shape or an entry that is not finite.
    """
    m = expect_array("masses", masses, (-1,))
    if not (m >= 0.0).all() or not m.sum() > 0.0:
        raise NotPhysicalError(
            f"masses must be >= 0 kg with a sum above zero, got {m.tolist()}."
        )
    if not (is_number(gravity) and 0.0 <= gravity < math.inf):
        raise NotPhysicalError(f"gravity must be >= 0 m/s², got {gravity!r}.")
    p = expect_states("p_WBcm", p_WBcm, (len(m), 3))
    a = expect_states("a_WBcm", a_WBcm, (len(m), 3))
    p_WC = np.einsum("b,...bi->...i", m, p) / m.sum()
    pull = -m[:, None] * a
    moment = np.sum(np.cross(p - p_WC[..., None, :], pull), axis=-2)
    if spin_rates is not None:
        spin = expect_states("spin_rates", spin_rates, (len(m), 3))
        moment = moment - np.sum(spin, axis=-2)
    force = np.sum(pull, axis=-2) - [0.0, 0.0, gravity * m.sum()]
    return p_WC, force, moment


def zero_moment_point(
    p_WC: ArrayLike, force: ArrayLike, moment: ArrayLike, height: float = 0.0
) -> Array:
    """Return the point of a level plane where the wrench has no tipping moment.

    With r = p_WC - [0, 0, height] the centre of mass over the plane, the horizontal
    part of [Ridderstrom2003] section 2.5.2 solved for the point, moment term included::

        x = r_x - (r_z F_x + M_y) / F_z,    y = r_y - (r_z F_y - M_x) / F_z

    Args:
        p_WC: where the wrench acts, the centre of mass, (..., 3) [m].
        force: effective force F, (..., 3) [N], of ``effective_wrench``.
        moment: effective moment about C, (..., 3) [N m].
        height: of the plane [m].

    Returns:
        p_WZ, (..., 3) [m]; NaN where F_z >= 0: nothing presses on the ground.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    p = expect_states("p_WC", p_WC, (3,))
    f = expect_states("force", force, (3,))
    m = expect_states("moment", moment, (3,))
    level = float(expect_array("height", height, ()))
    presses = f[..., 2] < 0.0
    push = np.where(presses, f[..., 2], -1.0)
    over = p[..., 2] - level
    x = p[..., 0] - (over * f[..., 0] + m[..., 1]) / push
    y = p[..., 1] - (over * f[..., 1] - m[..., 0]) / push
    p_WZ = np.stack([x, y, np.full(x.shape, level)], axis=-1)
    return np.where(presses[..., None], p_WZ, np.nan)


def pressure_margin(
    p_WC: ArrayLike,
    force: ArrayLike,
    moment: ArrayLike,
    points: ArrayLike,
    height: float = 0.0,
) -> Array:
    """Return the distance of the zero moment point from the edge of the support [m].

    The first dynamic stability margin of [Ridderstrom2003] section 2.5.1, with a sign
    as in ``static_margin``: positive inside, the robot does not start to tip.

    Args:
        p_WC: centre of mass, (..., 3) [m].
        force: effective force, (..., 3) [N], of ``effective_wrench``.
        moment: effective moment about C, (..., 3) [N m].
        points: of contact, (n, 2) or (n, 3) [m].
        height: of the ground [m].

    Returns:
        The margin, (...) [m]; -inf where nothing presses on the ground.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    p_WZ = zero_moment_point(p_WC, force, moment, height)
    presses = np.isfinite(p_WZ[..., 0])
    margin = static_margin(np.where(presses[..., None], p_WZ, 0.0)[..., :2], points)
    return np.where(presses, margin, -np.inf)


def edge_moments(
    p_WC: ArrayLike,
    force: ArrayLike,
    moment: ArrayLike,
    points: ArrayLike,
    height: float = 0.0,
) -> Array:
    """Return the moment that holds the robot down about each edge of its support.

    [Ridderstrom2003] section 2.5.1, e clockwise seen from above, P on the edge::

        M_i = e_i · (F × p_CP + M_C) = |F_z| (distance of the zero moment point inside)

    Args:
        p_WC: centre of mass, (..., 3) [m].
        force: effective force, (..., 3) [N], of ``effective_wrench``.
        moment: effective moment about C, (..., 3) [N m].
        points: of contact, (n, 2) or (n, 3) [m].
        height: of the ground [m].

    Returns:
        M_i, (..., k) [N m], negative where it tips over that edge; edge i goes from
        corner i of ``support_polygon`` to the next. A segment has two edges, one seen
        from each side; a point has none.

    Raises:
        ShapeError: wrong shape or an entry that is not finite.
    """
    p = expect_states("p_WC", p_WC, (3,))
    f = expect_states("force", force, (3,))
    m = expect_states("moment", moment, (3,))
    level = float(expect_array("height", height, ()))
    corners = support_polygon(points)
    corners = np.concatenate([corners, np.full((len(corners), 1), level)], axis=1)
    if len(corners) < 2:
        return np.zeros((*np.broadcast_shapes(p.shape, f.shape, m.shape)[:-1], 0))
    clockwise = corners - np.roll(corners, -1, axis=0)
    clockwise = clockwise / np.linalg.norm(clockwise, axis=1, keepdims=True)
    p_CP = corners - p[..., None, :]
    turn = np.cross(f[..., None, :], p_CP) + m[..., None, :]
    return np.einsum("...ei,ei->...e", turn, clockwise)


def tipping_margin(
    p_WC: ArrayLike,
    force: ArrayLike,
    moment: ArrayLike,
    points: ArrayLike,
    weight: float,
    height: float = 0.0,
) -> Array:
    """Return the smallest moment about an edge over the weight, min M_i / W [m].

    The second dynamic stability margin of [Ridderstrom2003] section 2.5.1, from
    [Lin1993]. Inside the support it is |F_z| / W times ``pressure_margin``.

    Args:
        p_WC: centre of mass, (..., 3) [m].
        force: effective force, (..., 3) [N], of ``effective_wrench``.
        moment: effective moment about C, (..., 3) [N m].
        points: of contact, (n, 2) or (n, 3) [m].
        weight: m g, > 0 [N].
        height: of the ground [m].

    Returns:
        The margin, (...) [m]; over a segment or a point |F_z| / W times minus the
        distance; -inf where nothing presses on the ground, or there is no contact.

    Raises:
        NotPhysicalError: the weight is not a positive number.
        ShapeError: wrong shape or an entry that is not finite.
    """
    if not (is_number(weight) and 0.0 < weight < math.inf):
        raise NotPhysicalError(f"weight must be > 0 N, got {weight!r}.")
    margin = pressure_margin(p_WC, force, moment, points, height)
    push = -expect_states("force", force, (3,))[..., 2] / weight
    moments = edge_moments(p_WC, force, moment, points, height)
    if moments.shape[-1] < 3:
        return np.where(push > 0.0, margin * np.where(push > 0.0, push, 1.0), -np.inf)
    return np.where(push > 0.0, np.min(moments, axis=-1) / weight, -np.inf)
