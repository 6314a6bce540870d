"""What may be asked of a walk, and what follows from it before anything moves."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.goals import operator_goals
from equipoise.runs.walk.heading import HEADING_RATE, heading_rate
from equipoise.runs.walk.limits_config import WalkLimitsConfig
from equipoise.runs.walk.resolved import ResolvedWalk, machine_config
from equipoise.runs.walk.staged import pushes_of, random_forces
from equipoise.runs.walk.stepping import (
    ENOUGH,
    SMALL,
    cycle_at,
    step_warnings,
    usual_cycle,
    velocity_of,
)
from equipoise.runs.walk.whole_controllers import expect_plain
from equipoise.sim.terrain import Terrain, parse_terrain

NAN, INF = math.nan, math.inf


def refused(said, **settings):
    with pytest.raises(ConfigError) as caught:
        WalkConfig(**settings)
    problems = caught.value.problems
    name = said.split(" must be")[0]
    assert all(problem.startswith(name) for problem in problems), problems
    assert any(problem.startswith(said) for problem in problems), problems


# --- settings ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["speed", "heading", "left", "turn", "push", "force"])
@pytest.mark.parametrize("value", [NAN, INF, "fast", True])
def test_numbers_must_be_finite(name, value):
    refused(f"{name} must be ", **{name: value})


@pytest.mark.parametrize("name", ["speed", "heading", "left", "turn", "push"])
def test_velocities_and_pushes_have_a_sign(name):
    assert getattr(WalkConfig(**{name: -0.1}), name) == -0.1


@pytest.mark.parametrize("name", ["force", "friction", "duty"])
def test_sizes_have_none(name):
    refused(f"{name} must be >= 0", **{name: -0.1})
    assert getattr(WalkConfig(**{name: 0.0}), name) == 0.0


@pytest.mark.parametrize("name", ["force", "left", "turn", "heading", "push"])
def test_what_has_a_value_anyhow_is_not_left_open(name):
    refused(f"{name} must be ", **{name: None})


def test_the_usual_time_depends_on_the_goal():
    assert WalkConfig().seconds == 10.0
    assert WalkConfig(goal=(1.0, 0.0)).seconds == 900.0
    assert WalkConfig(goal=(1.0, 0.0), seconds=5.0).seconds == 5.0


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"seconds": 2.5}, ""),
        ({"seconds": 1200.0}, ""),
        ({"seconds": 2.49}, "seconds must be 2.5 to 1200"),
        ({"seconds": 1200.1}, "seconds must be 2.5 to 1200"),
        ({"seconds": NAN}, "seconds must be"),
        ({"push_at": 1.0}, ""),
        ({"push_at": 9.99}, ""),
        ({"push_at": 0.99}, "push-at must be 1 to below 10 s, got 0.99"),
        ({"push_at": 10.0}, "push-at must be 1 to below 10 s"),
        ({"stop_at": 2.5}, ""),
        ({"stop_at": 9.99}, ""),
        ({"stop_at": 2.49}, "stop-at must be 2.5 to below 10 s, got 2.49"),
        ({"stop_at": 10.0}, "stop-at must be 2.5 to below 10 s"),
        ({"stop_at": "late"}, "stop-at must be"),
        ({"push_at": "late"}, "push-at must be"),
    ],
)
def test_times_are_within_the_walk(settings, said):
    if said:
        refused(said, **settings)
    else:
        WalkConfig(**settings)


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"command": (0.1, 0.2, 0.3)}, ""),
        ({"command": (0.1, 0.2)}, "command must be "),
        ({"command": (0.1, 0.2, NAN)}, "command must be "),
        ({"command": (0.1, "x", 0.3)}, "command must be "),
        ({"command": (0.1, 0, 0), "speed": 0.0}, "command stands for speed, left"),
        ({"command": (0.1, 0, 0), "left": 0.1}, "command stands for speed, left"),
        ({"command": (0.1, 0, 0), "turn": 0.1}, "command stands for speed, left"),
        ({"command": (0.1, 0, 0), "heading": 0.1}, "command stands for speed, left"),
        ({"ramp": (0.1, 0.4)}, ""),
        ({"ramp": (0.1, 0.4, 0.5)}, "ramp must be "),
        ({"ramp": (0.0, 0.4)}, "ramp must be "),
        ({"ramp": (0.1, INF)}, "ramp must be "),
        ({"ramp": (0.1, 0.4), "speed": 0.1}, "ramp stands for speed and command"),
        ({"ramp": (0.1, 0.4), "command": (0, 0, 0)}, "ramp stands for speed and comm"),
        ({"goal": (1000.0, -1000.0)}, ""),
        ({"goal": (1000.1, 0.0)}, "goal must be "),
        ({"goal": (0.0, -1000.1)}, "goal must be "),
        ({"goal": (0.0, NAN)}, "goal must be "),
        ({"goal": (0.0,)}, "goal must be "),
        ({"goal": (1.0, 0.0), "mapped": True}, "mapped: there is no wall"),
        ({"goal": (1.0, 0.0), "mapped": True, "terrain": "wall"}, ""),
        ({"mapped": True, "terrain": "wall"}, "mapped needs a --goal X,Y"),
        ({"pilot": "harmonic"}, "pilot 'harmonic' walks to a place"),
        ({"goal": (1.0, 0.0), "pilot": "ramped"}, "goal: pilot 'ramped' follows"),
        ({"goal": (1.0, 0.0), "pilot": "harmonic"}, ""),
        ({"goal": (1.0, 0.0), "ramp": (0.1, 0.2)}, "goal sets the destination; "
            "leave ramp"),
        (
            {"goal": (1.0, 0.0), "stop_at": 5.0, "turn": 0.1, "left": 1, "heading": 1},
            "goal sets the destination; leave stop_at, left, turn, heading out",
        ),
        ({"goal": (1.0, 0.0), "speed": 0.0}, "speed must be > 0 to reach a goal"),
        ({"goal": (1.0, 0.0), "speed": 0.01}, ""),
        ({"ground_stiffness": 1e5}, ""),
        ({"ground_stiffness": -1.0}, "ground-stiffness must be"),
        ({"ground_stiffness": "x"}, "ground-stiffness must be"),
        (
            {"ground_stiffness": 1e5, "terrain": "soft:20000"},
            "ground-stiffness stands for terrain 'soft:100000', got",
        ),
        ({"ground_stiffness": 1e5, "terrain": "soft:100000"}, ""),
        ({"seed": -1}, "seed must be >= 0"),
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"seed": 2**63}, "seed must be >= 0 and below 2^63"),
        ({"seed": 2**63 - 1}, ""),
        ({"freeze": 500}, ""),
        ({"freeze": 501}, "freeze must be 0 to 500"),
        ({"freeze": -1}, "freeze must be 0 to 500"),
        ({"actuators": "steam"}, "actuators must be"),
        ({"sensors": "none"}, "sensors must be "),
        ({"ground": "sand"}, "ground must be"),
        ({"start": "air"}, "start must be "),
    ],
)  # fmt: skip
def test_settings_that_do_not_go_together_are_refused_by_name(settings, said):
    if said:
        refused(said, **settings)
    else:
        WalkConfig(**settings)


def test_all_problems_are_told_at_once():
    with pytest.raises(ConfigError) as caught:
        WalkConfig(push=NAN, seed=-1, ramp=(0.0, 1.0), freeze=-1, goal=(NAN, 0.0))
    told = " ".join(caught.value.problems)
    for name in ("push", "seed", "ramp", "freeze", "goal"):
        assert f"{name} must be " in told


def test_settings_stand_for_others():
    assert WalkConfig(ground_stiffness=2.5e4).terrain == "soft:25000"
    assert WalkConfig(seconds=8.0).pushed_at == 4.0
    assert WalkConfig(push_at=0.0 + 1.5).pushed_at == 1.5
    assert WalkConfig().parts() == {}
    assert WalkConfig(goal=(1.0, 0.0)).parts() == {"guide": "harmonic"}
    chosen = WalkConfig(leg_program="cycloid", pilot="ramped", reflexes=())
    assert chosen.parts() == {"legs": "cycloid", "guide": "ramped", "reflexes": ()}


def test_all_settings_are_told_those_of_the_robot_among_them():
    told = WalkConfig(speed=0.3).settings_record()
    assert told["knees"] == "forward" and "robot" not in told
    options = {"legs": 6, "knees": "backward"}
    own = WalkConfig(robot=RobotChoice(name="warp1", options=options)).settings_record()
    assert (own["legs"], own["knees"]) == (6, "backward")
    assert "knees" not in WalkConfig(robot=RobotChoice(name="titan6")).settings_record()


# --- what the operator says in time -----------------------------------------------


def test_a_walk_begins_after_a_second_and_stops_when_told():
    (go,) = operator_goals(WalkConfig(), 0.4, 0.1, -0.2)
    assert (go.time, go.forward, go.left, go.turn, go.walk) == (
        1.0,
        0.4,
        0.1,
        -0.2,
        True,
    )
    go, stop = operator_goals(WalkConfig(stop_at=5.0), 0.4, 0.1, -0.2)
    assert (go.time, go.forward) == (1.0, 0.4)
    assert (stop.time, stop.walk, stop.forward) == (5.0, False, 0.0)


@pytest.mark.parametrize("stop", [None, 6.0])
def test_a_ramp_is_even_from_its_first_speed_to_its_last(stop):
    config = WalkConfig(ramp=(0.1, 0.4), seconds=11.0, stop_at=stop)
    goals = operator_goals(config, 0.4, 0.2, 0.8)[:40]
    ends = 11.0 if stop is None else stop
    times = np.array([goal.time for goal in goals])
    np.testing.assert_allclose(
        times, 1.0 + (ends - 1.0) * np.arange(40) / 40
    )  # rounding
    forward = np.array([goal.forward for goal in goals])
    np.testing.assert_allclose(forward, 0.1 + 0.3 * np.arange(40) / 39)  # rounding
    np.testing.assert_allclose([g.left for g in goals], 0.5 * forward)
    np.testing.assert_allclose([g.turn for g in goals], 2.0 * forward)


# --- what follows for machine and plan --------------------------------------------


def plan(**parts) -> Any:
    given = {
        "config": WalkConfig(),
        "robot": None,
        "machine": None,
        "terrain": Terrain(),
        "plant": None,
        "speed": 0.5,
        "gait": "trot",
    }
    return ResolvedWalk(**{**given, **parts})


def test_a_crab_angle_turns_the_speed_and_adds_to_what_goes_left():
    assert (plan(left=0.1).forward, plan(left=0.1).aside) == (0.5, 0.1)
    crab = plan(heading=30.0, left=0.1)
    assert crab.forward == pytest.approx(0.5 * math.sqrt(0.75))
    assert crab.aside == pytest.approx(0.35)
    np.testing.assert_allclose(velocity_of(0.5, 0.1, 30.0), [crab.forward, crab.aside])
    np.testing.assert_allclose(velocity_of(0.5, 0.1, 0.0), [0.5, 0.1])


def test_ramps_belong_to_controllers_with_a_name_of_their_own():
    assert [plan(controller=c).has_ramp for c in ("", "walking", "titan")] == [0, 0, 1]


@pytest.mark.parametrize("heading", [0.0, 90.0, 210.0])
def test_a_push_has_its_direction(heading):
    assert pushes_of(WalkConfig(push_heading=heading)) == ()
    (push,) = pushes_of(WalkConfig(push=20.0, push_heading=heading, push_at=3.0))
    a = math.radians(heading)
    wanted = [20.0 * math.cos(a), 20.0 * math.sin(a), 0.0]
    np.testing.assert_allclose(push.impulse, wanted, atol=1e-14)  # rounding
    assert (push.start, push.duration) == (3.0, 0.1)
    (at_half_time,) = pushes_of(WalkConfig(push=-1.0))
    assert at_half_time.start == 5.0
    assert at_half_time.impulse[:2] == (0.0, -1.0)


def test_random_forces_begin_when_it_walks():
    assert random_forces(WalkConfig()) is None
    found = random_forces(WalkConfig(force=3.0, seed=4))
    assert found is not None
    assert (found.sigma, found.start, found.seed) == (3.0, 1.0, 4)


@pytest.mark.parametrize("sensors", ["real", "ideal"])
@pytest.mark.parametrize("terrain", ["flat", "banned:30"])
def test_a_machine_is_built_as_asked(sensors, terrain):
    machine: Any = SimpleNamespace(period=0.004, senses=("gyro",), height=0.5)
    config = WalkConfig(sensors=sensors, seed=7, actuators="elastic", terrain=terrain)
    found = machine_config(machine, config, parse_terrain(terrain))
    is_real = sensors == "real"
    assert found.period == 0.004
    assert found.actuators.kind == "elastic"
    assert (found.sensors.kind, found.sensors.seed) == (sensors, 7)
    assert "gyro" not in found.sensors.failed
    assert (found.bus is not None) is is_real
    assert found.bus is None or found.bus.seed == 7
    assert (found.fix is not None) is (terrain != "flat")
    if found.fix is not None:
        assert found.fix.seed == (7 if is_real else None)


def test_standing_feet_correct_the_gyro_where_they_do_not_slip():
    machine: Any = SimpleNamespace(height=0.5)
    fast = 0.3 * math.sqrt(9.81 * 0.5)
    slow = heading_rate(machine, None)
    assert slow < HEADING_RATE

    def at(x, y):
        return heading_rate(machine, np.array([x, y]))

    assert at(0.99 * fast, 0.0) == at(-0.99 * fast, 0.0) == HEADING_RATE
    assert at(1.01 * fast, 0.0) == slow
    assert at(0.2, 0.059) == at(0.2, -0.059) == at(-0.2, 0.059) == HEADING_RATE
    assert at(0.2, 0.061) == at(0.2, -0.061) == slow
    assert at(0.0, 0.0) == HEADING_RATE
    aside = 0.29 * fast  # the size of both together counts
    assert at(0.97 * fast, aside) == slow


# --- stepping ---------------------------------------------------------------------


def trotter(height=0.5, name="dog") -> Any:
    return SimpleNamespace(
        height=height, name=name, half_width=0.15, scale=SimpleNamespace()
    )


@pytest.mark.parametrize("duty", [0.5, 0.6])
def test_long_strokes_and_short_cycles_share_the_speed(duty):
    gait: Any = SimpleNamespace(duty=np.array([duty, duty]))
    machine = trotter()
    longest = 0.55 * 0.5  # of a stroke with the usual cycle
    edge = longest / (duty * 0.6)
    for share in (0.0, 0.5, 1.0):
        assert cycle_at(0.6, machine, gait, np.array([share * edge, 0.0])) == 0.6
    for share in (1.5, 4.0):
        speed = share * edge
        found = cycle_at(0.6, machine, gait, speed * np.array([0.6, -0.8]))
        assert found == pytest.approx(0.6 / math.sqrt(share))
        # stroke and pace both grow with the root of the speed
        assert duty * found * speed == pytest.approx(longest * math.sqrt(share))


def test_the_usual_cycle_goes_with_the_machines_time():
    machine = trotter()
    machine.scale = SimpleNamespace(over=lambda other: {"s": 0.5})
    assert usual_cycle(machine) == pytest.approx(0.325)


@pytest.mark.parametrize("actuators", ["motor", "elastic"])
def test_who_is_hardly_held_by_its_steps_is_warned_of(actuators):
    machine = trotter()
    elastic = [w for w in step_warnings(None, machine, actuators)]
    assert len(elastic) == (actuators == "elastic")
    assert list(step_warnings(SMALL, machine, actuators)) == elastic
    first, *rest = step_warnings(0.123, machine, actuators)
    assert rest == elastic
    assert "its feet 0.30 m apart and its hips 0.50 m high" in first
    assert "a cycle takes away 12 % of a disturbance" in first
    assert f"where {100 * ENOUGH:.0f} % are usual" in first
    for margin in (0.0, -0.2):
        assert "grows from step to step" in step_warnings(margin, machine, actuators)[0]


# --- pushes on a walk -------------------------------------------------------------


def test_limits_count_instants_and_pushes_as_asked():
    assert (WalkLimitsConfig().instants, WalkLimitsConfig().random_pushes) == (4, 40)
    quick = WalkLimitsConfig(quick=True)
    assert (quick.instants, quick.random_pushes) == (2, 8)
    given = WalkLimitsConfig(quick=True, phases=64, pushes=0)
    assert (given.instants, given.random_pushes) == (64, 0)
    for phases in (0, 65, 1.5):
        with pytest.raises(ConfigError, match="phases must be "):
            WalkLimitsConfig(phases=phases)
    with pytest.raises(ConfigError, match="speed must be a finite number"):
        WalkLimitsConfig(speed=NAN)


def test_each_push_has_a_walk_with_a_seed_of_its_own():
    config = WalkLimitsConfig(
        gait="crawl", speed=0.1, sensors="ideal", seed=5, friction=1
    )
    walk = config.walk(3, 40.0, 3.25)
    assert (walk.push, walk.push_heading, walk.push_at) == (40.0, 0.0, 3.25)
    assert (walk.seconds, walk.seed) == (7.25, 8)
    assert (walk.gait, walk.speed, walk.sensors, walk.friction) == (
        "crawl",
        0.1,
        "ideal",
        1,
    )


# --- controllers all of a piece ---------------------------------------------------


def test_what_only_parts_can_do_is_refused_of_a_controller_of_a_piece():
    fine = {"speed": 0.2, "push": 1.0, "push_at": 2.0, "force": 1.0, "seed": 3}
    expect_plain(WalkConfig(**fine, seconds=5.0, friction=0.5, freeze=2), "sap")
    for name, value in (
        ("left", 0.1),
        ("turn", 0.1),
        ("heading", 5.0),
        ("stop_at", 5.0),
        ("duty", 0.6),
        ("terrain", "slope:5"),
        ("balance", "capture"),
        ("start", "belly"),
    ):
        with pytest.raises(ConfigError, match="sap"):
            expect_plain(WalkConfig(**{name: value}), "sap")


PARTS = (
    "support",
    "motion",
    "balance",
    "planner",
    "pilot",
    "leg_program",
    "controller",
)


@pytest.mark.parametrize("name", PARTS)
def test_parts_are_known_by_name(name):
    with pytest.raises(EquipoiseError, match="'nobody'"):
        WalkConfig(**{name: "nobody"})


def test_terrain_and_reflexes_are_known_by_name():
    with pytest.raises(EquipoiseError, match="swamp"):
        WalkConfig(terrain="swamp")
    with pytest.raises(EquipoiseError, match="'nobody'"):
        WalkConfig(reflexes=("nobody",))
    assert WalkConfig(terrain="blocks:0.1h", reflexes=()).reflexes == ()
