"""The force on each robot's trunk at a tick, as CUDA text.

Nothing is remembered: a tick looks its numbers up (``philox``), so that a run can be
cut into launches anywhere. A push acts as in ``sim.disturbances``: by its mean over the
tick, so that its impulse is right whatever the tick; random forces as in
``sim.held_forces``.
"""

from equipoise.sim.many.philox import STREAMS

__all__ = ["PUSH_ROWS", "PUSH_TEXT"]

PUSH_ROWS = (
    "impulse_low", "impulse_high", "heading_low", "heading_high", "at_low", "at_high",
    "sigma",
)  # fmt: skip
"""Of each robot: ranges of impulse [N s], heading [rad] and instant [s] of a push, and
the standard deviation of held forces [N]."""

PUSH_TEXT = f"""
DEVICE REAL between(const REAL *low, size_t rows, REAL at)
{{
  return low[0] + at * (low[rows] - low[0]);
}}

DEVICE void push_of(
    const REAL *restrict pushes, size_t rows, const unsigned int (&word)[4], REAL begin,
    REAL tick, REAL lasts, REAL *f)
{{
  const REAL impulse = between(pushes, rows, share(word[0]));
  const REAL heading = between(pushes + 2 * rows, rows, share(word[1]));
  const REAL start = between(pushes + 4 * rows, rows, share(word[2]));
  const REAL end = begin + tick, stop = start + lasts;
  const REAL acts = (stop < end ? stop : end) - (start > begin ? start : begin);
  const REAL size = acts > (REAL)0 ? impulse * acts / (lasts * tick) : (REAL)0;
  REAL sine, cosine;
  sine_cosine(1, &heading, &sine, &cosine);
  f[0] = size * cosine;
  f[1] = size * sine;
}}

DEVICE void held_of(REAL sigma, const unsigned int (&word)[4], REAL *f)
{{
  const REAL size = sigma * square_root((REAL)-2 * logarithm((REAL)1 - share(word[0])));
  const REAL turn = share(word[1]) * (REAL)6.283185307179586;
  REAL sine, cosine;
  sine_cosine(1, &turn, &sine, &cosine);
  f[0] += size * cosine;
  f[1] += size * sine;
}}

DEVICE void push_force(
    const REAL *restrict pushes, size_t rows, unsigned int who, unsigned int seed_low,
    unsigned int seed_high, int own, int since, int window, int force_from, int hold,
    REAL tick, REAL lasts, REAL *f)
{{
  const int turn = own / window;
  unsigned int word[4] = {{who, (unsigned int)turn, {STREAMS["push"]}u,
                          (unsigned int)since}};
  philox(word, seed_low, seed_high);
  push_of(pushes, rows, word, (REAL)(own - turn * window) * tick, tick, lasts, f);
  const REAL sigma = pushes[6 * rows];
  if (sigma > (REAL)0 && own >= force_from) {{
    unsigned int other[4] = {{who, (unsigned int)((own - force_from) / hold),
                             {STREAMS["force"]}u, (unsigned int)since}};
    philox(other, seed_low, seed_high);
    held_of(sigma, other, f);
  }}
}}
"""
