"""What stands in front of all CUDA text: numbers, elementary functions, the shim.

The same text is compiled by NVRTC, which has no system headers, by nvcc, and by a C++
compiler for this computer, where macros stand in for CUDA's words. Sines and cosines
are those of the other targets, and exponentials, logarithms and arc tangents are no
library's either, so that the card and this computer have the same bits. A division and
a root are rounded as IEEE 754 says with ``EXACT`` 1; with 0 they may be off by a unit
in the last place, and are several times quicker on a card.
"""

from equipoise.core.kinds import Precision
from equipoise.equations.cuda.elementary import ELEMENTARY_DOUBLE
from equipoise.equations.emit.c import C_TYPES
from equipoise.equations.tape.trigonometry import trigonometry_c

__all__ = ["preamble"]

SHIM = """#if defined(__CUDACC__)
#define DEVICE static __device__ __forceinline__
#if defined(__CUDACC_RTC__)
typedef unsigned int uint32_t;
typedef int int32_t;
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#endif
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#define DEVICE static inline
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline
#define __global__
#define __launch_bounds__(...)
#define __shared__ static
namespace {
struct Place { unsigned int x, y, z; };
Place threadIdx, blockIdx, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
}
#endif
#define KERNEL extern "C" __global__ void
#define restrict __restrict__
#ifndef EXACT
#define EXACT 0
#endif
"""

QUICK_SINGLE = """
DEVICE float reciprocal(float a)
{
#if defined(__CUDACC__) && !EXACT
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return 1.0f / a;
#endif
}

DEVICE float square_root(float a)
{
#if defined(__CUDACC__) && !EXACT
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return sqrtf(a);
#endif
}

DEVICE float absolute(float a) { return fabsf(a); }
"""

QUICK_DOUBLE = """
DEVICE double reciprocal(double a)
{
#if defined(__CUDACC__) && !EXACT
  double r; /* 20 bits, which two turns of Newton's method make 52 */
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
  r = fma(r, fma(-a, r, 1.0), r);
  return fma(r, fma(-a, r, 1.0), r);
#else
  return 1.0 / a;
#endif
}

DEVICE double square_root(double a) { return sqrt(a); }
DEVICE double absolute(double a) { return fabs(a); }
"""

INCLUDES = ("#include <stdint.h>\n", "#include <string.h>\n")


def preamble(precision: Precision) -> str:
    """Return the text that every CUDA file of ours begins with.

    It defines ``REAL``, ``DEVICE`` for functions, ``KERNEL`` for kernels (then a name
    and arguments), ``sine_cosine(n, angles, sines, cosines)`` and functions of one
    ``REAL``: ``reciprocal``, ``square_root``, ``absolute``, ``exponential``,
    ``logarithm``; and ``arc_tangent(y, x)``.

    Args:
        precision: ``double`` or ``single``.
    """
    elementary = trigonometry_c(precision)
    for line in INCLUDES:  # the shim has them where they exist
        elementary = elementary.replace(line, "")
    elementary = elementary.replace("static inline", "DEVICE")
    quick = QUICK_SINGLE
    if precision == "double":
        quick = QUICK_DOUBLE + ELEMENTARY_DOUBLE
    return f"{SHIM}typedef {C_TYPES[precision]} REAL;\n{elementary}{quick}"
