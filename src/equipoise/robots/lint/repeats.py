"""Bodies that are there twice, and inertias that many bodies share."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.lint.body import Finding, LintBody, LintedRobot
from equipoise.robots.lint.extent import fillings, second_moments
from equipoise.robots.lint.likely import difference
from equipoise.robots.lint.suggestions import box_guess

__all__ = ["place_holder_findings", "twice_findings"]

LIGHT = 1e-3
"""Share of the robot's mass below which a body may well be there twice."""
PLACE = 1e-5
"""Distance of centres of mass [m] that are at the same place."""
DIGITS = 1e-9
"""Share of a moment that turning an inertia loses."""
UNLIKE = 0.05
"""Share by which masses differ that cannot share an inertia."""
COMPUTED = 0.2
"""Share by which a computed inertia differs from that of its evenly filled shapes."""
LONG = float(np.log(1.8))
"""How much longer than wide a shape is that cannot have three equal moments."""


def twice_findings(bodies: Sequence[LintBody], robot: LintedRobot) -> Iterator[Finding]:
    """Yield bodies with the mass, centre of mass and inertia of another.

    Args:
        bodies: all bodies of the robot.
        robot: what is known of the whole robot.
    """
    alike: defaultdict[float, list[tuple[LintBody, Array, Array]]] = defaultdict(list)
    for body in bodies:
        if body.mass is None or body.com is None or body.inertia is None:
            continue
        if not body.mass > LIGHT * robot.mass or not body.inertia.any():
            continue
        R_WB, p_WB = body.pose
        place, inertia = p_WB + R_WB @ body.com, R_WB @ body.inertia @ R_WB.T
        for other, there, same in alike[body.mass]:
            if other.root is not body.root:
                continue
            near = np.linalg.norm(place - there) <= PLACE
            if near and np.allclose(inertia, same, rtol=1e-6, atol=1e-6 * same.max()):
                yield body.found(
                    "warning",
                    f"the same mass as '{other.name}' at the same place",
                    f"{body.mass:g} kg twice",
                    "remove one of the two, or its mass",
                )
                break
        alike[body.mass].append((body, place, inertia))


def place_holder_findings(
    bodies: Sequence[LintBody], robot: LintedRobot
) -> Iterator[Finding]:
    """Yield bodies whose inertia was filled in and not computed.

    Args:
        bodies: all bodies of the robot.
        robot: what is known of the whole robot.
    """
    shared: defaultdict[str, list[LintBody]] = defaultdict(list)
    for body in bodies:
        if body.mass and body.mass > LIGHT * robot.mass and body.inertia is not None:
            moments = np.linalg.eigvalsh(body.inertia)
            if moments.any() and not np.allclose(moments, 1.0, rtol=DIGITS):
                shared[" ".join(f"{moment:.9g}" for moment in moments)].append(body)
    for alike in shared.values():
        masses = np.array([body.mass for body in alike])
        if len(alike) > 1 and np.ptp(masses) > UNLIKE * masses.max():
            why = f"as {len(alike) - 1} others, which have different masses"
            yield from (_place_holder(b, why) for b in alike if not _is_computed(b))
            continue
        for body in alike:
            if _is_even(body):
                yield _place_holder(body, "the same about all axes of a long shape")


def _is_computed(body: LintBody) -> bool:
    """Return whether an inertia is about that of the body's shapes, filled evenly."""
    if body.inertia is None or not body.mass or body.room is None:
        return False
    variance = second_moments(body.inertia) / body.mass
    return any(
        np.abs(variance - f.variance).max() <= COMPUTED * f.variance.max()
        for f in fillings(body)
    )


def _is_even(body: LintBody) -> bool:
    inertia = body.inertia
    if inertia is None or body.has_unknown_shape or not body.shapes:
        return False
    moments = np.linalg.eigvalsh(inertia)
    if np.ptp(moments) > DIGITS * moments[-1]:
        return False
    shapes = [filling.variance for filling in fillings(body)]
    return bool(shapes) and all(difference(np.eye(3), s) > LONG for s in shapes)


def _place_holder(body: LintBody, why: str) -> Finding:
    moments = "" if body.inertia is None else np.diag(body.inertia)
    shown = ", ".join(f"{v:.4g}" for v in moments)
    return body.found(
        "warning", "inertia is a place holder", f"{shown} kg m², {why}", box_guess(body)
    )
