"""Equations of motion as expressions: derived, counted, differentiated, run as code.

Everything lives on a tape of scalar operations that shares common parts by
construction; see ``tape``.
"""

from typing import TYPE_CHECKING

from equipoise.core.door import door

if TYPE_CHECKING:
    from equipoise.equations.blocks.assemble import assembled
    from equipoise.equations.blocks.block import Block
    from equipoise.equations.blocks.export import export_block
    from equipoise.equations.blocks.wiring import Function, Part, Wiring, wired
    from equipoise.equations.emit.targets import TargetTrial, run_on
    from equipoise.equations.linear.block import linearized
    from equipoise.equations.linear.linearize import RobotLinearization, linearize
    from equipoise.equations.margins.batch import (
        MarginBatch,
        cone_margins,
        pressure_margins,
        soft_margins,
        static_margins,
    )
    from equipoise.equations.margins.export import export_margin
    from equipoise.equations.mechanism.arms import Arm, arm, scara
    from equipoise.equations.mechanism.frames import Frame, Vector
    from equipoise.equations.mechanism.kane import Equations
    from equipoise.equations.mechanism.legged import (
        Leg,
        Legged,
        Limb,
        legged,
        warp1_system,
    )
    from equipoise.equations.mechanism.system import System
    from equipoise.equations.motion import EquationsOfMotion, derive
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
    "MarginBatch",
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
    "cone_margins",
    "cos",
    "derive",
    "equations_view",
    "exp",
    "export_block",
    "export_margin",
    "gradient",
    "jacobian",
    "legged",
    "less",
    "linearize",
    "linearized",
    "log",
    "maximum",
    "minimum",
    "pressure_margins",
    "program",
    "run_on",
    "scara",
    "sin",
    "soft_margins",
    "sqrt",
    "static_margins",
    "sympy_view",
    "tan",
    "tanh",
    "warp1_system",
    "where",
    "wired",
]

__getattr__ = door(
    __name__,
    {
        "Arm": "mechanism.arms",
        "Block": "blocks.block",
        "Equations": "mechanism.kane",
        "EquationsOfMotion": "motion",
        "Expr": "tape.tape",
        "FootPoint": "robot.named_tree",
        "Frame": "mechanism.frames",
        "Function": "blocks.wiring",
        "Leg": "mechanism.legged",
        "Legged": "mechanism.legged",
        "Limb": "mechanism.legged",
        "MarginBatch": "margins.batch",
        "Operations": "tape.program",
        "Part": "blocks.wiring",
        "Program": "tape.program",
        "RobotLinearization": "linear.linearize",
        "SpringGround": "robot.ground",
        "System": "mechanism.system",
        "Tape": "tape.tape",
        "TargetTrial": "emit.targets",
        "Vector": "mechanism.frames",
        "Wiring": "blocks.wiring",
        "arm": "mechanism.arms",
        "assembled": "blocks.assemble",
        "atan2": "tape.functions",
        "cone_margins": "margins.batch",
        "cos": "tape.functions",
        "derive": "motion",
        "equations_view": "tape.sympy_view",
        "exp": "tape.functions",
        "export_block": "blocks.export",
        "export_margin": "margins.export",
        "gradient": "tape.derivatives",
        "jacobian": "tape.derivatives",
        "legged": "mechanism.legged",
        "less": "tape.functions",
        "linearize": "linear.linearize",
        "linearized": "linear.block",
        "log": "tape.functions",
        "maximum": "tape.functions",
        "minimum": "tape.functions",
        "pressure_margins": "margins.batch",
        "program": "tape.program",
        "run_on": "emit.targets",
        "scara": "mechanism.arms",
        "sin": "tape.functions",
        "soft_margins": "margins.batch",
        "sqrt": "tape.functions",
        "static_margins": "margins.batch",
        "sympy_view": "tape.sympy_view",
        "tan": "tape.functions",
        "tanh": "tape.functions",
        "warp1_system": "mechanism.legged",
        "where": "tape.functions",
        "wired": "blocks.wiring",
    },
)
