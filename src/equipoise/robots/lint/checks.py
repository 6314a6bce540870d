"""What can be wrong with one body's mass, centre of mass, inertia and shape."""

from collections.abc import Iterator

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.files.mend_inertia import physical_inertia
from equipoise.robots.lint.body import Finding, LintBody
from equipoise.robots.lint.shapes import outside_by

__all__ = ["body_findings"]

LIGHTEST, HEAVIEST = 1e-6, 1e4
"""Of one body [kg]: a milligram, and ten tonnes."""
THINNEST, DENSEST = 1.0, 23000.0
"""Of a body [kg/m³]: air, and osmium, the densest metal."""
ROUNDED = 0.01
"""Share by which rounded digits of a thin plate break the triangle inequality."""
HULL_SLACK = 0.02
"""Share of the hull's size: what polyhedra inside round shapes lose."""
HUGE, TINY = 20.0, 2e-3
"""Size of a mesh [m] that was drawn in millimetres, or scaled twice."""


def body_findings(body: LintBody, reach: float) -> Iterator[Finding]:
    """Judge one body.

    Args:
        body: what the file says.
        reach: longest step from a body to the next in the robot [m].
    """
    yield from mass_findings(body)
    yield from inertia_findings(body)
    yield from place_findings(body)
    yield from mesh_findings(body, reach)


def mass_findings(body: LintBody) -> Iterator[Finding]:
    """Judge the mass and the density."""
    mass = body.mass
    if mass is not None and mass < 0.0:
        yield body.found("error", "negative mass", f"{mass:g} kg", f"{-mass:g} kg")
        return
    volume = body.volume
    guess = f"about {1000.0 * volume:.3g} kg" if volume > 0.0 else "weigh it"
    if not mass:
        if body.moves:
            value = "no mass" if mass is None else "0 kg"
            yield body.found(
                "warning", "a joint moves it and it has no mass", value, guess
            )
        return
    if not LIGHTEST <= mass <= HEAVIEST:
        yield body.found(
            "warning", "absurd mass", f"{mass:g} kg", f"{guess}; masses are in kg"
        )
    whole = volume > 0.0 and not body.has_unknown_shape
    density = body.density
    if density is None and whole:
        density = mass / volume
    if density is not None and not THINNEST <= density <= DENSEST:
        yield body.found(
            "warning",
            "absurd density",
            f"{density:.4g} kg/m³",
            f"{guess}, or a shape of another size",
        )


def inertia_findings(body: LintBody) -> Iterator[Finding]:
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
    values = np.asarray(np.linalg.eigvalsh(inertia), np.float64)
    nearest = physical_inertia(inertia, abs(mass or 0.0))
    better = f"nearest possible: {six(nearest)}"
    if not values[2] > 0.0:  # the nearest would be next to nothing
        better = box_guess(body)
    shown = f"principal moments {', '.join(f'{v:.4g}' for v in values)} kg m²"
    if not values[0] > 0.0:
        yield body.found("error", "inertia is not positive definite", shown, better)
        return
    excess = (values[2] - values[0] - values[1]) / values[2]
    if excess > 1e-9:
        level = "error" if excess > ROUNDED else "warning"
        yield body.found(level, "inertia breaks the triangle inequality", shown, better)
        return
    if mass and mass > 0.0:
        yield from size_findings(body, mass, values)


def size_findings(body: LintBody, mass: float, values: Array) -> Iterator[Finding]:
    """Judge the radius of gyration, √(tr(I) / 2m), against the body's size."""
    gyration = float(np.sqrt(values.sum() / (2.0 * mass)))
    shown = f"radius of gyration {gyration:.3g} m"
    if np.array_equal(values, np.ones(3)):
        yield body.found(
            "warning", "inertia is 1, 1, 1, a place holder", shown, box_guess(body)
        )
        return
    if not body.shapes or body.has_unknown_shape:
        return
    points = np.vstack([shape.points for shape in body.shapes])
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    shown += f", size {size:.3g} m"
    if gyration > size:
        yield body.found(
            "warning", "inertia is too large for its size", shown, box_guess(body)
        )
    elif gyration < 0.01 * size:
        yield body.found(
            "note", "inertia is small for its size", shown, box_guess(body)
        )


def place_findings(body: LintBody) -> Iterator[Finding]:
    """Judge whether the centre of mass is inside the body's hull."""
    known = body.shapes and not body.has_unknown_shape
    if body.com is None or not body.mass or not known:
        return
    points = np.vstack([shape.points for shape in body.shapes])
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    distance = outside_by(body.com, points)
    if distance is not None and distance > HULL_SLACK * size:
        weights = np.array([shape.volume for shape in body.shapes]) + 1e-12
        centres = np.array([shape.centre for shape in body.shapes])
        middle = weights @ centres / weights.sum()
        yield body.found(
            "warning",
            "centre of mass is outside the body's hull",
            f"{three(body.com)}, {distance:.3g} m outside",
            f"near {three(middle)}",
        )


def mesh_findings(body: LintBody, reach: float) -> Iterator[Finding]:
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


def box_guess(body: LintBody) -> str:
    """Return the inertia of a box of the body's size, in words."""
    unknown = "that of a box of its size, m/12 (b² + c²) and so on"
    if not body.shapes or not body.mass or not body.mass > 0.0:
        return unknown
    points = np.vstack([shape.points for shape in body.shapes])
    a, b, c = np.ptp(points, axis=0) ** 2
    diagonal = body.mass / 12.0 * np.array([b + c, a + c, a + b])
    if not diagonal.min() > 0.0 or not np.isfinite(diagonal).all():
        return unknown
    return f"that of a box of its size: {six(np.diag(diagonal))}"


def six(inertia: Array) -> str:
    """Return an inertia as files write it."""
    rows, columns = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    values = np.where(np.abs(inertia) < 1e-15, 0.0, inertia)[rows, columns]
    return " ".join(f"{n}={v:.6g}" for n, v in zip(names, values, strict=True))


def three(point: Array) -> str:
    """Return a point in words."""
    return f"({', '.join(f'{x:.4g}' for x in point)}) m"
