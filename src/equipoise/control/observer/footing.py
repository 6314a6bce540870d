"""Where hips and footholds are, taken together."""

from equipoise.control.records import LegEstimate
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["foothold_plane", "middle_of_hips"]


@compiled(allocates=False)
def middle_of_hips(legs: Records[LegEstimate]) -> tuple[float, float]:
    """Return how high and how far ahead in B the hips are on average [m].

    Args:
        legs: what is known of them, (nl,).
    """
    up, ahead = 0.0, 0.0
    for leg in legs:
        up += leg.hip[2] / legs.shape[0]
        ahead += leg.hip[0] / legs.shape[0]
    return up, ahead


@compiled(allocates=False)
def foothold_plane(
    legs: Records[LegEstimate], c: float, s: float
) -> tuple[tuple[float, float, float], tuple[float, float]]:
    """Return the footholds' middle in W [m], and their plane's slopes.

    Args:
        legs: what is known of them, (nl,).
        c: cosine of the heading along which the first slope is.
        s: its sine; the second slope is to the left.
    """
    nl = legs.shape[0]
    x0, y0, z0 = 0.0, 0.0, 0.0
    for leg in legs:
        x0 += leg.foothold[0] / nl
        y0 += leg.foothold[1] / nl
        z0 += leg.foothold[2] / nl
    xx, yy, xy, xz, yz = 0.0, 0.0, 0.0, 0.0, 0.0
    for leg in legs:
        a, b = leg.foothold[0] - x0, leg.foothold[1] - y0
        x, y, z = c * a + s * b, c * b - s * a, leg.foothold[2] - z0
        xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
        xz, yz = xz + x * z, yz + y * z
    det = xx * yy - xy * xy
    up, left = 0.0, 0.0
    if det > 1e-6:
        up, left = (yy * xz - xy * yz) / det, (xx * yz - xy * xz) / det
    return (x0, y0, z0), (up, left)
