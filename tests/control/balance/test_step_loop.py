"""The loop of trunk and steps: against bodies that step, simulated in full."""

from dataclasses import replace

import numpy as np
import pytest

from equipoise.control.balance.step_loop import StandingPhase, StepLoop
from oracles.stepping_body import Bodies, cycle_by_differences

PAIRS = (StandingPhase((0, 3), (0, 3), 0.5), StandingPhase((1, 2), (1, 2), 0.5))
WALK = (
    StandingPhase((0, 3), (), 0.3),
    StandingPhase((0, 1, 2, 3), (1, 2), 0.2),
    StandingPhase((1, 2), (), 0.3),
    StandingPhase((0, 1, 2, 3), (0, 3), 0.2),
)


def loop(width=0.2, **other) -> StepLoop:
    """Return a machine of 50 kg that trots, its feet so far from the middle."""
    given = {
        "mass": 50.0,
        "inertia": np.array([[2.0, 0.02, 0.1], [0.02, 4.0, 0.0], [0.1, 0.0, 4.5]]),
        "height": 0.47,
        "feet": np.array(
            [[0.33, width], [0.34, -width], [-0.35, width], [-0.34, -width]]
        ),
        "phases": PAIRS,
        "cycle": 0.65,
        "usual_cycle": 0.65,
        "velocity": np.zeros(2),
        "stiffness": np.array([3000.0, 3300.0, 14_000.0]),
        "damping": np.array([60.0, 80.0, 250.0]),
        "steady": np.array([240.0, 230.0, 380.0]),
        "upright": np.array([900.0, 950.0]),
        "upright_damping": np.array([90.0, 100.0]),
        "levelling": 1.0,
        "velocity_time": 0.02,
        "take_on": 0.04,
        "gain": 0.2,
    }
    return StepLoop(**(given | other))


@pytest.mark.parametrize("phases", [PAIRS, WALK], ids=["trot", "four-feet-between"])
def test_a_cycle_does_to_small_states_what_the_full_simulation_does(phases):
    own = loop(phases=phases)
    found, true = own.cycle_map(), cycle_by_differences(own, 0.002)
    seen = np.eye(own.states)
    for row in range(17, own.states):
        seen[row, (row - 17) % 2] = -1.0
    values = []
    for done in (found, true):
        rest = (seen @ done @ np.linalg.inv(seen))[2:, 2:]
        values.append(np.sort(np.abs(np.linalg.eigvals(rest)))[::-1][:4])
    # loads of a phase's four pieces are taken at their middles; the rest is the
    # oracle's step
    np.testing.assert_allclose(values[0], values[1], rtol=0.03, atol=0.02)
    assert own.remaining() == pytest.approx(values[1][0], rel=0.03)


def test_narrow_machines_fall_and_wide_ones_do_not_as_told():
    for width, falls in ((0.12, True), (0.25, False)):
        own = loop(width, gain=0.12)
        rng = np.random.default_rng(1)
        bodies = Bodies(own, 1e-3 * rng.standard_normal((1, own.states)))
        tilts = []
        for _ in range(5):
            bodies.walk(0.004)
            tilts.append(float(np.abs(bodies.states()[0, 3:5]).max()))
        assert (own.margin() < 0.0) == falls
        assert (tilts[-1] > 5.0 * tilts[0]) == falls


def test_margin_is_told_for_a_usual_cycle_whatever_the_cycle_is():
    own = loop()
    left = own.remaining()
    assert own.margin() == pytest.approx(1.0 - left)
    assert replace(own, usual_cycle=1.3).margin() == pytest.approx(1.0 - left**2)
    assert own.margin(0.3) == pytest.approx(replace(own, gain=0.3).margin())


def test_a_mirrored_machine_has_the_same_margin():
    own = loop(inertia=np.diag([2.0, 4.0, 4.5]))
    order = [1, 0, 3, 2]
    mirrored = replace(own, feet=own.feet[order] * [1.0, -1.0])
    assert mirrored.remaining() == pytest.approx(own.remaining(), rel=1e-9)


def test_feet_lie_behind_by_the_way_gone_as_a_phase_passes():
    own = loop(velocity=np.array([0.4, 0.1]))
    rested = replace(own, velocity=np.zeros(2))
    phase = PAIRS[0]
    late = 0.25 * phase.lasts * own.cycle  # after the middle of the phase
    moved = replace(rested, feet=rested.feet - late * own.velocity)
    time = 0.5 * phase.lasts * own.cycle + late
    np.testing.assert_allclose(own.rates(phase, time), moved.rates(phase, time))


def test_where_on_the_ground_a_machine_is_does_not_matter():
    own = loop()
    moved = np.zeros(own.states)
    moved[[0, *range(17, own.states, 2)]] = 1.0  # trunk and feet ahead by a metre
    np.testing.assert_allclose(own.cycle_map() @ moved, moved, atol=1e-9)
