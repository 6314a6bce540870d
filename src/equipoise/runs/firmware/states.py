"""Random states of a module, for its C program and its twin in Python."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.small.float_program import mass_update
from equipoise.control.com.small.float_steering import (
    Aim,
    FloatSteeringConfig,
    holding_torques,
    steer,
)
from equipoise.control.com.small.small_module import PORTS, SmallModule

__all__ = ["RESULTS", "States", "random_states", "twin_words"]

Words = NDArray[np.uint32]
RESULTS = PORTS * 10 + 20 + 10 + 3 + 3
"""Words that a state gives: sums out, both sides, the total, two rows of torques."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class States:
    """Readings and mail of a module, one row per state, single precision."""

    floats: NDArray[np.float32]
    """Angles, rates, angles to hold, R_WM, p_WM, target, v_WC, (n, 27)."""
    heard: NDArray[np.int64]
    """Bit p: connector p brought a sum, (n,)."""
    held: NDArray[np.int64]
    """Part on the ground's side, (n,)."""
    quarter: NDArray[np.int64]
    """Quarter turns of what is docked to each connector, (n, 6)."""
    incoming: NDArray[np.float32]
    """MassSums as they come, (n, 6, 10)."""

    @property
    def words(self) -> Words:
        """The states as the C program reads them, (n, 89)."""
        turns = (self.quarter << (2 * np.arange(PORTS))).sum(axis=1)
        n = len(self.floats)
        return np.concatenate(
            [
                np.ascontiguousarray(self.floats).view(np.uint32),
                (self.heard | self.held << 8).astype(np.uint32)[:, None],
                turns.astype(np.uint32)[:, None],
                self.incoming.reshape(n, -1).view(np.uint32),
            ],
            axis=1,
        )


def random_states(module: SmallModule, count: int, seed: int) -> States:
    """Return states; in every second one all six connectors bring a sum.

    Args:
        module: its joints' limits count.
        count: how many.
        seed: same seed, same states.
    """
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1, 1, (count, 3)) * module.limits + module.rest
    kept = q + rng.uniform(-0.1, 0.1, (count, 3))
    places = rng.uniform(-1, 1, (count, 9)) * np.repeat([1.0, 0.2, 0.5], 3)
    floats = [q, rng.uniform(-4, 4, (count, 3)), kept, _turns(rng, count), places]
    heard = rng.integers(0, 1 << PORTS, count)
    heard[::2] = (1 << PORTS) - 1
    return States(
        floats=np.concatenate(floats, axis=1).astype(np.float32),
        heard=heard,
        held=rng.integers(0, 4, count),
        quarter=rng.integers(0, 4, (count, PORTS)),
        incoming=_lumps(rng, (count, PORTS)),
    )


def _turns(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Return random rotations, (count, 9)."""
    R, upper = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    R = R * np.sign(np.diagonal(upper, axis1=1, axis2=2))[:, None, :]
    R[:, :, 2] *= np.linalg.det(R)[:, None]
    return R.reshape(count, 9)


def _lumps(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return mass vectors of four points each, within a metre, a few kilograms."""
    m = rng.uniform(0.01, 1.0, (*shape, 4))
    x = rng.uniform(-1, 1, (*shape, 4, 3))
    out = np.empty((*shape, 10))
    out[..., 0] = m.sum(axis=-1)
    out[..., 1:4] = np.einsum("...k,...ki->...i", m, x)
    second = np.einsum("...k,...ki,...kj->...ij", m, x, x)
    rows, columns = np.triu_indices(3)
    out[..., 4:] = second[..., rows, columns]
    return out.astype(np.float32)


def twin_words(
    module: SmallModule, gains: FloatSteeringConfig, states: States
) -> Words:
    """Return what the twin in Python makes of the states, (n, RESULTS).

    Args:
        module: its numbers.
        gains: of the steering.
        states: what it senses and hears.
    """
    f, n = states.floats, len(states.floats)
    q, rates, kept = f[:, :3], f[:, 3:6], f[:, 6:9]
    sums = mass_update(module, q, states.heard, states.quarter, states.incoming)
    aim = Aim(
        R_WM=f[:, 9:18],
        p_WM=f[:, 18:21],
        target=f[:, 21:24],
        v_WC=f[:, 24:27],
        held=states.held,
    )
    pulled = steer(module, q, sums, gains, aim)
    held = holding_torques(module, gains, kept, q, rates)
    rows = [sums.out.reshape(n, -1), sums.side_M.reshape(n, -1), sums.total_M]
    return np.concatenate([*rows, pulled, held], axis=1).view(np.uint32)
