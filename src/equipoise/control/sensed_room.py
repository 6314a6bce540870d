"""Readings in memory of one's own: always the same arrays, quickly kept and put back.

What a controller is given may be any arrays, and the next tick overwrites them. Copied
here, they are whole, of floats and in one piece, as settled kernels need them.
"""

from typing import final

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.contracts import Sensed

__all__ = ["SensedRoom"]


@final
class SensedRoom:
    """Room for one tick's readings."""

    def __init__(self, joints: int, skins: int) -> None:
        """Make room, all zeros.

        Args:
            joints: that are driven.
            skins: bodies with a skin.
        """
        shapes = ((2,), (joints,), (joints,), (3,), (3, 3), (6,), (skins, 6))
        ends = np.cumsum([np.prod(shape, dtype=int) for shape in shapes])
        self._row = np.zeros(ends[-1])
        parts = np.split(self._row, ends[:-1])
        clock, *arrays = [
            part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)
        ]
        self._clock = clock
        self.sensed = Sensed(0.0, 0.0, *arrays)
        """The readings; these arrays stay."""

    def __reduce__(self) -> tuple[type["SensedRoom"], tuple[int, int]]:
        """Let a copy have memory of its own, as its arrays have to be in one row."""
        return SensedRoom, (len(self.sensed.q), len(self.sensed.skin))

    def take(self, sensed: Sensed) -> Sensed:
        """Copy readings and return them.

        Args:
            sensed: of as many joints, and at least as many skins: what follows are
                those of other bodies in its world, which are left out.

        Raises:
            ValueError: of other joints, or fewer skins.
        """
        own = self.sensed
        own.time, own.dt = sensed.time, sensed.dt
        own.q[:], own.v[:] = sensed.q, sensed.v
        own.skin[:] = sensed.skin[: len(own.skin)]
        own.p_WB[:], own.R_WB[:], own.V_WB[:] = sensed.p_WB, sensed.R_WB, sensed.V_WB
        return own

    def kept(self) -> VecN:
        """Return all that is in it as one row."""
        self._clock[:] = self.sensed.time, self.sensed.dt
        return self._row.copy()

    def put_back(self, row: VecN) -> Sensed:
        """Bring back the readings of another tick and return them.

        Args:
            row: what ``kept`` has returned.
        """
        self._row[:] = row
        self.sensed.time, self.sensed.dt = self._clock.tolist()
        return self.sensed
