"""How many sums, products, sines and cosines others' expressions have."""

from collections.abc import Iterable
from typing import Any

from equipoise.equations.tape.program import Operations

__all__ = ["of_casadi", "of_trees"]


def of_trees(expressions: Iterable[Any]) -> Operations:
    """Return the operations of expressions of sympy or symengine, common parts apart.

    A sum or product of n operands counts n - 1; a sign nothing; a power of two or minus
    one counts one, as a product or division.
    """
    add = mul = trig = other = 0
    stack = list(expressions)
    while stack:
        e = stack.pop()
        kind, args = type(e).__name__, list(getattr(e, "args", []))
        if hasattr(e, "name"):  # a symbol, even one that depends on time
            continue
        stack += args
        if kind == "Add":
            add += len(args) - 1
        elif kind == "Mul":
            mul += len(args) - 1 - sum(1 for a in args if a == -1)
        elif kind == "Pow":
            mul += max(1, abs(int(args[1])) - 1)
        elif kind.lower() in ("sin", "cos"):
            trig += 1
        elif args:
            other += 1
    return Operations(add, mul, trig, other)


def of_casadi(function: Any) -> Operations:
    """Return the operations of a function of CasADi; signs count nothing."""
    import casadi as ca

    adds = {ca.OP_ADD, ca.OP_SUB}
    muls = {ca.OP_MUL, ca.OP_DIV, ca.OP_SQ, ca.OP_TWICE, ca.OP_INV}
    trigs = {ca.OP_SIN, ca.OP_COS}
    free = {ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST, ca.OP_NEG, ca.OP_ASSIGN}
    ids = [function.instruction_id(k) for k in range(function.n_instructions())]
    counts = [sum(i in some for i in ids) for some in (adds, muls, trigs)]
    others = sum(i not in adds | muls | trigs | free for i in ids)
    return Operations(counts[0], counts[1], counts[2], others)
