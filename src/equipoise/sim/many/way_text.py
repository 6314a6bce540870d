"""How far robots have come along their commands, piece by piece, as CUDA text."""

__all__ = ["WAY_TEXT"]

WAY_TEXT = """
KERNEL many_way(
    const unsigned int n, const REAL *restrict state, const REAL *restrict towards,
    REAL *place, REAL *way)
{
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const size_t rows = n;
  const REAL x = state[i], y = state[rows + i], w = state[3 * rows + i];
  const REAL a = state[4 * rows + i], b = state[5 * rows + i], c = state[6 * rows + i];
  const REAL yaw = arc_tangent((REAL)2 * (w * c + a * b),
                               (REAL)1 - (REAL)2 * (b * b + c * c));
  const REAL half_turn = (REAL)3.141592653589793, before = place[2 * rows + i];
  REAL turned = yaw - before;
  if (turned > half_turn) turned -= (REAL)2 * half_turn;
  if (turned < -half_turn) turned += (REAL)2 * half_turn;
  const REAL middle = before + (REAL)0.5 * turned + towards[i];
  REAL sine, cosine;
  sine_cosine(1, &middle, &sine, &cosine);
  way[i] += (x - place[i]) * cosine + (y - place[rows + i]) * sine;
  place[i] = x;
  place[rows + i] = y;
  place[2 * rows + i] = yaw;
}
"""
"""Adds to the way what a robot went since its last place (x, y, yaw), in the direction
``towards`` from its own forward. The state begins with a free body's coordinates."""
