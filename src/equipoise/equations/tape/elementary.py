"""Exponential, logarithm and arc tangent in single precision, the same bits everywhere.

Libraries of C agree on sums, products, quotients and square roots, which IEEE 754
prescribes to the last bit, but not on these. So single precision has its own, from sums
and products: reductions as in [Cody1980], polynomials as in the Cephes library. Good to
three units in the last place; exponentials below 1e-38 are zero.
"""

__all__ = ["ELEMENTARY"]

ELEMENTARY = """
static inline float exponential(float a)
{
  if (!(a < 88.72284f)) return a != a ? a : INFINITY;
  if (a < -87.33f) return 0.0f;
  const float shifted = a * 1.44269504f + 0x1.8p23f;
  const float k = shifted - 0x1.8p23f;
  uint32_t power;
  memcpy(&power, &shifted, sizeof power);
  power = ((power - 0x4b400000u) + (k > 0.0f ? 126u : 128u)) << 23;
  float scale;
  memcpy(&scale, &power, sizeof scale);
  const float r = (a - k * 0.693359375f) - k * -2.12194440e-4f;
  const float p = 5.0000001201e-1f + r * (1.6666665459e-1f + r * (4.1665795894e-2f
    + r * (8.3334519073e-3f + r * (1.3981999507e-3f + r * 1.9875691500e-4f))));
  return ((r + r * r * p) + 1.0f) * scale * (k > 0.0f ? 2.0f : 0.5f);
}

static inline float logarithm(float a)
{
  if (!(a > 0.0f)) return a == 0.0f ? -INFINITY : NAN;
  if (a > 3.4028235e38f) return a;
  float e = -126.0f;
  if (a < 1.17549435e-38f) { a *= 16777216.0f; e -= 24.0f; }
  uint32_t bits;
  memcpy(&bits, &a, sizeof bits);
  e += (float)(int32_t)(bits >> 23);
  bits = (bits & 0x007fffffu) | 0x3f000000u;
  float m;
  memcpy(&m, &bits, sizeof m);
  if (m < 0.707106781f) { m += m; e -= 1.0f; }
  const float x = m - 1.0f, z = x * x;
  const float p = 3.3333331174e-1f + x * (-2.4999993993e-1f + x * (2.0000714765e-1f
    + x * (-1.6668057665e-1f + x * (1.4249322787e-1f + x * (-1.2420140846e-1f
    + x * (1.1676998740e-1f + x * (-1.1514610310e-1f + x * 7.0376836292e-2f)))))));
  return (x + ((x * z * p + e * -2.12194440e-4f) - 0.5f * z)) + e * 0.693359375f;
}

static inline float arc_tangent(float y, float x)
{
  uint32_t below, behind;
  memcpy(&below, &y, sizeof below);
  memcpy(&behind, &x, sizeof behind);
  const float up = y < 0.0f ? -y : y, across = x < 0.0f ? -x : x;
  const float low = up < across ? up : across, high = up < across ? across : up;
  const float slope = high > 0.0f ? (low == high ? 1.0f : low / high) : high;
  const int steep = slope > 0.414213562f;
  const float t = steep ? (slope - 1.0f) / (slope + 1.0f) : slope;
  const float z = t * t;
  const float p = t + t * z * (-3.33329491539e-1f + z * (1.99777106478e-1f
    + z * (-1.38776856032e-1f + z * 8.05374449538e-2f)));
  float angle = steep ? 0.785398163f + p : p;
  if (up > across) angle = 1.57079633f - angle;
  if (behind >> 31) angle = 3.14159265f - angle;
  return below >> 31 ? -angle : angle;
}
"""
