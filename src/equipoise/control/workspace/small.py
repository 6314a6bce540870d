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
    "damped_inverse6",
    "inverse6",
    "invert_lower6",
    "lower_root6",
    "solve_spd6",
]


@compiled(allocates=False)
def inverse6(A: Array, out: Array) -> None:
    """Write the inverse of A; A is destroyed.

    Gauss-Jordan elimination with row pivoting. A singular matrix gives infinities.
    """
    for r in range(6):
        for c in range(6):
            out[r, c] = 1.0 if r == c else 0.0
    for p in range(6):
        best = p
        for r in range(p + 1, 6):
            if abs(A[r, p]) > abs(A[best, p]):
                best = r
        if best != p:
            for c in range(6):
                A[p, c], A[best, c] = A[best, c], A[p, c]
                out[p, c], out[best, c] = out[best, c], out[p, c]
        scale = 1.0 / A[p, p]
        for c in range(6):
            A[p, c] *= scale
            out[p, c] *= scale
        for r in range(6):
            if r != p:
                factor = A[r, p]
                for c in range(6):
                    A[r, c] -= factor * A[p, c]
                    out[r, c] -= factor * out[p, c]


@compiled(allocates=False)
def damped_inverse6(
    A: Array, damping: float, length: float, room: Array, more: Array, out: Array
) -> None:
    """Write Aᵀ (A Aᵀ + d²)⁻¹, the inverse of A but where that would be large.

    Args:
        A: linear rows first, (6, 6); destroyed.
        damping: d, of the linear rows.
        length: by which the angular rows count as linear ones.
        room: (6, 6), scratch.
        more: (6, 6), scratch.
        out: written.
    """
    for r in range(3, 6):
        for c in range(6):
            A[r, c] *= length
    for r in range(6):
        for c in range(6):
            total = damping * damping if r == c else 0.0
            for d in range(6):
                total += A[r, d] * A[c, d]
            room[r, c] = total
    inverse6(room, more)
    for r in range(6):
        for c in range(6):
            total = 0.0
            for d in range(6):
                total += A[d, r] * more[d, c]
            out[r, c] = total * (length if c >= 3 else 1.0)


@compiled(allocates=False)
def lower_root6(A: Array) -> None:
    """Overwrite A, of which the lower half is read, by B with Bᵀ B = A.

    A Cholesky factor made from the last row upwards, B being lower too.
    """
    for p in range(5, -1, -1):
        total = A[p, p]
        for q in range(p + 1, 6):
            total -= A[q, p] * A[q, p]
        A[p, p] = total**0.5
        for c in range(p):
            total = A[p, c]
            for q in range(p + 1, 6):
                total -= A[q, p] * A[q, c]
            A[p, c] = total / A[p, p]


@compiled(allocates=False)
def invert_lower6(A: Array) -> None:
    """Overwrite a lower triangle by its inverse; infinities if singular."""
    for r in range(6):
        scale = 1.0 / A[r, r]
        for c in range(r):
            total = 0.0
            for d in range(c, r):
                total += A[r, d] * A[d, c]
            A[r, c] = -scale * total
        A[r, r] = scale


@compiled(allocates=False)
def add_column6(S: Array, w: Array) -> None:
    """Update a lower triangle so that S Sᵀ grows by w wᵀ.

    Plane rotations; w is used up.
    """
    for p in range(6):
        here, new = S[p, p], w[p]
        length = (here * here + new * new) ** 0.5
        if length == 0.0:
            continue
        cosine, sine = here / length, new / length
        for r in range(p, 6):
            a, b = S[r, p], w[r]
            S[r, p] = cosine * a + sine * b
            w[r] = cosine * b - sine * a


@compiled(allocates=False)
def add_inverse6(S: Array, alpha: Array, total: Array, bias: Array) -> None:
    """Add P = (S Sᵀ)⁻¹ to a total and -P α to a bias.

    Args:
        S: lower triangle; destroyed.
        alpha: α, (6,).
        total: (6, 6), added to.
        bias: (6,), added to.
    """
    invert_lower6(S)
    for r in range(6):
        seen = 0.0
        for c in range(r + 1):
            seen += S[r, c] * alpha[c]
        for c in range(r + 1):
            bias[c] -= S[r, c] * seen
            for d in range(c + 1):
                total[c, d] += S[r, c] * S[r, d]
    for r in range(6):
        for c in range(r):
            total[c, r] = total[r, c]


@compiled(allocates=False)
def solve_spd6(A: Array, x: Array) -> None:
    """Solve A x = x in place by Cholesky; A's lower half is overwritten."""
    for r in range(6):
        for c in range(r + 1):
            total = A[r, c]
            for d in range(c):
                total -= A[r, d] * A[c, d]
            A[r, c] = total**0.5 if r == c else total / A[c, c]
    for r in range(6):
        for d in range(r):
            x[r] -= A[r, d] * x[d]
        x[r] /= A[r, r]
    for r in range(5, -1, -1):
        for d in range(r + 1, 6):
            x[r] -= A[d, r] * x[d]
        x[r] /= A[r, r]
