"""A body on soft feet that keep their own coordinates, and quasi-static loading.

Nothing is eliminated in closed form and no Hessian is used: a foot's energy is the
least over where the foot may be.
"""

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
        return 0.5 * x @ K @ x
    leg = np.linalg.inv(R @ C @ R.T)
    y = np.linalg.solve(K + leg, leg @ x)
    return 0.5 * y @ K @ y + 0.5 * (y - x) @ leg @ (y - x)


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
