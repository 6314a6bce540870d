"""The choice of generalised speeds: rates of coordinates from definitions of speeds.

Speeds may be given as combinations w = W(q) dq/dt + f(q); the kinematic equations are
then dq/dt = W⁻¹ (w - f), [Ridderstrom2003] eq. (6.3).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.block import free_symbols
from equipoise.equations.tape.derivatives import jacobian
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import live_operations, program
from equipoise.equations.tape.tape import Expr, Op, Tape

__all__ = ["check_speeds", "probed", "rates_from_definitions", "substituted"]

GOLDEN = 0.6180339887498949
SINGULAR = 1e-9  # of what rows or columns measure, at an arbitrary state


def probed(expressions: Sequence[Expr]) -> Array:
    """Return values at one arbitrary state, (n,): any accident there is unlikely.

    Where that is outside the domain of a function, states nearer to zero are tried.
    """
    symbols = free_symbols(expressions)
    parameters = [s for s in symbols if s.tape.rank[s.ref] == 1]
    others = [s for s in symbols if s.tape.rank[s.ref] == 2]
    made = program(expressions, others, parameters)
    x, p = (np.array([_arbitrary(s) for s in group]) for group in (others, parameters))
    found = np.zeros(len(expressions))
    for scale in (1.0, 0.5, 0.2, 0.05):
        with np.errstate(all="ignore"):
            found = interpret(made, scale * x, p)
        if np.isfinite(found).all():
            break
    return found


def _arbitrary(symbol: Expr) -> float:
    """Return a number between 0.3 and 1.3, another one for each symbol."""
    return 0.3 + (symbol.ref * GOLDEN) % 1.0


def rates_from_definitions(
    definitions: Mapping[str, tuple[Expr, Expr]], unknown: Mapping[str, Expr]
) -> dict[str, Expr]:
    """Return the rates of coordinates from definitions of speeds.

    Args:
        definitions: by speed, its symbol and its expression in rates.
        unknown: by coordinate, the symbol that stands for its rate.

    Raises:
        ConfigError: too few or too many speeds are defined, a definition is not linear
            in the rates, or the definitions do not determine them.
    """
    names, coordinates = list(definitions), list(unknown)
    if len(names) != len(coordinates):
        problem = (
            f"{len(names)} speeds ({', '.join(names)}) are defined for "
            f"{len(coordinates)} rates ({', '.join(coordinates)})"
        )
        raise ConfigError("the choice of speeds", [problem])
    symbols = list(unknown.values())
    forms = [definition for _, definition in definitions.values()]
    W = jacobian(forms, symbols)
    tape = forms[0].tape
    rest = substituted(forms, {s.ref: tape.constant(0.0) for s in symbols})
    for name, row in zip(names, W, strict=True):
        if {s.ref for s in free_symbols(row)} & {s.ref for s in symbols}:
            problem = f"'{name}' is not linear in the rates of coordinates"
            raise ConfigError("the choice of speeds", [problem])
    right = [w - e for (w, _), e in zip(definitions.values(), rest, strict=True)]
    return dict(zip(coordinates, _eliminated(W, right, names), strict=True))


def _eliminated(
    matrix: Sequence[Sequence[Expr]], right: Sequence[Expr], names: Sequence[str]
) -> list[Expr]:
    """Return x with A x = b by elimination, pivots chosen at an arbitrary state.

    Args:
        matrix: rows of A.
        right: b.
        names: of the rows, for the error.

    Raises:
        ConfigError: the matrix is singular.
    """
    n = len(right)
    a = [list(row) for row in matrix]
    b = list(right)
    sizes = [float(np.abs(probed(row)).max()) for row in a]
    rows, pivots = list(range(n)), [-1] * n
    for _ in range(n):
        i, j = _pivot(a, rows, [k for k in range(n) if k not in pivots], names, sizes)
        pivots[i] = j
        rows.remove(i)
        inverse = 1 / a[i][j]
        a[i] = [e * inverse for e in a[i]]
        b[i] = b[i] * inverse
        for k in range(n):
            factor = a[k][j]
            if k != i and not factor.is_zero:
                a[k] = [e - factor * p for e, p in zip(a[k], a[i], strict=True)]
                a[k][j] = factor * 0.0
                b[k] = b[k] - factor * b[i]
    return [b[pivots.index(j)] for j in range(n)]


def _pivot(
    a: Sequence[Sequence[Expr]],
    rows: Sequence[int],
    columns: Sequence[int],
    names: Sequence[str],
    sizes: Sequence[float],
) -> tuple[int, int]:
    """Return where to eliminate next: numbers first, then rows with few entries."""
    entries = [(i, j) for i in rows for j in columns if not a[i][j].is_zero]
    values = probed([a[i][j] for i, j in entries]) if entries else np.zeros(0)
    good = [
        (a[i][j].number is None, sum(not a[i][k].is_zero for k in columns), i, j)
        for (i, j), value in zip(entries, values, strict=True)
        if not abs(value) <= SINGULAR * sizes[i]  # a NaN may be a number elsewhere
    ]
    for i in rows:
        if not any(row == i for _, _, row, _ in good):
            problem = (
                f"'{names[i]}' follows from the other speeds: the choice is singular"
            )
            raise ConfigError("the choice of speeds", [problem])
    _, _, i, j = min(good)
    return i, j


def check_speeds(
    rates: Mapping[str, Expr], speeds: Sequence[Expr], names: Sequence[str]
) -> None:
    """Refuse rates that are not linear in the speeds, or speeds that do nothing.

    Args:
        rates: of the coordinates, by name.
        speeds: the symbols.
        names: of the speeds.

    Raises:
        ConfigError: with the name of the coordinate or speed.
    """
    if not rates or not speeds:
        return
    A = jacobian(list(rates.values()), speeds)
    own = {s.ref for s in speeds}
    for name, row in zip(rates, A, strict=True):
        if {s.ref for s in free_symbols(row)} & own:
            problem = f"the rate of '{name}' is not linear in the speeds"
            raise ConfigError("the kinematic equations", [problem])
    values = probed([e for row in A for e in row]).reshape(len(A), len(speeds))
    if not np.isfinite(values).all():
        return
    lengths = np.linalg.norm(values, axis=0)
    scaled = values / np.where(lengths > 0.0, lengths, 1.0)
    _, sizes, turns = np.linalg.svd(scaled)
    sizes = np.append(sizes, np.zeros(max(0, len(speeds) - len(sizes))))
    if sizes[len(speeds) - 1] <= SINGULAR:
        name = names[int(np.argmax(np.abs(turns[-1])))]
        problem = (
            f"'{name}' can change without any coordinate moving: the choice of speeds "
            "is singular"
        )
        raise ConfigError("the kinematic equations", [problem])


def substituted(expressions: Sequence[Expr], new: Mapping[int, Expr]) -> list[Expr]:
    """Return expressions with some symbols replaced.

    Args:
        expressions: all of one tape.
        new: what to put for symbols, by number.
    """
    if not expressions:
        return []
    tape: Tape = expressions[0].tape
    known: dict[int, int] = {i: e.ref for i, e in new.items()}
    for i in live_operations(tape, [e.ref for e in expressions]):
        args = tape.args[i]
        if i not in known and any(abs(a) in known for a in args):
            turned = tuple(
                a if abs(a) not in known else (known[a] if a > 0 else -known[-a])
                for a in args
            )
            known[i] = tape.apply(Op(tape.ops[i]), turned)
    found = [known.get(abs(e.ref), abs(e.ref)) for e in expressions]
    return [
        Expr(tape, r if e.ref > 0 else -r)
        for e, r in zip(expressions, found, strict=True)
    ]
