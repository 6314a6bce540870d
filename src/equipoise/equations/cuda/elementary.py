"""Exponential, logarithm and arc tangent in double precision, one text for all.

CUDA's library and that of a processor do not agree on them to the last bit. With these,
from sums, products and quotients alone, the card and this computer do. Reductions as in
[Cody1980], rational functions as in the Cephes library. Good to three units in the last
place; exponentials below 1e-307 are zero.
"""

__all__ = ["ELEMENTARY_DOUBLE"]

ELEMENTARY_DOUBLE = """
DEVICE double power_of_two(long long k)
{
  const unsigned long long bits = (unsigned long long)(k + 1023) << 52;
  double scale;
  memcpy(&scale, &bits, sizeof scale);
  return scale;
}

DEVICE double exponential(double a)
{
  if (!(a < 709.78)) return a != a ? a : INFINITY;
  if (a < -706.8) return 0.0;
  const double k = (a * 1.4426950408889634 + 0x1.8p52) - 0x1.8p52;
  const double r = (a - k * 6.93145751953125e-1) - k * 1.42860682030941723212e-6;
  const double z = r * r;
  const double p = r * (9.99999999999999999910e-1 + z * (3.02994407707441961300e-2
    + z * 1.26177193074810590878e-4));
  const double q = 2.0 + z * (2.27265548208155028766e-1 + z * (2.52448340349684104192e-3
    + z * 3.00198505138664455042e-6));
  const double e = 1.0 + 2.0 * (p / (q - p));
  const long long n = (long long)k;
  return n > 0 ? 2.0 * (e * power_of_two(n - 1)) : e * power_of_two(n);
}

DEVICE double logarithm(double a)
{
  if (!(a > 0.0)) return a == 0.0 ? -INFINITY : NAN;
  if (a > 1.7976931348623157e308) return a;
  double e = -1022.0;
  if (a < 2.2250738585072014e-308) { a *= 18014398509481984.0; e -= 54.0; }
  unsigned long long bits;
  memcpy(&bits, &a, sizeof bits);
  e += (double)(long long)(bits >> 52);
  bits = (bits & 0x000fffffffffffffull) | 0x3fe0000000000000ull;
  double m;
  memcpy(&m, &bits, sizeof m);
  if (m < 0.70710678118654752440) { m += m; e -= 1.0; }
  const double x = m - 1.0, z = x * x;
  const double p = 7.70838733755885391666 + x * (1.79368678507819816313e1
    + x * (1.44989225341610930846e1 + x * (4.70579119878881725854
    + x * (4.97494994976747001425e-1 + x * 1.01875663804580931796e-4))));
  const double q = 2.31251620126765340583e1 + x * (7.11544750618563894466e1
    + x * (8.29875266912776603211e1 + x * (4.52279145837532221105e1
    + x * (1.12873587189167450590e1 + x))));
  const double y = (x * (z * p / q) - e * 2.121944400546905827679e-4) - 0.5 * z;
  return (x + y) + e * 0.693359375;
}

DEVICE double arc_tangent(double y, double x)
{
  if (x != x) return x;
  unsigned long long below, behind;
  memcpy(&below, &y, sizeof below);
  memcpy(&behind, &x, sizeof behind);
  const double up = y < 0.0 ? -y : y, across = x < 0.0 ? -x : x;
  const double low = up < across ? up : across, high = up < across ? across : up;
  const double slope = high > 0.0 ? (low == high ? 1.0 : low / high) : high;
  const int steep = slope > 0.66;
  const double t = steep ? (slope - 1.0) / (slope + 1.0) : slope;
  const double z = t * t;
  const double p = -6.485021904942025371773e1 + z * (-1.228866684490136173410e2
    + z * (-7.500855792314704667340e1 + z * (-1.615753718733365076637e1
    + z * -8.750608600031904122785e-1)));
  const double q = 1.945506571482613964425e2 + z * (4.853903996359136964868e2
    + z * (4.328810604912902668951e2 + z * (1.650270098316988542046e2
    + z * (2.485846490142306297962e1 + z))));
  const double small = t + t * (z * p / q);
  const double more = small + 3.061616997868383e-17;
  double angle = steep ? 0.78539816339744830962 + more : small;
  if (up > across) angle = 1.57079632679489661923 - (angle - 6.123233995736766e-17);
  if (behind >> 63) angle = 3.14159265358979323846 - (angle - 1.2246467991473532e-16);
  return below >> 63 ? -angle : angle;
}
"""
