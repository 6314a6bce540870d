"""CasADi's C, compiled with the flags that suit it best; WARP1 as a user writes it."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.warp1 import warp1 as tables
from equipoise_lab.bench.generated import PLAIN, Candidate, address, library
from equipoise_lab.bench.rival_symbols import Algebra, solved, warp1
from equipoise_lab.bench.states import States

__all__ = ["SIGNS", "by_casadi", "compiled_casadi"]

SIGNS = np.array([1.0] * 6 + [1.0, -1.0, -1.0] * 4)
"""Pitch and knee turn about +y there."""
STEP = """
void code_step(const double *w, const double *x, double *y)
{
  static double room[%d];
  static casadi_int whole[%d];
  const double *arg[%d] = {x, w};
  double *res[%d] = {y};
  rates(arg, res, whole, room, 0);
}
"""


def by_casadi(states: States) -> Candidate:
    """Return CasADi's C over some states; its results have other signs, see SIGNS.

    Raises:
        ImportError: CasADi is not installed.
        MissingToolError: there is no C compiler.
    """
    import casadi as ca

    algebra = Algebra(ca.SX.sym, ca.sin, ca.cos)
    model = warp1(algebra, has_pads=False)
    found = ca.vertcat(*solved(model.M, model.F))
    x, p = ca.vertcat(*algebra.inputs), ca.vertcat(*algebra.parameters)
    return compiled_casadi("CasADi's C", x, p, found, _parameters(), _inputs(states))


def compiled_casadi(
    name: str, x: Any, p: Any, found: Any, values: Array, inputs: Array
) -> Candidate:
    """Return an expression as C, compiled.

    Args:
        name: for the table.
        x: symbols given at every step.
        p: symbols of parameters.
        found: column of expressions in them.
        values: of the parameters.
        inputs: (states, inputs), contiguous.

    Raises:
        MissingToolError: there is no C compiler.
    """
    import casadi as ca

    function = ca.Function("rates", [x, p], [ca.cse(found)])
    sizes = (function.sz_w(), function.sz_iw(), function.sz_arg(), function.sz_res())
    with tempfile.TemporaryDirectory() as folder:
        generator = ca.CodeGenerator("rates.c")
        generator.add(function)
        generator.generate(f"{folder}/")
        source = (Path(folder) / "rates.c").read_text()
    code = library(source + STEP % tuple(max(1, n) for n in sizes), PLAIN)
    step, outputs = address(code.code_step), function.nnz_out(0)
    return Candidate(name, step, values, inputs, outputs, code)


def _inputs(states: States) -> Array:
    """Return states in the order of the rival's symbols."""
    q, v, tau = states.q * SIGNS, states.v * SIGNS, states.tau * SIGNS
    parts = [q[:, :6], v[:, :6]]
    for k in range(4):
        joints = slice(6 + 3 * k, 9 + 3 * k)
        parts += [q[:, joints], v[:, joints]]
    return np.ascontiguousarray(np.hstack([*parts, tau]))


def _parameters() -> Array:
    """Return WARP1's numbers in the order of the rival's symbols."""
    found = [9.81, tables.TRUNK_MASS, *tables.TRUNK_INERTIA]
    for leg in tables.LEGS:
        row, side = leg.split("_")
        inwards = -1.0 if side == "left" else 1.0
        x = tables.HIP[0] if row == "front" else -tables.HIP[0]
        found += [x - tables.HIPS_BACK, -inwards * tables.HIP[1], tables.HIP[2]]
        found += [-tables.THIGH, -tables.SHANK]
        found += [tables.THIGH_MASS, inwards * tables.THIGH_ASIDE]
        found += [-tables.THIGH_CENTRE, *tables.THIGH_INERTIA]
        found += [tables.SHANK_MASS, inwards * tables.SHANK_ASIDE]
        found += [-tables.SHANK_CENTRE, *tables.SHANK_INERTIA]
    return np.array(found)
