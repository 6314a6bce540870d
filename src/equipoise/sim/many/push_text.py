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

DEVICE void push_force(
    size_t rows, unsigned int i, unsigned int robot, const unsigned int (&seed)[2],
    int own, int since, const REAL *restrict pushes, const int *restrict plan,
    const REAL *restrict times, REAL *f)
{{
  const REAL tick = times[0], lasts = times[1];
  const int window = own / plan[7], within = own - window * plan[7];
  unsigned int word[4] = {{robot, (unsigned int)window, {STREAMS["push"]}u, (unsigned int)since}};
  philox(word, seed[0], seed[1]);
  const REAL impulse = between(pushes + i, rows, share(word[0]));
  const REAL angle[1] = {{between(pushes + 2 * rows + i, rows, share(word[1]))}};
  const REAL start = between(pushes + 4 * rows + i, rows, share(word[2]));
  const REAL begin = (REAL)within * tick, end = (REAL)(within + 1) * tick;
  const REAL stop = start + lasts;
  const REAL acts = (stop < end ? stop : end) - (start > begin ? start : begin);
  const REAL size = acts > (REAL)0 ? impulse * acts / (lasts * tick) : (REAL)0;
  REAL sine[1], cosine[1];
  sine_cosine(1, angle, sine, cosine);
  f[0] = size * cosine[0];
  f[1] = size * sine[0];
  const REAL sigma = pushes[6 * rows + i];
  if (sigma > (REAL)0 && own >= plan[8]) {{
    unsigned int draw[4] = {{robot, (unsigned int)((own - plan[8]) / plan[9]),
                        {STREAMS["force"]}u, (unsigned int)since}};
    philox(draw, seed[0], seed[1]);
    const REAL far = square_root((REAL)-2 * logarithm((REAL)1 - share(draw[0])));
    const REAL turn[1] = {{share(draw[1]) * (REAL)6.283185307179586}};
    sine_cosine(1, turn, sine, cosine);
    f[0] += sigma * far * cosine[0];
    f[1] += sigma * far * sine[0];
  }}
}}
"""
