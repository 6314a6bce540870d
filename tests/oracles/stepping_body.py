"""Rigid bodies that step on springs, simulated in full: nothing is linear here.

Many bodies at once, each given by its place, rotation matrix and rates; the rules of
feet, loads and footfalls are written down anew from what the controller's parts say.
"""

import numpy as np

GRAVITY = 9.81
KEYS = ("p", "turn", "v", "w", "known", "level")


def rotation(turn):
    """Return the rotations by vectors of rotation, (n, 3, 3)."""
    angle = np.linalg.norm(turn, axis=1)[:, None, None]
    x, y, z = turn.T
    zero = np.zeros_like(x)
    K = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    safe = np.maximum(angle, 1e-12)
    first, second = np.sin(safe) / safe, (1.0 - np.cos(safe)) / safe**2
    return np.eye(3) + first * K + second * K @ K


class Bodies:
    """Alike machines, each a little off: ``x`` has their states, (n, states)."""

    def __init__(self, loop, x):
        self.loop, self.n = loop, len(x)
        self.R = rotation(x[:, 3:6])
        self.s = {
            "p": x[:, 0:3] + [0.0, 0.0, loop.height],
            "v": x[:, 6:9].copy(),
            "w": x[:, 9:12].copy(),
            "known": x[:, 12:15].copy(),
            "level": x[:, 15:17].copy(),
        }
        self.feet = x[:, 17:].reshape(self.n, -1, 2) + loop.feet

    def states(self):
        """Return their states as ``StepLoop`` has them, small rotations taken."""
        R, s = self.R, self.s
        turn = 0.5 * np.stack(
            [
                R[:, 2, 1] - R[:, 1, 2],
                R[:, 0, 2] - R[:, 2, 0],
                R[:, 1, 0] - R[:, 0, 1],
            ],
            axis=1,
        )
        feet = (self.feet - self.loop.feet).reshape(self.n, -1)
        p = s["p"] - [0.0, 0.0, self.loop.height]
        return np.hstack([p, turn, s["v"], s["w"], s["known"], s["level"], feet])

    def walk(self, dt):
        """Go through a cycle."""
        for phase in self.loop.phases:
            for leg in phase.landed:
                r = np.array([*self.loop.feet[leg], -self.loop.height])
                place = self.s["p"] + self.R @ r + self.loop.gain * self.s["known"]
                self.feet[:, leg] = place[:, :2]
            ticks = round(phase.lasts * self.loop.cycle / dt)
            step = phase.lasts * self.loop.cycle / ticks
            for k in range(ticks):  # midpoint rule
                R, s = self.R, self.s
                half = self.rates(phase, R, s, k * step)
                mid = {key: s[key] + 0.5 * step * half[key] for key in s}
                R_mid = rotation(0.5 * step * s["w"]) @ R
                rate = self.rates(phase, R_mid, mid, (k + 0.5) * step)
                self.R = rotation(step * mid["w"]) @ R
                self.s = {key: s[key] + step * rate[key] for key in s}

    def rates(self, phase, R, s, time):
        """Return how fast the states change."""
        loop, legs = self.loop, list(phase.legs)
        taken, weight = 1.0 - np.exp(-time / loop.take_on), loop.mass * GRAVITY
        roll, pitch = np.arctan2(R[:, 2, 1], R[:, 2, 2]), -np.arcsin(R[:, 2, 0])
        angles = np.stack([roll, pitch], axis=1)
        moment = loop.upright * (s["level"] - angles)
        moment -= loop.upright_damping * np.einsum("nij,ni->nj", R, s["w"])[:, :2]
        arms = self.feet[:, legs] - s["p"][:, None, :2]
        rows = np.stack(
            [np.full(arms.shape[:2], 10.0), arms[..., 1], -arms[..., 0]], axis=1
        )
        goal = np.column_stack([np.full(self.n, 10.0 * weight), moment])
        loads = np.einsum("nij,nj->ni", np.linalg.pinv(rows), goal)
        a, b = s["level"].T
        R_ref = rotation(np.stack([0 * a, b, 0 * a], 1)) @ rotation(
            np.stack([a, 0 * a, 0 * a], 1)
        )
        force, torque = np.zeros((2, self.n, 3))
        for one in range(len(legs)):
            arm = np.column_stack([arms[:, one], -s["p"][:, 2]])
            high = np.column_stack([arms[:, one], np.full(self.n, -loop.height)])
            back = np.swapaxes(R, 1, 2)
            seen = np.einsum("nij,nj->ni", back, arm)
            moving = -s["v"] - np.cross(s["w"], arm)
            seen_rate = np.einsum("nij,nj->ni", back, moving)
            off = np.einsum("nji,nj->ni", R_ref, high) - seen
            off[:, 2] -= (1.0 - taken) * weight / len(legs) / loop.stiffness[2]
            pressed = loop.stiffness * off - loop.damping * seen_rate
            known = np.einsum("nij,nj->ni", back, s["known"])
            pressed += taken * loop.steady * known
            own = -np.einsum("nij,nj->ni", R, pressed)
            own[:, 2] += taken * loads[:, one]
            force += own
            torque += np.cross(arm, own)
        inertia = R @ loop.inertia @ np.swapaxes(R, 1, 2)
        spun = np.cross(s["w"], np.einsum("nij,nj->ni", inertia, s["w"]))
        turning = np.linalg.solve(inertia, (torque - spun)[..., None])[..., 0]
        return {
            "p": s["v"],
            "v": force / loop.mass - [0.0, 0.0, GRAVITY],
            "w": turning,
            "known": (s["v"] - s["known"]) / loop.velocity_time,
            "level": -loop.levelling * angles,
        }


def cycle_by_differences(loop, dt=0.001, size=1e-5):
    """Return what a cycle does to small states, by central differences, (n, n)."""
    n = 17 + 2 * len(loop.feet)
    bodies = Bodies(loop, np.vstack([size * np.eye(n), -size * np.eye(n)]))
    bodies.walk(dt)
    x = bodies.states()
    return (x[:n] - x[n:]).T / (2.0 * size)
