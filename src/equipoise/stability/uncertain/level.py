"""Proved bounds of the weight that level feet on vertical springs carry.

Feet at v_i seen from the centre of mass, all h below it, springs k_i that only push.
With u the horizontal part of the body's upward axis seen from the body, c = sqrt(1 -
u.u) and the height eliminated, a weight W is in equilibrium where

    (A - W h/c) u = W s,   A = sum k_i (v_i - s)(v_i - s)^T,   s = sum k_i v_i / sum k_i

as long as all feet press, foot i by k_i (W / sum k - (v_i - s).u). For one c the left
side's matrix is M = A - W h/c; a root with M > 0 and c^2 + |W M^-1 s|^2 <= 1 at some c
means a stable equilibrium (that sum is convex in c and its slope has the sign of the
energy's Hessian). The sum grows with W and h; A grows with every k_i (it is the least
scatter about any point). Hence

* **it stands** at W where, at one c, the largest |W M^-1 s| that the tolerances allow
  fits, and no foot lifts on the way there, for all turns between none and this one;
* **it has fallen** at W where no c is left. With lifted feet A is replaced by some B
  <= A with B > W h/c (feet lift for good along a straight way), so that

    W^2 s^T (A - W h/c)^-1 s <= (1 - c^2) (largest eigenvalue of A - W h/c)

  still holds, and W h/c stays below A's least eigenvalue. Three feet must all press.

Matrices between A at the least and A at the largest stiffness are the middle one
stretched by (I + E), |E| <= e: then M^-1 = N (1 + e F) N / (1 - e^2) with N the
middle's inverse root and |F| <= 1.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Vec2

__all__ = ["LevelFeet", "critical_weights"]

_TILTS = 200  # values of c; fewer only widen the interval
_HALVINGS = 20
_CUTS = 4
"""Cells along x and along y; half as many where the stiffnesses are halved as well."""
_FEW = 6
"""Feet up to which each one's range of stiffness is halved: 64 pairs of halves."""


@dataclass(frozen=True, eq=False)
class LevelFeet:
    """Feet on level ground within tolerances, seen from the centre of mass."""

    places: Array
    """v, (n, 2) [m]."""
    softest: Array
    """Least stiffness of each foot, (n,) [N/m]."""
    stiffest: Array
    """Largest stiffness of each foot, (n,) [N/m]."""
    half: Vec2
    """Half-widths of the centre of mass, (2,) [m]."""
    lowest: float
    """Least height of the centre of mass [m]."""
    highest: float
    """Largest height of the centre of mass [m]."""


class _Cell(NamedTuple):
    """One cell of centres of mass, in the axes of the middle scatter."""

    kappa: Array
    """Its eigenvalues, ascending, (2,)."""
    spread: Array
    """Half the difference of the extreme scatters, (2, 2)."""
    offsets: Array
    """Corners of the box of s, (4, 2)."""
    products: Array
    """(v_i - s)_j s_j at all corners, (n, 16, 2)."""
    arms: Array
    """v_i - s at the corners that go with the products, (n, 16, 2)."""
    pulled: Array
    """s at the corners that go with the products, (16, 2)."""
    top: Array
    """Eigenvalues of the largest scatter, (2,)."""
    near: Vec2
    """Least size of s along the axes of the largest scatter, (2,)."""


def critical_weights(feet: LevelFeet) -> tuple[float, float]:
    """Return a weight that every robot carries and one that none does [N].

    Args:
        feet: within their tolerances.

    Returns:
        The two; the first is 0 where not every robot is shown to stand with all its
        feet on the ground.
    """
    carried, fallen = np.inf, 0.0
    for part, cell in _cells(feet):
        limit = float(cell.top[0]) / feet.lowest
        if carried > 0 and not (carried < limit and _stands(cell, part, carried)):
            low, high = 0.0, min(limit, carried)
            for _ in range(_HALVINGS):
                at = 0.5 * (low + high)
                low, high = (at, high) if _stands(cell, part, at) else (low, at)
            carried = low
        if not _has_fallen(cell, part, fallen):
            low, high = fallen, limit
            for _ in range(_HALVINGS):
                at = 0.5 * (low + high)
                low, high = (low, at) if _has_fallen(cell, part, at) else (at, high)
            fallen = high
    return carried, fallen


def _cells(feet: LevelFeet) -> Iterator[tuple[LevelFeet, _Cell]]:
    """Yield parts of the tolerances, the outermost first."""
    cuts, parts = _CUTS, [feet]
    middle = 0.5 * (feet.softest + feet.stiffest)
    if len(middle) <= _FEW and (feet.softest < feet.stiffest).any():
        cuts = _CUTS // 2
        picks = itertools.product((False, True), repeat=len(middle))
        parts = [
            replace(
                feet,
                softest=np.where(upper, middle, feet.softest),
                stiffest=np.where(upper, feet.stiffest, middle),
            )
            for upper in picks
        ]
    counts = [cuts if width > 0 else 1 for width in feet.half]
    steps = [(2 * np.arange(n) + 1 - n) / n for n in counts]
    grid = sorted(itertools.product(*steps), key=lambda at: -np.hypot(*at))
    for at in grid:
        for part in parts:
            yield part, _cell(part, np.array(at) * feet.half, feet.half / counts)


def _cell(feet: LevelFeet, at: Vec2, half: Vec2) -> _Cell:
    """Return the numbers of all centres of mass within half of a place."""
    least, most = (_scatter(feet.places, k) for k in (feet.softest, feet.stiffest))
    kappa, axes = np.linalg.eigh(0.5 * (least + most))
    top, own = np.linalg.eigh(most)
    mean = _mean_bounds(feet, axes)
    low, high = _seen(mean, axes, at, half)
    offsets = _corners(low, high)
    arms = (feet.places @ axes)[:, None, :] - _corners(*mean)  # (n, 4, 2)
    products = arms[:, :, None, :] * offsets  # (n, 4, 4, 2)
    return _Cell(
        kappa,
        axes.T @ (0.5 * (most - least)) @ axes,
        offsets,
        products.reshape(len(arms), 16, 2),
        np.repeat(arms, 4, axis=1),
        np.tile(offsets, (4, 1)),
        top,
        _nearest(*_seen(_mean_bounds(feet, own), own, at, half)),
    )


def _seen(
    mean: tuple[Vec2, Vec2], axes: Array, at: Vec2, half: Vec2
) -> tuple[Vec2, Vec2]:
    """Return the bounds of a mean seen from a centre of mass, along axes."""
    reach = np.abs(axes.T) @ half
    return mean[0] - axes.T @ at - reach, mean[1] - axes.T @ at + reach


def _nearest(low: Vec2, high: Vec2) -> Vec2:
    """Return the least size within bounds, of each entry."""
    return np.where(low * high > 0, np.minimum(np.abs(low), np.abs(high)), 0.0)


def _scatter(v: Array, k: Array) -> Array:
    off = v - k @ v / k.sum()
    return (k[:, None] * off).T @ off


def _mean_bounds(feet: LevelFeet, axes: Array) -> tuple[Vec2, Vec2]:
    """Return the bounds of the stiffnesses' mean along each axis.

    A quotient of linear functions is largest where the stiffnesses beyond some place
    are largest and the others least; all such places are tried.
    """
    low, high = np.empty(2), np.empty(2)
    for j in range(2):
        x = feet.places @ axes[:, j]
        order = np.argsort(x)
        x, soft, stiff = x[order], feet.softest[order], feet.stiffest[order]
        after = np.tri(len(x) + 1, len(x), -1, dtype=bool)  # the first i are True
        up, down = np.where(after, soft, stiff), np.where(after, stiff, soft)
        high[j] = (up @ x / up.sum(axis=1)).max()
        low[j] = (down @ x / down.sum(axis=1)).min()
    return low, high


def _corners(low: Vec2, high: Vec2) -> Array:
    return np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])


def _stretch(cell: _Cell, m: Array) -> Array:
    """Return e for the middle matrices diag(m), (...); 1 or more where none is."""
    safe = np.maximum(m, 1e-100)
    E = cell.spread / np.sqrt(safe[..., :, None] * safe[..., None, :])
    half, aside = 0.5 * (E[..., 0, 0] + E[..., 1, 1]), E[..., 0, 0] - E[..., 1, 1]
    size = half + np.sqrt(0.25 * aside**2 + E[..., 0, 1] ** 2)
    return np.where((m > 0).all(axis=-1), size, np.inf)


def _stands(cell: _Cell, feet: LevelFeet, weight: float) -> bool:
    """Return whether every robot of a cell is shown to carry a weight."""
    share = weight * feet.highest / float(cell.kappa[0])
    if not share < 1:
        return False
    tilt = np.arccos(share) * np.linspace(0, 1, _TILTS, endpoint=False)
    m = cell.kappa - (weight * feet.highest / np.cos(tilt))[:, None]
    e = _stretch(cell, m)
    fits = e < 1
    tilt, m, e = tilt[fits], m[fits], e[fits]
    fits = weight * _reach(cell, m, e) <= np.sin(tilt)
    m, e = m[fits][:, None, None, :], e[fits][:, None, None]
    P = cell.products
    rises = np.where(P > 0, P / m, P / cell.kappa).sum(axis=-1)
    arms = np.linalg.norm(cell.arms / np.sqrt(m), axis=-1)
    rises = rises + e * arms * np.linalg.norm(cell.pulled / np.sqrt(m), axis=-1)
    rises = (rises / (1 - e * e)).max(axis=(1, 2))
    return bool((rises < 1 / feet.stiffest.sum()).any())


def _reach(cell: _Cell, m: Array, e: Array) -> Array:
    """Return the largest |M^-1 s| for each middle matrix diag(m), (...)."""
    whole = np.linalg.norm(cell.offsets / m[:, None, :], axis=2).max(axis=1)
    rooted = np.linalg.norm(cell.offsets / np.sqrt(m)[:, None, :], axis=2).max(axis=1)
    return (whole + e * rooted / np.sqrt(m.min(axis=1))) / (1 - e * e)


def _has_fallen(cell: _Cell, feet: LevelFeet, weight: float) -> bool:
    """Return whether no robot of a cell can carry a weight."""
    share = weight * feet.lowest / float(cell.top[0])
    if not 0 < share < 1:
        return share > 0
    edges = np.cos(np.arccos(share) * np.linspace(1, 0, _TILTS + 1))
    more, less = edges[:-1], edges[1:]  # of each step: most and least tilted
    room = (1 - more) * (1 + more)
    left = np.maximum(cell.top - (weight * feet.lowest / less)[:, None], 1e-100)
    needs = weight**2 * (cell.near**2 / left).sum(axis=1)
    gone = needs > room * left[:, 1]
    if len(feet.places) == 3 and not gone.all():
        gone |= _misses(cell, feet, weight, less, room)
        gone |= less <= _least_upright(cell, feet, weight, less)
        gone |= _lifts(cell, feet, weight, less, more)
    return bool(gone.all())


def _misses(
    cell: _Cell, feet: LevelFeet, weight: float, less: Array, room: Array
) -> Array:
    """Say for each step of tilts whether |W M^-1 s| is too large for it, (steps,)."""
    m = cell.kappa - (weight * feet.lowest / less)[:, None]
    e = _stretch(cell, m)
    is_known = e < 1
    m = np.where(is_known[:, None], m, 1.0)
    e = np.where(is_known, e, 0.0)
    near = _nearest(cell.offsets.min(axis=0), cell.offsets.max(axis=0))
    whole = np.linalg.norm(near / m, axis=1)
    rooted = np.linalg.norm(cell.offsets / np.sqrt(m)[:, None, :], axis=2).max(axis=1)
    reach = (whole - e * rooted / np.sqrt(m.min(axis=1))) / (1 - e * e)
    return is_known & (weight * reach > 0) & ((weight * reach) ** 2 > room)


def _least_upright(cell: _Cell, feet: LevelFeet, weight: float, c: Array) -> float:
    """Return a c that no robot's equilibrium is below while it is stable; 0 if none.

    Where the sum is at most 1, it is between the unstable root and the stable one.
    """
    m = cell.kappa - (weight * feet.highest / c)[:, None]
    e = _stretch(cell, m)
    is_known = e < 1
    c, m, e = c[is_known], m[is_known], e[is_known]
    fits = weight * _reach(cell, m, e) <= np.sqrt((1 - c) * (1 + c))
    return float(c[fits].max(initial=0.0))


def _lifts(
    cell: _Cell, feet: LevelFeet, weight: float, less: Array, more: Array
) -> Array:
    """Say for each step of tilts whether one foot lifts in every robot, (steps,)."""
    small = cell.kappa - (weight * feet.highest / more)[:, None]
    large = cell.kappa - (weight * feet.lowest / less)[:, None]
    e = _stretch(cell, small)
    is_known = e < 1
    small = np.where(is_known[:, None], small, 1.0)[:, None, None, :]
    large = np.maximum(large, 1e-100)[:, None, None, :]
    e = np.where(is_known, e, 0.0)[:, None, None]
    P = cell.products
    rises = np.where(P > 0, P / large, P / small).sum(axis=-1)
    arms = np.linalg.norm(cell.arms / np.sqrt(small), axis=-1)
    rises = rises - e * arms * np.linalg.norm(cell.pulled / np.sqrt(small), axis=-1)
    least = (rises / (1 - e * e)).min(axis=2).max(axis=1)
    return is_known & (least >= 1 / feet.softest.sum())
