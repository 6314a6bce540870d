"""Margins of many states at once, with their derivatives by everything that goes in.

    found = cone_margins(p_WC, points, normals, frictions, acceleration)
    found.margin, found.slopes["points"]

States come in any number, as leading axes of all arrays; contacts a state up to eight,
with a mask for those that are not there. NumPy arrays are judged on this computer in
double precision, CuPy arrays where they are, in theirs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.constants import GRAVITY
from equipoise.core.errors import EquipoiseError, NotPhysicalError
from equipoise.equations.margins.kinds import MarginKind, margin_code
from equipoise.equations.margins.layout import (
    Fields,
    fitting_arrays,
    packed_arguments,
    unpacked_results,
)

__all__ = [
    "MarginBatch",
    "cone_margins",
    "pressure_margins",
    "soft_margins",
    "static_margins",
]


@final
@dataclass(frozen=True, eq=False)
class MarginBatch:
    """Margins of many states; leading axes are those of the given states."""

    margin: NDArray[Any]
    """Positive where the robot stands, (...), in metres, on soft ground without a unit;
    -inf where nothing can hold it, NaN where it is not judged."""
    slopes: Mapping[str, NDArray[Any]]
    """Derivatives of the margin by each argument, of the argument's shape; zero by
    contacts that are not there."""
    status: NDArray[Any]
    """0 judged; 1 nothing holds the robot: no contact, no push, no forces; 2 not
    judged: contacts that face each other; 3 judged by its bounds alone, (...)."""
    lower: NDArray[Any] | None = None
    """Proved lower bound of the margin; for friction cones only, (...) [m]."""
    upper: NDArray[Any] | None = None
    """Proved upper bound of the margin; for friction cones only, (...) [m]."""


def static_margins(
    pxy_WC: ArrayLike, points: ArrayLike, mask: ArrayLike | None = None
) -> MarginBatch:
    """Return distances of centres of mass from the edges of their supports [m].

    ``stability.static_margin`` of each state.

    Args:
        pxy_WC: centre of mass seen from above, (..., 2) [m].
        points: of contact, (..., k, 2) or (..., k, 3) [m].
        mask: which contacts are there, (..., k); None for all.

    Raises:
        ShapeError: shapes that do not fit, or an entry that is not finite.
        ConfigError: more than eight contacts.
    """
    fields = fitting_arrays({"pxy_WC": pxy_WC}, {"points": points}, mask)
    return _judged("static", fields)


def pressure_margins(
    p_WC: ArrayLike,
    force: ArrayLike,
    moment: ArrayLike,
    points: ArrayLike,
    height: ArrayLike = 0.0,
    mask: ArrayLike | None = None,
) -> MarginBatch:
    """Return distances of zero moment points from the edges of their supports [m].

    ``stability.pressure_margin`` of each state; force and moment come from
    ``stability.effective_wrench``.

    Args:
        p_WC: centre of mass, (..., 3) [m].
        force: effective force, (..., 3) [N].
        moment: effective moment about C, (..., 3) [N m].
        points: of contact, (..., k, 2) or (..., k, 3) [m].
        height: of the ground, (...) [m].
        mask: which contacts are there, (..., k); None for all.

    Raises:
        ShapeError: shapes that do not fit, or an entry that is not finite.
        ConfigError: more than eight contacts.
    """
    own = {"p_WC": p_WC, "force": force, "moment": moment, "height": height}
    return _judged("pressure", fitting_arrays(own, {"points": points}, mask))


def cone_margins(
    p_WC: ArrayLike,
    points: ArrayLike,
    normals: ArrayLike,
    frictions: ArrayLike,
    acceleration: ArrayLike = (0.0, 0.0, 0.0),
    mask: ArrayLike | None = None,
    *,
    gravity: float = GRAVITY,
) -> MarginBatch:
    """Return margins of centres of mass within the regions of friction cones [m].

    The margin of ``stability.equilibrium_region``, against true cones, seen along the
    push b = a + g e_z that the contacts must give: for a robot at rest from above. The
    moment about the centre of mass is taken to be zero. ``docs/margins.md`` says how it
    is found and how well.

    Args:
        p_WC: centre of mass, (..., 3) [m].
        points: of contact, (..., k, 3) [m].
        normals: of the ground, towards the robot, of any length, (..., k, 3).
        frictions: Coulomb coefficients >= 0, (..., k).
        acceleration: of the centre of mass, (..., 3) [m/s²].
        mask: which contacts are there, (..., k); None for all.
        gravity: along -z [m/s²].

    Raises:
        ShapeError: shapes that do not fit, or an entry that is not finite.
        NotPhysicalError: a negative friction, a normal of length zero, or no push.
        ConfigError: more than eight contacts.
    """
    own = {"p_WC": p_WC, "push": acceleration}
    each = {"points": points, "normals": normals, "frictions": frictions}
    fields = fitting_arrays(own, each, mask)
    xp, values = fields.library, fields.values
    on = values["mask"] != 0
    kind = values["push"].dtype
    values["push"] = values["push"] + xp.asarray([0.0, 0.0, gravity], kind)
    if bool((values["frictions"][on] < 0).any()):
        worst = float(values["frictions"][on].min())
        raise NotPhysicalError(f"frictions must be >= 0, got {worst:g}.")
    if bool((xp.abs(values["normals"]).max(axis=-1)[on] == 0).any()):
        raise NotPhysicalError("normals must not be zero where a contact is.")
    if bool((xp.abs(values["push"]).max(axis=-1) == 0).any()):
        raise NotPhysicalError(
            "the acceleration is gravity's own: in free fall no contact holds anything."
        )
    found = _judged("cone", fields)
    slopes = dict(found.slopes)
    slopes["acceleration"] = slopes.pop("push")
    return MarginBatch(found.margin, slopes, found.status, found.lower, found.upper)


def soft_margins(
    p_WC: ArrayLike,
    weight: ArrayLike,
    points: ArrayLike,
    stiffnesses: ArrayLike,
    mask: ArrayLike | None = None,
) -> MarginBatch:
    """Return the share of its stiffness that the weight leaves a stance on soft ground.

    The margin of ``stability.SoftBody`` where the robot has come to rest on vertical
    springs under rigid legs: 1 on hard ground, 0 where the stance is lost; -inf where
    no equilibrium was found in which the feet that press hold it. For other springs and
    the way to softer ground there is ``stability.compliant_stance``.

    Args:
        p_WC: centre of mass, robot upright and springs unloaded, (..., 3) [m].
        weight: m g, > 0, (...) [N].
        points: feet on the unloaded springs, (..., k, 3) [m].
        stiffnesses: of the ground under each, > 0, (..., k) [N/m].
        mask: which feet are there, (..., k); None for all.

    Raises:
        ShapeError: shapes that do not fit, or an entry that is not finite.
        NotPhysicalError: a weight or a stiffness that is not positive.
        ConfigError: more than eight feet.
    """
    own = {"p_WC": p_WC, "weight": weight}
    fields = fitting_arrays(own, {"points": points, "stiffnesses": stiffnesses}, mask)
    on = fields.values["mask"] != 0
    for name, unit in (("weight", "N"), ("stiffnesses", "N/m")):
        value = fields.values[name]
        value = value[on] if name == "stiffnesses" else value
        if bool((value <= 0).any()):
            worst = float(value.min())
            raise NotPhysicalError(f"{name} must be > 0 {unit}, got {worst:g}.")
    return _judged("soft", fields)


def _judged(kind: MarginKind, fields: Fields) -> MarginBatch:
    """Return the margins of states that are known to be sound."""
    xp = fields.library
    if xp is np:
        from equipoise.equations.margins.run import margins_on_cpu

        code = margin_code(kind, fields.contacts)
        told = margins_on_cpu(kind, fields.contacts, packed_arguments(code, fields))
    else:
        told = _on_card(kind, fields, xp)
        code = margin_code(kind, fields.contacts, fields.precision)
    found = unpacked_results(code, fields, told)
    status = found.pop("status")
    margin = _said(xp, found.pop("margin"), status)
    bounds = [
        _said(xp, found.pop(name), status) if name in found else None
        for name in ("lower", "upper")
    ]
    return MarginBatch(margin, found, status.astype(np.int64), *bounds)


def _on_card(kind: MarginKind, fields: Fields, xp: ModuleType) -> Any:
    """Return what a margin's kernel tells of states that are on a card."""
    from equipoise.equations.margins.card import margin_module, start_margin

    code, module = margin_module(kind, fields.contacts, fields.precision, "cupy")
    try:
        given = xp.ascontiguousarray(packed_arguments(code, fields))
        told = xp.empty((code.outputs, fields.states), given.dtype)
        start_margin(module, code, given, told, lambda n: xp.zeros(n, np.int32))
    except Exception as error:
        if "OutOfMemory" not in type(error).__name__:
            raise
        numbers = code.inputs + code.outputs
        raise EquipoiseError(
            f"the graphics card has no memory for {fields.states} states of {numbers} "
            "numbers each; judge fewer at once."
        ) from None
    return told


def _said(xp: ModuleType, value: Any, status: Any) -> Any:
    """Return a margin: -inf where nothing holds, NaN where it is not judged."""
    kind = value.dtype.type
    value = xp.where(status == 1, kind(-np.inf), value)
    return xp.where(status == 2, kind(np.nan), value)
