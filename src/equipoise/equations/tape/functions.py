"""Functions of expressions; each also takes plain numbers beside an expression."""

from equipoise.core.errors import ConfigError
from equipoise.equations.tape.tape import Expr, Op, Value

__all__ = [
    "atan2",
    "cos",
    "exp",
    "less",
    "log",
    "maximum",
    "minimum",
    "sin",
    "sqrt",
    "tan",
    "tanh",
    "where",
]


def sin(x: Expr) -> Expr:
    """Return the sine of an angle [rad]."""
    return _of(Op.SINE, x)


def cos(x: Expr) -> Expr:
    """Return the cosine of an angle [rad]."""
    return _of(Op.COSINE, x)


def tan(x: Expr) -> Expr:
    """Return the tangent of an angle [rad]."""
    return sin(x) / cos(x)


def sqrt(x: Expr) -> Expr:
    """Return the square root."""
    return _of(Op.SQUARE_ROOT, x)


def exp(x: Expr) -> Expr:
    """Return e to the power x."""
    return _of(Op.EXPONENTIAL, x)


def log(x: Expr) -> Expr:
    """Return the natural logarithm."""
    return _of(Op.LOGARITHM, x)


def tanh(x: Expr) -> Expr:
    """Return the hyperbolic tangent, 1 - 2 / (e^2x + 1)."""
    return 1 - 2 / (exp(2 * x) + 1)


def atan2(y: Value, x: Value) -> Expr:
    """Return the angle of the point (x, y) [rad]."""
    return _of(Op.ARC_TANGENT_2, y, x)


def minimum(a: Value, b: Value) -> Expr:
    """Return the smaller of two."""
    return _of(Op.MINIMUM, a, b)


def maximum(a: Value, b: Value) -> Expr:
    """Return the larger of two."""
    return _of(Op.MAXIMUM, a, b)


def less(a: Value, b: Value) -> Expr:
    """Return 1 if a < b, otherwise 0."""
    return _of(Op.LESS, a, b)


def where(test: Expr, a: Value, b: Value) -> Expr:
    """Return a if the test is not zero, otherwise b."""
    return _of(Op.SELECT, test, a, b)


def _of(op: Op, *operands: Value) -> Expr:
    """Return an operation on expressions and numbers, at least one an expression.

    Raises:
        ConfigError: only numbers.
    """
    tapes = [x.tape for x in operands if isinstance(x, Expr)]
    if not tapes:
        problem = f"one operand must be an expression, got {operands}"
        raise ConfigError(op.name.lower(), [problem])
    tape = tapes[0]
    refs = tuple(
        (x + 0).ref if isinstance(x, Expr) else tape.number(x) for x in operands
    )
    if any(t is not tape for t in tapes):
        problem = "expressions of two different systems cannot be mixed"
        raise ConfigError(op.name.lower(), [problem])
    return Expr(tape, tape.apply(op, refs))
