"""Motion parts in a mirror, and in a world that is turned and moved."""

import numpy as np
import pytest

from equipoise.control.motion.follow import FollowMotion
from equipoise.control.motion.jog import JogMotion
from equipoise.control.motion.still import StillConfig, StillMotion
from equipoise.control.motion.stride import StrideConfig, StrideMotion
from equipoise.control.records import PlannedLeg, PlannedTrunk, Travel
from equipoise.control.signals import WalkingPlan
from oracles.other_views import (
    A_QUARTER_ON,
    IN_THE_MIRROR,
    expect_seen_alike,
    random_ticks,
)
from oracles.walking_parts import DT, machine

STRIDE = StrideConfig(
    level_up_to=0.01, slope_time=0.05, spread=0.02, steady=0.5, rise=0.3
)
VIEWS = {"mirror": IN_THE_MIRROR, "turned": A_QUARTER_ON}  # leashes are squares
PARTS = {
    "stride": StrideMotion(STRIDE),
    "jog": JogMotion(),
    "still": StillMotion(StillConfig(height=0.45)),
    "follow": FollowMotion(STRIDE),
}


def planned(known, told):
    """Return a plan of a few knots round where the trunk is; of z only if told."""
    rng = np.random.default_rng(3)
    knots = PlannedTrunk.zeros(4)
    knots["time"] = [0.0, 6 * DT, 8 * DT, 11.5 * DT]
    knots["p_WB"] = known.p_WB + rng.normal(0.0, 0.03, (4, 3))
    knots["p_WB"][:, 2] = 0.48 if told else np.nan
    knots["v_WB"] = rng.normal(0.0, 0.2, (4, 3))
    knots["rpy_WB"] = rng.normal([0.0, 0.0, 0.3], 0.03, (4, 3))
    knots["yaw_rate"] = rng.normal(0.0, 0.2, 4)
    return WalkingPlan(PlannedLeg.zeros(0), knots, Travel.zeros())


@pytest.mark.parametrize("walking", [1.0, 0.0])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", PARTS)
def test_another_view_changes_the_answer_as_it_changes_what_is_known(
    name, view, walking
):
    part, other = PARTS[name], VIEWS[view]
    state, seen = part.init(machine()), part.init(machine())
    ticks = random_ticks(11, walking=walking)
    for k, (known, wanted, found, _, _) in enumerate(ticks):
        known.plan = planned(ticks[0][0], walking > 0.0)
        found.clock["time"] = k * DT
        answer, state = part.step(known, wanted, found, state)
        again = part.step(*(other.of(x) for x in (known, wanted, found)), seen)
        seen = again[1]
        expect_seen_alike(other, answer, again[0])


@pytest.mark.parametrize("rolled", [0.0, 0.1])
def test_a_trunk_that_is_held_rolled_is_held_rolled_over_in_the_mirror(rolled):
    config = StillConfig(height=0.45, roll=rolled, pitch=0.05)
    part = StillMotion(config)
    beyond = StillMotion(StillConfig(height=0.45, roll=-rolled, pitch=0.05))
    state, seen = part.init(machine()), beyond.init(machine())
    for known, wanted, found, _, _ in random_ticks(5):
        answer, state = part.step(known, wanted, found, state)
        again, seen = beyond.step(
            *(IN_THE_MIRROR.of(x) for x in (known, wanted, found)), seen
        )
        expect_seen_alike(IN_THE_MIRROR, answer, again)


def test_a_sway_is_to_the_other_side_half_a_cycle_later():
    config = StrideConfig(sway=0.05, sway_phase=0.2)
    part = StrideMotion(config)
    state, seen = part.init(machine()), part.init(machine())
    for known, wanted, found, _, _ in random_ticks(9):
        mirrored = IN_THE_MIRROR.of(found)
        mirrored.clock["phase"] += 0.5
        answer, state = part.step(known, wanted, found, state)
        again, seen = part.step(
            IN_THE_MIRROR.of(known), IN_THE_MIRROR.of(wanted), mirrored, seen
        )
        expect_seen_alike(IN_THE_MIRROR, answer, again)


def test_where_the_world_begins_does_not_matter_to_a_sway():
    part = StrideMotion(StrideConfig(sway=0.05, sway_phase=0.2))
    state, seen = part.init(machine()), part.init(machine())
    for known, wanted, found, _, _ in random_ticks(13):
        answer, state = part.step(known, wanted, found, state)
        again, seen = part.step(
            *(A_QUARTER_ON.of(x) for x in (known, wanted, found)), seen
        )
        expect_seen_alike(A_QUARTER_ON, answer, again)
