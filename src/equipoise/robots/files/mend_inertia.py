"""Inertias of a URDF that no body can have, made possible, and named.

Public URDF files are full of them: zeros at sensors, signs lost, links without mass
between two joints. MuJoCo refuses the whole file. Mass and centre of mass, which decide
whether a robot stands, are kept exactly; only the inertia is moved to the nearest one
that a body can have. ``robots/lint/lint.py`` reports what the file says.
"""

from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Mat3
from equipoise.core.errors import BadFileError

__all__ = ["mend_masses", "physical_inertia", "thicken"]

NEXT_TO_NOTHING = 1e-9
"""Mass [kg] and inertia [kg m²] of a moving link that has none; a nanogram is below
any mass that a file states, and 1e6 times what MuJoCo takes for zero."""
SMALLEST_INERTIA = 1e-14
"""Principal moment below which MuJoCo takes an inertia for none [kg m²]."""
SMALLEST_GYRATION = 1e-4
"""Radius of gyration of a mass without extent [m]: a grain of sand."""
SLACK = 1e-9
"""Relative: digits that a rounded file can lose are not a mistake of its author."""

HAIR = 1e-9 if mujoco.mj_version() >= 3014000 else 1e-5
"""Relative: what a plate gets; more than MuJoCo errs when it finds principal axes."""


def physical_inertia(inertia: Mat3, mass: float) -> Mat3:
    """Return the nearest inertia that a body of this mass can have.

    The second moments along the principal axes, s_i = tr(I)/2 - I_i, are the integrals
    of x_i² over the body; none may be negative. Those below a grain of sand's are
    raised to it, and I = tr(S) 1 - S.

    Args:
        inertia: about the centre of mass, (3, 3) [kg m²].
        mass: [kg].

    Returns:
        The inertia itself where it is physical, (3, 3) [kg m²].
    """
    values, axes = np.linalg.eigh(inertia)
    moments = 0.5 * values.sum() - values
    size = float(np.abs(values).max())
    if values[0] > 0.0 and moments.min() >= -SLACK * size:
        return inertia
    least = max(mass * SMALLEST_GYRATION**2, NEXT_TO_NOTHING * 1e-3)
    raised = np.maximum(moments, least)
    mended = axes @ np.diag(raised.sum() - raised) @ axes.T
    return 0.5 * (mended + mended.T)


def mend_masses(spec: mujoco.MjSpec) -> tuple[str, ...]:
    """Make a URDF's masses acceptable to MuJoCo without changing what they weigh.

    Shapes weigh nothing in URDF: only ``<mass>`` counts.

    Args:
        spec: the robot as read; it is changed.

    Returns:
        One line a link whose inertia was changed.

    Raises:
        BadFileError: a mass or inertia that is not finite.
    """
    for geom in spec.geoms:
        geom.density = 0.0
    bodies = [body for body in spec.bodies if body.name != "world" or body.parent]
    said = [line for body in bodies if (line := _mend_inertia(body))]
    if not any(body.mass > 0.0 for body in bodies):
        return tuple(said)
    for body in bodies:
        if body.joints and not _welded_mass(body) > 0.0:
            said.append(f"link '{body.name}' moves and has no mass, got 1e-9 kg")
            _set_inertia(body, NEXT_TO_NOTHING, NEXT_TO_NOTHING * np.eye(3))
    return tuple(said)


def _mend_inertia(body: Any) -> str:
    """Mend one body's inertia; return what was done, or nothing."""
    if not body.explicitinertial:
        return ""
    inertia, mass = matrix_of(body.fullinertia), float(body.mass)
    if np.isnan(inertia[0, 0]):  # MuJoCo's word for an inertia that is not given
        inertia = np.zeros((3, 3))
    if not (np.isfinite(inertia).all() and np.isfinite(mass)):
        raise BadFileError(
            f"has a mass or inertia in link '{body.name}' that is not a finite number"
        )
    if mass == 0.0 and not inertia.any():  # as good as no <inertial> at all
        body.explicitinertial = False
        body.fullinertia = [np.nan, 0, 0, 0, 0, 0]
        body.ipos = [np.nan, 0, 0]
        return ""
    mended = physical_inertia(inertia, mass)
    if mended is inertia:
        least = float(np.linalg.eigvalsh(inertia)[0])
        if least > 2.0 * SMALLEST_INERTIA:
            return ""
        _set_inertia(body, mass, inertia + 2.0 * SMALLEST_INERTIA * np.eye(3))
        return f"link '{body.name}' had an inertia of {least:.2g} kg m², got 2e-14 more"
    _set_inertia(body, mass, mended)
    return f"link '{body.name}' had an inertia that no body can have"


def thicken(spec: mujoco.MjSpec) -> bool:
    """Give plates without thickness some, by a hair, so that MuJoCo can turn them.

    A plate's moments are A + B = C, and MuJoCo refuses A + B < C by rounding, too. It
    rounds when an inertia is not along its principal axes.

    Args:
        spec: of a URDF that did not compile; changed in place.

    Returns:
        Whether there was a plate.
    """
    found = False
    for body in spec.bodies:
        inertia = matrix_of(body.fullinertia)
        if not (body.explicitinertial and np.isfinite(inertia).all()):
            continue
        moments = np.linalg.eigvalsh(inertia)
        if moments.sum() - 2.0 * moments[-1] < 0.5 * HAIR * moments[-1]:
            _set_inertia(body, body.mass, inertia + HAIR * moments[-1] * np.eye(3))
            found = True
    return found


def matrix_of(full: Array) -> Mat3:
    """Return MuJoCo's six numbers, xx, yy, zz, xy, xz, yz, as a matrix."""
    xx, yy, zz, xy, xz, yz = full
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _set_inertia(body: Any, mass: float, inertia: Mat3) -> None:
    """Give a body mass and inertia; its centre of mass stays."""
    if not body.explicitinertial:
        body.ipos = [0.0, 0.0, 0.0]
    body.explicitinertial = True
    body.mass = mass
    rows, columns = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
    body.fullinertia = inertia[rows, columns]


def _welded_mass(body: Any) -> float:
    """Return the mass of a body and of what is fixed to it [kg]."""
    fixed = (child for child in body.bodies if not child.joints)
    return float(body.mass) + sum(_welded_mass(child) for child in fixed)
