"""A body on two vertical springs in a plane, written down from its energy alone.

Nothing here knows a closed form: positions of the feet, energies of the springs, and
derivatives by complex steps or central differences.
"""

import numpy as np


def feet_depth(
    z: np.ndarray, tilt: np.ndarray, sides: np.ndarray, h: float
) -> np.ndarray:
    """Return how deep each foot is below the unloaded ground, (..., 2).

    z is the height of the centre of mass; a foot lies s b1 - h b3 from it, with
    b1 = (cos, -sin) and b3 = (sin, cos) of the tilt.
    """
    z, tilt = np.asarray(z)[..., None], np.asarray(tilt)[..., None]
    return -(z - sides * np.sin(tilt) - h * np.cos(tilt))


def energy(
    q: np.ndarray, weight: float, k: float, sides: np.ndarray, h: float, clip: bool
) -> float:
    """Return weight and springs' energy at q = (z, tilt); clip: feet cannot pull."""
    depth = feet_depth(q[0], q[1], sides, h)
    if clip:
        depth = np.maximum(depth, 0.0)
    return weight * q[0] + 0.5 * k * np.sum(depth**2)


def linearised(
    q: np.ndarray,
    mass: float,
    weight: float,
    k: float,
    d: float,
    sides: np.ndarray,
    h: float,
    inertia: float,
) -> np.ndarray:
    """Return the matrix of d/dt (q, qdot) at an equilibrium, (4, 4), from the energy.

    The Hessian is a central difference of the gradient by complex steps, the damping
    J^T d J with the feet's rates J = d depth / d q, also by complex steps.
    """
    tiny = 1e-30

    def rates(at: np.ndarray) -> np.ndarray:
        columns = []
        for axis in range(2):
            moved = at.astype(complex)
            moved[axis] += 1j * tiny
            columns.append(np.imag(feet_depth(moved[0], moved[1], sides, h)) / tiny)
        return np.stack(columns, axis=-1)

    def gradient(at: np.ndarray) -> np.ndarray:
        return np.array([weight, 0.0]) + k * feet_depth(at[0], at[1], sides, h) @ rates(
            at
        )

    # Richardson from two central differences: truncation step^4, here below 1e-12.
    hessian = np.zeros((2, 2))
    for axis in range(2):

        def slope(step: float, axis: int = axis) -> np.ndarray:
            e = np.eye(2)[axis] * step
            return (gradient(q + e) - gradient(q - e)) / (2 * step)

        hessian[:, axis] = (4 * slope(1e-3) - slope(2e-3)) / 3
    J = rates(q)
    M = np.diag([mass, inertia])
    upper = np.hstack([np.zeros((2, 2)), np.eye(2)])
    lower = -np.linalg.solve(M, np.hstack([hessian, d * J.T @ J]))
    return np.vstack([upper, lower])
