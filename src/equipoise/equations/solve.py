"""Linear equations with a symmetric positive matrix of expressions.

The factors L' D L are taken from the last row up, so that a mass matrix of a tree keeps
its zeros: nothing appears between two branches [Featherstone2008] section 6.5.
"""

from collections.abc import Collection, Mapping, Sequence

from equipoise.equations.tape import Expr
from equipoise.equations.vectors import total

__all__ = ["solved"]


def solved(matrix: Mapping[tuple[int, int], Expr], right: Sequence[Expr]) -> list[Expr]:
    """Return x with A x = b.

    Args:
        matrix: upper triangle of A by row and column; what is missing is zero.
        right: b, (n,).
    """
    n = len(right)
    a = {key: e for key, e in matrix.items() if not e.is_zero}
    above = filled(n, a)
    branch = branches(above)
    zero = 0.0 * right[0]
    changes: dict[tuple[int, int], dict[int, Expr]] = {}
    factor: dict[tuple[int, int], Expr] = {}
    inverse: list[Expr] = [zero] * n
    for k in reversed(range(n)):
        for i in [*above[k], k]:
            parts = changes.get((i, k))
            if parts is not None:
                a[i, k] = a.get((i, k), zero) - total(list(parts.values()))
        inverse[k] = 1 / a[k, k]
        for i in above[k]:
            factor[i, k] = a[i, k] * inverse[k]
            for j in above[k]:
                if j <= i:
                    parts = changes.setdefault((j, i), {})
                    change = factor[i, k] * a[j, k]
                    key = branch[k, i]
                    parts[key] = parts[key] + change if key in parts else change
    return substituted(right, above, branch, factor, inverse)


def filled(n: int, entries: Collection[tuple[int, int]]) -> list[list[int]]:
    """Return the rows above the diagonal in each column, after elimination."""
    above = [{i for i in range(k) if (i, k) in entries} for k in range(n)]
    for k in reversed(range(n)):
        for i in above[k]:
            above[i] |= {j for j in above[k] if j < i}
    return [sorted(rows) for rows in above]


def branches(above: Sequence[Sequence[int]]) -> dict[tuple[int, int], int]:
    """Return in which branch below row i each row k lies, by (k, i).

    A branch is named by its first row after the last fork between i and k; without a
    fork by i. Sums are taken branch by branch, so that equal legs are summed alike.
    """
    n = len(above)
    parent = [max(rows, default=-1) for rows in above]
    children = [parent.count(k) for k in range(n)]
    found: dict[tuple[int, int], int] = {}
    for k in range(n):
        for i in above[k]:
            name, row = i, k
            while row != i:
                if children[parent[row]] > 1:
                    name = row
                row = parent[row]
            found[k, i] = name
    return found


def substituted(
    right: Sequence[Expr],
    above: Sequence[Sequence[int]],
    branch: Mapping[tuple[int, int], int],
    factor: Mapping[tuple[int, int], Expr],
    inverse: Sequence[Expr],
) -> list[Expr]:
    """Return the solution from the factors."""
    x = list(right)
    n = len(x)
    changes: list[dict[int, Expr]] = [{} for _ in range(n)]
    for k in reversed(range(n)):
        if changes[k]:
            x[k] = x[k] - total(list(changes[k].values()))
        for i in above[k]:
            change, key = factor[i, k] * x[k], branch[k, i]
            parts = changes[i]
            parts[key] = parts[key] + change if key in parts else change
    for k in range(n):
        x[k] = x[k] * inverse[k]
        if above[k]:
            x[k] = x[k] - total([factor[i, k] * x[i] for i in above[k]])
    return x
