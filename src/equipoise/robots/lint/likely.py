"""Mistakes of an inertia that explain it better than no mistake does.

The second moments are compared with those of the hull of the body's shapes, filled
evenly: how far do they differ in proportion, as stated and as they would be without
the mistake? Real bodies are not filled evenly, so that a difference alone says nothing;
that swapped axes, other signs or another point fit far better says what happened.
"""

from collections.abc import Iterator
from itertools import permutations, product

import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.robots.lint.body import Finding, LintBody
from equipoise.robots.lint.extent import fillings, second_moments, width_excess
from equipoise.robots.lint.suggestions import six

__all__ = ["likely_mistakes"]

FAR_BETTER, BETTER, CLOSE, FAIR = 1.0, 0.5, 0.3, 0.6
"""Differences in proportion, as logarithms of lengths: gained alone, gained where what
is left is close, what is close, and what some group of shapes must be left with. Of
1,621 bodies in public files one in fifty gains 0.5."""
ABOUT_ORIGIN = 0.25
"""Gained by moving the inertia from the body's origin, where it fills its room."""
FULL = 0.75
"""Share of the room in its shapes that an inertia about the wrong point takes."""
TURNS = [np.eye(3)[list(order)] for order in list(permutations(range(3)))[1:]]
FLAT = 1e-3
"""Thinnest second moment of a shape against its largest: a sheet is not without one."""


def likely_mistakes(body: LintBody) -> Iterator[Finding]:
    """Yield the one mistake that explains a body's inertia best, where there is one.

    Args:
        body: with mass, centre of mass, inertia, and shapes that are all known.
    """
    if not body.mass or body.com is None or body.inertia is None:
        return
    variance = second_moments(body.inertia) / body.mass
    shapes = [filling.variance for filling in fillings(body)]
    if body.room is None or not shapes or not np.isfinite(variance).all():
        return
    for judge in (_about_origin, _swapped, _wrong_signs):
        mistake = judge(body, variance, shapes)
        if mistake is not None:
            yield mistake
            return


def difference(variance: Mat3, of_shape: Mat3) -> float:
    """Return how far two second moments differ in proportion.

    Returns:
        The logarithm of the largest ratio of lengths over the smallest, of all axes; 0
        where one is a multiple of the other.
    """
    values, axes = np.linalg.eigh(of_shape)
    scale = axes / np.sqrt(np.maximum(values, FLAT * values.max()))
    ratios = np.linalg.eigvalsh(scale.T @ variance @ scale)
    if not ratios[-1] > 0.0:
        return np.inf
    return float(0.5 * np.log(ratios[-1] / max(ratios[0], 1e-4 * ratios[-1])))


def _fits_better(stated: Mat3, instead: Mat3, shapes: list[Mat3]) -> float | None:
    """Return what is gained where every group of shapes agrees, else None."""
    gains: list[float] = []
    left: list[float] = []
    for shape in shapes:
        before, after = difference(stated, shape), difference(instead, shape)
        gain = before - after
        if not (gain > FAR_BETTER or (gain > BETTER and after < CLOSE)):
            return None
        gains.append(gain)
        left.append(after)
    return min(gains) if min(left) < FAIR else None


def _best(
    variance: Mat3, candidates: list[tuple[str, Mat3]], shapes: list[Mat3]
) -> tuple[str, Mat3] | None:
    found: list[tuple[float, str, Mat3]] = []
    for name, instead in candidates:
        gain = _fits_better(variance, instead, shapes)
        if gain is not None:
            found.append((gain, name, instead))
    return max(found, key=lambda f: f[0])[1:] if found else None


def _swapped(body: LintBody, variance: Mat3, shapes: list[Mat3]) -> Finding | None:
    names = ["".join("xyz"[k] for k in np.argmax(P, axis=1)) for P in TURNS]
    turned = [(n, P @ variance @ P.T) for n, P in zip(names, TURNS, strict=True)]
    best = _best(variance, turned, shapes)
    if best is None:
        return None
    order, instead = best
    return _told(
        body, instead, "axes of the inertia look swapped", f"xyz and {order} swapped"
    )


def _wrong_signs(body: LintBody, variance: Mat3, shapes: list[Mat3]) -> Finding | None:
    candidates: list[tuple[str, Mat3]] = []
    for signs in list(product((1, -1), repeat=3))[1:]:
        instead, names = variance.copy(), []
        for sign, (i, j) in zip(signs, ((0, 1), (0, 2), (1, 2)), strict=True):
            instead[[i, j], [j, i]] *= sign
            if sign < 0:
                names.append(f"i{'xyz'[i]}{'xyz'[j]}")
        candidates.append((", ".join(names), instead))
    best = _best(variance, candidates, shapes)
    if best is None:
        return None
    return _told(
        body, best[1], "products of inertia look like they have the wrong sign", best[0]
    )


def _about_origin(body: LintBody, variance: Mat3, shapes: list[Mat3]) -> Finding | None:
    com = body.com
    points = body.room
    if com is None or points is None:
        return None
    moved = variance - np.outer(com, com)
    if np.linalg.eigvalsh(moved)[0] <= 0.0:
        return None
    if width_excess(variance, com, points) < FULL:
        return None
    for shape in shapes:
        before, after = difference(variance, shape), difference(moved, shape)
        if before - after < ABOUT_ORIGIN or after > FAIR:
            return None
    return _told(
        body,
        moved,
        "inertia looks like it is about the body's origin",
        "not about its centre of mass",
    )


def _told(body: LintBody, instead: Mat3, what: str, how: str) -> Finding:
    better = (body.mass or 0.0) * (np.trace(instead) * np.eye(3) - instead)
    return body.found("warning", what, how, f"fits its shapes: {six(better)}")
