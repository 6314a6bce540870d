"""A symmetric matrix of expressions, kept as its upper triangle without zeros."""

from collections.abc import Iterator, Mapping
from typing import final

from equipoise.equations.tape.tape import Expr

__all__ = ["Symmetric"]


@final
class Symmetric(Mapping[tuple[int, int], Expr]):
    """Entries by row and column, either way round; ``len`` and loops see those kept."""

    def __init__(self, entries: Mapping[tuple[int, int], Expr], zero: Expr, n: int):
        self._entries = {key: e for key, e in entries.items() if not e.is_zero}
        self._zero = zero
        self.n = n
        """How many rows there are."""

    def __getitem__(self, place: tuple[int, int]) -> Expr:
        i, j = place
        if not (0 <= i < self.n and 0 <= j < self.n):
            raise IndexError(f"a matrix of {self.n} rows has no entry {i}, {j}.")
        return self._entries.get((min(i, j), max(i, j)), self._zero)

    def __contains__(self, place: object) -> bool:
        return place in self._entries

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def rows(self) -> list[list[Expr]]:
        """Return all of it, zeros too."""
        return [[self[i, j] for j in range(self.n)] for i in range(self.n)]
