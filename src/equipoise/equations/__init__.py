"""Equations of motion as expressions: derived, counted, differentiated, run as code.

Everything lives on a tape of scalar operations that shares common parts by
construction; see ``tape``.
"""

from equipoise.equations.blocks.assemble import assembled
from equipoise.equations.blocks.block import Block
from equipoise.equations.blocks.export import export
from equipoise.equations.blocks.wiring import Function, Part, Wiring, wired
from equipoise.equations.derive import EquationsOfMotion, derive
from equipoise.equations.emit.targets import TargetTrial, run_on
from equipoise.equations.linear.block import linearized
from equipoise.equations.linear.linearize import RobotLinearization, linearize
from equipoise.equations.mechanism.arms import Arm, arm, scara
from equipoise.equations.mechanism.frames import Frame, Vector
from equipoise.equations.mechanism.kane import Equations
from equipoise.equations.mechanism.legged import Leg, Legged, Limb, legged, warp1_system
from equipoise.equations.mechanism.system import System
from equipoise.equations.robot.ground import SpringGround
from equipoise.equations.robot.named_tree import FootPoint
from equipoise.equations.tape.derivatives import gradient, jacobian
from equipoise.equations.tape.functions import (
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
from equipoise.equations.tape.program import Operations, Program, program
from equipoise.equations.tape.sympy_view import equations_view, sympy_view
from equipoise.equations.tape.tape import Expr, Tape

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
    "TargetTrial",
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
