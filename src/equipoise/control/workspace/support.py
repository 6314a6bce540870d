"""What the ground can do: from contact forces to the body's acceleration and back.

Each leg has six joints, so the accelerations of the central body and of a foot fix the
leg's joints. With the feet's accelerations given, the whole robot obeys six equations::

    Hm V'_1 + hm = Σ wrenches of the contact forces

where every force is a non-negative sum of its friction pyramid's edges at a corner of a
sole: it stays in its cone and the centre of pressure inside the sole by construction.
These are the true ground reactions; the legs' own weight and inertia are in Hm, hm.
Coordinates as in ``outboard``.
"""

from equipoise.control.workspace.legs import EDGES, LEG_JOINTS, LegFoot, Support
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.small import damped_inverse6, inverse6
from equipoise.control.workspace.tree import TreeArrays, TreeJoint
from equipoise.control.workspace.twists import halves, put
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["ground_wrenches", "inverse_dynamics", "leg_equations"]

CREEP = 0.05  # speed from which on a joint's dry friction counts in full [rad/s]
TAUT = 25.0  # turn of a joint per leg's length that its foot moves, at most [rad]
DAMPED = 0.02  # share of a leg's length below which a way is not worth a turn
AHEAD = 0.05  # how far ahead the speed is looked at [s]


@compiled(allocates=False)
def leg_equations(t: TreeArrays, s: Scratch, u: Support) -> None:
    """Write Hm and hm for the accelerations that are asked of the feet.

    With J a leg's joint twists, F what they do to the momentum (inertia outboard of a
    joint times its twist) and β what velocities and other joints do::

        θ'' = J⁻¹ (V'_foot - β_foot - V'_1)
        Hm  = Σ P - Σ F J⁻¹,   hm = Σ (P β + z) + Σ F J⁻¹ (V'_foot - β_foot)
    """
    n = t.links.shape[0]
    for k in range(n):
        link, moved, own = t.links[k], s.links[k], u.links[k]
        beta = own.beta
        for r in range(6):
            beta[r] = moved.a[r] + (u.links[link.inboard].beta[r] if k > 0 else 0.0)
        for j in range(link.first, link.end):
            if u.joints[j].foot < 0:
                for r in range(6):
                    beta[r] += s.joints[j].H[r] * u.joints[j].rate
        for r in range(6):
            total = moved.z[r]
            for c in range(6):
                own.P[r, c] = moved.P[r, c]
                total += moved.P[r, c] * beta[c]
            own.z[r] = total
    for k in range(n - 1, 0, -1):
        own, inner = u.links[k], u.links[t.links[k].inboard]
        for r in range(6):
            for c in range(6):
                inner.P[r, c] += own.P[r, c]
            inner.z[r] += own.z[r]
    body = u.body[0]
    for r in range(6):
        body.hm[r] = u.links[0].z[r]
        for c in range(6):
            body.Hm[r, c] = u.links[0].P[r, c]
    for f in range(u.feet.shape[0]):
        _add_leg(u.feet[f], t, s, u)


@compiled(allocates=False)
def _add_leg(foot: LegFoot, t: TreeArrays, s: Scratch, u: Support) -> None:
    """Add one leg's part of Hm and hm, and keep its inverse Jacobian."""
    body, beta = u.body[0], u.links[foot.link].beta
    for c in range(6):
        for r in range(6):
            body.spent[r, c] = s.joints[foot.leg[c]].H[r]
    inverse6(body.spent, foot.inverse)
    if _is_taut(foot):
        for c in range(6):
            for r in range(6):
                body.spent[r, c] = s.joints[foot.leg[c]].H[r]
        damped_inverse6(
            body.spent,
            DAMPED * foot.length,
            foot.length,
            body.momentum,
            body.inverse,
            foot.inverse,
        )
    k, c = foot.link, LEG_JOINTS - 1
    while c >= 0:  # momentum of each joint, outboard first
        link, P = t.links[k], u.links[k].P
        for j in range(link.end - 1, link.first - 1, -1):
            H = s.joints[j].H
            for r in range(6):
                total = 0.0
                for d in range(6):
                    total += P[r, d] * H[d]
                body.momentum[r, c] = total
            c -= 1
        k = link.inboard
    for r in range(6):
        for c in range(6):
            total = 0.0
            for d in range(6):
                total += body.momentum[r, d] * foot.inverse[d, c]
            body.Hm[r, c] -= total
            body.hm[r] += total * (foot.A[c] - beta[c])


@compiled(allocates=False)
def _is_taut(foot: LegFoot) -> bool:
    """Return whether a leg is so straight that its joints would move too fast."""
    largest = 0.0
    for r in range(6):
        for c in range(3):
            largest = max(largest, abs(foot.inverse[r, c]))
    return not largest * foot.length < TAUT


@compiled(allocates=False)
def ground_wrenches(u: Support, c: Array, friction: float) -> None:
    """Write each foot's wrench about O from the pushes along the pyramids' edges."""
    for f in range(u.feet.shape[0]):
        for r in range(6):
            u.feet[f].wrench[r] = 0.0
    for k in range(u.corners.shape[0]):
        corner = u.corners[k]
        wrench = u.feet[corner.foot].wrench
        forth, back, left, right = _pushes_at(c, k)
        fx = friction * (forth - back)
        fy = friction * (left - right)
        fz = forth + back + left + right
        x, y, h = corner.p_O[0], corner.p_O[1], corner.p_O[2]
        (px, py, pz), (nx, ny, nz) = halves(wrench)
        put(
            wrench,
            (px + fx, py + fy, pz + fz),
            (
                nx + (y * fz - h * fy),
                ny + (h * fx - x * fz),
                nz + (x * fy - y * fx),
            ),
        )


@compiled(allocates=False, force_inline=True)
def _pushes_at(c: Array, corner: int) -> tuple[float, float, float, float]:
    """Return the pushes along the edges of a corner's pyramid: +x, -x, +y, -y."""
    e = EDGES * corner
    return c[e], c[e + 1], c[e + 2], c[e + 3]


@compiled(allocates=False)
def inverse_dynamics(t: TreeArrays, s: Scratch, u: Support) -> None:
    """Write the torques that give V'_1 under the ground's wrenches.

    Args:
        t: the tree.
        s: joint twists and the links' own inertias; the joints' ``tau`` is written.
        u: ``acceleration`` and the feet's ``wrench`` hold V'_1 and what the ground
            does; ``beta`` becomes the links' acceleration.
    """
    V1 = u.body[0].acceleration
    for f in range(u.feet.shape[0]):
        foot, beta = u.feet[f], u.links[u.feet[f].link].beta
        for r in range(6):
            total = 0.0
            for c in range(6):
                gap = foot.A[c] - beta[c] - V1[c]
                total += foot.inverse[r, c] * gap
            u.joints[foot.leg[r]].rate = total
    for k in range(t.links.shape[0]):
        link, own = t.links[k], u.links[k]
        beta, through = own.beta, s.links[k].through
        for r in range(6):
            beta[r] += V1[r]
            through[r] = s.links[link.inboard].through[r] if k > 0 else 0.0
        for j in range(link.first, link.end):
            if u.joints[j].foot >= 0:
                for r in range(6):
                    through[r] += s.joints[j].H[r] * u.joints[j].rate
        for r in range(6):
            beta[r] += through[r]
    for k in range(t.links.shape[0]):
        moved, own = s.links[k], u.links[k]
        for r in range(6):
            total = moved.z[r]
            for c in range(6):
                total += moved.P[r, c] * own.beta[c]
            moved.through[r] = total
    for f in range(u.feet.shape[0]):
        foot = u.feet[f]
        for r in range(6):
            s.links[foot.link].through[r] -= foot.wrench[r]
    for k in range(t.links.shape[0] - 1, 0, -1):
        link, through = t.links[k], s.links[k].through
        inner = s.links[link.inboard].through
        for j in range(link.first, link.end):
            total = 0.0
            for r in range(6):
                total += s.joints[j].H[r] * through[r]
            s.joints[j].tau = total + _own_losses(
                t.joints[j], s.joints[j].v, u.joints[j].rate
            )
        for r in range(6):
            inner[r] += through[r]


@compiled(allocates=False, force_inline=True)
def _own_losses(joint: TreeJoint, v: float, rate: float) -> float:
    """Return what a joint's rotor, damping and dry friction take of its torque.

    A rotor adds to the joint's own row of the mass matrix alone, so its torque does not
    reach the central body. Dry friction is that of the speed which is asked for a
    moment ahead: a joint at rest is helped to set off, and no more than it is held.
    """
    share = min(max((v + AHEAD * rate) / CREEP, -1.0), 1.0)
    return joint.armature * rate + joint.damping * v + joint.friction * share
