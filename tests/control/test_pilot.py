"""The operator's wishes, ramped: against ramps in closed form."""

import numpy as np
import pytest

from equipoise.control.pilot import PilotConfig, PilotTask, WalkingGoal
from equipoise.control.pilots.ramped import RampedPilot
from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.control.signals import Estimate
from equipoise.core.errors import ConfigError
from oracles.walking_parts import machine

DT = 0.002
EPS = np.finfo(float).eps


def pilot_of(goals, config):
    """Return a pilot that ramps goals."""
    return RampedPilot(PilotTask(goals=goals, limits=config))


def commands(pilot, ticks):
    """Return what is commanded at each tick, (ticks, 4)."""
    state, rows = pilot.init(machine()), []
    trunk = TrunkEstimate.zeros()
    estimate = Estimate(machine(), trunk, LegEstimate.zeros(4, joints=3))
    for k in range(ticks):
        trunk["time"], trunk["dt"] = k * DT, DT
        goal, state = pilot.step(estimate, None, None, state)
        rows.append([*goal[0].velocity, goal[0].walks])
    return np.array(rows)


def test_velocities_rise_along_ramps_and_stay():
    goal = WalkingGoal(time=0.1, forward=0.4, left=-0.2, turn=0.3)
    config = PilotConfig(acceleration=0.5, turn_acceleration=1.5)
    rows = commands(pilot_of((goal,), config), 600)
    began = 50  # the first tick that is not before the goal's time
    assert (rows[:began] == 0.0).all()
    since = DT * (np.arange(600) - began + 1)
    rise = np.clip(since, 0.0, None)
    wanted = np.stack(
        [np.minimum(0.4, 0.5 * rise), np.maximum(-0.2, -0.5 * rise),
         np.minimum(0.3, 1.5 * rise)], axis=1,
    )  # fmt: skip
    # rounding: one addition a tick
    assert np.abs(rows[:, :3] - wanted).max() <= 600 * EPS
    assert (rows[began:, 3] == 1.0).all()
    assert (rows[-1, :3] == [0.4, -0.2, 0.3]).all()


def test_a_stop_slows_down_first_then_steps_on_the_spot_then_stands():
    config = PilotConfig(acceleration=0.5, settle=0.3)
    pilot = pilot_of(
        (WalkingGoal(forward=0.4), WalkingGoal(time=1.2, walk=False)), config
    )
    rows = commands(pilot, 1200)
    time = DT * np.arange(1200)
    halted = 1.2 + 0.4 / 0.5  # when the ramp has come down
    rested = halted + 0.3
    assert (rows[(time > 0.85) & (time < 1.2), 0] == 0.4).all()
    # exact but for the tick in which a threshold is passed, hence two ticks of room
    assert (rows[time < halted - 2 * DT, 0] > 0.0).all()
    assert np.abs(rows[time > halted + 2 * DT, 0]).max() < 1e-9
    assert (rows[time < rested - 2 * DT, 3] == 1.0).all()
    assert (rows[time > rested + 2 * DT, 3] == 0.0).all()


def test_the_latest_goal_holds_in_whatever_order_they_come():
    goals = (WalkingGoal(time=1.0, forward=0.1), WalkingGoal(forward=0.3))
    rows = commands(pilot_of(goals, PilotConfig(acceleration=10.0)), 1000)
    assert rows[499, 0] == 0.3
    assert rows[-1, 0] == pytest.approx(0.1, abs=1000 * EPS)  # rounding, as above
    again = commands(pilot_of(goals[::-1], PilotConfig(acceleration=10.0)), 1000)
    assert (rows == again).all()


def test_walking_begins_anew_after_a_stop():
    goals = (
        WalkingGoal(forward=0.1),
        WalkingGoal(time=0.5, walk=False),
        WalkingGoal(time=2.0, left=0.1),
    )
    rows = commands(pilot_of(goals, PilotConfig(acceleration=1.0, settle=0.2)), 1500)
    assert rows[999, 3] == 0.0
    assert (rows[1000:, 3] == 1.0).all()
    assert rows[-1, 1] == pytest.approx(0.1, abs=1500 * EPS)


def test_a_goal_that_is_no_number_is_refused_with_all_problems():
    with pytest.raises(ConfigError, match=r"(?s)forward.*turn"):
        WalkingGoal(forward=float("nan"), turn=float("inf"))
