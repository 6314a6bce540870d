"""The margin on soft ground: how much of their stiffness weight leaves the springs.

The smallest eigenvalue of the energy's second derivative where the robot has come to
rest, relative to the one upright and unloaded: ``stability.SoftBody.test(...).margin``,
1 on hard ground, 0 where the stance is lost. The pose is found by Newton's method with
the weight put on step by step; feet that would have to pull lift off. A pose that is
not found counts as no stance.
"""

from functools import cache

from equipoise.core.kinds import Precision
from equipoise.equations.margins.code import MarginCode
from equipoise.equations.margins.soft.springs import (
    jacobi,
    lowered,
    soft_state,
    solved3,
    springs,
)
from equipoise.equations.tape.derivatives import gradient
from equipoise.equations.tape.functions import less, maximum, minimum, sqrt, where
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.tape import Expr, Tape
from equipoise.equations.tape.vectors import (
    cross_product,
    inner_product,
    plus,
    scaled_vector,
    vector_difference,
)

__all__ = ["LOADS", "TURNS", "soft_code"]

LOADS = 8
"""Steps in which the weight is put on."""
TURNS = 16
"""Of Newton's method in all."""
MOST_LEAN = 0.2
"""In one turn [rad]."""
BALANCED: dict[Precision, float] = {"double": 1e-6, "single": 1e-4}
"""Of the weight, and of its moment over the farthest foot: left over in equilibrium."""
HELD: dict[Precision, float] = {"double": 1e-12, "single": 1e-6}
"""Share of an unloaded stiffness that is left once the others are taken out of it."""
DRIVER = """{{
  REAL x[{given} + 5], y[4];
  FLAT for (int k = 0; k < {given}; ++k) x[k] = given[k * apart];
  FLAT for (int k = 0; k < 5; ++k) x[{given} + k] = 0;
  x[{given} + 3] = 1;
  ROLLED for (int turn = 1; turn <= {turns}; ++turn) {{
    x[{given} + 4] = turn < {loads} ? (REAL)turn / {loads} : (REAL)1;
    soft_turn(x, y);
    FLAT for (int k = 0; k < 4; ++k) x[{given} + k] = y[k];
  }}
  REAL mode[6], all[{given} + 8], out[{told}];
  soft_mode(x, mode);
  FLAT for (int k = 0; k < {given} + 4; ++k) all[k] = x[k];
  FLAT for (int k = 0; k < 4; ++k) all[{given} + 4 + k] = mode[k];
  soft_slopes(all, out);
  told[0] = mode[4];
  told[apart] = mode[5];
  FLAT for (int k = 0; k < {told}; ++k)
    told[(2 + k) * apart] = mode[5] != 0 ? 0 : out[k];
}}
"""


def _symbols(count: int) -> list[Expr]:
    """Return symbols of a new tape."""
    tape = Tape()
    return [tape.symbol(f"x{k}", "input") for k in range(count)]


def _turn(contacts: int) -> Program:
    """One turn of Newton's method: state, pose and load to pose."""
    n = 4 + 5 * contacts
    x = _symbols(n + 5)
    state = soft_state(x[:n])
    total = state.is_on[0] * state.stiffnesses[0]
    for on, k in zip(state.is_on[1:], state.stiffnesses[1:], strict=True):
        total = total + on * k
    load = x[n + 4]
    e = (x[n + 1], x[n + 2], x[n + 3])
    fresh = less(-1e-30, x[n])  # nothing presses yet: sink on all springs alike
    z = where(fresh, -load * state.weight / total, x[n])
    at = springs(state, z, e, load)
    step = solved3(at.hessian, [-s for s in at.slope])
    lean = sqrt(step[1] * step[1] + step[2] * step[2])
    size = minimum(MOST_LEAN / maximum(lean, 1e-30), 1.0)
    turn = plus(
        scaled_vector(size * step[1], at.axes[0]),
        scaled_vector(size * step[2], at.axes[1]),
    )
    moved = vector_difference(e, cross_product(turn, e))
    over = 1 / sqrt(inner_product(moved, moved))
    return program([z + size * step[0], *scaled_vector(over, moved)], x)


def _mode(contacts: int, precision: Precision) -> Program:
    """State and pose to the softest motion, its eigenvalue, the margin, the status."""
    n = 4 + 5 * contacts
    x = _symbols(n + 5)
    state = soft_state(x[:n])
    at = springs(state, x[n], (x[n + 1], x[n + 2], x[n + 3]), 0 * x[n] + 1)
    relative, inverse, holds = lowered(at.unloaded, at.hessian, HELD[precision])
    values, vectors = jacobi(relative)
    least, softest = values[0], [row[0] for row in vectors]
    for k in (1, 2):
        test = less(values[k], least)
        least = where(test, values[k], least)
        softest = [where(test, r[k], s) for r, s in zip(vectors, softest, strict=True)]
    motion = [
        inverse[0][i] * softest[0]
        + inverse[1][i] * softest[1]
        + inverse[2][i] * softest[2]
        for i in range(3)
    ]
    far = 0 * least
    for s, on in zip(state.arms, state.is_on, strict=True):
        far = maximum(far, on * inner_product(s, s))
    small = BALANCED[precision] * state.weight
    moment = maximum(
        maximum(at.slope[1], -at.slope[1]), maximum(at.slope[2], -at.slope[2])
    )
    rest = less(maximum(at.slope[0], -at.slope[0]), small)
    found = holds * rest * less(moment, small * sqrt(far)) * less(0.0, x[n + 3])
    return program([*motion, least, minimum(least, 1.0), 1 - found], x)


def _slopes(contacts: int) -> Program:
    """State, pose, softest motion and eigenvalue to the derivatives of the eigenvalue.

    λ moves by xᵀ (dH - λ dH0) x for the motion x with xᵀ H0 x = 1, at a pose that moves
    by -H⁻¹ times the change of the energy's slope.
    """
    n = 4 + 5 * contacts
    x = _symbols(n + 8)
    state = soft_state(x[:n])
    z, e = x[n], (x[n + 1], x[n + 2], x[n + 3])
    at = springs(state, z, e, 0 * z + 1)
    motion, value = x[n + 4 : n + 7], x[n + 7]
    soft = 0 * z
    for i in range(3):
        for j in range(3):
            both = at.hessian[i][j] - value * at.unloaded[i][j]
            soft = soft + motion[i] * motion[j] * both
    by_z, *by_e = gradient(soft, [z, *e])
    ways = [cross_product(e, axis) for axis in at.axes[:2]]
    by_e3 = (by_e[0], by_e[1], by_e[2])
    by_pose = [by_z, inner_product(by_e3, ways[0]), inner_product(by_e3, ways[1])]
    moved = solved3(at.hessian, by_pose)
    whole = soft
    for a, b in zip(moved, at.slope, strict=True):
        whole = whole - a * b
    wanted = [s for k, s in enumerate(x[:n]) if k < 4 or (k - 4) % 5 != 4]
    free = less(value, 1.0)
    return program([free * by for by in gradient(whole, wanted)], x)


@cache
def soft_code(contacts: int, precision: Precision = "double") -> MarginCode:
    """Return the margin on soft ground, for so many feet at most.

    Status: 0 judged, 1 no equilibrium in which the feet that press hold the robot.

    Args:
        contacts: at least one.
        precision: in which it will run.
    """
    given = 4 + 5 * contacts
    driver = DRIVER.format(given=given, turns=TURNS, loads=LOADS, told=given - contacts)
    return MarginCode(
        name="soft_margin",
        contacts=contacts,
        parts=(
            ("soft_turn", _turn(contacts)),
            ("soft_mode", _mode(contacts, precision)),
            ("soft_slopes", _slopes(contacts)),
        ),
        driver=driver,
        given=(("p_WC", 3), ("weight", 1)),
        each=(("points", 3), ("stiffnesses", 1), ("mask", 1)),
        results=(("margin", 1), ("status", 1)),
    )
