"""Small systems as formulas to read, through sympy, which need not be installed.

An expression on a tape is a list of operations; a formula is one line. For large
systems the line would be longer than any page.
"""

from collections.abc import Sequence
from typing import Any

from equipoise.core.errors import MissingToolError
from equipoise.equations.mechanism.kane import Equations
from equipoise.equations.tape.program import live_operations
from equipoise.equations.tape.tape import Expr, Op

__all__ = ["equations_view", "sympy_view"]

NAMES = {
    Op.SINE: "sin",
    Op.COSINE: "cos",
    Op.SQUARE_ROOT: "sqrt",
    Op.EXPONENTIAL: "exp",
    Op.LOGARITHM: "log",
    Op.ARC_TANGENT_2: "atan2",
    Op.ABSOLUTE: "Abs",
    Op.MINIMUM: "Min",
    Op.MAXIMUM: "Max",
}


def sympy_view(expressions: Sequence[Expr], *, simplify: bool = True) -> list[Any]:
    """Return expressions as sympy expressions.

    Args:
        expressions: all of one tape.
        simplify: whether sympy should look for a short form; this takes its time.

    Raises:
        MissingToolError: sympy is not installed.
    """
    try:
        import sympy
    except ImportError:
        problem = "Formulas need sympy: pip install sympy."
        raise MissingToolError(problem) from None
    if not expressions:
        return []
    tape = expressions[0].tape
    names = {i: name for name, i in tape.names.items()}
    known: dict[int, Any] = {}

    def at(reference: int) -> Any:
        return known[reference] if reference > 0 else -known[-reference]

    for i in live_operations(tape, [e.ref for e in expressions]):
        op = tape.ops[i]
        if op is Op.CONSTANT:
            known[i] = sympy.nsimplify(tape.value[i], rational=True)
        elif op is Op.SYMBOL:
            known[i] = sympy.Symbol(names[i], real=True)
        else:
            known[i] = _formula(sympy, op, [at(a) for a in tape.args[i]])
    found = [at(e.ref) for e in expressions]
    return [sympy.simplify(e) for e in found] if simplify else found


def _formula(sympy: Any, op: Op, args: Sequence[Any]) -> Any:
    """Return one operation in sympy's terms."""
    match op:
        case Op.ADD:
            return args[0] + args[1]
        case Op.MULTIPLY:
            return args[0] * args[1]
        case Op.RECIPROCAL:
            return 1 / args[0]
        case Op.LESS:
            return sympy.Piecewise((1, args[0] < args[1]), (0, True))
        case Op.SELECT:
            return sympy.Piecewise((args[1], sympy.Ne(args[0], 0)), (args[2], True))
        case _:
            return getattr(sympy, NAMES[op])(*args)


def equations_view(equations: Equations) -> tuple[Any, Any, Any]:
    """Return M, F and the kinematic equations as sympy matrices.

    Args:
        equations: of a small system.

    Raises:
        MissingToolError: sympy is not installed.
    """
    n = len(equations.speeds)
    flat = [equations.M[i, j] for i in range(n) for j in range(n)]
    found = sympy_view([*flat, *equations.F, *equations.kde])
    import sympy

    return (
        sympy.Matrix(n, n, found[: n * n]),
        sympy.Matrix(found[n * n : n * n + n]),
        sympy.Matrix(found[n * n + n :]),
    )
