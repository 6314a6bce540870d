"""Small dense algebra for the recursions: six by six, no allocation."""

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["add_inverse6", "inverse6", "solve_spd6"]


@compiled(allocates=False)
def inverse6(room: Array, source: int, target: int) -> None:
    """Write the inverse of room[source] to room[target]; the source is destroyed.

    Gauss-Jordan elimination with row pivoting. A singular matrix gives infinities.
    """
    for r in range(6):
        for c in range(6):
            room[target, r, c] = 1.0 if r == c else 0.0
    for p in range(6):
        best = p
        for r in range(p + 1, 6):
            if abs(room[source, r, p]) > abs(room[source, best, p]):
                best = r
        if best != p:
            for c in range(6):
                room[source, p, c], room[source, best, c] = (
                    room[source, best, c], room[source, p, c],
                )  # fmt: skip
                room[target, p, c], room[target, best, c] = (
                    room[target, best, c], room[target, p, c],
                )  # fmt: skip
        scale = 1.0 / room[source, p, p]
        for c in range(6):
            room[source, p, c] *= scale
            room[target, p, c] *= scale
        for r in range(6):
            if r != p:
                factor = room[source, r, p]
                for c in range(6):
                    room[source, r, c] -= factor * room[source, p, c]
                    room[target, r, c] -= factor * room[target, p, c]


@compiled(allocates=False)
def add_inverse6(room: Array, total: Array, i: int, bias: Array) -> None:
    """Add P = Ω⁻¹ to total[i] and -P α to bias[i], for Ω = room[0], α = room[2, 0]."""
    for r in range(6):
        for c in range(6):
            room[3, r, c] = room[0, r, c]
    inverse6(room, 3, 1)
    for r in range(6):
        for c in range(6):
            total[i, r, c] += 0.5 * (room[1, r, c] + room[1, c, r])
            bias[i, r] -= room[1, r, c] * room[2, 0, c]


@compiled(allocates=False)
def solve_spd6(A: Array, slot: int, x: Array) -> None:
    """Solve A[slot] x = x in place by Cholesky; A's lower half is overwritten."""
    for r in range(6):
        for c in range(r + 1):
            total = A[slot, r, c]
            for d in range(c):
                total -= A[slot, r, d] * A[slot, c, d]
            A[slot, r, c] = total**0.5 if r == c else total / A[slot, c, c]
    for r in range(6):
        for d in range(r):
            x[r] -= A[slot, r, d] * x[d]
        x[r] /= A[slot, r, r]
    for r in range(5, -1, -1):
        for d in range(r + 1, 6):
            x[r] -= A[slot, d, r] * x[d]
        x[r] /= A[slot, r, r]
