"""Equations of motion about a state, in the implicit form of [Ridderstrom2003].

Section 6.4.3, eq. (6.16): with r(x, u, a) = F - M a and a = dw/dt at the state,
M dw/dt = A_dde x + B_dde u + h_dde, where A_dde = dr/dx and B_dde = dr/du. The mass
matrix is never inverted in expressions, which keeps them short.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.equations.linear.block import Linearization
from equipoise.equations.mechanism.kane import Equations
from equipoise.equations.tape.derivatives import jacobian
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import total

__all__ = ["ImplicitLinearization", "implicitly"]


@final
@dataclass(frozen=True)
class ImplicitLinearization:
    """Expressions of (6.16); rows in order of coordinates or speeds."""

    equations: Equations
    inputs: tuple[Expr, ...]
    parameters: tuple[Expr, ...]
    accelerations: tuple[Expr, ...]
    """Symbols that stand for a."""
    A_kde: list[list[Expr]]
    B_kde: list[list[Expr]]
    A_dde: list[list[Expr]]
    B_dde: list[list[Expr]]

    @cached_property
    def programs(self) -> tuple[Program, Program]:
        """Mass matrix, F and kde; and, with a given as well, the derivatives."""
        e = self.equations
        given = [*e.coordinates, *e.speeds, *self.inputs]
        first = program([*e.M.values(), *e.F, *e.kde], given, self.parameters)
        blocks = (self.A_kde, self.B_kde, self.A_dde, self.B_dde)
        rows = [x for block in blocks for row in block for x in row]
        return first, program(rows, [*given, *self.accelerations], self.parameters)

    def at(self, x: VecN, u: VecN, values: VecN) -> Linearization:
        """Return A and B as numbers.

        Args:
            x: coordinates, then speeds, (n,).
            u: inputs, (m,).
            values: of the parameters.
        """
        e = self.equations
        first, second = self.programs
        nq, nw, m = len(e.coordinates), len(e.speeds), len(u)
        n = nq + nw
        out = interpret(first, np.concatenate([x, u]), values)
        size = len(e.M)
        M = np.zeros((nw, nw))
        for (i, j), value in zip(e.M, out[:size], strict=True):
            M[i, j] = M[j, i] = value
        a = _solution(M, out[size : size + nw])
        slopes = interpret(second, np.concatenate([x, u, a]), values)
        ends = np.cumsum([nq * n, nq * m, nw * n])
        A1, B1, A2, B2 = np.split(slopes, ends)
        A = np.vstack([A1.reshape(nq, n), _solution(M, A2.reshape(nw, n))])
        B = np.vstack([B1.reshape(nq, m), _solution(M, B2.reshape(nw, m))])
        return Linearization(A, B, x, u, np.concatenate([out[size + nw :], a]))


def implicitly(
    equations: Equations, inputs: Sequence[Expr], parameters: Sequence[Expr]
) -> ImplicitLinearization:
    """Return the expressions of (6.16) for equations without constraints.

    Args:
        equations: M dw/dt = F and the kinematic equations.
        inputs: symbols to differentiate by, too.
        parameters: symbols set beforehand.
    """
    e = equations
    tape = e.F[0].tape
    names = {i: name for name, i in tape.names.items()}
    a = [_acceleration(names[w.ref], w) for w in e.speeds]
    n = len(a)
    r = [e.F[i] - total([e.M[i, j] * a[j] for j in range(n)]) for i in range(n)]
    x = [*e.coordinates, *e.speeds]
    return ImplicitLinearization(
        e,
        tuple(inputs),
        tuple(parameters),
        tuple(a),
        jacobian(e.kde, x),
        jacobian(e.kde, inputs),
        jacobian(r, x),
        jacobian(r, inputs),
    )


def _acceleration(name: str, speed: Expr) -> Expr:
    """Return the symbol for the rate of a speed."""
    tape, label = speed.tape, f"rate of {name}"
    return tape.find(label) if label in tape.names else tape.symbol(label, "input")


def _solution(M: Array, right: Array) -> Array:
    """Return x with M x = right."""
    return np.asarray(np.linalg.solve(M, right), dtype=np.float64)
