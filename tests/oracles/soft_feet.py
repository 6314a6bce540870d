"""A body on soft feet that keep their own coordinates, and quasi-static loading.

Nothing is eliminated in closed form and no Hessian is used: a foot's energy is the
least over where the foot may be.
"""

import heapq

import numpy as np
from scipy.optimize import minimize


def foot_energy(
    arm: np.ndarray,
    K: np.ndarray,
    C: np.ndarray | None,
    p: np.ndarray,
    R: np.ndarray,
) -> float:
    """Return the least energy of ground and leg, the foot's place y being free.

    y' K y / 2 from the anchor and (y - x)' inv(R C R') (y - x) / 2 along the leg.
    """
    x = p + R @ arm - arm
    if C is None:
        return float(0.5 * x @ K @ x)
    leg = np.linalg.inv(R @ C @ R.T)
    y = np.linalg.solve(K + leg, leg @ x)
    return float(0.5 * y @ K @ y + 0.5 * (y - x) @ leg @ (y - x))


def springs_energy(
    feet: list[tuple[np.ndarray, np.ndarray, np.ndarray | None]],
    p: np.ndarray,
    R: np.ndarray,
) -> float:
    """Return the energy of all feet, each (arm, K, C), pulling as well as pushing."""
    return sum(foot_energy(*foot, p, R) for foot in feet)


def vertical_energy(
    q: np.ndarray, arms: np.ndarray, k: np.ndarray, weight: float
) -> float:
    """Return weight and energy of vertical springs that cannot pull.

    q is (height, roll, pitch); slides and the turn about the vertical cost nothing.
    """
    angle = float(np.hypot(q[1], q[2]))
    share = np.sinc(angle / np.pi)
    up = np.array([-q[2] * share, q[1] * share, np.cos(angle)])  # last row of R
    depth = -(q[0] + arms @ up - arms[:, 2])
    return weight * q[0] + 0.5 * np.sum(k * np.maximum(depth, 0.0) ** 2)


def loaded_slowly(
    arms: np.ndarray, k: np.ndarray, weight: float, steps: int = 12
) -> np.ndarray:
    """Return (height, roll, pitch) after adding the weight little by little."""
    q = np.array([-1e-3 * weight / k.sum(), 0.0, 0.0])
    for share in np.linspace(0, 1, steps + 1)[1:]:
        load = share * weight
        q = minimize(vertical_energy, q, (arms, k, load), options={"gtol": 1e-7}).x
        if np.abs(q[1:]).max() > 1.0:
            break
    return q


def lowest_pass(
    arms: np.ndarray, k: np.ndarray, weight: float, reach: float, count: int
) -> float:
    """Return the least energy over the best path out of a stance on vertical springs.

    Water rises on a grid of tilts, count on a side, until it runs over the rim: a disc
    of tilts up to reach [rad]. The height is the best one at each tilt, by halving.
    """
    axis = np.linspace(-reach, reach, count)
    roll, pitch = np.meshgrid(axis, axis, indexing="ij")
    angle = np.hypot(roll, pitch)
    share = np.sinc(angle / np.pi)
    up = np.stack([-pitch * share, roll * share, np.cos(angle)], axis=-1)
    touch = arms[:, 2] - up @ arms.T  # height at which each foot touches
    low, high = touch.min(axis=-1) - weight / k.min(), touch.max(axis=-1)
    for _ in range(60):
        middle = (low + high) / 2
        push = (k * np.maximum(touch - middle[..., None], 0)).sum(axis=-1)
        low, high = (
            np.where(push > weight, middle, low),
            np.where(push > weight, high, middle),
        )
    depth = np.maximum(touch - low[..., None], 0)
    energy = weight * low + 0.5 * (k * depth**2).sum(axis=-1)
    centre = np.where(angle < reach / 4, energy, np.inf)
    start = np.unravel_index(int(centre.argmin()), centre.shape)
    heap, level, seen = (
        [(energy[start], *start)],
        energy[start],
        np.zeros(energy.shape, bool),
    )
    while True:
        here, i, j = heapq.heappop(heap)
        level = max(level, here)
        if angle[i, j] > reach - axis[1] + axis[0]:
            return float(level - energy[start])
        for a in (i - 1, i, i + 1):
            for b in (j - 1, j, j + 1):
                if 0 <= a < count and 0 <= b < count and not seen[a, b]:
                    seen[a, b] = True
                    heapq.heappush(heap, (energy[a, b], a, b))
