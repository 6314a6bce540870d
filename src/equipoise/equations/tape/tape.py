"""Expressions that share every common part by construction.

A tape is a growing list of scalar operations. Building an operation that is already
there returns the one that is there, so nothing is ever computed twice and no search for
common subexpressions is needed afterwards.

Three normal forms make more of them equal: operands of sums and products are sorted;
signs are not operations but part of the reference (``-x`` costs nothing, ``a - b`` and
``b - a`` are one operation); a division is a product with a shared reciprocal.

A reference is a signed integer, ``+i`` for the value of operation i and ``-i`` for its
negative. ``Expr`` wraps one for use with Python's operators.
"""

import math
import operator
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Literal, Union, final

from equipoise.core.errors import ConfigError, UnknownNameError

__all__ = ["Expr", "Kind", "Number", "Op", "Tape", "Value"]

Kind = Literal["parameter", "state", "input"]
Number = int | float
ZERO, ONE = 1, 2  # references of the first two operations


class Op(IntEnum):
    """Kind of an operation on its operands."""

    CONSTANT = 0
    SYMBOL = 1
    ADD = 2
    MULTIPLY = 3
    RECIPROCAL = 4
    SINE = 5
    COSINE = 6
    SQUARE_ROOT = 7
    EXPONENTIAL = 8
    LOGARITHM = 9
    ARC_TANGENT_2 = 10
    ABSOLUTE = 11
    MINIMUM = 12
    MAXIMUM = 13
    LESS = 14
    """1 where the first operand is below the second, else 0."""
    SELECT = 15
    """The second operand where the first is not zero, else the third."""


SORTED = frozenset({Op.ADD, Op.MULTIPLY, Op.MINIMUM, Op.MAXIMUM})


def _fold(op: Op, x: tuple[float, ...]) -> float:
    """Return an operation on numbers; NaN outside its domain."""
    try:
        return FOLDS[op](*x)
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan


def _less(a: float, b: float) -> float:
    """Return 1 where a < b, else 0."""
    return float(a < b)


def _select(test: float, a: float, b: float) -> float:
    """Return a where the test is not zero, else b."""
    return a if test != 0.0 else b


FOLDS: dict[Op, Callable[..., Any]] = {
    Op.ADD: operator.add,
    Op.MULTIPLY: operator.mul,
    Op.SINE: math.sin,
    Op.COSINE: math.cos,
    Op.SQUARE_ROOT: math.sqrt,
    Op.EXPONENTIAL: math.exp,
    Op.LOGARITHM: math.log,
    Op.ARC_TANGENT_2: math.atan2,
    Op.ABSOLUTE: abs,
    Op.MINIMUM: min,
    Op.MAXIMUM: max,
    Op.LESS: _less,
    Op.SELECT: _select,
}


@final
class Tape:
    """List of operations in which none occurs twice.

    ``ops[i]``, ``args[i]`` and ``value[i]`` describe operation i; number 0 is unused.
    ``rank[i]`` is 0 for numbers, 1 for what depends on parameters alone (computed once,
    before anything runs) and 2 for the rest.
    """

    def __init__(self) -> None:
        self.ops: list[Op] = [Op.CONSTANT]
        self.args: list[tuple[int, ...]] = [()]
        self.value: list[float] = [math.nan]
        self.rank: list[int] = [0]
        self.names: dict[str, int] = {}
        self.kinds: dict[int, Kind] = {}
        self._found: dict[tuple[int, ...], int] = {}
        self._numbers: dict[float, int] = {}
        for value in (0.0, 1.0):
            self.number(value)

    def __len__(self) -> int:
        return len(self.ops) - 1

    def symbol(self, name: str, kind: Kind) -> "Expr":
        """Return a new symbol.

        Raises:
            ConfigError: the name is taken.
        """
        if name in self.names:
            raise ConfigError("the equations", [f"the name '{name}' is used twice"])
        index = self._append(Op.SYMBOL, (), math.nan, 1 if kind == "parameter" else 2)
        self.names[name] = index
        self.kinds[index] = kind
        return Expr(self, index)

    def find(self, name: str) -> "Expr":
        """Return a symbol by name.

        Raises:
            UnknownNameError: there is none.
        """
        if name not in self.names:
            raise UnknownNameError("symbol", name, list(self.names), "the equations")
        return Expr(self, self.names[name])

    def constant(self, value: Number) -> "Expr":
        """Return a number.

        Raises:
            ConfigError: it is not finite.
        """
        return Expr(self, self.number(float(value)))

    def number(self, value: float) -> int:
        """Return the reference of a number."""
        if not math.isfinite(value):
            problem = f"a number in an expression must be finite, got {value}"
            raise ConfigError("the equations", [problem])
        size = abs(value)
        index = self._numbers.get(size)
        if index is None:
            index = self._append(Op.CONSTANT, (), size, 0)
            self._numbers[size] = index
        return -index if value < 0.0 else index

    def add(self, a: int, b: int) -> int:
        """Return the reference of a + b."""
        i, j = abs(a), abs(b)
        if i == ZERO:
            return b
        if j == ZERO:
            return a
        if i == j:
            return ZERO if a != b else self.multiply(self.number(2.0), a)
        if i > j:
            a, b, i, j = b, a, j, i
        if self.rank[i] == 0 and self.rank[j] == 0:
            return self.number(self._number_at(a) + self._number_at(b))
        if self._is_circle(i, j) and (a > 0) == (b > 0):
            return ONE if a > 0 else -ONE
        if a < 0:
            return -self._node(Op.ADD, (-a, -b))
        return self._node(Op.ADD, (a, b))

    def multiply(self, a: int, b: int) -> int:
        """Return the reference of a b."""
        i, j = abs(a), abs(b)
        sign = 1 if (a > 0) == (b > 0) else -1
        if i == ZERO or j == ZERO:
            return ZERO
        if i == ONE:
            return sign * j
        if j == ONE:
            return sign * i
        if self.rank[j] == 0 or (i > j and self.rank[i] != 0):
            i, j = j, i  # a number first, else the older operation
        if self.rank[i] == 0:
            if self.rank[j] == 0:
                return sign * self.number(self.value[i] * self.value[j])
            if self.ops[j] is Op.MULTIPLY and self.rank[self.args[j][0]] == 0:
                inner, rest = self.args[j]
                product = self.number(self.value[i] * self.value[inner])
                return sign * self.multiply(product, rest)
        if self.ops[j] is Op.RECIPROCAL and abs(self.args[j][0]) == i:
            return sign * ONE if self.args[j][0] > 0 else -sign * ONE
        return sign * self._node(Op.MULTIPLY, (i, j))

    def reciprocal(self, a: int) -> int:
        """Return the reference of 1 / a.

        Raises:
            ConfigError: a is zero.
        """
        i, sign = abs(a), (1 if a > 0 else -1)
        if i == ZERO:
            raise ConfigError("the equations", ["a division by zero"])
        if self.rank[i] == 0:
            return sign * self.number(1.0 / self.value[i])
        if self.ops[i] is Op.RECIPROCAL:
            return sign * self.args[i][0]
        return sign * self._node(Op.RECIPROCAL, (i,))

    def apply(self, op: Op, args: tuple[int, ...]) -> int:
        """Return the reference of any operation on references.

        Raises:
            ConfigError: an operation on numbers outside its domain.
        """
        if op is Op.ADD:
            return self.add(*args)
        if op is Op.MULTIPLY:
            return self.multiply(*args)
        if op is Op.RECIPROCAL:
            return self.reciprocal(*args)
        sign = 1
        if op is Op.SINE and args[0] < 0:
            sign, args = -1, (-args[0],)
        elif op in (Op.COSINE, Op.ABSOLUTE):
            args = (abs(args[0]),)
        elif op in SORTED:
            args = tuple(sorted(args))
            if args[0] == args[1]:
                return args[0]
        elif op is Op.SELECT:
            if args[1] == args[2]:
                return args[1]
            if self.rank[abs(args[0])] == 0:
                return args[1] if self._number_at(args[0]) != 0.0 else args[2]
        if all(self.rank[abs(a)] == 0 for a in args):
            return sign * self.number(_fold(op, tuple(map(self._number_at, args))))
        return sign * self._node(op, args)

    def existing(self, op: Op, args: tuple[int, ...]) -> int | None:
        """Return the existing reference of an operation, or None if there is none."""
        size = len(self.ops)
        found = self.apply(op, args)
        if len(self.ops) == size:
            return found
        self._forget(size)
        return None

    def _number_at(self, reference: int) -> float:
        value = self.value[abs(reference)]
        return value if reference > 0 else -value

    def _is_circle(self, i: int, j: int) -> bool:
        """Return whether these are sin^2 and cos^2 of the same angle."""
        if self.ops[i] is not Op.MULTIPLY or self.ops[j] is not Op.MULTIPLY:
            return False
        (a, b), (c, d) = self.args[i], self.args[j]
        if a != b or c != d or self.args[a] != self.args[c]:
            return False
        return {self.ops[a], self.ops[c]} == {Op.SINE, Op.COSINE}

    def _node(self, op: Op, args: tuple[int, ...]) -> int:
        key = (op, *args)
        index = self._found.get(key)
        if index is None:
            rank = max(self.rank[abs(a)] for a in args)
            index = self._append(op, args, math.nan, rank)
            self._found[key] = index
        return index

    def _append(self, op: Op, args: tuple[int, ...], value: float, rank: int) -> int:
        self.ops.append(op)
        self.args.append(args)
        self.value.append(value)
        self.rank.append(rank)
        return len(self.ops) - 1

    def _forget(self, size: int) -> None:
        for i in range(len(self.ops) - 1, size - 1, -1):
            if self.ops[i] is Op.CONSTANT:
                del self._numbers[self.value[i]]
            else:
                del self._found[(self.ops[i], *self.args[i])]
            del self.ops[i], self.args[i], self.value[i], self.rank[i]


@final
class Expr:
    """Scalar on a tape, used like a number."""

    __slots__ = ("ref", "tape")

    def __init__(self, tape: Tape, ref: int) -> None:
        self.tape = tape
        self.ref = ref

    def __add__(self, other: "Value") -> "Expr":
        return Expr(self.tape, self.tape.add(self.ref, self._ref_of(other)))

    def __sub__(self, other: "Value") -> "Expr":
        return Expr(self.tape, self.tape.add(self.ref, -self._ref_of(other)))

    def __mul__(self, other: "Value") -> "Expr":
        return Expr(self.tape, self.tape.multiply(self.ref, self._ref_of(other)))

    def __truediv__(self, other: "Value") -> "Expr":
        inverse = self.tape.reciprocal(self._ref_of(other))
        return Expr(self.tape, self.tape.multiply(self.ref, inverse))

    def __rsub__(self, other: "Value") -> "Expr":
        return -self + other

    def __rtruediv__(self, other: "Value") -> "Expr":
        inverse = self.tape.reciprocal(self.ref)
        return Expr(self.tape, self.tape.multiply(inverse, self._ref_of(other)))

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> "Expr":
        return Expr(self.tape, -self.ref)

    def __pos__(self) -> "Expr":
        return self

    def __pow__(self, power: int) -> "Expr":
        if power != int(power):
            problem = f"a power must be a whole number, got {power!r}"
            raise ConfigError("the equations", [problem])
        if power < 0:
            return 1 / self**-power
        result = Expr(self.tape, ONE)
        for _ in range(int(power)):
            result = result * self
        return result

    def __abs__(self) -> "Expr":
        return Expr(self.tape, self.tape.apply(Op.ABSOLUTE, (self.ref,)))

    def __lt__(self, other: "Value") -> "Expr":
        args = (self.ref, self._ref_of(other))
        return Expr(self.tape, self.tape.apply(Op.LESS, args))

    def __gt__(self, other: "Value") -> "Expr":
        args = (self._ref_of(other), self.ref)
        return Expr(self.tape, self.tape.apply(Op.LESS, args))

    def __bool__(self) -> bool:
        problem = "an expression is neither true nor false; use where(test, a, b)"
        raise ConfigError("the equations", [problem])

    @property
    def is_zero(self) -> bool:
        """Whether the expression is structurally zero."""
        return abs(self.ref) == ZERO

    @property
    def number(self) -> float | None:
        """Value of the expression if it is a number, otherwise None."""
        i = abs(self.ref)
        if self.tape.rank[i] != 0:
            return None
        return self.tape.value[i] if self.ref > 0 else -self.tape.value[i]

    def _ref_of(self, other: "Value") -> int:
        if isinstance(other, Expr):
            if other.tape is not self.tape:
                problem = "expressions of two different systems cannot be mixed"
                raise ConfigError("the equations", [problem])
            return other.ref
        return self.tape.number(float(other))


Value = Union[Expr, int, float]  # noqa: UP007  # a string of it is not a type
