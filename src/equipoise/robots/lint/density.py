"""The density of a body: from its shapes, and the least that its inertia leaves."""

from collections.abc import Iterator

import numpy as np

from equipoise.robots.lint.body import Finding, LintBody
from equipoise.robots.lint.extent import fillings, second_moments
from equipoise.robots.lint.suggestions import box_guess

__all__ = ["density_findings"]

THINNEST, DENSEST = 5.0, 12000.0
"""Of a part of a robot [kg/m³]: a fifth of the lightest foam, and lead."""
EMPTIEST = 1.0
"""Least density that an inertia may say [kg/m³]; a frame of long tubes has more."""
FLATTEST = 0.1
"""Thickness over length below which a plate counts as so thick."""
THINNEST_RADIUS = 1e-4
"""Least radius of gyration [m] of a sheet or a wire."""
ELLIPSOID = 4.0 / 3.0 * np.pi * 5.0**1.5
"""Volume of an even ellipsoid over the product of its three radii of gyration."""


def density_findings(body: LintBody, has_good_inertia: bool) -> Iterator[Finding]:
    """Judge the density.

    Args:
        body: what the file says.
        has_good_inertia: whether nothing else was said about its inertia.
    """
    mass = body.mass
    if mass is None or not mass > 0.0:
        return
    guess = f"about {1000.0 * body.volume:.3g} kg" if body.volume else "weigh it"
    density = _shape_density(body, mass)
    if density is not None and not THINNEST <= density <= DENSEST:
        yield body.found(
            "warning",
            "absurd density",
            f"{density:.4g} kg/m³",
            f"{guess}, or a shape of another size",
        )
    elif has_good_inertia and body.inertia is not None and body.inertia.any():
        yield from _inertia_density(body, mass)


def _shape_density(body: LintBody, mass: float) -> float | None:
    """Return the density of a body that fills its shapes [kg/m³].

    Too thin is what is too thin for its shapes alone, too dense what is for their hull;
    None where neither is so, or nothing is known.
    """
    if body.density is not None:
        return body.density
    volume = body.volume
    if not volume > 0.0 or body.has_unknown_shape:
        return None
    hull = max((filling.volume for filling in fillings(body)), default=volume)
    most, least = mass / min(volume, hull), mass / max(volume, hull)
    if most < THINNEST:
        return most
    return least if least > DENSEST else None


def _inertia_density(body: LintBody, mass: float) -> Iterator[Finding]:
    """Judge the density of the even ellipsoid with the body's inertia.

    Of all bodies of one density and mass it has the least determinant of the second
    moments, so that no part of the body needs to be denser, and some part must.
    """
    if body.inertia is None:
        return
    moments = np.linalg.eigvalsh(second_moments(body.inertia) / mass)
    flat = np.sqrt(np.maximum(moments, FLATTEST**2 * moments[-1]))
    least = mass / max(ELLIPSOID * float(np.prod(flat)), 1e-300)
    thin = np.sqrt(np.maximum(moments, THINNEST_RADIUS**2))
    all_in = mass / (ELLIPSOID * float(np.prod(thin)))
    if least > DENSEST:
        yield body.found(
            "warning",
            "inertia is too small for its mass",
            f"a body of {mass:.4g} kg with this inertia has {least:.3g} kg/m³ or more",
            box_guess(body),
        )
    elif all_in < EMPTIEST and body.room is None:
        yield body.found(
            "warning",
            "inertia is too large for its mass",
            f"a body of {mass:.4g} kg with this inertia has {all_in:.3g} kg/m³",
            box_guess(body),
        )
