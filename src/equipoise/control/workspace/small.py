"""Small dense algebra for the recursions: six by six, no allocation.

A mobility Ω (acceleration per wrench) is kept as a lower triangle S with Ω = S Sᵀ: its
condition number is the square root of Ω's, so twice as many digits survive in a leg
that is almost straight. Upper halves of such triangles are never read.
"""

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = [
    "add_column6",
    "add_inverse6",
    "inverse6",
    "invert_lower6",
    "lower_root6",
    "solve_spd6",
]


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
def lower_root6(A: Array, slot: int) -> None:
    """Overwrite A[slot], of which the lower half is read, by B with Bᵀ B = A[slot].

    A Cholesky factor made from the last row upwards, B being lower too.
    """
    for p in range(5, -1, -1):
        total = A[slot, p, p]
        for q in range(p + 1, 6):
            total -= A[slot, q, p] * A[slot, q, p]
        A[slot, p, p] = total**0.5
        for c in range(p):
            total = A[slot, p, c]
            for q in range(p + 1, 6):
                total -= A[slot, q, p] * A[slot, q, c]
            A[slot, p, c] = total / A[slot, p, p]


@compiled(allocates=False)
def invert_lower6(A: Array, slot: int) -> None:
    """Overwrite the lower triangle A[slot] by its inverse; infinities if singular."""
    for r in range(6):
        scale = 1.0 / A[slot, r, r]
        for c in range(r):
            total = 0.0
            for d in range(c, r):
                total += A[slot, r, d] * A[slot, d, c]
            A[slot, r, c] = -scale * total
        A[slot, r, r] = scale


@compiled(allocates=False)
def add_column6(S: Array, slot: int, w: Array, row: int) -> None:
    """Update the lower triangle S[slot] so that S Sᵀ grows by w wᵀ, w = w[2, row].

    Plane rotations; w is used up.
    """
    for p in range(6):
        here, new = S[slot, p, p], w[2, row, p]
        length = (here * here + new * new) ** 0.5
        if length == 0.0:
            continue
        cosine, sine = here / length, new / length
        for r in range(p, 6):
            a, b = S[slot, r, p], w[2, row, r]
            S[slot, r, p] = cosine * a + sine * b
            w[2, row, r] = cosine * b - sine * a


@compiled(allocates=False)
def add_inverse6(room: Array, total: Array, i: int, bias: Array) -> None:
    """Add P = (S Sᵀ)⁻¹ to total[i] and -P α to bias[i]; S = room[0], α = room[2, 0].

    S is destroyed.
    """
    invert_lower6(room, 0)
    for r in range(6):
        seen = 0.0
        for c in range(r + 1):
            seen += room[0, r, c] * room[2, 0, c]
        for c in range(r + 1):
            bias[i, c] -= room[0, r, c] * seen
            for d in range(c + 1):
                total[i, c, d] += room[0, r, c] * room[0, r, d]
    for r in range(6):
        for c in range(r):
            total[i, c, r] = total[i, r, c]


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
