"""WARP1's accelerations as CasADi's C, compiled with the flags that suit it best."""

import tempfile
from pathlib import Path

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.warp1 import warp1 as tables
from equipoise_lab.bench.generated import PLAIN, Candidate, address, library
from equipoise_lab.bench.rival_symbols import Algebra, solved, warp1
from equipoise_lab.bench.states import States

__all__ = ["SIGNS", "by_casadi"]

SIGNS = np.array([1.0] * 6 + [1.0, -1.0, -1.0] * 4)
"""Pitch and knee turn about +y there."""
STEP = """
void code_step(const double *w, const double *x, double *y)
{
  static double room[%d];
  static casadi_int whole[%d];
  const double *arg[%d] = {x, w};
  double *res[%d] = {y};
  warp1(arg, res, whole, room, 0);
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
    found = ca.cse(ca.vertcat(*solved(model.M, model.F)))
    x, p = ca.vertcat(*algebra.inputs), ca.vertcat(*algebra.parameters)
    function = ca.Function("warp1", [x, p], [found])
    sizes = (function.sz_w(), function.sz_iw(), function.sz_arg(), function.sz_res())
    with tempfile.TemporaryDirectory() as name:
        generator = ca.CodeGenerator("warp1.c")
        generator.add(function)
        generator.generate(f"{name}/")
        source = (Path(name) / "warp1.c").read_text()
    code = library(source + STEP % tuple(max(1, n) for n in sizes), PLAIN)
    step = address(code.code_step)
    return Candidate("CasADi's C", step, parameters(), inputs(states), 18, code)


def inputs(states: States) -> Array:
    """Return states in the order of the rival's symbols."""
    q, v, tau = states.q * SIGNS, states.v * SIGNS, states.tau * SIGNS
    parts = [q[:, :6], v[:, :6]]
    for k in range(4):
        joints = slice(6 + 3 * k, 9 + 3 * k)
        parts += [q[:, joints], v[:, joints]]
    return np.ascontiguousarray(np.hstack([*parts, tau]))


def parameters() -> Array:
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
