"""Work that tips a body over on soft feet: closed form, hard ground, rising water."""

import math

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError
from equipoise.stability.rigid.energy import energy_margin
from equipoise.stability.soft.barrier import energy_barrier
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Foot
from equipoise.stability.soft.springs import rotation_after
from equipoise.stability.soft.tipping_barrier import tipping_barrier
from oracles.soft_feet import lowest_pass
from oracles.soft_stances import in_a_plane, on_a_circle, uneven

G = 9.81


@pytest.mark.parametrize("a", [0.05, 0.86, 0.999])
def test_two_feet_in_a_plane(a):
    m, r, h = 10.0, 0.3, 0.5
    k = m * G * h / (2 * a * r * r)
    found = tipping_barrier(m, in_a_plane(r, h, k))
    exact = energy_barrier(a, r / h) * m * G * h
    # rounding: the barrier is a difference of energies near m g h
    assert found.energy == pytest.approx(exact, rel=1e-9, abs=1e-13 * m * G * h)
    assert abs(found.direction[0]) == pytest.approx(1.0, abs=1e-12)
    at_ridge = max(a, math.cos(math.atan2(r, h)))
    assert math.cos(found.tilt) == pytest.approx(at_ridge, rel=1e-8)


def test_hard_ground_has_the_energy_margin(rng):
    for _ in range(2):
        feet = uneven(rng, (4e3, 9e3))
        arms = np.array([foot.position for foot in feet])
        hard = [Foot(foot.position, 1e5 * foot.ground_stiffness) for foot in feet]
        exact = energy_margin(np.zeros(3), arms, 12.0)
        found = tipping_barrier(12.0, hard)
        # two feet hold w^2 / 4 k at the least, one w^2 / 2 k at the most
        held = (12.0 * G) ** 2 / (2 * 1e5 * 4e3)
        assert exact.energy - held < found.energy < exact.energy
        assert found.direction @ exact.direction > 0.9


def test_rising_water_runs_over_at_the_same_height(rng):
    soft = 0
    for _ in range(3):
        feet = uneven(rng, (1e3, 4e3))
        arms = np.array([foot.position for foot in feet])
        k = np.array([foot.ground_stiffness[2, 2] for foot in feet])
        found = tipping_barrier(12.0, feet)
        count, reach = 141, 0.9
        water = lowest_pass(arms, k, 12.0 * G, reach, count)
        # truncation: the pass is at most half a cell away, where the energy bends by
        # m g h and by what one foot holds back, k r^2; the lowest cell likewise
        bend = 12.0 * G * 0.7 + 4e3 * 0.5**2
        assert found.energy == pytest.approx(water, abs=bend * (reach / count) ** 2)
        assert bend * (reach / count) ** 2 < 0.1 * found.energy  # so that it tells
        rigid = energy_margin(np.zeros(3), arms, 12.0).energy
        soft += int(found.energy < 0.9 * rigid)
    assert soft > 0


def test_controlled_legs_lower_the_barrier_and_turning_the_world_does_not():
    ground, C = np.diag([9e3, 9e3, 2e4]), np.diag([2e-5, 2e-5, 1e-5])
    turn = rotation_after(np.eye(3), np.array([0, 0, 0.7]))
    spots = [
        (0.3, 0.2, -0.5),
        (-0.3, 0.25, -0.55),
        (0.25, -0.3, -0.5),
        (-0.2, -0.2, -0.5),
    ]
    here = tipping_barrier(8.0, [Foot(x, ground) for x in spots])
    legs = tipping_barrier(8.0, [Foot(x, 2e4, C) for x in spots])
    other = tipping_barrier(8.0, [Foot(turn @ x, ground) for x in spots])
    assert 0 < legs.energy < here.energy
    assert other.energy == pytest.approx(here.energy, rel=1e-6)
    assert other.direction == pytest.approx(turn[:2, :2] @ here.direction, abs=1e-5)


def test_nothing_is_needed_to_tip_what_does_not_stand():
    feet = on_a_circle(4, 0.1, 0.5, 100.0)
    assert not compliant_stance(10.0, feet).stable
    found = tipping_barrier(10.0, feet)
    assert found.energy == 0.0 and math.isnan(found.tilt)
    with pytest.raises(NotPhysicalError, match="mass must be a number > 0"):
        tipping_barrier(0.0, feet)
