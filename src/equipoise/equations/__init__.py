"""Equations of motion as expressions: derived, counted, differentiated, run as code.

Everything lives on a tape of scalar operations that shares common parts by
construction; see ``tape``.
"""

from equipoise.equations.derivatives import gradient, jacobian
from equipoise.equations.functions import (
    atan2,
    cos,
    exp,
    less,
    log,
    maximum,
    minimum,
    sin,
    sqrt,
    tan,
    tanh,
    where,
)
from equipoise.equations.program import Operations, Program, program
from equipoise.equations.tape import Expr, Tape

__all__ = [
    "Expr",
    "Operations",
    "Program",
    "Tape",
    "atan2",
    "cos",
    "exp",
    "gradient",
    "jacobian",
    "less",
    "log",
    "maximum",
    "minimum",
    "program",
    "sin",
    "sqrt",
    "tan",
    "tanh",
    "where",
]
