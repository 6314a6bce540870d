"""Left and right of a robot: are they each other's mirror image?

Which reflection takes a left-hand body to its partner is read off the frames, with
every joint at zero, and off the shapes; only a reflection that takes the shapes and the
next joints of one to those of the other is believed.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from equipoise.core.arrays import Array, Mat3
from equipoise.robots.lint.body import Finding, LintBody, LintedRobot
from equipoise.robots.lint.extent import DIRECTIONS
from equipoise.robots.lint.sides import pairs

__all__ = ["side_findings"]

MASS_SHARE, MASS_DIFFERS = 0.01, 0.05
"""Shares of the mass by which the sides differ worth a look, and not credibly."""
PLACE, PLACE_SHARE, PLACE_DIFFERS = 2e-3, 0.1, 0.01
"""Distances of the centres of mass [m]: worth a look, and not credible, which also is a
share of the body's size."""
INERTIA_SHARE, INERTIA_DIFFERS = 0.05, 0.3
"""Shares of the largest moment: worth a look, and not credible."""
ALIKE_SHARE, ALIKE = 0.02, 2e-3
"""By how much mirrored shapes differ: a share of their size, and a length [m]."""
SIGNS = [np.diag(np.array(s, float)) for s in product((1, -1), repeat=3)]


def side_findings(bodies: Sequence[LintBody], robot: LintedRobot) -> Iterator[Finding]:
    """Compare each left-hand body with its right-hand partner, where there is one.

    Args:
        bodies: all bodies of the robot.
        robot: what is known of the whole robot.
    """
    both = [pair for pair in pairs(bodies) if not pair[0].is_dummy(robot)]
    mirror = _mirror(both)
    known = [_reflections(left, right, mirror) for left, right in both]
    is_one_part = _are_one_part(both, known)
    for (left, right), maps in zip(both, known, strict=True):
        yield from _mass_findings(left, right)
        if maps and (is_one_part or _is_one_drawing(left, right)):
            maps = [*maps, np.eye(3)]
        yield from _place_findings(left, right, maps)
        yield from _inertia_findings(left, right, maps)


def _mirror(both: list[tuple[LintBody, LintBody]]) -> tuple[Mat3, Array] | None:
    """Return the reflection in the robot's middle plane, and a point of the plane."""
    best: tuple[int, Mat3, Array] | None = None
    places = [(one.pose[1], two.pose[1]) for one, two in both]
    for axis in (1, 0, 2):
        M = np.eye(3)
        M[axis, axis] = -1.0
        if not places:
            return None
        middle = np.zeros(3)
        middle[axis] = np.median([0.5 * (p + q)[axis] for p, q in places])
        off = [np.abs(middle + M @ (p - middle) - q).max() for p, q in places]
        apart = [abs((p - q)[axis]) for p, q in places]
        count = sum(
            o <= ALIKE and a > 2 * ALIKE for o, a in zip(off, apart, strict=True)
        )
        if count and (best is None or count > best[0]):
            best = (count, M, middle)
    return None if best is None else best[1:]


def _reflections(
    left: LintBody, right: LintBody, mirror: tuple[Mat3, Array] | None
) -> list[Mat3]:
    """Return the maps from the left body's frame to the right one's that fit."""
    if mirror is not None:
        M, middle = mirror
        (R_WL, p_WL), (R_WR, p_WR) = left.pose, right.pose
        S = R_WR.T @ M @ R_WL
        is_there = np.abs(middle + M @ (p_WL - middle) - p_WR).max() <= ALIKE
        if is_there and _is_alike(left, right, S):
            return [S]
    return [S for S in SIGNS if _is_alike(left, right, S)]


def _is_one_drawing(left: LintBody, right: LintBody) -> bool:
    """Return whether both sides are drawn by the same meshes at the same places."""
    one, two = ([s for s in body.shapes if s.mesh] for body in (left, right))
    return (
        bool(one)
        and [s.mesh for s in one] == [s.mesh for s in two]
        and all(
            np.allclose(a.points, b.points, atol=ALIKE)
            for a, b in zip(one, two, strict=True)
        )
    )


def _are_one_part(
    both: list[tuple[LintBody, LintBody]], known: list[list[Mat3]]
) -> bool:
    """Return whether most parts of both sides are the same part, not mirrored ones."""
    votes = 0
    for (left, right), maps in zip(both, known, strict=True):
        if len(maps) != 1 or left.com is None or right.com is None:
            continue
        mirrored = float(np.abs(maps[0] @ left.com - right.com).max())
        same = float(np.abs(left.com - right.com).max())
        if max(mirrored, same) > PLACE:
            votes += 1 if same < mirrored else -1
    return votes > 0


def _is_alike(left: LintBody, right: LintBody, S: Mat3) -> bool:
    """Return whether a map takes shapes and next joints to those of the partner."""
    one, two = left.room, right.room
    if one is None or two is None:
        one, two = _joints(left), _joints(right)
        if len(one) < 2 or len(one) != len(two):
            return False
    size = float(np.linalg.norm(np.ptp(two, axis=0)))
    ways = np.vstack([DIRECTIONS, -DIRECTIONS])
    off = (one @ S.T @ ways.T).max(axis=0) - (two @ ways.T).max(axis=0)
    return bool(np.abs(off).max() <= max(ALIKE, ALIKE_SHARE * size))


def _joints(body: LintBody) -> Array:
    return np.array([np.zeros(3), *(child.p_PB for child in body.children)])


def _mass_findings(left: LintBody, right: LintBody) -> Iterator[Finding]:
    a, b = left.mass or 0.0, right.mass or 0.0
    differs = abs(a - b) / max(abs(a), abs(b), 1e-300)
    if differs > MASS_SHARE:
        yield left.found(
            "warning" if differs > MASS_DIFFERS else "note",
            f"mass differs from '{right.name}'",
            f"{a:g} kg and {b:g} kg",
            f"{0.5 * (a + b):g} kg on both sides",
        )


def _place_findings(
    left: LintBody, right: LintBody, maps: list[Mat3]
) -> Iterator[Finding]:
    if left.com is None or right.com is None or not left.mass or not right.mass:
        return
    images = [S @ left.com for S in maps]
    if images:
        there = right.com
        image = min(images, key=lambda p: float(np.linalg.norm(p - there)))
    else:
        image = np.copysign(left.com, right.com)
    off = float(np.linalg.norm(image - right.com))
    if off <= PLACE:
        return
    room = right.room
    size = 0.0 if room is None else float(np.linalg.norm(np.ptp(room, axis=0)))
    differs = bool(images) and off > max(PLACE_DIFFERS, PLACE_SHARE * size)
    sides = (" ".join(f"{x:g}" for x in p) for p in (left.com, right.com))
    yield left.found(
        "warning" if differs else "note",
        f"centre of mass is not the mirror image of '{right.name}'",
        f"{' and '.join(sides)} m",
        f"{' '.join(f'{x:.4g}' for x in image)} m in '{right.name}', or mirrored here",
    )


def _inertia_findings(
    left: LintBody, right: LintBody, maps: list[Mat3]
) -> Iterator[Finding]:
    one, two = left.inertia, right.inertia
    if one is None or two is None or not one.any() or not two.any():
        return
    moments = [np.linalg.eigvalsh(side) for side in (one, two)]
    differ = float(np.abs(moments[0] - moments[1]).max() / np.abs(moments).max())
    turned = min(
        (np.abs(S @ one @ S.T - two).max() / np.abs(two).max() for S in maps),
        default=0.0,
    )
    if max(differ, turned) > INERTIA_SHARE:
        shown = (" ".join(f"{v:.4g}" for v in side) for side in moments)
        mean = " ".join(f"{v:.4g}" for v in 0.5 * (moments[0] + moments[1]))
        is_turned = differ <= INERTIA_SHARE
        yield left.found(
            "warning" if max(differ, turned) > INERTIA_DIFFERS else "note",
            f"inertia is not the mirror image of '{right.name}'"
            if is_turned
            else f"inertia differs from '{right.name}'",
            f"principal moments {' and '.join(shown)} kg m²",
            f"products with the signs of '{right.name}', mirrored"
            if is_turned
            else f"{mean} kg m² on both sides",
        )
