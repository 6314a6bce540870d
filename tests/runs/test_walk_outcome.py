"""Numbers of a walk that is made up sample by sample, each by hand."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr

from equipoise.control.ground_map import GroundMap, MapFrame, no_map
from equipoise.core.errors import ConfigError
from equipoise.runs.walk import freeze, loading
from equipoise.runs.walk.contacts import gait_from_contacts
from equipoise.runs.walk.effort import (
    effort,
    odometry_error,
    percentiles,
    recorded_chatter_share,
)
from equipoise.runs.walk.feasible import AskedGait, expect_footing, feet_that_carry
from equipoise.runs.walk.freeze import FreezeWatch, freeze_numbers, freeze_ticks
from equipoise.runs.walk.goal_watch import GoalWatch, goal_tolerance
from equipoise.runs.walk.judge import WalkMargins, walk_numbers
from equipoise.runs.walk.numbers.path import lateral_error, told_path
from equipoise.runs.walk.numbers.planning import learning_numbers
from equipoise.runs.walk.recorded_plan import with_contacts, with_map, with_plan
from equipoise.sim.terrain import Terrain

UP = np.array([0.0, 0.0, 1.0])
DT = 0.01
TIME = DT * np.arange(1001)  # ten seconds


class Walk(SimpleNamespace):
    """A walk at 0.5 m/s from one second on, as far as numbers look at it."""

    def __init__(self, said=None, **parts):
        nt = len(TIME)
        along = 0.5 * np.maximum(TIME - 1.0, 0.0)
        still = np.zeros(nt)
        given = {
            "time": TIME, "frame_time": TIME,
            "p_WB": np.stack([along, still, 0.5 + still], axis=1),
            "quat_WB": np.tile([1.0, 0, 0, 0], (nt, 1)),
            "attitude": np.zeros((nt, 3)),
            "work_plus": 20.0 * TIME, "drawn": 30.0 * TIME,
            "slip": np.stack([0.001 * TIME, 0.002 * TIME], axis=1),
            "tau": np.zeros((nt, 2)), "v": np.zeros((nt, 2)), "realtime_factor": 5.0,
        }  # fmt: skip
        spoken = {
            "walking": (TIME >= 1.0 - 1e-9).astype(float),
            "forward": 0.5 * (TIME >= 1.0 - 1e-9), "left": still, "turn": still,
        } | (said or {})  # fmt: skip
        super().__init__(**{**given, **parts}, spoken=spoken, signals=tuple(spoken))

    def said(self, name):
        return np.asarray(self.spoken.get(name, np.full(len(TIME), np.nan)), float)


def numbers(run, **more):
    nan = np.full(len(TIME), np.nan)
    given = {
        "forward": 0.5, "left": 0.0, "mass": 10.0, "torque": np.array([10.0, 20.0]),
        "walks_until": 10.0, "margins": WalkMargins(nan, nan),
    } | more  # fmt: skip
    return walk_numbers(run, given.pop("margins"), UP, **given)


def test_a_steady_walk():
    found = numbers(Walk())
    assert found["distance_m"] == pytest.approx(4.5)
    assert found["mean_speed_mps"] == pytest.approx(0.5)
    assert found["commanded_mps"] == pytest.approx(0.5)
    assert found["speed_error"] == pytest.approx(0.0, abs=1e-12)
    assert found["turn_rate_radps"] == 0.0
    assert found["slip_m"] == pytest.approx(0.03)
    weight = 10.0 * 9.81 * 4.5
    assert found["cost_of_transport"] == pytest.approx(200.0 / weight)
    assert found["electrical_cost_of_transport"] == pytest.approx(300.0 / weight)
    assert (found["energy_j"], found["electrical_energy_j"]) == (200.0, 300.0)
    assert found["static_margin_min_m"] is None and found["realtime_factor"] == 5.0


def test_what_hardly_moved_has_no_cost_of_transport():
    short = Walk(p_WB=np.stack([0.0099 * TIME, 0 * TIME, 0 * TIME], axis=1))
    assert numbers(short)["cost_of_transport"] is None
    enough = Walk(p_WB=np.stack([0.0101 * TIME, 0 * TIME, 0 * TIME], axis=1))
    assert numbers(enough)["cost_of_transport"] is not None


def test_extremes_count_from_when_it_walks():
    half = 0.5 * np.radians(np.where(TIME < 1.0, 40.0, 5.0 * (TIME == 4.0)))
    zero = 0.0 * half
    roll = np.stack([np.cos(half), -np.sin(half), zero, zero], axis=1)
    pitch = np.stack([np.cos(half), zero, np.sin(half), zero], axis=1)
    assert numbers(Walk(quat_WB=roll))["roll_max_deg"] == pytest.approx(5.0)
    assert numbers(Walk(quat_WB=roll))["pitch_max_deg"] == pytest.approx(0.0, abs=1e-9)
    assert numbers(Walk(quat_WB=pitch))["pitch_max_deg"] == pytest.approx(5.0)
    margins = WalkMargins(*np.array([[np.nan, 0.2, 0.1], [0.3, np.nan, 0.05]]))
    found = numbers(Walk(), margins=margins)
    assert (found["static_margin_min_m"], found["zmp_margin_min_m"]) == (0.1, 0.05)
    tau = np.zeros((len(TIME), 2))
    tau[500], tau[600] = (-9.0, 0.0), (0.0, 10.0)
    assert numbers(Walk(tau=tau))["torque_peak_share"] == pytest.approx(0.9)


def test_speed_counts_from_two_seconds_to_the_stop():
    place = np.zeros((len(TIME), 3))
    place[:, 0] = np.where(TIME < 2.0, 9.0 * TIME, 18.0 + 0.3 * (TIME - 2.0))
    place[TIME > 8.0, 0] = 18.0 + 0.3 * 6.0
    found = numbers(Walk(p_WB=place), walks_until=8.0)
    assert found["mean_speed_mps"] == pytest.approx(0.3)
    assert found["speed_error"] == pytest.approx(0.3 / 0.5 - 1.0)


def test_with_a_ramp_speed_counts_from_nearly_all_of_the_command():
    ramp = np.clip((TIME - 1.0) / 4.0, 0.0, 1.0)  # 95 % at 4.8 s
    place = np.zeros((len(TIME), 3))
    place[:, 0] = np.where(TIME < 4.8, 0.0, 0.5 * (TIME - 4.8))
    run = Walk({"forward": 0.5 * ramp}, p_WB=place)
    assert numbers(run, has_ramp=True)["mean_speed_mps"] == pytest.approx(0.5, rel=3e-3)
    assert numbers(run)["mean_speed_mps"] < 0.4
    at_once = Walk({"forward": np.full(len(TIME), 0.5)}, p_WB=place)
    early = numbers(at_once, has_ramp=True)["mean_speed_mps"]
    assert early == pytest.approx(numbers(at_once)["mean_speed_mps"])
    turning = Walk({"forward": 0 * TIME, "turn": -ramp}, p_WB=place)
    found = numbers(turning, has_ramp=True)
    assert found["mean_speed_mps"] == pytest.approx(0.5, rel=3e-3)
    assert found["speed_error"] is None  # nothing was commanded


# --- effort -----------------------------------------------------------------------


def test_effort_is_of_limits_and_of_the_time_it_walked():
    tau, v = np.zeros((2, len(TIME), 2))
    tau[:, 0], v[:, 1] = -5.0, 2.0
    tau[:100], v[:100] = 99.0, 99.0  # before
    found = effort(
        Walk(tau=tau, v=v), np.array([10.0, 20.0]), np.array([4.0, 8.0]), 100
    )
    assert found["torque_p99_share"] == pytest.approx(0.5)
    assert found["speed_p99_share"] == pytest.approx(0.25)
    assert found["mechanical_power_w"] == pytest.approx(20.0)
    assert found["saturated_share"] == 0.0
    tau[100:551, 0] = 9.6  # a half of the samples of one of two joints
    full = effort(Walk(tau=tau, v=v), np.array([10.0, 20.0]), np.ones(2), 100)
    assert full["saturated_share"] == pytest.approx(451 / 901 / 2)
    tau[100:, 0] = 9.5  # the very limit counts as below it
    assert effort(Walk(tau=tau), np.array([10.0, 20.0]), np.ones(2), 100)[
        "saturated_share"
    ] == 0.0  # fmt: skip
    assert effort(Walk(), np.ones(2), np.ones(2), 1000)["mechanical_power_w"] is None


def test_chatter_needs_samples_and_something_that_moves():
    time = 0.001 * np.arange(1000)
    slow = np.sin(2.0 * np.pi * 10.0 * time)[:, None]
    quick = np.sin(2.0 * np.pi * 100.0 * time)[:, None]
    assert recorded_chatter_share(time, slow + quick) == pytest.approx(0.5)
    assert recorded_chatter_share(time, 3.0 * slow + quick + 7.0) == pytest.approx(0.1)
    assert recorded_chatter_share(time, np.ones((1000, 2))) == 0.0
    assert recorded_chatter_share(time[:7], slow[:7]) is None
    assert recorded_chatter_share(time[:8], slow[:8]) is not None
    assert recorded_chatter_share(0.005 * np.arange(100), np.ones((100, 1))) == 0.0
    assert recorded_chatter_share(0.0051 * np.arange(100), np.ones((100, 1))) is None


def test_most_of_the_time_is_told_by_percentiles():
    margins = WalkMargins(np.r_[np.nan, np.arange(101.0)], np.full(3, np.nan))
    half = 0.5 * np.radians(np.r_[99.0, np.linspace(0.0, 10.0, 1000)])
    zero = 0.0 * half
    quat = np.stack([np.cos(half), -np.sin(half), zero, zero], axis=1)
    place = np.stack([zero, zero, 0.5 + 0.01 * (np.arange(1001) % 2)], axis=1)
    place[0, 2] = 9.0
    found = percentiles(Walk(quat_WB=quat, p_WB=place), margins, UP, 1)
    assert (found["static_margin_p5_m"], found["zmp_margin_p5_m"]) == (5.0, None)
    assert found["roll_p95_deg"] == pytest.approx(9.5)
    assert found["pitch_p95_deg"] == pytest.approx(0.0, abs=1e-9)
    assert found["attitude_rms_deg"] == pytest.approx(10.0 / math.sqrt(3.0), rel=1e-3)
    assert found["height_rms_m"] == pytest.approx(0.005)


def test_dead_reckoning_is_held_against_the_true_way():
    told = {"speed": np.where(TIME < 1.0, np.nan, 0.6)}
    run = Walk(told)
    assert odometry_error(run, 0.5, 0.0) == pytest.approx(0.1 * 9.0)
    assert odometry_error(run, 0.5, 0.1) is None
    assert odometry_error(Walk(), 0.5, 0.0) is None
    once = {"speed": np.where(TIME == 5.0, 0.5, np.nan)}
    assert odometry_error(Walk(once), 0.5, 0.0) is None
    early = {"speed": np.where((TIME > 2.0) & (TIME < 4.0), 0.4, np.nan)}
    # up to 3.99 s only what is told counts: 1.98 s at 0.4, while it went 1.495 m
    assert odometry_error(Walk(early), 0.5, 0.0) == pytest.approx(0.792 - 1.495)


# --- feet -------------------------------------------------------------------------


def feet(*falls, cycle=1.0, stands=0.6):
    """Return whether feet touch that come down at some phases of a cycle."""
    phase = (TIME[:, None] / cycle - np.array(falls)) % 1.0
    return phase < stands


def test_phases_are_between_the_feet_that_the_words_say():
    # left front, right front, left middle, right middle, left rear, right rear
    touches = feet(0.6, 0.1, 0.9, 0.45, 0.2, 0.7)
    found = gait_from_contacts(TIME, touches, 0)
    assert found["cycle_s"] == pytest.approx(1.0)
    assert found["lag_ipsilateral"] == pytest.approx(0.7, abs=0.01)  # middle after rear
    assert found["phase_contralateral"] == pytest.approx(0.5, abs=0.01)
    assert found["duty"] == pytest.approx([0.6] * 6, abs=0.01)
    assert sum(found["in_the_air_share"]) == pytest.approx(1.0)
    assert len(found["in_the_air_share"]) == 7
    # without the right middle leg and the front ones
    lost = gait_from_contacts(TIME, touches[:, [2, 4, 5]], 0, np.array([2, 4, 5]))
    assert lost["lag_ipsilateral"] == pytest.approx(0.7, abs=0.01)
    assert lost["phase_contralateral"] == pytest.approx(0.5, abs=0.01)  # of the rear
    alone = gait_from_contacts(TIME, touches[:, [0, 3]], 0, np.array([0, 3]))
    assert alone["lag_ipsilateral"] is alone["phase_contralateral"] is None


def test_three_falls_of_each_foot_make_a_cycle():
    touches = feet(0.0, 0.5)
    assert gait_from_contacts(TIME, touches, 650)["cycle_s"] is not None
    assert gait_from_contacts(TIME, touches, 760)["cycle_s"] is None
    nothing = gait_from_contacts(TIME, touches, 1001)
    assert nothing["duty"] is None and nothing["in_the_air_share"] is None


# --- paths ------------------------------------------------------------------------


def test_told_velocities_lead_along_a_circle():
    wanted = np.array([np.full(1001, 0.3), np.full(1001, 0.4), np.full(1001, 0.5)])
    path = told_path(TIME, wanted, 0.2)
    radius, first = 0.5 / 0.5, 0.2 + math.atan2(0.4, 0.3)
    angle = first + 0.5 * TIME
    circle = radius * np.stack(
        [np.sin(angle) - math.sin(first), math.cos(first) - np.cos(angle)], axis=1
    )
    np.testing.assert_allclose(path, circle, atol=1e-4)  # truncation, of the midpoint


def test_a_straight_walk_is_beside_its_line():
    place = np.stack([0.5 * TIME, 0.02 * TIME, 0 * TIME], axis=1)
    beside = Walk({"forward": np.full(1001, 0.5)}, p_WB=place)
    assert lateral_error(beside, 0) == pytest.approx(0.2)
    assert lateral_error(beside, 500) == pytest.approx(0.1)
    turned = Walk({"forward": np.full(1001, 0.5)}, p_WB=place[:, [1, 0, 2]],
                  attitude=np.tile([0.0, 0.0, math.pi / 2], (1001, 1)))  # fmt: skip
    assert lateral_error(turned, 0) == pytest.approx(0.2)
    assert lateral_error(Walk({"forward": 0 * TIME}), 0) is None
    assert lateral_error(Walk({"forward": np.nan * TIME}), 0) is None


def test_what_was_learned_is_told_by_the_turn():
    yaw = np.linspace(0.0, 7.0, 1001)
    attitude = np.stack([0 * yaw, 0 * yaw, (yaw + np.pi) % (2 * np.pi) - np.pi], axis=1)
    run = Walk({"plan_made": np.floor(TIME)}, attitude=attitude)
    found = learning_numbers(run, "policy.json")
    assert found == {
        "policy": "policy.json", "moves": 10, "turned_rad": pytest.approx(7.0),
        "rad_per_step": pytest.approx(0.7),
    }  # fmt: skip
    assert learning_numbers(run, None) is None
    assert learning_numbers(Walk(), "policy.json") is None
    still = learning_numbers(Walk({"plan_made": 0 * TIME}), "p")
    assert still is not None and still["rad_per_step"] == 0.0


# --- watching ---------------------------------------------------------------------


def state(x, y, time):
    return SimpleNamespace(qpos=np.array([x, y, 0.5]), time=time)


def test_a_walk_to_a_place_ends_there_or_where_nothing_moves():
    watch: Any = GoalWatch(lambda data: data.time > 900.0, (2.0, 0.0), 0.5)
    assert not watch(state(0.0, 0.0, 0.0))
    assert not watch(state(1.49, 0.0, 5.0)) and watch.seen == (1.49, 0.0, 5.0)
    assert watch(state(1.51, 0.0, 5.0))
    assert not watch(state(1.53, 0.6, 6.0))
    assert not watch(state(1.45, 0.6, 7.0)) and watch.seen[2] == 7.0
    assert not watch(state(1.45, 0.64, 8.0)) and watch.seen[2] == 7.0  # not far enough
    assert not watch(state(1.45, 0.64, 37.0))
    assert watch(state(1.45, 0.64, 37.1))
    assert watch(state(9.0, 9.0, 901.0))


def test_a_place_is_near_within_the_trunk_s_height_over_its_ground():
    world: Any = SimpleNamespace(
        start=lambda: SimpleNamespace(qpos=np.array([1.0, 2.0, 0.7])),
        surface=SimpleNamespace(height=lambda x, y: 0.1 * x + 0.05 * y),
    )
    assert goal_tolerance(world) == pytest.approx(0.5)


def test_instants_are_within_their_time_and_none_twice():
    found = freeze_ticks(50, 1.0, 1.4, 0.004, 3)
    assert len(found) == 50 and min(found) >= 250 and max(found) < 350
    assert (
        found
        == freeze_ticks(50, 1.0, 1.4, 0.004, 3)
        != freeze_ticks(50, 1.0, 1.4, 0.004, 4)
    )
    assert freeze_ticks(500, 1.0, 1.4, 0.004, 3) == frozenset(range(250, 350))
    assert freeze_ticks(0, 1.0, 1.4, 0.004, 3) == frozenset()


def test_copies_are_counted_by_what_became_of_them(monkeypatch):
    became = {10: ("no", 2.0), 20: ("moves", 5.0), 30: ("tilt", 40.0), 40: ("no", 5.1)}

    def frozen(world, copy, fall, time):
        assert (world, fall) == ("world", "fall")
        return freeze.Frozen(time, *became[copy])

    monkeypatch.setattr(freeze, "_frozen", frozen)
    watch: Any = FreezeWatch(None, frozenset([40, 10, 20, 30, 50]))  # pyright: ignore
    watch.states.update({k: k for k in (30, 10, 40, 20)})
    found = freeze_numbers("world", watch, "fall", 0.004)  # pyright: ignore
    assert found is not None
    instants = found.pop("instants")
    assert found == {
        "asked": 5, "tried": 4, "stable": 2, "tipped": 2, "watched_s": 5.0,
        "tilt_max_deg": 40.0,
    }  # fmt: skip
    assert [one["time_s"] for one in instants] == pytest.approx(
        [0.04, 0.08, 0.12, 0.16]
    )
    assert instants[2]["fell_how"] == "tilt"
    nobody: Any = FreezeWatch(None, frozenset())  # pyright: ignore
    assert freeze_numbers("world", nobody, "fall", 0.004) is None  # pyright: ignore
    fell_before: Any = FreezeWatch(None, frozenset([9]))  # pyright: ignore
    found = freeze_numbers("world", fell_before, "fall", 0.004)  # pyright: ignore
    assert found is not None and found["tilt_max_deg"] is None


def test_a_loading_trial_is_done_twice_and_compared():
    from equipoise.runs.walk.config import WalkConfig

    asked = []

    def walk(config):
        asked.append(config)
        errors = [0.3, 0.4] if config.adapt else [0.6, 0.8]
        return {"forces": {"force_error_rms_leg_share": errors}}

    walking = SimpleNamespace(cycloid=SimpleNamespace(guess=5e4), balance="vertical")
    config = WalkConfig(
        adapt=True, speed=0.3, turn=0.1, left=0.1, heading=5.0, push=3.0, force=2.0,
        freeze=3, seconds=20.0, stop_at=9.0, seed=7, terrain="soft:30000",
        gains={"capture.gain": 2.0},
    )  # fmt: skip
    plan: Any = SimpleNamespace(
        config=config, walking=walking, terrain=Terrain("soft", 3e4)
    )
    found = loading.loading_trial(plan, walk)
    assert [one.adapt for one in asked] == [True, False]
    for one in asked:
        assert (one.speed, one.turn, one.left, one.heading) == (0.0, 0.0, 0.0, 0.0)
        assert (one.push, one.force, one.freeze, one.seconds) == (0.0, 0.0, 0, 8.0)
        assert (one.stop_at, one.ramp, one.push_at, one.seed) == (None, None, None, 7)
        assert one.support == "standing"
        assert dict(one.gains) == {"capture.gain": 2.0, "vertical.rock": 0.6}
    assert found["error_rms"] == pytest.approx(math.sqrt(0.125))
    assert found["error_rms_off"] == pytest.approx(math.sqrt(0.5))
    assert found["better"] == pytest.approx(2.0)
    assert found["ground_n_per_m"] == pytest.approx(3e4)
    assert found["first_guess_n_per_m"] == 5e4
    unknown = loading.loading_trial(
        plan, lambda c: {"forces": {"force_error_rms_leg_share": [0.1, None]}}
    )
    assert unknown["error_rms"] is unknown["better"] is None
    assert loading.can_be_tried(plan)
    plan.config = WalkConfig(gains={"vertical.rock": 0.5})
    assert not loading.can_be_tried(plan)
    plan.config, walking.balance = config, "capture"
    assert not loading.can_be_tried(plan)
    plan.walking = None
    assert not loading.can_be_tried(plan)


# --- before it walks --------------------------------------------------------------


def test_slopes_are_within_friction():
    for slope in (0.3, -0.3, 0.0):
        expect_footing(SimpleNamespace(slope=slope), 0.3)  # pyright: ignore
    for slope in (0.31, -0.31):
        with pytest.raises(ConfigError, match=r"within 30 % with friction 0\.3, got"):
            expect_footing(SimpleNamespace(slope=slope), 0.3)  # pyright: ignore


def test_the_share_that_may_be_asked_for_is_of_the_speed():
    machine: Any = SimpleNamespace(height=0.5)
    given: Any = {"machine": machine, "gait": None, "cycle": 0.6, "turn": 0.0}
    asked = AskedGait(**given, forward=0.6, left=0.8, fastest=0.4)
    assert asked.most_share == pytest.approx(0.4 * math.sqrt(9.81 * 0.5))
    assert AskedGait(**given, forward=0.0, left=0.0, fastest=0.4).most_share == math.inf
    assert asked.cycle_at(0.3) == 0.6
    quick = AskedGait(
        **given, forward=1.0, left=0.0, cycle_of=lambda share: 1.0 - share
    )
    assert quick.cycle_at(0.3) == pytest.approx(0.7)


def test_feet_that_carry_are_the_fewest_or_the_mean():
    from equipoise.control.gaits.named import named_gait

    assert feet_that_carry(named_gait("trot", 4, None)) == 2.0
    assert feet_that_carry(named_gait("crawl", 4, None)) == 3.0
    pace = named_gait("trot", 4, 0.4)  # it flies
    assert feet_that_carry(pace) == pytest.approx(1.6)


# --- what is recorded -------------------------------------------------------------


def recording(**more):
    said = {name: ("time", np.full(3, float(k))) for k, name in enumerate(
        ("said_ref_x", "said_ref_y", "said_ref_z", "said_ref_yaw"))}  # fmt: skip
    return xr.Dataset({**said, **more}, {"time": [0.0, 0.1, 0.2]})


def test_plans_are_recorded_foot_by_foot():
    from equipoise.control.report import LEG_SIGNALS, leg_signals

    names = leg_signals(2)
    legs = {
        f"said_{name}": ("time", np.full(3, float(k))) for k, name in enumerate(names)
    }
    found = with_plan(recording(**legs), 2)
    assert found["plan_trunk"].values[1].tolist() == [0.0, 1.0, 2.0, 3.0]
    assert list(found["pose"].values) == ["x", "y", "z", "yaw"]
    width = len(LEG_SIGNALS)
    assert found["foot_goal"].values[0].tolist() == [
        [0, 1, 2],
        [width, width + 1, width + 2],
    ]
    assert found["asked_load"].values[2].tolist() == [3.0, width + 3.0]
    assert not any(f"said_{name}" in found for name in names)
    bare = with_plan(recording().drop_vars("said_ref_z"), 2)
    assert "plan_trunk" not in bare and "foot_goal" not in bare


def test_every_contact_that_begins_or_ends_is_recorded():
    touches = np.array([[1, 0], [1, 1], [0, 1], [0, 1], [1, 0]], bool)
    run: Any = SimpleNamespace(touches=touches, time=np.arange(5.0))
    found = with_contacts(xr.Dataset(), run)
    columns = (found[f"contact_{n}"].values for n in ("time", "foot", "begins"))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    assert list(rows) == [
        (1.0, 1, 1.0), (2.0, 0, 0.0), (4.0, 0, 1.0), (4.0, 1, 0.0)
    ]  # fmt: skip
    assert found["contact_first"].values.tolist() == [1.0, 0.0]


def test_forbidden_cells_are_recorded_with_their_place():
    frame = MapFrame.zeros()
    frame[0].west, frame[0].south, frame[0].cell = -1.0, -2.0, 0.25
    banned = np.array([[0.0, 1.0, 0.0]])
    found = with_map(xr.Dataset(), GroundMap(frame, banned, banned))
    assert found["banned"].values.tolist() == banned.tolist()
    about = found["banned"].attrs
    assert (about["west_m"], about["south_m"], about["cell_m"]) == (-1.0, -2.0, 0.25)
    assert "banned" not in with_map(xr.Dataset(), no_map())
