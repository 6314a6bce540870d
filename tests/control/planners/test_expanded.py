"""The expanded trot's plans, walked without physics."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from equipoise.control.ground_map import GroundMap, MapFrame
from equipoise.control.planners.expanded import ExpandedPlanner
from equipoise.control.planners.footholds import allowed_near
from equipoise.control.planners.pacing import ExpandedConfig
from equipoise.control.records import GaitClock, LegStance
from equipoise.control.signals import WalkingStance, nothing_asked
from oracles.planned_walk import known, titan4, walked
from oracles.walking_parts import travel

LAST = 6.0  # when it is told to stop [s]


def told(velocity=(0.4, 0.0, 0.0)):
    """Return a goal in time: it walks, slows down within a second, and stops."""

    def at(time):
        share = np.clip(min(time + 0.01, LAST - time), 0.0, 1.0)
        return travel(*(share * x for x in velocity), walks=float(time < LAST + 1.0))

    return at


@cache
def plain():
    return walked(ExpandedPlanner(), told(), LAST + 4.0)


def banned_map(share=0.0, cell=0.05):
    frame = MapFrame.zeros()
    frame["west"], frame["south"], frame["cell"] = -1.0, -1.0, cell
    cells = np.random.default_rng(5).uniform(size=(100, 40)) < share
    return GroundMap(frame, np.zeros(cells.shape), cells.astype(float))


def waves_of(walk):
    """Return the waves of a walk, in their order."""
    found = {id(state.now): state.now for state in walk.states if state.now is not None}
    return [segment for segment in found.values() if segment.wave is not None]


def test_diagonals_take_turns_and_all_feet_stand_at_every_switch():
    walk, waves = plain(), waves_of(plain())
    assert [wave.legs for wave in waves[:4]] == [(0, 3), (1, 2), (0, 3), (1, 2)]
    assert len(waves) > 8
    for wave, after in pairwise(waves):
        (lifts, lands), (late, last) = (wave.swing(leg) for leg in wave.legs)
        assert lifts == wave.course.begin < late < lands < last
        assert last == pytest.approx(wave.end, abs=1e-12)
        assert after.course.begin == pytest.approx(wave.end, abs=1e-12)
    on_two = (walk.stands.sum(axis=1) == 2).mean()
    assert 0.1 < on_two < 0.4
    assert walk.stands.sum(axis=1).min() == 2


def test_the_next_wave_is_known_and_its_legs_are_not_told_yet():
    walk = plain()
    state = walk.states[len(walk.states) // 2]
    ahead, plan = state.after, state.plan
    for leg in ahead.legs:
        assert plan.legs[leg].lift == ahead.swing(leg)[0]
        assert plan.legs[leg].foothold[:2] == pytest.approx(state.now.before[leg])
    for leg in state.now.legs:
        assert plan.legs[leg].foothold[:2] == pytest.approx(state.now.feet[leg])


def test_the_trunk_goes_as_it_is_told_and_rests_amid_its_feet():
    walk = plain()
    way = walk.trunk[-1, 0] - walk.trunk[0, 0]
    assert way == pytest.approx(0.4 * 5.0, abs=0.1)  # it hears of changes a wave later
    assert walk.trunk[-1] == pytest.approx(walk.feet[-1].mean(axis=0), abs=1e-6)
    assert walk.stands[-1].all()
    assert walk.states[-1].now.end == np.inf
    assert np.abs(np.diff(walk.trunk[-50:], axis=0)).max() < 1e-12
    still = walk.feet[-1] - walk.feet[-1].mean(axis=0)
    assert still == pytest.approx(walk.feet[0] - walk.feet[0].mean(axis=0), abs=1e-6)


def test_the_trunk_makes_no_leap():
    steps = np.abs(np.diff(plain().trunk, axis=0))
    assert steps.max() < 0.01 * 0.75  # no faster than 0.75 m/s


@pytest.mark.parametrize(
    ("velocity", "first"),
    [((0.3, 0, 0), 0), ((-0.3, 0, 0), 3), ((0, 0.2, 0), 0), ((0, -0.2, 0), 3)],
)
def test_the_leg_ahead_leads_whichever_way_it_goes(velocity, first):
    walk = walked(ExpandedPlanner(), told(velocity), 4.0)
    lifted = np.flatnonzero(~walk.stands.all(axis=1))[0]
    assert np.flatnonzero(~walk.stands[lifted]).tolist() == [first]
    gone = walk.trunk[-1] - walk.trunk[0]
    assert gone @ velocity[:2] > 0.5 * np.hypot(*velocity[:2]) ** 2


def test_the_duty_factor_changes_without_a_seam():
    config = ExpandedConfig(duty=0.55, duty_to=0.75, sweep=6.0)
    walk = walked(ExpandedPlanner(config), told(), LAST + 2.0)
    duties = [wave.wave.duty for wave in waves_of(walk)]
    assert min(duties) < 0.62
    assert max(duties) > 0.72
    assert np.abs(np.diff(walk.trunk, axis=0)).max() < 0.01 * 0.75


def test_no_foot_is_put_down_where_it_is_not_allowed():
    ground = banned_map(0.5)
    walk = walked(ExpandedPlanner(), told(), LAST, ground)
    moved = 0
    for foot in np.unique(walk.feet[100:].reshape(-1, 2).round(6), axis=0):
        i, j = np.floor((foot + 1.0) / 0.05).astype(int)
        if np.abs(foot - walk.feet[0]).max(axis=1).min() > 1e-3:  # where it began
            moved += 1
            assert not ground.banned[i, j]
    assert moved > 10


def test_where_nothing_is_allowed_it_puts_its_feet_back_and_rests():
    ground = banned_map()
    ground.banned[38:] = 1.0  # from 0.9 m on
    walk = walked(ExpandedPlanner(), told(), LAST, ground)
    last = walk.states[-1]
    assert last.now.end == np.inf
    assert walk.stands[-1].all()
    assert walk.feet[..., 0].max() < 0.9 + 1e-9
    assert ExpandedConfig().crawl in {wave.wave.duty for wave in waves_of(walk)}
    assert walk.trunk[-1, 0] > 0.1
    assert len(waves_of(walk)) < 6  # it does not try again by itself


def test_the_next_wave_is_planned_anew_with_the_same_legs_where_that_is_asked():
    planner, clock = ExpandedPlanner(), GaitClock.zeros()
    state = plain().states[250]
    clock["time"] = plain().time[250]
    asked, stands = nothing_asked(titan4()), LegStance.zeros(4)
    stands["stands"], asked.clock["replan"] = 1.0, 1.0
    goal = travel(0.1, walks=1.0)
    _, after = planner.step(known(), goal, WalkingStance(stands, clock), asked, state)
    assert after.now is state.now
    assert after.after.legs == state.after.legs
    assert after.after.course.speeds[1] == pytest.approx(0.1)
    assert state.after.course.speeds[1] == pytest.approx(0.4)
    assert after.waves == state.waves


def test_the_nearest_cell_that_is_allowed_is_found():
    ground = banned_map()
    ground.banned[20:23, 20:23] = 1.0  # from 0 to 0.15 m both ways
    wanted = np.array([0.074, 0.12])
    assert allowed_near(ground, wanted, 0.2) == pytest.approx([0.075, 0.175])
    assert allowed_near(ground, wanted, 0.05) is None
    free = np.array([0.4, 0.4])
    assert allowed_near(ground, free, 0.0) is free
    beyond = np.array([50.0, 0.0])
    assert allowed_near(ground, beyond, 0.0) is beyond
