"""What can be wrong with one body's mass, centre of mass, inertia and shape."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.files.mend_inertia import physical_inertia
from equipoise.robots.lint.body import Finding, Level, LintBody, LintedRobot
from equipoise.robots.lint.density import density_findings
from equipoise.robots.lint.extent import outside_by, second_moments, width_excess
from equipoise.robots.lint.likely import likely_mistakes
from equipoise.robots.lint.suggestions import box_guess, six, three

__all__ = ["body_findings"]

TOO_LARGE = "inertia is too large for its size"
LIGHTEST, HEAVIEST = 1e-6, 1e4
"""Of one body [kg]: a milligram, and ten tonnes."""
ROUNDED = 0.01
"""Share by which rounded digits of a thin plate break the triangle inequality."""
DIGITS = 1e-9
"""Share of the largest moment that computing with 64 bits, and printing, may lose."""
BESIDE_SHARE, BESIDE = 0.1, 0.01
"""How far a centre of mass may be outside what is drawn: a share of the body's size,
and a length [m]; motors and cables often are not drawn."""
POINTLIKE = 0.02
"""Radius of gyration over size of what has all its mass in one place; an even rod has
0.29, and the least of 1,600 bodies in public files that is no place holder 0.05."""
POINT = 1e-6
"""Radius of gyration [m] of what is no more than a point."""
FAR = 3.0
"""Sizes of the whole robot that no centre of mass is away from its own body."""
LONGEST, UNLIKE = 3.0, 50.0
"""Distance of joints [m] and multiple of the usual one that look like millimetres."""
HUGE, TINY = 20.0, 2e-3
"""Size of a mesh [m] that was drawn in millimetres, or scaled twice."""


def body_findings(body: LintBody, robot: LintedRobot) -> Iterator[Finding]:
    """Judge one body.

    Args:
        body: what the file says.
        robot: what is known of the whole robot.
    """
    outside = list(_place_findings(body, robot))
    wrong = list(_inertia_findings(body, robot))
    if outside:  # from there any inertia is too large
        wrong = [finding for finding in wrong if finding.what != TOO_LARGE]
    elif all(finding.what == TOO_LARGE for finding in wrong):
        wrong = list(likely_mistakes(body)) or wrong
    found = [
        *_mass_findings(body),
        *wrong,
        *density_findings(body, has_good_inertia=not wrong),
        *outside,
    ]
    if body.is_dummy(robot):  # a frame with a mass that no engine refuses
        found = [replace(f, level="note") for f in found if (body.mass or 0.0) >= 0.0]
    yield from found
    yield from _step_findings(body, robot)
    yield from _mesh_findings(body, robot.reach)


def _mass_findings(body: LintBody) -> Iterator[Finding]:
    """Judge the mass."""
    mass = body.mass
    if mass is not None and mass < 0.0:
        yield body.found("error", "negative mass", f"{mass:g} kg", f"{-mass:g} kg")
        return
    guess = f"about {1000.0 * body.volume:.3g} kg" if body.volume else "weigh it"
    if not mass:
        if body.moves and not body.has_unknown_mass:
            value = "no mass" if mass is None else "0 kg"
            is_link = bool(body.shapes) or body.has_unknown_shape
            level = "warning" if is_link or not body.carried_mass else "note"
            yield body.found(level, "a joint moves it and it has no mass", value, guess)
        return
    if not LIGHTEST <= mass <= HEAVIEST:
        yield body.found(
            "warning", "absurd mass", f"{mass:g} kg", f"{guess}; masses are in kg"
        )


def _inertia_findings(body: LintBody, robot: LintedRobot) -> Iterator[Finding]:
    """Judge the inertia: can any body have it, and can this one?"""
    mass, inertia = body.mass, body.inertia
    if inertia is None:
        if body.mass and body.lacks_inertia:
            yield body.found(
                "error", "mass without inertia", f"{body.mass:g} kg", box_guess(body)
            )
        return
    if not mass and not inertia.any():
        return
    broken = list(_tensor_findings(body))
    if broken:
        for level, what, shown, better in broken:
            yield body.found(level, what, shown, better)
    elif mass and mass > 0.0:
        yield from _size_findings(body, mass, robot)


def _tensor_findings(body: LintBody) -> Iterator[tuple[Level, str, str, str]]:
    """Judge whether any body can have an inertia."""
    inertia = body.inertia
    if inertia is None:
        return
    values = np.asarray(np.linalg.eigvalsh(inertia), np.float64)
    better = f"nearest possible: {six(physical_inertia(inertia, abs(body.mass or 0)))}"
    if not values[2] > 0.0:  # the nearest would be next to nothing
        better = box_guess(body)
    shown = f"principal moments {', '.join(f'{v:.4g}' for v in values)} kg m²"
    if np.abs(values).max() <= (body.mass or 0.0) * POINT**2 and body.is_fixed:
        yield "warning", "inertia is zero", shown, better
    elif values[0] < -DIGITS * values[2] or not values[2] > 0.0:
        yield "error", "inertia is not positive definite", shown, better
    elif (excess := (values[2] - values[0] - values[1]) / values[2]) > DIGITS:
        level: Level = "error" if excess > ROUNDED else "warning"
        yield level, "inertia breaks the triangle inequality", shown, better
    elif values[0] <= DIGITS * values[2]:
        yield "warning", "inertia is zero about an axis", shown, better


def _size_findings(
    body: LintBody, mass: float, robot: LintedRobot
) -> Iterator[Finding]:
    """Judge the radius of gyration, √(tr(I) / 2m), against the body's size."""
    if body.inertia is None:
        return
    variance = second_moments(body.inertia) / mass
    gyration = float(np.sqrt(np.trace(variance)))
    shown = f"radius of gyration {gyration:.3g} m"
    if np.allclose(body.inertia, np.eye(3), rtol=0.0, atol=DIGITS):
        yield body.found(
            "warning", "inertia is 1, 1, 1, a place holder", shown, box_guess(body)
        )
        return
    room = body.room
    if room is None or body.com is None:
        if gyration > robot.size > 0.0:
            shown += f", the whole robot's size {robot.size:.3g} m"
            yield body.found("warning", TOO_LARGE, shown, box_guess(body))
        return
    points: Array = room[: sum(len(shape.points) for shape in body.shapes)]
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    shown += f", size {size:.3g} m"
    if width_excess(variance, body.com, room) > 1.0:
        yield body.found("warning", TOO_LARGE, shown, box_guess(body))
    elif gyration < POINTLIKE * size:
        yield body.found(
            "warning", "inertia is small for its size", shown, box_guess(body)
        )


def _place_findings(body: LintBody, robot: LintedRobot) -> Iterator[Finding]:
    """Judge whether the centre of mass is inside the body's hull."""
    com, room = body.com, body.room
    if com is None or not body.mass:
        return
    if room is None:
        away = float(np.linalg.norm(com))
        if away > robot.size > 0.0:
            level: Level = "error" if away > FAR * robot.size else "warning"
            shown = f"{three(com)}, the whole robot's size is {robot.size:.3g} m"
            yield body.found(
                level, "centre of mass is outside the robot", shown, "near its joints"
            )
        return
    size = float(np.linalg.norm(np.ptp(room, axis=0)))
    distance = outside_by(com, room)
    if distance is None or distance <= max(BESIDE, BESIDE_SHARE * size):
        return
    weights = np.array([shape.volume for shape in body.shapes]) + 1e-12
    centres = np.array([shape.centre for shape in body.shapes])
    level = "error" if distance > FAR * max(robot.size, size) else "warning"
    yield body.found(
        level,
        "centre of mass is outside the body's hull",
        f"{three(com)}, {distance:.3g} m outside",
        f"near {three(weights @ centres / weights.sum())}",
    )


def _step_findings(body: LintBody, robot: LintedRobot) -> Iterator[Finding]:
    """Judge whether a body is at a distance in millimetres from its parent."""
    step = float(np.linalg.norm(body.p_PB))
    if body.parent is not None and step > max(LONGEST, UNLIKE * robot.usual_step):
        yield body.found(
            "warning",
            "it is far from its parent",
            f"{step:.4g} m",
            f"others are at {robot.usual_step:.3g} m; positions are in metres",
        )


def _mesh_findings(body: LintBody, reach: float) -> Iterator[Finding]:
    """Judge whether meshes are in millimetres, or scaled once too often."""
    for shape in body.shapes:
        if not shape.mesh:
            continue
        shown = f"{shape.mesh} is {shape.extent:.3g} m long"
        if shape.extent > max(HUGE, 50.0 * reach):
            yield body.found(
                "error", "mesh units are off by 1000", shown, "scale it by 0.001"
            )
        elif shape.extent < TINY and (body.mass or 0.0) > 0.1:
            yield body.found(
                "warning", "mesh units may be off by 1000", shown, "scale it by 1000"
            )
