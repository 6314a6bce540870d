"""What recorded torques say of a loop: how near to its limits, and does it rattle."""

import numpy as np

from equipoise.core.arrays import Array, VecN

__all__ = ["CHATTER_HZ", "torque_chatter_share", "torque_p99_share"]

CHATTER_HZ = 50.0
"""Frequency from which on torques that swing are chatter [Hz]."""


def torque_p99_share(tau: Array, limit: VecN) -> float | None:
    """Return the share of its limit that the most loaded joint stays below, 99 in 100.

    Args:
        tau: torques of each joint, (nt, nu) [N m]; rows that are not finite are left
            out.
        limit: of each joint, infinite where it has none, (nu,) [N m].

    Returns:
        In [0, 1], for a motor gives no more than its limit; None without limits.
    """
    rows = np.abs(tau[np.isfinite(tau).all(axis=1)])
    if not len(rows) or not np.isfinite(limit).any():
        return None
    shares = np.minimum(rows / limit, 1.0)
    return float(np.percentile(shares, 99.0, axis=0).max())


def torque_chatter_share(tau: Array, period: float) -> float | None:
    """Return the share of the torques' power that swings faster than 50 Hz.

    Power is that of what changes: the mean of each joint's torque is taken off.

    Args:
        tau: torques of each joint, (nt, nu) [N m]; rows that are not finite are left
            out.
        period: from one row to the next [s].

    Returns:
        In [0, 1]; None where too little is recorded, 0 where nothing changes.
    """
    rows = tau[np.isfinite(tau).all(axis=1)]
    if len(rows) < 2 or 0.5 / period <= CHATTER_HZ:
        return None
    power = np.abs(np.fft.rfft(rows - rows.mean(axis=0), axis=0)) ** 2
    fast = np.fft.rfftfreq(len(rows), period) > CHATTER_HZ
    total = float(power.sum())
    return float(power[fast].sum()) / total if total > 0.0 else 0.0
