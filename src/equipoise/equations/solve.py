"""Linear equations with a symmetric positive matrix of expressions.

The factors L' D L are taken from the last row up, so that a mass matrix of a tree keeps
its zeros: nothing appears between two branches [Featherstone2008] section 6.5.
"""

from collections.abc import Mapping, Sequence

from equipoise.equations.tape import Expr

__all__ = ["solved"]


def solved(matrix: Mapping[tuple[int, int], Expr], right: Sequence[Expr]) -> list[Expr]:
    """Return x with A x = b.

    Args:
        matrix: upper triangle of A by row and column; what is missing is zero.
        right: b, (n,).
    """
    n = len(right)
    a = {key: e for key, e in matrix.items() if not e.is_zero}
    above: list[list[int]] = [[] for _ in range(n)]
    factor: dict[tuple[int, int], Expr] = {}
    inverse: list[Expr] = [right[0]] * n
    for k in reversed(range(n)):
        above[k] = [i for i in range(k) if (i, k) in a]
        inverse[k] = 1 / a[k, k]
        for i in reversed(above[k]):
            share = a[i, k] * inverse[k]
            for j in above[k]:
                if j <= i:
                    change = share * a[j, k]
                    a[j, i] = a[j, i] - change if (j, i) in a else -change
            factor[i, k] = share
    x = list(right)
    for k in reversed(range(n)):
        for i in above[k]:
            x[i] = x[i] - factor[i, k] * x[k]
    for k in range(n):
        x[k] = x[k] * inverse[k]
        for i in above[k]:
            x[k] = x[k] - factor[i, k] * x[i]
    return x
