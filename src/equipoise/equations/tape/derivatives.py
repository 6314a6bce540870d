"""Derivatives of expressions, as expressions on the same tape.

Forward mode gives the derivatives of many outputs with respect to one symbol in one
pass, reverse mode those of one output with respect to all symbols. Both leave out
everything that is zero by its structure.

At the kink of a piecewise function the derivative is that of the branch taken.
"""

from collections.abc import Iterable, Mapping, Sequence

from equipoise.equations.tape.program import live_operations
from equipoise.equations.tape.tape import ONE, ZERO, Expr, Op, Tape

__all__ = ["directional", "gradient", "jacobian", "tangents"]


def partials(tape: Tape, i: int) -> list[tuple[int, int]]:
    """Return the operands of operation i, each with the derivative by it."""
    op, args = tape.ops[i], tape.args[i]
    match op:
        case Op.ADD:
            return [(a, ONE) for a in args]
        case Op.MULTIPLY:
            return [(args[0], args[1]), (args[1], args[0])]
        case Op.RECIPROCAL:
            return [(args[0], -tape.multiply(i, i))]
        case Op.SINE:
            return [(args[0], tape.apply(Op.COSINE, args))]
        case Op.COSINE:
            return [(args[0], -tape.apply(Op.SINE, args))]
        case Op.SQUARE_ROOT:
            return [(args[0], tape.multiply(tape.number(0.5), tape.reciprocal(i)))]
        case Op.EXPONENTIAL:
            return [(args[0], i)]
        case Op.LOGARITHM:
            return [(args[0], tape.reciprocal(args[0]))]
        case Op.ARC_TANGENT_2:
            y, x = args
            square = tape.add(tape.multiply(x, x), tape.multiply(y, y))
            over = tape.reciprocal(square)
            return [(y, tape.multiply(x, over)), (x, -tape.multiply(y, over))]
        case Op.ABSOLUTE:
            below = tape.apply(Op.LESS, (args[0], ZERO))
            return [(args[0], tape.apply(Op.SELECT, (below, -ONE, ONE)))]
        case Op.MINIMUM | Op.MAXIMUM:
            first = args if op is Op.MINIMUM else args[::-1]
            test = tape.apply(Op.LESS, first)  # whether the first operand is taken
            other = tape.apply(Op.SELECT, (test, ZERO, ONE))
            return [(args[0], test), (args[1], other)]
        case Op.SELECT:
            test = args[0]
            return [
                (args[1], tape.apply(Op.SELECT, (test, ONE, ZERO))),
                (args[2], tape.apply(Op.SELECT, (test, ZERO, ONE))),
            ]
        case _:
            return []


def tangents(
    outputs: Sequence[Expr],
    seeds: dict[int, int],
    order: Sequence[int] | None = None,
) -> list[Expr]:
    """Return the derivatives of expressions along a direction.

    Args:
        outputs: what to differentiate, all of one tape.
        seeds: for symbols by number, the reference of their own derivative; a symbol
            that is not there has none.
        order: the operations between seeds and outputs, in order, where known.
    """
    if not outputs:
        return []
    tape = outputs[0].tape
    known: dict[int, int] = dict(seeds)
    for i in (
        live_operations(tape, [e.ref for e in outputs]) if order is None else order
    ):
        if i in known:
            continue
        if not any(abs(a) in known for a in tape.args[i]):
            continue
        total = ZERO
        for a, slope in partials(tape, i):
            rate = known.get(abs(a), ZERO)
            if ZERO not in (abs(rate), abs(slope)):
                total = tape.add(total, tape.multiply(slope, rate if a > 0 else -rate))
        if abs(total) != ZERO:
            known[i] = total
    found = [known.get(abs(e.ref), ZERO) for e in outputs]
    return [
        Expr(tape, d if e.ref > 0 else -d) for e, d in zip(outputs, found, strict=True)
    ]


def jacobian(outputs: Sequence[Expr], symbols: Sequence[Expr]) -> list[list[Expr]]:
    """Return the derivatives of outputs (rows) by symbols (columns), forward mode."""
    columns = directional(outputs, [{s.ref: ONE} for s in symbols])
    return [list(row) for row in zip(*columns, strict=True)] or [[] for _ in outputs]


def directional(
    outputs: Sequence[Expr], directions: Sequence[dict[int, int]]
) -> list[list[Expr]]:
    """Return the derivatives of outputs along each of several directions.

    Args:
        outputs: what to differentiate, all of one tape.
        directions: each as the seeds of ``tangents``.
    """
    users: dict[int, list[int]] = {}
    if outputs:
        tape = outputs[0].tape
        for i in live_operations(tape, [e.ref for e in outputs]):
            for a in tape.args[i]:
                users.setdefault(abs(a), []).append(i)
    return [tangents(outputs, seeds, _reached(users, seeds)) for seeds in directions]


def _reached(users: Mapping[int, Sequence[int]], starts: Iterable[int]) -> list[int]:
    """Return the operations that depend on some, in order."""
    found: set[int] = set()
    stack = list(starts)
    while stack:
        for i in users.get(stack.pop(), ()):
            if i not in found:
                found.add(i)
                stack.append(i)
    return sorted(found)


def gradient(output: Expr, symbols: Sequence[Expr]) -> list[Expr]:
    """Return the derivatives of one output by many symbols, reverse mode."""
    tape = output.tape
    weights: dict[int, int] = {abs(output.ref): ONE if output.ref > 0 else -ONE}
    for i in reversed(live_operations(tape, [output.ref])):
        weight = weights.get(i, ZERO)
        if abs(weight) == ZERO:
            continue
        for a, slope in partials(tape, i):
            share = tape.multiply(weight, slope)
            if a < 0:
                share = -share
            weights[abs(a)] = tape.add(weights.get(abs(a), ZERO), share)
    return [Expr(tape, weights.get(s.ref, ZERO)) for s in symbols]
