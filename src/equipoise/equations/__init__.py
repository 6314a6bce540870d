"""Equations of motion as expressions: derived, counted, differentiated, run as code.

Everything lives on a tape of scalar operations that shares common parts by
construction; see ``tape``.
"""

from equipoise.equations.arms import Arm, arm, scara
from equipoise.equations.assemble import assembled
from equipoise.equations.block import Block
from equipoise.equations.block_linear import linearized
from equipoise.equations.derivatives import gradient, jacobian
from equipoise.equations.derive import EquationsOfMotion, derive
from equipoise.equations.export import export
from equipoise.equations.frames import Frame, Vector
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
from equipoise.equations.ground import SpringGround
from equipoise.equations.kane import Equations
from equipoise.equations.legged import Leg, Legged, Limb, legged, warp1_system
from equipoise.equations.linearize import RobotLinearization, linearize
from equipoise.equations.program import Operations, Program, program
from equipoise.equations.robot_tree import FootPoint
from equipoise.equations.sympy_view import equations_view, sympy_view
from equipoise.equations.system import System
from equipoise.equations.tape import Expr, Tape
from equipoise.equations.targets import Trial, run_on
from equipoise.equations.wiring import Function, Part, Wiring, wired

__all__ = [
    "Arm",
    "Block",
    "Equations",
    "EquationsOfMotion",
    "Expr",
    "FootPoint",
    "Frame",
    "Function",
    "Leg",
    "Legged",
    "Limb",
    "Operations",
    "Part",
    "Program",
    "RobotLinearization",
    "SpringGround",
    "System",
    "Tape",
    "Trial",
    "Vector",
    "Wiring",
    "arm",
    "assembled",
    "atan2",
    "cos",
    "derive",
    "equations_view",
    "exp",
    "export",
    "gradient",
    "jacobian",
    "legged",
    "less",
    "linearize",
    "linearized",
    "log",
    "maximum",
    "minimum",
    "program",
    "run_on",
    "scara",
    "sin",
    "sqrt",
    "sympy_view",
    "tan",
    "tanh",
    "warp1_system",
    "where",
    "wired",
]
