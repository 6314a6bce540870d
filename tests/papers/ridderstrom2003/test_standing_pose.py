"""WARP1's script about a rest, on mechanics that are linear and made up here."""

import numpy as np
import pytest

from equipoise_lab.papers.ridderstrom2003.part3 import standing as module

STIFFNESS, DAMPING = 50e3, 1e3  # of the ground under each pad
POSE = [0.0, 0.0, 0.6, 0.3, 0.05, -0.04, *(4 * [0.05, 0.3, -0.3])]
"""0.6 m up; yaw, pitch and roll of a tilted trunk; four bent legs, all alike."""


class Linear:
    """Mechanics of random matrices; torques and forces of pads take turns."""

    def __init__(self):
        rng = np.random.default_rng(3)
        self.torques = [k % 2 == 0 for k in range(24)]
        self.A, self.B = rng.normal(size=(18, 36)), rng.normal(size=(18, 24))
        self.P, self.Q = (1e-3 * rng.normal(size=(12, 36)) for _ in range(2))
        self.weight = 600.0 * rng.normal(size=18)
        root = rng.normal(size=(18, 18))
        self.M = root @ root.T + 18.0 * np.eye(18)
        self.seen = []

    def moved(self, x, u):
        self.seen.append(x.copy())
        F = x @ self.A.T + u @ self.B.T + self.weight
        return (
            np.stack([self.M] * len(x)),
            F,
            7.0 * x[:, 18:],
            x @ self.P.T,
            x @ self.Q.T,
        )

    def slopes_at(self, x, u):
        self.seen.append(x[None].copy())
        return {
            "A_kde": np.full((18, 36), 2.0), "B_kde": np.arange(432.0).reshape(18, 24),
            "A_dde": self.A, "B_dde": self.B, "places": self.P, "rates": self.Q,
        }  # fmt: skip


@pytest.fixture
def linear(monkeypatch):
    made = Linear()
    monkeypatch.setattr(module, "Stance", lambda: made)
    return made


def test_it_stands_at_rest_tilted_on_bent_legs(linear):
    found = module.standing.__wrapped__()
    for rows in linear.seen:  # at it, or a millionth beside it in one number
        assert np.abs(rows - np.r_[POSE, np.zeros(18)]).max() <= 1.0001e-6
    assert np.abs(found.h_dde).max() < 1e-9 * np.abs(linear.weight).max()
    assert not found.h_kde.any()
    assert (found.M == linear.M).all()


def test_its_matrices_have_the_springs_of_the_ground_inside(linear):
    found = module.standing.__wrapped__()
    torque = np.array(linear.torques)
    springs = -STIFFNESS * linear.P - DAMPING * linear.Q
    A = linear.A + linear.B[:, ~torque] @ springs
    assert found.A_dde == pytest.approx(A)
    assert (found.B_dde == linear.B[:, torque]).all()
    assert (found.B_kde == np.arange(432.0).reshape(18, 24)[:, torque]).all()
    assert (found.A_kde == 2.0).all()
    # central differences of what is linear have rounding alone: 1e-16 over 1e-6
    for slopes, wanted in (
        (found.by_states, A), (found.by_torques, linear.B[:, torque]),
    ):  # fmt: skip
        by_hand = np.linalg.solve(linear.M, wanted)
        assert np.abs(slopes - by_hand).max() < 1e-6 * np.abs(by_hand).max()
