"""Sine and cosine as generated C computes them, with NumPy, operation by operation."""

import numpy as np

H = float.fromhex


def single_sine_cosine(angle):
    """Return sine and cosine in single precision, every rounding as in C."""
    a = np.asarray(angle, dtype=np.float32)
    f = np.float32
    shifted = a * f(H("0x1.45f306p-1")) + f(H("0x1.8p23"))
    k = shifted - f(H("0x1.8p23"))
    quarter = shifted.view(np.uint32)
    r = (a - k * f(H("0x1.92p0"))) - k * f(H("0x1.fb4p-12"))
    r = r - k * f(H("0x1.4442d2p-24"))
    z = r * r
    sine = f(H("0x1.11073cp-7")) + z * f(H("-0x1.9943f2p-13"))
    sine = r + r * z * (f(H("-0x1.555546p-3")) + z * sine)
    cosine = f(H("-0x1.6c0c34p-10")) + z * f(H("0x1.99eb9cp-16"))
    cosine = f(-0.5) + z * (f(H("0x1.55554ap-5")) + z * cosine)
    cosine = f(1) + z * cosine
    odd = quarter & 1 == 1
    first, second = np.where(odd, cosine, sine), np.where(odd, sine, cosine)
    return (
        np.where(quarter & 2, -first, first),
        np.where((quarter + 1) & 2, -second, second),
    )
