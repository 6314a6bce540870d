"""Trunk servo and forces: at rest, off its place, tilted, on a slope, while walking."""

import numpy as np
import pytest

from equipoise.control.balance.two_step import (
    MissWatch,
    TwoStepBalance,
    TwoStepConfig,
    watch_miss,
)
from equipoise.control.forces.two_step import FootForce, ForceMiss
from equipoise.control.records import TrunkEstimate
from equipoise.control.signals import TrunkReference
from equipoise.core.constants import GRAVITY
from oracles.asv import asv_estimate, asv_machine, asv_pose, asv_stance

WEIGHT = 2700.0 * GRAVITY


def settled_answer(estimate, pose, stance=None, config=None):
    """Return the answer once all feet have taken their shares on."""
    part = TwoStepBalance(config or TwoStepConfig())
    state, stance = part.init(asv_machine()), stance or asv_stance()
    trunk = TrunkReference(pose, np.zeros((6, 3)))
    for _ in range(400):
        answer, state = part.step(estimate, stance, trunk, state)
    return answer, state


def test_at_rest_six_feet_carry_the_weight():
    answer, state = settled_answer(asv_estimate(), asv_pose())
    assert np.allclose(state.feet["load"], WEIGHT / 6.0)
    assert np.allclose(answer.force, [0.0, 0.0, -WEIGHT / 6.0], atol=1e-6)
    assert not answer.legs["spring"].any()


def test_what_is_missing_becomes_the_wrench():
    c = TwoStepConfig()
    pose = asv_pose(v_WB=(0.1, 0.0, 0.0))
    pose["p_WB"] += (0.0, 0.05, 0.01)
    _, state = settled_answer(
        asv_estimate(), pose, asv_stance(), TwoStepConfig(integral=0.0)
    )
    force = state.wrench[0].force
    assert np.isclose(force[0], 2700.0 * c.speed * 0.1)
    assert np.isclose(force[1], 2700.0 * c.place * 0.05)
    assert np.isclose(force[2], WEIGHT + 2700.0 * c.height * 0.01)


def test_a_tilt_is_turned_back_about_its_own_axis():
    c, inertia = TwoStepConfig(), asv_machine().turning
    for axis in range(3):
        rpy = np.zeros(3)
        rpy[axis] = 1e-4  # of the reference; sin x = x to 1e-9
        _, state = settled_answer(asv_estimate(), asv_pose(rpy_WB=rpy))
        gain = c.heading if axis == 2 else c.attitude
        wanted = np.zeros(3)
        wanted[axis] = inertia[axis, axis] * gain * 1e-4
        assert np.allclose(state.wrench[0].moment, wanted, atol=1e-4)
        assert np.allclose(state.miss[0].moment, 0.0, atol=1e-6)


def test_on_a_slope_friction_is_about_its_normal():
    """With 0.35 of friction it stands on a slope of 30 % and slips on one of 40 %."""
    for slope, cuts in ((0.30, 0.0), (0.40, 6.0)):
        config = TwoStepConfig(friction=0.35)
        _, state = settled_answer(asv_estimate(slope), asv_pose(), config=config)
        assert state.miss[0].cut == cuts
        share = np.hypot(*state.feet["level"][:, :2].T) / state.feet["load"]
        assert np.allclose(share, min(slope, 0.35))


def test_a_wrench_that_is_missed_for_long_is_told():
    part, stance = TwoStepBalance(), asv_stance(stands=(1, 1, 0, 0, 0, 0))
    state, trunk = (
        part.init(asv_machine()),
        TrunkReference(asv_pose(), np.zeros((6, 3))),
    )
    told = []
    for _ in range(200):
        _, state = part.step(asv_estimate(), stance, trunk, state)
        told.append(part.tell(state))
    assert told[0]["wrench_miss_z"] > 0.3
    assert told[120]["infeasible"] == 0.0
    assert told[130]["infeasible"] == 1.0


def test_feet_step_farther_out_the_faster_it_is():
    c = TwoStepConfig()
    answer, _ = settled_answer(asv_estimate(v_WB=(0.2, -0.1, 0.0)), asv_pose())
    late = 0.25 + c.step_out
    assert np.allclose(answer.shift, [0.2 * late, -0.1 * late])


def test_a_wrench_is_held_for_its_period():
    part = TwoStepBalance(TwoStepConfig(period=0.06))
    known, trunk = asv_estimate(), TrunkReference(asv_pose(), np.zeros((6, 3)))
    state, asked = part.init(asv_machine()), []
    for tick in range(90):
        known.trunk["v_WB"][0, 0] = 1e-3 * tick
        _, state = part.step(known, asv_stance(), trunk, state)
        asked.append(state.wrench[0].force[0])
    changes = 1 + np.flatnonzero(np.diff(asked))
    assert np.array_equal(changes, [30, 60])  # of 2 ms each


def missed(force, moment, *, lasted=0.0, counted=0.0):
    """Watch one tick of 0.1 s of 50 kg on feet 0.5 m and 1.3 m away, one in the air."""
    trunk, feet = TrunkEstimate.zeros(1), FootForce.zeros(3)
    trunk["mass"], trunk["dt"] = 50.0, 0.1
    feet["most"] = 400.0, 0.0, 1e-3
    feet["arm"] = [[0.3, -0.4, 7.0], [8.0, 8.0, 8.0], [-0.5, 1.2, -7.0]]
    miss, before, after = ForceMiss.zeros(1), MissWatch.zeros(1), MissWatch.zeros(1)
    miss["force"], miss["moment"] = force, moment
    before["lasts"], before["seconds"] = lasted, counted
    watch_miss(trunk, feet, miss, before, after)
    assert before["lasts"] == lasted and not before["shares"].any()
    return after[0]


def test_a_miss_is_a_share_of_the_weight_and_of_its_moment_at_the_feet():
    weight, arm = 50.0 * GRAVITY, 0.5 * (0.5 + 1.3)
    watch = missed((900.0, 800.0, -20.0), (30.0, -45.0, 700.0))
    wanted = [20.0 / weight, 30.0 / (weight * arm), 45.0 / (weight * arm)]
    assert watch.shares == pytest.approx(wanted, rel=1e-14)
    assert (watch.lasts, watch.infeasible, watch.seconds) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("which", range(3))
def test_each_share_over_three_tenths_counts_its_time(which):
    """For more than a quarter of a second without a break it is infeasible."""
    weight, arm = 50.0 * GRAVITY, 0.9
    for share, lasted, lasts, told in (
        (0.29, 5.0, 0.0, 0.0),
        (0.31, 0.1, 0.2, 0.0),
        (0.31, 0.16, 0.26, 1.0),
    ):
        force, moment = np.zeros(3), np.zeros(3)
        if which == 0:
            force[2] = share * weight
        else:
            moment[which - 1] = -share * weight * arm
        watch = missed(force, moment, lasted=lasted, counted=3.0)
        assert watch.lasts == pytest.approx(lasts)
        assert watch.infeasible == told
        assert watch.seconds == pytest.approx(3.0 + 0.1 * told)


def test_without_feet_the_least_moment_is_missed_entirely():
    trunk, miss = TrunkEstimate.zeros(1), ForceMiss.zeros(1)
    trunk["mass"], trunk["dt"] = 50.0, 0.1
    miss["moment"] = 1e-3, 0.0, 0.0
    after = MissWatch.zeros(1)
    watch_miss(trunk, FootForce.zeros(2), miss, MissWatch.zeros(1), after)
    wanted = 1e-3 / (50.0 * GRAVITY * 1e-6)  # about an arm of a micrometre
    assert after[0].shares[1] == pytest.approx(wanted)
    assert after[0].lasts == pytest.approx(0.1)
