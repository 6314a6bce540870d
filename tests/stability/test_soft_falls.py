"""Bodies on soft feet tip in MuJoCo at the softness that the general test predicts."""

import numpy as np
import pytest

import equipoise as eq
from equipoise.stability import Foot, compliant_stance
from oracles.soft_falls import SoftBody, SoftWorld, drawn_body

LINEAR = 1e-3  # the linearised end; it is found to 1e-5, the engine's rounding above it
TIPPING = 0.01  # the promise; a fall just beyond its end takes longer than any hold


def predicted(body: SoftBody, factor: float = 1.0):
    feet = zip(body.arms, factor * body.stiffness, strict=True)
    return compliant_stance(body.mass, [Foot(arm, float(k)) for arm, k in feet])


def compare(seed: int, count: int) -> tuple[set[int], int]:
    """Compare drawn stances; return the numbers of feet, and how many had one up."""
    rng = np.random.default_rng(seed)
    sizes, lifted = set[int](), 0
    for _ in range(count):
        body = drawn_body(rng)
        end = predicted(body).multiplier
        world = SoftWorld(body)
        assert world.linear_end(end) == pytest.approx(end, rel=LINEAR)
        assert world.falls((1 - TIPPING) * end, 1.3 * end, hold=40)
        assert not world.falls((1 + TIPPING) * end, 1.3 * end, hold=40)
        sizes.add(len(body.arms))
        lifted += not predicted(body, 1.001 * end).forces.any(axis=1).all()
    return sizes, lifted


def test_a_few_stances_tip_as_predicted():
    sizes, lifted = compare(seed=7, count=4)
    assert len(sizes) > 1 and lifted > 0


@pytest.mark.slow
def test_thirty_stances_tip_as_predicted():
    sizes, lifted = compare(seed=2003, count=30)
    assert sizes == {3, 4, 5, 6} and lifted > 3


def test_at_rest_the_engines_contacts_are_the_springs_they_are_taken_for(rng):
    for _ in range(5):
        body = drawn_body(rng)
        factor = 1.5 * predicted(body).multiplier
        stance, world = predicted(body, factor), SoftWorld(body)
        world.soften(factor)
        sink = body.mass * 9.81 / (factor * body.stiffness.sum())
        assert world.settled(np.array([-sink, 0.0, 0.0])) is not None
        pushes = world.pushes()
        # solver: the engine's acceleration is solved to 1e-9 m/s^2
        assert pushes == pytest.approx(stance.forces[:, 2], abs=1e-6)
        assert world.tilt() == pytest.approx(stance.tilt, abs=1e-7)


def test_a_robot_ends_where_the_eigenvalues_of_the_engines_step_say():
    result = eq.check(eq.load("warp1"), ground_stiffness=3000.0)
    stance, soft = result.stance, result.summary["compliance"]
    arms = stance.points + stance.radii[:, None] * stance.normals - stance.com
    body = SoftBody(stance.mass, arms, np.array(soft["contact_stiffness"]))
    end = SoftWorld(body).linear_end(soft["multiplier"])
    assert end == pytest.approx(soft["multiplier"], rel=LINEAR)
