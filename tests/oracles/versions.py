"""What tests must know about packages that are older: see ``make test-lowest``."""

import mujoco
import numba
import pytest

__all__ = [
    "OLD_ENGINE",
    "PRINCIPAL_AXES",
    "needs_known_numba",
    "needs_newer_engine",
]

OLD_ENGINE = mujoco.mj_version() < 3014000
"""Whether MuJoCo is older than 3.14."""

PRINCIPAL_AXES = 3e-6 if OLD_ENGINE else 1e-12
"""Relative error of an inertia whose principal axes MuJoCo has found.

Rounding; before 3.14 the search for them stopped early, tried on 300 random ones.
"""

needs_newer_engine = pytest.mark.skipif(
    OLD_ENGINE, reason="how this one run ends hangs on the engine's version"
)
"""For one simulated run whose answer is near its edge; tried with MuJoCo 3.11."""

_NUMBA = tuple(int(part) for part in numba.__version__.split(".")[:2])

needs_known_numba = pytest.mark.skipif(
    _NUMBA < (0, 68), reason="kernels in two halves need Numba 0.68"
)
"""For tests of what an older Numba does in its own way."""
