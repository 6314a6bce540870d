"""Independent random streams from one seed, by name."""

import zlib
from typing import cast, final

import numpy as np

from equipoise.core.arrays import Array

__all__ = ["Blocks", "stream"]


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the random generator for one purpose, independent of all others.

    Args:
        seed: the run's seed, >= 0.
        name: what the numbers are for ("tree", "loss"); another name, another stream.
    """
    return np.random.default_rng([seed, zlib.crc32(name.encode())])


@final
class Blocks:
    """Uniform draws of a stream, block by block: block n is the same whenever asked.

    A state that draws at every tick then needs no generator that changes.
    """

    def __init__(self, seed: int, name: str, size: int) -> None:
        """Begin at the first block.

        Args:
            seed: the run's seed, >= 0.
            name: what the numbers are for, see ``stream``.
            size: numbers in a block.
        """
        self._rng, self._size, self._at = stream(seed, name), size, 0

    def fill(self, n: int, out: Array) -> None:
        """Write block n.

        Args:
            n: which one, from 0 on.
            out: as many numbers as a block has, of any shape; written.
        """
        if n != self._at:
            generator = cast(np.random.PCG64, self._rng.bit_generator)
            generator.advance((n - self._at) * self._size)
        self._rng.random(out=out)
        self._at = n + 1
