"""Robots at their start, with numbers of their own drawn anew, as CUDA text."""

from equipoise.sim.many.philox import STREAMS

__all__ = ["BEGIN_TEXT"]

BEGIN_TEXT = f"""
DEVICE REAL drawn_at(REAL low, REAL high, unsigned int who, int k, unsigned int stream,
                     int began, unsigned int seed_low, unsigned int seed_high)
{{
  unsigned int word[4] = {{who, (unsigned int)k, stream, (unsigned int)began}};
  philox(word, seed_low, seed_high);
  return low + share(word[0]) * (high - low);
}}

KERNEL many_begin(
    const unsigned int n, const unsigned int seed_low, const unsigned int seed_high,
    const int tick, const int states, const int numbers, const int zeros,
    const int tellings, const int watched, const int columns,
    const REAL *restrict start, const REAL *restrict start_ends,
    const REAL *restrict setting_ends, const int *restrict who,
    const int *restrict chosen, REAL *state, REAL *settings, int *began, int *fell,
    REAL *told, REAL *extremes)
{{
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !chosen[i]) return;
  const size_t rows = n;
  const unsigned int own = (unsigned int)who[i];
  began[i] = tick;
  fell[i] = -1;
  for (int k = 0; k < states; ++k) {{
    const REAL low = start_ends[2 * k], high = start_ends[2 * k + 1];
    state[k * rows + i] = low < high
      ? drawn_at(low, high, own, k, {STREAMS["start"]}u, tick, seed_low, seed_high)
      : start[k * (size_t)columns + (columns == 1 ? 0 : i)];
  }}
  for (int k = 0; k < numbers; ++k) {{
    const REAL low = setting_ends[2 * k], high = setting_ends[2 * k + 1];
    if (low < high)
      settings[k * rows + i] =
        drawn_at(low, high, own, k, {STREAMS["settings"]}u, tick, seed_low, seed_high);
    if (k >= numbers - zeros) settings[k * rows + i] = (REAL)0;
  }}
  for (int k = 0; k < tellings; ++k) told[k * rows + i] = (REAL)0;
  for (int k = 0; k < watched; ++k)
    extremes[k * rows + i] = k % 2 == 0 ? (REAL)INFINITY : (REAL)-INFINITY;
}}
"""
"""Chosen robots begin at a tick. What has a range is drawn from it, evenly, other
settings stay, but for the last ``zeros`` of them, an action, which are zero."""
