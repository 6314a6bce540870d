"""Sine and cosine from sums and products alone.

The angle is reduced by multiples of pi/2 in three parts [Cody1980]; polynomials do the
rest. No table, no branch: compilers put several angles side by side, and one precision
gives the same bits on every processor. Single precision reads the quarter turn off the
last two bits of the rounded number, which spares small processors a sixth of the work.
Good to about one unit in the last place up to some 1e5 rad in double and 1e3 rad in
single precision.
"""

from equipoise.equations.tape.elementary import ELEMENTARY

__all__ = ["trigonometry_c"]

DOUBLE = """
static inline void sine_cosine(int n, const double *restrict a, double *restrict s,
                               double *restrict c)
{
  for (int i = 0; i < n; ++i) {
    const double k = (a[i] * 0x1.45f306dc9c883p-1 + 0x1.8p52) - 0x1.8p52;
    const double m = k - 4.0 * ((k * 0.25 + 0x1.8p52) - 0x1.8p52);
    const double r = ((a[i] - k * 0x1.921fb544p0) - k * 0x1.0b4611a6p-34)
      - k * 0x1.3198a2e037073p-69;
    const double z = r * r;
    const double sine = r + r * z * (-0x1.5555555555549p-3 + z * (0x1.111111110f8a6p-7
      + z * (-0x1.a01a019c161d5p-13 + z * (0x1.71de357b1fe7dp-19
      + z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33)))));
    const double cosine = (1.0 - 0.5 * z) + z * z * (0x1.555555555554cp-5
      + z * (-0x1.6c16c16c15177p-10 + z * (0x1.a01a019cb159p-16
      + z * (-0x1.27e4f809c52adp-22 + z * (0x1.1ee9ebdb4b1c4p-29
      + z * -0x1.8fae9be8838d4p-37)))));
    const double s_sign = m < -0.5 || m > 1.5 ? -1.0 : 1.0;
    const double c_sign = m < -1.5 || m > 0.5 ? -1.0 : 1.0;
    s[i] = s_sign * (m * m == 1.0 ? cosine : sine);
    c[i] = c_sign * (m * m == 1.0 ? sine : cosine);
  }
}
"""

SINGLE = """
#include <stdint.h>
#include <string.h>

static inline void sine_cosine(int n, const float *restrict a, float *restrict s,
                               float *restrict c)
{
  for (int i = 0; i < n; ++i) {
    const float shifted = a[i] * 0x1.45f306p-1f + 0x1.8p23f;
    const float k = shifted - 0x1.8p23f;
    uint32_t quarter;
    memcpy(&quarter, &shifted, sizeof quarter);
    const float r = ((a[i] - k * 0x1.92p0f) - k * 0x1.fb4p-12f) - k * 0x1.4442d2p-24f;
    const float z = r * r;
    const float sine = r + r * z * (-0x1.555546p-3f + z * (0x1.11073cp-7f
      + z * -0x1.9943f2p-13f));
    const float cosine = 1.0f + z * (-0.5f + z * (0x1.55554ap-5f
      + z * (-0x1.6c0c34p-10f + z * 0x1.99eb9cp-16f)));
    const float first = quarter & 1 ? cosine : sine;
    const float second = quarter & 1 ? sine : cosine;
    s[i] = quarter & 2 ? -first : first;
    c[i] = (quarter + 1) & 2 ? -second : second;
  }
}
"""


def trigonometry_c(precision: str) -> str:
    """Return the C function ``sine_cosine(n, angles, sines, cosines)``.

    In single precision also ``exponential``, ``logarithm`` and ``arc_tangent``.
    """
    return DOUBLE if precision == "double" else SINGLE + ELEMENTARY
