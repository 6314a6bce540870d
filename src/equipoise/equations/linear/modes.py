"""What the poles of a robot do: which motion grows, decays or swings, and how fast.

A mode is an eigenvector of A in dx/dt = A x; with a complex pair of poles it is told
once. It is named by the trunk's largest part in it, rotations in rad and shifts in
lengths of the robot: roll, pitch, yaw, surge (ahead), sway (aside) or bounce (up). One
in which the trunk hardly moves beside the joints is one of the legs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, VecN

__all__ = ["Mode", "modes"]

TRUNK = {
    ".vx": "surge",
    ".vy": "sway",
    ".vz": "bounce",
    ".wx": "roll",
    ".wy": "pitch",
    ".wz": "yaw",
}
"""What a trunk's motion is called, by how the names of its speeds end."""
LEGS, JOINTS = "legs", "joints"
HARDLY = 0.1  # of the largest part: a trunk that moves less stands still beside it
TOLD = 4  # largest parts that are told
NOTHING = 1e-6  # poles this near to zero neither grow nor decay nor swing [1/s]


@final
@dataclass(frozen=True, slots=True)
class Mode:
    """One motion of a robot near a pose, and how fast it goes."""

    name: str
    pole: complex
    """The one of a pair with the imaginary part above zero [1/s]."""
    parts: tuple[tuple[str, float], ...]
    """The largest parts of the motion, each over the largest, by names of speeds."""

    @property
    def does(self) -> str:
        """What it does in time: grows, decays, stays; or swings meanwhile."""
        way = "grows" if self.pole.real > NOTHING else "decays"
        if abs(self.pole.imag) > NOTHING:
            return "swings" if abs(self.pole.real) <= NOTHING else f"swings and {way}"
        return "stays" if abs(self.pole.real) <= NOTHING else way

    @property
    def time_constant(self) -> float | None:
        """In which it falls to 1/e; None where it does not [s]."""
        return -1.0 / self.pole.real if self.pole.real < -NOTHING else None

    @property
    def doubling_time(self) -> float | None:
        """In which it doubles; None where it does not grow [s]."""
        return math.log(2.0) / self.pole.real if self.pole.real > NOTHING else None

    @property
    def frequency(self) -> float | None:
        """Of its swings; None where it does not swing [Hz]."""
        swing = abs(self.pole.imag)
        return swing / (2.0 * math.pi) if swing > NOTHING else None

    @property
    def damping_ratio(self) -> float | None:
        """One where it no longer swings, below zero where it grows; None for others."""
        return None if self.frequency is None else -self.pole.real / abs(self.pole)

    def summary(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "name": self.name,
            "does": self.does,
            "pole": [self.pole.real, self.pole.imag],
            "time_constant_s": self.time_constant,
            "doubling_time_s": self.doubling_time,
            "frequency_hz": self.frequency,
            "damping_ratio": self.damping_ratio,
            "parts": dict(self.parts),
        }


def modes(A: Array, speeds: Sequence[str], scales: VecN) -> tuple[Mode, ...]:
    """Return the modes of dx/dt = A x, the least stable first.

    Args:
        A: of changes of position, then of speed, (2 nv, 2 nv).
        speeds: names of the speeds, nv of them.
        scales: what makes changes of position comparable: one for a rotation, one over
            a length of the robot for a shift, (nv,) [1, 1/m].
    """
    poles, vectors = np.linalg.eig(A)
    poles, vectors = poles.astype(np.complex128), vectors.astype(np.complex128)
    order = np.lexsort((-poles.imag, -poles.real))
    trunk = _trunk_of(speeds)
    found: list[Mode] = []
    for k in order:
        if poles[k].imag < 0.0:
            continue  # told with its pair
        size = _motion_of(vectors[:, k], scales)
        found.append(_named(complex(poles[k]), size, speeds, trunk))
    return tuple(found)


def _motion_of(vector: NDArray[np.complex128], scales: VecN) -> VecN:
    """Return how large the parts of a mode's motion are, the largest one, (nv,)."""
    size = np.abs(vector[: scales.size]) * scales
    if not size.any():  # of a motion that never was: it has a speed and no position
        size = np.abs(vector[scales.size :]) * scales
    return size / max(float(size.max(initial=0.0)), np.finfo(float).tiny)


def _trunk_of(speeds: Sequence[str]) -> int | None:
    """Return where the six speeds of a floating trunk begin; None without one."""
    ends = list(TRUNK)
    for first in range(len(speeds) - len(ends) + 1):
        names = speeds[first : first + len(ends)]
        if all(
            name.endswith(end) for name, end in zip(names, ends, strict=True)
        ) and all(one[:-3] == other[:-3] for one, other in pairwise(names)):
            return first
    return None


def _named(pole: complex, size: VecN, speeds: Sequence[str], trunk: int | None) -> Mode:
    """Return a mode with its name and its largest parts."""
    largest = np.argsort(-size, kind="stable")[:TOLD]
    parts = tuple((speeds[int(k)], float(size[k])) for k in largest if size[k] > 0.0)
    name = JOINTS
    if trunk is not None:
        own = size[trunk : trunk + len(TRUNK)]
        is_still = float(own.max()) < HARDLY
        name = LEGS if is_still else list(TRUNK.values())[int(np.argmax(own))]
    return Mode(name, pole, parts)
