"""Thousands of bodies on soft feet at once: do they stand when loaded slowly?

Plain Newton on the energy's slope for all bodies together, the weight added in steps.
A body has fallen when its equilibrium is not found, is far from the last one, or is no
minimum. No path is followed by arc length and no end is located.
"""

import numpy as np

FAR = 0.25  # [m] or [rad] in one step of the load: another equilibrium
NEWTON = 12


def crowd_on_level_feet(
    v: np.ndarray, h: np.ndarray, k: np.ndarray, weight: np.ndarray, steps: int
) -> np.ndarray:
    """Say which bodies stand on vertical springs that only push, (N,) of bool.

    v is (N, n, 2), h (N,), k (N, n), weight (N,). The unknowns are (depth, u): a foot
    is depth - v.u deep and the weight h (1 - c) lower, u the horizontal part of the
    body's upward axis and c what is left of it.
    """

    def slope(q, of, load):
        c = np.sqrt(np.maximum(1 - (q[:, 1:] ** 2).sum(axis=1), 1e-12))
        J = np.concatenate([np.ones((*k[of].shape, 1)), -v[of]], axis=2)
        deep = (J @ q[:, :, None])[..., 0]
        pulls = (k[of] * (deep > 0))[..., None] * J
        g = (deep[:, None, :] @ pulls)[:, 0]
        H = J.transpose(0, 2, 1) @ pulls
        fall = load * h[of] / c
        g[:, 0] -= load
        g[:, 1:] -= fall[:, None] * q[:, 1:]
        H[:, 1:, 1:] -= fall[:, None, None] * np.eye(2)
        H[:, 1:, 1:] -= (fall / c**2)[:, None, None] * (q[:, 1:, None] * q[:, None, 1:])
        return g, H

    start = np.zeros((len(h), 3))
    start[:, 0] = 1e-3 * weight / k.sum(axis=1)
    return _loaded(slope, lambda q, change: q + change, start, weight, steps)


def crowd_on_feet(
    arms: np.ndarray, K: np.ndarray, weight: np.ndarray, steps: int
) -> np.ndarray:
    """Say which bodies stand on feet with any ground and rigid legs, (N,) of bool.

    arms is (N, n, 3), K (N, n, 3, 3), feet push along z. The state is (p, R) in a row.
    """

    def slope(q, of, load):
        p, R = q[:, :3], q[:, 3:].reshape(-1, 3, 3)
        rho = arms[of] @ R.transpose(0, 2, 1)
        x = p[:, None] + rho - arms[of]
        F = (K[of] @ x[..., None])[..., 0]
        press = (F[..., 2] < 0)[..., None]
        F, G = F * press, K[of] * press[..., None]
        turn = -_cross(rho)
        J = np.concatenate([np.broadcast_to(np.eye(3), turn.shape), turn], axis=3)
        all_J = J.reshape(len(q), -1, 6).transpose(0, 2, 1)  # (N, 6, 3 n)
        g = (all_J @ F.reshape(len(q), -1, 1))[..., 0]
        H = all_J @ (G @ J).reshape(len(q), -1, 6)
        H[:, 3:, 3:] -= (_cross(F) @ turn).sum(axis=1)
        g[:, 2] += load
        return g, 0.5 * (H + H.transpose(0, 2, 1))

    def moved(q, change):
        R = q[:, 3:].reshape(-1, 3, 3)
        return np.concatenate(
            [q[:, :3] + change[:, :3], (_turn(change[:, 3:]) @ R).reshape(-1, 9)], 1
        )

    start = np.zeros((len(arms), 12))
    start[:, 2] = -1e-3 * weight / K[..., 2, 2].sum(axis=1)
    start[:, 3:] = np.eye(3).ravel()
    return _loaded(slope, moved, start, weight, steps)


def _loaded(slope, moved, q, weight, steps) -> np.ndarray:
    alive = np.arange(len(q))
    for share in np.arange(1, steps + 1) / steps:
        before = q[alive]
        now = before.copy()
        load = share * weight[alive]
        for _ in range(NEWTON):
            g, H = slope(now, alive, load)
            change = -np.linalg.solve(H, g[..., None])[..., 0]
            size = np.abs(change).max(axis=1, keepdims=True)
            if size.max() < 1e-10:
                break
            now = moved(now, change * np.minimum(1.0, FAR / np.maximum(size, 1e-300)))
        is_least = np.linalg.eigvalsh(H)[:, 0] > 0
        is_near = np.abs(now - before).max(axis=1) < FAR
        kept = (size[:, 0] < 1e-6) & is_least & is_near
        q[alive] = now
        alive = alive[kept]
        if not len(alive):
            break
    return np.isin(np.arange(len(q)), alive)


def _cross(a: np.ndarray) -> np.ndarray:
    out = np.zeros((*a.shape, 3))
    out[..., 2, 1], out[..., 0, 2], out[..., 1, 0] = a[..., 0], a[..., 1], a[..., 2]
    return out - np.swapaxes(out, -1, -2)


def _turn(a: np.ndarray) -> np.ndarray:
    """Return the rotations by the vectors a, from the Rodrigues formula."""
    angle = np.linalg.norm(a, axis=1)[:, None, None]
    W = _cross(a)
    sine, half = np.sinc(angle / np.pi), np.sinc(angle / 2 / np.pi)
    return np.eye(3) + sine * W + 0.5 * half**2 * (W @ W)
