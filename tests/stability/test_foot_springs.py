"""Forces and Hessian of soft feet against energies with free feet, and differences."""

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.spatial import random_rotation
from equipoise.stability.soft.foot import Foot, expect_feet
from equipoise.stability.soft.springs import rotation_after, spring_forces
from oracles.soft_feet import springs_energy

STEP = np.finfo(float).eps ** (1 / 3)  # the best for central differences


def some_matrix(rng: np.random.Generator, scale: float) -> np.ndarray:
    turn = random_rotation(rng)
    return scale * turn @ np.diag(rng.uniform(0.2, 1, 3)) @ turn.T


def some_feet(rng: np.random.Generator) -> list[Foot]:
    return [
        Foot(
            rng.uniform([-0.5, -0.5, -1.0], [0.5, 0.5, -0.3]),
            some_matrix(rng, 5000.0),
            some_matrix(rng, 1e-4) if rng.random() < 0.7 else None,
        )
        for _ in range(rng.integers(3, 7))
    ]


def some_pose(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return rng.normal(size=3) * 0.05, rotation_after(
        np.eye(3), rng.normal(size=3) * 0.3
    )


def test_gradient_is_the_slope_of_the_energy_with_free_feet(rng):
    for _ in range(20):
        feet = expect_feet(some_feet(rng))
        p, R = some_pose(rng)
        legs = [None] * len(feet.arms) if feet.legs is None else list(feet.legs)
        legs = [C if C is not None and C.any() else None for C in legs]
        given = list(zip(feet.arms, feet.ground, legs, strict=True))
        all_press = np.ones(len(given), bool)
        slopes = [
            springs_energy(given, p + e[:3], rotation_after(R, e[3:]))
            - springs_energy(given, p - e[:3], rotation_after(R, -e[3:]))
            for e in STEP * np.eye(6)
        ]
        ours = spring_forces(feet, p, R, all_press).gradient
        # truncation and rounding of central differences: eps^(2/3) of the entries
        assert np.abs(np.array(slopes) / (2 * STEP) - ours).max() < 1e-9 * len(given)


def test_hessian_is_the_slope_of_the_gradient(rng):
    for _ in range(20):
        feet = expect_feet(some_feet(rng))
        p, R = some_pose(rng)
        all_press = np.ones(len(feet.arms), bool)

        def gradient(e: np.ndarray, feet=feet, p=p, R=R, press=all_press) -> np.ndarray:
            return spring_forces(
                feet, p + e[:3], rotation_after(R, e[3:]), press
            ).gradient

        found = np.stack(
            [(gradient(e) - gradient(-e)) / (2 * STEP) for e in STEP * np.eye(6)],
            axis=1,
        )
        ours = spring_forces(feet, p, R, all_press).hessian
        # truncation: eps^(2/3) = 4e-11 times a third derivative of order ten
        assert np.abs(found - ours).max() < 1e-8 * np.abs(ours).max()


def test_turning_keeps_its_digits_for_small_angles(rng):
    turn = np.array([1e-9, 2e-9, -1e-9])
    R = rotation_after(np.eye(3), turn)
    x, y, z = turn  # to second order, which 1 - cos would lose
    assert R[2, 1] == pytest.approx(x + y * z / 2, rel=1e-15)
    assert R[1, 2] == pytest.approx(-x + y * z / 2, rel=1e-15)
    whole = rotation_after(np.eye(3), np.array([0, 0, np.pi / 2]))
    assert np.abs(whole - [[0, -1, 0], [1, 0, 0], [0, 0, 1]]).max() < 1e-15
    turn = rng.normal(size=3)
    back = rotation_after(rotation_after(np.eye(3), turn), -turn)
    assert np.abs(back - np.eye(3)).max() < 1e-14  # rounding


def test_a_foot_that_would_pull_is_lifted():
    feet = expect_feet([Foot((x, 0, -1), 100.0) for x in (-1, 0, 1)])
    springs = spring_forces(
        feet, np.zeros(3), rotation_after(np.eye(3), np.array([0, 0.1, 0]))
    )
    assert springs.presses.tolist() == [False, False, True] or (
        springs.presses.tolist() == [False, True, True]
    )
    assert not springs.forces[0].any()
    assert springs.forces[2, 2] < 0


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ground_stiffness": -1.0}, "ground_stiffness must be a number > 0, got -1"),
        ({"ground_stiffness": np.zeros((3, 3))}, "ground_stiffness is zero"),
        ({"ground_stiffness": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, "must be symmetric"),
        ({"ground_stiffness": np.diag([1, 1, -1])}, "no negative eigenvalue, got -1"),
        ({"leg_compliance": np.diag([1, 1, -1])}, "leg_compliance must have no neg"),
        ({"normal": (0, 0, 2)}, r"normal must have length 1, got .* of length 2"),
        ({"position": (0, 0)}, r"position must have shape \(3,\), got \(2,\)"),
        ({"position": (0, 0, np.nan)}, "position must be finite"),
    ],
)
def test_refuses_feet_that_are_none(change, problem):
    with pytest.raises((NotPhysicalError, ShapeError), match=problem):
        Foot(**{"position": (0, 0, -1), "ground_stiffness": 1.0, **change})


def test_a_vertical_spring_is_the_normal_case():
    foot = Foot((0, 0, -1), np.diag([0, 0, 5.0]))
    same = Foot((0, 0, -1), 5.0)
    assert np.array_equal(foot.ground_stiffness, same.ground_stiffness)
