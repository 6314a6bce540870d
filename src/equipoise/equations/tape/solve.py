"""Linear equations with a symmetric positive matrix of expressions.

The factors L' D L are taken from the last row up, so that a mass matrix of a tree keeps
its zeros: nothing appears between two branches [Featherstone2008] section 6.5.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import total

__all__ = ["symbolic_solution"]

Key = TypeVar("Key", bound=Hashable)


def symbolic_solution(
    matrix: Mapping[tuple[int, int], Expr], right: Sequence[Expr]
) -> list[Expr]:
    """Return x with A x = b.

    What one pivot needs of the pivot before is computed in the shortest way, since no
    processor can begin with it earlier: with d = a - b b / c as a - (b b) (1 / c), not
    as a - (b / c) b.

    Args:
        matrix: upper triangle of A by row and column; what is missing is zero.
        right: b, (n,).
    """
    n = len(right)
    zero = 0.0 * right[0]
    above = _filled(n, {key for key, e in matrix.items() if not e.is_zero})
    branch = _branches(above)
    a = PartialSums(dict(matrix), zero)
    factor: dict[tuple[int, int], Expr] = {}
    inverse: list[Expr] = [zero] * n
    for k in reversed(range(n)):
        inverse[k] = 1 / a.whole((k, k))
        column = {i: a.whole((i, k)) for i in above[k]}
        for i in above[k]:
            factor[i, k] = column[i] * inverse[k]
            for j in above[k]:
                if j < i or (j == i and i != above[k][-1]):
                    a.less((j, i), factor[i, k] * column[j], branch[k, i])
                elif j == i:
                    square = column[i] * column[i]
                    a.less((i, i), square * inverse[k], branch[k, i])
    return _substituted(right, above, branch, factor, inverse)


class PartialSums(Generic[Key]):
    """Values from which parts are taken, branch by branch and then one by one.

    Args:
        start: the values.
        zero: what is not among them.
    """

    def __init__(self, start: dict[Key, Expr], zero: Expr) -> None:
        self.start, self.zero = start, zero
        self.parts: dict[Key, dict[int, Expr]] = {}

    def less(self, key: Key, part: Expr, branch: int | None) -> None:
        """Take a part away.

        Args:
            key: from which value.
            part: what.
            branch: in which branch it comes up; None on the way to the last fork, where
                all branches are complete.
        """
        if branch is None:
            self.start[key] = self.whole(key) - part
            return
        parts = self.parts.setdefault(key, {})
        parts[branch] = parts[branch] + part if branch in parts else part

    def whole(self, key: Key) -> Expr:
        """Return what is left of a value; its branches are complete."""
        value, parts = self.start.get(key, self.zero), self.parts.pop(key, {})
        if parts:
            value = value - total(list(parts.values()))
            self.start[key] = value
        return value


def _filled(n: int, entries: Collection[tuple[int, int]]) -> list[list[int]]:
    """Return the rows above the diagonal in each column, after elimination."""
    above = [{i for i in range(k) if (i, k) in entries} for k in range(n)]
    for k in reversed(range(n)):
        for i in above[k]:
            above[i] |= {j for j in above[k] if j < i}
    return [sorted(rows) for rows in above]


def _branches(above: Sequence[Sequence[int]]) -> dict[tuple[int, int], int | None]:
    """Return in which branch below row i each row k lies, by (k, i).

    A branch is named by its first row after the last fork between i and k; without a
    fork it is None. Sums are taken branch by branch, so that equal legs are summed
    alike.
    """
    n = len(above)
    parent = [max(rows, default=-1) for rows in above]
    children = [parent.count(k) for k in range(n)]
    found: dict[tuple[int, int], int | None] = {}
    for k in range(n):
        for i in above[k]:
            name, row = None, k
            while row != i:
                if children[parent[row]] > 1:
                    name = row
                row = parent[row]
            found[k, i] = name
    return found


def _substituted(
    right: Sequence[Expr],
    above: Sequence[Sequence[int]],
    branch: Mapping[tuple[int, int], int | None],
    factor: Mapping[tuple[int, int], Expr],
    inverse: Sequence[Expr],
) -> list[Expr]:
    """Return the solution from the factors."""
    n = len(right)
    b = PartialSums(dict(enumerate(right)), 0.0 * right[0])
    for k in reversed(range(n)):
        for i in above[k]:
            b.less(i, factor[i, k] * b.whole(k), branch[k, i])
    x: list[Expr] = []
    for k in range(n):
        value = b.whole(k) * inverse[k]
        for i in above[k]:
            value = value - factor[i, k] * x[i]
        x.append(value)
    return x
