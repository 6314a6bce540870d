"""RALPHY's sharing over many random ticks, against the same rules in vectors."""

import math

import numpy as np
import pytest

from equipoise.control.forces.force_reference import force_reference
from equipoise.control.forces.servo import ServoState
from equipoise.control.forces.sharing import (
    SharingLeg,
    SharingWatch,
    SituationBounds,
    VerticalConfig,
    share_trunk,
)
from equipoise.control.forces.two_step import TrunkWrench
from equipoise.control.forces.vertical import VerticalShare, share_vertical
from equipoise.control.records import LegBalance
from equipoise.core.records import record_of
from oracles.other_views import random_ticks
from oracles.walking_parts import DT, machine

ENOUGH = 1e-9  # rounding: some hundred operations, relative to forces of 600 N
CYCLE, LASTING = 0.06, 0.1
GAINS = {
    "period": 3 * DT, "take_on": 4 * DT, "ease": 5 * DT, "slipping": 0.9,
    "pushed": 0.45, "step_out": 0.1, "reach": 0.02, "rock": 0.3, "rock_time": 0.05,
}  # fmt: skip
WEIGHT = 600.0


def gains():
    """Return the settings, all different."""
    return record_of(VerticalConfig(**GAINS))


def bounds():
    """Return bounds of three situations."""
    found = SituationBounds.zeros(3)
    found["least"], found["most"] = [5.0, 15.0, 1.0], [260.0, 300.0, 340.0]
    found["step"] = [30.0, 12.0, 90.0]
    return found


class Shared:
    """The rules of one tick after the other, foot by foot in NumPy."""

    def __init__(self):
        self.began, self.was = np.full(4, np.nan), np.ones(4)
        self.share, self.last, self.step = np.zeros(4), np.zeros(4), np.zeros(4)
        self.situation, self.since = 0, 0.0
        self.least, self.most, self.previous = np.zeros(4), np.zeros(4), np.zeros(4)

    def watch(self, known, stance, servo, pose):
        """Decide between walking as usual, a slip and a push."""
        trunk, legs = known.trunk[0], known.legs
        at = legs["hip"] + legs["foot"]
        rate = legs["foot_rate"] + np.cross(trunk.w_WB_B, at)
        slide = trunk.v_WB + rate @ trunk.R_WB.T
        slips = np.hypot(*slide[:, :2].T) > GAINS["slipping"]
        found = 1 if (slips & (stance.legs["stands"] > 0)).any() else 0
        off = (servo.centre - pose.v_WB)[:2]
        found = 2 if np.hypot(*off) > GAINS["pushed"] else found
        self.since = 0.0 if found else self.since + DT
        if found or self.since > LASTING:
            self.situation = found

    def follow(self, stance, dt=DT):
        """Advance how far each foot's support is, and how much it may carry."""
        legs, clock = stance.legs, stance.clock[0]
        time = np.zeros(4)
        for k, leg in enumerate(legs):
            if leg.scheduled > 0.0 and self.was[k] == 0.0:
                self.began[k] = clock.phase
            if clock.walking == 0.0:
                self.began[k] = np.nan
            self.was[k] = leg.scheduled if clock.walking > 0.0 else 1.0
            gone = ((clock.phase - self.began[k]) % 1.0) * clock.cycle
            if np.isfinite(gone):
                time[k] = gone - leg.support / 2.0
            if leg.stands == 0.0:
                self.share[k] = self.last[k] = 0.0
                continue
            self.share[k] = min(self.share[k] + dt / max(GAINS["take_on"], dt), 1.0)
            if np.isfinite(gone):
                left = max(leg.support - gone, 0.0) * (leg.scheduled > 0.0)
                self.share[k] = min(self.share[k], max(left / GAINS["ease"], 0.02))
        return time

    def aims(self, stance, arm, aside, time, wrench, watch, rock):
        """Write bounds and the loads near which the distribution is looked for."""
        bound, stands = bounds()[self.situation], stance.legs["stands"] > 0.0
        self.least = np.where(stands, self.share * bound.least, 0.0)
        self.most = np.where(stands, self.share * bound.most, 0.0)
        up = np.array([force_reference(t, watch)[1] for t in time])
        way = np.sign(arm * aside)
        target = np.where(stands, np.maximum(up, self.least) * (1.0 + rock * way), 0.0)
        if not stands.any():
            return
        lever = arm - arm[stands].mean()
        spread = 1e-9 + (lever[stands] ** 2).sum()
        target *= wrench.force[2] / max(target.sum(), 1e-9)
        target -= wrench.moment[1] * lever / spread
        half = 0.5 * bound.step
        near = self.last + np.clip(target - self.last, -half, half)
        self.previous = np.where(stands, near, self.previous)
        self.step = np.where(stands, half, self.step)

    def lean(self, stance, aside, wrench):
        """Return what the left side carries more for the moment about the way ahead."""
        stands, left = stance.legs["stands"] > 0.0, machine().side > 0.0
        if not (stands & left).any() or not (stands & ~left).any():
            return 0.0
        a, b = aside[stands & left].mean(), aside[stands & ~left].mean()
        half = max(0.5 * (a - b), 1e-3)
        return (wrench.moment[0] - 0.5 * (a + b) * wrench.force[2]) / half


@pytest.fixture(scope="module")
def ticks():
    """What is known at 90 ticks: a walk on a clock, a rest, a slide and a push."""
    rng, found = np.random.default_rng(8), []
    for k, (known, _, told, trunk, _) in enumerate(random_ticks(41, 90)):
        walks, phase = k < 60, (k * DT / CYCLE) % 1.0
        calm = 12 < k < 70
        clock, legs = told.clock[0], told.legs
        clock.walking, clock.phase, clock.cycle = float(walks), phase, CYCLE
        starts = np.array([0.0, 0.3, 0.55, 0.8])
        legs["support"] = 0.7 * CYCLE
        legs["scheduled"] = ((phase - starts) % 1.0 < 0.7) if walks else 1.0
        late = rng.random(4) < 0.1
        legs["stands"] = np.where(late, 1.0 - legs["scheduled"], legs["scheduled"])
        if k == 40:
            legs["stands"] = 0.0
        if k == 44:
            legs["stands"] = [1.0, 0.0, 1.0, 0.0]
        one, pose = known.trunk[0], trunk.pose[0]
        if calm:  # feet stay where they are
            one.v_WB[:], one.w_WB_B[:], known.legs["foot_rate"] = 0.0, 0.0, 0.0
        servo = ServoState.zeros()
        servo["centre"] = pose.v_WB + (0.1 if calm else 0.3) * rng.normal(size=3)
        servo["due"] = GAINS["period"] - (DT if k % 3 else 0.0)
        wrench = TrunkWrench.zeros()
        wrench["force"][0] = [0.0, 0.0, WEIGHT * rng.uniform(0.7, 1.2)]
        wrench["moment"][0] = rng.normal(0.0, 25.0, 3)
        found.append((known, told, trunk.pose, servo, wrench))
    return found


def test_many_ticks_are_shared_as_the_rules_say(ticks):
    law, gain = Shared(), gains()
    feet, share = SharingLeg.zeros(4), VerticalShare.zeros()
    feet["side"], feet["began"], feet["scheduled"] = machine().side, math.nan, 1.0
    watch = SharingWatch.zeros()
    watch["dip"], watch["height"], watch["full"] = 0.2, 0.5, 120.0
    situations = []
    for known, told, poses, servo, wrench in ticks:
        after, answers = SharingLeg.zeros(4), LegBalance.zeros(4)
        shares, watched = VerticalShare.zeros(), SharingWatch.zeros()
        share_trunk(
            known.trunk, known.legs, (told.legs, told.clock, poses), (gain, bounds()),
            (feet, after, answers), (share, shares), (watch, watched), (wrench, servo),
        )  # fmt: skip
        trunk, pose, one = known.trunk[0], poses[0], watched[0]
        assert one.frequency == 1.0 / CYCLE
        assert one.duty == pytest.approx(0.7) and one.peak == pytest.approx(120 / 0.7)
        assert one.speed == pytest.approx(np.hypot(*pose.path))
        law.watch(known, told, servo[0], pose)
        time = law.follow(told)
        yaw = pose.rpy_WB[2]
        arms = (known.legs["hip"] + known.legs["foot"] - trunk.p_BC) @ trunk.R_WB.T
        arm = arms[:, :2] @ [np.cos(yaw), np.sin(yaw)]
        aside = arms[:, :2] @ [-np.sin(yaw), np.cos(yaw)]
        if servo[0].due == GAINS["period"]:
            rests = told.clock[0].walking == 0.0
            rock = GAINS["rock"] * math.sin(math.tau * trunk.time / 0.05) * rests
            law.aims(told, arm, aside, time, wrench[0], one, rock)
            want = after.copy()
            want["least"], want["most"] = law.least, law.most
            want["previous"], want["step"] = law.previous, law.step
            lean = law.lean(told, aside, wrench[0])
            again = VerticalShare.zeros()
            again["lean"] = lean
            share_vertical(wrench[0].force[2], want, again[0])
            law.last = want["load"].copy()
            assert shares[0].lean == pytest.approx(lean, rel=ENOUGH)
            assert shares[0].outcome == again[0].outcome
        close = {"rtol": ENOUGH, "atol": ENOUGH}
        np.testing.assert_allclose(after["arm"], arm, **close)
        np.testing.assert_allclose(after["aside"], aside, **close)
        np.testing.assert_allclose(after["time"], time, **close)
        np.testing.assert_allclose(after["share"], law.share, **close)
        np.testing.assert_allclose(after["last"], law.last, atol=1e-6)  # by λ
        assert watched[0].situation == law.situation
        situations.append(law.situation)
        expect_pressed(answers, told, known, poses[0], after, one, servo[0])
        law.last = after["last"].copy()
        feet, share, watch = after, shares, watched
    assert set(situations) == {0, 1, 2}


def expect_pressed(answers, told, known, pose, feet, watch, servo):
    """Check each foot's force, told along B, and where the next footholds go."""
    stands, trunk = told.legs["stands"] > 0.0, known.trunk[0]
    load = np.where(stands, feet["last"], 0.0)
    level = np.outer(load * feet["time"] / watch.height, pose.path)
    force = -np.column_stack([level, load]) @ trunk.R_WB
    np.testing.assert_allclose(answers["force"], force, rtol=ENOUGH, atol=ENOUGH)
    np.testing.assert_array_equal(answers["load"], load)
    np.testing.assert_array_equal(answers["arm"], np.c_[feet["arm"], feet["aside"]])
    np.testing.assert_array_equal(answers["stands"], told.legs["stands"])
    np.testing.assert_array_equal(answers["share"], feet["share"])
    assert (answers["spring"] == [1.0, 1.0, 0.0]).all()
    assert not answers["tried"].any() and not answers["free"].any()
    c, s = np.cos(pose.rpy_WB[2]), np.sin(pose.rpy_WB[2])
    off = (servo.centre - pose.v_WB)[:2]
    shift = GAINS["step_out"] * np.array([[c, s], [-s, c]]) @ off
    shift = np.clip(shift, -GAINS["reach"], GAINS["reach"])
    np.testing.assert_allclose(answers["shift"], np.tile(shift, (4, 1)), rtol=ENOUGH)


def test_a_cycle_of_no_time_and_a_support_of_more_than_it_are_bounded(ticks):
    known, told, poses, servo, wrench = ticks[20]
    for cycle, support, frequency, duty in (
        (0.0, 0.0, 1000.0, 0.05), (0.5, 0.9, 2.0, 1.0), (0.5, 0.01, 2.0, 0.05),
    ):  # fmt: skip
        told.clock["cycle"], told.legs["support"] = cycle, support
        watch, answers = SharingWatch.zeros(), LegBalance.zeros(4)
        watch["full"] = 50.0
        share_trunk(
            known.trunk, known.legs, (told.legs, told.clock, poses),
            (gains(), bounds()), (SharingLeg.zeros(4), SharingLeg.zeros(4), answers),
            (VerticalShare.zeros(), VerticalShare.zeros()),
            (SharingWatch.zeros(), watch), (wrench, servo),
        )  # fmt: skip
        assert watch[0].frequency == pytest.approx(frequency)
        assert watch[0].duty == pytest.approx(duty)
