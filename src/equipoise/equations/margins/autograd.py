"""Margins as operations of PyTorch, with their exact derivatives for autograd.

    import equipoise.equations.margins.autograd as autograd
    told = autograd.cone_margins(p_WC, points, normals, frictions, acceleration)
    (-told.margin.clamp(max=0.05).sum()).backward()

Tensors on a card are judged there, in their own precision, by the kernels of
``cuda_text``; tensors of this computer in double precision. Arguments, shapes and what
comes out are those of ``batch``; here nothing is checked but shapes, since looking at
numbers would wait for the card. Margins have first derivatives only.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ShapeError
from equipoise.core.extras import require_extra
from equipoise.equations.margins.card import margin_module, start_margin
from equipoise.equations.margins.code import MarginCode
from equipoise.equations.margins.kinds import MarginKind, margin_code

__all__ = [
    "TensorMargins",
    "torch_cone_margins",
    "torch_pressure_margins",
    "torch_soft_margins",
    "torch_static_margins",
]

SCALARS = ("height", "weight")


class TensorMargins(NamedTuple):
    """Margins as tensors; only ``margin`` has derivatives."""

    margin: Any
    """As ``MarginBatch.margin``, (...)."""
    status: Any
    """As ``MarginBatch.status``, (...)."""
    lower: Any = None
    """Proved lower bound; of friction cones only, (...)."""
    upper: Any = None
    """Proved upper bound; of friction cones only, (...)."""


def torch_static_margins(pxy_WC: Any, points: Any, mask: Any = None) -> TensorMargins:
    """Return how far centres of mass are from the edges of their supports [m].

    Args:
        pxy_WC: centre of mass seen from above, (..., 2) [m].
        points: of contact, (..., k, 2) or (..., k, 3) [m].
        mask: which contacts are there, (..., k); None for all.
    """
    return _judged("static", {"pxy_WC": pxy_WC}, {"points": points[..., :2]}, mask)


def torch_pressure_margins(
    p_WC: Any,
    force: Any,
    moment: Any,
    points: Any,
    height: Any = 0.0,
    mask: Any = None,
) -> TensorMargins:
    """Return how far zero moment points are from the edges of their supports [m].

    Args:
        p_WC: centre of mass, (..., 3) [m].
        force: effective force, (..., 3) [N].
        moment: effective moment about C, (..., 3) [N m].
        points: of contact, (..., k, 2) or (..., k, 3) [m].
        height: of the ground, (...) [m].
        mask: which contacts are there, (..., k); None for all.
    """
    torch = require_extra("gpu", "torch")
    level = torch.as_tensor(height, dtype=p_WC.dtype, device=p_WC.device)
    own = {"p_WC": p_WC, "force": force, "moment": moment, "height": level}
    return _judged("pressure", own, {"points": points[..., :2]}, mask)


def torch_cone_margins(
    p_WC: Any,
    points: Any,
    normals: Any,
    frictions: Any,
    acceleration: Any = None,
    mask: Any = None,
    *,
    gravity: float = GRAVITY,
) -> TensorMargins:
    """Return how far centres of mass are from where friction cones can hold them [m].

    Args:
        p_WC: centre of mass, (..., 3) [m].
        points: of contact, (..., k, 3) [m].
        normals: of the ground, towards the robot, of any length, (..., k, 3).
        frictions: Coulomb coefficients >= 0, (..., k).
        acceleration: of the centre of mass, (..., 3) [m/s²]; None for none.
        mask: which contacts are there, (..., k); None for all.
        gravity: along -z [m/s²].
    """
    push = p_WC.new_tensor([0.0, 0.0, gravity])
    if acceleration is not None:
        push = push + acceleration
    each = {"points": points, "normals": normals, "frictions": frictions[..., None]}
    return _judged("cone", {"p_WC": p_WC, "push": push}, each, mask)


def torch_soft_margins(
    p_WC: Any, weight: Any, points: Any, stiffnesses: Any, mask: Any = None
) -> TensorMargins:
    """Return what share of its stiffness the weight leaves a stance on soft ground.

    Args:
        p_WC: centre of mass, robot upright and springs unloaded, (..., 3) [m].
        weight: m g, > 0, (...) [N].
        points: feet on the unloaded springs, (..., k, 3) [m].
        stiffnesses: of the ground under each, > 0, (..., k) [N/m].
        mask: which feet are there, (..., k); None for all.
    """
    each = {"points": points, "stiffnesses": stiffnesses[..., None]}
    return _judged("soft", {"p_WC": p_WC, "weight": weight}, each, mask)


def _judged(
    kind: MarginKind, own: dict[str, Any], each: dict[str, Any], mask: Any
) -> TensorMargins:
    """Return the margins of states that tensors describe."""
    torch = require_extra("gpu", "torch")
    points = each["points"]
    contacts = points.shape[-2]
    if mask is None:
        mask = torch.ones(contacts, dtype=torch.bool, device=points.device)
    each = {**each, "mask": mask.to(points.dtype)[..., None]}
    own = {k: v[..., None] if k in SCALARS else v for k, v in own.items()}
    leads = [v.shape[:-1] for v in own.values()]
    leads += [v.shape[:-2] for v in each.values()]
    try:
        leading = torch.broadcast_shapes(*leads)
    except RuntimeError:
        told = ", ".join(f"{k} {tuple(v.shape)}" for k, v in {**own, **each}.items())
        raise ShapeError(
            f"the tensors' states cannot be broadcast together: {told}."
        ) from None
    precision = "single" if points.dtype == torch.float32 else "double"
    code = margin_code(kind, contacts, precision if points.is_cuda else "double")
    parts = [own[name].expand(*leading, -1) for name, _ in code.given]
    rows = [each[name].expand(*leading, contacts, -1) for name, _ in code.each]
    parts.append(torch.cat(rows, dim=-1).flatten(start_dim=-2))
    given = torch.cat(parts, dim=-1).reshape(-1, code.inputs).T.contiguous()
    out = _operation().apply(given, code, kind)
    shaped = [x.reshape(leading) for x in out]
    if len(shaped) == 2:
        return TensorMargins(shaped[0], shaped[1])
    return TensorMargins(shaped[0], shaped[1], shaped[2], shaped[3])


@cache
def _operation() -> Any:
    """Return the operation of autograd, from a table of states to their margins."""
    torch: Any = require_extra("gpu", "torch")

    class MarginFunction(torch.autograd.Function):
        """Function from a table of states, (given, n), to margin, status and bounds."""

        @staticmethod
        def forward(ctx: Any, given: Any, code: MarginCode, kind: MarginKind) -> Any:
            """Judge the states and keep the slopes."""
            table = given.detach()
            told = (_on_card if given.is_cuda else _here)(torch, table, code, kind)
            first = len(code.results)
            names = [name for name, _ in code.results]
            status = told[names.index("status")]
            ctx.save_for_backward(_slopes(torch, code, told[first:]))
            rows = [told[k] for k, name in enumerate(names) if name != "status"]
            rows = [torch.where(status == 1, -torch.inf, row) for row in rows]
            values = [torch.where(status == 2, torch.nan, row) for row in rows]
            rest = [status.to(torch.int64), *values[1:]]
            ctx.mark_non_differentiable(*rest)
            return values[0], *rest

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, by_margin: Any, *_: Any) -> Any:
            """Return the derivatives by the table."""
            (slopes,) = ctx.saved_tensors
            return slopes * by_margin, None, None

    return MarginFunction


def _slopes(torch: Any, code: MarginCode, told: Any) -> Any:
    """Return derivatives by every number of a state; by the mask there are none."""
    own = sum(width for _, width in code.given)
    each = sum(width for _, width in code.each) - 1
    rows = [told[:own]]
    none = torch.zeros_like(told[:1])
    for k in range(code.contacts):
        rows += [told[own + k * each : own + (k + 1) * each], none]
    return torch.cat(rows)


def _on_card(torch: Any, given: Any, code: MarginCode, kind: MarginKind) -> Any:
    """Return what the kernel tells, on the card of the tensor."""
    precision = "single" if given.dtype == torch.float32 else "double"
    with torch.cuda.device(given.device):
        _, module = margin_module(kind, code.contacts, precision, "torch")
        told = torch.empty(
            (code.outputs, given.shape[1]), dtype=given.dtype, device=given.device
        )
        own = {"dtype": torch.int32, "device": given.device}
        start_margin(module, code, given, told, lambda n: torch.zeros(n, **own))
    return told


def _here(torch: Any, given: Any, code: MarginCode, kind: MarginKind) -> Any:
    """Return what machine code of this computer tells."""
    from equipoise.equations.margins.run import margins_on_cpu

    told = margins_on_cpu(kind, code.contacts, given.numpy().astype(np.float64))
    return torch.from_numpy(np.ascontiguousarray(told)).to(given.dtype)
