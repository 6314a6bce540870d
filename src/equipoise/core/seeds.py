"""Independent random streams from one seed, by name."""

import zlib

import numpy as np

__all__ = ["stream"]


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the generator for one purpose, independent of every other purpose.

    Args:
        seed: the run's seed, >= 0.
        name: what the numbers are for ("tree", "loss"); another name, another stream.
    """
    return np.random.default_rng([seed, zlib.crc32(name.encode())])
