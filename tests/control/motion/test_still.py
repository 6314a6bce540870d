"""A trunk that stays: against where it was told to be."""

import dataclasses

import numpy as np
import pytest

from equipoise.control.motion.still import StillConfig, StillMotion
from equipoise.control.walker import WalkerConfig, walker
from equipoise.core.errors import ConfigError
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.rollout import rollout
from oracles.walking_parts import (
    DT,
    estimate,
    flat_world,
    machine,
    rotation,
    stance,
    travel,
)


def settle(config, known, ticks=3000, goal=(0.3, 0.1, 0.2, 1.0)):
    """Return the references while the trunk goes where it is told."""
    motion, rows = StillMotion(config), []
    state = motion.init(machine())
    for _ in range(ticks):
        answer, state = motion.step(known, travel(*goal), stance(), state)
        known.trunk["p_WB"] = answer.pose["p_WB"]
        known.trunk["R_WB"] = rotation(*answer.pose[0].rpy_WB)
        rows.append(answer)
    return rows


def test_the_centre_of_mass_comes_over_the_feet_at_the_height_and_attitude(rng):
    config = StillConfig(height=0.45, roll=0.05, pitch=-0.08, time=0.1)
    known = estimate(p_WB=(0.05, -0.03, 0.5), tilt=(0.0, 0.0, 0.4))
    known.footholds[:] += rng.normal(0.0, 0.02, (4, 3))
    last = settle(config, known)[-1]
    pose = last.pose[0]
    centre = pose.p_WB + rotation(*pose.rpy_WB) @ known.trunk[0].p_BC
    middle = known.footholds.mean(axis=0)
    # 6 s are sixty times the filter's time: rounding is left
    assert np.abs(centre[:2] - middle[:2]).max() < 1e-12
    hip = machine().geometry.hips[:, 2].mean()
    assert pose.p_WB[2] + hip - middle[2] == pytest.approx(0.45, abs=1e-12)
    assert pose.rpy_WB == pytest.approx([0.05, -0.08, 0.4], abs=1e-12)
    assert not pose.v_WB.any() and not pose.path.any()  # whatever the goal's is
    assert pose.yaw_rate == 0.0


def test_it_gets_there_within_its_time():
    rows = settle(StillConfig(pitch=0.1, time=0.3), estimate(), ticks=500)
    pitch = np.array([row.pose["rpy_WB"][0, 1] for row in rows])
    n = np.arange(1, 501)
    expected = 0.1 * (1.0 - (0.3 / (0.3 + DT)) ** n)
    assert np.allclose(pitch, expected, rtol=1e-9)  # rounding, 500 products


def test_feet_belong_under_the_centre_of_mass():
    for pitch, roll in ((0.1, 0.0), (0.0, -0.1)):
        last = settle(StillConfig(pitch=pitch, roll=roll, time=0.1), estimate())[-1]
        over = estimate().trunk[0].p_BC - last.places.mean(axis=0)
        assert np.abs((rotation(*last.pose[0].rpy_WB) @ over)[:2]).max() < 1e-12


def test_bad_settings_are_refused():
    with pytest.raises(ConfigError, match="height"):
        StillConfig(height=-0.1)
    with pytest.raises(ConfigError, match="pitch"):
        StillConfig(pitch=1.0)


@pytest.mark.sim
def test_the_simulated_machine_takes_the_height_and_attitude():
    settings = WalkerConfig(support="standing", motion="still", balance="posture")
    controller = walker(machine(), (), settings)
    still = StillMotion(StillConfig(height=0.46, pitch=0.06))
    controller = dataclasses.replace(controller, motion=still)
    real = MachineConfig.real(1)
    run = rollout(flat_world(), controller, 2.0, plant=real, record_every=10)
    assert run.is_finite
    # inclinometers are half a degree off
    assert run.attitude[-1, 1] == pytest.approx(0.06, abs=0.01)
    assert abs(run.attitude[-1, 0]) < 0.01
    hip = machine().geometry.hips[:, 2].mean()
    feet = run.foot_place[-1, :, 2].mean()
    # springs of the legs give way: 1 cm
    assert run.p_WB[-1, 2] + hip - feet == pytest.approx(0.46, abs=0.01)
