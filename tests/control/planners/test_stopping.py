"""Plans that end at rest, the point model, limits of legs, and operating modes."""

import itertools

import numpy as np
import pytest

from equipoise.control.gaits.leg_limits import allowed_share
from equipoise.control.modes import MODES, next_mode
from equipoise.control.planners.point_model import (
    REASONS,
    StopPlan,
    planned_velocity,
    try_plan,
)
from equipoise.control.planners.stopping import (
    StoppingConfig,
    StoppingPlanner,
    planning_room,
)
from equipoise.control.records import Travel
from equipoise.control.signals import nothing_asked
from oracles.asv import asv_estimate, asv_machine, asv_stance

TRIPOD = (0, 1, 1, 0, 0, 1)


def plan(start=(0.0, 0.0, 0.0), bend=(0.0, 0.0, 0.0)):
    """Return a plan with the usual decelerations."""
    made = StopPlan.zeros()
    made["start"], made["bend"] = start, bend
    made["lasts"] = made["bends"] = 0.5
    made["stops"], made["spins_down"] = 1.0, 0.3
    return made


def reason(start, bend=(0.0, 0.0, 0.0), slope=0.0, **config):
    """Return why the machine, standing, cannot do a plan."""
    planner = StoppingPlanner(StoppingConfig(**config))
    state, known = planner.init(asv_machine()), asv_estimate(slope)
    stance, room = asv_stance(phase=0.02), planning_room(6)
    return REASONS[
        try_plan(
            (known.trunk, known.legs),
            (stance.legs, stance.clock),
            plan(start, bend)[0],
            state.model[0],
            state.limits,
            (room.points, room.feet, room.places),
            room.wrench,
            room.miss,
        )
    ]


def test_every_plan_ends_at_rest_and_brakes_as_told():
    made = plan((3.0, 0.0, 0.1), (0.8, 0.0, 0.0))[0]
    assert np.allclose(planned_velocity(made, 0.5)[0], (3.4, 0.0, 0.1))
    (v, _, w), (a, _, _) = planned_velocity(made, 0.5 + 1.7)
    assert np.allclose((v, w, a), (1.7, 0.05, -1.0))
    assert planned_velocity(made, 0.5 + 3.4 + 1e-9)[0] == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("t", [0.1, 0.3, 0.45, 0.7, 1.5])
def test_a_plans_acceleration_is_its_velocitys_derivative(t):
    made, h = plan((1.0, -0.6, 0.1), (0.4, 0.2, -0.3))[0], 1e-6
    (v, a), (later, _) = planned_velocity(made, t), planned_velocity(made, t + h)
    # truncation: velocities are straight lines between their kinks
    assert (np.subtract(later, v) / h) == pytest.approx(a, abs=1e-8)
    assert any(a) or t > 0.5


def test_what_can_be_and_what_cannot():
    assert reason((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == "feasible"
    assert reason((3.4, 0.0, 0.0)) in ("feasible", "reach")  # its feet are behind
    assert reason((8.0, 0.0, 0.0)) == "transfer"
    assert reason((0.0, 0.0, 3.0)) == "transfer"
    assert reason((0.0, 0.0, 0.0), (7.0, 0.0, 0.0)) == "force"
    assert reason((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), slope=0.3) == "feasible"
    assert reason((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), slope=0.6) == "force"
    assert reason((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), margin=2.0) == "margin"
    assert reason((0.0, 0.0, 0.0), (5.3, 0.0, 0.0), tilt_rate=1e-3) == "tilt"


def test_legs_keep_up_as_far_as_they_reach():
    """Slides of 1.1 m: 97 % of 2.2 m in a support of half a second."""
    state = StoppingPlanner().init(asv_machine())
    limits = state.limits
    assert np.allclose(limits["upper"][:, 0], 0.97 * 1.1, atol=2e-3)
    assert np.allclose(limits["lower"][:, 1], -0.97 * 0.5, atol=2e-3)
    assert np.allclose(limits["speed"][:, 0], 11.0)
    assert np.allclose(limits["push"][:, 0], 12_000.0 / 160.0)
    assert allowed_share(1.0, 0.0, 0.0, 1.0, limits) == 1.0
    v, reach = 4.5, limits["upper"][0, 0]
    longest, shortest = 2.0 * reach / v, 1.875 * v / (11.0 + v)  # by drives' speed
    share = allowed_share(v, 0.0, 0.0, 1.0, limits)
    assert np.isclose(share, longest / shortest)
    reach = limits["upper"][0, 1]
    assert np.isclose(allowed_share(0.0, 2.1, 0.0, 1.0, limits), 2 * reach / 2.1 / 0.5)


def run(command, seconds, stop=None, **config):
    """Return what was granted over time, and the last state; the machine follows."""
    planner = StoppingPlanner(StoppingConfig(**config))
    state, rows, dt = planner.init(asv_machine()), [], 0.01
    known, asked, x = asv_estimate(), nothing_asked(asv_machine()), 0.0
    known.trunk["dt"] = dt
    for tick in range(int(seconds / dt)):
        goal = Travel.zeros()
        walks = stop is None or tick * dt < stop
        goal["walks"], goal["velocity"] = walks, command if walks else 0.0
        phase = (tick * dt) % 1.0
        first = np.array([1, 0, 0, 1, 1, 0])
        stands = first if phase < 0.5 else 1 - first
        walking = rows and rows[-1][3] > 0.0
        stance = asv_stance(phase, stands if walking else np.ones(6))
        half = rows[-1][0] * (0.25 - phase % 0.5) if rows else 0.0
        known.trunk["p_WB"][0, 0] = x
        known.legs["foot"][:, 0] = np.where(stands, half, -half)
        known.legs["foothold"][:, 0] = x + asv_machine().geometry.hips[:, 0] + half
        made, state = planner.step(known, goal, stance, asked, state)
        rows.append([*made.travel["velocity"][0], made.travel["walks"][0]])
        x += rows[-1][0] * dt
    return np.array(rows), planner.tell(state)


def test_it_reaches_a_command_by_its_acceleration_and_leaves_it_again():
    rows, told = run((3.4, 0.0, 0.0), 14.0, stop=8.0)
    assert np.isclose(rows[:, 0].max(), 3.4, atol=0.01)
    assert np.diff(rows[:, 0]).max() < 1.001 * 0.01
    assert np.diff(rows[:, 0]).min() > -1.001 * 0.01
    assert rows[-1, 0] == 0.0 and rows[-1, 3] == 0.0
    assert told["stops_executed"] == 0.0 and told["plan_failed"] == 0.0
    assert told["stop_armed"] == 1.0 and told["mode"] == MODES.index("precision")


@pytest.mark.parametrize("command", [(10.0, 0.0, 3.0), (0.0, -9.0, 0.0)])
def test_it_is_never_faster_than_legs_and_stop_let_it(command):
    rows, told = run(command, 8.0, is_limited=False, keeps_margin=True, margin=0.2)
    assert np.abs(rows[:, :3]).max() < 3.0
    assert told["plan_shrunk"] + told["plan_failed"] > 0.0
    assert told["plan_age"] < 6.0


def test_where_nothing_can_be_it_rests():
    rows, told = run((1.0, 0.0, 0.0), 4.0, margin=3.0)
    assert not rows[:, 0].any()
    assert told["plan_failed"] > 10.0
    assert REASONS[int(told["plan_reason"])] == "margin"


def test_every_change_of_mode_goes_through_precision_footing():
    for now, wanted in itertools.product(range(len(MODES)), repeat=2):
        assert next_mode(now, wanted, False) == now
        way = [now]
        while way[-1] != wanted:
            way.append(next_mode(way[-1], wanted, True))
            assert len(way) < 4
        through = MODES.index("precision")
        assert now == wanted or through in way


def test_in_utility_mode_nothing_moves():
    rows, told = run((1.0, 0.0, 0.0), 1.0, mode="utility")
    assert not rows.any()
    assert told["mode"] == MODES.index("utility")


def test_in_precision_footing_the_trunk_moves_as_far_as_legs_reach():
    """Feet stay: it accelerates, and stops before they are out of reach."""
    planner = StoppingPlanner(StoppingConfig(mode="precision", keeps_margin=True))
    state, dt, x = planner.init(asv_machine()), 0.01, 0.0
    known, asked, goal = asv_estimate(), nothing_asked(asv_machine()), Travel.zeros()
    known.trunk["dt"], goal["walks"], goal["velocity"] = dt, 1.0, (0.5, 0.0, 0.0)
    for _ in range(1000):
        known.trunk["p_WB"][0, 0] = x
        known.legs["foot"][:, 0] = -x
        made, state = planner.step(known, goal, asv_stance(), asked, state)
        assert made.travel["walks"][0] == 0.0
        x += float(made.travel["velocity"][0, 0]) * dt
    assert 0.8 < x < 0.97 * 1.1 + 0.05
    assert made.travel["velocity"][0, 0] == 0.0


def test_where_nothing_can_be_any_more_it_carries_on_its_plan_to_the_stop():
    """Ground that turns too steep to stand on: half a second, then 1 m/s² to rest."""
    planner = StoppingPlanner(StoppingConfig(mode="precision"))
    state, goal = planner.init(asv_machine()), Travel.zeros()
    asked = nothing_asked(asv_machine())
    goal["walks"], goal["velocity"] = 1.0, (0.3, 0.0, 0.0)
    flat, steep, speeds = asv_estimate(), asv_estimate(0.8), []
    for tick in range(300):
        known = flat if tick < 100 else steep
        known.trunk["dt"] = 0.01
        made, state = planner.step(known, goal, asv_stance(), asked, state)
        speeds.append(float(made.travel["velocity"][0, 0]))
    told = planner.tell(state)
    assert np.allclose(speeds[90:140], 0.3)
    assert np.isclose(min(np.diff(speeds)), -0.01)
    assert speeds[-1] == 0.0
    assert told["stops_executed"] == 1.0 and told["plan_failed"] > 10.0
    assert told["plan_age"] > 1.5 and told["stop_armed"] == 1.0
